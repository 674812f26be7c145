//! All contacts of one instant solved together, and the derivative of the answer in both directions.
//!
//! K may be singular (a face on four corners), and where such contacts slide even velocities are not unique. The
//! limit of vanishing compliance decides: with ε̂ = 1e-6·max diag K and p₋₁ = 0, pass k = 0, 1, 2, 3 solves
//!
//! ```text
//! G(p_k, w_k; μ, g) = 0,    w_k = w + K·p_k + ε̂·(p_k − p_{k−1})                               (1)
//! ```
//!
//! and p₃ is the answer. With the modes fixed (1) is smooth, so a change of the inputs changes every pass by
//!
//! ```text
//! A_k·δp_k = −C_k·(δw + δK·p_k + δε̂·(p_k − p_{k−1}) − ε̂·δp_{k−1}) − G_μ·δμ − G_g·δg          (2)
//! A_k = P_k + C_k·(K + ε̂)
//! ```
//!
//! and, read backwards from p̄_3 = p̄, with λ_k = A_k⁻ᵀ·p̄_k and η_k = −C_kᵀ·λ_k,
//!
//! ```text
//! w̄ = Σ η_k,   K̄ = Σ η_k·p_kᵀ,   ε̂-bar = Σ η_k·(p_k − p_{k−1}),   p̄_{k−1} = −ε̂·η_k           (3)
//! μ̄ = −Σ G_μᵀ·λ_k,   ḡ = −Σ G_gᵀ·λ_k
//! ```
//!
//! One contact has a K that inverts, and needs one pass with ε̂ = 0. The factors A_k are made when a derivative is
//! first asked for: simulating alone does not pay for them. Building w and K is `group`.

use std::sync::{Arc, OnceLock};

use nalgebra::{DMatrix, DVector};

use super::factor::Factor;
use super::law::{Law, Mode};
pub use super::newton::ContactWorkspace;
use super::newton::assemble;
use super::single::solve_single;
use super::sweep::sweep;
use crate::math::Vec3;

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
    pub friction: Vec<f64>,
    /// Normal impulses where they are given, one per contact.
    pub given_normal: Option<Vec<f64>>,
}

/// One pass of (1) at its root.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    pub(super) impulse: DVector<f64>,
    pub(super) laws: Vec<Law>,
    pub(super) factor: OnceLock<Option<Factor>>,
}

/// Impulses that meet the law, and what their derivative needs.
#[derive(Clone, Debug)]
pub struct ContactSolution {
    /// What was asked.
    pub problem: ContactProblem,
    /// p, 3·contacts.
    pub impulse: DVector<f64>,
    /// Whether every pass met [`TOLERANCE`]. Where false the impulse is the best one found and has no derivative.
    pub solved: bool,
    /// Newton steps taken.
    pub iterations: usize,
    /// Residual of the worst pass, relative.
    pub residual: f64,
    /// Index of K's largest diagonal entry, on which ε̂ depends.
    pub largest_diagonal: usize,
    /// ε, or zero where K needs none.
    pub(super) compliance: f64,
    pub(super) passes: Vec<Pass>,
}

/// A change of a problem, as (2) needs it.
pub struct ContactDirectionData<'a> {
    /// p ↦ δw + δK·p, 3·contacts.
    pub dvelocity: &'a dyn Fn(&DVector<f64>) -> DVector<f64>,
    /// The change of K's diagonal entry [`ContactSolution::largest_diagonal`].
    pub dlargest_diagonal: f64,
    /// δμ, one per contact.
    pub dfriction: &'a [f64],
    /// δg, one per contact; empty where no normal impulses are given.
    pub dgiven_normal: &'a [f64],
}

/// What (3) hands back for one covector p̄.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactCotangent {
    /// w̄, 3·contacts.
    pub velocity: DVector<f64>,
    /// Pairs (η_k, p_k) with K̄ = Σ η_k·p_kᵀ.
    pub response: Vec<(DVector<f64>, DVector<f64>)>,
    /// Covector of K's largest diagonal entry, beside what `response` says of it.
    pub largest_diagonal: f64,
    /// μ̄, one per contact.
    pub friction: Vec<f64>,
    /// ḡ, one per contact.
    pub given_normal: Vec<f64>,
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
        .chain(&problem.friction)
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
        if residual.is_nan() || residual > TOLERANCE * workspace.unit {
            residual = converge(problem, workspace, &mut p, largest);
        }
        solution.residual = solution.residual.max(residual / workspace.unit);
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
    let goal = TOLERANCE * workspace.unit;
    let shift = workspace.shift;
    let mut best = p.to_vec();
    let mut least = workspace.newton(problem, &mut best, TOLERANCE);
    if least <= goal {
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
            if residual <= goal {
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
    if least <= goal {
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

impl ContactSolution {
    fn at_zero(problem: ContactProblem, largest_diagonal: usize, solved: bool) -> Self {
        let impulse = DVector::zeros(problem.velocity.len());
        let (iterations, residual, compliance) = (0, 0.0, 0.0);
        Self {
            problem,
            impulse,
            solved,
            iterations,
            residual,
            largest_diagonal,
            compliance,
            passes: Vec::new(),
        }
    }

    /// The branch of the law at each contact.
    pub fn modes(&self) -> Vec<Mode> {
        self.passes.last().map_or(Vec::new(), |pass| {
            pass.laws.iter().map(|law| law.mode).collect()
        })
    }

    /// ε̂.
    fn shift(&self) -> f64 {
        if self.compliance == 0.0 {
            return 0.0;
        }
        self.compliance * self.problem.response[(self.largest_diagonal, self.largest_diagonal)]
    }

    /// A of (2) for one pass; none where it is singular.
    fn factor<'a>(&self, pass: &'a Pass) -> Option<&'a Factor> {
        let make = || {
            let mut factor = Factor::default();
            assemble(&mut factor, &self.problem, self.shift(), &pass.laws).then_some(factor)
        };
        pass.factor.get_or_init(make).as_ref()
    }

    /// δp for a change of the problem, equation (2). It means nothing where the problem was not solved.
    pub fn tangent(&self, direction: &ContactDirectionData) -> DVector<f64> {
        let size = self.impulse.len();
        let zero = DVector::zeros(size);
        let mut dimpulse = DVector::zeros(size);
        let mut before = &zero;
        for pass in &self.passes {
            let Some(factor) = self.factor(pass) else {
                return zero;
            };
            let mut dvelocity = (direction.dvelocity)(&pass.impulse);
            dvelocity.axpy(
                self.compliance * direction.dlargest_diagonal,
                &(&pass.impulse - before),
                1.0,
            );
            dvelocity.axpy(-self.shift(), &dimpulse, 1.0);
            for (i, law) in pass.laws.iter().enumerate() {
                let mut value = law.dlaw_dvelocity * Vec3::from(dvelocity.fixed_rows::<3>(3 * i));
                value += law.dlaw_dfriction * direction.dfriction[i];
                if let Some(dgiven) = direction.dgiven_normal.get(i) {
                    value += law.dlaw_dgiven * *dgiven;
                }
                dimpulse.fixed_rows_mut::<3>(3 * i).copy_from(&-value);
            }
            factor.solve(dimpulse.as_mut_slice());
            before = &pass.impulse;
        }
        dimpulse
    }

    /// The covectors of the problem for a covector of the impulse, equation (3): the transpose of
    /// [`ContactSolution::tangent`].
    pub fn cotangent(&self, impulse: &DVector<f64>) -> ContactCotangent {
        let (size, count) = (self.impulse.len(), self.problem.friction.len());
        let mut answer = ContactCotangent {
            velocity: DVector::zeros(size),
            response: Vec::with_capacity(self.passes.len()),
            largest_diagonal: 0.0,
            friction: vec![0.0; count],
            given_normal: vec![0.0; count],
        };
        let mut covector = impulse.clone();
        for (k, pass) in self.passes.iter().enumerate().rev() {
            let Some(factor) = self.factor(pass) else {
                return answer;
            };
            factor.solve_transposed(covector.as_mut_slice());
            let mut eta = DVector::zeros(size);
            for (i, law) in pass.laws.iter().enumerate() {
                let lambda = Vec3::from(covector.fixed_rows::<3>(3 * i));
                eta.fixed_rows_mut::<3>(3 * i)
                    .copy_from(&-law.dlaw_dvelocity.tr_mul(&lambda));
                answer.friction[i] -= law.dlaw_dfriction.dot(&lambda);
                answer.given_normal[i] -= law.dlaw_dgiven.dot(&lambda);
            }
            answer.velocity += &eta;
            let before = if k > 0 {
                self.passes[k - 1].impulse.dot(&eta)
            } else {
                0.0
            };
            answer.largest_diagonal += self.compliance * (pass.impulse.dot(&eta) - before);
            covector = -self.shift() * &eta;
            answer.response.push((eta, pass.impulse.clone()));
        }
        answer
    }
}
