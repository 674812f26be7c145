//! Exact answers: times, states and impulses of small scenes, computed elsewhere to more than 20 digits.
//!
//! Event times agree to 1e-12 s, states to 1e-10, impulses, points and normals to 1e-9. The laws are the
//! same; `rest_speed` is set so low that restitution never fades.

use hattrick::math::Rotation;
use hattrick::simulation::{End, simulate};
use serde_json::Value;

use super::support::{model, number, reference_cases, scene_of_case, vector};

const TIME_TOLERANCE: f64 = 1e-12;
const STATE_TOLERANCE: f64 = 1e-10;
const IMPULSE_TOLERANCE: f64 = 1e-9;

#[test]
fn impact_cases_agree_with_their_exact_answers() {
    let cases = reference_cases();
    let impacts: Vec<_> = cases.iter().filter(|(_, case)| case["kind"] == "impact").collect();
    assert!(impacts.len() >= 11, "the reference file has shrunk to {}", impacts.len());
    for (name, case) in impacts {
        check_case(name, case);
    }
}

fn check_case(name: &str, case: &Value) {
    let model = model(&scene_of_case(case));
    let trajectory = simulate(&model, &model.control());
    assert_eq!(trajectory.end, End::Horizon, "{name}");
    let expected = case["events"].as_array().expect("events");
    assert_eq!(trajectory.events.len(), expected.len(), "{name}: {:?}", trajectory.events);
    for (k, (event, exact)) in trajectory.events.iter().zip(expected).enumerate() {
        let error = (event.t - number(&exact["t"])).abs();
        assert!(error <= TIME_TOLERANCE, "{name} event {k}: time off by {error:e} s");
        assert_eq!(event.contacts.len(), 1, "{name} event {k}");
        let contact = &event.contacts[0];
        for (what, value, exact) in [
            ("impulse", contact.impulse, vector(&exact["impulse"])),
            ("normal", contact.normal, vector(&exact["normal"])),
            ("point", contact.point, vector(&exact["point"])),
        ] {
            let error = (value - exact).norm();
            assert!(error <= IMPULSE_TOLERANCE, "{name} event {k}: {what} off by {error:e}: {value:?} {exact:?}");
        }
    }
    check_final(name, case, &trajectory.at(number(&case["scene"]["T"])));
}

fn check_final(name: &str, case: &Value, states: &[hattrick::dynamics::BodyState]) {
    let planes = case["scene"]["planes"].as_array().map_or(0, Vec::len);
    for (k, exact) in case["final"].as_array().expect("final").iter().enumerate() {
        let state = &states[planes + k];
        let q: Vec<f64> = super::support::numbers(&exact["quat_wxyz"]);
        let turn = Rotation::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]));
        let mut rotation = state.rotation;
        if case["scene"]["bodies"][k]["shape"] == "capsule" {
            rotation *= Rotation::from_scaled_axis(hattrick::math::Vec3::x() * -std::f64::consts::FRAC_PI_2);
        }
        for (what, error) in [
            ("position", (state.position - vector(&exact["x"])).norm()),
            ("velocity", (state.velocity - vector(&exact["v"])).norm()),
            ("spin", (state.spin - vector(&exact["w_world"])).norm()),
            ("rotation", (rotation * turn.inverse()).scaled_axis().norm()),
        ] {
            assert!(error <= STATE_TOLERANCE, "{name} body {k}: {what} off by {error:e}");
        }
    }
}
