//! What a contact of two bodies is made of, and how that changes with what the bodies are made of.
//!
//! ```text
//! restitution, friction, rolling resistance of a pair = ½·(one body's + the other's)            (1)
//! ∂(1)/∂(one body's) = ½                                                                        (2)
//! ```
//!
//! An impact that has a restitution or a friction of its own has that instead of (1), and follows it by 1. Contact that lasts
//! belongs to no impact: it always has (1). Whose material is asked for is `world`'s business, what impulses come of it `contact`'s.

use super::field::Field;
use super::role::Member;

/// What a body's surface, one impact or held contact is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Before it fades at low speed.
    pub restitution: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Rolling resistance, m; impacts are too short for it.
    pub rolling: f64,
}

/// A change of a [`Material`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct MaterialDirection {
    pub drestitution: f64,
    pub dfriction: f64,
    pub drolling: f64,
}

/// What an impact, or all impacts of a pair, have of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Override {
    restitution: Option<f64>,
    friction: Option<f64>,
    tilt: [Option<f64>; 2],
}

/// (1).
pub(super) fn mixed(one: f64, other: f64) -> f64 {
    0.5 * (one + other)
}

/// (2).
const DMIXED_DONE: f64 = 0.5;

impl Override {
    pub fn assign(&mut self, field: Field, member: Member, value: f64) {
        match field {
            Field::Restitution => self.restitution = Some(value),
            Field::Friction => self.friction = Some(value),
            Field::Normal => self.tilt[member.index()] = Some(value),
            _ => {}
        }
    }

    /// This one, and another where this one says nothing.
    pub fn or(self, other: Override) -> Override {
        Override {
            restitution: self.restitution.or(other.restitution),
            friction: self.friction.or(other.friction),
            tilt: [self.tilt[0].or(other.tilt[0]), self.tilt[1].or(other.tilt[1])],
        }
    }

    /// The material where two surfaces meet. (1)
    pub fn material(&self, [one, other]: [Material; 2]) -> Material {
        Material {
            restitution: self.restitution.unwrap_or(mixed(one.restitution, other.restitution)),
            friction: self.friction.unwrap_or(mixed(one.friction, other.friction)),
            rolling: mixed(one.rolling, other.rolling),
        }
    }

    /// The derivative of [`Override::material`] by a field of one of the surfaces. (2)
    pub fn by_surface(&self, field: Field) -> MaterialDirection {
        let share = |own: Option<f64>| if own.is_none() { DMIXED_DONE } else { 0.0 };
        match field {
            Field::Restitution => MaterialDirection::of(field, share(self.restitution)),
            Field::Friction => MaterialDirection::of(field, share(self.friction)),
            _ => MaterialDirection::of(field, DMIXED_DONE),
        }
    }

    /// The tilt of the normal along T1 and T2; none where nobody asked for one.
    pub fn tilt(&self) -> Option<[f64; 2]> {
        self.tilt.iter().any(Option::is_some).then_some(self.tilt.map(Option::unwrap_or_default))
    }
}

impl MaterialDirection {
    /// A change of one field; none where materials have no such field.
    pub(super) fn of(field: Field, change: f64) -> MaterialDirection {
        let mut direction = MaterialDirection::default();
        match field {
            Field::Restitution => direction.drestitution = change,
            Field::Friction => direction.dfriction = change,
            Field::RollingResistance => direction.drolling = change,
            _ => {}
        }
        direction
    }
}
