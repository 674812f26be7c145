//! Every refusal: a valid scene, and the same scene broken in one place.

mod bodies;
mod machines;
mod nails;
mod noise;
mod shapes;

use super::*;

const VALID: &str = r#"format = 1
title = "A box on a floor"
duration = 2.0
gravity = [0.0, -9.81, 0.0]

[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
restitution = 0.8
friction = 0.0

[[body]]
name = "box"
shape = { kind = "cuboid", half_extents = [0.2, 0.12, 0.08] }
mass = 3
position = [0, 0.8, 0]
rotation = [0.3, 0.5, 0.2]
velocity = [0.5, 0.2, -0.5]
spin = [1, 2, 0.5]

[[body]]
name = "dust"
mass = 0.001
[body.shape]
kind = "particle"

[[control]]
parameter = "box.spin"
free = false
weight = 100.0
bounds = [-0.1, 0.1]
"#;

fn open(text: &str) -> Result<Scene, SceneFileError> {
    Scene::parse(text, "s.toml")
}

/// Replaces one piece of the valid scene and expects exactly this message.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(VALID.contains(from), "the valid scene has no {from:?}");
    let message = open(&VALID.replacen(from, to, 1)).expect_err(to).to_string();
    assert_eq!(message, expected, "with {to:?}");
}

#[track_caller]
fn check_accepted(from: &str, to: &str) {
    assert!(VALID.contains(from), "the valid scene has no {from:?}");
    if let Err(error) = open(&VALID.replacen(from, to, 1)) {
        panic!("{to:?} was refused: {error}");
    }
}

#[test]
fn a_valid_scene_reads_as_written() {
    let scene = open(VALID).unwrap();
    assert_eq!((scene.title.as_str(), scene.duration), ("A box on a floor", 2.0));
    assert_eq!((scene.rest_speed, scene.step, scene.max_events), (0.02, 1.0 / 240.0, 10_000));
    let [floor, solid, dust] = scene.bodies.as_slice() else { panic!("{:?}", scene.bodies) };
    assert!(!floor.drive.is_pushed() && solid.drive.is_pushed());
    assert_eq!(solid.mass, Some(3.0));
    assert_eq!(solid.spin, Vec3::new(1.0, 2.0, 0.5));
    assert_eq!((solid.restitution, solid.friction, solid.rolling_resistance), (0.5, 0.5, 0.0));
    assert_eq!(solid.shape, Shape::Cuboid { half_extents: Vec3::new(0.2, 0.12, 0.08) });
    assert_eq!(dust.shape, Shape::Particle);
    assert_eq!(scene.controls[0].bounds, Some([-0.1, 0.1]));
    let place = |key| scene.source.place(key).map(|place| (place.line, place.column));
    assert_eq!(place("body[1].mass"), Some((16, 8)));
    assert_eq!(place("body[1].shape.half_extents"), Some((15, 43)));
    assert_eq!(place("body[2].shape.kind"), Some((26, 8)));
    assert_eq!(place("control[0].parameter"), Some((29, 13)));
    assert_eq!(place("control[0].value"), Some((28, 1)), "an absent field has its table's place");
}

#[test]
fn other_spellings_are_accepted() {
    check_accepted("mass = 3", "density = 500");
    check_accepted("mass = 3", "inertia = [0.1, 0.2, 0.3]");
    check_accepted("gravity = [0.0, -9.81, 0.0]", "");
    check_accepted("fixed = true", "fixed = true\nmass = 2.0\nvelocity = [0, 0, 0]");
    check_accepted("kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]", "kind = \"ball\", radius = 1");
    let capsule = "kind = \"capsule\", half_height = 0.2, radius = 0.1";
    check_accepted("kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]", capsule);
    let hull = "kind = \"hull\", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    check_accepted("kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08]", hull);
    let inline = "format = 1\nduration = 1\nbody = [{ name = \"a\", shape = { kind = \"ball\", radius = 1 } }]";
    assert_eq!(open(inline).unwrap().bodies.len(), 1);
}

#[test]
fn the_file_as_a_whole() {
    check("format = 1\n", "", "s.toml:1:1: format is missing; add `format = 1`");
    let only = "write `format = 1`, the only one this program reads";
    check("format = 1", "format = 2", &format!("s.toml:1:10: format is 2; {only}"));
    check("format = 1", "format = \"1\"", &format!("s.toml:1:10: format is \"1\"; {only}"));
    check("duration = 2.0\n", "", "s.toml:1:1: duration is missing; add `duration = 2.0`");
    let range = "write a number above 0 and at most 100000";
    check("duration = 2.0", "duration = 0", &format!("s.toml:3:12: duration is 0 s; {range}"));
    check("duration = 2.0", "duration = 1e6", &format!("s.toml:3:12: duration is 1e6 s; {range}"));
    check("duration = 2.0", "duration = nan", &format!("s.toml:3:12: duration is not a finite number; {range}"));
    check("duration = 2.0", "duration = inf", &format!("s.toml:3:12: duration is not a finite number; {range}"));
    check("duration = 2.0", "duration = \"2\"", "s.toml:3:12: duration is text; write a number");
    check("duration =", "step = 2\nduration =", "s.toml:3:8: step is 2 s; write a number from 1e-5 to 1");
    let events = "s.toml:3:14: max_events is 0; write a number from 1 to 1e7";
    check("duration =", "max_events = 0\nduration =", events);
    let events = "s.toml:3:14: max_events is a number; write a whole number";
    check("duration =", "max_events = 1.5\nduration =", events);
    check("title = \"A box on a floor\"", "title = 3", "s.toml:2:9: title is a number; write text in quotes");
    check("duration =", "durations = 1\nduration =", "s.toml:3:1: unknown key `durations`; did you mean `duration`?");
    check("[0.0, -9.81, 0.0]", "[0.0, -9.81]", "s.toml:4:11: gravity has 2 entries; write 3");
    let gravity = "s.toml:4:11: gravity is a number; write three numbers such as [0, 1, 0]";
    check("[0.0, -9.81, 0.0]", "-9.81", gravity);
    assert_eq!(
        open("format = 1\nduration = 1").unwrap_err().to_string(),
        "s.toml:1:1: body is missing; add `[[body]]`"
    );
    let message = open("format = 1\nduration = \n").unwrap_err().to_string();
    assert!(message.starts_with("s.toml:2:12: this is not TOML: "), "{message}");
}

#[test]
fn controls() {
    let at = |place: &str, text: &str| format!("s.toml:{place}: control \"box.spin\": {text}");
    check("free = false", "free = 0", &at("30:8", "free is a number; write true or false"));
    let weight = at("31:10", "weight is 0; write a number above 0 and at most 1e15");
    check("weight = 100.0", "weight = 0", &weight);
    check("[-0.1, 0.1]", "[-0.1]", &at("32:10", "bounds has 1 entries; write 2"));
    let infinite = at("32:17", "bounds[1] is not a finite number; write a number from -1e15 to 1e15");
    check("[-0.1, 0.1]", "[-0.1, inf]", &infinite);
    check("free = false", "fre = false", &at("30:1", "unknown key `fre`; did you mean `free`?"));
    let missing = "s.toml:28:1: control[0]: parameter is missing; add `parameter = \"box.spin\"`";
    check("parameter = \"box.spin\"\n", "", missing);
}

#[test]
fn several_faults_are_reported_at_once_in_the_order_of_the_file() {
    let text = VALID
        .replace("mass = 3", "mass = -3")
        .replace("restitution = 0.8", "restitution = 8")
        .replace("free = false", "free = 1");
    let error = open(&text).unwrap_err();
    let lines: Vec<u32> = error.errors.iter().filter_map(|error| Some(error.place?.line)).collect();
    assert_eq!(lines, [10, 16, 30]);
    let keys: Vec<&str> = error.errors.iter().map(|error| error.key.as_str()).collect();
    assert_eq!(keys, ["body[0].restitution", "body[1].mass", "control[0].free"]);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let missing = Scene::open("no such folder/s.toml").unwrap_err().to_string();
    assert!(missing.starts_with("no such folder/s.toml: cannot read the file: "), "{missing}");
    let error = SceneFileError::not_text("s.toml", b"a = 1\nb\xff", 7);
    assert_eq!(error.to_string(), "s.toml:2:2: this is not text; save the file as UTF-8");
}
