//! States inside a step against differences, before and after the projection, and on the bent path.

use super::scenes::*;
use super::*;
use crate::math::rotation;

/// Place inside the step, as a part of it.
const PART: f64 = 0.37;

/// Compares the columns of one map of a setup: `at` evaluates it for an outcome, `exact` is its change.
fn check_inside(
    setup: &Setup,
    at: impl Fn(&Setup, &StepOutcome) -> Vec<BodyState>,
    exact: impl Fn(&StepDirection, &StepTangent) -> Vec<StateTangent>,
) {
    let outcome = setup.step();
    let (signature, middle) = (Setup::signature(&outcome), at(setup, &outcome));
    let derivative = setup.group.step_derivative(&setup.start, setup.s, None, &mut ContactWorkspace::default());
    let mut found = Found::default();
    for (name, direction) in setup.columns() {
        let map = |h: f64| {
            let moved = setup.moved(&direction, h);
            let there = moved.step();
            let same = Setup::signature(&there) == signature;
            same.then(|| stacked_from(&middle, &at(&moved, &there)))
        };
        let change = exact(&direction, &derivative.tangent(&direction));
        found.add(error(&map, &flattened(&change)), name);
    }
    found.check(27, TOLERANCE);
}

#[test]
fn projected_and_unprojected_states_inside_a_step() {
    for setup in [plank_on_edge(2), flat_box(3, 0.003, 0.6), ball_on_ball(2, 1.0), box_on_box(1, 0.002)] {
        let x = PART * setup.s;
        let derivative = setup.group.step_derivative(&setup.start, setup.s, None, &mut ContactWorkspace::default());
        let inside = derivative.inside(x);
        let at = |setup: &Setup, outcome: &StepOutcome| setup.group.inside(&setup.start, outcome, x);
        check_inside(&setup, at, |direction, step| inside.tangent(direction, step, 0.0));
        let at = |setup: &Setup, outcome: &StepOutcome| setup.group.unprojected_inside(&setup.start, outcome, x);
        check_inside(&setup, at, |direction, step| inside.unprojected_tangent(direction, step, 0.0));
    }
}

#[test]
fn states_on_the_bent_path() {
    for setup in [plank_on_edge(2), ball_on_ball(2, 1.0)] {
        let x = PART * setup.s;
        let path = |setup: &Setup, outcome: &StepOutcome, k: usize| outcome.path(0.0, &setup.start[k], k);
        let members = 0..setup.start.len();
        let at =
            |setup: &Setup, outcome: &StepOutcome| members.clone().map(|k| path(setup, outcome, k).at(x)).collect();
        let outcome = setup.step();
        check_inside(&setup, at, |direction, step| {
            let change = |k: usize| {
                let (start, unprojected, end) = (direction.bodies[k], step.unprojected[k], step.end[k]);
                let dlength = direction.dlength;
                let direction = PathDirection { start, unprojected, end, dlength, dx: 0.0 };
                path(&setup, &outcome, k).tangent_at(x, &direction)
            };
            members.clone().map(change).collect()
        });
    }
}

#[test]
fn the_rate_of_a_bent_path() {
    let mut random = Random::new(5);
    for bend in [Bend::Late, Bend::Early, Bend::Late, Bend::Early] {
        let start = BodyState {
            position: random.vector(1.0),
            rotation: rotation::exp(random.vector(2.0)),
            velocity: random.vector(3.0),
            spin: random.vector(5.0),
        };
        let (acceleration, spin_rate) = (random.vector(20.0), random.vector(50.0));
        let correction = [random.vector(1e-3), random.vector(1e-2)];
        let path = StepPath { t: 0.3, length: 0.05, start, acceleration, spin_rate, correction, bend };
        let t = path.t + PART * path.length;
        let map = |h: f64| Some(stacked_from(&[path.at(t)], &[path.at(t + h)]));
        let found = error(&map, &flattened(&[path.rate(t)])).unwrap();
        assert!(found <= TOLERANCE, "{bend:?}: {found:e}");
    }
}

#[test]
fn the_rate_along_a_path() {
    let setup = plank_on_edge(4);
    let (outcome, x) = (setup.step(), PART * setup.s);
    let derivative = setup.group.step_derivative(&setup.start, setup.s, None, &mut ContactWorkspace::default());
    let zero = StepDirection::zero(&setup.group);
    let still = derivative.tangent(&zero);
    assert!(flattened(&still.end).amax() == 0.0);
    let middle = setup.group.inside(&setup.start, &outcome, x);
    let map = |h: f64| Some(stacked_from(&middle, &setup.group.inside(&setup.start, &outcome, x + h)));
    let found = error(&map, &flattened(&derivative.inside(x).tangent(&zero, &still, 1.0))).unwrap();
    assert!(found <= TOLERANCE, "{found:e}");
}
