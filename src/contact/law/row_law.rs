//! Which law a block of rows obeys: the one place that knows all of them.
//!
//! A problem is one list of blocks, three rows each, every block with its law. The contacts stand first, so that contact i
//! is block i; a block that is coupled to another stands after it. Another law is a variant here and a file beside this
//! one: what solves and differentiates the list sees the laws through [`Law`] alone.

use super::block::{Law, Mode};
use super::equality::{equality_law, equality_value, relax_equality};
use super::friction::{Normal, Trial, law, law_on, law_value, relax_contact};
use super::kind::Kind;
use super::rolling::{RollingTrial, relax_rolling, rolling_law, rolling_value};
use crate::contact::linear::relaxation::Relaxation;
use crate::contact::linear::triple::triple;
use crate::math::Vec3;

/// The law of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowLaw {
    /// A contact that presses and rubs: rows (normal, T1, T2).
    Contact {
        /// μ.
        friction: f64,
    },
    /// A contact that resists rolling: three rows of relative spin, in world axes.
    Rolling {
        /// Place of the contact, whose normal impulse bounds the turning impulse.
        contact: usize,
        /// c, m: turning impulse per normal impulse.
        coefficient: f64,
    },
    /// What is held together, as by a joint.
    Equality {
        /// How many of the three rows are meant, from the first; the others have no impulse.
        rows: usize,
    },
}

/// Where the laws are asked: numbers over all rows of a problem.
#[derive(Clone, Copy)]
pub(in crate::contact) struct Point<'a> {
    /// p.
    pub(in crate::contact) impulse: &'a [f64],
    /// w⁺.
    pub(in crate::contact) velocity: &'a [f64],
    /// r, one per block.
    pub(in crate::contact) scales: &'a [f64],
    /// g, one per contact, where normal impulses are given.
    pub(in crate::contact) given_normal: Option<&'a [f64]>,
}

impl Point<'_> {
    /// A contact.
    pub(in crate::contact) fn contact(&self, block: usize, friction: f64) -> Trial {
        Trial {
            impulse: triple(self.impulse, block),
            velocity: triple(self.velocity, block),
            friction,
            given_normal: self.given_normal.map(|given| given[block]),
            scale: self.scales[block],
        }
    }

    /// The normal row of a contact.
    fn normal(&self, block: usize) -> Normal {
        Normal {
            impulse: self.impulse[3 * block],
            velocity: self.velocity[3 * block],
            given: self.given_normal.map(|given| given[block]),
            scale: self.scales[block],
        }
    }

    /// A block that resists rolling.
    fn rolling(&self, block: usize, contact: usize, coefficient: f64) -> RollingTrial {
        RollingTrial {
            impulse: triple(self.impulse, block),
            velocity: triple(self.velocity, block),
            contact,
            normal: self.normal(contact),
            coefficient,
            scale: self.scales[block],
        }
    }
}

impl RowLaw {
    /// What the rows are there for, which decides their units.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Contact { .. } => Kind::Contact,
            Self::Rolling { .. } => Kind::Rolling,
            Self::Equality { .. } => Kind::Equality,
        }
    }

    /// The block to whose first row this one is coupled: without it this one does nothing.
    pub fn coupled_to(&self) -> Option<usize> {
        match self {
            Self::Rolling { contact, .. } => Some(*contact),
            Self::Contact { .. } | Self::Equality { .. } => None,
        }
    }

    /// The change of the law's coefficient, where those of every contact's friction and rolling resistance are given.
    pub fn dcoefficient(&self, block: usize, dfriction: &[f64], drolling: &[f64]) -> f64 {
        match self {
            Self::Contact { .. } => dfriction[block],
            Self::Rolling { contact, .. } => drolling[*contact],
            Self::Equality { .. } => 0.0,
        }
    }

    /// Whether its numbers are such as can be solved for: finite, and no more than three rows held.
    pub(in crate::contact) fn is_sound(&self) -> bool {
        match self {
            Self::Contact { friction } => friction.is_finite(),
            Self::Rolling { coefficient, .. } => coefficient.is_finite(),
            Self::Equality { rows } => *rows <= 3,
        }
    }

    /// The same with a share of the friction.
    pub(in crate::contact) fn with_friction(&self, share: f64) -> Self {
        match self {
            Self::Contact { friction } => Self::Contact { friction: share * friction },
            Self::Rolling { .. } | Self::Equality { .. } => *self,
        }
    }

    /// Whether the law holds without any impulse where the velocity is `w`.
    pub(in crate::contact) fn rests(&self, w: &Vec3) -> bool {
        match self {
            Self::Contact { .. } => w.x >= 0.0,
            Self::Rolling { .. } => true,
            Self::Equality { rows } => w.iter().take(*rows).all(|w| *w == 0.0),
        }
    }

    /// G alone.
    pub(in crate::contact) fn value(&self, block: usize, at: &Point) -> Vec3 {
        match *self {
            Self::Contact { friction } => law_value(&at.contact(block, friction)),
            Self::Rolling { contact, coefficient } => rolling_value(&at.rolling(block, contact, coefficient)),
            Self::Equality { rows } => {
                equality_value(rows, &triple(at.impulse, block), &triple(at.velocity, block), at.scales[block])
            }
        }
    }

    /// G and its derivatives.
    pub(in crate::contact) fn law(&self, block: usize, at: &Point) -> Law {
        match *self {
            Self::Contact { friction } => law(&at.contact(block, friction)),
            Self::Rolling { contact, coefficient } => rolling_law(&at.rolling(block, contact, coefficient)),
            Self::Equality { rows } => {
                equality_law(rows, &triple(at.impulse, block), &triple(at.velocity, block), at.scales[block])
            }
        }
    }

    /// The same on a given branch, whichever the law would take; laws with other branches than those of a contact take
    /// their own.
    pub(in crate::contact) fn law_on(&self, block: usize, at: &Point, mode: Mode) -> Law {
        match *self {
            Self::Contact { friction } => law_on(&at.contact(block, friction), mode),
            Self::Rolling { .. } | Self::Equality { .. } => self.law(block, at),
        }
    }

    /// Makes a law of this kind one in which nothing moves.
    pub(in crate::contact) fn stick(&self, law: &mut Law, scale: f64) {
        match self {
            Self::Contact { .. } | Self::Rolling { .. } => law.stick(scale),
            Self::Equality { .. } => {}
        }
    }

    /// One visit of a sweep.
    pub(in crate::contact) fn relax(&self, block: usize, given_normal: Option<f64>, at: &mut Relaxation) {
        match *self {
            Self::Contact { friction } => relax_contact(friction, given_normal, block, at),
            Self::Rolling { contact, coefficient } => relax_rolling(contact, coefficient, block, at),
            Self::Equality { rows } => relax_equality(rows, block, at),
        }
    }
}
