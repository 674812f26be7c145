//! All contacts of one instant solved together: which impulses does the contact law ask for?
//!
//! K may be singular (a face on four corners), and where such contacts slide even velocities are not unique. The
//! limit of vanishing compliance decides: with ε̂ = 1e-6·mean tr K_ii and p₋₁ = 0, pass k = 0, 1, 2, 3 solves
//!
//! ```text
//! G(p_k, w_k; μ, g) = 0,    w_k = w + K·p_k + ε̂·(p_k − p_{k−1})                               (1)
//! ```
//!
//! and p₃ is the answer. Newton's method starts from a few sweeps or from the answer of a similar problem; where it
//! fails, softer problems lead up to the true one (`path` where the way turns back), or problems of less friction. One contact has a K that inverts, and
//! needs one pass with ε̂ = 0 (`single`). The derivative of the answer is `solution`; building w and K is `group`.
//!
//! Every kind of rows has units of its own and an ε̂ of its own (`law::kind`): 1e-6, of what is held together 1e-8, times the
//! mean trace of the 3 × 3 blocks of that kind alone, so that what is told to one kind does not depend on whether there are others. A mean, because the largest entry has a kink wherever two are equal, as in anything
//! symmetric. Where contacts are redundant to all but a little of what they are told, the answer depends on ε̂, and would
//! have that kink too.

use std::sync::OnceLock;

use nalgebra::DVector;

pub use super::newton::ContactWorkspace;
use super::newton::WHOLE_STEPS;
use super::path::follow;
use super::single::solve_single;
use super::solution::{ContactSolution, Pass};
use super::sweep::sweep;
use crate::contact::law::block::Mode;
use crate::contact::law::kind::{KINDS, PerKind};
use crate::contact::law::row_law::RowLaw;
pub use crate::contact::linear::response::Response;
use crate::contact::linear::triple::triple;
pub use crate::contact::problem::ContactProblem;
use crate::contact::settings::{
    COMPLIANCE, HARDENING, NEARLY, ROUGH, ROUGH_SHARE, SLOWEST_HARDENING, SOFTEST, TOLERANCE,
};

/// Passes after the first.
const PROXIMAL_PASSES: usize = 3;
/// Sweeps before the first Newton step.
const START_SWEEPS: usize = 10;
/// Problems that one continuation solves or tries to.
const CONTINUATION_LIMIT: usize = 24;
/// Sweeps where already the softest problem is too hard.
const SOFT_SWEEPS: usize = 100;
/// Shares of the friction through which it is raised where softer problems do not help.
const FRICTION_SHARES: [f64; 9] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85];
/// Factors on the scales r of the law, tried in turn.
const RESCALINGS: [f64; 3] = [10.0, 1.0, 0.1];

/// Solves the problem, starting from the impulses `warm` of a similar one (the same contacts in the same order, best
/// those of [`ContactSolution::warm_start`]) where there are any. Where the answer is unique it does not depend on
/// them beyond rounding.
pub fn solve(problem: ContactProblem, warm: Option<&[f64]>, workspace: &mut ContactWorkspace) -> ContactSolution {
    if !problem.is_finite() {
        return ContactSolution::at_zero(problem, PerKind::default(), false);
    }
    let means = problem.mean_traces();
    if problem.laws.iter().all(|law| law.coupled_to().is_some() || means[law.kind()] <= 0.0) {
        // Nothing can move: right only if nothing has to.
        let velocity = problem.velocity.as_slice();
        let still = problem.laws.iter().enumerate().all(|(i, law)| law.rests(&triple(velocity, i)));
        return ContactSolution::at_zero(problem, means, still);
    }
    if let [RowLaw::Contact { friction }] = *problem.laws {
        return solve_single(problem, friction, means, workspace);
    }
    solve_many(problem, warm, means, workspace)
}

/// The four passes of (1).
fn solve_many(
    problem: ContactProblem,
    warm: Option<&[f64]>,
    mean: PerKind,
    workspace: &mut ContactWorkspace,
) -> ContactSolution {
    let shift = mean.compliances(COMPLIANCE);
    workspace.start(&problem, shift);
    workspace.choose_scales(&problem);
    let mut solution = ContactSolution::at_zero(problem, mean, true);
    solution.compliance = COMPLIANCE;
    solution.earlier.reserve(PROXIMAL_PASSES);
    let problem = &solution.problem;
    let mut p = vec![0.0; problem.velocity.len()];
    match warm {
        Some(warm) if warm.len() == p.len() => start_warm(problem, workspace, warm, &mut p),
        _ => start_cold(problem, workspace, &mut p),
    }
    for pass in 0..=PROXIMAL_PASSES {
        if pass > 0 {
            let rows = workspace.velocity.chunks_exact_mut(3).zip(problem.velocity.as_slice().chunks_exact(3));
            for ((law, (after, before)), p) in problem.laws.iter().zip(rows).zip(p.chunks_exact(3)) {
                (0..3).for_each(|row| after[row] = before[row] - shift[law.kind()] * p[row]);
            }
        }
        let (residual, found) = solve_pass(problem, workspace, &mut p, mean, pass > 0);
        solution.residual = solution.residual.max(residual);
        let before = std::mem::replace(&mut solution.last, found);
        if pass > 0 {
            solution.earlier.push(before);
        }
        // Where a pass failed, the next would only wander off from the best that was found.
        if solution.residual > TOLERANCE || solution.residual.is_nan() {
            break;
        }
    }
    solution.solved = solution.residual <= TOLERANCE;
    solution.iterations = workspace.iterations;
    solution
}

/// The better of an answer of a similar problem and a point to start from without one, which is only made where the
/// answer does not nearly fit.
fn start_warm(problem: &ContactProblem, workspace: &mut ContactWorkspace, warm: &[f64], p: &mut [f64]) {
    let residual = workspace.evaluate(problem, warm);
    if workspace.relative(residual, warm) > NEARLY {
        start_cold(problem, workspace, p);
        if workspace.evaluate(problem, p) < residual {
            return;
        }
    }
    p.copy_from_slice(warm);
}

/// A point to start from without an answer of a similar problem: a few sweeps, or all contacts sticking.
///
/// Sweeps carry a load through one body each, so they do not reach far into a large group. One that rests mostly sticks.
fn start_cold(problem: &ContactProblem, workspace: &mut ContactWorkspace, p: &mut [f64]) {
    let mut stuck = p.to_vec();
    sweep(problem, &workspace.velocity, workspace.shift, p, START_SWEEPS);
    if matches!(&*problem.response, Response::Matrix(_)) || !workspace.stick_all(problem, &mut stuck) {
        return;
    }
    if workspace.evaluate(problem, &stuck) < workspace.evaluate(problem, p) {
        p.copy_from_slice(&stuck);
    }
}

/// One pass from `p`, where it is `near` the root with the factor of the last pass; returns its relative residual.
/// `mean` is the compliance that counts as 1.
fn solve_pass(
    problem: &ContactProblem,
    workspace: &mut ContactWorkspace,
    p: &mut [f64],
    mean: PerKind,
    near: bool,
) -> (f64, Pass) {
    let mut residual = if near { workspace.polish(problem, p) } else { f64::INFINITY };
    if residual.is_nan() || workspace.relative(residual, p) > TOLERANCE {
        residual = converge(problem, workspace, p, mean);
    }
    let relative = workspace.relative(residual, p);
    workspace.linearise(problem, p);
    // Newton leaves rounding where the law says zero.
    for (i, law) in workspace.laws.blocks.iter().enumerate() {
        if law.mode == Mode::Open {
            p[3 * i..3 * i + 3].fill(0.0);
            p[3 * i] = problem.given(i).unwrap_or(0.0);
        }
    }
    let impulse = DVector::from_column_slice(p);
    (relative, Pass { impulse, laws: workspace.take_laws(), system: OnceLock::new() })
}

/// Newton from `p`, and where it fails, continuation with one scale r after the other; returns |G|.
///
/// The root does not depend on r but the way there does: where one choice runs in circles another rarely does.
fn converge(problem: &ContactProblem, workspace: &mut ContactWorkspace, p: &mut [f64], mean: PerKind) -> f64 {
    let mut best = p.to_vec();
    let whole = if matches!(&*problem.response, Response::Bodies(_)) { WHOLE_STEPS } else { 0 };
    let mut least = workspace.newton(problem, &mut best, TOLERANCE, whole);
    for rescaling in RESCALINGS {
        if workspace.relative(least, &best) <= TOLERANCE {
            break;
        }
        workspace.scales.iter_mut().for_each(|scale| *scale *= rescaling);
        workspace.unit *= rescaling;
        descend(problem, workspace, p, mean);
        workspace.choose_scales(problem);
        // The factor at hand has the other scales in it.
        workspace.factored = false;
        let residual = workspace.polish(problem, p);
        if residual < least {
            least = residual;
            best.copy_from_slice(p);
        }
    }
    if workspace.relative(least, &best) > TOLERANCE {
        let residual = raise_friction(problem, workspace, p);
        if residual < least || workspace.relative(least, &best) > ROUGH {
            least = residual;
            best.copy_from_slice(p);
        }
    }
    p.copy_from_slice(&best);
    if workspace.relative(least, p) <= TOLERANCE { workspace.polish(problem, p) } else { least }
}

/// Solves problems of less friction first, each from the last, beginning with none, which always has an answer. Leaves in
/// `p` the answer, or that to the largest friction that was solved: nothing approaches there either. Returns |G|.
fn raise_friction(problem: &ContactProblem, workspace: &mut ContactWorkspace, p: &mut [f64]) -> f64 {
    p.fill(0.0);
    let mut trial = p.to_vec();
    for share in FRICTION_SHARES {
        let laws = problem.laws.iter().map(|law| law.with_friction(share)).collect();
        let easier = ContactProblem { laws, ..problem.clone() };
        let residual = workspace.newton(&easier, &mut trial, TOLERANCE, 0);
        if workspace.relative(residual, &trial) > TOLERANCE {
            return workspace.evaluate(problem, p);
        }
        p.copy_from_slice(&trial);
    }
    let residual = workspace.newton(problem, &mut trial, TOLERANCE, 0);
    if workspace.relative(residual, &trial) > TOLERANCE {
        return workspace.evaluate(problem, p);
    }
    p.copy_from_slice(&trial);
    residual
}

/// Solves softer problems first, each from the last, and leaves in `p` the best point of the last one tried. Where a
/// problem is not solved from the one before, the way there is halved, and then followed through every change of branch.
fn descend(problem: &ContactProblem, workspace: &mut ContactWorkspace, p: &mut [f64], mean: PerKind) {
    let shift = workspace.shift;
    let (mut softness, mut factor, mut last) = (SOFTEST, HARDENING, None);
    workspace.shift = mean.compliances(softness);
    p.fill(0.0);
    sweep(problem, &workspace.velocity, workspace.shift, p, START_SWEEPS);
    let mut solved = p.to_vec();
    for _ in 0..CONTINUATION_LIMIT {
        workspace.shift = mean.compliances(softness);
        let tolerance = if softness == COMPLIANCE { TOLERANCE } else { ROUGH.min(ROUGH_SHARE * softness) };
        let residual = workspace.newton(problem, p, tolerance, 0);
        if workspace.relative(residual, p) <= tolerance {
            if softness == COMPLIANCE {
                break;
            }
            solved.copy_from_slice(p);
            last = Some(softness);
            factor = HARDENING.max(factor * factor);
        } else if factor < SLOWEST_HARDENING {
            p.copy_from_slice(&solved);
            factor = factor.sqrt();
        } else {
            if let Some(last) = last {
                walk(problem, workspace, [&mut solved, p], mean, last);
            }
            break;
        }
        match last {
            // A last step of next to nothing would be a problem for itself.
            Some(last) => softness = if last * factor > 1.1 * COMPLIANCE { last * factor } else { COMPLIANCE },
            None => sweep(problem, &workspace.velocity, workspace.shift, p, SOFT_SWEEPS),
        }
    }
    workspace.shift = shift;
}

/// Follows the curve from a point near the root at compliance `softness`, to which it returns first. Where it arrives, `p`
/// is the root.
fn walk(
    problem: &ContactProblem,
    workspace: &mut ContactWorkspace,
    [start, p]: [&mut [f64]; 2],
    mean: PerKind,
    softness: f64,
) {
    workspace.shift = mean.compliances(softness);
    let residual = workspace.newton(problem, start, TOLERANCE, 0);
    if workspace.relative(residual, start) <= TOLERANCE
        && follow(problem, workspace, start, mean, [softness, COMPLIANCE])
    {
        p.copy_from_slice(start);
    }
}

impl ContactWorkspace {
    /// r of the law and the unit of the residual.
    pub(in crate::contact) fn choose_scales(&mut self, problem: &ContactProblem) {
        self.scales.clear();
        let (mut largest, mut fastest) = (PerKind::default(), PerKind::default());
        for (i, law) in problem.laws.iter().enumerate() {
            let (kind, block) = (law.kind(), problem.response.block(i));
            let bound = (0..3).map(|row| block.row(row).abs().sum()).fold(0.0, f64::max) + self.shift[kind];
            let scale = 1.0 / bound.max(f64::MIN_POSITIVE);
            largest[kind] = largest[kind].max(scale);
            let w = triple(problem.velocity.as_slice(), i);
            fastest[kind] = w.iter().fold(fastest[kind], |most, entry| most.max(entry.abs()));
            self.scales.push(scale);
        }
        // Impulses compare by the energy that they have in them; those of the first kind there is count as they are.
        let first = largest.0.into_iter().find(|scale| *scale > 0.0).unwrap_or(1.0);
        self.weights = PerKind(largest.0.map(|scale| if scale > 0.0 { (first / scale).sqrt() } else { 1.0 }));
        let given = problem.given_normal.iter().flatten().copied().fold(0.0, f64::max);
        let needed = |kind: usize| fastest.0[kind] * largest.0[kind] * self.weights.0[kind];
        self.unit = (1..KINDS).map(needed).fold(needed(0) + given + f64::MIN_POSITIVE, f64::max);
    }
}

#[cfg(test)]
mod tests;
