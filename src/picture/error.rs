//! Why a picture could not be made.

use crate::files::WriteFault;

/// What went wrong, as advice.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Too small to see anything, or too large for memory.
    #[error("a picture of {width}x{height} pixels cannot be made; write a size from {least}x{least} to {most}x{most}")]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// The least side.
        least: u32,
        /// The greatest side.
        most: u32,
    },
    /// The file cannot be written there.
    #[error("cannot write {path}: {fault}")]
    Unwritable {
        /// Which file.
        path: String,
        /// Why.
        fault: WriteFault,
    },
    /// The encoder refused.
    #[error("cannot encode the picture: {0}")]
    Encoding(#[from] png::EncodingError),
}
