//! What several claims need: building scenes from text, and the exact reference cases.

use hattrick::geometry::separation;
use hattrick::math::Vec3;
use hattrick::model::Model;
use hattrick::scene::Scene;
use hattrick::simulation::{Trajectory, simulate};
use serde_json::Value;

/// The model of a scene given as text.
#[track_caller]
pub fn model(text: &str) -> Model {
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The motion of a scene given as text.
#[track_caller]
pub fn run(text: &str) -> Trajectory {
    let model = model(text);
    simulate(&model, &model.control())
}

/// The exact cases, by name.
pub fn reference_cases() -> serde_json::Map<String, Value> {
    let text = include_str!("../reference/cases.json");
    let all: Value = serde_json::from_str(text).expect("the reference file is valid");
    all["cases"].as_object().expect("cases by name").clone()
}

/// A number of the reference: a decimal string, or a plain number.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a decimal number"),
        other => other.as_f64().expect("a number"),
    }
}

/// A list of numbers of the reference.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

/// Three numbers of the reference.
pub fn vector(value: &Value) -> Vec3 {
    Vec3::from_iterator(numbers(value))
}

/// A reference scene in the format of ours. Capsules lie along z there and along y here: their rotation is
/// preceded by a quarter turn, which their symmetric inertia does not notice.
pub fn scene_of_case(case: &Value) -> String {
    let scene = &case["scene"];
    let list = |v: &Vec3| format!("[{:e}, {:e}, {:e}]", v.x, v.y, v.z);
    let friction = number(&scene["mu"]);
    let material = format!("restitution = {:e}\nfriction = {friction:e}\n", number(&scene["e"]));
    let mut text = format!(
        "format = 1\nduration = {:e}\ngravity = {}\nrest_speed = 1e-6\n",
        number(&scene["T"]),
        list(&vector(&scene["gravity"]))
    );
    for (k, plane) in scene["planes"].as_array().expect("planes").iter().enumerate() {
        let normal = vector(&plane["n"]);
        let position = normal * (number(&plane["d"]) / normal.norm_squared());
        text += &format!(
            "[[body]]\nname = \"plane{k}\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = {} }}\nposition = {}\n{material}",
            list(&normal),
            list(&position)
        );
    }
    for (k, body) in scene["bodies"].as_array().expect("bodies").iter().enumerate() {
        let mut inertia = vector(&body["I"]);
        let mut rotation = body.get("rotvec").map(vector).unwrap_or_else(|| rotation_vector(body));
        let shape = match body["shape"].as_str() {
            Some("sphere") => format!("kind = \"ball\", radius = {:e}", number(&body["r"])),
            Some("box") => format!("kind = \"cuboid\", half_extents = {}", list(&vector(&body["half"]))),
            Some("capsule") => {
                inertia = Vec3::new(inertia.x, inertia.z, inertia.y);
                rotation = capsule_rotation(&rotation);
                let (half, radius) = (number(&body["half_length"]), number(&body["r"]));
                format!("kind = \"capsule\", half_height = {half:e}, radius = {radius:e}")
            }
            other => panic!("unknown shape {other:?}"),
        };
        text += &format!(
            "[[body]]\nname = \"body{k}\"\nshape = {{ {shape} }}\nmass = {:e}\ninertia = {}\nposition = {}\nrotation = {}\nvelocity = {}\nspin = {}\n{material}",
            number(&body["m"]),
            list(&inertia),
            list(&vector(&body["x"])),
            list(&rotation),
            list(&vector(&body["v"])),
            list(&vector(&body["w"])),
        );
    }
    text
}

/// The rotation vector of a body given by a quaternion or by its matrix; zero if it is given by neither.
fn rotation_vector(body: &Value) -> Vec3 {
    let Some(q) = body.get("quat_wxyz").map(numbers) else { return Vec3::zeros() };
    hattrick::math::rotation::log(&hattrick::math::Rotation::from_quaternion(nalgebra::Quaternion::new(
        q[0], q[1], q[2], q[3],
    )))
}

/// World from a body whose capsule lies along z, written for one whose capsule lies along y.
fn capsule_rotation(rotation: &Vec3) -> Vec3 {
    use hattrick::math::rotation::{exp, log};
    log(&(exp(*rotation) * exp(Vec3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0))))
}

/// The deepest overlap of any pair that can collide at time t, as a gap (m), and whose it is.
pub fn smallest_gap(trajectory: &Trajectory, t: f64) -> (f64, String) {
    let (world, states) = (trajectory.world(), trajectory.at(t));
    let mut worst = (f64::INFINITY, String::new());
    for (a, body) in world.bodies.iter().enumerate() {
        for (b, other) in world.bodies.iter().enumerate().take(a) {
            if (!body.drive.is_pushed() && !other.drive.is_pushed())
                || (body.solid.is_particle() && other.solid.is_particle())
            {
                continue;
            }
            let gap = separation(&body.solid, &states[a].pose(), &other.solid, &states[b].pose(), None).gap;
            if gap < worst.0 {
                worst = (gap, format!("{}/{} at {t} s", other.name, body.name));
            }
        }
    }
    worst
}

/// Energy of motion of all bodies, J.
pub fn kinetic_energy(trajectory: &Trajectory, t: f64) -> f64 {
    let states = trajectory.at(t);
    trajectory.world().bodies.iter().zip(&states).map(|(body, state)| state.kinetic_energy(&body.mass)).sum()
}

/// The last time before an event's: the state there is the one just before it, to round-off.
pub fn just_before(t: f64) -> f64 {
    t.next_down()
}

/// A half-space through the origin that faces up.
pub fn floor(restitution: f64, friction: f64) -> String {
    format!(
        "[[body]]\nname = \"floor\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = [0, 1, 0] }}\n\
         restitution = {restitution:?}\nfriction = {friction:?}\n"
    )
}

/// A ball of radius 0.1 m and mass 1 kg; `more` are further lines.
pub fn ball(name: &str, position: [f64; 3], velocity: [f64; 3], restitution: f64, more: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 1.0\nfriction = 0.0\n\
         position = {position:?}\nvelocity = {velocity:?}\nrestitution = {restitution:?}\n{more}\n"
    )
}

/// The beginning of a scene.
pub fn head(duration: f64, gravity: f64) -> String {
    format!("format = 1\nduration = {duration:?}\ngravity = [0.0, {gravity:?}, 0.0]\n")
}
