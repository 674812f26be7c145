//! The data of a glTF file: numbers in one buffer, with views and accessors that say where.
//!
//! ```text
//! glb:  "glTF" 2 length │ length "JSON" text, padded with spaces │ length "BIN" data, padded with zeros
//! ```

use gltf_json as json;
use json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use json::buffer::{Buffer, Target, View};
use json::validation::Checked::Valid;
use json::validation::USize64;
use json::{Index, Root};

use super::super::curve::Knot;

/// "glTF" as a number.
pub const MAGIC: u32 = 0x4654_6C67;
/// Kinds of chunk.
pub const JSON_CHUNK: u32 = 0x4E4F_534A;
pub const BINARY_CHUNK: u32 = 0x004E_4942;

/// A buffer in the making.
#[derive(Debug, Default)]
pub struct Binary {
    pub bytes: Vec<u8>,
}

impl Binary {
    /// Positions or normals of a mesh; positions must tell their bounds.
    pub fn vertices(&mut self, root: &mut Root, vertices: &[[f64; 3]], bounded: bool) -> Index<Accessor> {
        let numbers: Vec<f32> = vertices.iter().flatten().map(|x| *x as f32).collect();
        let bounds = bounded.then(|| bounds::<3>(&numbers));
        self.floats(root, &numbers, Type::Vec3, Some(Target::ArrayBuffer), bounds)
    }

    /// Corners of triangles, narrow where that is enough. The widest number of each width is reserved.
    pub fn indices(&mut self, root: &mut Root, triangles: &[[u32; 3]]) -> Index<Accessor> {
        let indices = triangles.iter().flatten();
        let narrow = indices.clone().all(|index| *index < u32::from(u16::MAX));
        let start = self.bytes.len();
        let component = if narrow {
            indices.for_each(|index| self.bytes.extend((*index as u16).to_le_bytes()));
            ComponentType::U16
        } else {
            indices.for_each(|index| self.bytes.extend(index.to_le_bytes()));
            ComponentType::U32
        };
        let view = self.view(root, start, Some(Target::ElementArrayBuffer));
        root.push(accessor(view, 3 * triangles.len(), component, Type::Scalar))
    }

    /// Times of keys.
    pub fn times(&mut self, root: &mut Root, times: impl Iterator<Item = f32>) -> Index<Accessor> {
        let times: Vec<f32> = times.collect();
        let bounds = bounds::<1>(&times);
        self.floats(root, &times, Type::Scalar, None, Some(bounds))
    }

    /// Values of keys; cubic ones between the rates on their two sides.
    pub fn values<const N: usize>(&mut self, root: &mut Root, knots: &[Knot<N>], cubic: bool) -> Index<Accessor> {
        let narrow = |values: [f64; N]| values.map(|x| x as f32);
        let parts = |knot: &Knot<N>| {
            let [before, after] = knot.rates.map(|rate| narrow(rate.into()));
            let value = narrow(knot.value.into());
            if cubic { vec![before, value, after] } else { vec![value] }
        };
        let numbers: Vec<f32> = knots.iter().flat_map(parts).flatten().collect();
        let kind = if N == 4 { Type::Vec4 } else { Type::Vec3 };
        self.floats(root, &numbers, kind, None, None)
    }

    /// Declares the buffer, once everything is in it.
    pub fn finish(&mut self, root: &mut Root, uri: Option<String>) {
        let byte_length = USize64::from(self.bytes.len());
        root.push(Buffer { byte_length, name: None, uri, extensions: None, extras: None });
    }

    fn floats(
        &mut self,
        root: &mut Root,
        numbers: &[f32],
        kind: Type,
        target: Option<Target>,
        bounds: Option<[Vec<f32>; 2]>,
    ) -> Index<Accessor> {
        let start = self.bytes.len();
        numbers.iter().for_each(|number| self.bytes.extend(number.to_le_bytes()));
        let view = self.view(root, start, target);
        let [min, max] = bounds.map_or([None, None], |bounds| bounds.map(|bound| Some(bound.into())));
        root.push(Accessor {
            min,
            max,
            ..accessor(view, numbers.len() / kind.multiplicity(), ComponentType::F32, kind)
        })
    }

    /// Everything since `start`; the next begins at a multiple of four, as numbers of four bytes must.
    fn view(&mut self, root: &mut Root, start: usize, target: Option<Target>) -> Index<View> {
        let byte_length = USize64::from(self.bytes.len() - start);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        root.push(View {
            buffer: Index::new(0),
            byte_length,
            byte_offset: Some(USize64::from(start)),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: None,
        })
    }
}

fn accessor(view: Index<View>, count: usize, component: ComponentType, kind: Type) -> Accessor {
    Accessor {
        buffer_view: Some(view),
        byte_offset: None,
        count: USize64::from(count),
        component_type: Valid(GenericComponentType(component)),
        extensions: None,
        extras: None,
        type_: Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

/// Least and greatest of each of N interleaved numbers.
fn bounds<const N: usize>(numbers: &[f32]) -> [Vec<f32>; 2] {
    let (mut least, mut most) = (vec![f32::INFINITY; N], vec![f32::NEG_INFINITY; N]);
    for tuple in numbers.chunks_exact(N) {
        for (k, number) in tuple.iter().enumerate() {
            least[k] = least[k].min(*number);
            most[k] = most[k].max(*number);
        }
    }
    [least, most]
}

/// The file of text and data.
pub fn container(mut text: Vec<u8>, data: &[u8]) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + text.len() + 8 + data.len();
    let mut bytes = Vec::with_capacity(length);
    let mut push = |number: u32| bytes.extend(number.to_le_bytes());
    [MAGIC, 2, length as u32, text.len() as u32, JSON_CHUNK].into_iter().for_each(&mut push);
    bytes.extend(text);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(BINARY_CHUNK.to_le_bytes());
    bytes.extend(data);
    bytes
}
