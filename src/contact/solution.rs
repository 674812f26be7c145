//! The answer to a contact problem, and how it changes with the problem, in both directions.
//!
//! Pass k of `solver` solves G(p_k, w_k; μ, g) = 0 with w_k = w + K·p_k + ε̂·(p_k − p_{k−1}) and p₋₁ = 0. With the modes
//! fixed that is smooth, so a change of the inputs changes every pass by
//!
//! ```text
//! A_k·δp_k = −C_k·(δw + δK·p_k + δε̂·(p_k − p_{k−1}) − ε̂·δp_{k−1}) − G_μ·δμ − G_g·δg          (1)
//! A_k = P_k + C_k·(K + ε̂)
//! ```
//!
//! and, read backwards from p̄_3 = p̄, with λ_k = A_k⁻ᵀ·p̄_k and η_k = −C_kᵀ·λ_k,
//!
//! ```text
//! w̄ = Σ η_k,   K̄ = Σ η_k·p_kᵀ,   ε̂-bar = Σ η_k·(p_k − p_{k−1}),   p̄_{k−1} = −ε̂·η_k           (2)
//! μ̄ = −Σ G_μᵀ·λ_k,   ḡ = −Σ G_gᵀ·λ_k
//! ```
//!
//! The factors A_k are made when a derivative is first asked for: simulating alone does not pay for them.

use std::sync::OnceLock;

use nalgebra::DVector;

use super::factor::Factor;
use super::law::{Law, Mode};
use super::newton::assemble;
use super::solver::ContactProblem;
use crate::math::Vec3;

/// One pass at its root.
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
    /// Whether every pass met [`TOLERANCE`](super::solver::TOLERANCE). Where false the impulse is the best one found and
    /// has no derivative.
    pub solved: bool,
    /// Newton steps taken.
    pub iterations: usize,
    /// Residual of the worst pass, relative.
    pub residual: f64,
    /// Index of K's largest diagonal entry, on which ε̂ depends.
    pub largest_diagonal: usize,
    /// ε, or zero where K needs none.
    pub(super) compliance: f64,
    /// The passes before the last.
    pub(super) earlier: Vec<Pass>,
    /// The pass that gives the answer.
    pub(super) last: Pass,
}

/// A change of a problem, as (1) needs it.
pub struct ContactProblemDirection<'a> {
    /// p ↦ δw + δK·p, 3·contacts.
    pub dvelocity: &'a dyn Fn(&DVector<f64>) -> DVector<f64>,
    /// The change of K's diagonal entry [`ContactSolution::largest_diagonal`].
    pub dlargest_diagonal: f64,
    /// δμ, one per contact.
    pub dfriction: &'a [f64],
    /// δg, one per contact; empty where no normal impulses are given.
    pub dgiven_normal: &'a [f64],
}

/// What (2) hands back for one covector p̄.
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

impl ContactSolution {
    /// No impulse at all, for problems that need none or make no sense.
    pub(super) fn at_zero(problem: ContactProblem, largest_diagonal: usize, solved: bool) -> Self {
        let impulse = DVector::zeros(problem.velocity.len());
        let last = Pass { impulse, laws: Vec::new(), factor: OnceLock::new() };
        let (iterations, residual, compliance, earlier) = (0, 0.0, 0.0, Vec::new());
        Self { problem, solved, iterations, residual, largest_diagonal, compliance, earlier, last }
    }

    /// p, 3·contacts.
    pub fn impulse(&self) -> &DVector<f64> {
        &self.last.impulse
    }

    /// The branch of the law at each contact; empty where there was nothing to solve.
    pub fn modes(&self) -> Vec<Mode> {
        self.last.laws.iter().map(|law| law.mode).collect()
    }

    /// All passes in order.
    fn passes(&self) -> impl DoubleEndedIterator<Item = &Pass> {
        self.earlier.iter().chain(std::iter::once(&self.last))
    }

    /// ε̂.
    fn shift(&self) -> f64 {
        if self.compliance == 0.0 {
            return 0.0;
        }
        self.compliance * self.problem.response[(self.largest_diagonal, self.largest_diagonal)]
    }

    /// A of (1) for one pass; none where it is singular or there was nothing to solve.
    fn factor<'a>(&self, pass: &'a Pass) -> Option<&'a Factor> {
        if pass.laws.is_empty() {
            return None;
        }
        let make = || {
            let mut factor = Factor::default();
            assemble(&mut factor, &self.problem, self.shift(), &pass.laws).then_some(factor)
        };
        pass.factor.get_or_init(make).as_ref()
    }

    /// δp for a change of the problem, equation (1). It means nothing where the problem was not solved.
    pub fn tangent(&self, direction: &ContactProblemDirection) -> DVector<f64> {
        let size = self.impulse().len();
        let zero = DVector::zeros(size);
        let mut dimpulse = DVector::zeros(size);
        let mut before = &zero;
        for pass in self.passes() {
            let Some(factor) = self.factor(pass) else {
                return zero;
            };
            let mut dvelocity = (direction.dvelocity)(&pass.impulse);
            dvelocity.axpy(self.compliance * direction.dlargest_diagonal, &(&pass.impulse - before), 1.0);
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

    /// The covectors of the problem for a covector of the impulse, equation (2): the transpose of
    /// [`ContactSolution::tangent`].
    pub fn cotangent(&self, impulse: &DVector<f64>) -> ContactCotangent {
        let (size, count) = (self.impulse().len(), self.problem.friction.len());
        let mut answer = ContactCotangent {
            velocity: DVector::zeros(size),
            response: Vec::with_capacity(self.earlier.len() + 1),
            largest_diagonal: 0.0,
            friction: vec![0.0; count],
            given_normal: vec![0.0; count],
        };
        let mut covector = impulse.clone();
        for (k, pass) in self.passes().rev().enumerate() {
            let k = self.earlier.len() - k;
            let Some(factor) = self.factor(pass) else {
                return answer;
            };
            factor.solve_transposed(covector.as_mut_slice());
            let mut eta = DVector::zeros(size);
            for (i, law) in pass.laws.iter().enumerate() {
                let lambda = Vec3::from(covector.fixed_rows::<3>(3 * i));
                eta.fixed_rows_mut::<3>(3 * i).copy_from(&-law.dlaw_dvelocity.tr_mul(&lambda));
                answer.friction[i] -= law.dlaw_dfriction.dot(&lambda);
                answer.given_normal[i] -= law.dlaw_dgiven.dot(&lambda);
            }
            answer.velocity += &eta;
            let before = if k > 0 { self.earlier[k - 1].impulse.dot(&eta) } else { 0.0 };
            answer.largest_diagonal += self.compliance * (pass.impulse.dot(&eta) - before);
            covector = -self.shift() * &eta;
            answer.response.push((eta, pass.impulse.clone()));
        }
        answer
    }
}
