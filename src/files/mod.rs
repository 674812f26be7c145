//! How the program touches the disk: what it reads is a file of bounded length, what it writes appears whole.
//!
//! | file | answers |
//! |---|---|
//! | `read` | the bytes of a regular file up to a limit; pipes and devices, which may never end, are refused |
//! | `reach` | whether a file that another names may be read: only in the folder of that other, unless a person allows more |
//! | `write` | a new file beside, and then its name: whoever reads finds the old file or the new one |
//! | `leftover` | what a killed program left half written is removed by the next one that writes there |
//! | `private` | a folder for pictures that nobody else can put links into |
//!
//! What the bytes mean is for other rooms.

mod leftover;
mod private;
mod reach;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use leftover::clean;
pub use private::private_folder;
pub use reach::{LeadsOutside, Reach, within};
pub use read::{MOST_BYTES, ReadFault, read, read_text};
pub use write::{Pending, PendingFolder, WriteFault, is_stopped, stopped, write_whole, write_with};
