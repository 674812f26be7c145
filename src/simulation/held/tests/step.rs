//! `HeldGroup::step_derivative` against differences of `HeldGroup::step`.

use super::scenes::*;
use super::*;
use crate::geometry::ContactDerivative;
use crate::simulation::held::geometry::{GeometryDerivative, Source};

/// Whether every one of so many contacts does the same.
fn all(mode: Mode, count: usize) -> impl Fn(&StepOutcome) -> bool {
    move |outcome| outcome.modes == vec![mode; count]
}

fn some(mode: Mode) -> impl Fn(&StepOutcome) -> bool {
    move |outcome| outcome.modes.contains(&mode)
}

/// Steps of differences whose noise is looked at.
const NOISY_STEPS: [f64; 7] = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6];

#[test]
fn a_box_that_sticks_on_four_corners() {
    survey((0..4).map(|k| flat_box(k, 0.003, 0.6)), all(Mode::Stick, 4)).check(100, TOLERANCE);
}

#[test]
fn a_box_that_slides_on_four_corners() {
    survey((0..4).map(|k| flat_box(k, 1.0, 0.3)), all(Mode::Slide, 4)).check(100, REDUNDANT_TOLERANCE);
}

#[test]
fn a_plank_that_pivots_on_a_sticking_edge() {
    survey((0..4).map(plank_on_edge), all(Mode::Stick, 2)).check(100, TOLERANCE);
}

#[test]
fn a_box_on_one_corner() {
    survey((0..4).map(|k| box_on_corner(k, 0.0)), all(Mode::Stick, 1)).check(100, TOLERANCE);
    survey((0..4).map(|k| box_on_corner(k, 1.0)), all(Mode::Slide, 1)).check(100, TOLERANCE);
}

#[test]
fn a_ball_that_rolls_and_one_that_slides() {
    survey((0..4).map(|k| ball(k, 0.0)), all(Mode::Stick, 1)).check(100, TOLERANCE);
    survey((0..4).map(|k| ball(k, 1.0)), all(Mode::Slide, 1)).check(100, TOLERANCE);
}

#[test]
fn a_ball_with_rolling_resistance() {
    survey((0..4).map(|k| resisted_ball(k, 0.0)), all(Mode::Stick, 1)).check(100, TOLERANCE);
    survey((0..4).map(|k| resisted_ball(k, 1.0)), all(Mode::Slide, 1)).check(100, TOLERANCE);
}

#[test]
fn a_ball_on_a_ball_whose_normal_turns() {
    survey((0..4).map(|k| ball_on_ball(k, 0.02)), all(Mode::Stick, 1)).check(100, TOLERANCE);
    survey((0..8).map(|k| ball_on_ball(k, 1.0)), all(Mode::Slide, 1)).check(100, TOLERANCE);
}

#[test]
fn a_box_flat_on_a_box_both_free() {
    survey((0..4).map(|k| box_on_box(k, 0.002)), some(Mode::Stick)).check(100, TOLERANCE);
    survey((0..4).map(|k| box_on_box(k, 0.5)), some(Mode::Slide)).check(100, REDUNDANT_TOLERANCE);
}

/// Errors above the tolerance of other steps are noise of the differences: they fall as h grows.
#[test]
fn errors_of_redundant_sliding_fall_with_longer_steps() {
    let mut compared = 0;
    for setup in (0..4).map(|k| box_on_box(k, 0.5)) {
        let outcome = setup.step();
        let derivative = setup.group.step_derivative(&setup.start, setup.s, None, &mut ContactWorkspace::default());
        // Velocities and inertia leave the corners of the faces where they are.
        let still = |direction: &StepDirection| direction.bodies.iter().all(|d| d.rows(0, 6).norm() == 0.0);
        let sized = |direction: &StepDirection| direction.masses.iter().any(|mass| mass.dsize != 0.0);
        let columns = setup.columns().into_iter().filter(|(_, d)| still(d) && !sized(d) && d.dlength == 0.0);
        for (name, direction) in columns {
            let map = |h: f64| setup.end_along(&direction, h, &outcome);
            let exact = flattened(&derivative.tangent(&direction).end);
            for h in NOISY_STEPS {
                let Some(error) = error_at(&map, &exact, h) else { continue };
                compared += 1;
                assert!(error <= NOISE / h + 0.1 * TOLERANCE, "{name}: {error:e} at h = {h:e}");
            }
        }
    }
    assert!(compared >= 100, "only {compared} differences had the same modes on all sides");
}

#[test]
fn a_stack_of_three_boxes() {
    survey((0..2).map(|k| stack(k, 0.0005)), some(Mode::Stick)).check(100, TOLERANCE);
    survey((0..2).map(|k| stack(k, 0.3)), some(Mode::Slide)).check(100, REDUNDANT_TOLERANCE);
}

/// A contact that came late is projected where it is violated, though it did not touch at the start.
#[test]
fn a_contact_that_came_late() {
    let late = |seed: u64| {
        let mut setup = plank_on_edge(seed);
        Arc::make_mut(&mut setup.group).contacts[0].late = true;
        setup
    };
    let count = |setup: &Setup| Setup::signature(&setup.step()).1.len();
    let setups: Vec<Setup> = (0..8).map(late).collect();
    for rows in [1, 2] {
        let some = setups.iter().filter(|setup| count(setup) == rows).cloned();
        survey(some, all(Mode::Stick, 2)).check(50, TOLERANCE);
    }
}

/// Starting the solver elsewhere moves the derivative by no more than the impulses' own rounding.
#[test]
fn a_warm_start_has_the_same_derivative() {
    let setup = flat_box(1, 1.0, 0.3);
    let workspace = &mut ContactWorkspace::default();
    let cold = setup.group.step_derivative(&setup.start, setup.s, None, workspace);
    let impulse = cold.outcome.impulse().as_slice().to_vec();
    let warm = setup.group.step_derivative(&setup.start, setup.s, Some(&impulse), workspace);
    for (name, direction) in setup.columns() {
        let [a, b] = [&cold, &warm].map(|derivative| flattened(&derivative.tangent(&direction).end));
        assert!((&a - &b).amax() <= 1e-9 * (1.0 + a.amax()), "{name}: {:e}", (a - b).amax());
    }
}

/// The largest error of the derivative after something in it was forgotten.
fn error_without(setup: &Setup, forget: impl Fn(&mut StepDerivative)) -> f64 {
    let outcome = setup.step();
    let mut derivative = setup.group.step_derivative(&setup.start, setup.s, None, &mut ContactWorkspace::default());
    forget(&mut derivative);
    let worst = |(_, direction): (String, StepDirection)| {
        let map = |h: f64| Some(stacked_from(&outcome.end, &setup.moved(&direction, h).step().end));
        error(&map, &flattened(&derivative.tangent(&direction).end)).unwrap()
    };
    setup.columns().into_iter().map(worst).fold(0.0, f64::max)
}

/// A derivative that forgets how contacts move.
fn freeze(geometry: &mut GeometryDerivative, forget: impl Fn(&mut ContactDerivative)) {
    for source in &mut geometry.sources {
        match source {
            Source::Here(derivative) | Source::AtStart(derivative) => forget(derivative),
            Source::Nowhere => {}
        }
    }
}

/// Negative controls: the comparison notices when points do not move or normals do not turn.
#[test]
fn a_derivative_with_frozen_lever_arms_or_normals_is_caught() {
    for setup in [plank_on_edge(1), box_on_corner(1, 1.0), ball_on_ball(1, 1.0)] {
        assert!(error_without(&setup, |_| {}) <= TOLERANCE);
        let controls: [(&str, f64); 4] = [
            (
                "points at the end",
                error_without(&setup, |step| freeze(&mut step.at_end, |derivative| derivative.dpoint.fill(0.0))),
            ),
            (
                "points in the middle",
                error_without(&setup, |step| freeze(&mut step.at_middle, |derivative| derivative.dpoint.fill(0.0))),
            ),
            (
                "normals at the end",
                error_without(&setup, |step| freeze(&mut step.at_end, |derivative| derivative.dnormal.fill(0.0))),
            ),
            (
                "normals in the middle",
                error_without(&setup, |step| freeze(&mut step.at_middle, |derivative| derivative.dnormal.fill(0.0))),
            ),
        ];
        for (name, wrong) in controls {
            assert!(wrong > 100.0 * TOLERANCE, "{name}: {wrong:e}");
        }
    }
}

#[test]
fn a_feature_that_is_degenerate_at_the_start_ends_as_no_number_and_slides_nowhere() {
    let setup = parallel_edges();
    assert!(setup.group.contact_geometry(&setup.start)[0].is_none());
    assert_eq!(setup.group.slip_speeds(&setup.start), [0.0]);
    assert!(setup.step().end.iter().any(|state| !state.is_finite()), "{:?}", setup.step().end);
}
