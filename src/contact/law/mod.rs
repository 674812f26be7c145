//! What each block of rows demands of its impulse and its velocity, as a root of a piecewise smooth function.
//!
//! `friction` is the law of a contact: non-penetration and Coulomb friction, in Alart and Curnier's form. `rolling` is
//! that of a contact that resists rolling. `list` holds the laws of all blocks at one point.

pub(in crate::contact) mod friction;
pub(in crate::contact) mod list;
pub(in crate::contact) mod rolling;

pub use friction::Mode;
