//! Rows at moments that float, of bodies that are held, whose steps are split or cut there, and that rest.
//!
//! The flight of a far-away `lark` has its top, or meets something, while a `stone` is held. What is wished of the stone
//! then changes by more than its own parameters: it moves on while the lark's top comes later. Every row is compared
//! with differences of whole simulations, (8·(f(h) − f(−h)) − (f(2h) − f(−2h)))/12h. Steps are long here, so that moments can
//! be put into given parts of them.

use super::*;

/// Of a row, relative to 1 + its size. What is held carries rounding of 1e-14 over steps of 1e-5.
const TOLERANCE: f64 = 1e-7;

const FLOOR: &str = r#"
format = 1
duration = 0.6
step = 0.04
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
restitution = 0.0
friction = 0.4
"#;

/// A scene in which a lark rises with a speed, so that its top is at speed/9.81 s, and what else it has.
fn scene(speed: f64, others: &str) -> String {
    let lark = format!(
        "[[body]]\nname = \"lark\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nposition = [0, 1, 5]\nvelocity = [0, {speed}, 0]\n"
    );
    format!("{FLOOR}{lark}{others}")
}

fn stone(speed: f64, friction: f64) -> String {
    format!(
        "[[body]]\nname = \"stone\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nposition = [0, 0.1, 0]\n\
         velocity = [{speed}, 0, 0.2]\nspin = [1.0, 0.5, -0.3]\nfriction = {friction}\nrestitution = 0.0\n"
    )
}

/// A slow stone, and a larger ball that comes after it, is lifted off the floor by it, and presses it down.
fn struck() -> String {
    stone(1.5, 0.1)
        + "[[body]]\nname = \"cue\"\nshape = { kind = \"ball\", radius = 0.12 }\nposition = [-0.42, 0.12, 0.02]\n\
           velocity = [3, 0, 0.2]\nspin = [1.0, 0.5, -0.3]\nfriction = 0.1\nrestitution = 0.8\n"
}

/// Parameters by which held bodies have derivatives from both sides: what lifts or sinks them is left out.
const LARK: [&str; 4] = ["lark.velocity.y", "lark.velocity.x", "lark.position.y", "gravity.y"];
const STONE: [&str; 7] = [
    "stone.position.x",
    "stone.velocity.x",
    "stone.velocity.z",
    "stone.spin.x",
    "stone.spin.z",
    "stone.friction",
    "floor.friction",
];
const CUE: [&str; 3] = ["cue.position.x", "cue.velocity.x", "cue.restitution"];

/// J of `linearize` against differences, and the largest part of it by the lark.
#[track_caller]
fn check(text: &str, nail: &str, names: &[&[&str]]) -> f64 {
    let model = model(text);
    let goals = goals(&model, &[nail]);
    let wishes = Wishes { nails: &goals, drag: None };
    let point = Point::new(&model, &model.control(), wishes);
    let names = names.concat();
    let parameter = |name: &&str| model.parameter(name).unwrap_or_else(|error| panic!("{error:?}"));
    let mut parameters: Vec<ParameterId> = names.iter().map(parameter).collect();
    parameters.sort();
    let rows = linearize(&point, &goals, &parameters, &|| true).expect("wanted").nails;
    assert!(!rows.is_empty(), "{nail}");
    let mut by_lark: f64 = 0.0;
    for (k, id) in parameters.iter().enumerate() {
        let h = 1e-5 * point.u[*id].abs().max(1.0);
        let at = |step: f64| {
            let mut u: ControlVector = point.u.clone();
            u[*id] += step;
            let moved = Point::new(&model, &u, wishes);
            let kinds = |point: &Point| point.trajectory.events.iter().map(|event| event.kind).collect::<Vec<_>>();
            assert_eq!(kinds(&moved), kinds(&point), "another kind of motion");
            values(&moved)
        };
        let differences: [Vec<f64>; 4] = [h, -h, 2.0 * h, -2.0 * h].map(at);
        let name = &model.parameters()[id.0 as usize].name;
        for (entry, row) in rows.iter().enumerate() {
            let [ahead, behind, far_ahead, far_behind] = differences.each_ref().map(|values| values[entry]);
            let numeric = (8.0 * (ahead - behind) - (far_ahead - far_behind)) / (12.0 * h);
            let exact = row.row[k];
            let close = (exact - numeric).abs() <= TOLERANCE * (1.0 + exact.abs());
            assert!(close, "{nail}, entry {entry} by {name}: exact {exact:e}, numeric {numeric:e}");
            if name.starts_with("lark") {
                by_lark = by_lark.max(exact.abs());
            }
        }
    }
    by_lark
}

const AT_APEX: [&str; 3] = [
    r#"{"body":"stone","at":{"apex":"lark"},"point":[0.03,0.02,0.05],"position":[0,0,0],"velocity":[0,0,0]}"#,
    r#"{"body":"stone","at":{"apex":"lark"},"rotation":[0,0,0],"spin":[0,0,0]}"#,
    r#"{"at":{"apex":"lark"},"expression":"energy(stone) + distance(lark, stone) = 1"}"#,
];

/// Checks the wishes at the lark's top, `t` s, which the stone's motion must feel.
#[track_caller]
fn check_apex(t: f64, others: &str, names: &[&[&str]]) {
    for nail in AT_APEX {
        let by_lark =
            check(&scene(9.81 * t, others), nail, &[&[&LARK[..], &STONE[..]].concat()[..], &names.concat()[..]]);
        assert!(by_lark > 0.05, "{nail}: {by_lark}");
    }
}

#[test]
fn a_body_that_slides_or_rolls_at_an_apex() {
    // Sliding until 0.3 s and more; rolling from 0.12 s.
    check_apex(0.25, &stone(2.0, 0.0), &[]);
    check_apex(0.31, &stone(2.0, 0.6), &[]);
}

#[test]
fn a_body_whose_step_is_split_at_an_apex() {
    // Sliding ends within the step from 0.12 to 0.16 s: the lengths of both parts depend on u.
    let stone = stone(2.0, 0.4);
    let text = scene(1.0, &stone);
    let slip = run(&text, "slip");
    assert!(slip > 0.125 && slip < 0.155, "sliding ends at {slip}");
    check_apex(0.5 * (0.12 + slip), &stone, &[]);
    check_apex(0.5 * (slip + 0.16), &stone, &[]);
}

#[test]
fn a_body_whose_step_is_cut_at_an_apex() {
    let others = struck();
    let met = run(&scene(1.0, &others), "impact");
    assert!(met > 0.13 && met < 0.15, "they meet at {met}");
    check_apex(0.5 * (0.12 + met), &others, &[&CUE]);
    check_apex(0.5 * (met + 0.16), &others, &[&CUE]);
}

/// When the stone has its first event of a kind.
fn run(text: &str, kind: &str) -> f64 {
    let model = model(text);
    let trajectory = crate::simulation::simulate(&model, &model.control());
    let stone = model.body("stone").expect("a stone");
    let own = |event: &&crate::simulation::Event| {
        (event.first == stone || event.second == stone) && event.kind.as_str() == kind && event.t > 0.0
    };
    trajectory.events.iter().find(own).unwrap_or_else(|| panic!("no {kind}")).t
}

#[test]
fn bodies_held_beside_and_in_an_impact() {
    let others = struck();
    let sides = [r#""side":"before""#, r#""side":"after""#];
    // The stone takes part.
    for side in sides {
        for wish in [r#""position":[0,0,0],"velocity":[0,0,0]"#, r#""rotation":[0,0,0],"spin":[0,0,0]"#] {
            let nail = format!(r#"{{"body":"stone","at":{{"impact":"stone/cue#1",{side}}},{wish}}}"#);
            check(&scene(1.0, &others), &nail, &[&LARK, &STONE, &CUE]);
        }
    }
    // The lark meets the floor while the stone slides.
    let text = scene(-3.0, &stone(2.0, 0.0)).replace("position = [0, 1, 5]", "position = [0, 0.9, 5]");
    for side in sides {
        let nail = format!(
            r#"{{"body":"stone","at":{{"impact":"lark/floor#1",{side}}},"position":[0,0,0],"velocity":[0,0,0],"spin":[0,0,0]}}"#
        );
        assert!(check(&text, &nail, &[&LARK, &STONE]) > 0.05, "{nail}");
    }
}

#[test]
fn a_body_that_rests_at_an_apex_and_once_it_rests() {
    let lying = "[[body]]\nname = \"stone\"\nshape = { kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1] }\n\
                 position = [0, 0.1, 0]\nfriction = 0.4\n";
    let nail = r#"{"body":"stone","at":{"apex":"lark"},"position":[0,0,0],"velocity":[0,0,0]}"#;
    let names = ["stone.position.x", "stone.position.z", "gravity.y"];
    assert_eq!(check(&scene(0.4 * 9.81, lying), nail, &[&LARK[..3], &names]), 0.0, "what rests feels no lark");
    // Sliding ends at 0.25 s.
    let sliding = format!("{lying}velocity = [1, 0, 0]\n");
    let nail = r#"{"body":"stone","at":{"rest":"stone"},"position":{"x":0.1,"z":0}}"#;
    check(
        &scene(1.0, &sliding),
        nail,
        &[&["stone.position.x", "stone.velocity.x", "stone.friction", "floor.friction"]],
    );
}
