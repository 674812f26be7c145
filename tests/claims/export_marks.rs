//! Joints and forces go along with exported motions, and `verify` holds them to the same promise as bodies.
//!
//! The scene has what moves each kind of mark: a rod that is reeled in, a coil that is stretched and turned, a hand on a track that also
//! jumps, a push that follows a track, a hinge with a motor and a spiral, a slider, a path, and a band that is there for a part of the
//! time. Every file must hold within 1e-4 m and 1e-3 rad; a coil that is stretched, turned about itself, shifted or hidden by someone
//! else must be found.

use std::path::{Path, PathBuf};

use hattrick::export::verify::{ANGLE_TOLERANCE, Report, TOLERANCE};
use hattrick::export::{Format, Motion, Options, export, verify};
use hattrick::simulation::Trajectory;
use hattrick::{Model, Scene, simulate};
use serde_json::Value;

use super::export::Folder;

const FORMATS: [Format; 6] = [Format::Glb, Format::Gltf, Format::Usd, Format::Blender, Format::Csv, Format::Json];

fn body(name: &str, position: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nposition = {position}\n")
}

fn machine() -> Trajectory {
    let bodies = [
        ("weight", "[0.72, 0.54, 0]"),
        ("bob", "[2, 0, 0]"),
        ("puller", "[4, 0, 0]"),
        ("kicked", "[6, 0, 0]"),
        ("door", "[8.3, 0, 0]"),
        ("cart", "[10, 0, 0]"),
        ("bead", "[13, 0, 0]"),
        ("near", "[14, 0, 0]"),
        ("far", "[14.8, 0.1, 0]"),
    ];
    let bodies: String = bodies.iter().map(|(name, position)| body(name, position)).collect();
    let rest = r#"
[[track]]
name = "reel"
keys = [{ t = 0.2, value = 1.2 }, { t = 0.9, value = 0.7, ease = "slow_in_out" }]
[[track]]
name = "hand"
keys = [{ t = 0, value = [4, 1, 0] }, { t = 0.4, value = [4.3, 1, 0.2], ease = "slow_in" }, { t = 0.7, value = [4.2, 1, 0], ease = "hold" }]
[[track]]
name = "gust"
keys = [{ t = 0, value = [0, 20, 0] }, { t = 0.5, value = [0, 0, 30] }]
[[joint]]
name = "string"
kind = "distance"
body = "weight"
point = [0, 0, 0]
to = [0, 1.5, 0]
length = { track = "reel" }
[[force]]
name = "spring"
kind = "spring"
body = "bob"
point = [0, 0, 0.1]
to = [2.4, 0.8, 0]
stiffness = 40
damping = 0.2
length = 0.6
[[force]]
name = "band"
kind = "spring"
body = "puller"
point = [0, 0, 0]
to = { track = "hand" }
stiffness = 30
damping = 0
length = 0.5
[[force]]
name = "wind"
kind = "push"
body = "kicked"
force = { track = "gust" }
[[joint]]
name = "hinge"
kind = "hinge"
body = "door"
point = [-0.3, 0, 0]
to = [8, 0, 0]
axis = [0, 0, 1]
to_axis = [0, 0, 1]
[[force]]
name = "engine"
kind = "motor"
joint = "hinge"
torque = 2.0
[[force]]
name = "clock"
kind = "torsion_spring"
body = "door"
stiffness = 0.5
damping = 0
[[joint]]
name = "track"
kind = "slider"
body = "cart"
to = [10, 0, 0]
axis = [1, 0, 0]
to_axis = [1, 0, 0]
[[joint]]
name = "wire"
kind = "on_path"
body = "bead"
path = { kind = "ellipse", center = [12, 0, 0], axes = [[1, 0, 0], [0, 0.6, 0]] }
[[joint]]
name = "clasp"
kind = "point_to_point"
bodies = ["near", "far"]
points = [[0.3, 0, 0], [-0.3, 0, 0]]
active = [[0.25, 0.75]]
"#;
    let scene = Scene::parse(&format!("format = 1\nduration = 1.0\n{bodies}{rest}"), "machine.toml");
    let scene = scene.unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
    simulate(&model, &model.control())
}

fn written(folder: &Folder, motion: &Motion, format: Format, options: &Options) -> PathBuf {
    let file = folder.0.join(format!("machine.{}", format.ending()));
    export(motion, &file, options, &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
    file
}

fn report(motion: &Motion, file: &Path) -> Report {
    verify(motion, file, None).unwrap_or_else(|error| panic!("{error}"))
}

fn holds(report: &Report) -> bool {
    report.holds(TOLERANCE, ANGLE_TOLERANCE)
}

#[test]
fn marks_of_every_kind_hold_in_every_format() {
    let trajectory = machine();
    let motion = Motion::new("a machine", &trajectory);
    let folder = Folder::new("marks");
    for format in FORMATS {
        for options in [false, true].map(|cubic| Options { cubic, ..Options::default() }) {
            for options in [24.0, 60.0].map(|fps| Options { fps, ..options }) {
                let file = written(&folder, &motion, format, &options);
                let report = report(&motion, &file);
                assert!(holds(&report), "{format:?} {options:?}: {report:?}");
                let text = String::from_utf8_lossy(&std::fs::read(&file).expect("bytes")).into_owned();
                let parts = [
                    "string, rod",
                    "string, anchor",
                    "spring, coil",
                    "band, hand",
                    "wind, arrow",
                    "hinge, axle",
                    "engine, motor",
                    "clock, spiral",
                    "track, rail",
                    "track, sleeve",
                    "wire, path",
                    "clasp, band",
                ];
                let has = |part: &&str| text.contains(&format!("\"{part}\""));
                let expected = !matches!(format, Format::Csv | Format::Json);
                for part in parts {
                    assert_eq!(has(&part), expected, "{format:?}: {part}");
                }
            }
        }
    }
}

#[test]
fn files_without_marks_say_so_and_have_none() {
    let trajectory = machine();
    let motion = Motion::new("a machine", &trajectory);
    let folder = Folder::new("bare");
    for format in FORMATS {
        let file = written(&folder, &motion, format, &Options { marks: false, ..Options::default() });
        let report = report(&motion, &file);
        assert!(holds(&report), "{format:?}: {report:?}");
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("bytes")).into_owned();
        assert!(!text.contains("spring, coil"), "{format:?}");
    }
}

/// Changes a file and gives what `verify` finds.
fn tampered(format: Format, change: impl Fn(&str) -> String) -> Report {
    let trajectory = machine();
    let motion = Motion::new("a machine", &trajectory);
    let folder = Folder::new(&format!("marks-{}", format.ending()));
    let file = written(&folder, &motion, format, &Options::default());
    let text = std::fs::read_to_string(&file).expect("text");
    let changed = change(&text);
    assert_ne!(text, changed, "nothing was changed");
    std::fs::write(&file, changed).expect("writable");
    report(&motion, &file)
}

/// Adds to one of the numbers of a channel in a glTF file.
fn bent(text: &str, node: &str, path: &str, key: usize, amount: f32) -> String {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    let mut root: Value = serde_json::from_str(text).expect("JSON");
    let place = root["nodes"].as_array().expect("nodes").iter().position(|own| own["name"] == node).expect("the node");
    let animation = &root["animations"][0];
    let own = |channel: &&Value| channel["target"]["node"] == place && channel["target"]["path"] == path;
    let channel = animation["channels"].as_array().expect("channels").iter().find(own).expect("the channel");
    let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("a number") as usize];
    let output = &root["accessors"][sampler["output"].as_u64().expect("a number") as usize];
    let view = &root["bufferViews"][output["bufferView"].as_u64().expect("a number") as usize];
    let at = view["byteOffset"].as_u64().expect("an offset") as usize + 4 * key;
    let uri = root["buffers"][0]["uri"].as_str().expect("a URI").to_owned();
    let (head, data) = uri.split_once(',').expect("data");
    let mut bytes = STANDARD.decode(data).expect("base64");
    let number = f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    bytes[at..at + 4].copy_from_slice(&(number + amount).to_le_bytes());
    root["buffers"][0]["uri"] = format!("{head},{}", STANDARD.encode(bytes)).into();
    serde_json::to_string(&root).expect("text")
}

#[test]
fn a_coil_that_was_moved_stretched_or_turned_is_found() {
    // Of the fourth key: x of its place, its length along z, and its orientation.
    for (path, key) in [("translation", 9), ("scale", 11), ("rotation", 12)] {
        let report = tampered(Format::Gltf, |text| bent(text, "spring, coil", path, key, 0.01));
        let worst = &report.over_all_time;
        let found = worst.place.body == "spring, coil" || worst.angle.body == "spring, coil";
        assert!(found && !holds(&report), "{path}: {worst:?}");
    }
    let report = tampered(Format::Gltf, |text| bent(text, "clasp, band, switch", "scale", 0, 1.0));
    assert!(!holds(&report), "a band that shows before it holds: {report:?}");
}

#[test]
fn marks_that_were_changed_in_text_are_found() {
    for (format, old, new) in [
        (Format::Gltf, "\"spring, coil\"", "\"spring, wire\""),
        (Format::Gltf, "\"mark\":\"distance\"", "\"mark\":\"rope\""),
        (Format::Usd, "def Mesh \"string__rod\"", "def Mesh \"string__bar\""),
        (Format::Usd, "\"invisible\"", "\"inherited\""),
        (Format::Blender, "\"kind\":\"distance\"", "\"kind\":\"rope\""),
        (Format::Blender, "[0.25,true]", "[0.5,true]"),
        (Format::Json, "\"kind\":\"distance\"", "\"kind\":\"rope\""),
        (Format::Json, "{\"track\":\"hand\"}", "{\"track\":\"foot\"}"),
    ] {
        let report = tampered(format, |text| text.replacen(old, new, 1));
        assert!(!holds(&report), "{format:?}: {old} became {new}");
    }
}

/// A thousandth of a metre added to a sample of a coil, and to its stretch, in USD; to a hand's key in the script.
#[test]
fn a_moved_key_of_a_mark_is_found_in_text() {
    let samples = |text: &str, op: &str| {
        let coil = text.find("def Mesh \"spring__coil\"").expect("the coil");
        let samples = coil + text[coil..].find(&format!("{op}.timeSamples")).expect("its samples");
        let tenth = text[samples..].match_indices('(').nth(9).expect("ten samples").0 + samples + 1;
        let end = tenth + text[tenth..].find(',').expect("a number");
        let number: f64 = text[tenth..end].parse().expect("a number");
        format!("{}{:?}{}", &text[..tenth], number + 1e-3, &text[end..])
    };
    for op in ["translate", "orient", "scale"] {
        let report = tampered(Format::Usd, |text| samples(text, op));
        assert!(!holds(&report), "{op}: {:?}", report.over_all_time);
    }
    let report = tampered(Format::Blender, |text| {
        let hand = text.find("\"band, hand\"").expect("the hand");
        let key = hand + text[hand..].find("],[").expect("its second key");
        let start = key + 3 + text[key + 3..].find(',').expect("its time") + 1;
        let end = start + text[start..].find(',').expect("a number");
        let number: f64 = text[start..end].parse().expect("a number");
        format!("{}{:?}{}", &text[..start], number + 1e-3, &text[end..])
    });
    assert!(!holds(&report), "{:?}", report.over_all_time);
}
