//! The numbers of a machine as `dynamics` names them, and the quantities of the world that they are.
//!
//! What is "of the start" (the length of a spring, how a weld's sides stand to each other) is no quantity of its own: it follows
//! initial states.

use super::field::Field;
use super::role::Member;
use super::subject::{ForceId, JointId, KeyId, Subject};
use super::{Quantity, World};
use crate::dynamics::KeyNumber;
use crate::dynamics::joined::{NumberId, Owner, What};
use crate::scene::{ForceKind, TrackSize};

impl World {
    /// The quantity that a number of a machine is; none of what follows the start.
    pub fn quantity_of(&self, id: NumberId) -> Option<Quantity> {
        let (subject, second): (Subject, Option<usize>) = match id.of {
            Owner::Joint(joint) => (JointId(joint as u32).into(), self.machine.joints[joint].second),
            Owner::Force(force) => (ForceId(force as u32).into(), self.machine.forces[force].second),
            Owner::Key(track, key) => (KeyId { track: track as u32, key: key as u32 }.into(), None),
        };
        let is_motor = |force: usize| matches!(self.machine.forces[force].kind, ForceKind::Motor { .. });
        let field = match (id.what, id.of) {
            (What::Point, _) => Field::Point,
            (What::Second, _) if second.is_some() => Field::Second,
            (What::Second, _) => Field::To,
            (What::Length, _) => Field::Length,
            (What::TimeConstant, _) => Field::TimeConstant,
            (What::Rotation, _) => Field::Rotation,
            (What::Stiffness, _) => Field::Stiffness,
            (What::Damping, _) => Field::Damping,
            (What::Linear, _) => Field::Linear,
            (What::Quadratic, _) => Field::Quadratic,
            (What::Angular, _) => Field::Angular,
            (What::Wind, _) => Field::Wind,
            (What::Force, _) => Field::Force,
            (What::Torque, Owner::Force(force)) if is_motor(force) => Field::Drive,
            (What::Torque, _) => Field::Torque,
            (What::Speed, _) => Field::Speed,
            (What::Gain, _) => Field::Gain,
            (What::Time, _) => Field::Time,
            (What::Value, Owner::Key(track, _)) if self.machine.tracks[track].size == TrackSize::Vector => {
                Field::Vector
            }
            (What::Value, _) => Field::Value,
            (What::StartPlace | What::StartTurn | What::StartLength | What::Clock, _) => return None,
        };
        Some(Quantity::Parameter(field.of(subject).along(Member(id.member))))
    }
}

impl Quantity {
    /// The time of a key of a track.
    pub fn key_time(track: usize, key: usize) -> Quantity {
        Quantity::Parameter(Field::Time.of(KeyId { track: track as u32, key: key as u32 }))
    }

    /// A number of a key of a track.
    pub fn of_key(number: KeyNumber) -> Quantity {
        match number {
            KeyNumber::Time { track, key } => Quantity::key_time(track, key),
            KeyNumber::Value { track, key, axis } => {
                let key = KeyId { track: track as u32, key: key as u32 };
                Quantity::Parameter(Field::Vector.of(key).along(Member(axis as u8)))
            }
        }
    }

    /// The time at which a joint begins (0) or ceases (1) to hold.
    pub fn border(joint: usize, interval: usize, end: usize) -> Quantity {
        let member = Member((2 * interval + end) as u8);
        Quantity::Parameter(Field::Active.of(JointId(joint as u32)).along(member))
    }
}
