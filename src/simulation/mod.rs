//! S: the motion of a model, event by event.
//!
//! ```text
//! window of time ──▶ candidates (swept boxes) ──▶ closing (when a pair meets) ──▶ queue ⇄ watching
//!        ▲                                                                          │ earliest
//!        │                                   ┌── impacts ◀── meeting (who touches) ◀┤
//!        └── search again the pairs ◀── holding: who flies, who is held             │
//!            of bodies that changed          └── held (one step of a group) ──▶ step end
//! ```
//!
//! A flying body moves on its own from its last event; nothing is stepped. Bodies that touch lastingly form groups
//! that step on a global time grid (`held`), are cut short by impacts (`cut`, `step_closing`), lie down at the end of a whirl
//! (`lying`), and sleep (`sleep`). Bodies that joints connect fly together (`machines`), and a blow goes through all of them (`linkage`).
//! What one pair's search finds depends on the two bodies alone, so far-away bodies do not change a bit of the
//! result. `simulate` is a function: no clock, no random numbers, no threads; what it may cost is counted (`limits`). Derivatives are a second pass over the
//! finished trajectory, along the `tape` on which every decision is recorded. Whoever else wants to know how a body moves
//! asks its `curve`.

mod curve;
mod engine;
mod examining;
mod fingerprint;
pub mod grouping;
pub mod held;
mod joint_forces;
mod limits;
pub mod linkage;
pub mod machines;
mod meeting;
mod motion;
mod scaled;
mod search;
mod settings;
pub mod tape;
#[cfg(test)]
mod tests;
mod trajectory;
mod trouble;

pub use curve::{BodyCurve, Spacing};
pub use fingerprint::Fingerprint;
pub use joint_forces::JointForce;
pub use limits::{BrokenOff, Limits};
pub use scaled::{simulate, simulate_within};
pub(crate) use settings::{GRAZING, LARGEST_TURN};
pub use trajectory::{
    Course, End, Event, EventContact, EventId, EventKind, Phase, Signature, SignatureStep, Trajectory, Work,
};
pub use trouble::{Trouble, TroubleKind};
