//! The two directions of the derivative against each other, and what the solver does with odd problems.

use super::*;
use crate::contact::solution::ContactProblemDirection;

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
    let rows = DMatrix::from_fn(3 * count, 6, |_, _| random.next());
    let stiffening = if count == 1 { 0.1 } else { 0.0 };
    let response = &rows * rows.transpose() + DMatrix::identity(3 * count, 3 * count) * stiffening;
    let response: DMatrix<f64> = (&response + response.transpose()) * 0.5;
    // A velocity that comes from motion of the body, so that impulses can stop it.
    let velocity = &rows * random.vector(6);
    ContactProblem {
        response: Arc::new(response),
        velocity,
        friction: (0..count).map(|_| 0.3 + 0.3 * random.next()).collect(),
        given_normal: given.then(|| (0..count).map(|_| 1.0 + random.next()).collect()),
    }
}

#[test]
fn the_two_directions_of_the_derivative_are_transposes() {
    let mut random = Random(1);
    let mut compared = 0;
    for trial in 0..200 {
        let (count, given) = (1 + trial % 5, trial % 2 == 1);
        let size = 3 * count;
        let solution = solve(problem(&mut random, count, given), None, &mut ContactWorkspace::default());
        if !solution.solved {
            continue;
        }
        let (dw, any) = (random.vector(size), DMatrix::from_fn(size, size, |_, _| random.next()));
        let dresponse = &any + any.transpose();
        let (dfriction, dgiven) = (random.vector(count), random.vector(count));
        let j = solution.largest_diagonal;
        let dimpulse = solution.tangent(&ContactProblemDirection {
            dvelocity: &|p| &dw + &dresponse * p,
            dlargest_diagonal: dresponse[(j, j)],
            dfriction: dfriction.as_slice(),
            dgiven_normal: if given { dgiven.as_slice() } else { &[] },
        });
        let covector = random.vector(size);
        let back = solution.cotangent(&covector);
        let mut sum = back.velocity.dot(&dw) + back.largest_diagonal * dresponse[(j, j)];
        sum += back.response.iter().map(|(eta, p)| eta.dot(&(&dresponse * p))).sum::<f64>();
        sum += back.friction.iter().zip(&dfriction).map(|(a, b)| a * b).sum::<f64>();
        if given {
            sum += back.given_normal.iter().zip(&dgiven).map(|(a, b)| a * b).sum::<f64>();
        }
        let forward = covector.dot(&dimpulse);
        // Sums of terms as large as the factors' condition allows; the tolerance is relative to the larger side.
        let scale = 1.0 + covector.norm() * dimpulse.norm();
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
