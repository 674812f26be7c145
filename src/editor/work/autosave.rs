//! The autosave: what survives a crash. The scene as it was, and every completed edit since, written down as it is made.
//!
//! ```text
//! <folder>/recovery/<name>/scene.toml        the text that the edits begin from
//!                          journal.jsonl     the journal: header, then one edit a line
//!                          origin            path of the file, if there was one
//! <folder>/recovery/<name>.lock              held locked by the program that keeps them
//! ```
//!
//! The system lets go of locks when a program dies, however it dies: records whose lock nobody holds were left behind by a
//! crash. Closing the window in peace removes them.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::files::set_aside;
use crate::files::{MOST_BYTES, WriteFault, read_text, write_whole};
use crate::session::{Edit, Journal};

/// Where there are no locks, records this old have been left.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// Where this process keeps records, by the folder they are under, with the locks it holds.
static HELD: Mutex<BTreeMap<PathBuf, (PathBuf, File)>> = Mutex::new(BTreeMap::new());

/// Writes down one process's work.
#[derive(Debug)]
pub struct Keeper {
    folder: PathBuf,
    origin: String,
    journal: Option<File>,
    failure: Option<String>,
}

/// What a crash left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Where it lies.
    pub folder: PathBuf,
    /// The scene's text at the start.
    pub text: String,
    /// What was done.
    pub edits: Vec<Edit>,
    /// The file that was edited; empty for an example.
    pub origin: String,
}

impl Keeper {
    /// Keeps records of this process under a folder; `origin` is the file that is edited, if any.
    pub fn new(folder: &Path, origin: &str) -> Keeper {
        Keeper { folder: folder.to_owned(), origin: origin.to_owned(), journal: None, failure: None }
    }

    /// Begins anew from a text. Where nothing can be written there is no recovery; editing goes on.
    pub fn begin(&mut self, text: &str) {
        let begun = self.try_begin(text);
        self.failure = begun.as_ref().err().map(|fault| self.words(fault));
        self.journal = begun.ok();
    }

    fn try_begin(&self, text: &str) -> Result<File, WriteFault> {
        let own = hold(&self.folder)?;
        fs::create_dir_all(&own)?;
        // The old journal must not be read with the new text, in whatever instant the process dies.
        let journal = own.join("journal.jsonl");
        let _ = fs::remove_file(&journal);
        write_whole(&own.join("scene.toml"), text.as_bytes())?;
        fs::write(own.join("origin"), &self.origin)?;
        let mut file = OpenOptions::new().create(true).append(true).open(journal)?;
        file.write_all(b"{\"journal\":1,\"scene\":\"scene.toml\"}\n")?;
        Ok(file)
    }

    /// Adds completed edits, each with one write.
    pub fn add(&mut self, edits: &[Edit]) {
        for edit in edits {
            let (Some(file), Ok(line)) = (&mut self.journal, serde_json::to_string(edit)) else { return };
            // A full disk costs the recovery, not the work on the screen. What follows a gap could not be done again.
            if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
                self.failure = Some(self.words(&WriteFault::System(error)));
                self.journal = None;
            }
        }
    }

    fn words(&self, fault: &WriteFault) -> String {
        format!("{}: {fault}", self.folder.join("recovery").display())
    }

    /// Why nothing is kept.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

/// Where the records of this process are, once it has any.
pub fn own(folder: &Path) -> Option<PathBuf> {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.get(folder).map(|(own, _)| own.clone())
}

/// Takes a place for the records of this process, which no other process has or had.
fn hold(folder: &Path) -> io::Result<PathBuf> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((own, _)) = held.get(folder) {
        return Ok(own.clone());
    }
    let recovery = folder.join("recovery");
    fs::create_dir_all(&recovery)?;
    for number in 1.. {
        let own = recovery.join(format!("{}-{number}", std::process::id()));
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(lock_of(&own))?;
        // Records of a dead process that had our number are somebody's work.
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) || own.exists() {
            continue;
        }
        held.insert(folder.to_owned(), (own.clone(), lock));
        return Ok(own);
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn lock_of(records: &Path) -> PathBuf {
    records.with_extension("lock")
}

/// Removes the records of this process: it ended in peace.
pub fn forget_own(folder: &Path) {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner).remove(folder);
    if let Some((own, _lock)) = held {
        forget(&own);
    }
}

/// Removes records that were taken up or are not wanted.
pub fn forget(records: &Path) {
    let _ = fs::remove_dir_all(records);
    let _ = fs::remove_file(lock_of(records));
}

/// What crashed processes left behind, with edits in it; what cannot be read is set aside, with a message.
pub fn left_behind(folder: &Path) -> (Vec<Left>, Vec<String>) {
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    let Ok(entries) = fs::read_dir(folder.join("recovery")) else { return (found, complaints) };
    for path in entries.filter_map(|entry| entry.ok()).map(|entry| entry.path()) {
        // Locks have an ending, and so has what was set aside.
        if path.extension().is_some() || !path.is_dir() || is_held(&path) {
            continue;
        }
        match read(&path) {
            Ok(left) if left.edits.is_empty() => forget(&path),
            Ok(left) => found.push(left),
            Err(why) => {
                complaints.push(set_aside(&path, "autosave", &why));
                forget(&path);
            }
        }
    }
    (found, complaints)
}

fn read(folder: &Path) -> Result<Left, String> {
    let text = |name: &str| read_text(&folder.join(name), MOST_BYTES).map_err(|fault| format!("{name}: {fault}"));
    let scene = text("scene.toml")?;
    let journal = Journal::recover(&text("journal.jsonl")?, "journal.jsonl").map_err(|error| error.to_string())?;
    Ok(Left {
        folder: folder.to_owned(),
        text: scene,
        edits: journal.edits,
        origin: text("origin").unwrap_or_default(),
    })
}

/// Whether a program that runs keeps these records.
fn is_held(records: &Path) -> bool {
    // A lock is there before its records: without one nobody keeps them.
    let Ok(lock) = File::open(lock_of(records)) else { return false };
    match lock.try_lock() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => {
            let modified = fs::metadata(records).and_then(|metadata| metadata.modified());
            modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age < OLD))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    /// Lets go of the lock and keeps the records, as the system does where a process dies.
    fn crash(folder: &Path) -> PathBuf {
        let (own, _lock) = HELD.lock().unwrap().remove(folder).expect("records");
        own
    }

    #[test]
    fn completed_edits_survive_and_a_cut_line_is_left_out() {
        let folder = folder("crash");
        let mut keeper = Keeper::new(&folder, "egg.toml");
        keeper.begin("format = 1\n");
        let edits = [Edit::Lock { parameter: "egg.spin".to_owned() }, Edit::Undo];
        keeper.add(&edits);
        let dead = crash(&folder);
        let journal = dead.join("journal.jsonl");
        let text = fs::read_to_string(&journal).expect("a journal");
        fs::write(&journal, text + "{\"edit\":\"se").expect("a cut line");
        let (left, complaints) = left_behind(&folder);
        assert_eq!(complaints, Vec::<String>::new());
        assert_eq!((left[0].edits.as_slice(), left[0].origin.as_str()), (&edits[..], "egg.toml"));
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_corrupt_record_is_set_aside() {
        let folder = folder("corrupt");
        let mut keeper = Keeper::new(&folder, "");
        keeper.begin("format = 1\n");
        let dead = crash(&folder);
        fs::write(dead.join("journal.jsonl"), "\u{1}\u{2} nonsense\n{}\n").expect("nonsense");
        let (left, complaints) = left_behind(&folder);
        assert!(left.is_empty());
        assert!(complaints[0].contains("set aside"), "{complaints:?}");
        assert!(!dead.exists());
        assert_eq!(left_behind(&folder), (Vec::new(), Vec::new()));
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_process_that_runs_is_left_alone() {
        let folder = folder("alive");
        let mut keeper = Keeper::new(&folder, "");
        keeper.begin("format = 1\n");
        keeper.add(&[Edit::Undo]);
        let own = own(&folder).expect("records");
        assert_eq!(left_behind(&folder).0, Vec::new());
        forget_own(&folder);
        assert!(!own.exists() && fs::read_dir(folder.join("recovery")).unwrap().next().is_none());
        let _ = fs::remove_dir_all(&folder);
    }

    /// Process numbers come again: work that one left behind is not written over by the next.
    #[test]
    fn records_of_a_dead_process_with_our_number_are_kept() {
        let folder = folder("again");
        for parameter in ["first", "second"] {
            let mut keeper = Keeper::new(&folder, "");
            keeper.begin("format = 1\n");
            keeper.add(&[Edit::Lock { parameter: parameter.to_owned() }]);
            crash(&folder);
        }
        assert_eq!(left_behind(&folder).0.len(), 2);
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn what_cannot_be_kept_has_a_reason() {
        let folder = folder("refused");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("recovery"), "a file in the way").unwrap();
        let mut keeper = Keeper::new(&folder, "");
        assert_eq!(keeper.failure(), None);
        keeper.begin("format = 1\n");
        assert!(keeper.failure().is_some_and(|why| !why.is_empty()));
        keeper.add(&[Edit::Undo]);
        fs::remove_file(folder.join("recovery")).unwrap();
        keeper.begin("format = 1\n");
        assert_eq!(keeper.failure(), None);
        forget_own(&folder);
        let _ = fs::remove_dir_all(&folder);
    }
}
