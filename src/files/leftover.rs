//! What killed programs left half written: found by its name, and known to be nobody's by its lock.
//!
//! ```text
//! .hattrick-<process>-<number>.<ending>     a file that is being written; whoever writes it holds it locked
//! .hattrick-<process>-<number>.parts/       several files; its file `lock` is held locked
//! ```
//!
//! The system lets go of locks when a program dies, however it dies. So what can be locked has no owner. Where a disk
//! has no locks, only age tells.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::reach::shown;

/// How every name begins that is not finished.
pub(super) const PREFIX: &str = ".hattrick-";
/// How a folder of unfinished files ends.
pub(super) const PARTS: &str = "parts";
/// The file in such a folder that is held locked.
pub(super) const LOCK: &str = "lock";
/// Nothing takes this long to write.
const OLD: Duration = Duration::from_secs(24 * 3600);

static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes what killed programs left half written in a folder; looks once for each folder.
pub fn clean(folder: &Path) {
    let folder = shown(folder);
    let mut cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleaned.insert(std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())) {
        return;
    }
    drop(cleaned);
    remove_leftovers(folder);
}

/// Removes unfinished files and folders that nobody holds. What cannot be removed stays: it only takes room.
pub(super) fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(ending) = name.to_str().and_then(ending) else { continue };
        // Links are none of ours, and are not followed.
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_file() && is_nobodys(&path, OLD) {
            let _ = fs::remove_file(&path);
        } else if kind.is_dir() && ending == PARTS {
            // One without a lock is being made, or was being removed: nothing is in it then. Only an empty one goes.
            let _ = fs::remove_dir(&path);
            if is_nobodys(&path.join(LOCK), OLD) {
                remove_parts(&path);
            }
        }
    }
}

/// Removes a folder of unfinished files, its lock last: whatever is in it is held as long as it is there.
pub(super) fn remove_parts(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    for part in entries.filter(|entry| entry.file_name() != LOCK) {
        let _ = fs::remove_file(part.path());
    }
    let _ = fs::remove_dir_all(folder);
}

/// The ending of a name that is ours.
fn ending(name: &str) -> Option<&str> {
    let (numbers, ending) = name.strip_prefix(PREFIX)?.split_once('.').unwrap_or((name.strip_prefix(PREFIX)?, ""));
    let (process, number) = numbers.split_once('-')?;
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(number)).then_some(ending)
}

/// Whether no program holds a file locked; where there are no locks, whether it is older than `old`.
fn is_nobodys(path: &Path, old: Duration) -> bool {
    let Ok(file) = File::open(path) else { return false };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_older(path, old),
    }
}

fn is_older(path: &Path, than: Duration) -> bool {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > than))
}
