//! What joins bodies, pulls on them and moves them, as a file describes it: `[[joint]]`, `[[force]]`, `[[track]]`, `[[label]]`,
//! `[variables]`.
//!
//! ```text
//! name in the file ──▶ index into the scene's list        label ──▶ body and point        direction ──▶ unit vector
//! number           ──▶ Given::Constant                    { track = "…" } ──▶ Given::Track
//! ```
//!
//! Plain data: everything is resolved, so that later rooms never look a name up. Points and axes of a body are in its own frame, from
//! its centre of mass; where no second body is named, the second side is the world. Which of these numbers are parameters is
//! `model`'s business; what they do is that of `dynamics`.

mod error;
mod force;
mod given;
mod joint;
mod label;
mod read;
mod track;
mod variables;

pub use error::MachineProblem;
pub use force::{Force, ForceKind, Frame, MotorDrive, RestLength};
pub use given::Given;
pub use joint::{Joint, JointKind, JointPath, Limits};
pub use label::Label;
pub(super) use read::{Machine, Named, Tables, read_moved, read_tracks, read_variables};
pub use track::{Ease, Key, Track, TrackSize};
pub use variables::{Formula, UnknownVariable, Variable};
