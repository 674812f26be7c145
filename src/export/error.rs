//! Why a motion was not written, or a file not understood.

use std::path::PathBuf;

use super::Format;
use crate::files::{WriteFault, is_stopped};

/// Why an export failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// No format has this ending.
    #[error("{}: {}; write one of {}", path.display(), ending(path), endings())]
    UnknownEnding {
        /// As asked for.
        path: PathBuf,
    },
    /// The file cannot be made.
    #[error("{}: cannot be written: {reason}", path.display())]
    Unwritable {
        /// As asked for.
        path: PathBuf,
        /// As a person reads it.
        reason: String,
    },
    /// Someone said so.
    #[error("the export was cancelled; nothing was written")]
    Cancelled,
    /// A film cannot be made here.
    #[error("{}: films are made by ffmpeg, which was not found; install it, or write .gif, or .png for pictures", path.display())]
    NoEncoder {
        /// As asked for.
        path: PathBuf,
    },
    /// A picture cannot be made.
    #[error("{reason}")]
    Picture {
        /// As a person reads it.
        reason: String,
    },
    /// A frame rate out of range.
    #[error("--fps {fps} makes no film; write a number from {} to {}", allowed[0], allowed[1])]
    FrameRate {
        /// As asked for.
        fps: f64,
        /// Least and greatest.
        allowed: [f64; 2],
    },
    /// The file would be out of all proportion.
    #[error("{frames:.0} frames of all moving bodies are too many (at most {allowed:.0}); lower --fps")]
    TooManyFrames {
        /// As asked for.
        frames: f64,
        /// At most.
        allowed: f64,
    },
}

/// Why a file could not be read back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The system does not give it.
    #[error("{}: cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// As the system says.
        reason: String,
    },
    /// It is not what its ending says.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// Pictures have no motion to compare.
    #[error("{}: pictures carry no numbers to compare; verify reads {}", path.display(), readable())]
    NoMotion {
        /// The file.
        path: PathBuf,
    },
    /// No format has this ending.
    #[error("{}: {}; verify reads {}", path.display(), ending(path), readable())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
    },
}

/// An error of the system as one of an export.
pub(super) fn failure(path: &std::path::Path, error: std::io::Error) -> ExportError {
    unwritten(path, error.into())
}

/// What kept a file from being written, as an error of its export.
pub(super) fn unwritten(path: &std::path::Path, fault: WriteFault) -> ExportError {
    match fault {
        WriteFault::System(error) if is_stopped(&error) => ExportError::Cancelled,
        fault => ExportError::Unwritable { path: path.to_owned(), reason: fault.to_string() },
    }
}

fn ending(path: &std::path::Path) -> String {
    match path.extension() {
        Some(ending) => format!("no format ends in .{}", ending.to_string_lossy()),
        None => "the name has no ending that tells the format".to_owned(),
    }
}

fn list(formats: impl Iterator<Item = Format>) -> String {
    formats.map(|format| format!(".{}", format.ending())).collect::<Vec<_>>().join(" ")
}

fn endings() -> String {
    list(Format::ALL.into_iter())
}

fn readable() -> String {
    list(Format::ALL.into_iter().filter(|format| format.carries_motion()))
}
