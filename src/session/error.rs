//! Why a session cannot start, or an edit cannot be made; the document is as it was.

use thiserror::Error;

use crate::goal::GoalErrors;
use crate::model::SetError;
use crate::scene::SceneFileError;

/// Why a scene cannot be edited.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum OpenError {
    /// Its text.
    #[error(transparent)]
    Scene(#[from] SceneFileError),
    /// Its parameters; the text has a line for each fault.
    #[error("{0}")]
    Model(String),
    /// Its nails; the text has a line for each fault.
    #[error("{0}")]
    Goal(String),
}

/// Why an edit was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum EditError {
    #[error("nothing is grabbed; grab a body first")]
    NothingGrabbed,
    #[error("a body is still grabbed; release it or cancel first")]
    StillGrabbing,
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("there is nothing to redo")]
    NothingToRedo,
    #[error("the target is not finite")]
    NotFinite,
    #[error("there is nothing to grab: {reason}")]
    NotThere { reason: String },
    #[error("cannot grab: {reason}")]
    Grab { reason: String },
    #[error("there is no nail {index}; there are {count}, counted from 0")]
    NoSuchNail { index: usize, count: usize },
    #[error("give a nail, or the index of one to remove")]
    EmptyNail,
    #[error(transparent)]
    Nail(#[from] GoalErrors),
    #[error(transparent)]
    Set(#[from] SetError),
    #[error("{reason}")]
    Control { reason: String },
    #[error("{reason}")]
    Text { reason: String },
}
