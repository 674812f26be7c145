//! What each block of rows demands of its impulse and its velocity, as a root of a piecewise smooth function.
//!
//! A problem is one list of blocks of three rows with a law each (`row_law`). `friction` is the law of a contact:
//! non-penetration and Coulomb friction. `rolling` is that of a contact that resists rolling. `equality` is that of rows
//! that hold, as those of a joint: a pin, a hinge, a weld. `block` is what a law is at one point, `list` all of them there,
//! and `kind` tells rows of different units apart.

pub(in crate::contact) mod block;
pub(in crate::contact) mod equality;
pub(in crate::contact) mod friction;
pub(in crate::contact) mod kind;
pub(in crate::contact) mod list;
pub(in crate::contact) mod rolling;
pub(in crate::contact) mod row_law;

pub use block::Mode;
pub use kind::{Kind, PerKind};
pub use row_law::RowLaw;
