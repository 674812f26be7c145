//! A change of everything that a step depends on, and the change of the step.

use nalgebra::DVector;

use super::group::{HeldGroup, Member};
use crate::dynamics::{BodyState, StateTangent};
use crate::math::{Mat3, Vec3};
use crate::simulation::grouping::inverse_changes;

/// A change of one member's mass and size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MassDirection {
    /// δm, kg.
    pub dmass: f64,
    /// δ of the principal moments, kg·m². They do not follow the mass by themselves.
    pub dinertia: Vec3,
    /// δs/s of all lengths of the shape. Neither mass nor moments follow it by themselves.
    pub dsize: f64,
}

/// A change of everything a step depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct StepDirection {
    /// δq of the start, one per member. A fixed body has one only where its place is a parameter.
    pub bodies: Vec<StateTangent>,
    /// δs.
    pub dlength: f64,
    /// δ of gravity.
    pub dgravity: Vec3,
    /// δμ, one per contact.
    pub dfriction: Vec<f64>,
    /// δ of the rolling resistance, one per contact; without effect where there is none.
    pub drolling: Vec<f64>,
    /// One per member; of fixed ones only the size is looked at.
    pub masses: Vec<MassDirection>,
}

/// The change of a step.
#[derive(Clone, Debug)]
pub struct StepTangent {
    /// Of the states after the step, one per member.
    pub end: Vec<StateTangent>,
    /// Of the states before the projection.
    pub unprojected: Vec<StateTangent>,
    /// Of the impulses, as in [`StepOutcome::impulse`](super::StepOutcome::impulse).
    pub impulse: DVector<f64>,
}

impl MassDirection {
    /// The change of 1/m and of W in the world at a state, its rotation held.
    pub(super) fn inverse(&self, member: &Member, state: &BodyState) -> (f64, Mat3) {
        inverse_changes(&member.mass, state, self.dmass, &self.dinertia)
    }
}

impl StepDirection {
    /// No change at all.
    pub fn zero(group: &HeldGroup) -> Self {
        let (members, contacts) = (group.members.len(), group.contacts.len());
        StepDirection {
            bodies: vec![StateTangent::zeros(); members],
            dlength: 0.0,
            dgravity: Vec3::zeros(),
            dfriction: vec![0.0; contacts],
            drolling: vec![0.0; contacts],
            masses: vec![MassDirection::default(); members],
        }
    }
}
