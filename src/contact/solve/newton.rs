//! The root of the contact law over all contacts of a group, by Newton's method on its pieces.
//!
//! With G_i of every block, its derivatives P_i, C_i, and a shift s ≥ 0 on the diagonal of K:
//!
//! ```text
//! w⁺ = w + (K + s)·p                                                       (1)
//! A  = P + C·(K + s)        P, C as in `list`                             (2)
//! p ← p − a·A⁻¹·G(p),       a = 1, ½, ¼, ⅛, 1/16                           (3)
//! ```
//!
//! The first steps of large groups are taken whole unless |G| becomes larger than the impulses that could be expected: they find the
//! pieces on which the root lies. From then on
//! the step (3) is taken at the first a that brings |G| below the worst of the last eight values: G has kinks, and
//! asking for descent at every step stops at them. Every ten steps that did not halve |G|, Gauss–Seidel sweeps
//! start again from the best point. What s is for, and what to do when this fails, is `solver`.

use super::products::Products;
use super::sweep::sweep;
use super::system::{Parts, Scratch, System};
use crate::contact::law::block::{Law, Mode};
use crate::contact::law::friction::Trial;
use crate::contact::law::kind::{Kind, PerKind};
use crate::contact::law::list::Laws;
use crate::contact::law::row_law::{Point, RowLaw};
use crate::contact::linear::response::Response;
use crate::contact::linear::triple::set_triple;
use crate::contact::problem::ContactProblem;
use crate::contact::settings::ROUNDING;

/// Steps before giving up, in small and in large groups. Most problems need fewer than ten; of those that need more than
/// this, continuation solves nearly all, with fewer steps than a longer wait.
const STEP_LIMIT: usize = 25;
const LARGE_STEP_LIMIT: usize = 40;
/// Steps that are taken whole from a good start in large groups. Of the problems of piles of boxes they solve twice as many in ten steps as
/// steps that must descend; from one softened problem to the next the line search is better.
pub(in crate::contact) const WHOLE_STEPS: usize = 6;
/// Residuals that the line search remembers.
const MEMORY: usize = 8;
/// Smallest step length a.
const SHORTEST_STEP: f64 = 1.0 / 16.0;
/// Steps between two tests for a stall, and the sweeps that follow one.
const STALL_PERIOD: usize = 10;
const STALL_SWEEPS: usize = 20;
/// Steps with an old factor before a new one is made.
const CHORD_LIMIT: usize = 6;

/// Buffers of the contact solver, reused from one problem to the next.
#[derive(Clone, Debug, Default)]
pub struct ContactWorkspace {
    /// w of (1), which differs from the problem's in the proximal passes.
    pub(in crate::contact) velocity: Vec<f64>,
    /// r of the law, one per block.
    pub(in crate::contact) scales: Vec<f64>,
    /// s of (1).
    pub(in crate::contact) shift: PerKind,
    /// |G| that counts as 1: what a relative residual is relative to.
    pub(in crate::contact) unit: f64,
    /// What makes impulses of each kind compare with the others: 1 for contacts, for turning impulses 1/m.
    pub(in crate::contact) weights: PerKind,
    /// Newton steps since the problem was started.
    pub(in crate::contact) iterations: usize,
    /// The law at the last point that was linearised.
    pub(in crate::contact) laws: Laws,
    kinds: Vec<Kind>,
    after: Vec<f64>,
    residual: Vec<f64>,
    pub(in crate::contact) step: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    history: Vec<f64>,
    products: Products,
    scratch: Scratch,
    system: System,
    pub(in crate::contact) factored: bool,
}

impl ContactWorkspace {
    /// Makes room for the problem and takes its velocities.
    pub(in crate::contact) fn start(&mut self, problem: &ContactProblem, shift: PerKind) {
        let size = problem.velocity.len();
        for buffer in [&mut self.after, &mut self.residual, &mut self.step, &mut self.trial, &mut self.best] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
        self.velocity.clear();
        self.velocity.extend_from_slice(problem.velocity.as_slice());
        self.kinds.clear();
        self.kinds.extend(problem.laws.iter().map(RowLaw::kind));
        self.products.forget();
        self.shift = shift;
        self.iterations = 0;
        self.factored = false;
    }

    /// (1) into `after`.
    fn respond(&mut self, problem: &ContactProblem, p: &[f64]) {
        let size = p.len();
        let after = self.after.as_chunks_mut::<3>().0.iter_mut();
        let before = self.velocity.as_chunks::<3>().0.iter().zip(p.as_chunks::<3>().0);
        for ((after, (velocity, impulse)), &kind) in after.zip(before).zip(&self.kinds) {
            let shift = self.shift[kind];
            *after = std::array::from_fn(|row| velocity[row] + shift * impulse[row]);
        }
        let response = match &*problem.response {
            Response::Matrix(response) => response,
            Response::Bodies(rows) => {
                let changes = self.products.of(rows, p);
                self.after.iter_mut().zip(changes).for_each(|(after, change)| *after += change);
                return;
            }
        };
        let columns = response.as_slice().chunks_exact(size);
        for (&impulse, column) in p.iter().zip(columns).filter(|(impulse, _)| **impulse != 0.0) {
            for (after, response) in self.after.iter_mut().zip(column) {
                *after += impulse * response;
            }
        }
    }

    /// A contact at the impulses `p`, where the velocities were made last.
    pub(in crate::contact) fn trial_of(&self, problem: &ContactProblem, p: &[f64], i: usize, friction: f64) -> Trial {
        let given_normal = problem.given_normal.as_deref();
        Point { impulse: p, velocity: &self.after, scales: &self.scales, given_normal }.contact(i, friction)
    }

    /// |G| relative to the impulses that could be expected, or those there are where a wedge makes them larger.
    pub(in crate::contact) fn relative(&self, residual: f64, p: &[f64]) -> f64 {
        let most = |most: f64, (triple, &kind): (&[f64; 3], &Kind)| {
            triple.iter().fold(most, |most, entry| most.max(self.weights[kind] * entry.abs()))
        };
        residual / p.as_chunks::<3>().0.iter().zip(&self.kinds).fold(self.unit, most)
    }

    /// |G(p)|, with G in `residual`.
    pub(in crate::contact) fn evaluate(&mut self, problem: &ContactProblem, p: &[f64]) -> f64 {
        self.respond(problem, p);
        let given_normal = problem.given_normal.as_deref();
        let at = Point { impulse: p, velocity: &self.after, scales: &self.scales, given_normal };
        let mut sum = 0.0;
        for (i, law) in problem.laws.iter().enumerate() {
            let value = law.value(i, &at);
            set_triple(&mut self.residual, i, &value);
            sum += (self.weights[law.kind()] * value).norm_squared();
        }
        sum.sqrt()
    }

    /// The laws at the point that was linearised last.
    pub(in crate::contact) fn take_laws(&mut self) -> Laws {
        let room = Laws { blocks: Vec::with_capacity(self.laws.blocks.len()) };
        std::mem::replace(&mut self.laws, room)
    }

    /// |G(p)|, with the laws and their derivatives in `laws` and G in `residual`.
    pub(in crate::contact) fn linearise(&mut self, problem: &ContactProblem, p: &[f64]) -> f64 {
        self.linearise_by(problem, p, |i, law, at| law.law(i, at))
    }

    /// The same with every contact on a given branch.
    pub(in crate::contact) fn linearise_on(&mut self, problem: &ContactProblem, p: &[f64], modes: &[Mode]) -> f64 {
        self.linearise_by(problem, p, |i, law, at| law.law_on(i, at, modes[i]))
    }

    fn linearise_by(
        &mut self,
        problem: &ContactProblem,
        p: &[f64],
        law_at: impl Fn(usize, &RowLaw, &Point) -> Law,
    ) -> f64 {
        self.respond(problem, p);
        let given_normal = problem.given_normal.as_deref();
        let at = Point { impulse: p, velocity: &self.after, scales: &self.scales, given_normal };
        self.laws.blocks.clear();
        let mut sum = 0.0;
        for (i, row_law) in problem.laws.iter().enumerate() {
            let law = law_at(i, row_law, &at);
            set_triple(&mut self.residual, i, &law.value);
            sum += (self.weights[row_law.kind()] * law.value).norm_squared();
            self.laws.blocks.push(law);
        }
        sum.sqrt()
    }

    /// Newton's method from `p`, which becomes the best point found; returns its |G|. The first `whole` steps may raise
    /// |G|.
    pub(in crate::contact) fn newton(
        &mut self,
        problem: &ContactProblem,
        p: &mut [f64],
        tolerance: f64,
        whole: usize,
    ) -> f64 {
        let mut least = f64::INFINITY;
        self.history.clear();
        let large = matches!(&*problem.response, Response::Bodies(_));
        for count in 0..if large { LARGE_STEP_LIMIT } else { STEP_LIMIT } {
            let residual = self.linearise(problem, p);
            if residual < least {
                least = residual;
                self.best.copy_from_slice(p);
            }
            if self.relative(least, &self.best) <= tolerance || !residual.is_finite() {
                break;
            }
            self.iterations += 1;
            self.history.push(residual);
            self.factored = self.direction(problem);
            if self.factored {
                self.search(problem, p, if count < whole { self.unit } else { 0.0 });
            }
            let stalled = count % STALL_PERIOD == STALL_PERIOD - 1 && residual > 0.5 * self.least_before();
            if stalled || !self.factored {
                p.copy_from_slice(&self.best);
                sweep(problem, &self.velocity, self.shift, p, STALL_SWEEPS);
            }
        }
        p.copy_from_slice(&self.best);
        least
    }

    /// The least residual up to a stall period ago.
    fn least_before(&self) -> f64 {
        let end = (self.history.len() + 1).saturating_sub(STALL_PERIOD);
        self.history[..end].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// A⁻¹·G into `step`; false where A is singular.
    pub(in crate::contact) fn direction(&mut self, problem: &ContactProblem) -> bool {
        let parts = Parts { problem, shift: self.shift, laws: &self.laws };
        self.step.copy_from_slice(&self.residual);
        self.system.assemble(parts) && self.system.refine_or_exchange(parts, &mut self.step, &mut self.scratch)
    }

    /// Replaces `b` by A⁻¹·C·b with the A of the last [`ContactWorkspace::direction`].
    pub(in crate::contact) fn by_velocity(&mut self, problem: &ContactProblem, b: &mut [f64]) {
        let parts = Parts { problem, shift: self.shift, laws: &self.laws };
        let velocity = b.to_vec();
        self.laws.times_dvelocity(&velocity, b);
        self.system.refine(parts, b, false, &mut self.scratch);
    }

    /// The impulses at which nothing moves in any block, into `p`, which is zero; false where there are none.
    pub(in crate::contact) fn stick_all(&mut self, problem: &ContactProblem, p: &mut [f64]) -> bool {
        self.linearise(problem, p);
        for ((law, row_law), &scale) in self.laws.blocks.iter_mut().zip(&*problem.laws).zip(&self.scales) {
            row_law.stick(law, scale);
        }
        self.laws.times_dvelocity(&self.after, &mut self.residual);
        let found = self.direction(problem);
        p.iter_mut().zip(&self.step).for_each(|(p, step)| *p = -step);
        found
    }

    /// The step (3) along `step`, taken in `p`; any |G| up to `allowed` will do.
    fn search(&mut self, problem: &ContactProblem, p: &mut [f64], allowed: f64) {
        let recent = &self.history[self.history.len().saturating_sub(MEMORY)..];
        let worst = recent.iter().copied().fold(allowed, f64::max);
        let mut trial = std::mem::take(&mut self.trial);
        let mut length = 1.0;
        loop {
            for (k, entry) in trial.iter_mut().enumerate() {
                *entry = p[k] - length * self.step[k];
            }
            if length <= SHORTEST_STEP || self.evaluate(problem, &trial) < worst * (1.0 - 1e-4 * length) {
                break;
            }
            length *= 0.5;
        }
        p.copy_from_slice(&trial);
        self.trial = trial;
    }

    /// Steps from `p` with the factor at hand while they reduce |G|; returns the last |G|.
    ///
    /// Near the root they converge almost as fast as (3) and cost no factorisation. A fresh factor is made only
    /// where there is none.
    pub(in crate::contact) fn polish(&mut self, problem: &ContactProblem, p: &mut [f64]) -> f64 {
        let mut residual = if self.factored { self.evaluate(problem, p) } else { self.linearise(problem, p) };
        if !self.factored {
            self.iterations += 1;
            self.factored = self.direction(problem);
        }
        for _ in 0..CHORD_LIMIT {
            if residual <= ROUNDING * self.unit || !self.factored {
                break;
            }
            self.step.copy_from_slice(&self.residual);
            self.system.solve(problem, &mut self.step, &mut self.scratch);
            let mut trial = std::mem::take(&mut self.trial);
            for (k, entry) in trial.iter_mut().enumerate() {
                *entry = p[k] - self.step[k];
            }
            let next = self.evaluate(problem, &trial);
            let better = next < residual;
            if better {
                p.copy_from_slice(&trial);
            }
            self.trial = trial;
            if !better {
                break;
            }
            residual = next;
        }
        residual
    }
}
