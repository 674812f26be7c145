//! What a person is told of machines: joints that repeat or contradict each other, or nearly do, and springs that are too stiff;
//! and what joints do, in `simulate --json`.
//!
//! The counts are those on paper: a door on two hinges has 10 rows of rank 5, a four-bar of 3-D hinges 20 rows of rank 17. Healthy
//! machines are told nothing, whatever their masses and however long their chains. The motion goes on in every case.

use std::process::Command;

use hattrick::simulation::{End, Trajectory, simulate};
use serde_json::Value;

use super::export::Folder;
use super::support::model;

const ROD: &str = "shape = { kind = \"capsule\", half_height = 0.4, radius = 0.04 }\nmass = 1.0\n";

fn scene(duration: f64, others: &str) -> String {
    format!("format = 1\nduration = {duration}\n{others}")
}

fn body(name: &str, shape: &str, position: [f64; 3]) -> String {
    format!("[[body]]\nname = \"{name}\"\nposition = {position:?}\n{shape}")
}

fn flown(text: &str) -> Trajectory {
    let model = model(text);
    let trajectory = simulate(&model, &model.control());
    assert_eq!(trajectory.end, End::Horizon, "{}", trajectory.ending());
    trajectory
}

/// Kinds and names of all that is told, in order.
fn told(text: &str) -> Vec<(String, Vec<String>)> {
    let trajectory = flown(text);
    let names = |trouble: &hattrick::simulation::Trouble| {
        trouble.names(trajectory.world()).into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    trajectory.troubles().iter().map(|trouble| (trouble.kind.as_str().to_owned(), names(trouble))).collect()
}

fn expected(kind: &str, names: &[&str]) -> Vec<(String, Vec<String>)> {
    vec![(kind.to_owned(), names.iter().map(|name| (*name).to_owned()).collect())]
}

/// A door whose upper hinge is this far above its lower one.
fn door(apart: f64) -> String {
    let leaf = body(
        "leaf",
        "shape = { kind = \"cuboid\", half_extents = [0.4, 1.0, 0.02] }\nspin = [0, 1, 0]\n",
        [0.4, 0.0, 0.0],
    );
    let hinge = |name: &str, y: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"hinge\"\nbody = \"leaf\"\npoint = [-0.4, {y}, 0]\naxis = [0, 1, 0]\n\
             to = [0, {y}, 0]\nto_axis = [0, 1, 0]\n"
        )
    };
    scene(0.5, &(leaf + &hinge("upper", 0.5 * apart) + &hinge("lower", -0.5 * apart)))
}

#[test]
fn a_door_on_two_hinges_is_told_as_redundant() {
    assert_eq!(told(&door(1.6)), expected("redundant", &["upper", "lower"]));
    // Also where the hinges are so near each other that their points hardly say different things.
    assert_eq!(told(&door(0.002)), expected("redundant", &["upper", "lower"]));
}

/// Four hinges about z; the ground is the world.
fn four_bar() -> String {
    let shape =
        |length: f64| format!("shape = {{ kind = \"cuboid\", half_extents = [{}, 0.02, 0.02] }}\n", 0.5 * length);
    let turned = |length: f64, angle: f64| shape(length) + &format!("rotation = [0, 0, {angle}]\n");
    let up = std::f64::consts::FRAC_PI_2;
    let bars = body("crank", &turned(0.5, up), [0.0, 0.25, 0.0])
        + &body("coupler", &shape(1.0), [0.5, 0.5, 0.0])
        + &body("rocker", &turned(0.5, up), [1.0, 0.25, 0.0]);
    let axes = "axes = [[0, 0, 1], [0, 0, 1]]\n";
    let grounded = |name: &str, body: &str, x: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"hinge\"\nbody = \"{body}\"\npoint = [-0.25, 0, 0]\naxis = [0, 0, 1]\n\
             to = [{x}, 0, 0]\nto_axis = [0, 0, 1]\n"
        )
    };
    let between = |name: &str, bar: &str, x: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"hinge\"\nbodies = [\"{bar}\", \"coupler\"]\npoints = [[0.25, 0, 0], [{x}, 0, 0]]\n{axes}"
        )
    };
    scene(
        0.5,
        &(bars
            + &grounded("one", "crank", 0.0)
            + &between("two", "crank", -0.5)
            + &between("three", "rocker", 0.5)
            + &grounded("four", "rocker", 1.0)),
    )
}

#[test]
fn a_four_bar_of_hinges_is_told_with_all_of_them() {
    assert_eq!(told(&four_bar()), expected("redundant", &["one", "two", "three", "four"]));
}

#[test]
fn two_pins_that_ask_for_different_places_contradict_each_other() {
    let pin = |name: &str, x: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"pin\"\nbody = \"rod\"\npoint = [0, 0.4, 0]\nto = [{x}, 0.4, 0]\n"
        )
    };
    let rod = body("rod", ROD, [0.0; 3]);
    assert_eq!(
        told(&scene(0.5, &(rod.clone() + &pin("one", 0.0) + &pin("two", 0.01)))),
        expected("conflicting", &["one", "two"])
    );
    // Where they ask for the same they only repeat each other.
    assert_eq!(told(&scene(0.5, &(rod + &pin("one", 0.0) + &pin("two", 0.0)))), expected("redundant", &["one", "two"]));
}

/// Two links between nails, the middle so far beside the line.
fn arm(bend: f64) -> String {
    let (reach, angle) = ((1.0 - bend * bend).sqrt(), bend.asin());
    let link = |name: &str, x: f64, angle: f64| {
        let shape = format!(
            "shape = {{ kind = \"cuboid\", half_extents = [0.5, 0.02, 0.02] }}\nrotation = [0, 0, {angle:?}]\n"
        );
        body(name, &shape, [x, 0.5 * bend, 0.0])
    };
    let pin = |name: &str, body: &str, x: f64, to: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"pin\"\nbody = \"{body}\"\npoint = [{x}, 0, 0]\nto = [{to:?}, 0, 0]\n"
        )
    };
    let elbow = "[[joint]]\nname = \"elbow\"\nkind = \"point_to_point\"\nbodies = [\"left\", \"right\"]\npoints = [[0.5, 0, 0], [-0.5, 0, 0]]\n";
    let links = link("left", 0.5 * reach, angle) + &link("right", 1.5 * reach, -angle);
    scene(0.01, &(links + &pin("here", "left", -0.5, 0.0) + elbow + &pin("there", "right", 0.5, 2.0 * reach)))
}

#[test]
fn a_straightened_arm_is_told_as_nearly_singular() {
    assert_eq!(told(&arm(1e-3)), expected("nearly_singular", &["here", "elbow", "there"]));
    assert_eq!(told(&arm(0.3)), vec![]);
    assert_eq!(told(&arm(0.0)), expected("redundant", &["here", "elbow", "there"]));
}

/// Links in a chain from a nail, of these masses.
fn chain(masses: &[f64]) -> String {
    let mut text = String::new();
    for (k, mass) in masses.iter().enumerate() {
        let shape = format!("shape = {{ kind = \"capsule\", half_height = 0.04, radius = 0.01 }}\nmass = {mass:?}\n");
        text += &body(&format!("link {k}"), &shape, [0.0, -0.1 * k as f64, 0.0]);
    }
    text += "[[joint]]\nkind = \"pin\"\nbody = \"link 0\"\npoint = [0, 0.05, 0]\nto = [0, 0.05, 0]\n";
    for k in 1..masses.len() {
        text += &format!(
            "[[joint]]\nkind = \"point_to_point\"\nbodies = [\"link {}\", \"link {k}\"]\npoints = [[0, -0.05, 0], [0, 0.05, 0]]\n",
            k - 1
        );
    }
    scene(0.02, &text)
}

#[test]
fn healthy_machines_are_told_nothing() {
    let double = std::fs::read_to_string("scenes/double_pendulum.toml").expect("the scene is there");
    assert_eq!(told(&double), vec![]);
    for masses in [vec![1e-3, 1e3], vec![1e3, 1e-3], vec![1.0, 1e-6, 1.0], vec![0.1; 100]] {
        assert_eq!(told(&chain(&masses)), vec![], "{masses:?}");
    }
}

#[test]
fn every_shipped_machine_is_sound() {
    for name in ["pendulum", "double_pendulum", "triple_pendulum", "bead", "pulled_spring", "space_station", "reel"] {
        let text = std::fs::read_to_string(format!("scenes/{name}.toml")).expect("the scene is there");
        assert_eq!(told(&text), vec![], "{name}");
    }
}

#[test]
fn what_begins_at_a_switch_is_told_with_its_time() {
    let pin = |name: &str, x: f64, active: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"pin\"\nbody = \"rod\"\npoint = [0, 0.4, 0]\nto = [{x}, 0.4, 0]\nactive = {active}\n"
        )
    };
    let text = scene(
        1.0,
        &(body("rod", ROD, [0.0; 3])
            + &pin("one", 0.0, "[[0.0, 1.0]]")
            + &pin("two", 0.1, "[[0.25, 0.5], [0.75, 0.9]]")),
    );
    let trajectory = flown(&text);
    let found: Vec<(f64, &str)> =
        trajectory.troubles().iter().map(|trouble| (trouble.t, trouble.kind.as_str())).collect();
    assert_eq!(found, [(0.25, "conflicting"), (0.75, "conflicting")]);
}

/// A mass on a spring, pulled 0.1 m from its rest.
fn sprung(stiffness: f64, duration: f64) -> String {
    let weight = body("weight", "shape = { kind = \"ball\", radius = 0.1 }\nmass = 1.0\n", [0.0, 0.4, 0.0]);
    let spring = format!(
        "[[force]]\nname = \"band\"\nkind = \"spring\"\nbody = \"weight\"\nto = [0, 1, 0]\nstiffness = {stiffness:?}\nlength = 0.5\n"
    );
    scene(duration, &(weight + &spring))
}

#[test]
fn a_stiff_spring_is_told_with_its_steps() {
    assert_eq!(told(&sprung(1e4, 0.05)), vec![]);
    let trajectory = flown(&sprung(1e9, 0.05));
    let [trouble] = trajectory.troubles() else { panic!("{:?}", trajectory.troubles()) };
    assert_eq!((trouble.kind.as_str(), trouble.names(trajectory.world())), ("stiff", vec!["band"]));
    let sentence = trouble.sentence(trajectory.world());
    assert!(
        sentence.starts_with("band is so stiff that the motion takes ") && sentence.contains(" steps a second"),
        "{sentence}"
    );
}

#[test]
fn a_motion_of_too_many_steps_ends_by_name() {
    let model = model(&sprung(1e13, 1.0));
    let trajectory = simulate(&model, &model.control());
    assert_eq!(trajectory.end.as_str(), "work_limit");
    let why = trajectory.ending();
    assert!(why.contains("weight") && why.contains("100000 times") && why.contains("make springs softer"), "{why}");
    assert!(trajectory.t_end < 1.0 && trajectory.at(trajectory.t_end)[0].is_finite());
}

#[test]
fn what_touches_a_machine_is_named() {
    let floor = "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
    let bob = body("bob", "shape = { kind = \"ball\", radius = 0.1 }\n", [1.0, 1.0, 0.0]);
    let text = scene(
        3.0,
        &(floor.to_owned() + &bob + "[[joint]]\nkind = \"distance\"\nbody = \"bob\"\nto = [0, 1, 0]\nlength = 1.0\n"),
    );
    let model = model(&text);
    let trajectory = simulate(&model, &model.control());
    assert_eq!(trajectory.end.as_str(), "machine_touched");
    let why = trajectory.ending();
    assert!(why.contains("bob stays in touch with floor"), "{why}");
}

/// What `hattrick simulate` prints; the name is of a folder that no other test has.
fn simulated(name: &str, text: &str, arguments: &[&str]) -> String {
    let folder = Folder::new(name);
    let path = folder.0.join("scene.toml");
    std::fs::write(&path, text).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_hattrick"))
        .arg("simulate")
        .arg(&path)
        .args(arguments)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn simulate_prints_what_it_has_to_tell() {
    let text = simulated("told-note", &door(1.6), &[]);
    assert!(text.contains("Note: upper and lower ask for the same; the motion is right"), "{text}");
    let json: Value = serde_json::from_str(&simulated("told-json", &door(1.6), &["--json"])).expect("JSON");
    assert_eq!(json["machine"], serde_json::json!([{ "kind": "redundant", "joints": ["upper", "lower"], "t": 0.0 }]));
    let weight: f64 = ["upper", "lower"]
        .iter()
        .map(|name| json["states"][0]["joints"][name]["force"][1].as_f64().expect("a number"))
        .sum();
    let mass = 0.8 * 2.0 * 0.04 * 1000.0;
    assert!((weight - mass * 9.81).abs() < 1e-9, "{weight}");
}

#[test]
fn joints_that_contradict_each_other_have_no_force() {
    let pin = |name: &str, x: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"pin\"\nbody = \"rod\"\npoint = [0, 0.4, 0]\nto = [{x}, 0.4, 0]\n"
        )
    };
    let text = scene(0.1, &(body("rod", ROD, [0.0; 3]) + &pin("one", 0.0) + &pin("two", 0.1)));
    let json: Value = serde_json::from_str(&simulated("told-conflict", &text, &["--json"])).expect("JSON");
    let one = &json["states"][0]["joints"]["one"];
    assert!(one["force"].is_null() && one["torque"].is_null() && one["off"].as_f64().expect("a number") > 0.0, "{one}");
}

#[test]
fn a_stiff_spring_swings_as_its_closed_form_says() {
    // y = 0.5 − m·g/k + A·cos ωt below the nail at 1 m, from 0.6 m below.
    for stiffness in [1e6, 1e8, 1e10] {
        let trajectory = flown(&sprung(stiffness, 0.01));
        let omega = f64::sqrt(stiffness);
        let sag = 9.81 / stiffness;
        for t in [0.002, 0.0071, 0.01] {
            let closed = 0.5 - sag - (0.1 - sag) * (omega * t).cos();
            let error = (trajectory.at(t)[0].position.y - closed).abs();
            // Rounding of ωt, and 1e-15 a step.
            assert!(error < 1e-11, "k/m = {stiffness:e}, at {t} s: {error:e}");
        }
    }
}
