//! The impacts of a box on a floor with friction against the exact answers in `tests/reference/cases.json`.
//!
//! The box flies to the event time of the file by a fine integration here, so that w⁻ and K are checked too.

use serde_json::Value;

use super::*;

/// Exact answers have 36 digits; what is left is the rounding of the flight and of the solver.
const TOLERANCE: f64 = 1e-12;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_fn(|i, _| number(&value[i]))
}

/// Orientation and spin of the box after `time`: the classical Runge–Kutta method on the quaternion.
fn fly(rotation: nalgebra::Quaternion<f64>, spin: Vec3, inertia: Vec3, time: f64) -> (Mat3, Vec3) {
    type Point = (nalgebra::Quaternion<f64>, Vec3);
    let rate = |(q, spin): &Point| -> Point {
        let turn = nalgebra::UnitQuaternion::from_quaternion(*q).to_rotation_matrix();
        let body_spin = turn.inverse() * spin;
        let momentum = turn * inertia.component_mul(&body_spin);
        let torque_free = turn * (turn.inverse() * -spin.cross(&momentum)).component_div(&inertia);
        (nalgebra::Quaternion::from_imag(*spin) * q * 0.5, torque_free)
    };
    let add = |a: &Point, b: &Point, h: f64| (a.0 + b.0 * h, a.1 + b.1 * h);
    let (count, mut point) = (2000, (rotation, spin));
    let h = time / f64::from(count);
    for _ in 0..count {
        let k1 = rate(&point);
        let k2 = rate(&add(&point, &k1, h / 2.0));
        let k3 = rate(&add(&point, &k2, h / 2.0));
        let k4 = rate(&add(&point, &k3, h));
        point = add(&add(&add(&add(&point, &k1, h / 6.0), &k2, h / 3.0), &k3, h / 3.0), &k4, h / 6.0);
    }
    (*nalgebra::UnitQuaternion::from_quaternion(point.0).to_rotation_matrix().matrix(), point.1)
}

fn scene_of(case: &Value) -> Scene {
    let (data, event) = (&case["scene"]["bodies"][0], &case["events"][0]);
    let (time, gravity) = (number(&event["t"]), vector(&case["scene"]["gravity"]));
    let (inertia, quaternion) = (vector(&data["I"]), &data["quat_wxyz"]);
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| number(&quaternion[i]));
    let (turn, spin) = fly(nalgebra::Quaternion::new(w, x, y, z), vector(&data["w"]), inertia, time);
    let velocity = vector(&data["v"]);
    let moving = GroupBody {
        inverse_mass: 1.0 / number(&data["m"]),
        inverse_inertia: turn * Mat3::from_diagonal(&inertia.map(|moment| 1.0 / moment)) * turn.transpose(),
        position: vector(&data["x"]) + time * velocity + 0.5 * time * time * gravity,
        velocity: velocity + time * gravity,
        spin,
    };
    let contact = GroupContact {
        first: 0,
        second: 1,
        point: vector(&event["point"]),
        normal: vector(&event["normal"]),
        restitution: number(&case["scene"]["e"]),
        friction: number(&case["scene"]["mu"]),
        rolling: 0.0,
    };
    Scene { bodies: vec![moving, fixed()], contacts: vec![contact], blocks: Vec::new(), rest_speed: 0.02 }
}

#[track_caller]
fn check(what: &str, measured: Vec3, exact: &Value) {
    let exact = vector(exact);
    let error = (measured - exact).amax();
    assert!(error <= TOLERANCE * (1.0 + exact.amax()), "{what}: {measured} {exact} differ by {error:e}");
}

fn check_case(name: &str, mode: Mode) {
    let text = include_str!("../../../../../tests/reference/cases.json");
    let cases: Value = serde_json::from_str(text).unwrap();
    let case = &cases["cases"][name];
    let event = &case["events"][0];
    let scene = scene_of(case);
    let outcome = scene.impact();
    assert!(outcome.solved);
    let axes = crate::contact::group::frame::frame(&scene.contacts[0].normal);
    let world = |v: &DVector<f64>| axes.tr_mul(&Vec3::from(v.fixed_rows::<3>(0)));
    let response = outcome.phases[0].problem.response.block(0);
    let response = axes.transpose() * response * axes;
    for row in 0..3 {
        check("K", response.row(row).transpose(), &event["K"][row]);
    }
    check("w⁻", world(&outcome.phases[0].problem.velocity), &event["c_minus"]);
    check("p_c", outcome.impulses[0].compression, &event["p_compression"]);
    check("p_e", outcome.impulses[0].expansion, &event["p_expansion"]);
    check("p", outcome.impulses[0].total, &event["impulse"]);
    check("w_c", world(&after(&outcome.phases[0])), &event["c_compression_end"]);
    check("w⁺", world(&after(&outcome.phases[1])), &event["c_plus"]);
    assert!(outcome.phases.iter().all(|phase| phase.modes() == [mode]));
}

#[test]
fn a_sliding_box_matches_the_reference() {
    check_case("P_F3_box_slide", Mode::Slide);
}

#[test]
fn a_sticking_box_matches_the_reference() {
    check_case("P_F4_box_stick", Mode::Stick);
}
