//! Flight of bodies that are joined, sprung and driven, by Taylor series in maximal coordinates.
//!
//! ```text
//! joints, forces, tracks ──build──▶ Machine { graph, rows, forces } ──expansion──▶ steps ──flight──▶ q(t)
//!    (scene)                  rows · paths · forces · track                │
//!                                                                          └──linearised──▶ variation: ∂q(t)/∂(start, numbers)
//! ```
//!
//! A joint is a function D of one or two bodies that is zero where it holds. At every instant D̈ + (2/τ)·Ḋ + D/τ² = 0, by forces
//! Jᵀ·λ, so that what starts apart flies together with critical damping and what holds keeps holding [Barzel 1988]. When a
//! flight ends is `simulation`; which bodies fly as one group, too.

mod assembly;
mod assembly_change;
mod assembly_place;
mod build;
mod expansion;
mod flight;
mod forces;
mod graph;
mod held_rows;
mod jump;
mod linearised;
mod machine;
mod number;
mod paths;
mod reaction;
mod row_changes;
mod rows;
mod sketch;
mod soundness;
mod standing;
mod start;
#[cfg(test)]
mod tests;
mod track;
mod variation;

pub use assembly::{Apart, Assembly};
pub use assembly_change::AssemblyChange;
pub use build::{Blueprint, BodyFacts};
pub use flight::{JoinedBounds, JoinedFlight};
pub use held_rows::{HeldRow, HeldRowChange, HeldRowChanges, HeldRows, KeptSpeed};
pub use jump::{Jump, JumpChange};
pub use machine::Machine;
pub use number::{Column, NumberId, Owner, What};
pub use reaction::{Reaction, ReactionChange};
pub use soundness::Soundness;
pub use standing::{Standing, StandingRow};
pub use start::{StartTerm, start_terms};
pub use variation::Variation;
