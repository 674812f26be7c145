//! Reading a glTF file back: the nodes that are bodies, and their curves.
//!
//! Understood is what a motion may need: nodes with translation and rotation below unscaled parents, and animations of
//! both. Whatever else would move a body (matrices, scales, skins' joints) is refused by name instead of being missed.
//! No place in the file is trusted: lengths, offsets and indices are checked before use.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use gltf_json as json;
use json::accessor::{ComponentType, GenericComponentType, Type};
use json::animation::{Interpolation, Property, Sampler};
use json::validation::Checked::Valid;
use json::{Index, Node, Root};
use nalgebra::{Isometry3, Quaternion, SVector, Unit};

use super::super::ReadError;
use super::super::curve::{Curve, Joining, Knot, Place};
use super::super::marks::compare::FileMark;
use super::super::verify::{FileBody, FileMotion};
use super::binary::{BINARY_CHUNK, JSON_CHUNK, MAGIC};
use super::{DATA_URI, content};
use crate::math::{Rotation, Vec3};

/// What is wrong with a file.
pub type Fault = String;

pub fn read_binary(path: &Path, bytes: &[u8]) -> Result<FileMotion, ReadError> {
    let malformed = |what: Fault| ReadError::Malformed { path: path.to_owned(), what };
    let (text, data) = chunks(bytes).map_err(malformed)?;
    let root = Root::from_slice(text).map_err(|error| malformed(error.to_string()))?;
    Reader { root, data: data.to_vec() }.motion(text).map_err(malformed)
}

pub fn read_text(path: &Path, bytes: &[u8]) -> Result<FileMotion, ReadError> {
    let malformed = |what: Fault| ReadError::Malformed { path: path.to_owned(), what };
    let data = |root: &Root| {
        let uri = root.buffers.first().and_then(|buffer| buffer.uri.as_deref()).unwrap_or_default();
        let encoded = uri.strip_prefix(DATA_URI).ok_or("its data is not in the file itself".to_owned())?;
        BASE64.decode(encoded).map_err(|error| format!("its data: {error}"))
    };
    let root = Root::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
    let data = data(&root).map_err(malformed)?;
    Reader { root, data }.motion(bytes).map_err(malformed)
}

/// Text and data of a binary file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
    let number = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    if number(0) != Some(MAGIC) || number(4) != Some(2) {
        return Err("this is no glTF 2.0 file".to_owned());
    }
    let chunk = |at: usize, kind: u32| {
        let length = number(at)? as usize;
        let content = bytes.get(at + 8..)?.get(..length)?;
        (number(at + 4)? == kind).then_some((content, at + 8 + length))
    };
    let (text, next) = chunk(12, JSON_CHUNK).ok_or("its text is cut off".to_owned())?;
    let (data, _) = chunk(next, BINARY_CHUNK).ok_or("its data is cut off".to_owned())?;
    Ok((text, data))
}

/// A file, taken apart.
pub struct Reader {
    root: Root,
    data: Vec<u8>,
}

impl Reader {
    fn motion(&self, text: &[u8]) -> Result<FileMotion, Fault> {
        if self.root.animations.len() > 1 {
            return Err("it has several animations; which one is meant?".to_owned());
        }
        let bodies = (0..self.root.nodes.len()).filter(|node| self.is_body(*node)).map(|node| self.body(node));
        let samplers = self.root.animations.iter().flat_map(|animation| &animation.samplers);
        let cubic = samplers.into_iter().any(|sampler| sampler.interpolation == Valid(Interpolation::CubicSpline));
        let marks =
            (0..self.root.nodes.len()).filter(|node| self.is_mark(*node) && self.channels(*node).next().is_some());
        let marks = marks.map(|node| self.mark(node));
        let extra = |name: &str| self.extras()?.get(name).cloned();
        Ok(FileMotion {
            bodies: bodies.collect::<Result<_, _>>()?,
            fingerprint: extra("fingerprint").and_then(|value| Some(value.as_str()?.to_owned())),
            fps: extra("fps").and_then(|value| value.as_f64()),
            cubic,
            marks: marks.collect::<Result<_, _>>()?,
            left_out: extra("marks") == Some(false.into()),
            content: content::content(self, text)?,
        })
    }

    /// What is seen, or moves without carrying another.
    fn is_body(&self, node: usize) -> bool {
        let animated = self.channels(node).next().is_some();
        if self.is_mark(node) {
            return false;
        }
        self.root.nodes.get(node).is_some_and(|node| node.mesh.is_some() || (animated && node.children.is_none()))
    }

    /// Of a joint or a force, as it says itself.
    fn is_mark(&self, node: usize) -> bool {
        let extras = self.root.nodes.get(node).and_then(|node| node.extras.as_ref());
        extras.is_some_and(|extras| {
            serde_json::from_str::<Extras>(extras.get()).is_ok_and(|extras| extras.mark.is_some())
        })
    }

    /// A mark that moves.
    fn mark(&self, index: usize) -> Result<FileMark, Fault> {
        let node = &self.root.nodes[index];
        let name = node.name.clone().unwrap_or_else(|| format!("node {index}"));
        let fault = |what: Fault| format!("{name}: {what}");
        let at_rest = pose(&Node { scale: None, ..node.clone() }).map_err(fault)?;
        let scale = node.scale.unwrap_or([1.0; 3]).map(f64::from);
        let mut mark = FileMark {
            place: still(at_rest.translation.vector),
            turn: still(at_rest.rotation.coords),
            scale: still(scale.into()),
            name: name.clone(),
        };
        for (property, sampler) in self.channels(index) {
            let sampler = sampler.ok_or_else(|| fault("a channel without sampler".to_owned()))?;
            match property {
                Property::Translation => mark.place = self.curve(sampler).map_err(fault)?,
                Property::Rotation => mark.turn = self.curve(sampler).map_err(fault)?,
                Property::Scale => mark.scale = self.curve(sampler).map_err(fault)?,
                Property::MorphTargetWeights => return Err(fault("it changes its shape".to_owned())),
            }
        }
        Ok(mark)
    }

    fn channels(&self, node: usize) -> impl Iterator<Item = (Property, Option<&Sampler>)> {
        let animation = self.root.animations.first();
        let channels = animation.map_or(&[][..], |animation| &animation.channels);
        let own = channels.iter().filter(move |channel| channel.target.node.value() == node);
        own.filter_map(move |channel| {
            let Valid(property) = channel.target.path else { return None };
            Some((property, animation?.samplers.get(channel.sampler.value())))
        })
    }

    fn body(&self, index: usize) -> Result<FileBody, Fault> {
        let node = &self.root.nodes[index];
        let name = node.name.clone().unwrap_or_else(|| format!("node {index}"));
        let at_rest = pose(node).map_err(|what| format!("{name}: {what}"))?;
        let (parent, carriers) = self.above(index, &name)?;
        let mut body = FileBody {
            parent,
            carriers,
            place: still(at_rest.translation.vector),
            turn: still(at_rest.rotation.coords),
            name,
        };
        for (property, sampler) in self.channels(index) {
            let name = &body.name;
            let sampler = sampler.ok_or_else(|| format!("{name}: a channel without sampler"))?;
            match property {
                Property::Translation => body.place = self.curve(sampler).map_err(|what| format!("{name}: {what}"))?,
                Property::Rotation => body.turn = self.curve(sampler).map_err(|what| format!("{name}: {what}"))?,
                Property::Scale | Property::MorphTargetWeights => return Err(format!("{name} changes its shape")),
            }
        }
        Ok(body)
    }

    /// The pose of everything above a node, and what moves it there: carriers, which only shift.
    fn above(&self, node: usize, name: &str) -> Result<(Isometry3<f64>, Vec<Place>), Fault> {
        let (mut pose_above, mut carriers, mut child) = (Isometry3::identity(), Vec::new(), node);
        for _ in 0..self.root.nodes.len() {
            let holds = |parent: &Node| parent.children.iter().flatten().any(|index| index.value() == child);
            let Some(parent) = self.root.nodes.iter().position(holds) else { return Ok((pose_above, carriers)) };
            let pose = pose(&self.root.nodes[parent]).map_err(|what| format!("what holds {name}: {what}"))?;
            // Shifts add up as long as nothing below them turns or shifts.
            let plain = pose == Isometry3::identity() && pose_above == Isometry3::identity();
            let channels: Vec<_> = self.channels(parent).collect();
            match channels[..] {
                [] => pose_above = pose * pose_above,
                [(Property::Translation, Some(sampler))] if plain => carriers.push(self.curve(sampler)?),
                _ => return Err(format!("what holds {name} moves itself")),
            }
            child = parent;
        }
        Err(format!("{name} is its own parent"))
    }

    fn curve<const N: usize>(&self, sampler: &Sampler) -> Result<Curve<N>, Fault> {
        let joining = match sampler.interpolation {
            Valid(Interpolation::Linear) => Joining::Linear,
            Valid(Interpolation::Step) => Joining::Step,
            Valid(Interpolation::CubicSpline) => Joining::Cubic,
            json::validation::Checked::Invalid => return Err("unknown interpolation".to_owned()),
        };
        let times = self.numbers(sampler.input, Type::Scalar)?;
        let values = self.numbers(sampler.output, if N == 4 { Type::Vec4 } else { Type::Vec3 })?;
        let per_key = if joining == Joining::Cubic { 3 * N } else { N };
        if values.len() != per_key * times.len() {
            return Err(format!("{} times and {} values", times.len(), values.len() / per_key));
        }
        let vector = |part: &[f64]| SVector::<f64, N>::from_column_slice(part);
        let knot = |(t, key): (&f64, &[f64])| match joining {
            Joining::Cubic => {
                Knot { t: *t, value: vector(&key[N..2 * N]), rates: [vector(&key[..N]), vector(&key[2 * N..])] }
            }
            Joining::Step | Joining::Linear => Knot::still(*t, vector(key)),
        };
        Ok(Curve { joining, knots: times.iter().zip(values.chunks_exact(per_key)).map(knot).collect() })
    }

    /// The numbers of an accessor.
    pub fn numbers(&self, index: Index<json::Accessor>, kind: Type) -> Result<Vec<f64>, Fault> {
        let fault = |what: &str| format!("accessor {}: {what}", index.value());
        let accessor = self.root.accessors.get(index.value()).ok_or_else(|| fault("there is none"))?;
        let component = match accessor.component_type {
            Valid(GenericComponentType(component @ (ComponentType::F32 | ComponentType::U16 | ComponentType::U32))) => {
                component
            }
            _ => return Err(fault("numbers of a width that no export writes")),
        };
        // Only corners of triangles are whole numbers.
        let whole = component != ComponentType::F32;
        if accessor.type_ != Valid(kind)
            || (whole && kind != Type::Scalar)
            || accessor.sparse.is_some()
            || accessor.normalized
        {
            return Err(fault("not plain numbers of the right kind"));
        }
        let view = accessor.buffer_view.and_then(|view| self.root.buffer_views.get(view.value()));
        let view = view.filter(|view| view.buffer.value() == 0 && view.byte_stride.is_none());
        let view = view.ok_or_else(|| fault("its data lies elsewhere"))?;
        let start = view.byte_offset.unwrap_or_default().0.checked_add(accessor.byte_offset.unwrap_or_default().0);
        let length = accessor.count.0.checked_mul((component.size() * kind.multiplicity()) as u64);
        let data = start.zip(length).and_then(|(start, length)| {
            let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok()?);
            self.data.get(start..)?.get(..length)
        });
        let data = data.ok_or_else(|| fault("it reaches beyond the data"))?;
        let number = |bytes: &[u8]| match *bytes {
            [a, b] => f64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] if whole => f64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
            _ => f64::NAN,
        };
        Ok(data.chunks_exact(component.size()).map(number).collect())
    }

    /// The bounds that the file claims for an accessor; viewers leave out what they think is out of sight.
    pub fn bounds(&self, index: Index<json::Accessor>) -> serde_json::Value {
        let accessor = self.root.accessors.get(index.value());
        serde_json::json!({
            "min": accessor.and_then(|accessor| accessor.min.clone()),
            "max": accessor.and_then(|accessor| accessor.max.clone()),
        })
    }

    fn extras(&self) -> Option<serde_json::Value> {
        serde_json::from_str(self.root.asset.extras.as_ref()?.get()).ok()
    }
}

/// What the extras of a node may say.
#[derive(serde::Deserialize)]
struct Extras {
    mark: Option<String>,
}

fn still<const N: usize>(value: SVector<f64, N>) -> Curve<N> {
    Curve { joining: Joining::Linear, knots: vec![Knot::still(0.0, value)] }
}

/// The pose of a node, which must be a rotation and a translation.
fn pose(node: &Node) -> Result<Isometry3<f64>, Fault> {
    if node.matrix.is_some() || node.scale.is_some_and(|scale| scale != [1.0; 3]) {
        return Err("a matrix or a scale, which no export writes".to_owned());
    }
    let place = Vec3::from(node.translation.unwrap_or_default().map(f64::from));
    let [x, y, z, w] = node.rotation.unwrap_or_default().0.map(f64::from);
    let turn: Rotation =
        Unit::try_new(Quaternion::new(w, x, y, z), 1e-6).ok_or("a rotation that is none".to_owned())?;
    Ok(Isometry3::from_parts(place.into(), turn))
}
