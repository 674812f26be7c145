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

use super::law::Mode;
use super::laws::{Compliance, Laws, triple};
use super::problem::ContactProblem;
use super::system::{Parts, Scratch, System};
use crate::math::Vec3;

/// One pass at its root.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    pub(super) impulse: DVector<f64>,
    pub(super) laws: Laws,
    pub(super) system: OnceLock<Option<System>>,
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
    /// Mean traces of K's diagonal blocks, of contacts and of those that resist rolling, to which ε̂ is proportional.
    pub mean_traces: [f64; 2],
    /// ε, or zero where K needs none.
    pub(super) compliance: f64,
    /// The passes before the last.
    pub(super) earlier: Vec<Pass>,
    /// The pass that gives the answer.
    pub(super) last: Pass,
}

/// A change of a problem, as (1) needs it.
pub struct ContactProblemDirection<'a> {
    /// p ↦ δw + δK·p, one number per row.
    pub dvelocity: &'a dyn Fn(&DVector<f64>) -> DVector<f64>,
    /// The changes of [`ContactSolution::mean_traces`]; the second is not looked at where nothing resists rolling.
    pub dmean_traces: [f64; 2],
    /// δμ, one per contact.
    pub dfriction: &'a [f64],
    /// δ of the rolling resistance, one per contact; may be empty where nothing resists rolling.
    pub drolling: &'a [f64],
    /// δg, one per contact; empty where no normal impulses are given.
    pub dgiven_normal: &'a [f64],
}

/// What (2) hands back for one covector p̄.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactCotangent {
    /// w̄, one number per row.
    pub velocity: DVector<f64>,
    /// Pairs (η_k, p_k) with K̄ = Σ η_k·p_kᵀ.
    pub response: Vec<(DVector<f64>, DVector<f64>)>,
    /// Covectors of the mean traces of K's diagonal blocks, beside what `response` says of them.
    pub mean_traces: [f64; 2],
    /// μ̄, one per contact.
    pub friction: Vec<f64>,
    /// Of the rolling resistance, one per contact; zero where a contact has none.
    pub rolling: Vec<f64>,
    /// ḡ, one per contact.
    pub given_normal: Vec<f64>,
}

impl ContactSolution {
    /// No impulse at all, for problems that need none or make no sense.
    pub(super) fn at_zero(problem: ContactProblem, mean_traces: [f64; 2], solved: bool) -> Self {
        let impulse = DVector::zeros(problem.velocity.len());
        let last = Pass { impulse, laws: Laws::default(), system: OnceLock::new() };
        let (iterations, residual, compliance, earlier) = (0, 0.0, 0.0, Vec::new());
        Self { problem, solved, iterations, residual, mean_traces, compliance, earlier, last }
    }

    /// p, one number per row.
    pub fn impulse(&self) -> &DVector<f64> {
        &self.last.impulse
    }

    /// What to start a similar problem from, one number per row.
    ///
    /// It is the first pass, not the answer: where redundant contacts slide the two differ, and a similar problem
    /// begins with its first pass too.
    pub fn warm_start(&self) -> &DVector<f64> {
        &self.earlier.first().unwrap_or(&self.last).impulse
    }

    /// The branch of the law at each contact; empty where there was nothing to solve.
    pub fn modes(&self) -> Vec<Mode> {
        self.last.laws.contacts.iter().map(|law| law.mode).collect()
    }

    /// The same in the first pass. With its compliance every contact has a strict answer there; without it a redundant
    /// contact that carries nothing may be on either side of opening, by rounding alone.
    pub fn first_modes(&self) -> Vec<Mode> {
        self.earlier.first().unwrap_or(&self.last).laws.contacts.iter().map(|law| law.mode).collect()
    }

    /// The branch of the law of rolling, one per entry of the problem's `rolling`: `Slide` where the contact turns,
    /// `Stick` where it does not.
    pub fn rolling_modes(&self) -> Vec<Mode> {
        self.last.laws.rolling.iter().map(|(_, law)| law.mode).collect()
    }

    /// All passes in order.
    fn passes(&self) -> impl DoubleEndedIterator<Item = &Pass> {
        self.earlier.iter().chain(std::iter::once(&self.last))
    }

    /// ε̂.
    fn shift(&self) -> Compliance {
        if self.compliance == 0.0 {
            return Compliance::default();
        }
        let [contact, rolling] = self.mean_traces;
        Compliance { contact, rolling }.scaled(self.compliance)
    }

    /// Adds a·(p_k − p_{k−1}) − ε̂·δp_{k−1} to `sum`, with a of (1) for each kind of row.
    fn add_proximal(&self, sum: &mut DVector<f64>, a: Compliance, [p, before, dbefore]: [&DVector<f64>; 3]) {
        let (rows, size) = (self.problem.contact_rows(), sum.len());
        let entries = a.entries(rows, size).zip(self.shift().entries(rows, size));
        for (k, (a, shift)) in entries.enumerate() {
            sum[k] += a * (p[k] - before[k]);
            sum[k] -= shift * dbefore[k];
        }
    }

    pub(super) fn parts<'a>(&'a self, pass: &'a Pass) -> Parts<'a> {
        Parts { problem: &self.problem, shift: self.shift(), laws: &pass.laws }
    }

    /// A of (1) for one pass; none where it is singular or there was nothing to solve.
    fn system<'a>(&self, pass: &'a Pass, scratch: &mut Scratch) -> Option<&'a System> {
        if pass.laws.contacts.is_empty() {
            return None;
        }
        let make = || {
            let mut system = System::default();
            let parts = self.parts(pass);
            // A first solve shows whether the factor is good.
            let mut probe = vec![1.0; pass.impulse.len()];
            (system.assemble(parts) && system.refine_or_exchange(parts, &mut probe, scratch)).then_some(system)
        };
        pass.system.get_or_init(make).as_ref()
    }

    /// δp for a change of the problem, equation (1). It means nothing where the problem was not solved.
    pub fn tangent(&self, direction: &ContactProblemDirection) -> DVector<f64> {
        let size = self.impulse().len();
        let zero = DVector::zeros(size);
        let mut dimpulse = DVector::zeros(size);
        let mut before = &zero;
        let [contact, rolling] = direction.dmean_traces;
        let mut scratch = Scratch::default();
        let dshift = Compliance { contact, rolling }.scaled(self.compliance);
        for pass in self.passes() {
            let Some(system) = self.system(pass, &mut scratch) else {
                return zero;
            };
            let mut dvelocity = (direction.dvelocity)(&pass.impulse);
            self.add_proximal(&mut dvelocity, dshift, [&pass.impulse, before, &dimpulse]);
            pass.laws.times_dvelocity(dvelocity.as_slice(), dimpulse.as_mut_slice());
            direction.add_coefficients(&pass.laws, &mut dimpulse);
            dimpulse.neg_mut();
            system.refine(self.parts(pass), dimpulse.as_mut_slice(), false, &mut scratch);
            before = &pass.impulse;
        }
        dimpulse
    }

    /// The covectors of the problem for a covector of the impulse, equation (2): the transpose of
    /// [`ContactSolution::tangent`].
    pub fn cotangent(&self, impulse: &DVector<f64>) -> ContactCotangent {
        let (size, rows) = (self.impulse().len(), self.problem.contact_rows());
        let mut answer = ContactCotangent::zeros(size, rows / 3, self.earlier.len() + 1);
        let (mut covector, mut scratch) = (impulse.clone(), Scratch::default());
        for (k, pass) in self.passes().rev().enumerate() {
            let k = self.earlier.len() - k;
            let Some(system) = self.system(pass, &mut scratch) else {
                return answer;
            };
            system.refine(self.parts(pass), covector.as_mut_slice(), true, &mut scratch);
            answer.take_coefficients(&pass.laws, covector.as_slice());
            let mut eta = DVector::zeros(size);
            pass.laws.transposed_dvelocity(covector.as_slice(), eta.as_mut_slice());
            eta.neg_mut();
            answer.velocity += &eta;
            for (kind, range) in [0..rows, rows..size].into_iter().enumerate() {
                let part = |p: &DVector<f64>| range.clone().map(|row| p[row] * eta[row]).sum::<f64>();
                let before = if k > 0 { part(&self.earlier[k - 1].impulse) } else { 0.0 };
                answer.mean_traces[kind] += self.compliance * (part(&pass.impulse) - before);
            }
            let shifts = self.shift().entries(rows, size);
            covector.iter_mut().zip(&eta).zip(shifts).for_each(|((entry, eta), shift)| *entry = -shift * eta);
            answer.response.push((eta, pass.impulse.clone()));
        }
        answer
    }
}

impl ContactProblemDirection<'_> {
    /// Adds G_μ·δμ + G_g·δg, and what rolling resistance adds.
    fn add_coefficients(&self, laws: &Laws, sum: &mut DVector<f64>) {
        let mut add = |row: usize, value: Vec3| {
            let mut view = sum.fixed_rows_mut::<3>(3 * row);
            view += value;
        };
        for (i, law) in laws.contacts.iter().enumerate() {
            add(i, law.dlaw_dfriction * self.dfriction[i]);
            if let Some(dgiven) = self.dgiven_normal.get(i) {
                add(i, law.dlaw_dgiven * *dgiven);
            }
        }
        for (k, (i, law)) in laws.rolling.iter().enumerate() {
            let dgiven = self.dgiven_normal.get(*i).copied().unwrap_or(0.0);
            add(laws.contacts.len() + k, law.dlaw_dcoefficient * self.drolling[*i] + law.dlaw_dgiven * dgiven);
        }
    }
}

impl ContactCotangent {
    fn zeros(size: usize, count: usize, passes: usize) -> Self {
        Self {
            velocity: DVector::zeros(size),
            response: Vec::with_capacity(passes),
            mean_traces: [0.0; 2],
            friction: vec![0.0; count],
            rolling: vec![0.0; count],
            given_normal: vec![0.0; count],
        }
    }

    /// Subtracts G_μᵀ·λ, G_gᵀ·λ, and what rolling resistance asks for.
    fn take_coefficients(&mut self, laws: &Laws, lambda: &[f64]) {
        for (i, law) in laws.contacts.iter().enumerate() {
            let lambda = triple(lambda, i);
            self.friction[i] -= law.dlaw_dfriction.dot(&lambda);
            self.given_normal[i] -= law.dlaw_dgiven.dot(&lambda);
        }
        for (k, (i, law)) in laws.rolling.iter().enumerate() {
            let lambda = triple(lambda, laws.contacts.len() + k);
            self.rolling[*i] -= law.dlaw_dcoefficient.dot(&lambda);
            self.given_normal[*i] -= law.dlaw_dgiven.dot(&lambda);
        }
    }
}
