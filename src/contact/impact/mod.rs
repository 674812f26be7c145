//! What an impact does to the bodies that touch, and how that changes.
//!
//! `poisson` is Poisson's hypothesis on top of the contact law, held to its energy by `energy`; how it changes is
//! `derivative` with `rows`, and `single_derivative` for one contact.

pub(in crate::contact) mod derivative;
pub(in crate::contact) mod energy;
pub(in crate::contact) mod poisson;
pub(in crate::contact) mod rows;
pub(in crate::contact) mod single_derivative;

pub use poisson::{Impact, ImpactDirection, ImpactImpulse, fade, impact, joined_impact};
pub use rows::ImpactRows;
