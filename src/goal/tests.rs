//! Every kind of wish against differences, at the start of a motion: there the state is what u says.

use super::*;
use crate::model::{Field, ParameterId};
use crate::scene::Scene;
use crate::simulation::simulate;

const SCENE: &str = r#"
format = 1
duration = 1.0
gravity = [0.3, -9.5, 0.2]
[[body]]
name = "a"
shape = { kind = "cuboid", half_extents = [0.2, 0.12, 0.08] }
position = [0.1, 3.8, -0.2]
rotation = [0.3, 0.5, 0.2]
velocity = [0.5, 1.2, -0.5]
spin = [1, 2, 0.5]
[[body]]
name = "egg one"
shape = { kind = "ball", radius = 0.1 }
position = [-1.1, 0.8, 0.2]
velocity = [0.5, 0.2, 1.5]
spin = [-0.3, 0.1, 0.7]
[[body]]
name = "bucket"
fixed = true
shape = { kind = "ball", radius = 0.3 }
position = [2.0, 0.5, 0.4]
rotation = [0.2, -0.4, 0.9]
region = { kind = "cylinder", center = [0.1, 0.2, 0.0], half_height = 0.2, radius = 0.3 }
[[body]]
name = "dust"
shape = { kind = "particle" }
mass = 0.1
position = [3.0, 3.0, 3.0]
"#;

fn model() -> Model {
    let scene = Scene::parse(SCENE, "goal.toml").unwrap_or_else(|error| panic!("{error}"));
    Model::new(&scene).unwrap_or_else(|errors| panic!("{errors}"))
}

fn nail(json: &str) -> Nail {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn residuals(model: &Model, goal: &Goal, u: &ControlVector) -> Vec<Residual> {
    match goal.read(model, u, &simulate(model, u)) {
        Reading::Read(_, residuals) => residuals,
        Reading::Missing(missing) => panic!("{missing}"),
    }
}

/// dc/du at the start, where dq/du is 1 (rotation offsets are 0 there).
fn slope(model: &Model, gradient: &Gradient, id: ParameterId) -> f64 {
    let direct: f64 = gradient.parameters.iter().filter(|(own, _)| *own == id).map(|(_, rate)| rate).sum();
    let role = model.parameters()[id.index()].role;
    let fields = [Field::Position, Field::Rotation, Field::Velocity, Field::Spin];
    let Some(part) = fields.iter().position(|field| *field == role.field) else { return direct };
    let place = 3 * part + role.member.index();
    direct + gradient.bodies.iter().filter(|(own, _)| Some(*own) == role.body()).map(|(_, row)| row[place]).sum::<f64>()
}

#[track_caller]
fn check(json: &str) {
    let model = model();
    let goal = Goal::new(&model, &nail(json), 0).unwrap_or_else(|error| panic!("{json}: {error}"));
    let u = model.control();
    let exact = residuals(&model, &goal, &u);
    assert!(!exact.is_empty(), "{json}");
    let mut moved = false;
    for index in 0..model.parameters().len() as u32 {
        let id = ParameterId(index);
        let h = 1e-6 * u[id].abs().max(1.0);
        let at = |value: f64| {
            let mut u = u.clone();
            u[id] = value;
            residuals(&model, &goal, &u)
        };
        let (ahead, behind) = (at(u[id] + h), at(u[id] - h));
        for (row, residual) in exact.iter().enumerate() {
            let numeric = (ahead[row].value - behind[row].value) / (2.0 * h);
            let exact = slope(&model, &residual.gradient, id);
            moved |= exact != 0.0;
            let name = &model.parameters()[index as usize].name;
            // The difference has an error of about ε/h of the values and h² of their curvature.
            let close = (exact - numeric).abs() <= 2e-6 * (1.0 + exact.abs());
            assert!(close, "{json} [{row}] by {name}: exact {exact}, numeric {numeric}");
        }
    }
    assert!(moved, "{json} depends on nothing");
}

#[test]
fn wishes_about_a_state_have_exact_gradients() {
    check(r#"{"body":"a","at":0.0,"position":[1,2,3]}"#);
    check(r#"{"body":"a","at":0.0,"point":[0.2,-0.1,0.3],"position":{"y":1}}"#);
    check(r#"{"body":"a","at":0.0,"point":[0.2,-0.1,0.3],"velocity":[1,2,3],"spin":{"x":1,"z":2}}"#);
    check(r#"{"body":"a","at":0.0,"rotation":[0.1,-1.2,0.4]}"#);
    check(r#"{"body":"a","at":0.0,"rotation":{"x":0.1,"z":0.2}}"#);
}

#[test]
fn regions_have_exact_gradients() {
    check(r#"{"body":"a","at":0.0,"inside":{"body":"bucket"}}"#);
    check(
        r#"{"body":"a","at":0.0,"point":[0.1,0.2,0.3],"inside":{"kind":"box","center":[1,0,2],"half_extents":[1,1,1]}}"#,
    );
    check(r#"{"body":"a","at":0.0,"inside":{"kind":"ball","center":[1,0,2],"radius":0.5}}"#);
}

#[test]
fn expressions_have_exact_gradients() {
    for text in [
        "speed(a) - speed(egg one) = 0",
        "spin(a) = 0",
        "height(egg one) >= 1.2",
        "dot(up(a), [0,1,0]) >= 0.99",
        "angle(up(a), axis(egg one, [1, 0, 2])) = 0.3",
        "angle(velocity(a), position(\"egg one\")) <= pi / 4",
        "distance(a, egg one) = 2.5",
        "distance(a, bucket) ^ 2 / 3 = 2.5",
        "norm(cross(position(a, [0.1, 0, 0]), velocity(a, [0, 0.1, 0.2]))) = 1",
        "energy(a) = 3*kinetic(a) - 2*energy(egg one)",
        "rotation(a).y * 2 + abs(-sin(position(a).x) + cos(speed(a))) = sqrt(height(a))",
        "position(a) = [1, 2, 3] + 0.5 * velocity(a)",
        "axis(a, velocity(egg one)).y + dot(position(a, spin(egg one)), velocity(a, position(egg one))) = 0.3",
        "max(position(a).x, min(position(a).y, position(a).z)) = 0",
    ] {
        check(&serde_json::json!({ "at": 0.0, "expression": text }).to_string());
    }
}

#[test]
fn values_are_those_on_paper() {
    let model = model();
    let value = |text: &str| {
        let json = serde_json::json!({ "at": 0.0, "expression": text }).to_string();
        let goal = Goal::new(&model, &nail(&json), 0).unwrap_or_else(|error| panic!("{text}: {error}"));
        residuals(&model, &goal, &model.control()).iter().map(|residual| residual.value).collect::<Vec<_>>()
    };
    assert_eq!(value("1 + 2*3^2 - 4/8 = 0"), [18.5]);
    assert_eq!(value("-(2 - 3) <= 4"), [-3.0]);
    assert_eq!(value("5 >= 4"), [-1.0]);
    assert_eq!(value("[1, 2, 3] = 1"), [0.0, 1.0, 2.0]);
    assert_eq!(value("cross([1,0,0], [0,1,0]).z = 1"), [0.0]);
    assert!((value("angle([1,0,0], [0,2,0]) = 0")[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
}

#[test]
fn what_is_missed_has_a_unit_where_one_can_be_told() {
    let model = model();
    let unit = |text: &str| {
        let json = serde_json::json!({ "at": 0.0, "expression": text }).to_string();
        let goal = Goal::new(&model, &nail(&json), 0).unwrap_or_else(|error| panic!("{text}: {error}"));
        residuals(&model, &goal, &model.control())[0].unit
    };
    assert_eq!(unit("2 * speed(a) - 1 = 0"), "m/s");
    assert_eq!(unit("1 >= distance(a, egg one) / 3"), "m");
    assert_eq!(unit("t(apex a#1) = 1.2"), "s");
    assert_eq!(unit("norm(spin(a)) <= 2"), "rad/s");
    assert_eq!(unit("dot(velocity(a), up(a)) >= 0.95 * speed(a)"), "m/s");
    assert_eq!(unit("angle(up(a), [0, 1, 0]) = 0"), "rad");
    assert_eq!(unit("max(energy(a), 3) = 5"), "J");
    assert_eq!(unit("dot(up(a), [0, 1, 0]) >= 0.99"), "");
    assert_eq!(unit("speed(a) ^ 2 = height(a) * 9.81"), "");
}

#[test]
fn faults_say_where_and_what_to_write() {
    let model = model();
    let message = |json: serde_json::Value| {
        let error = Goal::new(&model, &nail(&json.to_string()), 2).map(|_| ()).expect_err(&json.to_string());
        format!("{}: {error}", error.key)
    };
    let of = |text: &str| message(serde_json::json!({ "expression": text }));
    let at = |column: usize, rest: &str| format!("nail[2].expression: expression, character {column}: {rest}");
    assert_eq!(of("speed(a)"), at(9, "=, <= or >= is expected here"));
    assert_eq!(of("sped(a) = 1"), at(1, "no function is called \"sped\"; did you mean `speed`?"));
    assert_eq!(of("speed(egg on) = 1"), at(7, "no body is called \"egg on\"; did you mean \"egg one\"?"));
    assert_eq!(of("speed(a) = up(a)"), at(17, "the left side needs a vector, not a number"));
    assert_eq!(of("speed(a) + up(a) = 1"), at(18, "a sum needs a number, not a vector"));
    assert_eq!(of("dot(up(a)) = 1"), at(10, "dot takes two vectors"));
    assert_eq!(of("spin(dust) = 0"), at(10, "a particle does not turn: it has no spin"));
    assert_eq!(of("speed(a) = 1 1"), at(14, "the end of the expression is expected here"));
    assert!(of("t(bucket/bucket#1) = 1").contains("a body does not meet itself"));
    assert!(of(&("(".repeat(10_000) + "1")).contains("nested too deeply"));
    let late = message(serde_json::json!({ "body": "a", "at": 2.0, "position": [0, 0, 0] }));
    assert!(late.starts_with("nail[2].at: the motion ends at 1 s, before 2 s"), "{late}");
    let region = message(serde_json::json!({ "body": "egg one", "at": 1.0, "inside": { "body": "a" } }));
    assert!(region.starts_with("nail[2].inside: \"a\" declares no region"), "{region}");
    let turned = message(serde_json::json!({ "body": "dust", "at": 1.0, "spin": [0, 0, 0] }));
    assert_eq!(turned, "nail[2].spin: a particle does not turn; remove spin");
    let impact = message(serde_json::json!({ "body": "a", "at": { "impact": "a" }, "position": [0, 0, 0] }));
    assert!(impact.starts_with("nail[2].at: \"a\" is no impact"), "{impact}");
    // What a scene file may not hold, a journal may not either.
    let place = |at: serde_json::Value, x: f64| serde_json::json!({ "body": "a", "at": at, "position": [x, 0, 0] });
    assert_eq!(message(place((-1.0).into(), 0.0)), "nail[2].at: at is -1; write a number from 0 to 100000");
    let apex = message(place(serde_json::json!({ "apex": "a", "n": 0 }), 0.0));
    assert_eq!(apex, "nail[2].n: n is 0; write a number from 1 to 1e7");
    assert!(message(place(0.5.into(), 1e300)).starts_with("nail[2].position: position is 1e300; write a number"));
    let ball = serde_json::json!({ "kind": "ball", "center": [0, 0, 0], "radius": -1 });
    let ball = message(serde_json::json!({ "body": "a", "at": 0.5, "inside": ball }));
    assert_eq!(ball, "nail[2].radius: radius is -1; write a number from 1e-6 to 1e9");
    let empty = message(serde_json::json!({ "body": "a", "at": 0.5, "spin": {} }));
    assert_eq!(empty, "nail[2].spin: spin has no component; write three numbers, or some of x, y and z");
}

#[test]
fn random_text_is_read_or_refused() {
    let model = model();
    let pieces =
        ["speed(", "a", ")", "[", ",", "1", "-", "t(", "a#1", "=", ".x", "^2", "\"", "egg one", " ", "é", "dot("];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let text: String = (0..state % 12)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                pieces[(state >> 33) as usize % pieces.len()]
            })
            .collect();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 1;
        let _ = Expression::new(&model, &text);
    }
}

#[test]
fn an_event_that_does_not_occur_is_a_state_of_the_goal() {
    let model = model();
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let missing = |json: &str| match Goal::new(&model, &nail(json), 0).expect(json).read(&model, &u, &trajectory) {
        Reading::Missing(missing) => missing.to_string(),
        Reading::Read(..) => panic!("{json}"),
    };
    let impact = missing(r#"{"body":"a","at":{"impact":"a/bucket#1"},"position":[0,0,0]}"#);
    assert_eq!(impact, "impact a/bucket#1 does not occur: there is none");
    let apex = missing(r#"{"body":"a","at":{"apex":"a","n":2},"position":[0,0,0]}"#);
    assert_eq!(apex, "a has no apex 2: its flights have 1");
    let rest = missing(r#"{"body":"a","at":{"rest":"a"},"position":[0,0,0]}"#);
    assert_eq!(rest, "a does not come to rest by the end");
    let inside = missing(r#"{"at":1,"expression":"t(a#1) = 1"}"#);
    assert_eq!(inside, "impact a#1 does not occur: there is none");
}

/// A number that is none is not below anything: neither equations nor inequalities hold.
#[test]
fn a_wish_without_a_value_is_a_state_of_the_goal() {
    let model = model();
    let u = model.control();
    let trajectory = simulate(&model, &u);
    for text in ["0/0 <= 1", "0/0 = 0", "1/0 >= 1", "sqrt(0 - 1) = 0", "(1e200 * speed(a)) ^ 2 >= 1"] {
        let json = serde_json::json!({ "at": 0.5, "expression": text }).to_string();
        let reading = Goal::new(&model, &nail(&json), 0).expect(text).read(&model, &u, &trajectory);
        let Reading::Missing(missing) = reading else { panic!("{text}: {reading:?}") };
        assert_eq!(missing.to_string(), "it has no finite value at 0.5 s");
    }
}

#[test]
fn an_apex_is_where_the_body_stops_rising() {
    let model = model();
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let goal = Goal::new(&model, &nail(r#"{"body":"a","at":{"apex":"a"},"position":[0,0,0]}"#), 0).expect("valid");
    let Reading::Read(instant, _) = goal.read(&model, &u, &trajectory) else { panic!("it rises") };
    let a = model.body("a").expect("a body");
    let climb = instant.state(&trajectory, a).velocity.dot(&trajectory.world().gravity);
    assert!(climb.abs() < 1e-13, "{climb:e}");
}

#[test]
fn labels_stand_for_points_of_bodies() {
    let text = format!("{SCENE}[[label]]\nname = \"tip\"\nbody = \"a\"\npoint = [0.2, 0.1, 0]\n");
    let scene = Scene::parse(&text, "s.toml").unwrap();
    let model = Model::new(&scene).unwrap();
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let values = |json: &str| {
        let goal = Goal::new(&model, &serde_json::from_str(json).unwrap(), 0)
            .unwrap_or_else(|error| panic!("{json}: {error}"));
        match goal.read(&model, &u, &trajectory) {
            Reading::Read(_, residuals) => residuals.iter().map(|residual| residual.value).collect::<Vec<_>>(),
            Reading::Missing(missing) => panic!("{missing}"),
        }
    };
    let by_point = values(r#"{"body":"a","at":0.2,"point":[0.2,0.1,0],"position":[0,0,0]}"#);
    assert_eq!(values(r#"{"body":"tip","at":0.2,"position":[0,0,0]}"#), by_point);
    assert_eq!(values(r#"{"at":0.2,"expression":"position(tip) = 0"}"#), by_point);
    let velocity = values(r#"{"at":0.2,"expression":"velocity(a, [0.2, 0.1, 0]) = 0"}"#);
    assert_eq!(values(r#"{"at":0.2,"expression":"velocity(tip) = 0"}"#), velocity);
    let distance = values(r#"{"at":0.2,"expression":"norm(position(tip) - position(egg one)) = 0"}"#);
    assert_eq!(values(r#"{"at":0.2,"expression":"distance(tip, egg one) = 0"}"#), distance);
    let refused = |json: &str| Goal::new(&model, &serde_json::from_str(json).unwrap(), 0).unwrap_err().to_string();
    let twice = refused(r#"{"body":"tip","at":0.2,"point":[0,0,0],"position":[0,0,0]}"#);
    assert_eq!(twice, "\"tip\" is a label, which has a point of its own; remove point, or write the body's name");
    let speed = refused(r#"{"at":0.2,"expression":"speed(tip) = 0"}"#);
    assert!(
        speed.ends_with("position, velocity and distance know a label's point, write a body for others"),
        "{speed}"
    );
}
