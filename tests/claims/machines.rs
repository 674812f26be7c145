//! Joined, sprung and driven bodies in flight and struck, against exact answers.
//!
//! The reference cases were computed elsewhere, twice, to more than 20 digits. States agree to 1e-11 and Jacobians to 1e-9 of
//! their largest entries, times of impacts to 1e-12, forward and in reverse, by initial states, masses, gravity and the numbers of joints, forces and
//! tracks, the times of their keys among them. D is written as the references have it, so that columns may leave the joints.

use hattrick::math::{Rotation, Vec3, rotation};
use hattrick::model::ParameterId;
use hattrick::sensitivity::{Moment, Side, forward};
use hattrick::simulation::{End, Event, EventId, EventKind, Trajectory, simulate};
use nalgebra::{DMatrix, Quaternion};
use serde_json::Value;

use super::jacobians::{assert_either_way, by_rows};
use super::support::{model, number, numbers, reference_cases};

/// Cases in flight alone, then those with an impact.
const CASES: [&str; 7] = [
    "J1_spring_pendulum",
    "J3_assembly_rod",
    "J4_moving_pin",
    "J8_four_bar",
    "J10_reel_in",
    "J5_pinned_rod_struck",
    "J6a_double_pendulum_slides",
];
/// Of times of impacts, s.
const TIMES: f64 = 1e-12;
/// Of states, relative to the largest of their kind.
const STATES: f64 = 1e-11;
/// Of Jacobians, relative to the largest entry.
const JACOBIANS: f64 = 1e-9;

fn machines() -> Value {
    let text = std::fs::read_to_string("tests/reference/machines.json").expect("the file is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn machines_fly_as_their_references_do() {
    for name in CASES {
        let case = &machines()["cases"][name];
        let model = model(case["toml"].as_str().expect("a scene"));
        let trajectory = simulate(&model, &model.control());
        assert_eq!(trajectory.end, End::Horizon, "{name}");
        assert_events(name, case, &trajectory);
        for exact in case["final"].as_array().expect("states") {
            let body = model.body(exact["name"].as_str().expect("a name")).expect("it is there");
            let state = trajectory.body_at(body, number(&case["T"]));
            let vector = |key: &str| Vec3::from_column_slice(&numbers(&exact[key]));
            let q = numbers(&exact["quat_xyzw"]);
            let turn = Rotation::new_normalize(Quaternion::new(q[3], q[0], q[1], q[2]));
            for (what, error) in [
                ("position", (state.position - vector("x")).norm()),
                ("velocity", (state.velocity - vector("v")).norm() / vector("v").norm().max(1.0)),
                ("spin", (state.spin - vector("w")).norm() / vector("w").norm().max(1.0)),
                ("rotation", rotation::angle_between(&state.rotation, &turn)),
            ] {
                assert!(error <= STATES, "{name}: {what} of {} off by {error:e}", exact["name"]);
            }
        }
    }
}

/// Impacts are those of the reference, at their times and with their impulses.
fn assert_events(name: &str, case: &Value, trajectory: &Trajectory) {
    let exact = case["events"].as_array().expect("events");
    let found: Vec<&Event> = trajectory.events.iter().filter(|event| event.kind == EventKind::Impact).collect();
    assert_eq!(found.len(), exact.len(), "{name}");
    for (found, exact) in found.iter().zip(exact) {
        let late = (found.t - number(&exact["time"])).abs();
        assert!(late <= TIMES, "{name}: off by {late:e} s");
        let (impulse, right) =
            (found.contacts[0].impulse, Vec3::from_column_slice(&numbers(&exact["impulse_on_first"])));
        let error = (impulse - right).norm() / right.norm();
        assert!(error <= STATES, "{name}: impulse off by {error:e}");
    }
}

#[test]
fn machines_have_their_exact_jacobians_both_ways() {
    for name in CASES {
        let case = &machines()["cases"][name];
        let names: Vec<&str> = case["columns"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
        let of_impacts = names.iter().filter(|name| name.contains('#'));
        let controls: String = of_impacts.map(|name| format!("[[control]]\nparameter = \"{name}\"\n")).collect();
        let model = model(&(case["toml"].as_str().expect("a scene").to_owned() + &controls));
        let u = model.control();
        let trajectory = simulate(&model, &u);
        let parameters: Vec<ParameterId> =
            names.iter().map(|name| model.parameter(name).unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
        let t = number(&case["T"]);
        let found = forward(&model, &u, &trajectory, &parameters).at(t);
        let exact: Vec<Vec<f64>> = case["jac"].as_array().expect("rows").iter().map(numbers).collect();
        let exact = DMatrix::from_fn(exact.len(), names.len(), |row, column| exact[row][column]);
        let (error, most) = ((&found - &exact).amax(), exact.amax());
        println!("{name}: {error:e} of {most:e}");
        assert!(error <= JACOBIANS * most, "{name}: {error:e} of {most:e}");
        for (place, exact) in case["events"].as_array().expect("events").iter().enumerate() {
            let exact = numbers(&exact["dt"]);
            let (found, _) =
                forward(&model, &u, &trajectory, &parameters).at_event(EventId(place as u32), Side::Before);
            let most = exact.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
            let error = found.iter().zip(&exact).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()));
            assert!(error <= JACOBIANS * most, "{name}: the time of impact {place}: {error:e} of {most:e}");
        }
        assert_either_way(name, &found, &by_rows(&model, &trajectory, &parameters, Moment::Time(t)));
    }
}

/// A case of `cases.json` in which a joint holds, with gravity along −z, as a scene of ours.
fn scene_of(case: &Value, shape: &str, joint: &str) -> String {
    let body = &case["scene"]["bodies"][0];
    let list = |value: &Value| format!("{:?}", numbers(value));
    let turned = body.get("quat_wxyz").map_or(String::new(), |q| {
        let q = numbers(q);
        let turn = Rotation::new_normalize(Quaternion::new(q[0], q[1], q[2], q[3]));
        let turn = rotation::log(&turn);
        format!("rotation = {:?}\nspin = {}\n", [turn.x, turn.y, turn.z], list(&body["w_world"]))
    });
    format!(
        "format = 1\nduration = {}\ngravity = {}\n[[body]]\nname = \"b\"\n{shape}\nmass = {}\nposition = {}\nvelocity = {}\n\
         {turned}[[joint]]\nname = \"j\"\nbody = \"b\"\n{joint}\n",
        number(&case["scene"]["T"]),
        list(&case["scene"]["gravity"]),
        number(&body["m"]),
        list(&body["x"]),
        list(&body["v"]),
    )
}

/// Directions along the joint go where the reference says, and so does the derivative by the size of gravity.
#[test]
fn a_nailed_rod_and_a_bead_on_a_circle_agree_with_minimal_coordinates() {
    let cases = reference_cases();
    let rod = "shape = { kind = \"cuboid\", half_extents = [0.5, 0.02, 0.02] }\ninertia = \
               [0.000533333333333333333, 0.166933333333333333333, 0.166933333333333333333]";
    let nail = "kind = \"pin\"\npoint = [-0.5, 0, 0]\nto = [0, 0, 0]";
    let circle = "kind = \"on_path\"\npoint = [0, 0, 0]\npath = { kind = \"ellipse\", center = [0, 0, 0], axes = \
                  [[1, 0, 0], [0, 0, 1]] }";
    for (name, shape, joint) in
        [("K1_rod_pendulum", rod, nail), ("K3_bead_circle", "shape = { kind = \"particle\" }", circle)]
    {
        let case = &cases[name];
        let model = model(&scene_of(case, shape, joint));
        let u = model.control();
        let trajectory = simulate(&model, &u);
        let t = number(&case["scene"]["T"]);
        let (state, exact) = (trajectory.body_at(model.body("b").expect("it is there"), t), &case["final"][0]);
        let error = (state.position - Vec3::from_column_slice(&numbers(&exact["x"]))).norm();
        let speed_error = (state.velocity - Vec3::from_column_slice(&numbers(&exact["v"]))).norm();
        assert!(error <= STATES && speed_error <= STATES, "{name}: {error:e} m, {speed_error:e} m/s");
        let fields: &[&str] = if exact.get("w_world").is_some() {
            &["position", "rotation", "velocity", "spin"]
        } else {
            &["position", "velocity"]
        };
        let names = fields.iter().flat_map(|field| ["x", "y", "z"].map(|axis| format!("b.{field}.{axis}")));
        let names: Vec<String> = names.chain(["gravity.z".to_owned()]).collect();
        let parameters: Vec<ParameterId> =
            names.iter().map(|name| model.parameter(name).unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
        let found = forward(&model, &u, &trajectory, &parameters).at(t);
        let matrix = |key: &str| {
            let rows: Vec<Vec<f64>> = case[key].as_array().expect("rows").iter().map(numbers).collect();
            DMatrix::from_fn(rows.len(), rows[0].len(), |row, column| rows[row][column])
        };
        let (along, exact) = (matrix("init_tangent"), matrix("jac_final_tangent"));
        let ours = found.columns(0, along.nrows()) * along.columns(0, exact.ncols() - 1);
        let error = (ours - exact.columns(0, exact.ncols() - 1)).amax() / exact.amax();
        // Gravity grows downwards.
        let by_gravity = (found.column(along.nrows()) + exact.column(exact.ncols() - 1)).amax() / exact.amax();
        assert!(error <= JACOBIANS && by_gravity <= JACOBIANS, "{name}: {error:e}, by gravity {by_gravity:e}");
    }
}
