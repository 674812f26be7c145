//! glTF 2.0, text or binary: the triangles of every mesh in the scene, placed by their nodes.
//!
//! Read are nodes (matrix, or translation, rotation and scale), primitives of mode 4 (triangles), and their `POSITION` and
//! indices out of plain accessors. Sparse and compressed accessors, skins and morphs are not.

use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector4};
use serde_json::Value;

use super::{Fault, RawMesh, point};
use crate::math::Vec3;
use crate::scene::limits;

const MAGIC: &[u8; 4] = b"glTF";
/// Deepest nesting of nodes: a cycle would have no end.
const DEEPEST: usize = 64;

/// Reads a document; `beside` reads a file of its folder.
pub(super) fn read(bytes: &[u8], beside: &dyn Fn(&str) -> Result<Vec<u8>, Fault>) -> Result<RawMesh, Fault> {
    let (json, binary) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
    let root: Value = serde_json::from_slice(json).map_err(|error| at("its JSON", error))?;
    let mut document = Document { root: &root, buffers: Vec::new() };
    for (k, buffer) in list(&root, "buffers").iter().enumerate() {
        let data = match (buffer["uri"].as_str(), &binary) {
            (None, Some(binary)) if k == 0 => binary.to_vec(),
            (None, _) => return Err(at(format!("buffer {k}"), "it has neither a uri nor a binary chunk")),
            (Some(uri), _) => match uri.split_once(";base64,") {
                Some((_, text)) => decoded(text).ok_or_else(|| at(format!("buffer {k}"), "its base64 is broken"))?,
                None => beside(uri)?,
            },
        };
        document.buffers.push(data);
    }
    let mut mesh = RawMesh::default();
    let scene = root["scene"].as_u64().unwrap_or(0) as usize;
    let nodes = match list(&root, "scenes").get(scene) {
        Some(scene) => numbers(&scene["nodes"]),
        None => (0..list(&root, "nodes").len()).collect(),
    };
    for node in nodes {
        document.add_node(node, &Matrix4::identity(), 0, &mut mesh)?;
    }
    if mesh.triangles.is_empty() {
        return Err(at("its scene", "no triangles were found"));
    }
    Ok(mesh)
}

fn at(place: impl ToString, what: impl ToString) -> Fault {
    (place.to_string(), what.to_string())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().into_iter().flatten().filter_map(|number| number.as_u64()).map(|number| number as usize).collect()
}

/// The JSON and binary chunks of a GLB file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |from: usize| bytes.get(from..from + 4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]) as usize);
    let chunk = |from: usize| Some((bytes.get(from + 8..(from + 8).checked_add(word(from)?)?)?, word(from)?));
    let (json, length) = chunk(12).ok_or_else(|| at("its first chunk", "it ends too soon"))?;
    Ok((json, chunk(20 + length).map(|(binary, _)| binary)))
}

struct Document<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
}

impl Document<'_> {
    fn add_node(&self, k: usize, parent: &Matrix4<f64>, depth: usize, mesh: &mut RawMesh) -> Result<(), Fault> {
        let Some(node) = list(self.root, "nodes").get(k) else {
            return Err(at(format!("node {k}"), "there is no such node"));
        };
        if depth > DEEPEST || mesh.triangles.len() > limits::TRIANGLES {
            return if depth > DEEPEST { Err(at(format!("node {k}"), "nodes nest too deep")) } else { Ok(()) };
        }
        let placed = parent * transform(node);
        if let Some(number) = node["mesh"].as_u64() {
            let Some(source) = list(self.root, "meshes").get(number as usize) else {
                return Err(at(format!("node {k}"), format!("there is no mesh {number}")));
            };
            for (p, primitive) in list(source, "primitives").iter().enumerate() {
                self.add_primitive(primitive, &placed, mesh)
                    .map_err(|what| at(format!("mesh {number}, primitive {p}"), what))?;
            }
        }
        numbers(&node["children"]).into_iter().try_for_each(|child| self.add_node(child, &placed, depth + 1, mesh))
    }

    fn add_primitive(&self, primitive: &Value, placed: &Matrix4<f64>, mesh: &mut RawMesh) -> Result<(), String> {
        if primitive["mode"].as_u64().unwrap_or(4) != 4 {
            return Err("only lists of triangles (mode 4) are read".to_owned());
        }
        let first = mesh.positions.len();
        let corners = self.accessor(primitive["attributes"]["POSITION"].as_u64(), 3)?;
        for corner in corners.chunks_exact(3) {
            let p = placed * Vector4::new(corner[0], corner[1], corner[2], 1.0);
            mesh.positions.push(point([p.x, p.y, p.z])?);
        }
        let count = mesh.positions.len() - first;
        let indices = match primitive["indices"].as_u64() {
            Some(number) => self.accessor(Some(number), 1)?,
            None => (0..count).map(|k| k as f64).collect(),
        };
        if let Some(outside) = indices.iter().find(|index| **index >= count as f64) {
            return Err(format!("index {outside} is beyond its {count} corners"));
        }
        // A mirrored node turns its triangles over.
        let mirrored = placed.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for triangle in indices.chunks_exact(3).take(limits::TRIANGLES + 1) {
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|index| index as u32 + first as u32);
            mesh.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    /// The numbers of an accessor, `width` for each of its elements.
    fn accessor(&self, number: Option<u64>, width: usize) -> Result<Vec<f64>, String> {
        let number = number.ok_or("it has no POSITION")?;
        let accessor = list(self.root, "accessors").get(number as usize).ok_or("an accessor is missing")?;
        let view = accessor["bufferView"].as_u64().ok_or("an accessor without a buffer view is not read")?;
        if !accessor["sparse"].is_null() {
            return Err("sparse accessors are not read".to_owned());
        }
        let view = list(self.root, "bufferViews").get(view as usize).ok_or("a buffer view is missing")?;
        let buffer = view["buffer"].as_u64().and_then(|k| self.buffers.get(k as usize)).ok_or("a buffer is missing")?;
        let size = match accessor["componentType"].as_u64() {
            Some(5121) => 1,
            Some(5123) => 2,
            Some(5125 | 5126) => 4,
            other => return Err(format!("component type {other:?} is not read")),
        };
        let entry = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0) as usize;
        let stride = Some(entry(view, "byteStride")).filter(|stride| *stride > 0).unwrap_or(size * width);
        let start = entry(view, "byteOffset").saturating_add(entry(accessor, "byteOffset"));
        let count = entry(accessor, "count");
        let end = count.saturating_sub(1).saturating_mul(stride).saturating_add(start).saturating_add(size * width);
        if count == 0 || end > buffer.len() {
            return Err(format!("its {count} elements do not lie inside their buffer of {} bytes", buffer.len()));
        }
        let float = accessor["componentType"].as_u64() == Some(5126);
        let read = |from: usize| {
            let mut word = [0; 4];
            word[..size].copy_from_slice(&buffer[from..from + size]);
            if float { f64::from(f32::from_le_bytes(word)) } else { f64::from(u32::from_le_bytes(word)) }
        };
        let element = |k: usize| (0..width).map(move |c| start + k * stride + c * size);
        Ok((0..count).flat_map(element).map(read).collect())
    }
}

/// The place of a node within its parent.
fn transform(node: &Value) -> Matrix4<f64> {
    let entries = |key: &str| -> Vec<f64> { list(node, key).iter().filter_map(Value::as_f64).collect() };
    if let matrix @ [_, .., _] = &entries("matrix")[..]
        && matrix.len() == 16
    {
        return Matrix4::from_column_slice(matrix);
    }
    let vector = |key: &str, default: f64| match entries(key)[..] {
        [x, y, z] => Vec3::new(x, y, z),
        _ => Vec3::repeat(default),
    };
    let rotation = match entries("rotation")[..] {
        [x, y, z, w] => UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)),
        _ => UnitQuaternion::identity(),
    };
    let scale = Matrix4::new_nonuniform_scaling(&vector("scale", 1.0));
    Matrix4::new_translation(&vector("translation", 0.0)) * rotation.to_homogeneous() * scale
}

/// Base64 without line breaks.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(value(byte)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}
