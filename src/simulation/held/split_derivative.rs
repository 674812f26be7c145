//! How the end of sliding, and the step that ends there, change with the start.
//!
//! With the slips u of a contact at the start and u′ at the end of the trial step, before its projection, d = u/|u|, a = |u|, b = d·u′:
//!
//! ```text
//! u = r − n·(n·r),   r = v₁ + ω₁ × (p − x₁) − (v₂ + ω₂ × (p − x₂))                                   (1)
//! σ = s·a/(a − b),   δσ = δs·σ/s + s·(a·δb − b·δa)/(a − b)²                                          (2)
//! δa = d·δu,   δb = δd·u′ + d·δu′,   δd = (δu − d·(d·δu))/a                                          (3)
//! ```
//!
//! δu′ comes from the trial step's tangent, and δσ is the change of the length of the step that is taken. Where several
//! contacts stop at once, as the corners of a face do, σ is a least value, which has a kink: the mean of theirs is exact in the
//! directions that keep them together, and half-way between the two sides in those that part them alike.

use std::sync::Arc;

use super::derivative::StepDerivative;
use super::direction::{StepDirection, StepTangent};
use super::group::HeldGroup;
use super::outcome::Frozen;
use super::slip_derivative::{SlipDerivative, direction_tangent};
use crate::dynamics::BodyState;
use crate::math::Vec3;

/// The derivative of a step that ends where sliding ends.
pub struct SplitDerivative {
    group: Arc<HeldGroup>,
    start: Vec<BodyState>,
    contacts: Vec<usize>,
    before: SlipDerivative,
    after: SlipDerivative,
    trial: StepDerivative,
    /// The step of length σ that was taken.
    pub step: StepDerivative,
}

/// The change of such a step.
#[derive(Clone, Debug)]
pub struct SplitTangent {
    /// δσ: what follows begins this much later.
    pub dsigma: f64,
    /// The change of the step of length σ, δσ included.
    pub step: StepTangent,
}

impl HeldGroup {
    /// The derivative of the step from `start` that was `frozen` and lasted `sigma`; none where the trial is singular.
    pub fn split_derivative(
        self: &Arc<Self>,
        start: &[BodyState],
        sigma: f64,
        frozen: &Frozen,
    ) -> Option<SplitDerivative> {
        let trial = self.branch_derivative(start, frozen.whole, &frozen.branches)?;
        let step = self.branch_derivative(start, sigma, &frozen.branches)?;
        let (before, after) = (SlipDerivative::new(self, start), SlipDerivative::new(self, &trial.outcome.unprojected));
        let (group, start) = (self.clone(), start.to_vec());
        Some(SplitDerivative { group, start, contacts: frozen.contacts.clone(), before, after, trial, step })
    }
}

impl SplitDerivative {
    /// The change for a direction, whose `dlength` is that of the unsplit step.
    pub fn tangent(&self, direction: &StepDirection) -> SplitTangent {
        let dsigma = self.split_tangent(direction);
        let step = self.step.tangent(&StepDirection { dlength: dsigma, ..direction.clone() });
        SplitTangent { dsigma, step }
    }

    /// δσ of (2), the mean over the contacts that stop.
    pub fn split_tangent(&self, direction: &StepDirection) -> f64 {
        let dtrial = self.trial.tangent(direction).unprojected;
        let dslips = self.before.tangent(&self.group, &self.start, &direction.bodies, &direction.masses);
        let end = &self.trial.outcome.unprojected;
        let dslips_after = self.after.tangent(&self.group, end, &dtrial, &direction.masses);
        let dsigmas = self.contacts.iter().map(|&i| self.dsigma(i, direction.dlength, &dslips[i], &dslips_after[i]));
        dsigmas.sum::<f64>() / self.contacts.len() as f64
    }

    /// (2) for one contact, with (3).
    fn dsigma(&self, i: usize, dlength: f64, dslip: &Vec3, dslip_after: &Vec3) -> f64 {
        let (slip, slip_after, s) = (&self.before.slips[i], &self.after.slips[i], self.trial.outcome.length);
        let (a, along) = (slip.norm(), slip.normalize());
        let b = along.dot(slip_after);
        let (da, db) = (along.dot(dslip), direction_tangent(slip, dslip).dot(slip_after) + along.dot(dslip_after));
        dlength * a / (a - b) + s * (a * db - b * da) / ((a - b) * (a - b))
    }
}
