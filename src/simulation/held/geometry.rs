//! Gap, point and normal of every contact of a group.

use super::{HeldContact, HeldGroup};
use crate::dynamics::BodyState;
use crate::geometry::{ContactGeometry, PlacedPair, Pose};
use crate::math::Vec3;

impl HeldGroup {
    /// Gap, point and normal of every contact.
    pub fn contact_geometry(&self, states: &[BodyState]) -> Vec<ContactGeometry> {
        self.geometry(states, None)
    }

    /// Gap, point and normal of every contact; a feature that is degenerate at these states keeps what it had
    /// at the `fallback`.
    pub(super) fn geometry(&self, states: &[BodyState], fallback: Option<&[ContactGeometry]>) -> Vec<ContactGeometry> {
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        let missing = ContactGeometry { gap: 0.0, point: Vec3::zeros(), normal: Vec3::y() };
        let contact = |(k, contact): (usize, &HeldContact)| {
            let place = |member: usize| (&*self.members[member].solid, &poses[member]);
            let pair = PlacedPair { first: place(contact.first), second: place(contact.second) };
            pair.contact(&contact.feature).unwrap_or_else(|| fallback.map_or(missing, |old| old[k]))
        };
        self.contacts.iter().enumerate().map(contact).collect()
    }
}
