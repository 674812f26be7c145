//! S: the motion of a model, event by event.
//!
//! ```text
//! window of time ──▶ candidates (swept boxes) ──▶ closing (when a pair meets) ──▶ queue
//!        ▲                                                                          │ earliest
//!        └── search again the pairs of bodies that changed ◀── impact ◀── meeting (who touches)
//! ```
//!
//! Every body flies on its own from its last event; nothing is stepped. What one pair's search finds depends
//! on the two bodies alone, so far-away bodies do not change a bit of the result. `simulate` is a function:
//! no clock, no random numbers, no threads. Derivatives are a second pass over the finished trajectory.

mod candidates;
mod closing;
mod engine;
pub mod held;
mod holding;
mod impacts;
mod meeting;
mod motion;
mod step_closing;
mod trajectory;

pub use engine::simulate;
pub use trajectory::{Course, End, Event, EventContact, EventKind, Phase, Signature, SignatureStep, Trajectory, Work};
