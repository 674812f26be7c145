//! The answer on paper, and the conditions of optimality on random problems.

use super::*;
use crate::math::elementary::{powf, powi, square};

fn wish(row: &[f64], change: f64) -> LinearWish {
    LinearWish { row: DVector::from_column_slice(row), change, relation: Relation::Equal }
}

fn at_most(row: &[f64], change: f64) -> LinearWish {
    LinearWish { relation: Relation::AtMost, ..wish(row, change) }
}

fn problem(levels: Vec<Vec<LinearWish>>, count: usize) -> LeastNorm {
    LeastNorm {
        limits: Vec::new(),
        levels,
        metric: vec![1.0; count],
        pull: vec![0.0; count],
        bounds: vec![(f64::NEG_INFINITY, f64::INFINITY); count],
    }
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close && found.len() == expected.len(), "{found:?} against {expected:?}");
}

#[test]
fn reluctant_parameters_move_less() {
    let mut costs = problem(vec![vec![wish(&[1.0, 1.0], 1.0)]], 2);
    costs.metric = vec![1.0, 3.0];
    near(&costs.solve().du, &[0.75, 0.25]);
}

#[test]
fn the_pull_acts_only_where_wishes_leave_freedom() {
    let mut pulled = problem(vec![vec![wish(&[1.0, 0.0, 0.0], 1.0)]], 3);
    pulled.pull = vec![5.0, 2.0, -1.0];
    near(&pulled.solve().du, &[1.0, 2.0, -1.0]);
}

#[test]
fn the_first_level_is_met_before_the_second() {
    let nails = vec![wish(&[1.0, 1.0], 1.0)];
    let drag = vec![wish(&[1.0, 1.0], 3.0), wish(&[1.0, -1.0], 0.5)];
    near(&problem(vec![nails, drag], 2).solve().du, &[0.75, 0.25]);
}

#[test]
fn conflicting_wishes_share_the_error() {
    let both = vec![wish(&[1.0, 0.0], 1.0), wish(&[1.0, 0.0], 2.0)];
    near(&problem(vec![both], 2).solve().du, &[1.5, 0.0]);
}

#[test]
fn bounds_hold_and_others_take_over() {
    let mut bounded = problem(vec![vec![wish(&[1.0, 1.0], 2.0)]], 2);
    bounded.bounds[0] = (-1.0, 0.25);
    near(&bounded.solve().du, &[0.25, 1.75]);
    bounded.bounds[1] = (0.0, 1.0);
    near(&bounded.solve().du, &[0.25, 1.0]);
}

#[test]
fn a_bound_that_a_later_wish_leaves_is_released() {
    // The pull runs into the bound of the first; the wish then needs it back inside.
    let mut released = problem(vec![vec![wish(&[1.0, 0.5], -1.0)]], 2);
    released.pull = vec![9.0, 0.0];
    released.bounds[0] = (-10.0, 0.5);
    let du = released.solve().du;
    assert!((du[0] + 0.5 * du[1] + 1.0).abs() < 1e-12, "{du:?}");
}

#[test]
fn inequalities_act_only_where_they_are_broken() {
    let mut slack = problem(vec![vec![at_most(&[1.0, 0.0], 1.0)]], 2);
    near(&slack.solve().du, &[0.0, 0.0]);
    slack.pull = vec![3.0, 0.0];
    near(&slack.solve().du, &[1.0, 0.0]);
    slack.levels[0][0].change = -2.0;
    slack.pull = vec![-5.0, 1.0];
    near(&slack.solve().du, &[-5.0, 1.0]);
}

#[test]
fn wishes_that_nothing_answers_change_nothing() {
    let nothing = problem(vec![vec![wish(&[0.0, 0.0], 1.0)], vec![wish(&[0.0, 0.0], 2.0)]], 2).solve();
    near(&nothing.du, &[0.0, 0.0]);
    assert_eq!(problem(vec![vec![]], 0).solve().du.len(), 0);
}

/// Any other admissible change that meets the wishes as well is longer: tried in many random directions.
#[test]
fn random_answers_are_optimal_and_within_bounds() {
    let mut state = 7u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 * powi(2f64, -52) - 1.0
    };
    for round in 0..300 {
        let count = 3 + round % 7;
        let mut level = |rows: usize| -> Vec<LinearWish> {
            (0..rows)
                .map(|k| {
                    let row: Vec<f64> = (0..count).map(|_| random()).collect();
                    let change = random();
                    if k % 3 == 2 { at_most(&row, change) } else { wish(&row, change) }
                })
                .collect()
        };
        let mut problem = problem(vec![level(1 + round % 3), level(round % 4)], count);
        problem.metric = (0..count).map(|_| powf(10f64, 2.0 * random())).collect();
        problem.pull = (0..count).map(|_| random()).collect();
        problem.bounds = (0..count).map(|_| (-random().abs(), random().abs() * 2.0)).collect();
        let change = problem.solve();
        assert!(change.kkt < 1e-9, "round {round}: {:e}", change.kkt);
        let cost = |du: &[f64]| -> Vec<f64> {
            let violation = |wish: &LinearWish| {
                let error = wish.row.iter().zip(du).map(|(a, b)| a * b).sum::<f64>() - wish.change;
                if wish.relation == Relation::AtMost { error.max(0.0) } else { error }
            };
            let missed = |level: &Vec<LinearWish>| level.iter().map(|wish| square(violation(wish))).sum::<f64>();
            let mut costs: Vec<f64> = problem.levels.iter().map(missed).collect();
            costs.push((0..count).map(|k| problem.metric[k] * square(du[k] - problem.pull[k])).sum());
            costs
        };
        let best = cost(&change.du);
        for _ in 0..200 {
            let size = powf(10f64, -3.0 + 2.0 * random());
            let other: Vec<f64> = (0..count)
                .map(|k| (change.du[k] + size * random()).clamp(problem.bounds[k].0, problem.bounds[k].1))
                .collect();
            let costs = cost(&other);
            // The first cost that differs must be higher. At the least squares of a level a step costs its square there and may win
            // in proportion at the next level, so that only round-off of the costs themselves may be let pass.
            let better = best
                .iter()
                .zip(&costs)
                .find(|(a, b)| (*a - *b).abs() > 1e-15 * (1e-3 + *a))
                .is_some_and(|(a, b)| b < a);
            assert!(!better, "round {round}: {costs:?} beats {best:?}");
        }
    }
}
