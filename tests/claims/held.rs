//! Contact that lasts: sliding, rolling, sticking and rest against closed forms.
//!
//! Values agree to 1e-10 where the step reproduces the motion exactly (sliding is piecewise quadratic in time).

use hattrick::dynamics::BodyState;
use serde_json::Value;

use super::support::{number, numbers, reference_cases, run, scene_of_case};

const CLOSED_FORM: f64 = 1e-10;

/// The final state of a reference case in sustained contact.
fn final_state(case: &Value) -> BodyState {
    let trajectory = run(&scene_of_case(case));
    *trajectory.at(number(&case["scene"]["T"])).last().expect("a body")
}

#[track_caller]
fn assert_close(what: &str, found: f64, exact: f64) {
    assert!((found - exact).abs() <= CLOSED_FORM, "{what}: {found} instead of {exact}, off by {:e}", found - exact);
}

#[test]
fn a_block_slides_down_an_incline_as_the_formula_says() {
    let case = &reference_cases()["H1_block_incline_slide"];
    let (state, values) = (final_state(case), numbers(&case["values"]));
    let found =
        [state.position.x, state.position.y, state.position.z, state.velocity.x, state.velocity.y, state.velocity.z];
    for ((name, found), exact) in ["x", "y", "z", "vx", "vy", "vz"].iter().zip(found).zip(&values[2..]) {
        assert_close(name, found, *exact);
    }
}

#[test]
fn a_block_slides_to_rest_where_the_formula_says() {
    let case = &reference_cases()["H2_block_stops_on_floor"];
    let (state, values) = (final_state(case), numbers(&case["values"]));
    assert_close("x", state.position.x, values[2]);
    assert_close("y", state.position.y, values[3]);
    assert_eq!(state.velocity.norm() + state.spin.norm(), 0.0, "it rests");
}
