//! Who is held: bodies that touch lastingly, with their contacts.

use std::sync::Arc;

use crate::contact::group::Group;
use crate::contact::{GroupBody, GroupContact};
use crate::dynamics::{BodyState, MassProperties};
use crate::geometry::{ContactGeometry, Feature, Solid};
use crate::math::Vec3;
use crate::model::{BodyId, Material, Pair};
use crate::simulation::grouping::{group_body, group_contact};

/// A body of a held group; fixed bodies take part with infinite mass.
#[derive(Clone, Debug)]
pub struct Member {
    /// Which body.
    pub body: BodyId,
    /// Its mass.
    pub mass: MassProperties,
    /// Its shape.
    pub solid: Arc<Solid>,
}

/// A contact that a group holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldContact {
    /// Who touches.
    pub pair: Pair,
    /// Place of the first body among the members.
    pub first: usize,
    /// Place of the second body among the members.
    pub second: usize,
    /// What touches what.
    pub feature: Feature,
    /// Coulomb's coefficient of the pair.
    pub friction: f64,
    /// Rolling resistance of the pair, m.
    pub rolling: f64,
    /// It did not touch at the start of the step: it may press, but is not drawn to gap zero.
    pub late: bool,
}

/// Bodies that touch lastingly, with their contacts.
#[derive(Clone, Debug)]
pub struct HeldGroup {
    /// In order of their numbers.
    pub members: Vec<Member>,
    /// Of all pairs.
    pub contacts: Vec<HeldContact>,
    /// Acts on all that move, m/s².
    pub gravity: Vec3,
}

impl HeldGroup {
    /// The place of a body among the members.
    pub fn place(&self, body: BodyId) -> Option<usize> {
        self.members.iter().position(|member| member.body == body)
    }

    /// The group as the contact problem sees it: geometry at `states`, velocities of `motion`.
    pub(super) fn contact_group(&self, states: &[BodyState], geometry: &[ContactGeometry]) -> Group {
        let bodies: Vec<GroupBody> = self.members.iter().zip(states).map(|(member, state)| member.at(state)).collect();
        let contact = |(contact, at): (&HeldContact, &ContactGeometry)| {
            let material = Material { restitution: 0.0, friction: contact.friction, rolling: contact.rolling };
            group_contact([contact.first, contact.second], at.point, at.normal, material)
        };
        let contacts: Vec<GroupContact> = self.contacts.iter().zip(geometry).map(contact).collect();
        Group::new(&bodies, &contacts)
    }
}

impl Member {
    /// Whether forces and impulses change its motion.
    pub fn is_pushed(&self) -> bool {
        self.mass.is_pushed()
    }

    /// Whether neither its contacts nor its inertia change when it turns: a ball.
    pub fn looks_the_same_turned(&self) -> bool {
        let moments = self.mass.inertia;
        self.solid.is_ball() && moments.min() == moments.max()
    }

    pub(super) fn at(&self, state: &BodyState) -> GroupBody {
        group_body(&self.mass, state)
    }
}
