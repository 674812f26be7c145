//! Gap, point and normal of every contact of a group, and how they change with its poses.
//!
//! A feature that is degenerate at the poses asked for, as edges that have become parallel, keeps what it had at other poses,
//! the start of the step; its change is then that of the start. A step holds only what is defined at its start.
//! Were it otherwise its geometry would be no number, and the motion end as such: nothing ever touches at a place that was made up.
//! A projection has no start to ask: there a degenerate feature has neither gap nor direction, and so draws nothing; and it
//! does not slide.

use super::direction::MassDirection;
use super::displacement::PoseTangent;
use super::group::{HeldContact, HeldGroup};
use crate::dynamics::BodyState;
use crate::geometry::{ContactDerivative, ContactGeometry, PLACE_COLUMNS, PlacedPair, Pose};
use crate::math::Vec3;
use nalgebra::SVector;

/// The change of where a contact is, and of where it looks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactTangent {
    pub dpoint: Vec3,
    pub dnormal: Vec3,
}

/// Where a contact's geometry was taken, with its derivative by the poses there.
pub(super) enum Source {
    Here(ContactDerivative),
    AtStart(ContactDerivative),
    Nowhere,
}

/// How the geometry of every contact changes with the poses.
pub(super) struct GeometryDerivative {
    pub(super) sources: Vec<Source>,
}

impl HeldGroup {
    /// Gap, point and normal of every contact; none of those that are degenerate at these states.
    pub fn contact_geometry(&self, states: &[BodyState]) -> Vec<Option<ContactGeometry>> {
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        self.found(&poses).collect()
    }

    /// The same where the poses are at hand.
    fn found(&self, poses: &[Pose]) -> impl Iterator<Item = Option<ContactGeometry>> {
        self.contacts.iter().map(|contact| self.placed(contact, poses).contact(&contact.feature))
    }

    /// Gap, point and normal of every contact; a feature that is degenerate at these states keeps what it had
    /// at the `start`.
    pub(super) fn geometry(&self, states: &[BodyState], start: &[ContactGeometry]) -> Vec<ContactGeometry> {
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        self.found(&poses).zip(start).map(|(found, start)| found.unwrap_or(*start)).collect()
    }

    /// The same at the start of a step, where every feature is defined.
    pub(super) fn start_geometry(&self, states: &[BodyState]) -> Vec<ContactGeometry> {
        let nowhere = Vec3::repeat(f64::NAN);
        let undefined = ContactGeometry { gap: f64::NAN, point: nowhere, normal: nowhere };
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        self.found(&poses).map(|found| found.unwrap_or(undefined)).collect()
    }

    /// The same for a projection.
    pub(super) fn drawing_geometry(&self, states: &[BodyState]) -> Vec<ContactGeometry> {
        let nothing = ContactGeometry { gap: 0.0, point: Vec3::zeros(), normal: Vec3::zeros() };
        let poses: Vec<Pose> = states.iter().map(BodyState::pose).collect();
        self.found(&poses).map(|found| found.unwrap_or(nothing)).collect()
    }

    /// The derivative of `geometry` with the fallback at the states `start`.
    pub(super) fn geometry_derivative(&self, states: &[BodyState], start: Option<&[BodyState]>) -> GeometryDerivative {
        let poses = |states: &[BodyState]| states.iter().map(BodyState::pose).collect::<Vec<_>>();
        let (here, start) = (poses(states), start.map(poses));
        let derivative = |contact: &HeldContact, poses: &[Pose]| {
            let pair = self.placed(contact, poses);
            pair.contact(&contact.feature).and_then(|_| pair.contact_derivative(&contact.feature))
        };
        let source = |contact: &HeldContact| match (derivative(contact, &here), &start) {
            (Some(found), _) => Source::Here(found),
            (None, Some(start)) => derivative(contact, start).map_or(Source::Nowhere, Source::AtStart),
            (None, None) => Source::Nowhere,
        };
        GeometryDerivative { sources: self.contacts.iter().map(source).collect() }
    }

    fn placed<'a>(&'a self, contact: &HeldContact, poses: &'a [Pose]) -> PlacedPair<'a> {
        let place = |member: usize| (&*self.members[member].solid, &poses[member]);
        PlacedPair { first: place(contact.first), second: place(contact.second) }
    }
}

impl GeometryDerivative {
    /// The change of every contact for changes of the poses here and at the start and of the sizes, one per member.
    pub(super) fn tangent(
        &self,
        group: &HeldGroup,
        here: &[PoseTangent],
        start: &[PoseTangent],
        masses: &[MassDirection],
    ) -> Vec<ContactTangent> {
        let change = |(contact, source): (&HeldContact, &Source)| {
            let (derivative, poses) = match source {
                Source::Here(derivative) => (derivative, here),
                Source::AtStart(derivative) => (derivative, start),
                Source::Nowhere => return ContactTangent::default(),
            };
            let place = change_of_place(contact, poses, masses);
            ContactTangent { dpoint: derivative.dpoint * place, dnormal: derivative.dnormal * place }
        };
        group.contacts.iter().zip(&self.sources).map(change).collect()
    }

    /// The change of one gap alone, for changes of the poses here, and at the start where the geometry is that of the start.
    pub(super) fn dgap(&self, group: &HeldGroup, i: usize, poses: &[PoseTangent], masses: &[MassDirection]) -> f64 {
        match &self.sources[i] {
            Source::Here(derivative) | Source::AtStart(derivative) => {
                (derivative.dgap * change_of_place(&group.contacts[i], poses, masses)).x
            }
            Source::Nowhere => 0.0,
        }
    }
}

/// What the geometry of a contact depends on: how both poses change, and both sizes.
fn change_of_place(
    contact: &HeldContact,
    poses: &[PoseTangent],
    masses: &[MassDirection],
) -> SVector<f64, PLACE_COLUMNS> {
    let mut place = SVector::<f64, PLACE_COLUMNS>::zeros();
    for (at, member) in [(0, contact.first), (6, contact.second)] {
        place.fixed_rows_mut::<3>(at).copy_from(&poses[member].0);
        place.fixed_rows_mut::<3>(at + 3).copy_from(&poses[member].1);
        place[12 + at / 6] = masses[member].dsize;
    }
    place
}
