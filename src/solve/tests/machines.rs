//! What joints do and how far they are, as wishes, against differences of whole simulations: at fixed times, at the top of
//! another body's flight, on which tracks go on, and before and after an impact elsewhere.
//!
//! Every parameter of the scene is asked: states, masses, moments, points, lengths, time constants, stiffnesses, values and times
//! of keys. Joints start apart, so that nothing vanishes that has a derivative.

use super::*;

/// Of a slope, relative to 10 N and its size: rounding of 1e-12 of forces over steps of 2e-5.
const TOLERANCE: f64 = 1e-7;
/// Of differences, relative to each parameter.
const STEP: f64 = 2e-5;
/// Each has another mixture of all parameters.
const DIRECTIONS: usize = 4;

const SCENE: &str = r#"
format = 1
duration = 1.0
gravity = [0.3, -9.5, 0.2]
variables = { reach = 0.4 }
[[track]]
name = "reel"
keys = [{ t = 0.1, value = 0.8 }, { t = 0.9, value = 0.6, ease = "slow_in_out" }]
[[track]]
name = "hand"
keys = [{ t = 0.2, value = [3.0, 1.0, 0.1] }, { t = 0.8, value = [3.2, 1.3, -0.1], ease = "slow_in" }]
[[body]]
name = "base"
fixed = true
shape = { kind = "cuboid", half_extents = [0.2, 0.12, 0.08] }
position = [0.1, 1.0, -3.2]
rotation = [0.3, 0.5, 0.2]
[[body]]
name = "upper"
shape = { kind = "cuboid", half_extents = [0.1, 0.3, 0.05] }
position = [0.3, 0.7, -3.0]
rotation = [0.2, 0.4, 0.3]
spin = [0.3, 0.2, 1.0]
[[body]]
name = "lower"
shape = { kind = "cuboid", half_extents = [0.05, 0.2, 0.1] }
position = [0.5, 0.2, -3.0]
velocity = [0.2, 0.1, 0.4]
[[body]]
name = "bob"
shape = { kind = "ball", radius = 0.06 }
mass = 0.4
position = [1.1, -0.2, -2.9]
[[body]]
name = "cart"
shape = { kind = "cuboid", half_extents = [0.15, 0.1, 0.2] }
position = [-1.0, 0.3, -3.0]
rotation = [0.1, 0.0, 0.2]
[[body]]
name = "plate"
shape = { kind = "cuboid", half_extents = [0.3, 0.05, 0.1] }
position = [-1.4, 0.6, -3.1]
rotation = [0.0, 0.6, 0.2]
[[body]]
name = "wheel"
shape = { kind = "cylinder", half_height = 0.05, radius = 0.2 }
position = [0.1, 1.5, -3.4]
spin = [0.1, 2.0, 0.4]
[[body]]
name = "puppet"
shape = { kind = "cuboid", half_extents = [0.1, 0.2, 0.05] }
position = [3.0, 0.8, 0.0]
[[body]]
name = "lark"
shape = { kind = "ball", radius = 0.1 }
position = [8, 1, 5]
velocity = [0, 4, 0]
[[body]]
name = "floor"
fixed = true
shape = { kind = "cuboid", half_extents = [1, 0.1, 1] }
position = [8, 0.1, 5]
[[body]]
name = "stone"
shape = { kind = "ball", radius = 0.1 }
position = [8, 0.6, 4.5]
[[joint]]
name = "shoulder"
kind = "hinge"
bodies = ["upper", "base"]
points = [[0.02, 0.3, 0.01], [0.2, -0.1, 0.0]]
axes = [[0.1, 0, 1], [0, 0.2, 1]]
[[joint]]
name = "elbow"
kind = "point_to_point"
bodies = ["upper", "lower"]
points = [[0, -0.3, 0], [0.02, 0.2, 0]]
[[joint]]
name = "tie"
kind = "distance"
bodies = ["bob", "lower"]
points = [[0, 0.05, 0], [0, -0.2, 0]]
length = { track = "reel" }
[[joint]]
name = "rail"
kind = "slider"
body = "cart"
point = [0.05, 0, 0.1]
axis = [1, 0.1, 0]
to = ["-0.9*reach", 0.2, -2.9]
to_axis = [1, 0.2, 0.1]
[[joint]]
name = "stay"
kind = "weld"
bodies = ["plate", "cart"]
[[joint]]
name = "crank"
kind = "hinge"
bodies = ["base", "wheel"]
points = [[0, 0.4, 0.1], [0.02, 0.05, 0.01]]
axes = [[0, 1, 0.1], [0.1, 1, 0]]
[[joint]]
name = "string"
kind = "pin"
body = "puppet"
point = [0.05, 0.2, 0]
to = { track = "hand" }
[[force]]
name = "band"
kind = "spring"
bodies = ["cart", "lower"]
points = [[0.1, 0, 0.05], [0, 0.1, 0.02]]
stiffness = 12.0
damping = 0.4
"#;

const READ: [&str; 16] = [
    "force(shoulder) = 0",
    "torque(shoulder) = 0",
    "off(shoulder) = 0",
    "force(elbow) = 0",
    "force(tie).y = 0",
    "force(rail) = 0",
    "torque(rail) = 0",
    "force(stay) = 0",
    "torque(stay) = 0",
    "force(crank) = 0",
    "torque(crank) = 0",
    "torque(string) = 0",
    "force(string) = 0",
    "angle(shoulder) + travel(rail) = 0",
    "angle(crank) = 0",
    "length(tie) + length(band) = 0",
];

/// Rows of all that is read at a moment, against differences in directions in which every parameter changes at once.
#[track_caller]
fn check(at: &str) {
    let model = model(SCENE);
    let nails: Vec<String> = READ.iter().map(|text| format!(r#"{{"at":{at},"expression":"{text}"}}"#)).collect();
    let goals = goals(&model, &nails.iter().map(String::as_str).collect::<Vec<_>>());
    let wishes = Wishes { nails: &goals, drag: None };
    let point = Point::new(&model, &model.control(), wishes);
    let parameters: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    let rows = linearize(&point, &goals, &parameters, &|| true).expect("wanted").nails;
    // Eleven of what is read are vectors.
    assert_eq!(rows.len(), READ.len() + 2 * 11);
    for direction in 0..DIRECTIONS {
        // How far each goes: another part of itself in each direction, forwards and backwards.
        let goes = |id: &ParameterId| {
            let part = (7 * (id.0 as usize + 1) * (direction + 3) + 5 * direction) % 11;
            let (size, positive) = (point.u[*id].abs(), model.parameters()[id.index()].role.is_positive());
            // Moments are thousandths of what places are.
            (if positive { size } else { size.max(0.3) }) * (part as f64 / 5.0 - 1.0)
        };
        let at = |step: f64| {
            let mut u: ControlVector = point.u.clone();
            parameters.iter().for_each(|id| u[*id] += step * goes(id));
            values(&Point::new(&model, &u, wishes))
        };
        let differences: [Vec<f64>; 4] = [STEP, -STEP, 2.0 * STEP, -2.0 * STEP].map(at);
        for (entry, row) in rows.iter().enumerate() {
            let [ahead, behind, far_ahead, far_behind] = differences.each_ref().map(|values| values[entry]);
            let numeric = (8.0 * (ahead - behind) - (far_ahead - far_behind)) / (12.0 * STEP);
            let exact: f64 = parameters.iter().enumerate().map(|(k, id)| row.row[k] * goes(id)).sum();
            let error = (exact - numeric).abs() / (10.0 + exact.abs());
            assert!(
                error <= TOLERANCE,
                "{at_text}, entry {entry}: exact {exact:e}, numeric {numeric:e}",
                at_text = nails[0]
            );
            // At the start angles and travels are zero, whatever the start is.
            let is_nothing = nails[0].starts_with(r#"{"at":0.0"#) && (35..37).contains(&entry);
            assert!(is_nothing || exact != 0.0, "{}, entry {entry}", nails[0]);
        }
    }
}

#[test]
fn joint_forces_have_exact_rows_at_the_start() {
    check("0.0");
}

#[test]
fn joint_forces_have_exact_rows_in_flight() {
    check("0.45");
}

#[test]
fn joint_forces_have_exact_rows_at_the_top_of_a_flight() {
    check(r#"{"apex":"lark"}"#);
}

#[test]
fn joint_forces_have_exact_rows_before_and_after_an_impact_elsewhere() {
    check(r#"{"impact":"stone/floor#1","side":"before"}"#);
    check(r#"{"impact":"stone/floor#1","side":"after"}"#);
}

/// The value of an expression at a time of a motion.
fn value(model: &Arc<Model>, text: &str, t: f64) -> Result<f64, String> {
    let goals = goals(model, &[&format!(r#"{{"at":{t},"expression":"{text} = 0"}}"#)]);
    let point = Point::new(model, &model.control(), Wishes { nails: &goals, drag: None });
    match &point.nails[0] {
        Reading::Read(_, residuals) => Ok(residuals[0].value),
        Reading::Missing(missing) => Err(missing.to_string()),
    }
}

#[test]
fn a_pendulum_pulls_as_the_books_say() {
    // m·g·cos θ + m·v²/L, θ from straight down.
    let model = model(
        "format = 1\nduration = 2\n[[body]]\nname = \"bob\"\nshape = { kind = \"particle\" }\nmass = 0.7\nposition = [0.8, -0.6, 0]\n\
         velocity = [0.6, 0.8, 0.3]\n[[joint]]\nname = \"string\"\nkind = \"distance\"\nbody = \"bob\"\nto = [0, 0, 0]\nlength = 1.0\n",
    );
    for t in [0.0, 0.4, 1.3] {
        let value = |text: &str| value(&model, text, t).unwrap();
        let closed = 0.7 * 9.81 * -value("position(bob).y") + 0.7 * value("speed(bob)^2");
        let error = (value("norm(force(string))") - closed).abs();
        assert!(error < 1e-11, "at {t} s: {error:e}");
        // Towards the nail.
        assert!(value("dot(force(string), position(bob))") < 0.0);
        assert!((value("length(string)") - 1.0).abs() < 1e-12 && value("off(string)") < 1e-12);
    }
}

#[test]
fn what_hangs_still_weighs_on_its_nail() {
    let model = model(
        "format = 1\nduration = 1\n[[body]]\nname = \"rod\"\nshape = { kind = \"capsule\", half_height = 0.5, radius = 0.04 }\nmass = 2.0\n\
         [[body]]\nname = \"post\"\nfixed = true\nshape = { kind = \"ball\", radius = 0.1 }\nposition = [5, 0, 0]\n\
         [[body]]\nname = \"beam\"\nshape = { kind = \"cuboid\", half_extents = [0.5, 0.05, 0.05] }\nmass = 3.0\nposition = [5.5, 0, 0]\n\
         [[joint]]\nname = \"nail\"\nkind = \"pin\"\nbody = \"rod\"\npoint = [0, 0.5, 0]\nto = [0, 0.5, 0]\n\
         [[joint]]\nname = \"door\"\nkind = \"hinge\"\nbodies = [\"post\", \"beam\"]\npoints = [[0, 0, 0], [-0.5, 0, 0]]\naxes = [[0, 1, 0], [0, 1, 0]]\n",
    );
    for t in [0.0, 0.8] {
        let read = |text: &str| value(&model, text, t).unwrap();
        for (text, closed) in [
            ("force(nail).y", 2.0 * 9.81),
            ("norm(torque(nail))", 0.0),
            // The hinge carries the beam on the post: what it does to the post is the beam's weight, and the moment of it.
            ("force(door).y", -3.0 * 9.81),
            ("torque(door).z", -3.0 * 9.81 * 0.5),
            ("angle(door)", 0.0),
        ] {
            let error = (read(text) - closed).abs();
            assert!(error < 1e-11, "{text} at {t} s is off by {error:e}");
        }
    }
}

#[test]
fn a_joint_that_does_not_hold_has_no_force() {
    let model = model(
        "format = 1\nduration = 1\n[[body]]\nname = \"bob\"\nshape = { kind = \"ball\", radius = 0.1 }\n\
         [[joint]]\nname = \"nail\"\nkind = \"pin\"\nbody = \"bob\"\npoint = [0, 0.2, 0]\nto = [0, 0.2, 0]\nactive = [[0.0, 0.5]]\n\
         [[joint]]\nname = \"twin\"\nkind = \"pin\"\nbody = \"bob\"\npoint = [0, 0.2, 0]\nto = [0.1, 0.2, 0]\nactive = [[0.2, 0.4]]\n",
    );
    assert!(value(&model, "norm(force(nail))", 0.1).is_ok());
    assert_eq!(
        value(&model, "norm(force(nail))", 0.7).unwrap_err(),
        "nail holds nothing in flight at 0.7 s, and has no force there"
    );
    let contradicted = "nail contradicts other joints at 0.3 s, and has no force of its own; switch one of them off";
    assert_eq!(value(&model, "norm(force(nail))", 0.3).unwrap_err(), contradicted);
    assert!(value(&model, "off(twin)", 0.3).is_ok());
}

#[test]
fn misplaced_names_of_joints_are_told() {
    let model = model(SCENE);
    for (text, expected) in [
        ("angle(elbow) = 0", "\"elbow\" is a point_to_point, which has no angle; angle(…) takes a hinge"),
        ("travel(shoulder) = 0", "\"shoulder\" is a hinge, which has no travel; travel(…) takes a slider"),
        (
            "length(rail) = 0",
            "\"rail\" is a slider, which has no length; length(…) takes a distance, a rope or a spring",
        ),
        ("force(band) = 0", "\"band\" is a spring, which has no force; force(…) takes a joint"),
        ("force(upper) = 0", "\"upper\" is a body, which has no force; force(…) takes a joint"),
        ("force(elbo) = 0", "a joint is expected here, and none is called \"elbo\"; did you mean \"elbow\"?"),
        ("force(elbow) = length(tie) + angle(up(upper), up(lower))", ""),
    ] {
        let nail: Nail = serde_json::from_str(&format!(r#"{{"at":0.1,"expression":"{text}"}}"#)).unwrap();
        match Goal::new(&model, &nail, 0) {
            Ok(_) => assert_eq!(expected, "", "{text}"),
            Err(error) => {
                let told = error.to_string();
                assert!(!expected.is_empty() && told.ends_with(expected), "{text}: {told}");
            }
        }
    }
}
