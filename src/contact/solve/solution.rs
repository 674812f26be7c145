//! The answer to a contact problem, and how it changes with the problem, in both directions.
//!
//! Pass k of `solver` solves G(p_k, w_k; c, g) = 0 with w_k = w + K·p_k + ε̂·(p_k − p_{k−1}) and p₋₁ = 0. With the modes
//! fixed that is smooth, so a change of the inputs changes every pass by
//!
//! ```text
//! A_k·δp_k = −C_k·(δw + δK·p_k + δε̂·(p_k − p_{k−1}) − ε̂·δp_{k−1}) − G_c·δc − G_g·δg          (1)
//! A_k = P_k + C_k·(K + ε̂)
//! ```
//!
//! and, read backwards from p̄_3 = p̄, with λ_k = A_k⁻ᵀ·p̄_k and η_k = −C_kᵀ·λ_k,
//!
//! ```text
//! w̄ = Σ η_k,   K̄ = Σ η_k·p_kᵀ,   ε̂-bar = Σ η_k·(p_k − p_{k−1}),   p̄_{k−1} = −ε̂·η_k           (2)
//! c̄ = −Σ G_cᵀ·λ_k,   ḡ = −Σ G_gᵀ·λ_k
//! ```
//!
//! c are the coefficients of the laws, as μ is of friction, and g the normal impulses that are given.
//!
//! The factors A_k are made when a derivative is first asked for: simulating alone does not pay for them.

use std::sync::OnceLock;

use nalgebra::{DMatrix, DVector};

use super::system::{Parts, Scratch, System};
use crate::contact::law::block::Mode;
use crate::contact::law::kind::{KINDS, Kind, PerKind, STIFFNESS};
use crate::contact::law::list::Laws;
use crate::contact::linear::triple::triple;
use crate::contact::problem::ContactProblem;
use crate::math::{Mat3, Vec3};

/// One pass at its root.
#[derive(Clone, Debug)]
pub(in crate::contact) struct Pass {
    pub(in crate::contact) impulse: DVector<f64>,
    pub(in crate::contact) laws: Laws,
    pub(in crate::contact) system: OnceLock<Option<System>>,
}

/// Impulses that meet the law, and what their derivative needs.
#[derive(Clone, Debug)]
pub struct ContactSolution {
    /// What was asked.
    pub problem: ContactProblem,
    /// Whether every pass met [`TOLERANCE`](crate::contact::TOLERANCE). Where false the impulse is the best one found and
    /// has no derivative.
    pub solved: bool,
    /// Newton steps taken.
    pub iterations: usize,
    /// Residual of the worst pass, relative.
    pub residual: f64,
    /// Mean traces of K's diagonal blocks of each kind, to which the kind's ε̂ is proportional.
    pub mean_traces: PerKind,
    /// ε, or zero where K needs none.
    pub(in crate::contact) compliance: f64,
    /// The passes before the last.
    pub(in crate::contact) earlier: Vec<Pass>,
    /// The pass that gives the answer.
    pub(in crate::contact) last: Pass,
}

/// A change of a problem, as (1) needs it.
pub struct ContactProblemDirection<'a> {
    /// p ↦ δw + δK·p, one number per row.
    pub dvelocity: &'a dyn Fn(&DVector<f64>) -> DVector<f64>,
    /// The changes of [`ContactSolution::mean_traces`].
    pub dmean_traces: PerKind,
    /// δ of the coefficient of every law, one per block: of friction, of rolling resistance, 0 of what has none.
    pub dcoefficients: &'a [f64],
    /// δg, one per contact; empty where no normal impulses are given.
    pub dgiven_normal: &'a [f64],
}

/// What (2) hands back for covectors p̄, one in each column.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactCotangent {
    /// w̄, rows × covectors.
    pub velocity: DMatrix<f64>,
    /// η_k, rows × covectors, one per pass in order: K̄ = Σ η_k·p_kᵀ for each covector.
    pub response: Vec<DMatrix<f64>>,
    /// Covectors of the mean traces of K's diagonal blocks, beside what `response` says of them: kinds × covectors.
    pub mean_traces: DMatrix<f64>,
    /// Of the coefficient of every law, blocks × covectors: those of the contacts, μ̄, first.
    pub coefficients: DMatrix<f64>,
    /// ḡ, contacts × covectors.
    pub given_normal: DMatrix<f64>,
}

impl ContactSolution {
    /// No impulse at all, for problems that need none or make no sense.
    pub(in crate::contact) fn at_zero(problem: ContactProblem, mean_traces: PerKind, solved: bool) -> Self {
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
        self.modes_of(&self.last, Kind::Contact).collect()
    }

    /// The same in the first pass. With its compliance every contact has a strict answer there; without it a redundant
    /// contact that carries nothing may be on either side of opening, by rounding alone.
    pub fn first_modes(&self) -> Vec<Mode> {
        self.modes_of(self.earlier.first().unwrap_or(&self.last), Kind::Contact).collect()
    }

    /// The same in all passes, one pass after the other.
    ///
    /// Where redundant contacts slide the passes do not only take the compliance away: they move loads from contact to
    /// contact, and a contact may change its branch in one of them. The answer depends on all.
    pub fn all_modes(&self) -> Vec<Mode> {
        self.passes().flat_map(|pass| self.modes_of(pass, Kind::Contact)).collect()
    }

    /// The branch of the law of rolling, one per block that resists it: `Slide` where the contact turns, `Stick` where it
    /// does not.
    pub fn rolling_modes(&self) -> Vec<Mode> {
        self.modes_of(&self.last, Kind::Rolling).collect()
    }

    /// The branches of the blocks of a kind.
    fn modes_of<'a>(&'a self, pass: &'a Pass, kind: Kind) -> impl Iterator<Item = Mode> + 'a {
        let of_kind = self.problem.laws.iter().zip(&pass.laws.blocks).filter(move |(law, _)| law.kind() == kind);
        of_kind.map(|(_, law)| law.mode)
    }

    /// All passes in order.
    fn passes(&self) -> impl Iterator<Item = &Pass> {
        self.earlier.iter().chain(std::iter::once(&self.last))
    }

    /// ε̂.
    fn shift(&self) -> PerKind {
        if self.compliance == 0.0 { PerKind::default() } else { self.mean_traces.compliances(self.compliance) }
    }

    /// Adds a·(p_k − p_{k−1}) − ε̂·δp_{k−1} to `sum`, with a of (1) for each kind of row.
    fn add_proximal(&self, sum: &mut DVector<f64>, a: PerKind, [p, before, dbefore]: [&DVector<f64>; 3]) {
        let shift = self.shift();
        for (i, law) in self.problem.laws.iter().enumerate() {
            let (a, shift) = (a[law.kind()], shift[law.kind()]);
            for k in 3 * i..3 * i + 3 {
                sum[k] += a * (p[k] - before[k]);
                sum[k] -= shift * dbefore[k];
            }
        }
    }

    pub(in crate::contact) fn parts<'a>(&'a self, pass: &'a Pass) -> Parts<'a> {
        Parts { problem: &self.problem, shift: self.shift(), laws: &pass.laws }
    }

    /// A of (1) for one pass; none where it is singular or there was nothing to solve.
    fn system<'a>(&self, pass: &'a Pass, scratch: &mut Scratch) -> Option<&'a System> {
        if pass.laws.blocks.is_empty() {
            return None;
        }
        let make = || {
            let mut system = System::default();
            let parts = self.parts(pass);
            (system.assemble(parts) && system.is_good(parts, scratch)).then_some(system)
        };
        pass.system.get_or_init(make).as_ref()
    }

    /// δp for a change of the problem, equation (1). It means nothing where the problem was not solved.
    pub fn tangent(&self, direction: &ContactProblemDirection) -> DVector<f64> {
        let size = self.impulse().len();
        let zero = DVector::zeros(size);
        let mut dimpulse = DVector::zeros(size);
        let mut before = &zero;
        let mut scratch = Scratch::default();
        let dshift = direction.dmean_traces.compliances(self.compliance);
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

    /// p_k of every pass, in order.
    pub fn pass_impulses(&self) -> impl Iterator<Item = &DVector<f64>> {
        self.passes().map(|pass| &pass.impulse)
    }

    /// The covectors of the problem for covectors of the impulse, rows × covectors, equation (2): the transpose of
    /// [`ContactSolution::tangent`].
    pub fn cotangent(&self, mut impulse: DMatrix<f64>) -> ContactCotangent {
        let (count, shift) = (impulse.ncols(), self.shift());
        let mut answer = ContactCotangent::zeros(&self.problem, count);
        let mut scratch = Scratch::default();
        for k in (0..=self.earlier.len()).rev() {
            let pass = self.earlier.get(k).unwrap_or(&self.last);
            let Some(system) = self.system(pass, &mut scratch) else {
                break;
            };
            let before = k.checked_sub(1).map(|before| &self.earlier[before].impulse);
            let mut eta = DMatrix::zeros(impulse.nrows(), count);
            system.refine_transposed(self.parts(pass), &mut impulse, &mut scratch);
            for column in 0..count {
                let mut lambda = impulse.column_mut(column);
                answer.take_coefficients(column, &pass.laws, lambda.as_slice());
                let mut eta = eta.column_mut(column);
                pass.laws.transposed_dvelocity(lambda.as_slice(), eta.as_mut_slice());
                eta.neg_mut();
                self.pass_on(eta.as_slice(), [Some(&pass.impulse), before], column, &mut answer);
                for (i, law) in self.problem.laws.iter().enumerate() {
                    (3 * i..3 * i + 3).for_each(|row| lambda[row] = -shift[law.kind()] * eta[row]);
                }
            }
            answer.velocity += &eta;
            answer.response.push(eta);
        }
        answer.response.resize_with(self.earlier.len() + 1, || DMatrix::zeros(impulse.nrows(), count));
        answer.response.reverse();
        answer
    }

    /// Whether one contact alone was solved, in one pass.
    pub(in crate::contact) fn is_single(&self) -> bool {
        self.last.laws.blocks.len() == 1 && self.earlier.is_empty() && self.compliance == 0.0
    }

    /// (2) of a single contact, for covectors in rows: w̄, μ̄ and ḡ; none where A is singular.
    pub(in crate::contact) fn single_rows(&self, impulse: &Mat3) -> Option<(Mat3, Vec3, Vec3)> {
        let law = self.last.laws.blocks.first()?;
        let system = law.dlaw_dimpulse + law.dlaw_dvelocity * self.problem.response.block(0);
        let lambda = impulse * system.try_inverse()?;
        Some((-lambda * law.dlaw_dvelocity, -lambda * law.dlaw_dcoefficient, -lambda * law.dlaw_dgiven))
    }

    /// Adds ε̂-bar of (2), of one pass with its impulse and that before.
    fn pass_on(&self, eta: &[f64], p: [Option<&DVector<f64>>; 2], column: usize, answer: &mut ContactCotangent) {
        if self.compliance == 0.0 {
            return;
        }
        let [mut now, mut before] = [PerKind::default(); 2];
        for (i, law) in self.problem.laws.iter().enumerate() {
            for (sum, p) in [&mut now, &mut before].into_iter().zip(p) {
                let Some(p) = p else { continue };
                (3 * i..3 * i + 3).for_each(|row| sum[law.kind()] += p[row] * eta[row]);
            }
        }
        let differences = now.0.into_iter().zip(before.0).map(|(now, before)| now - before);
        let traces = answer.mean_traces.column_mut(column);
        let parts = differences.zip(STIFFNESS).map(|(difference, stiffness)| self.compliance * stiffness * difference);
        traces.into_iter().zip(parts).for_each(|(trace, part)| *trace += part);
    }
}

impl ContactProblemDirection<'_> {
    /// Adds G_c·δc + G_g·δg.
    fn add_coefficients(&self, laws: &Laws, sum: &mut DVector<f64>) {
        for (i, law) in laws.blocks.iter().enumerate() {
            let mut view = sum.fixed_rows_mut::<3>(3 * i);
            view += law.dlaw_dcoefficient * self.dcoefficients[i];
            if let Some(dgiven) = self.dgiven_normal.get(law.normal_of(i)) {
                view += law.dlaw_dgiven * *dgiven;
            }
        }
    }
}

impl ContactCotangent {
    fn zeros(problem: &ContactProblem, count: usize) -> Self {
        Self {
            velocity: DMatrix::zeros(problem.velocity.len(), count),
            response: Vec::new(),
            mean_traces: DMatrix::zeros(KINDS, count),
            coefficients: DMatrix::zeros(problem.laws.len(), count),
            given_normal: DMatrix::zeros(problem.contact_count(), count),
        }
    }

    /// Subtracts G_cᵀ·λ and G_gᵀ·λ.
    fn take_coefficients(&mut self, column: usize, laws: &Laws, lambda: &[f64]) {
        for (i, law) in laws.blocks.iter().enumerate() {
            let lambda = triple(lambda, i);
            self.coefficients[(i, column)] -= law.dlaw_dcoefficient.dot(&lambda);
            if let Some(given) = self.given_normal.column_mut(column).get_mut(law.normal_of(i)) {
                *given -= law.dlaw_dgiven.dot(&lambda);
            }
        }
    }
}
