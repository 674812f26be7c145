//! `assemble = true`: the start lies on its joints, is the nearest that does, and its derivative is that of the projection.
//!
//! Machines that start visibly apart, with every kind of joint that has a place of its own: D and Ḋ are 1e-12, a second projection
//! changes nothing, and the derivative by every number (places, velocities, masses, moments, points, lengths, keys) is that of
//! extrapolated differences, forward as in reverse. Without the second-order term (how gradients turn with the places) these fail.

use hattrick::Model;
use hattrick::math::Vec3;
use hattrick::model::{BodyId, ControlVector, ParameterId, World};
use hattrick::scene::Scene;
use hattrick::sensitivity::{Moment, forward};
use hattrick::simulation::{End, Trajectory, simulate};
use rayon::prelude::*;

use super::jacobians::{assert_either_way, by_rows};
use super::support::model;

/// Of D and Ḋ, m and rad, m/s and rad/s.
const JOINED: f64 = 1e-12;
/// Of derivatives, relative to the largest entry: steps of 5e-4 to the fourth order, extrapolated once.
const DIFFERENCES: f64 = 2e-9;

/// An arm of two links on a pin, the second on a rail, with a tool welded to it, a tie to a hand that moves, and a wheel on a hinge.
const ARM: &str = r#"
format = 1
duration = 1.0
gravity = [0, -9.81, 0]
assemble = true

[[track]]
name = "hand"
keys = [{ t = 0.0, value = [1.9, 1.3, 0.1] }, { t = 1.0, value = [1.6, 1.5, 0.4], ease = "linear" }]

[[body]]
name = "upper"
shape = { kind = "cuboid", half_extents = [0.5, 0.06, 0.04] }
mass = 1.5
position = [0.6, 0.1, -0.1]
rotation = [0.1, -0.2, 0.3]
velocity = [0.3, -0.2, 0.5]
spin = [0.7, 0.4, -1.1]

[[body]]
name = "lower"
shape = { kind = "cuboid", half_extents = [0.4, 0.05, 0.07] }
mass = 0.8
position = [1.5, 0.4, 0.2]
rotation = [-0.3, 0.2, 0.6]
velocity = [-0.4, 0.6, 0.1]
spin = [0.2, -0.9, 0.3]

[[body]]
name = "tool"
shape = { kind = "ball", radius = 0.1 }
mass = 0.4
position = [1.9, 0.8, 0.3]
velocity = [0.1, 0.1, 0.2]
spin = [1.0, 0.3, 0.2]

[[body]]
name = "wheel"
shape = { kind = "cuboid", half_extents = [0.3, 0.2, 0.05] }
mass = 0.6
position = [0.7, 0.4, 0.1]
rotation = [0.2, 0.1, 0.1]
spin = [0, 0, 3.0]

[[joint]]
name = "shoulder"
kind = "pin"
body = "upper"
point = [-0.5, 0, 0]
to = [0, 0, 0]

[[joint]]
name = "elbow"
kind = "point_to_point"
bodies = ["lower", "upper"]
points = [[-0.4, 0, 0], [0.5, 0, 0]]

[[joint]]
name = "grip"
kind = "weld"
bodies = ["tool", "lower"]

[[joint]]
name = "tie"
kind = "distance"
body = "tool"
point = [0.05, 0, 0.02]
to = { track = "hand" }
length = 0.35

[[joint]]
name = "axle"
kind = "hinge"
bodies = ["wheel", "upper"]
points = [[0, 0.1, 0], [0.1, 0.2, 0.1]]
axes = [[0, 0, 1], [0, 0.1, 1]]
"#;

/// Closed and repeating: a door on two hinges, whose second says nothing new; a bead on an ellipse; a carriage on a rail.
const DOOR: &str = r#"
format = 1
duration = 1.0
gravity = [0, -9.81, 0]
assemble = true

[[body]]
name = "door"
shape = { kind = "cuboid", half_extents = [0.4, 0.8, 0.03] }
mass = 3.0
position = [0.5, 0.1, 0.1]
rotation = [0.1, 0.4, -0.1]
spin = [0.3, 1.0, 0.2]

[[body]]
name = "bead"
shape = { kind = "ball", radius = 0.4 }
mass = 0.3
position = [3.3, 0.5, 0.1]
velocity = [0.5, 0.4, 0.2]

[[body]]
name = "carriage"
shape = { kind = "cuboid", half_extents = [0.1, 0.1, 0.1] }
mass = 1.0
position = [5.2, 0.3, 0.1]
rotation = [0.1, 0.2, 0.3]
velocity = [1.0, 0.4, 0.2]
spin = [0.4, 0.1, 0.6]

[[joint]]
name = "upper hinge"
kind = "hinge"
body = "door"
point = [-0.4, 0.7, 0]
axis = [0, 1, 0]
to = [0, 0.7, 0]
to_axis = [0, 1, 0]

[[joint]]
name = "lower hinge"
kind = "hinge"
body = "door"
point = [-0.4, -0.7, 0]
axis = [0, 1, 0]
to = [0, -0.7, 0]
to_axis = [0, 1, 0]

[[joint]]
name = "wire"
kind = "on_path"
body = "bead"
point = [0, 0, 0]
path = { kind = "ellipse", center = [3, 0, 0], axes = [[0.8, 0, 0], [0, 0.5, 0]] }

[[joint]]
name = "rail"
kind = "slider"
body = "carriage"
point = [0, 0, 0]
axis = [1, 0, 0]
to = [5, 0, 0]
to_axis = [1, 0, 0]
"#;

/// The largest |D| and |Ḋ| at a time.
fn broken(trajectory: &Trajectory, flights: u32, t: f64) -> f64 {
    let rates = (0..flights).flat_map(|flight| trajectory.flight(flight).joint_rates(t));
    rates.flatten().map(f64::abs).fold(0.0, f64::max)
}

fn starts(model: &Model, u: &ControlVector) -> Vec<hattrick::dynamics::BodyState> {
    World::new(model, u).bodies.iter().map(|body| body.initial).collect()
}

#[test]
fn an_assembled_start_is_on_its_joints_and_stays_there() {
    for (name, text, flights) in [("arm", ARM, 1), ("door", DOOR, 3)] {
        let model = model(text);
        let u = model.control();
        let trajectory = simulate(&model, &u);
        assert_eq!(trajectory.end, End::Horizon, "{name}");
        let (start, later) = (broken(&trajectory, flights, 0.0), broken(&trajectory, flights, 0.7));
        println!("{name}: {start:e} at the start, {later:e} later");
        assert!(start <= JOINED && later <= 1e-11, "{name}: {start:e} {later:e}");
        // The file's own start is well apart.
        let apart = simulate(&super::support::model(&text.replace("assemble = true", "")), &u);
        assert!(broken(&apart, flights, 0.0) > 0.05, "{name}");
    }
}

/// A model whose file says what another's start was assembled to.
fn with_start(text: &str, states: &[hattrick::dynamics::BodyState]) -> Model {
    let mut document: toml_edit::DocumentMut = text.parse().expect("it is TOML");
    for (k, state) in states.iter().enumerate() {
        let body = document["body"].as_array_of_tables_mut().expect("bodies").get_mut(k).expect("a body");
        let vector = |v: &Vec3| toml_edit::value(v.iter().copied().collect::<toml_edit::Array>());
        body["position"] = vector(&state.position);
        body["rotation"] = vector(&hattrick::math::rotation::log(&state.rotation));
        body["velocity"] = vector(&state.velocity);
        body["spin"] = vector(&state.spin);
    }
    model(&document.to_string())
}

#[test]
fn what_is_assembled_is_not_moved_again() {
    for text in [ARM, DOOR] {
        let model = model(text);
        let once = starts(&model, &model.control());
        let again = with_start(text, &once);
        for (one, two) in once.iter().zip(&starts(&again, &again.control())) {
            let moved = one.tangent_to(two).amax();
            assert!(moved <= JOINED, "{moved:e}");
        }
    }
}

/// The rod's own numbers in closed form: nothing but a point of a ball is held, so that the move and the turn share what is missing
/// by mass.
#[test]
fn a_start_moves_as_little_as_it_can() {
    let text = "format = 1\nduration = 1.0\nassemble = true\n[[body]]\nname = \"a\"\nshape = { kind = \"particle\" }\nmass = 1.0\n\
                position = [0, 0, 0]\nvelocity = [1, 2, 0]\n[[body]]\nname = \"b\"\nshape = { kind = \"particle\" }\nmass = 3.0\n\
                position = [2, 0, 0]\n[[joint]]\nkind = \"distance\"\nbodies = [\"a\", \"b\"]\nlength = 1.0\n";
    let model = model(text);
    let states = starts(&model, &model.control());
    // The centre of mass stays, and so does its velocity; across the tie nothing changes.
    for (state, place, velocity) in [(0, [0.75, 0.0, 0.0], [0.25, 2.0, 0.0]), (1, [1.75, 0.0, 0.0], [0.25, 0.0, 0.0])] {
        assert!((states[state].position - Vec3::from(place)).norm() < 1e-14, "{}", states[state].position);
        assert!((states[state].velocity - Vec3::from(velocity)).norm() < 1e-14, "{}", states[state].velocity);
    }
}

/// When derivatives are looked at, s.
const TIMES: [f64; 2] = [0.0, 0.2];

/// Differences of the fourth order, extrapolated: steps h and h/2.
fn differences(model: &Model, id: ParameterId) -> [Vec<f64>; 2] {
    let u = model.control();
    let at = |step: f64| {
        let mut moved = u.clone();
        moved[id] += step;
        simulate(model, &moved)
    };
    let base = simulate(model, &u);
    let bodies: Vec<BodyId> = (0..model.bodies().len()).map(|k| BodyId(k as u32)).collect();
    // Masses and moments change by a part of themselves: rounding counts where moments are small.
    let inert = ["mass", "inertia"].iter().any(|field| model.parameters()[id.index()].name.contains(field));
    let unit = if inert { 10.0 * u[id] } else { 1.0 };
    let order = |h: f64| {
        let [a, b, c, d] = [h, -h, 2.0 * h, -2.0 * h].map(at);
        TIMES.map(|t| {
            let row = |body: &BodyId| {
                let from = |motion: &Trajectory| base.body_at(*body, t).tangent_to(&motion.body_at(*body, t));
                ((from(&a) - from(&b)) * 8.0 - (from(&c) - from(&d))) / (12.0 * h)
            };
            bodies.iter().flat_map(|body| row(body).iter().copied().collect::<Vec<_>>()).collect::<Vec<f64>>()
        })
    };
    let (long, short) = (order(1e-3 * unit), order(5e-4 * unit));
    [0, 1].map(|k| short[k].iter().zip(&long[k]).map(|(short, long)| short + (short - long) / 15.0).collect())
}

#[test]
fn the_derivative_is_that_of_the_projection() {
    for (name, text) in [("arm", ARM), ("door", DOOR)] {
        let model = model(text).with_duration(0.25);
        let u = model.control();
        let trajectory = simulate(&model, &u);
        // Points, lengths and keys too. Of two hinges that say the same, what moves one of them breaks the other; a track moves
        // after its first key and not before, so that the time of one at the start has a derivative on each side.
        let wanted = |(parameter, id): (&hattrick::model::Parameter, u32)| {
            let kinks = parameter.name.contains("hinge") || parameter.name == "hand.1.time";
            (!kinks && !parameter.name.ends_with("scale")).then_some(ParameterId(id))
        };
        let parameters: Vec<ParameterId> = model.parameters().iter().zip(0..).filter_map(wanted).collect();
        let numeric: Vec<[Vec<f64>; 2]> = parameters.par_iter().map(|id| differences(&model, *id)).collect();
        for (which, t) in TIMES.into_iter().enumerate() {
            let exact = forward(&model, &u, &trajectory, &parameters).at(t);
            assert_either_way(name, &exact, &by_rows(&model, &trajectory, &parameters, Moment::Time(t)));
            for (column, id) in parameters.iter().enumerate() {
                let what = &model.parameters()[id.index()].name;
                let exact = exact.column(column);
                // A moment of 1e-3 kg·m² has a derivative of 1e3 by itself.
                let most = exact.amax().max(1.0);
                let error = exact.iter().zip(&numeric[column][which]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                if error > 0.1 * DIFFERENCES * most {
                    println!("{name} at {t}: {error:e} of {most:e} by {what}");
                }
                assert!(error <= DIFFERENCES * most, "{name} at {t}: {error:e} of {most:e} by {what}");
            }
        }
    }
}

#[test]
fn joints_that_contradict_each_other_are_told() {
    let text = ARM.to_owned()
        + "[[joint]]\nname = \"elsewhere\"\nkind = \"pin\"\nbody = \"upper\"\npoint = [-0.5, 0, 0]\nto = [0, 0.3, 0]\n";
    let error = Model::new(&Scene::parse(&text, "s.toml").expect("it reads")).expect_err("it cannot be assembled");
    let said = error.to_string();
    assert!(said.contains("assemble: the start cannot be assembled"), "{said}");
    assert!(said.contains("\"shoulder\"") && said.contains("\"elsewhere\"") && !said.contains("\"axle\""), "{said}");
}
