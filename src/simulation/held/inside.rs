//! Where a group is inside a step, and how that changes with the step.
//!
//! The states at x follow (4) of this folder and are projected onto what presses at the end; their derivative is that of
//! the path followed by that of the projection, with x fixed or moving.

use super::derivative::StepDerivative;
use super::direction::{StepDirection, StepTangent};
use super::group::{HeldContact, HeldGroup};
use super::outcome::StepOutcome;
use super::path::{Bend, PathDirection, StepPath};
use super::projection_derivative::ProjectionDerivative;
use crate::dynamics::{BodyState, StateTangent};
use crate::geometry::{PlacedPair, Pose};

/// How [`HeldGroup::inside`] changes at one place of a step.
pub struct InsideDerivative<'a> {
    step: &'a StepDerivative,
    x: f64,
    projection: ProjectionDerivative,
}

impl HeldGroup {
    /// The states at x inside a step that went to `unprojected` after `length`: (4), then projected onto what
    /// presses.
    pub fn inside(&self, start: &[BodyState], outcome: &StepOutcome, x: f64) -> Vec<BodyState> {
        self.projected(&self.unprojected_inside(start, outcome, x), &self.pressing(&outcome.impulse, &outcome.decided))
    }

    /// (4).
    pub fn unprojected_inside(&self, start: &[BodyState], outcome: &StepOutcome, x: f64) -> Vec<BodyState> {
        (0..start.len()).map(|k| self.unprojected_member(start, outcome, k, x)).collect()
    }

    /// (4) of one member.
    pub fn unprojected_member(&self, start: &[BodyState], outcome: &StepOutcome, k: usize, x: f64) -> BodyState {
        let end = &outcome.unprojected[k];
        StepPath::new(0.0, outcome.length, &start[k], [end, end], Bend::Late).at(x)
    }

    /// The smallest gap of a held contact half-way along the bent path, where the step is least exact.
    pub fn deepest_inside(&self, start: &[BodyState], outcome: &StepOutcome) -> f64 {
        let half = |k: usize| outcome.path(0.0, &start[k], k).at(0.5 * outcome.length);
        let states: Vec<BodyState> = (0..start.len()).map(half).collect();
        let gaps = self.contact_geometry(&states).into_iter().flatten().map(|geometry| geometry.gap);
        gaps.fold(f64::INFINITY, f64::min)
    }
}

impl HeldGroup {
    /// Whether a rim, a side or an egg touches.
    pub fn has_curves(&self) -> bool {
        self.contacts.iter().any(|contact| contact.feature.is_curved())
    }

    /// How far (m) the unprojected end of a step is off the rims, sides and eggs that press in it.
    pub fn farthest_off(&self, outcome: &StepOutcome) -> f64 {
        if !self.has_curves() {
            return 0.0;
        }
        let presses = self.pressing(&outcome.impulse, &outcome.decided);
        let geometry = self.contact_geometry(&outcome.unprojected).into_iter();
        let counted = geometry
            .zip(&self.contacts)
            .zip(presses)
            .filter(|((_, contact), presses)| *presses && contact.feature.is_curved());
        counted.filter_map(|((geometry, _), _)| Some(geometry?.gap.abs())).fold(0.0, f64::max)
    }

    /// How long (s) the lowest point of every rim that lies on something flat takes at least to run around by an angle.
    pub fn longest_run(&self, states: &[BodyState], angle: f64) -> f64 {
        if !self.has_curves() {
            return f64::INFINITY;
        }
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        let run = |contact: &HeldContact| {
            let body = |k: usize| (&*self.members[k].solid, &poses[k]);
            let pair = PlacedPair { first: body(contact.first), second: body(contact.second) };
            pair.run_time(&contact.feature, &(states[contact.first].spin - states[contact.second].spin), angle)
        };
        self.contacts.iter().map(run).fold(f64::INFINITY, f64::min)
    }

    /// Whether a rim has rolled so far over a plane that its contact would be looked for on the wrong side.
    pub fn strays(&self, states: &[BodyState]) -> bool {
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        self.contacts.iter().any(|contact| {
            let body = |k: usize| (&*self.members[k].solid, &poses[k]);
            PlacedPair { first: body(contact.first), second: body(contact.second) }.strays(&contact.feature)
        })
    }
}

impl StepDerivative {
    /// The derivative of the projected states at x inside the step.
    pub fn inside(&self, x: f64) -> InsideDerivative<'_> {
        let states = self.group.unprojected_inside(&self.start, &self.outcome, x);
        let projection =
            self.group.projection(&states, &self.group.pressing(self.outcome.impulse(), &self.outcome.decided));
        InsideDerivative { step: self, x, projection: self.group.projection_derivative(&states, &projection) }
    }
}

impl InsideDerivative<'_> {
    /// The change for a direction, whose change of the step is `step`, while x itself changes by `dx`.
    pub fn tangent(&self, direction: &StepDirection, step: &StepTangent, dx: f64) -> Vec<StateTangent> {
        self.projection.tangent(&self.unprojected_tangent(direction, step, dx), &direction.masses)
    }

    /// The same before the projection, [`HeldGroup::unprojected_inside`].
    pub fn unprojected_tangent(&self, direction: &StepDirection, step: &StepTangent, dx: f64) -> Vec<StateTangent> {
        let change = |k: usize| {
            let (start, end) = (&self.step.start[k], &self.step.outcome.unprojected[k]);
            let path = StepPath::new(0.0, self.step.outcome.length, start, [end, end], Bend::Late);
            let (start, end, dlength) = (direction.bodies[k], step.unprojected[k], direction.dlength);
            path.tangent_at(self.x, &PathDirection { start, unprojected: end, end, dlength, dx })
        };
        (0..self.step.start.len()).map(change).collect()
    }
}
