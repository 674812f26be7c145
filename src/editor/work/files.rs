//! How the program writes and sets aside files of its own, so that no crash leaves half of one.

use std::fs;
use std::path::Path;

/// Renames a file that cannot be read and says so.
pub fn set_aside(path: &Path, what: &str, why: &str) -> String {
    let aside = path.with_extension("broken");
    match fs::rename(path, &aside) {
        Ok(()) => format!("The {what} could not be read ({why}); set aside as {}", aside.display()),
        Err(error) => format!("The {what} could not be read ({why}), nor set aside: {error}"),
    }
}

/// Writes a file so that it is either the old one or the new one, never half of it.
pub fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text)?;
    fs::rename(&part, path)
}
