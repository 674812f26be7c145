//! The order of bodies in a file decides nothing but names and stated ties.
//!
//! Whoever stands first in a pair has its name first, and normals point to it. Where two bodies touch, how they are held apart and
//! what an impact does to them is the same whoever is first, to rounding, until that has grown to decide something.

use hattrick::model::{BodyId, Model};
use hattrick::scene::Scene;
use hattrick::simulation::{Trajectory, simulate};

/// Of positions (m) and of velocities (m/s), at the times compared.
const ROUNDING: f64 = 1e-10;

fn motion(scene: &Scene) -> Trajectory {
    let model = Model::new(scene).unwrap_or_else(|errors| panic!("{errors:?}"));
    simulate(&model, &model.control())
}

/// The bodies of a scene move the same whatever their order, up to a time.
#[track_caller]
fn check(name: &str, scene: &Scene, until: f64) {
    let (count, base) = (scene.bodies.len(), motion(scene));
    // Turned round, and cut like a pack of cards.
    let reversed: Vec<usize> = (0..count).rev().collect();
    let cut: Vec<usize> = (0..count).map(|k| (k + count / 2) % count).collect();
    for order in [reversed, cut] {
        let mut permuted = scene.clone();
        permuted.bodies = order.iter().map(|&k| scene.bodies[k].clone()).collect();
        let other = motion(&permuted);
        for part in 1..=20 {
            let t = until * f64::from(part) / 20.0;
            for (place, &k) in order.iter().enumerate() {
                let [a, b] = [base.body_at(BodyId(k as u32), t), other.body_at(BodyId(place as u32), t)];
                let off = (a.position - b.position).amax().max((a.velocity - b.velocity).amax());
                assert!(off <= ROUNDING, "{name}: {} is {off:e} off at {t} s as {order:?}", scene.bodies[k].name);
            }
        }
    }
}

fn parsed(text: &str) -> Scene {
    Scene::parse(text, "order.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn body(name: &str, shape: &str, position: [f64; 3], more: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ {shape} }}\nposition = {position:?}\n{more}\n")
}

const HEAD: &str = "format = 1\nduration = 0.6\n";
const FLOOR: &str = "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
const WEIGHTLESS: &str = "format = 1\nduration = 0.6\ngravity = [0.0, 0.0, 0.0]\n";

#[test]
fn two_bodies_that_press_edge_on_edge_move_the_same_in_any_order() {
    check("edges", &parsed(include_str!("attack/reorder_min.toml")), 0.2);
}

#[test]
fn bodies_of_every_kind_roll_over_each_other_the_same_in_any_order() {
    let kinds = [
        ("balls", "kind = \"ball\", radius = 0.1", "kind = \"ball\", radius = 0.07"),
        (
            "eggs",
            "kind = \"egg\", radius = 0.1, tip = 0.14, base = 0.11",
            "kind = \"egg\", radius = 0.07, tip = 0.1, base = 0.07",
        ),
        (
            "capsules",
            "kind = \"capsule\", half_height = 0.2, radius = 0.1",
            "kind = \"capsule\", half_height = 0.2, radius = 0.07",
        ),
        (
            "cylinders",
            "kind = \"cylinder\", half_height = 0.2, radius = 0.1",
            "kind = \"cylinder\", half_height = 0.2, radius = 0.07",
        ),
        (
            "rims",
            "kind = \"cylinder\", half_height = 0.02, radius = 0.2",
            "kind = \"cylinder\", half_height = 0.02, radius = 0.2",
        ),
        (
            "boxes",
            "kind = \"cuboid\", half_extents = [0.2, 0.1, 0.1]",
            "kind = \"cuboid\", half_extents = [0.1, 0.07, 0.2]",
        ),
    ];
    for (name, low, high) in kinds {
        // They meet crosswise, dead, and slide and roll over each other.
        let scene = WEIGHTLESS.to_owned()
            + &body(
                "low",
                low,
                [0.0, 0.0, 0.0],
                "rotation = [0.2, 0.1, 1.4]\nrestitution = 0\nvelocity = [0.0, 0.3, 0.0]\nspin = [1.0, 0.2, 0.7]",
            )
            + &body(
                "high",
                high,
                [0.02, 0.45, 0.01],
                "rotation = [1.3, 0.2, 0.3]\nrestitution = 0\nvelocity = [0.1, -1.0, 0.05]\nspin = [0.5, 1.0, -2.0]",
            );
        check(name, &parsed(&scene), 0.6);
    }
}

#[test]
fn faces_that_land_nearly_flat_on_each_other_do_the_same_in_any_order() {
    for (high, tilt) in [([0.1, 0.05, 0.1], 3e-5), ([0.2, 0.05, 0.1], 3e-5), ([0.3, 0.05, 0.2], 8e-5)] {
        let scene = HEAD.to_owned()
            + FLOOR
            + &body("low", "kind = \"cuboid\", half_extents = [0.2, 0.05, 0.1]", [0.0, 0.05, 0.0], "restitution = 0")
            + &body(
                "high",
                &format!("kind = \"cuboid\", half_extents = {high:?}"),
                [0.03, 0.3, 0.01],
                &format!("restitution = 0\nrotation = [{tilt:?}, 0.0, {tilt:?}]\nvelocity = [0.2, 0.0, 0.1]"),
            );
        check("faces", &parsed(&scene), 0.5);
    }
}
