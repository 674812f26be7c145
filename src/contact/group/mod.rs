//! Bodies that touch at one instant, as the contact problem sees them: w and K, and how both change.
//!
//! `frame` has the axes of a contact, `bodies` its numbers, `block` rows of any kind between two bodies; `rows` turns them
//! into w and K, which change as `tangent` and
//! `cotangent` say.

pub(in crate::contact) mod block;
pub(in crate::contact) mod bodies;
pub(in crate::contact) mod cotangent;
pub mod frame;
pub(in crate::contact) mod rows;
pub mod tangent;

pub use block::{RowBlock, RowBlockDirection, Rows};
pub use bodies::{BodyDirection, ContactDirection, GroupBody, GroupContact, Motion};
pub use rows::Group;
