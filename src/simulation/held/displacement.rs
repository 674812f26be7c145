//! Poses moved by a displacement and a turn, how that changes, and tangents by their parts.

use crate::dynamics::{BodyState, StateTangent};
use crate::math::{Mat3, Vec3, rotation};

/// δx and δθ of one body.
pub(super) type PoseTangent = (Vec3, Vec3);

/// A pose moved by a displacement and a turn; velocities stay.
pub(super) fn displaced(state: &BodyState, shift: &Vec3, turn: &Vec3) -> BodyState {
    BodyState { position: state.position + shift, rotation: rotation::exp(*turn) * state.rotation, ..*state }
}

/// The change of `displaced` for changes of the pose, of the displacement and of the turn.
pub(super) fn displaced_tangent(turn: &Vec3, dpose: &PoseTangent, dshift: &Vec3, dturn: &Vec3) -> PoseTangent {
    (dpose.0 + dshift, rotation::exp(*turn) * dpose.1 + rotation::dexp(*turn) * dturn)
}

/// The change of an inverse inertia in the world that turns by δθ, beside what the body's own moments do.
pub(super) fn turned_inertia(inverse_inertia: &Mat3, drotation: &Vec3) -> Mat3 {
    let turn = rotation::hat(*drotation);
    turn * inverse_inertia - inverse_inertia * turn
}

/// One of δx, δθ, δv, δω.
pub(super) fn part(tangent: &StateTangent, index: usize) -> Vec3 {
    tangent.fixed_rows::<3>(3 * index).into()
}

/// δx and δθ of every body.
pub(super) fn pose_tangents(tangents: &[StateTangent]) -> Vec<PoseTangent> {
    tangents.iter().map(|tangent| (part(tangent, 0), part(tangent, 1))).collect()
}

/// A tangent from its four parts.
pub(super) fn stacked(pose: PoseTangent, dvelocity: Vec3, dspin: Vec3) -> StateTangent {
    let mut tangent = StateTangent::zeros();
    for (index, part) in [pose.0, pose.1, dvelocity, dspin].iter().enumerate() {
        tangent.fixed_rows_mut::<3>(3 * index).copy_from(part);
    }
    tangent
}
