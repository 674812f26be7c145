//! All contacts of one instant solved together, and the derivative of the answer in both directions.
//!
//! K may be singular (a face on four corners), and where such contacts slide even velocities are not unique. The
//! limit of vanishing compliance decides: with ε̂ = 1e-6·max diag K and p₋₁ = 0, pass k = 0, 1, 2, 3 solves
//!
//! ```text
//! G(p_k, w_k; μ, g) = 0,    w_k = w + K·p_k + ε̂·(p_k − p_{k−1})                               (1)
//! ```
//!
//! and p₃ is the answer. One contact has a K that inverts, and needs one pass with ε̂ = 0 (`single`). The derivative of
//! the answer is `solution`; building w and K is `group`.

use std::sync::{Arc, OnceLock};

use nalgebra::{DMatrix, DVector};

use super::law::Mode;
pub use super::newton::ContactWorkspace;
use super::single::solve_single;
use super::solution::{ContactSolution, Pass};
use super::sweep::sweep;

/// ε: compliance that decides between equivalent impulses, as a part of K's largest diagonal entry. Larger biases the
/// answer (ε⁴ after the passes, over K's relative eigenvalues); smaller leaves it to rounding.
pub const COMPLIANCE: f64 = 1e-6;
/// Relative residual at which the problem counts as solved.
pub const TOLERANCE: f64 = 3e-13;
/// Passes after the first.
const PROXIMAL_PASSES: usize = 3;
/// Sweeps before the first Newton step.
const START_SWEEPS: usize = 10;
/// Added compliance of the continuation, as parts of K's largest diagonal entry.
const CONTINUATION: [f64; 6] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 0.0];
/// Rounds of sweeps and Newton at one level of the continuation, and the sweeps of a round.
const ROUNDS: usize = 3;
const ROUND_SWEEPS: usize = 100;

/// What is asked at one instant; 3 numbers per contact in the order normal, T1, T2.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    /// K, symmetric, 3·contacts × 3·contacts: velocity per impulse.
    pub response: Arc<DMatrix<f64>>,
    /// w, 3·contacts: velocity without impulse.
    pub velocity: DVector<f64>,
    /// μ, one per contact.
    pub friction: Arc<[f64]>,
    /// Normal impulses where they are given, one per contact.
    pub given_normal: Option<Vec<f64>>,
}

/// Solves the problem, starting from the impulses `warm` of a similar one where there are any.
pub fn solve(
    problem: ContactProblem,
    warm: Option<&[f64]>,
    workspace: &mut ContactWorkspace,
) -> ContactSolution {
    let count = problem.friction.len();
    if !is_finite(&problem) {
        return ContactSolution::at_zero(problem, 0, false);
    }
    let (largest_diagonal, largest) = largest_diagonal(&problem.response);
    if largest <= 0.0 {
        // Nothing can move: right only if nothing has to.
        let still = (0..count).all(|i| problem.velocity[3 * i] >= 0.0);
        return ContactSolution::at_zero(problem, largest_diagonal, still);
    }
    if count == 1 {
        return solve_single(problem, largest_diagonal, workspace);
    }
    solve_many(problem, warm, largest_diagonal, workspace)
}

fn is_finite(problem: &ContactProblem) -> bool {
    let given = problem.given_normal.as_deref().unwrap_or(&[]);
    let mut numbers = problem
        .response
        .iter()
        .chain(problem.velocity.iter())
        .chain(problem.friction.iter())
        .chain(given);
    numbers.all(|number| number.is_finite())
}

fn largest_diagonal(response: &DMatrix<f64>) -> (usize, f64) {
    let mut best = (0, 0.0);
    for i in 0..response.nrows() {
        if response[(i, i)] > best.1 {
            best = (i, response[(i, i)]);
        }
    }
    best
}

/// The four passes of (1).
fn solve_many(
    problem: ContactProblem,
    warm: Option<&[f64]>,
    largest_diagonal: usize,
    workspace: &mut ContactWorkspace,
) -> ContactSolution {
    let largest = problem.response[(largest_diagonal, largest_diagonal)];
    let shift = COMPLIANCE * largest;
    workspace.start(&problem, shift);
    workspace.choose_scales(&problem);
    let mut solution = ContactSolution::at_zero(problem, largest_diagonal, true);
    solution.compliance = COMPLIANCE;
    let problem = &solution.problem;
    let mut p = vec![0.0; problem.velocity.len()];
    match warm {
        Some(warm) => p.copy_from_slice(warm),
        None => sweep(problem, &workspace.velocity, shift, &mut p, START_SWEEPS),
    }
    for pass in 0..=PROXIMAL_PASSES {
        if pass > 0 {
            for (k, velocity) in workspace.velocity.iter_mut().enumerate() {
                *velocity = problem.velocity[k] - shift * p[k];
            }
        }
        let mut residual = if pass > 0 {
            workspace.polish(problem, &mut p)
        } else {
            f64::INFINITY
        };
        if residual.is_nan() || workspace.relative(residual, &p) > TOLERANCE {
            residual = converge(problem, workspace, &mut p, largest);
        }
        solution.residual = solution.residual.max(workspace.relative(residual, &p));
        workspace.linearise(problem, &p);
        for (i, law) in workspace.laws.iter().enumerate() {
            // Newton leaves rounding where the law says zero.
            if law.mode == Mode::Open {
                p[3 * i..3 * i + 3].fill(0.0);
                p[3 * i] = problem.given_normal.as_ref().map_or(0.0, |given| given[i]);
            }
        }
        let impulse = DVector::from_column_slice(&p);
        solution.passes.push(Pass {
            impulse,
            laws: workspace.laws.clone(),
            factor: OnceLock::new(),
        });
    }
    solution.solved = solution.residual <= TOLERANCE;
    solution.iterations = workspace.iterations;
    solution.impulse.copy_from_slice(&p);
    solution
}

/// Newton from `p`, and where it fails, continuation from a softer problem; returns |G|.
fn converge(
    problem: &ContactProblem,
    workspace: &mut ContactWorkspace,
    p: &mut [f64],
    largest: f64,
) -> f64 {
    let shift = workspace.shift;
    let mut best = p.to_vec();
    let mut least = workspace.newton(problem, &mut best, TOLERANCE);
    if workspace.relative(least, &best) <= TOLERANCE {
        p.copy_from_slice(&best);
        return workspace.polish(problem, p);
    }
    p.fill(0.0);
    for added in CONTINUATION {
        workspace.shift = shift + added * largest;
        sweep(
            problem,
            &workspace.velocity,
            workspace.shift,
            p,
            START_SWEEPS,
        );
        let mut residual = workspace.newton(problem, p, TOLERANCE);
        for _ in 0..ROUNDS {
            if workspace.relative(residual, p) <= TOLERANCE {
                break;
            }
            sweep(
                problem,
                &workspace.velocity,
                workspace.shift,
                p,
                ROUND_SWEEPS,
            );
            residual = workspace.newton(problem, p, TOLERANCE);
        }
        if added == 0.0 && residual < least {
            least = residual;
            best.copy_from_slice(p);
        }
    }
    p.copy_from_slice(&best);
    if workspace.relative(least, p) <= TOLERANCE {
        workspace.polish(problem, p)
    } else {
        least
    }
}

impl ContactWorkspace {
    /// r of the law and the unit of the residual.
    pub(super) fn choose_scales(&mut self, problem: &ContactProblem) {
        self.scales.clear();
        let mut largest_scale: f64 = 0.0;
        for i in 0..problem.friction.len() {
            let block = problem.response.fixed_view::<3, 3>(3 * i, 3 * i);
            let bound = (0..3)
                .map(|row| block.row(row).abs().sum())
                .fold(0.0, f64::max)
                + self.shift;
            let scale = 1.0 / bound.max(f64::MIN_POSITIVE);
            largest_scale = largest_scale.max(scale);
            self.scales.push(scale);
        }
        let given = problem
            .given_normal
            .iter()
            .flatten()
            .copied()
            .fold(0.0, f64::max);
        self.unit = problem.velocity.amax() * largest_scale + given + f64::MIN_POSITIVE;
    }
}

#[cfg(test)]
mod tests;
