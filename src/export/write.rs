//! Files that appear whole or not at all.
//!
//! Everything is written to a new file beside the wanted one, forced to the disk, and then given its name: whoever
//! reads the name finds the old file or the new one. What was begun is removed where something fails. Each failure says
//! what it was: no such folder, no permission, a full disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::ExportError;

/// Writes a whole file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes a whole file, piece by piece.
pub fn write_with(path: &Path, content: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), ExportError> {
    let pending = Pending::new(path)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&pending.temporary)
        .map_err(|error| failure(path, &error))?;
    content(&mut file).and_then(|()| file.sync_all()).map_err(|error| failure(path, &error))?;
    drop(file);
    pending.finish()
}

/// A file that is being written under another name beside its own.
pub struct Pending {
    path: PathBuf,
    /// Where to write; keeps the ending, by which other programs know the format.
    pub temporary: PathBuf,
}

impl Pending {
    /// Chooses the name beside, and refuses folders that are not there or names of folders.
    pub fn new(path: &Path) -> Result<Pending, ExportError> {
        let refuse = |reason: String| Err(ExportError::Unwritable { path: path.to_owned(), reason });
        let Some(name) = path.file_name() else { return refuse("it is no file name".to_owned()) };
        if path.is_dir() {
            return refuse("it is a folder".to_owned());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return refuse(format!("there is no folder {}", folder.display()));
        }
        let temporary = folder.join(format!(".{}-{}", std::process::id(), name.to_string_lossy()));
        Ok(Pending { path: path.to_owned(), temporary })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), ExportError> {
        fs::rename(&self.temporary, &self.path).map_err(|error| failure(&self.path, &error))
    }
}

impl Drop for Pending {
    /// After a failure; a file that was finished has left this name already.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Files that belong together: written in a folder beside, and given their names when all are complete.
pub struct PendingFolder {
    folder: PathBuf,
    files: Vec<(PathBuf, u64)>,
}

impl PendingFolder {
    /// Makes the folder beside a path.
    pub fn new(path: &Path) -> Result<PendingFolder, ExportError> {
        let folder = Pending::new(path)?.temporary.with_extension("parts");
        fs::create_dir(&folder).map_err(|error| failure(path, &error))?;
        Ok(PendingFolder { folder, files: Vec::new() })
    }

    /// Writes one of the files.
    pub fn add(&mut self, path: PathBuf, bytes: &[u8]) -> Result<(), ExportError> {
        let write = |part: PathBuf| {
            let mut file = File::create(part)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write(self.part(self.files.len())).map_err(|error| failure(&path, &error))?;
        self.files.push((path, bytes.len() as u64));
        Ok(())
    }

    /// Gives all files their names, and tells their sizes.
    pub fn finish(mut self) -> Result<Vec<(PathBuf, u64)>, ExportError> {
        for (index, (path, _)) in self.files.iter().enumerate() {
            fs::rename(self.part(index), path).map_err(|error| failure(path, &error))?;
        }
        Ok(std::mem::take(&mut self.files))
    }

    fn part(&self, index: usize) -> PathBuf {
        self.folder.join(index.to_string())
    }
}

impl Drop for PendingFolder {
    /// Empty where all went well.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What ends a writing that is no longer wanted.
#[derive(Debug, thiserror::Error)]
#[error("no longer wanted")]
struct Stopped;

/// The error that ends a writing because someone said so.
pub fn stopped() -> io::Error {
    io::Error::other(Stopped)
}

/// Whether an error is that one.
pub fn is_stopped(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Stopped>())
}

/// An error of the system as advice.
pub fn failure(path: &Path, error: &io::Error) -> ExportError {
    if is_stopped(error) {
        return ExportError::Cancelled;
    }
    let reason = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full; make room, or write to another one".to_owned()
        }
        io::ErrorKind::PermissionDenied => "its folder does not let you write; choose another one".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "its disk can only be read; choose another one".to_owned(),
        _ => error.to_string(),
    };
    ExportError::Unwritable { path: path.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("hattrick-write-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = folder("failure");
        let path = folder.join("motion.csv");
        write_whole(&path, b"old").unwrap();
        let full = |file: &mut File| {
            file.write_all(b"half")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        let error = write_with(&path, full).unwrap_err().to_string();
        assert!(error.contains("motion.csv") && error.contains("the disk is full"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_that_are_not_there_are_named() {
        let folder = folder("missing");
        let error = write_whole(&folder.join("no/motion.csv"), b"").unwrap_err().to_string();
        assert!(error.contains("there is no folder") && error.contains("no"), "{error}");
        let error = write_whole(&folder, b"").unwrap_err().to_string();
        assert!(error.contains("it is a folder"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
