//! The numbers of joints, forces and keys by field and member: which of them a kind has, and which track a field follows.
//!
//! ```text
//! a kind has the field, and it is constant  ──▶ the number itself           it follows a track ──▶ none, and the track's place
//! ```

use super::field::Field;
use crate::scene::{Force, ForceKind, Given, Joint, JointKind, Key, MotorDrive, RestLength, TrackSize};

/// The track that a field of a joint follows.
pub(super) fn joint_track(joint: &Joint, field: Field) -> Option<usize> {
    match (field, &joint.kind) {
        (Field::To, JointKind::Pin { to, .. }) => to.track(),
        (Field::Length, JointKind::Distance { length, .. } | JointKind::Rope { length, .. }) => length.track(),
        (
            Field::To,
            JointKind::Distance { second, .. }
            | JointKind::Rope { second, .. }
            | JointKind::Hinge { second, .. }
            | JointKind::Slider { second, .. },
        ) => second.track(),
        (Field::Rotation, JointKind::FullOrientation { rotation }) => rotation.track(),
        _ => None,
    }
}

/// The track that a field of a force follows.
pub(super) fn force_track(force: &mut Force, field: Field) -> Option<usize> {
    match (field, &force.kind) {
        (Field::To, ForceKind::Spring { second, .. }) => second.track(),
        (Field::Rotation, ForceKind::TorsionSpring { rotation: Some(rotation), .. }) => rotation.track(),
        (Field::Wind, ForceKind::Drag { wind, .. }) => wind.track(),
        (Field::Force, ForceKind::Push { force, .. }) => force.track(),
        (Field::Torque, ForceKind::Push { torque, .. }) => torque.track(),
        _ => force_scalar(&mut force.kind, field)?.track(),
    }
}

fn constant<T>(given: &mut Given<T>) -> Option<&mut T> {
    match given {
        Given::Constant(value) => Some(value),
        Given::Track(_) => None,
    }
}

/// Whether the second side has this field: a body has a point, the world a place.
fn has_side(field: Field, second: Option<usize>) -> bool {
    match field {
        Field::Second => second.is_some(),
        Field::To => second.is_none(),
        _ => true,
    }
}

/// A number of a joint, if its kind has it and it does not follow a track.
pub(super) fn joint_number(joint: &mut Joint, field: Field, k: usize) -> Option<&mut f64> {
    match field {
        Field::TimeConstant => return (k == 0).then_some(&mut joint.time_constant),
        Field::Active => return joint.active.get_mut(k / 2)?.get_mut(k % 2),
        _ if !has_side(field, joint.second) => return None,
        _ => {}
    }
    match (field, &mut joint.kind) {
        (
            Field::Point,
            JointKind::Pin { point, .. }
            | JointKind::PointToPoint { point, .. }
            | JointKind::Distance { point, .. }
            | JointKind::Rope { point, .. }
            | JointKind::OnPath { point, .. }
            | JointKind::FollowPath { point, .. }
            | JointKind::PointOnLine { point, .. }
            | JointKind::PointOnPlane { point, .. }
            | JointKind::Hinge { point, .. }
            | JointKind::Slider { point, .. },
        ) => point.get_mut(k),
        (Field::Second, JointKind::PointToPoint { second, .. }) => second.get_mut(k),
        (Field::To, JointKind::Pin { to, .. }) => constant(to)?.get_mut(k),
        (
            Field::Second | Field::To,
            JointKind::Distance { second, .. }
            | JointKind::Rope { second, .. }
            | JointKind::Hinge { second, .. }
            | JointKind::Slider { second, .. },
        ) => constant(second)?.get_mut(k),
        (Field::Rotation, JointKind::FullOrientation { rotation }) => constant(rotation)?.get_mut(k),
        (Field::Length, JointKind::Distance { length, .. } | JointKind::Rope { length, .. }) => {
            constant(length).filter(|_| k == 0)
        }
        (Field::Limit, JointKind::Hinge { limits: Some(limits), .. })
        | (Field::Travel, JointKind::Slider { limits: Some(limits), .. }) => {
            [&mut limits.low, &mut limits.high].into_iter().nth(k)
        }
        _ => None,
    }
}

/// Fields of forces that are one number.
const SCALARS: [Field; 10] = [
    Field::Stiffness,
    Field::Damping,
    Field::Length,
    Field::Linear,
    Field::Quadratic,
    Field::Angular,
    Field::Drive,
    Field::Speed,
    Field::Gain,
    Field::MaxTorque,
];

/// A number of a force, if its kind has it and it does not follow a track.
pub(super) fn force_number(force: &mut Force, field: Field, k: usize) -> Option<&mut f64> {
    if !has_side(field, force.second) {
        return None;
    }
    if SCALARS.contains(&field) {
        return constant(force_scalar(&mut force.kind, field)?).filter(|_| k == 0);
    }
    let vector = match (field, &mut force.kind) {
        (Field::Point, ForceKind::Spring { point, .. } | ForceKind::Push { point, .. }) => point,
        (Field::Second | Field::To, ForceKind::Spring { second, .. }) => constant(second)?,
        (Field::Rotation, ForceKind::TorsionSpring { rotation: Some(rotation), .. }) => constant(rotation)?,
        (Field::Wind, ForceKind::Drag { wind, .. }) => constant(wind)?,
        (Field::Force, ForceKind::Push { force, .. }) => constant(force)?,
        (Field::Torque, ForceKind::Push { torque, .. }) => constant(torque)?,
        _ => return None,
    };
    vector.get_mut(k)
}

/// The numbers of a force that are one by themselves.
fn force_scalar(kind: &mut ForceKind, field: Field) -> Option<&mut Given<f64>> {
    Some(match (field, kind) {
        (Field::Stiffness, ForceKind::Spring { stiffness, .. } | ForceKind::TorsionSpring { stiffness, .. }) => {
            stiffness
        }
        (Field::Damping, ForceKind::Spring { damping, .. } | ForceKind::TorsionSpring { damping, .. }) => damping,
        (Field::Length, ForceKind::Spring { length: RestLength::Given(length), .. }) => length,
        (Field::Linear, ForceKind::Drag { linear, .. }) => linear,
        (Field::Quadratic, ForceKind::Drag { quadratic, .. }) => quadratic,
        (Field::Angular, ForceKind::Drag { angular, .. }) => angular,
        (Field::Drive, ForceKind::Motor { drive: MotorDrive::Torque(torque), .. }) => torque,
        (Field::Speed, ForceKind::Motor { drive: MotorDrive::Speed { speed, .. }, .. }) => speed,
        (Field::Gain, ForceKind::Motor { drive: MotorDrive::Speed { gain, .. }, .. }) => gain,
        (Field::MaxTorque, ForceKind::Motor { drive: MotorDrive::Speed { max_torque, .. }, .. }) => {
            max_torque.as_mut()?
        }
        _ => return None,
    })
}

/// A number of a key.
pub(super) fn key_number(key: &mut Key, size: TrackSize, field: Field, k: usize) -> Option<&mut f64> {
    match (field, size) {
        (Field::Time, _) if k == 0 => Some(&mut key.t),
        (Field::Value, TrackSize::Number) if k == 0 => Some(&mut key.value.x),
        (Field::Vector, TrackSize::Vector) => key.value.get_mut(k),
        _ => None,
    }
}
