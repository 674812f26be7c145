//! What a glTF file says besides the motion, as one tree with its references followed.
//!
//! Meshes get the numbers of their accessors, with the bounds that the file claims for them; accessors, views and buffers
//! are then left out, and so are the times and values of animations. Everything else stays as it is in the text: nodes,
//! materials, scenes, extras, and what `export` never writes (cameras, skins, extensions), which shows as a difference.

use gltf_json as json;
use json::Index;
use json::accessor::Type;
use serde_json::{Map, Value};

use super::read::{Fault, Reader};

/// Takes the motion out of the text of a file, and puts numbers where it refers to them.
pub fn content(reader: &Reader, text: &[u8]) -> Result<Value, Fault> {
    let mut root: Map<String, Value> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    for name in ["accessors", "bufferViews", "buffers"] {
        root.remove(name);
    }
    for mesh in entries(&mut root, "meshes") {
        for primitive in entries(mesh, "primitives") {
            follow(reader, primitive)?;
        }
    }
    for animation in entries(&mut root, "animations") {
        for sampler in entries(animation, "samplers") {
            sampler.remove("input");
            sampler.remove("output");
        }
    }
    if let Some(asset) = root.get_mut("asset").and_then(Value::as_object_mut) {
        // Which program wrote it does not matter, if it wrote the right thing.
        asset.remove("generator");
        if let Some(extras) = asset.get_mut("extras").and_then(Value::as_object_mut) {
            extras.remove("fingerprint");
        }
    }
    Ok(Value::Object(root))
}

/// The objects of a list.
fn entries<'a>(object: &'a mut Map<String, Value>, name: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    object.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Puts vertices, normals and indices in place of their accessors.
fn follow(reader: &Reader, primitive: &mut Map<String, Value>) -> Result<(), Fault> {
    if let Some(index) = primitive.get("indices").and_then(Value::as_u64) {
        let numbers = reader.numbers(accessor(index)?, Type::Scalar)?;
        primitive.insert("indices".to_owned(), numbers.into());
    }
    let attributes = primitive.get_mut("attributes").and_then(Value::as_object_mut);
    let mut bounds = Map::new();
    for (name, value) in attributes.into_iter().flatten() {
        let index = accessor(value.as_u64().ok_or_else(|| format!("{name} names no accessor"))?)?;
        let numbers = reader.numbers(index, Type::Vec3)?;
        bounds.insert(name.clone(), reader.bounds(index));
        *value = numbers.chunks_exact(3).map(Value::from).collect();
    }
    primitive.insert("bounds".to_owned(), Value::Object(bounds));
    Ok(())
}

fn accessor(index: u64) -> Result<Index<json::Accessor>, Fault> {
    u32::try_from(index).map(Index::new).map_err(|_| format!("there is no accessor {index}"))
}
