//! Files that appear whole or not at all.
//!
//! ```text
//! path ──links followed──▶ target, nothing or a regular file
//!            .hattrick-<process>-<number>.<ending> beside it ──written, on the disk──▶ the target's name and rights
//! ```
//!
//! Whoever reads the name finds the old file or the new one. What was begun is removed where something fails, and where
//! the program is killed, by the next one (`leftover`). Pipes, devices and folders are refused: a file in their place would
//! be a loss. Each failure says what it was: no such folder, no permission, a full disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::leftover::{LOCK, PARTS, PREFIX, clean, remove_parts};
use super::reach::shown;
use super::read::kind;

/// Links that lead to links, at most; more go in a circle.
const MOST_LINKS: usize = 40;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteFault {
    /// It is not written there.
    #[error("{0}")]
    Refused(String),
    /// The operating system refused.
    #[error("{}", advice(.0))]
    System(#[from] io::Error),
}

/// Writes a whole file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteFault> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes a whole file, piece by piece.
pub fn write_with(path: &Path, content: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), WriteFault> {
    let mut pending = Pending::new(path)?;
    content(&mut pending.file)?;
    pending.finish()
}

/// A file that is being written under another name beside its own.
#[derive(Debug)]
pub struct Pending {
    target: PathBuf,
    /// Locked for as long as it has not its own name.
    file: File,
    temporary: PathBuf,
}

impl Pending {
    /// Begins a file; refuses what cannot become one.
    pub fn new(path: &Path) -> Result<Pending, WriteFault> {
        let (target, old) = target(path)?;
        let folder = target.parent().map(shown).unwrap_or(Path::new("."));
        clean(folder);
        let ending = target.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        let (temporary, file) = create_locked(folder, &ending)?;
        let pending = Pending { target, file, temporary };
        if let Some(old) = old {
            // Before anything is in it: what only its owner may read must not be seen by others meanwhile.
            take_rights(&pending.file, &old)?;
        }
        Ok(pending)
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), WriteFault> {
        self.file.sync_all()?;
        Ok(fs::rename(&self.temporary, &self.target)?)
    }
}

impl Drop for Pending {
    /// After a failure; a file that was finished has left this name already.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Files that belong together: written in a folder beside, and given their names when all are complete.
#[derive(Debug)]
pub struct PendingFolder {
    folder: PathBuf,
    /// Held locked.
    lock: File,
    files: Vec<(PathBuf, u64)>,
}

impl PendingFolder {
    /// Makes the folder beside a path.
    pub fn new(path: &Path) -> Result<PendingFolder, WriteFault> {
        let (target, _) = target(path)?;
        let beside = target.parent().map(shown).unwrap_or(Path::new("."));
        clean(beside);
        loop {
            let folder = beside.join(numbered(PREFIX, PARTS));
            match fs::create_dir(&folder) {
                // A process that had our number has died here.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            // As long as it is empty another program may take it for a leftover.
            match File::create(folder.join(LOCK)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                made => {
                    let lock = made?;
                    // Where there are no locks, age tells what is left over.
                    if !matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)) && folder.join(LOCK).exists() {
                        return Ok(PendingFolder { folder, lock, files: Vec::new() });
                    }
                }
            }
        }
    }

    /// Writes one of the files.
    pub fn add(&mut self, path: PathBuf, bytes: &[u8]) -> Result<(), WriteFault> {
        let mut file = File::create(self.part(self.files.len()))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        self.files.push((path, bytes.len() as u64));
        Ok(())
    }

    /// A place in the folder for another program to write one of the files to.
    pub fn place(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("part.{ending}"))
    }

    /// Takes in what another program wrote.
    pub fn take(&mut self, path: PathBuf, place: &Path) -> Result<(), WriteFault> {
        let file = File::open(place)?;
        let bytes = file.metadata()?.len();
        fs::rename(place, self.part(self.files.len()))?;
        self.files.push((path, bytes));
        Ok(())
    }

    /// Gives all files their names, and tells their sizes.
    pub fn finish(mut self) -> Result<Vec<(PathBuf, u64)>, WriteFault> {
        // All are looked at before the first is replaced.
        let targets: Vec<_> = self.files.iter().map(|(path, _)| target(path)).collect::<Result<_, _>>()?;
        for (index, (target, old)) in targets.iter().enumerate() {
            let part = self.part(index);
            if target.parent().map(shown) != self.folder.parent() {
                // A link led elsewhere, perhaps to another disk.
                write_with(target, |file| io::copy(&mut File::open(&part)?, file).map(drop))?;
                continue;
            }
            if let Some(old) = old {
                take_rights(&File::open(&part)?, old)?;
            }
            fs::rename(part, target)?;
        }
        Ok(std::mem::take(&mut self.files))
    }

    fn part(&self, index: usize) -> PathBuf {
        self.folder.join(index.to_string())
    }
}

impl Drop for PendingFolder {
    /// Empty but for its lock where all went well.
    fn drop(&mut self) {
        remove_parts(&self.folder);
        let _ = self.lock.unlock();
    }
}

/// The file that a path leads to through links, and what is there already.
fn target(path: &Path) -> Result<(PathBuf, Option<fs::Metadata>), WriteFault> {
    let refuse = |reason: String| Err(WriteFault::Refused(reason));
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    if target.file_name().is_none() {
        return refuse("it is no file name".to_owned());
    }
    let old = match fs::symlink_metadata(&target) {
        Ok(found) if found.is_symlink() => return refuse("its links go in a circle".to_owned()),
        Ok(found) if !found.is_file() => {
            let what = kind(found.file_type());
            return refuse(format!("it is {what}, not a file; write to a file of another name"));
        }
        Ok(found) => Some(found),
        Err(_) => None,
    };
    match target.parent().map(shown) {
        Some(folder) if !folder.is_dir() => refuse(format!("there is no folder {}; make it first", folder.display())),
        _ => Ok((target, old)),
    }
}

/// A name that no other file of this program has.
pub(super) fn numbered(prefix: &str, ending: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let dot = if ending.is_empty() { "" } else { "." };
    format!("{prefix}{process}-{number}{dot}{ending}")
}

/// A new file that is held locked. Its ending is kept, by which other programs know the format.
fn create_locked(folder: &Path, ending: &str) -> io::Result<(PathBuf, File)> {
    loop {
        let path = folder.join(numbered(PREFIX, ending));
        let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            // A process that had our number has died here.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        // In the instant before it was locked another program may have taken it for a leftover.
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => {}
            _ if path.exists() => return Ok((path, file)),
            _ => {}
        }
    }
}

/// A file in the place of another has its rights, and its owner where that may be given.
fn take_rights(file: &File, old: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Only the superuser may give files away; for anybody else the owner is the same already.
        let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
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
pub fn advice(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full; make room, or write to another one".to_owned()
        }
        io::ErrorKind::PermissionDenied => "its folder does not let you write; choose another one".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "its disk can only be read; choose another one".to_owned(),
        _ => error.to_string(),
    }
}
