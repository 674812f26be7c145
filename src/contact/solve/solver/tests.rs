//! The two directions of the derivative against each other, and what the solver does with odd problems.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::*;
use crate::contact::law::kind::{Kind, STIFFNESS};
use crate::contact::solve::solution::ContactProblemDirection;

mod rolling;
mod stacks;

/// Repeatable numbers in (−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * ((self.0 >> 11) as f64 / (1u64 << 53) as f64) - 1.0
    }

    fn vector(&mut self, size: usize) -> DVector<f64> {
        DVector::from_fn(size, |_, _| self.next())
    }
}

/// Contacts whose K has rank 6, as those of one rigid body have.
fn problem(random: &mut Random, count: usize, given: bool) -> ContactProblem {
    problem_with(random, count, given, [0, 0])
}

/// Of which the last `rolling` resist rolling, with blocks that hold, of one to three rows.
fn problem_with(random: &mut Random, count: usize, given: bool, [rolling, held]: [usize; 2]) -> ContactProblem {
    let size = 3 * (count + rolling + held);
    let rows = DMatrix::from_fn(size, 6, |_, _| random.next());
    let stiffening = if count == 1 { 0.1 } else { 0.0 };
    let response = &rows * rows.transpose() + DMatrix::identity(size, size) * stiffening;
    let response: DMatrix<f64> = (&response + response.transpose()) * 0.5;
    // A velocity that comes from motion of the body, so that impulses can stop it.
    let velocity = &rows * random.vector(6);
    ContactProblem {
        response: Arc::new(Response::Matrix(response)),
        velocity,
        laws: laws((0..count).map(|_| 0.3 + 0.3 * random.next()), count - rolling..count, held),
        given_normal: given.then(|| (0..count).map(|_| 1.0 + random.next()).collect()),
    }
}

/// Contacts of which some resist rolling, and what is held.
fn laws(frictions: impl Iterator<Item = f64>, rolling: std::ops::Range<usize>, held: usize) -> Arc<[RowLaw]> {
    let contacts = frictions.map(|friction| RowLaw::Contact { friction });
    let rolling = rolling.map(|contact| RowLaw::Rolling { contact, coefficient: 0.2 });
    contacts.chain(rolling).chain((0..held).map(|k| RowLaw::Equality { rows: 1 + k % 3 })).collect()
}

#[test]
fn the_two_directions_of_the_derivative_are_transposes() {
    let mut random = Random(1);
    let mut compared = 0;
    for trial in 0..200 {
        let (count, given): (usize, bool) = (1 + trial % 5, trial % 2 == 1);
        let rolling = if trial % 3 == 2 { count.div_ceil(2) } else { 0 };
        let held = [0, 0, 0, 1, 2][trial % 5];
        let size = 3 * (count + rolling + held);
        let problem = problem_with(&mut random, count, given, [rolling, held]);
        let solution = solve(problem, None, &mut ContactWorkspace::default());
        if !solution.solved {
            continue;
        }
        let (dw, any) = (random.vector(size), DMatrix::from_fn(size, size, |_, _| random.next()));
        let dresponse = &any + any.transpose();
        let (dcoefficients, dgiven) = (random.vector(count + rolling + held), random.vector(count));
        let kinds = solution.problem.laws.iter().map(RowLaw::kind);
        let ddiagonals = PerKind::mean(kinds, |row| dresponse[(row, row)]);
        let dimpulse = solution.tangent(&ContactProblemDirection {
            dvelocity: &|p| &dw + &dresponse * p,
            dmean_traces: ddiagonals,
            dcoefficients: dcoefficients.as_slice(),
            dgiven_normal: if given { dgiven.as_slice() } else { &[] },
        });
        let covector = random.vector(size);
        let back = solution.cotangent(DMatrix::from_columns(std::slice::from_ref(&covector)));
        let mut sum = back.velocity.column(0).dot(&dw);
        sum += back.mean_traces.iter().zip(ddiagonals.0).map(|(a, b)| a * b).sum::<f64>();
        let passes = back.response.iter().zip(solution.pass_impulses());
        sum += passes.map(|(eta, p)| eta.column(0).dot(&(&dresponse * p))).sum::<f64>();
        sum += back.coefficients.iter().zip(&dcoefficients).map(|(a, b)| a * b).sum::<f64>();
        if given {
            sum += back.given_normal.iter().zip(&dgiven).map(|(a, b)| a * b).sum::<f64>();
        }
        let forward = covector.dot(&dimpulse);
        // Sums of terms as large as the factors' condition allows, which compliance limits; the tolerance is relative to the larger
        // side.
        let condition = if held > 0 { 1.0 / STIFFNESS[Kind::Equality as usize] } else { 1.0 };
        let scale = condition * (1.0 + covector.norm() * dimpulse.norm());
        assert!((forward - sum).abs() <= 1e-12 * scale, "{count} {given}: {forward} {sum}");
        compared += 1;
    }
    assert!(compared >= 190, "{compared}");
}

#[test]
fn the_same_problem_gives_the_same_bits_whatever_was_solved_before() {
    let mut random = Random(2);
    let mut used = ContactWorkspace::default();
    for count in [4, 2, 6, 3] {
        let problem = problem(&mut random, count, false);
        let fresh = solve(problem.clone(), None, &mut ContactWorkspace::default());
        let again = solve(problem, None, &mut used);
        assert_eq!(fresh.impulse(), again.impulse());
    }
}

#[test]
fn a_warm_start_at_the_answer_takes_hardly_a_step() {
    let mut random = Random(3);
    let mut workspace = ContactWorkspace::default();
    let mut steps = 0;
    for _ in 0..50 {
        let problem = problem(&mut random, 4, false);
        let cold = solve(problem.clone(), None, &mut workspace);
        let warm = solve(problem, Some(cold.impulse().as_slice()), &mut workspace);
        if cold.solved {
            assert!(warm.solved);
            steps += warm.iterations;
        }
    }
    assert!(steps <= 150, "{steps}");
}

/// Two contacts that are one in all but their names, told to stop speeds that differ by parts of 1e-7. How they share
/// the load then depends on ε̂, which must not bend where the one becomes softer than the other.
#[test]
fn contacts_of_equal_response_have_no_kink() {
    /// Of the response of the first over that of the second; sharing is right to 1e-7 of the load.
    const STEP: f64 = 1e-3;
    /// One-sided differences are right to about STEP; a bend would be of 0.1.
    const NO_BEND: f64 = 5e-3;
    let side = |row: usize| if row < 3 { 1.0 } else { -1.0 };
    let along = |row: usize| [-1.0, 2.0, 0.0][row % 3];
    let solved = |h: f64| {
        let size = |row: usize| 1.0 + h * side(row);
        let response = DMatrix::from_fn(6, 6, |i, j| if i % 3 == j % 3 { size(i) * size(j) } else { 0.0 });
        let velocity = DVector::from_fn(6, |row, _| size(row) * along(row) + if row == 3 { 1e-7 } else { 0.0 });
        let problem = ContactProblem {
            response: Arc::new(Response::Matrix(response)),
            velocity,
            laws: laws([0.2, 0.6].into_iter(), 0..0, 0),
            given_normal: None,
        };
        solve(problem, None, &mut ContactWorkspace::default())
    };
    let at = solved(0.0);
    let dresponse = DMatrix::from_fn(6, 6, |i, j| if i % 3 == j % 3 { side(i) + side(j) } else { 0.0 });
    let dvelocity = DVector::from_fn(6, |row, _| side(row) * along(row));
    let exact = at.tangent(&ContactProblemDirection {
        dvelocity: &|p| &dvelocity + &dresponse * p,
        dmean_traces: PerKind::mean([Kind::Contact; 2].into_iter(), |row| dresponse[(row, row)]),
        dcoefficients: &[0.0; 2],
        dgiven_normal: &[],
    });
    for h in [STEP, -STEP] {
        let there = solved(h);
        assert_eq!(at.first_modes(), there.first_modes());
        let difference = (there.impulse() - at.impulse()) / h;
        let error = (&difference - &exact).norm();
        assert!(error <= NO_BEND, "{error:e} for h = {h:e}: {difference} {exact}");
    }
}
