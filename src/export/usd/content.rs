//! What a `.usda` says besides the motion, as one tree.
//!
//! Prims become objects by name with their type, their metadata, their attributes (`type name`: value) and their children;
//! the samples of places and orientations, which are the motion, and the fingerprint are left out. A name that is given
//! twice is refused: USD takes one of them, and which is not ours to guess.

use serde_json::{Map, Value as Tree, json};

use super::read::{Entry, Fault, Layer, Prim, Value};

/// The samples that are the motion.
const MOTION: [&str; 3] = ["xformOp:translate.timeSamples", "xformOp:orient.timeSamples", "xformOp:scale.timeSamples"];

/// Everything in a layer that is no key.
pub fn content(layer: &Layer) -> Result<Tree, Fault> {
    let prims: Result<Vec<Tree>, Fault> = layer.prims.iter().map(prim).collect();
    Ok(json!({ "layer": entries(&layer.metadata)?, "prims": prims? }))
}

fn prim(prim: &Prim) -> Result<Tree, Fault> {
    let children: Result<Vec<Tree>, Fault> = prim.children.iter().map(self::prim).collect();
    let mut tree = entries(&prim.attributes)?;
    for (name, value) in [("metadata", Tree::Object(entries(&prim.metadata)?)), ("children", children?.into())] {
        tree.insert(name.to_owned(), value);
    }
    tree.insert("name".to_owned(), prim.name.clone().into());
    tree.insert("type".to_owned(), prim.kind.clone().into());
    Ok(tree.into())
}

fn entries(entries: &[Entry]) -> Result<Map<String, Tree>, Fault> {
    let mut tree = Map::new();
    for entry in entries.iter().filter(|entry| entry.name != "fingerprint") {
        let name = if entry.kind.is_empty() { entry.name.clone() } else { format!("{} {}", entry.kind, entry.name) };
        let value = if MOTION.contains(&entry.name.as_str()) { Tree::Null } else { value(&entry.value)? };
        let metadata = self::entries(&entry.metadata)?;
        if !metadata.is_empty() {
            tree.insert(format!("metadata of {}", entry.name), metadata.into());
        }
        if tree.insert(name, value).is_some() {
            return Err(format!("{} stands there twice", entry.name));
        }
    }
    Ok(tree)
}

fn value(value: &Value) -> Result<Tree, Fault> {
    Ok(match value {
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.clone().into(),
        Value::List(items) => Tree::Array(items.iter().map(self::value).collect::<Result<_, _>>()?),
        Value::Samples(samples) => {
            let sample = |(t, value): &(f64, Value)| Ok(json!([t, self::value(value)?]));
            Tree::Array(samples.iter().map(sample).collect::<Result<_, Fault>>()?)
        }
        Value::Entries(inner) => entries(inner)?.into(),
    })
}
