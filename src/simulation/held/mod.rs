//! Contact that lasts: a group of touching bodies moves in steps on the global time grid.
//!
//! ```text
//! v_f = free-flight velocity after s,   q_m = q ⊕ (s/2)·v,   q₁ = q ⊕ s·v                           (1)
//! contact problem without restitution at q₁:   K = J₁W₁J₁ᵀ,  w = J₁v_f,  w_n⁺ ≥ 0                  (2)
//! v⁺ = v_f + W_m·J(q_m)ᵀ·p,    q⁺ = q ⊕ s·(v + v⁺)/2, projected                                     (3)
//! path inside the step:   q ⊕ (x·v + x²·(v⁺ − v)/2s),   x from 0 to s                              (4)
//! ```
//!
//! It is of second order, also while contacts turn. `step` is this map, `projection` moves positions back onto
//! the contacts, `slip` ends a step where sliding ends; `branch`, `carry`, `geometry`, `path` and `inside` are
//! their parts.
//! Each has its derivative beside it, and `derivative` puts that of the step together. Which contacts are held, and
//! when a step is cut short by an impact, is decided by `engine`.

mod branch;
mod carry;
mod derivative;
mod geometry;
mod inside;
mod path;
mod projection;
mod projection_derivative;
mod slip;
mod split_derivative;
mod step;

pub use branch::Branch;
pub use derivative::{MassDirection, StepDerivative, StepDirection, StepTangent};
pub use inside::InsideDerivative;
pub use path::{Bend, PathDirection, StepPath};
pub use projection_derivative::ProjectionDerivative;
pub use slip::{Frozen, SlipMemory, split_step};
pub use split_derivative::{SplitDerivative, SplitTangent};
pub use step::StepOutcome;

use std::sync::Arc;

use crate::contact::group::Group;
use crate::contact::{GroupBody, GroupContact};
use crate::dynamics::{BodyState, MassProperties, StateTangent};
use crate::geometry::{ContactGeometry, Feature, Solid};
use crate::math::{Mat3, Vec3, rotation};
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
    fn contact_group(&self, states: &[BodyState], geometry: &[ContactGeometry]) -> Group {
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
    /// Whether it stays where it is.
    pub fn is_fixed(&self) -> bool {
        self.mass.is_fixed()
    }

    /// Whether neither its contacts nor its inertia change when it turns: a ball.
    pub fn looks_the_same_turned(&self) -> bool {
        let moments = self.mass.inertia;
        self.solid.is_ball() && moments.min() == moments.max()
    }

    fn at(&self, state: &BodyState) -> GroupBody {
        group_body(&self.mass, state)
    }
}

/// δx and δθ of one body.
type PoseTangent = (Vec3, Vec3);

/// A pose moved by a displacement and a turn; velocities stay.
fn displaced(state: &BodyState, shift: &Vec3, turn: &Vec3) -> BodyState {
    BodyState { position: state.position + shift, rotation: rotation::exp(*turn) * state.rotation, ..*state }
}

/// The change of `displaced` for changes of the pose, of the displacement and of the turn.
fn displaced_tangent(turn: &Vec3, dpose: &PoseTangent, dshift: &Vec3, dturn: &Vec3) -> PoseTangent {
    (dpose.0 + dshift, rotation::exp(*turn) * dpose.1 + rotation::dexp(*turn) * dturn)
}

/// The change of an inverse inertia in the world that turns by δθ, beside what the body's own moments do.
fn turned_inertia(inverse_inertia: &Mat3, drotation: &Vec3) -> Mat3 {
    let turn = rotation::hat(*drotation);
    turn * inverse_inertia - inverse_inertia * turn
}

/// One of δx, δθ, δv, δω.
fn part(tangent: &StateTangent, index: usize) -> Vec3 {
    tangent.fixed_rows::<3>(3 * index).into()
}

/// δx and δθ of every body.
fn pose_tangents(tangents: &[StateTangent]) -> Vec<PoseTangent> {
    tangents.iter().map(|tangent| (part(tangent, 0), part(tangent, 1))).collect()
}

/// A tangent from its four parts.
fn stacked(pose: PoseTangent, dvelocity: Vec3, dspin: Vec3) -> StateTangent {
    let mut tangent = StateTangent::zeros();
    for (index, part) in [pose.0, pose.1, dvelocity, dspin].iter().enumerate() {
        tangent.fixed_rows_mut::<3>(3 * index).copy_from(part);
    }
    tangent
}

#[cfg(test)]
mod tests;
