//! A folder of our own among the temporary files, where everybody may write.
//!
//! Whoever can put a link where the program writes decides which file is written. So the folder is one that only we may
//! write into: made by us with no rights for others, or found with the same owner, the same rights, and no link itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::leftover::PREFIX;
use super::write::numbered;

/// Makes or finds the private folder of this name below the folder for temporary files.
pub fn private_folder(name: &str) -> io::Result<PathBuf> {
    private_folder_in(&std::env::temp_dir(), name)
}

pub(super) fn private_folder_in(temporary: &Path, name: &str) -> io::Result<PathBuf> {
    // A new folder is ours beyond doubt, and shows what a folder of ours looks like.
    let fresh = loop {
        let fresh = temporary.join(numbered(PREFIX.trim_start_matches('.'), ""));
        match make(&fresh) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => break made.map(|()| fresh)?,
        }
    };
    let wanted = temporary.join(name);
    if !wanted.is_symlink() && !wanted.exists() {
        let _ = fs::rename(&fresh, &wanted);
    }
    if fs::symlink_metadata(&fresh).is_err() {
        return Ok(wanted);
    }
    if is_like(&wanted, &fresh) {
        fs::remove_dir(&fresh)?;
        return Ok(wanted);
    }
    Ok(fresh)
}

#[cfg(unix)]
fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

/// Whether a folder is as private as one that was just made.
fn is_like(found: &Path, fresh: &Path) -> bool {
    let (Ok(found), Ok(fresh)) = (fs::symlink_metadata(found), fs::symlink_metadata(fresh)) else { return false };
    found.is_dir() && same_owner_and_rights(&found, &fresh)
}

#[cfg(unix)]
fn same_owner_and_rights(found: &fs::Metadata, fresh: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.uid() == fresh.uid() && found.mode() & 0o7777 == fresh.mode() & 0o7777
}

/// Elsewhere temporary files have a folder for each person.
#[cfg(not(unix))]
fn same_owner_and_rights(_found: &fs::Metadata, _fresh: &fs::Metadata) -> bool {
    true
}
