//! The root of all laws of a group at once, and how it changes.
//!
//! `solver` finds the root by `newton`, started by `sweep`, and where that fails along `path`; `single` is its short way
//! for one contact. `system` is Newton's matrix, factorised: for small groups a dense matrix with K formed, for large ones
//! `body_factor`, with 6 unknowns per body. `products` keeps what K gave at the last points. `solution` carries derivatives through the root in both directions. `branches`
//! is the linear problem that is left where every contact's branch is given.

pub(in crate::contact) mod body_factor;
pub mod branches;
pub(in crate::contact) mod newton;
pub(in crate::contact) mod path;
pub(in crate::contact) mod products;
pub(in crate::contact) mod single;
pub(in crate::contact) mod solution;
pub mod solver;
pub(in crate::contact) mod sweep;
pub(in crate::contact) mod system;
