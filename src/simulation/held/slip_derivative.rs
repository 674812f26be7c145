//! How the slips of contacts, and the directions in which they slide, change with the states.
//!
//! ```text
//! u = r − n·(n·r),   r = v₁ + ω₁ × (p − x₁) − (v₂ + ω₂ × (p − x₂))                                   (1)
//! d = u/|u|,   δd = (δu − d·(d·δu))/|u|                                                              (2)
//! ```

use super::branch::Branch;
use super::direction::MassDirection;
use super::displacement::{part, pose_tangents};
use super::geometry::GeometryDerivative;
use super::group::{HeldContact, HeldGroup};
use super::slip::slip_velocities;
use crate::dynamics::{BodyState, StateTangent};
use crate::geometry::ContactGeometry;
use crate::math::Vec3;

/// Slips of all contacts at given states, and their derivative.
pub(super) struct SlipDerivative {
    pub(super) slips: Vec<Vec3>,
    geometry: Vec<Option<ContactGeometry>>,
    derivative: GeometryDerivative,
}

impl SlipDerivative {
    pub(super) fn new(group: &HeldGroup, states: &[BodyState]) -> Self {
        let (geometry, derivative) = (group.contact_geometry(states), group.geometry_derivative(states, None));
        SlipDerivative { slips: slip_velocities(group, states), geometry, derivative }
    }

    /// δu of (1), one per contact, for a change of the states it was made at and of the sizes.
    pub(super) fn tangent(
        &self,
        group: &HeldGroup,
        states: &[BodyState],
        dstates: &[StateTangent],
        masses: &[MassDirection],
    ) -> Vec<Vec3> {
        let poses = pose_tangents(dstates);
        let dcontacts = self.derivative.tangent(group, &poses, &poses, masses);
        let change = |(i, contact): (usize, &HeldContact)| {
            let (Some(at), d) = (&self.geometry[i], &dcontacts[i]) else { return Vec3::zeros() };
            let point = |member: usize| {
                let (state, dstate) = (&states[member], &dstates[member]);
                let (arm, darm) = (at.point - state.position, d.dpoint - part(dstate, 0));
                part(dstate, 2) + part(dstate, 3).cross(&arm) + state.spin.cross(&darm)
            };
            let speed = |member: usize| states[member].point_velocity(at.point);
            let relative = speed(contact.first) - speed(contact.second);
            let drelative = point(contact.first) - point(contact.second);
            let (normal, along) = (&at.normal, at.normal.dot(&relative));
            drelative - d.dnormal * along - normal * (d.dnormal.dot(&relative) + normal.dot(&drelative))
        };
        group.contacts.iter().enumerate().map(change).collect()
    }
}

/// δd of (2) for a slip and its change.
pub(super) fn direction_tangent(slip: &Vec3, dslip: &Vec3) -> Vec3 {
    let length = slip.norm();
    let direction = slip / length;
    (dslip - direction * direction.dot(dslip)) / length
}

/// The change of the direction of every branch that slides, for changes of the slips at the start.
pub(super) fn slide_directions(branches: &[Branch], slips: &[Vec3], dslips: &[Vec3]) -> Vec<Vec3> {
    let change = |(i, branch): (usize, &Branch)| match branch {
        Branch::Slide(_) => direction_tangent(&slips[i], &dslips[i]),
        _ => Vec3::zeros(),
    };
    branches.iter().enumerate().map(change).collect()
}
