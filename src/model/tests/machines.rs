//! Parameters of joints, forces, tracks and variables: their names, order, bounds and metric, and the world's derivative by them.

use super::*;
use crate::math::rotation::log;
use crate::scene::{ForceKind, Given, JointKind};

const MACHINE: &str = r#"format = 1
duration = 2.0
gravity = [0.0, "-g", 0.0]

[variables]
reach = 0.5
g = 9.81
heavy = 3.0
wide = 0.1

[[track]]
name = "reel in"
keys = [{ t = 0.0, value = 1.0 }, { t = "reach", value = "reach/2", ease = "slow_in" }, { t = 1.5, value = 0.6 }]
[[track]]
name = "lift"
keys = [{ t = 0.0, value = [0, 1, 0] }, { t = 1.0, value = [0, 2, 0] }]

[[body]]
name = "upper"
shape = { kind = "capsule", half_height = 0.3, radius = "wide" }
mass = "heavy"
position = ["2*reach", 5, 0]
rotation = [0.1, "sin(reach)", 0.3]
[[body]]
name = "lower"
shape = { kind = "ball", radius = 0.1 }
density = "100*heavy^2"
position = [3, 5, "reach*g"]
[[body]]
name = "third"
shape = { kind = "cuboid", half_extents = [0.1, 0.2, 0.3] }
mass = "heavy"
inertia = [1, "heavy/2", 1.5]
position = [5, 5, 0]
velocity = ["reach", 0, 0]
[[label]]
name = "tip"
body = "lower"
point = [0, 0.1, 0]

[[joint]]
name = "elbow"
kind = "point_to_point"
bodies = ["upper", "lower"]
points = [["reach", -0.3, 0], [0, 0, 0]]
active = [[0.0, 0.5], [1.0, 1.5]]
[[joint]]
name = "string"
kind = "distance"
body = "tip"
to = [0, 7, 0]
length = { track = "reel in" }
[[joint]]
name = "rod"
kind = "distance"
body = "third"
to = [0, 7, 0]
length = 2.0
[[joint]]
name = "hand"
kind = "pin"
body = "third"
to = { track = "lift" }
[[joint]]
name = "door"
kind = "hinge"
body = "third"
axis = [0, 0, 1]
to = [5, 5, 0]
to_axis = [0, 0, 1]

[[force]]
name = "band"
kind = "spring"
body = "upper"
to = [0, 9, 0]
stiffness = "reach^2*40"
damping = 1.5
length = 0.3
[[force]]
name = "air"
kind = "drag"
body = "lower"
quadratic = 0.2
[[force]]
name = "gust"
kind = "push"
body = "lower"
force = [1, 0, 0]
[[force]]
name = "motor"
kind = "motor"
joint = "door"
torque = 1.5
"#;

fn machine(controls: &str) -> Model {
    let scene = Scene::parse(&format!("{MACHINE}{controls}"), "m.toml").unwrap_or_else(|error| panic!("{error}"));
    Model::new(&scene).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn parameters_follow_gravity_in_the_order_of_the_file() {
    let model = machine("");
    let all = names(&model, |parameter| parameter.role.body().is_none());
    let expected = "gravity.x gravity.z elbow.point.y elbow.point.z elbow.second.x elbow.second.y elbow.second.z \
        elbow.time_constant elbow.active.1.start elbow.active.1.end elbow.active.2.start elbow.active.2.end \
        string.to.x string.to.y string.to.z string.time_constant \
        rod.point.x rod.point.y rod.point.z rod.to.x rod.to.y rod.to.z rod.length rod.time_constant \
        hand.point.x hand.point.y hand.point.z hand.time_constant \
        door.point.x door.point.y door.point.z door.to.x door.to.y door.to.z door.time_constant \
        band.point.x band.point.y band.point.z band.to.x band.to.y band.to.z band.damping band.length \
        air.linear air.quadratic air.angular air.wind.x air.wind.y air.wind.z \
        gust.point.x gust.point.y gust.point.z gust.force.x gust.force.y gust.force.z gust.torque.x gust.torque.y gust.torque.z \
        motor.torque reel in.1.value reel in.1.time reel in.2?";
    let expected: Vec<&str> = expected.split_whitespace().collect();
    let shown: Vec<String> = all.iter().map(|name| name.replace("reel in", "reel_in")).collect();
    let own: Vec<&str> = shown.iter().map(String::as_str).collect();
    let before: Vec<&str> = expected.iter().copied().take_while(|name| *name != "reel").collect();
    assert_eq!(own[..before.len()], before[..]);
    let rest = [
        "reel_in.1.value",
        "reel_in.1.time",
        "reel_in.3.value",
        "reel_in.3.time",
        "lift.1.value.x",
        "lift.1.value.y",
        "lift.1.value.z",
        "lift.1.time",
        "lift.2.value.x",
        "lift.2.value.y",
        "lift.2.value.z",
        "lift.2.time",
        "reach",
        "g",
        "heavy",
        "wide",
    ];
    assert_eq!(own[before.len()..], rest);
    assert!(model.parameters().iter().all(|parameter| !parameter.free || parameter.role.body().is_some()));
    for (id, parameter) in (0..).map(ParameterId).zip(model.parameters()) {
        assert_eq!(model.parameter(&parameter.name), Ok(id), "{}", parameter.name);
    }
    assert_eq!(model.group("elbow.active.1").unwrap().len(), 2);
    assert_eq!(model.group("elbow.active").unwrap().len(), 4);
    assert_eq!(model.group("lift.1.value").unwrap().len(), 3);
    assert_eq!(model.group("elbow.point").unwrap().len(), 2, "a number that is a formula has no parameter");
}

#[test]
fn numbers_that_something_else_gives_say_so() {
    let model = machine("");
    let message = |name: &str| model.group(name).expect_err(name).to_string();
    let formula = |text: &str| format!("the file gives it as \"{text}\"; name a variable");
    assert_eq!(message("elbow.point.x"), format!("\"elbow.point.x\" is no parameter: {}", formula("reach")));
    assert_eq!(message("upper.rotation"), format!("\"upper.rotation\" is no parameter: {}", formula("sin(reach)")));
    let track = "it follows the track \"reel in\"; name one of its keys, as in `reel in.1.value`";
    assert_eq!(message("string.length"), format!("\"string.length\" is no parameter: {track}"));
    let label = "it is the point of a label; write the point itself in the file";
    assert_eq!(message("string.point"), format!("\"string.point\" is no parameter: {label}"));
    assert_eq!(message("rod.lenth"), "no parameter is called \"rod.lenth\"; did you mean `rod.length`?");
    assert_eq!(message("rood.length"), "no parameter is called \"rood.length\"; did you mean `rod.length`?");
    assert_eq!(
        message("reel in.4.value"),
        "no parameter is called \"reel in.4.value\"; did you mean `reel in.1.value`?"
    );
    assert_eq!(message("reach.x"), "no parameter is called \"reach.x\"; did you mean `reach`?");
}

#[test]
fn bounds_keep_lengths_and_order() {
    let model = machine(&control("reel in.1.time", "free = true"));
    let parameter = |name: &str| &model.parameters()[model.parameter(name).unwrap().index()];
    assert_eq!(parameter("band.damping").bounds, (0.0, f64::INFINITY));
    assert_eq!(parameter("rod.length").bounds, (1e-3, f64::INFINITY));
    assert_eq!(parameter("rod.time_constant").bounds.0, 0.1e-12);
    assert_eq!(parameter("reel in.1.value").bounds, (1e-3, f64::INFINITY), "the string follows it");
    assert_eq!(parameter("lift.1.value.y").bounds, (f64::NEG_INFINITY, f64::INFINITY));
    let mut u = model.control();
    let refused = |u: &mut ControlVector, name: &str, value: f64| model.set(u, name, value).unwrap_err().to_string();
    assert_eq!(refused(&mut u, "reel in.3.time", 0.2), "reel in.3.time cannot be 0.2; write a number from 0.5 up");
    assert_eq!(
        refused(&mut u, "elbow.active.1.end", 1.2),
        "elbow.active.1.end cannot be 1.2; write a number from 0 to 1"
    );
    model.set(&mut u, "elbow.active.2.start", 1.4).unwrap();
    model.set(&mut u, "elbow.active.1.end", 1.2).unwrap();
    // The second key is a formula, which may move as the first one does: half the way to it.
    assert_eq!(model.bounds_at(&u, model.parameter("reel in.1.time").unwrap()), (0.0, 0.25));
    assert_eq!(model.bounds_at(&u, model.parameter("lift.1.time").unwrap()), (0.0, 1.0));
    let short = MACHINE.replace("length = 2.0", "length = 1e-4");
    let short = |free: &str| Scene::parse(&format!("{short}{}", control("rod.length", free)), "m.toml").unwrap();
    assert!(Model::new(&short("free = false")).is_ok());
    let error = Model::new(&short("free = true")).unwrap_err().to_string();
    let expected = "control[0].free: rod.length cannot be free: it is 0.0001 m, and a tie that changes needs 0.001 m; write a longer one";
    assert_eq!(error, expected);
}

#[test]
fn variables_of_shapes_stay_as_they_are() {
    let scene = |name: &str| Scene::parse(&format!("{MACHINE}{}", control(name, "free = true")), "m.toml").unwrap();
    assert!(Model::new(&scene("reach")).is_ok());
    let error = Model::new(&scene("wide")).unwrap_err().to_string();
    let why = "body[0].shape.radius is a formula of it";
    assert_eq!(
        error,
        format!("control[0].free: wide cannot be free: {why} and is the same in every motion; write a number there")
    );
    let model = machine("");
    let refused = model.set(&mut model.control(), "wide", 0.2).unwrap_err().to_string();
    assert_eq!(refused, format!("wide cannot be changed here: {why}; write another value in the file"));
}

#[test]
fn the_metric_counts_what_numbers_move() {
    let model = machine("");
    let metric = |name: &str| model.parameters()[model.parameter(name).unwrap().index()].metric;
    for name in [
        "elbow.point.y",
        "rod.length",
        "band.length",
        "band.to.x",
        "rod.time_constant",
        "lift.1.time",
        "elbow.active.1.end",
    ] {
        assert_eq!(metric(name), 1.0, "{name}");
    }
    assert_eq!((metric("lift.1.value.x"), metric("reel in.1.value")), (1.0, 1.0), "places and lengths");
    let close = |name: &str, expected: f64| assert!((metric(name) / expected - 1.0).abs() < 1e-14, "{name}");
    close("band.damping", 1.0 / (1.5 * 1.5));
    close("air.linear", 1e6);
    close("motor.torque", 1.0 / (1.5 * 1.5));
    close("g", 1.0 / (9.81 * 9.81));
}

/// Everything a motion may depend on, as numbers.
fn numbers(model: &Model, base: &World, world: &World) -> Vec<f64> {
    let mut all: Vec<f64> = world.gravity.iter().copied().collect();
    for (from, body) in base.bodies.iter().zip(&world.bodies) {
        all.extend(from.initial.tangent_to(&body.initial).as_slice());
        all.push(body.mass.mass);
        all.extend(body.mass.inertia.iter());
    }
    let subjects = model.machine.subjects().filter(|subject| !matches!(subject, Subject::Variable(_)));
    let roles = subjects.flat_map(|subject| world.machine.roles_of(subject));
    all.extend(roles.map(|role| world.machine.value(&role).expect("it has a role")));
    all
}

/// The same, of a direction.
fn changes(model: &Model, world: &World, direction: &WorldDirection) -> Vec<f64> {
    let of = |quantity: Quantity| {
        let found: Vec<f64> =
            direction.quantities.iter().filter(|(own, _)| *own == quantity).map(|(_, rate)| *rate).collect();
        assert!(found.len() <= 1, "{quantity:?} twice");
        found.first().copied().unwrap_or(0.0)
    };
    let mut all: Vec<f64> = Axis::ALL.map(|axis| of(Quantity::gravity(axis))).into();
    for body in (0..model.bodies.len() as u32).map(BodyId) {
        let start = direction.starts.iter().find(|(own, _)| *own == body);
        all.extend(start.map_or([0.0; 12], |(_, tangent)| std::array::from_fn(|k| tangent[k])));
        all.push(of(Quantity::Mass(body)));
        all.extend(Axis::ALL.map(|axis| of(Quantity::Inertia(body, axis))));
    }
    let subjects = model.machine.subjects().filter(|subject| !matches!(subject, Subject::Variable(_)));
    let roles = subjects.flat_map(|subject| world.machine.roles_of(subject));
    all.extend(roles.map(|role| of(Quantity::Parameter(role))));
    all
}

#[test]
fn every_parameter_changes_the_world_as_differences_say() {
    let model = machine("");
    let mut u = model.control();
    for (name, value) in
        [("reach", 0.6), ("heavy", 2.5), ("upper.scale", 1.2), ("third.scale", 0.9), ("lower.rotation.x", 0.3)]
    {
        model.set(&mut u, name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    let world = World::new(&model, &u);
    for (id, parameter) in (0..).map(ParameterId).zip(model.parameters()) {
        let free = match parameter.role.subject {
            Subject::Variable(variable) => model.formulas.fixed(variable).is_none(),
            _ => true,
        };
        let exact = changes(&model, &world, &world.direction(&model, &u, id));
        let at = |h: f64| {
            let mut moved = u.clone();
            moved[id] += h;
            numbers(&model, &world, &World::new(&model, &moved))
        };
        let h = 1e-6;
        for (row, (a, b)) in at(h).iter().zip(at(-h)).enumerate().filter(|_| free) {
            // Times that stand at their bound move one way only.
            let (numeric, found) = ((a - b) / (2.0 * h), exact[row]);
            assert!(
                (numeric - found).abs() < 2e-8 * (1.0 + numeric.abs()),
                "{} row {row}: {found} {numeric}",
                parameter.name
            );
        }
        assert!(
            !free || exact.iter().any(|rate| *rate != 0.0) || parameter.role.body().is_some(),
            "{}",
            parameter.name
        );
    }
}

/// A world at other variables is that of the file with their values.
#[test]
fn variables_mean_what_the_file_would_say() {
    let model = machine("");
    let mut u = model.control();
    model.set(&mut u, "reach", 0.7).unwrap();
    model.set(&mut u, "heavy", 4.0).unwrap();
    let text = MACHINE.replace("reach = 0.5", "reach = 0.7").replace("heavy = 3.0", "heavy = 4.0");
    let other = Model::new(&Scene::parse(&text, "m.toml").unwrap()).unwrap();
    let (here, there) = (World::new(&model, &u), World::new(&other, &other.control()));
    for (a, b) in numbers(&model, &here, &here).iter().zip(numbers(&model, &here, &there)) {
        assert!((a - b).abs() <= 1e-14 * (1.0 + a.abs()), "{a} {b}");
    }
    let JointKind::PointToPoint { point, .. } = here.machine.joints[0].kind else { panic!() };
    assert_eq!(point.x, 0.7);
    let ForceKind::Spring { stiffness: Given::Constant(stiffness), .. } = here.machine.forces[0].kind else { panic!() };
    assert!((stiffness - 0.49 * 40.0).abs() < 1e-13);
    let turn = log(&here.bodies[0].initial.rotation);
    assert!((turn.y - crate::math::elementary::sin(0.7)).abs() < 1e-14);
}

#[test]
fn a_number_out_of_what_is_physical_stays_at_the_border() {
    let model = machine("");
    let mut u = model.control();
    model.set(&mut u, "heavy", -1.0).unwrap();
    let world = World::new(&model, &u);
    assert!(world.bodies[0].mass.mass > 0.0);
    let id = model.parameter("heavy").unwrap();
    let direction = world.direction(&model, &u, id);
    assert!(direction.quantities.iter().all(|(quantity, _)| *quantity != Quantity::Mass(BodyId(0))));
    // A formula that runs past the next key takes that with it: keys never run backwards.
    model.set(&mut u, "reach", 1.9).unwrap();
    let keys = &World::new(&model, &u).machine.tracks[0].keys;
    assert!(keys.windows(2).all(|pair| pair[0].t <= pair[1].t), "{keys:?}");
}
