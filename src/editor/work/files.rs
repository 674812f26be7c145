//! How the program sets aside files of its own that it cannot read.

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
