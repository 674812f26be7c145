//! A scene that is made larger or smaller is the same scene.
//!
//! All lengths times L and all times times √L (velocities with √L, spins with 1/√L; `step`, `rest_speed` and rolling resistance
//! too; gravity as it is) make a motion that differs in nothing else: the same events of the same pairs in the same order, and
//! derivatives that grow as their numbers do. Nothing of it is exact where L is no power of four, because the file's numbers are
//! rounded: times agree to 1e-9 as long as a motion is near its start, and events where rounding does not decide them.

use std::path::Path;

use hattrick::geometry::Shape;
use hattrick::model::{Field, Model, Parameter, ParameterId};
use hattrick::scene::{Body, Scene};
use hattrick::sensitivity::{Moment, Row, Side, forward, reverse, rows};
use hattrick::simulation::{EventId, Trajectory, simulate};

/// How many times as large.
const SCALES: [f64; 6] = [0.001, 0.01, 0.3, 7.0, 100.0, 1000.0];
/// Relative difference of times near the start of a motion.
const NEAR: f64 = 1e-9;
/// How many events that is.
const START: usize = 40;

fn shipped(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    Scene::open(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// A brick that is thrown, tumbles, and comes to rest.
fn brick() -> Scene {
    let text = "format = 1\nduration = 3.0\n\
        [[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\nrestitution = 0.5\n\
        friction = 0.4\n\
        [[body]]\nname = \"brick\"\nshape = { kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08] }\nmass = 3.0\n\
        position = [0.0, 0.8, 0.0]\nrotation = [0.3, 0.5, 0.2]\nvelocity = [0.5, 0.2, -0.5]\nspin = [1.0, 2.0, 0.5]\n\
        restitution = 0.5\nfriction = 0.4\n";
    Scene::parse(text, "brick.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A hull, an egg, a capsule and a compound that fall onto each other.
fn shapes() -> Scene {
    let text = "format = 1\nduration = 0.7\n\
        [[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n\
        [[body]]\nname = \"hull\"\nshape = { kind = \"hull\", points = [[0.1, 0, 0], [-0.1, 0, 0.02], [0, 0.12, 0], [0, 0, 0.13], [0.02, -0.04, -0.1]] }\n\
        position = [0.0, 0.3, 0.0]\nrotation = [0.3, 0.1, 0.2]\n\
        [[body]]\nname = \"egg\"\nshape = { kind = \"egg\", radius = 0.06, tip = 0.1, base = 0.07 }\n\
        position = [0.05, 0.6, 0.01]\nspin = [1.0, 2.0, 5.0]\nrolling_resistance = 0.002\n\
        [[body]]\nname = \"capsule\"\nshape = { kind = \"capsule\", half_height = 0.1, radius = 0.03 }\n\
        position = [0.3, 0.3, 0.0]\nrotation = [0.1, 0.0, 1.0]\ninertia = [0.002, 0.0004, 0.002]\nmass = 0.6\n\
        [[body]]\nname = \"corner\"\n\
        shape = { kind = \"compound\", parts = [{ kind = \"cuboid\", half_extents = [0.1, 0.02, 0.05] }, { kind = \"cuboid\", half_extents = [0.02, 0.1, 0.05], position = [0.1, 0.08, 0.0] }] }\n\
        position = [-0.3, 0.4, 0.0]\nrotation = [0.7, 0.2, 0.4]\nspin = [3.0, 0.0, 1.0]\n";
    Scene::parse(text, "shapes.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A scene with all lengths times L and all times times √L.
fn scaled(scene: &Scene, length: f64) -> Scene {
    let (mut scene, time) = (scene.clone(), length.sqrt());
    scene.duration *= time;
    scene.step *= time;
    scene.rest_speed *= time;
    for body in &mut scene.bodies {
        let Body { shape, mass, inertia, position, velocity, spin, rolling_resistance, .. } = body;
        *shape = larger(shape, length);
        *position *= length;
        *velocity *= time;
        *spin /= time;
        *rolling_resistance *= length;
        mass.iter_mut().for_each(|mass| *mass *= length.powi(3));
        inertia.iter_mut().for_each(|inertia| *inertia *= length.powi(5));
    }
    scene
}

fn larger(shape: &Shape, by: f64) -> Shape {
    let mut shape = shape.clone();
    match &mut shape {
        Shape::Ball { radius } => *radius *= by,
        Shape::Cuboid { half_extents } => *half_extents *= by,
        Shape::Hull { points } => points.iter_mut().for_each(|point| *point *= by),
        Shape::Capsule { half_height, radius }
        | Shape::Cylinder { half_height, radius, .. }
        | Shape::Cone { half_height, radius, .. } => [half_height, radius].into_iter().for_each(|x| *x *= by),
        Shape::Egg { radius, tip, base, .. } => [radius, tip, base].into_iter().for_each(|x| *x *= by),
        Shape::Compound { parts, center_of_mass } => {
            center_of_mass.iter_mut().for_each(|center| *center *= by);
            for part in parts {
                part.shape = larger(&part.shape, by);
                part.position *= by;
            }
        }
        Shape::HalfSpace { .. } | Shape::Particle => {}
        other => panic!("{other:?} is in none of these scenes"),
    }
    shape
}

fn motion(scene: &Scene) -> (Model, Trajectory) {
    let model = Model::new(scene).unwrap_or_else(|errors| panic!("{errors:?}"));
    let trajectory = simulate(&model, &model.control());
    (model, trajectory)
}

/// The events of the scene at all scales are those that it has as it is; at least `least` of them.
#[track_caller]
fn check_events(scene: &Scene, least: usize) {
    let (_, base) = motion(scene);
    assert!(base.events.len() >= least, "{} events", base.events.len());
    for length in SCALES {
        let (_, other) = motion(&scaled(scene, length));
        for (k, (a, b)) in base.events.iter().zip(&other.events).enumerate() {
            let told = |event: &hattrick::simulation::Event| (event.kind, event.pair(), event.number);
            assert_eq!(told(a), told(b), "event {k} at {} s, {length} times as large", a.t);
            let off = (b.t / length.sqrt() - a.t).abs() / a.t.max(scene.step);
            assert!(k >= START || off < NEAR, "event {k} at {} s is off by {off:e}, {length} times as large", a.t);
        }
        assert_eq!(base.events.len(), other.events.len(), "{length} times as large");
        assert_eq!(other.end, base.end, "{length} times as large");
        assert_eq!(other.t_end, scene.duration * length.sqrt());
    }
}

#[test]
fn a_tumbling_brick_has_the_same_events_at_every_scale() {
    check_events(&brick(), 10);
}

#[test]
fn a_stack_has_the_same_events_at_every_scale() {
    check_events(&shipped("stack.toml"), 100);
}

#[test]
fn a_coin_has_the_same_events_at_every_scale() {
    check_events(&shipped("coin.toml"), 5);
}

#[test]
fn dominoes_have_the_same_events_at_every_scale() {
    let mut scene = shipped("dominoes.toml");
    scene.duration = 1.5;
    check_events(&scene, 100);
}

#[test]
fn shapes_of_many_kinds_have_the_same_events_at_every_scale() {
    check_events(&shapes(), 10);
}

#[test]
fn a_scaled_motion_begins_as_its_scene_says_and_changes_at_its_events() {
    for length in [0.003, 30.0] {
        let scene = scaled(&brick(), length);
        let (_, trajectory) = motion(&scene);
        let (start, body) = (trajectory.at(0.0)[1], &scene.bodies[1]);
        assert_eq!((start.position, start.velocity, start.spin), (body.position, body.velocity, body.spin));
        let impact = &trajectory.events[0];
        let [before, after] = [impact.t.next_down(), impact.t].map(|t| trajectory.at(t)[1].velocity.y);
        assert!(before < 0.0 && after > 0.0, "{before} {after} m/s at {} s", impact.t);
        assert!(impact.contacts[0].point.y.abs() < 1e-12 * length, "{}", impact.contacts[0].point);
    }
}

/// What a unit of a parameter is in a scene L times as large.
fn of_parameter(parameter: &Parameter, length: f64) -> f64 {
    match parameter.role.field {
        Field::Position | Field::RollingResistance => length,
        Field::Velocity => length.sqrt(),
        Field::Spin => 1.0 / length.sqrt(),
        Field::Mass => length.powi(3),
        Field::Inertia => length.powi(5),
        Field::Rotation | Field::Scale | Field::Restitution | Field::Friction | Field::Normal | Field::Gravity => 1.0,
        field => panic!("bodies alone have no {field:?}"),
    }
}

fn of_entry(entry: usize, length: f64) -> f64 {
    [length, 1.0, length.sqrt(), 1.0 / length.sqrt()][entry / 3]
}

#[test]
fn derivatives_grow_with_their_scene() {
    let scene = shapes();
    let (model, base) = motion(&scene);
    let parameters: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    let exact = forward(&model, &model.control(), &base, &parameters);
    let impact = EventId(1);
    let moments = [0.2, 0.35];
    for length in [0.01, 100.0] {
        let (large, trajectory) = motion(&scaled(&scene, length));
        let found = forward(&large, &large.control(), &trajectory, &parameters);
        let pairs = moments.map(|t| (exact.at(t), found.at(t * length.sqrt())));
        let [(dt, at_event), (large_dt, large_at_event)] =
            [&exact, &found].map(|forward| forward.at_event(impact, Side::After));
        for (one, other) in pairs.iter().chain([&(at_event, large_at_event)]) {
            for (k, parameter) in model.parameters().iter().enumerate() {
                let unit = of_parameter(parameter, length);
                let tolerance = 1e-7 * one.column(k).amax() + 1e-10;
                for (row, &(_, entry)) in rows(&model).iter().enumerate() {
                    let (a, b) = (one[(row, k)], other[(row, k)] * unit / of_entry(entry, length));
                    assert!((a - b).abs() <= tolerance, "{}: {a} and {b}, {length} times", parameter.name);
                }
            }
        }
        for (k, parameter) in model.parameters().iter().enumerate() {
            let (a, b) = (dt[k], large_dt[k] * of_parameter(parameter, length) / length.sqrt());
            assert!((a - b).abs() <= 1e-8 * dt.amax(), "{}: {a} s and {b} s, {length} times", parameter.name);
        }
        check_reverse(&large, &trajectory, length, moments[1] * length.sqrt(), impact);
    }
}

/// Rows pulled back are those that are carried forward.
fn check_reverse(model: &Model, trajectory: &Trajectory, length: f64, t: f64, event: EventId) {
    let u = model.control();
    let parameters: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    let moments = [Moment::Time(t), Moment::Event { event, side: Side::Before }];
    let row = |(k, moment): (usize, Moment)| {
        let bodies = (rows(model).into_iter().step_by(12))
            .map(|(body, _)| (body, hattrick::dynamics::StateTangent::from_fn(|i, _| (i + k) as f64 * 0.3 - 1.0)));
        Row { moment, bodies: bodies.collect(), dtime: 0.7 * k as f64 }
    };
    let asked: Vec<Row> = moments.into_iter().enumerate().map(row).collect();
    let back = reverse(model, &u, trajectory, &parameters, &asked).values;
    let ahead = forward(model, &u, trajectory, &parameters).rows(&asked);
    for (k, parameter) in model.parameters().iter().enumerate() {
        // Rounding of a parameter that changes nothing is one of its size.
        let tolerance = 1e-9 * ahead.column(k).amax() + 1e-12 / of_parameter(parameter, length);
        for row in 0..asked.len() {
            let (a, b) = (back[(row, k)], ahead[(row, k)]);
            assert!((a - b).abs() <= tolerance, "{}: {a} {b}", parameter.name);
        }
    }
}
