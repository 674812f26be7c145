//! The autosave: what survives a crash. The scene as it was, and every completed edit since, written down as it is made.
//!
//! ```text
//! <folder>/recovery/<process>/scene.toml        the text that the edits begin from
//!                             journal.jsonl     the journal: header, then one edit a line
//!                             origin            path of the file, if there was one
//! ```
//!
//! A folder whose process is gone was left behind by a crash. Closing the window in peace removes it.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::files;
use crate::session::{Edit, Journal};

/// Writes down one process's work.
#[derive(Debug)]
pub struct Keeper {
    folder: PathBuf,
    origin: String,
    journal: Option<File>,
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
        Keeper { folder: own(folder), origin: origin.to_owned(), journal: None }
    }

    /// Begins anew from a text. Where nothing can be written there is no recovery; editing goes on.
    pub fn begin(&mut self, text: &str) {
        self.journal = self.try_begin(text).ok();
    }

    fn try_begin(&self, text: &str) -> std::io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        // The old journal must not be read with the new text, in whatever instant the process dies.
        let journal = self.folder.join("journal.jsonl");
        let _ = fs::remove_file(&journal);
        files::write_whole(&self.folder.join("scene.toml"), text)?;
        fs::write(self.folder.join("origin"), &self.origin)?;
        let mut file = OpenOptions::new().create(true).append(true).open(journal)?;
        file.write_all(b"{\"journal\":1,\"scene\":\"scene.toml\"}\n")?;
        Ok(file)
    }

    /// Adds completed edits, each with one write.
    pub fn add(&mut self, edits: &[Edit]) {
        let Some(file) = &mut self.journal else { return };
        for edit in edits {
            if let Ok(line) = serde_json::to_string(edit) {
                // A full disk costs the recovery, not the work on the screen.
                let _ = file.write_all(format!("{line}\n").as_bytes());
            }
        }
    }
}

/// Where the records of this process are.
pub fn own(folder: &Path) -> PathBuf {
    folder.join("recovery").join(std::process::id().to_string())
}

/// Removes the records of this process: it ended in peace.
pub fn forget_own(folder: &Path) {
    let _ = fs::remove_dir_all(own(folder));
}

/// What crashed processes left behind, with edits in it; what cannot be read is set aside, with a message.
pub fn left_behind(folder: &Path) -> (Vec<Left>, Vec<String>) {
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    let Ok(entries) = fs::read_dir(folder.join("recovery")) else { return (found, complaints) };
    for path in entries.filter_map(|entry| entry.ok()).map(|entry| entry.path()) {
        let Some(process) = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        if is_alive(process) {
            continue;
        }
        match read(&path) {
            Ok(left) if left.edits.is_empty() => drop(fs::remove_dir_all(&path)),
            Ok(left) => found.push(left),
            Err(why) => complaints.push(files::set_aside(&path, "autosave", &why)),
        }
    }
    (found, complaints)
}

fn read(folder: &Path) -> Result<Left, String> {
    let text = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let scene = text("scene.toml")?;
    let journal = Journal::recover(&text("journal.jsonl")?, "journal.jsonl").map_err(|error| error.to_string())?;
    Ok(Left {
        folder: folder.to_owned(),
        text: scene,
        edits: journal.edits,
        origin: text("origin").unwrap_or_default(),
    })
}

/// Whether a process still runs; itself counts as running, one that only waits to be buried does not.
fn is_alive(process: u32) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"));
    // The state is the letter behind the name, which stands in brackets and may hold any character.
    let buried = |status: &str| status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']));
    process == std::process::id() || status.is_ok_and(|status| !buried(&status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_waits_to_be_buried_is_not_alive() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let mut waited = 0;
        while is_alive(child.id()) && waited < 500 {
            std::thread::sleep(std::time::Duration::from_millis(10));
            waited += 1;
        }
        assert!(!is_alive(child.id()), "it has ended, and nobody asked for its last word");
        child.wait().unwrap();
        assert!(is_alive(std::process::id()));
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    /// Moves this process's records to a number that no process has.
    fn crash(folder: &Path) -> PathBuf {
        let own = own(folder);
        let dead = folder.join("recovery").join("4000000001");
        fs::rename(own, &dead).expect("records");
        dead
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
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_process_that_runs_is_left_alone() {
        let folder = folder("alive");
        let mut keeper = Keeper::new(&folder, "");
        keeper.begin("format = 1\n");
        keeper.add(&[Edit::Undo]);
        assert_eq!(left_behind(&folder).0, Vec::new());
        forget_own(&folder);
        assert!(!folder.join("recovery").join(std::process::id().to_string()).exists());
        let _ = fs::remove_dir_all(&folder);
    }
}
