//! Contact that lasts: sliding, rolling, sticking and rest against closed forms.
//!
//! Values agree to 1e-10 where the step reproduces the motion exactly (sliding is piecewise quadratic in time). A box on an
//! incline sticks below the friction angle atan μ without creep, and slides above it.

use hattrick::dynamics::BodyState;
use serde_json::Value;

use super::support::{head, number, numbers, reference_cases, run, scene_of_case};

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

/// How far a box moves down an incline, m, from rest.
fn slides(angle: f64, friction: f64, duration: f64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let (x, y) = (-0.05 * sine, 0.05 * cosine);
    let text = head(duration, -9.81)
        + &format!(
            "[[body]]\nname = \"incline\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = [{:?}, {cosine:?}, 0.0] }}\n\
             friction = {friction:?}\n[[body]]\nname = \"box\"\nshape = {{ kind = \"cuboid\", half_extents = [0.2, 0.05, 0.1] }}\n\
             friction = {friction:?}\nposition = [{x:?}, {y:?}, 0.0]\nrotation = [0.0, 0.0, {angle:?}]\n",
            -sine
        );
    let state = run(&text).at(duration)[1];
    ((state.position.x - x).powi(2) + (state.position.y - y).powi(2)).sqrt()
}

#[test]
fn a_box_sticks_below_the_friction_angle_and_slides_above_it() {
    let tenth = 0.1_f64.to_radians();
    for friction in [0.1_f64, 0.5, 1.0] {
        let (below, above) = (friction.atan() - tenth, friction.atan() + tenth);
        let creep = slides(below, friction, 10.0);
        let exact = 0.5 * 9.81 * (above.sin() - friction * above.cos()) * 100.0;
        let error = (slides(above, friction, 10.0) - exact).abs();
        println!("friction {friction}: creeps {creep:e} m; slides {exact} m, off by {error:e}");
        assert!(creep < 1e-9, "friction {friction}: creeps {creep:e} m in 10 s, 0.1° below the friction angle");
        assert!(error < 1e-9, "friction {friction}: slides {exact} m, off by {error:e}, 0.1° above the friction angle");
    }
}
