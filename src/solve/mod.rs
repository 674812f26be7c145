//! From wishes to parameters: which u makes the motion meet its nails, and follow the hand that drags it.
//!
//! ```text
//! Point (u, motion, readings) ──rows──▶ J, δc ──least_norm──▶ δu ──descent──▶ the next Point
//!        ▲                                                          │ the sequence of events is in the way
//!        └───────────────── jump: samples around δu, the best one ◀─┘
//! ```
//!
//! Every motion on the way is paid for (`purse`) and starts free of overlaps (`start`), with all joints that
//! held at the start still holding (`joints`). Bodies without a wish of their own are changed
//! only where they are needed (`needed`).
//!
//! Iterations and what motions cost are counted, never timed, and random numbers come from a seed: the same start, wishes and budget end in the same bits on
//! any number of threads. The solver changes u and nothing else. It always returns the best motion it found and a
//! [`Report`] that says how it stands, what is missed and by how much.

mod conflict;
mod descent;
mod joints;
mod jump;
pub mod least_norm;
mod needed;
mod point;
mod purse;
mod random;
mod report;
mod rows;
mod settings;
mod start;
mod step;
mod suggestion;
#[cfg(test)]
mod tests;

pub use descent::solve;
pub use point::{Merit, Point, Wishes};
pub use report::{GoalReport, Report, SequenceChange, Stop, Verdict};
pub use settings::{Ask, GoOn, Settings};
