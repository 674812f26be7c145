//! glTF 2.0, text or binary: the triangles of every mesh in the scene, placed by their nodes.
//!
//! Read are nodes (matrix, or translation, rotation and scale), primitives of mode 4 (triangles), and their `POSITION` and
//! indices out of plain accessors. Sparse and compressed accessors, skins and morphs are not.
//!
//! Work and memory follow what the file shows, not what it points at: nodes form trees, so that each is reached once;
//! of an accessor only the corners that triangles use are read; and there is a limit for triangles, for the bytes of all
//! buffers together, and for the entries of the JSON.

use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector4};
use serde_json::Value;

use super::{Fault, RawMesh, point};
use crate::math::Vec3;
use crate::scene::limits;

const MAGIC: &[u8; 4] = b"glTF";
/// Deepest nesting of nodes; each costs stack.
const DEEPEST: usize = 64;
/// The most values in the JSON: each takes some hundred bytes of memory, however short it is.
const VALUES: usize = 4_000_000;

/// Reads a document; `beside` reads a file of its folder.
pub(super) fn read(bytes: &[u8], beside: &dyn Fn(&str) -> Result<Vec<u8>, Fault>) -> Result<RawMesh, Fault> {
    let (json, binary) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
    if values(json) > VALUES {
        return Err(at("its JSON", format!("it has more than {VALUES} values; export it as .glb, or simplify it")));
    }
    let root: Value = serde_json::from_slice(json).map_err(|error| at("its JSON", error))?;
    let mut document = Document { root: &root, buffers: Vec::new() };
    let mut room = limits::MESH_BYTES as usize;
    for (k, buffer) in list(&root, "buffers").iter().enumerate() {
        let data = match (buffer["uri"].as_str(), &binary) {
            (None, Some(binary)) if k == 0 => binary.to_vec(),
            (None, _) => return Err(at(format!("buffer {k}"), "it has neither a uri nor a binary chunk")),
            (Some(uri), _) => match uri.split_once(";base64,") {
                Some((_, text)) => decoded(text).ok_or_else(|| at(format!("buffer {k}"), "its base64 is broken"))?,
                None => beside(uri)?,
            },
        };
        room = room.checked_sub(data.len()).ok_or_else(|| {
            let most = limits::MESH_BYTES / 1_000_000;
            at(format!("buffer {k}"), format!("all buffers together have more than {most} MB; simplify the mesh"))
        })?;
        document.buffers.push(data);
    }
    let mut mesh = RawMesh::default();
    let scene = root["scene"].as_u64().unwrap_or(0) as usize;
    let nodes = match list(&root, "scenes").get(scene) {
        Some(scene) => numbers(&scene["nodes"]),
        None => (0..list(&root, "nodes").len()).collect(),
    };
    let mut reached = vec![false; list(&root, "nodes").len()];
    for node in nodes {
        document.add_node(node, &Matrix4::identity(), 0, &mut reached, &mut mesh)?;
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

/// How many values a JSON text has, or more: one at its beginning, and one at most behind each comma, colon and bracket.
fn values(json: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (1, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' | b':' | b'[' | b'{' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

struct Document<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
}

impl Document<'_> {
    fn add_node(
        &self,
        k: usize,
        parent: &Matrix4<f64>,
        depth: usize,
        reached: &mut [bool],
        mesh: &mut RawMesh,
    ) -> Result<(), Fault> {
        let Some(node) = list(self.root, "nodes").get(k) else {
            return Err(at(format!("node {k}"), "there is no such node"));
        };
        if std::mem::replace(&mut reached[k], true) {
            return Err(at(format!("node {k}"), "it is reached twice; nodes of glTF form trees, export it again"));
        }
        if depth > DEEPEST {
            return Err(at(format!("node {k}"), "nodes nest too deep"));
        }
        let placed = parent * transform(node);
        if let Some(number) = node["mesh"].as_u64() {
            let Some(source) = list(self.root, "meshes").get(number as usize) else {
                return Err(at(format!("node {k}"), format!("there is no mesh {number}")));
            };
            for (p, primitive) in list(source, "primitives").iter().enumerate() {
                // More triangles are refused by the caller, whatever they are.
                if mesh.triangles.len() > limits::TRIANGLES {
                    return Ok(());
                }
                self.add_primitive(primitive, &placed, mesh)
                    .map_err(|what| at(format!("mesh {number}, primitive {p}"), what))?;
            }
        }
        let children = numbers(&node["children"]);
        children.into_iter().try_for_each(|child| self.add_node(child, &placed, depth + 1, reached, mesh))
    }

    fn add_primitive(&self, primitive: &Value, placed: &Matrix4<f64>, mesh: &mut RawMesh) -> Result<(), String> {
        if primitive["mode"].as_u64().unwrap_or(4) != 4 {
            return Err("only lists of triangles (mode 4) are read".to_owned());
        }
        let corners = self.accessor(primitive["attributes"]["POSITION"].as_u64(), 3)?;
        let most = 3 * (limits::TRIANGLES + 1);
        let indices: Vec<u32> = match primitive["indices"].as_u64() {
            Some(number) => {
                let indices = self.accessor(Some(number), 1)?;
                (0..indices.count.min(most))
                    .map(|k| index(indices.entry(k, 0), corners.count))
                    .collect::<Result<_, _>>()?
            }
            None => (0..corners.count.min(most) as u32).collect(),
        };
        // Many primitives may share one long list of corners: each takes those it uses, in their order.
        let mut used = indices.clone();
        used.sort_unstable();
        used.dedup();
        let first = mesh.positions.len() as u32;
        for &corner in &used {
            let [x, y, z] = [0, 1, 2].map(|c| corners.entry(corner as usize, c));
            let p = placed * Vector4::new(x, y, z, 1.0);
            mesh.positions.push(point([p.x, p.y, p.z])?);
        }
        let place = |index: u32| first + used.partition_point(|corner| *corner < index) as u32;
        // A mirrored node turns its triangles over.
        let mirrored = placed.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(place);
            mesh.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    /// The numbers of an accessor, `width` for each of its elements.
    fn accessor(&self, number: Option<u64>, width: usize) -> Result<Accessor<'_>, String> {
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
        let is_float = accessor["componentType"].as_u64() == Some(5126);
        Ok(Accessor { buffer, start, stride, size, count, is_float })
    }
}

/// Numbers in a buffer, within its bounds.
struct Accessor<'a> {
    buffer: &'a [u8],
    start: usize,
    stride: usize,
    /// Bytes of one number.
    size: usize,
    count: usize,
    is_float: bool,
}

impl Accessor<'_> {
    /// Number c of element k.
    fn entry(&self, k: usize, c: usize) -> f64 {
        let from = self.start + k * self.stride + c * self.size;
        let mut word = [0; 4];
        word[..self.size].copy_from_slice(&self.buffer[from..from + self.size]);
        if self.is_float { f64::from(f32::from_le_bytes(word)) } else { f64::from(u32::from_le_bytes(word)) }
    }
}

/// A number that names one of so many corners.
fn index(number: f64, count: usize) -> Result<u32, String> {
    // Written so that what is not a number is refused.
    if number >= 0.0 && number < count as f64 {
        Ok(number as u32)
    } else {
        Err(format!("index {number} is beyond its {count} corners"))
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
