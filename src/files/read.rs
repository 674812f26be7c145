//! Reading whole files: regular ones only, and only up to a limit.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// The longest file that is read where its room knows no smaller limit, bytes.
pub const MOST_BYTES: u64 = 256_000_000;

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// The operating system refused.
    #[error("{0}")]
    System(String),
    /// Reading it may never end, or is no reading at all.
    #[error("it is {0}, not a file; copy what it holds into a file first")]
    NoFile(&'static str),
    /// Longer than anything that is meant.
    #[error("it is longer than {} MB", .0 / 1_000_000)]
    TooLong(u64),
    /// Bytes that are no text.
    #[error("it is not text; save it as UTF-8")]
    NotText,
}

/// All bytes of a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFault> {
    let system = |error: io::Error| ReadFault::System(error.to_string());
    // Before it is opened: opening a pipe waits for somebody to write into it.
    refuse_other(fs::metadata(path).map_err(system)?.file_type())?;
    let file = File::open(path).map_err(system)?;
    refuse_other(file.metadata().map_err(system)?.file_type())?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(system)?;
    if bytes.len() as u64 > limit { Err(ReadFault::TooLong(limit)) } else { Ok(bytes) }
}

/// The same as text.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadFault> {
    String::from_utf8(read(path, limit)?).map_err(|_| ReadFault::NotText)
}

fn refuse_other(found: FileType) -> Result<(), ReadFault> {
    if found.is_file() { Ok(()) } else { Err(ReadFault::NoFile(kind(found))) }
}

/// What something is that is no file.
pub(super) fn kind(found: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a pipe";
        }
        if found.is_socket() {
            return "a socket";
        }
        if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
    }
    if found.is_dir() { "a folder" } else { "something else" }
}
