//! `verify` finds changes to everything that a file says besides the motion: vertices, triangles, colours, masses, events,
//! things added and things taken away, in every format that says them.
//!
//! The bound is rounding: 1e-6 relative to 1 and the number (1e-4 in tables of events, which follow the motion). Changes here
//! are small in the file and plain to the eye or to a physics engine.

use std::path::PathBuf;

use serde_json::Value;

use super::export::Folder;
use super::random::Random;
use super::tampering::{exported, verify};

/// The file changed in one place does not pass, and the report names what differs.
#[track_caller]
fn check_found(ending: &str, edit: impl Fn(&str) -> String, words: &[&str]) {
    let folder = Folder::new(&format!("rest-{}", words.join("-").replace([' ', '/', '.'], "_")));
    let file = exported(&folder, ending);
    let content = std::fs::read_to_string(&file).expect("text");
    let changed = edit(&content);
    assert_ne!(changed, content, "{ending}: nothing was changed");
    std::fs::write(&file, changed).expect("writable");
    let (code, said) = verify(&file);
    assert!(code == 1 && said.contains("NOT"), "{ending}: {said}");
    assert!(said.contains("holds the motion"), "{ending}: the motion is as it was, but: {said}");
    let line = said.lines().find(|line| line.starts_with("differs") && words.iter().all(|word| line.contains(word)));
    assert!(line.is_some(), "{ending}: no line with {words:?} in {said}");
}

/// Changes a value of a JSON text by its path.
fn with(pointer: &'static str, change: impl Fn(&mut Value)) -> impl Fn(&str) -> String {
    move |content| {
        let mut value: Value = serde_json::from_str(content).expect("JSON");
        change(value.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")));
        value.to_string()
    }
}

/// Replaces the first occurrence after a mark.
fn after(mark: &'static str, old: &'static str, new: &'static str) -> impl Fn(&str) -> String {
    move |content| {
        let start = content.find(mark).unwrap_or_else(|| panic!("no {mark}"));
        let (head, tail) = content.split_at(start);
        head.to_owned() + &tail.replacen(old, new, 1)
    }
}

fn push(value: Value) -> impl Fn(&mut Value) {
    move |list| list.as_array_mut().expect("a list").push(value.clone())
}

#[test]
fn a_gltf_text_with_other_colours_nodes_or_materials_is_found() {
    let factor = "/materials/1/pbrMetallicRoughness/baseColorFactor";
    check_found("gltf", with(factor, |color| color[0] = 0.9.into()), &["materials", "book", "baseColorFactor"]);
    check_found("gltf", with("/materials/1", |m| m["doubleSided"] = true.into()), &["book", "doubleSided"]);
    check_found("gltf", with("/materials/1", |m| m["alphaMode"] = "BLEND".into()), &["alphaMode", "BLEND"]);
    let child = serde_json::json!({ "name": "spy", "translation": [0, 1, 0] });
    check_found("gltf", with("/nodes", push(child)), &["nodes", "not from the scene", "spy"]);
    check_found("gltf", with("/nodes/1/extras", |e| e["mass"] = 7.0.into()), &["book", "mass", "7.0"]);
    check_found("gltf", with("/accessors/0/max", |max| max[0] = 99.0.into()), &["bounds", "POSITION", "max"]);
    check_found(
        "gltf",
        with("", |root| root["cameras"] = serde_json::json!([{ "type": "perspective" }])),
        &["cameras"],
    );
}

/// Where the file counts bytes, a number of the meshes changed alone is found: four vertices, normals and triangles each.
#[test]
fn numbers_of_the_meshes_of_a_glb_count() {
    let folder = Folder::new("rest-binary");
    let file = exported(&folder, "glb");
    let bytes = std::fs::read(&file).expect("bytes");
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
    let root: Value = serde_json::from_slice(&bytes[20..20 + number(12)]).expect("JSON");
    let data = 20 + number(12) + 8;
    let random = &mut Random::new(0);
    for (accessor, words) in [(0, "POSITION"), (1, "NORMAL"), (2, "indices"), (3, "POSITION"), (5, "indices")] {
        let accessor = &root["accessors"][accessor];
        let view = &root["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
        let field = |name: &str| view[name].as_u64().expect("a number") as usize;
        for _ in 0..4 {
            let width = if words == "indices" { 2 } else { 4 };
            let at = data + field("byteOffset") + random.below(field("byteLength") / width) * width;
            let mut changed = bytes.clone();
            if words == "indices" {
                changed[at] ^= 1;
            } else {
                let number = f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                changed[at..at + 4].copy_from_slice(&(number + 1e-3).to_le_bytes());
            }
            std::fs::write(&file, changed).expect("writable");
            let (code, said) = verify(&file);
            assert!(code == 1 && said.contains("but is NOT its file in the rest"), "{words}, byte {at}: {said}");
            assert!(said.lines().any(|line| line.starts_with("differs") && line.contains(words)), "{said}");
            assert!(words != "POSITION" || said.contains("furthest vertex 1.00e-3 m off"), "{said}");
        }
    }
}

#[test]
fn a_usd_text_with_another_shape_or_state_is_found() {
    check_found(
        "usda",
        after("def Xform \"book\"", "point3f[] points = [(", "point3f[] points = [(1"),
        &["book", "points"],
    );
    check_found("usda", after("faceVertexIndices = [", "0, 1", "1, 0"), &["floor", "faceVertexIndices"]);
    check_found("usda", after("displayColor", "(0.", "(0.9"), &["displayColor"]);
    check_found("usda", after("physics:mass", "= ", "= 1"), &["book", "physics:mass"]);
    check_found(
        "usda",
        after("\n}\n", "\n}\n", "\n    def Sphere \"spy\"\n    {\n    }\n}\n"),
        &["not from the scene", "spy"],
    );
    check_found("usda", after("point3f[] points", "point3f", "double3"), &["points", "missing"]);
}

#[test]
fn a_blender_script_with_another_mesh_is_found() {
    check_found("py", after("\"positions\":[[", ".", ".7"), &["bodies", "mesh", "positions"]);
    check_found("py", after("\"triangles\":[[", "0,1", "1,0"), &["mesh", "triangles"]);
    check_found("py", after("\"color\":[", "[0.", "[0.9"), &["color"]);
    check_found("py", after("\"mesh\":1", "1", "0"), &["book", "mesh"]);
    check_found("py", after("\"impacts\":[[", ",", ",9"), &["impacts"]);
}

#[test]
fn a_table_with_other_masses_or_events_is_found() {
    check_found("json", after("\"name\":\"book\"", "\"mass\":", "\"mass\":9"), &["bodies", "book", "mass"]);
    check_found("json", after("\"impulses\":[[", "[[", "[[9.0,0.0,0.0],["), &["events", "impulses"]);
    check_found("json", after("\"kind\":\"impact\"", "impact", "strike"), &["events", "kind"]);
    let folder = Folder::new("rest-events");
    let file: PathBuf = exported(&folder, "csv");
    let events = file.with_extension("events.csv");
    let content = std::fs::read_to_string(&events).expect("text");
    std::fs::write(&events, content.replacen(",impact,", ",strike,", 1)).expect("writable");
    let (code, said) = verify(&file);
    assert!(code == 1 && said.contains("strike") && said.contains("NOT"), "{said}");
    std::fs::remove_file(&events).expect("it is there");
    let (code, said) = verify(&file);
    assert!(code == 1 && said.contains("events: missing in the file"), "{said}");
}
