//! The numbers of joints, forces and tracks, by name.
//!
//! A machine knows how its motion changes with each of them; which of them are parameters is `model`'s business.

/// A number that the motion of a machine depends on, beside states and masses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberId {
    /// Whose.
    pub of: Owner,
    /// What it says.
    pub what: What,
    /// Which of several.
    pub member: u8,
}

/// What has numbers, by its place in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A joint.
    Joint(usize),
    /// A force.
    Force(usize),
    /// A key of a track, the first is 0.
    Key(usize, usize),
}

/// What a number says of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// The first body's point, in its frame.
    Point,
    /// The second body's point, in its frame, or the place of the world.
    Second,
    /// Of a distance or a spring.
    Length,
    /// τ of a joint.
    TimeConstant,
    /// An exponential map.
    Rotation,
    /// Of a spring.
    Stiffness,
    /// Of a spring.
    Damping,
    /// c₁ of a drag.
    Linear,
    /// c₂ of a drag.
    Quadratic,
    /// c₃ of a drag.
    Angular,
    /// Of the air.
    Wind,
    /// Of a push.
    Force,
    /// Of a push or a motor.
    Torque,
    /// That a motor tries to keep.
    Speed,
    /// Of such a motor.
    Gain,
    /// Of a key.
    Time,
    /// Of a key.
    Value,
    /// Where the second side's frame has the first's centre at the start.
    StartPlace,
    /// A turn, in the second side's frame, of how the sides stand to each other at the start.
    StartTurn,
    /// How long something is at the start.
    StartLength,
    /// Time itself, as an element's tracks see it.
    Clock,
}

/// Something that a flight changes with, beside the states of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A component of gravity.
    Gravity(usize),
    /// The mass of a member; its moments stay.
    Mass(usize),
    /// A principal moment of a member.
    Inertia(usize, usize),
    /// A number of a joint, a force or a track.
    Number(NumberId),
}

/// A number, and its name if anything may change it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub value: f64,
    /// Its name.
    pub id: Option<NumberId>,
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        Number { value, id: None }
    }
}

impl What {
    /// A number of an owner.
    pub fn of(self, of: Owner, member: usize) -> NumberId {
        NumberId { of, what: self, member: member as u8 }
    }

    /// A number of an owner, with its value.
    pub fn number(self, of: Owner, member: usize, value: f64) -> Number {
        Number { value, id: Some(self.of(of, member)) }
    }
}
