//! A journal: JSON lines, the scene first, then one edit a line.
//!
//! ```text
//! {"journal":1,"scene":"eggs.toml"}
//! {"edit":"grab","body":"egg","at":0.8}
//! ```
//!
//! The scene's path is taken from the folder of the journal. A journal cut off in the middle of its last line, as after a crash, loses
//! that line only where `recover` reads it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Edit, Session};
use crate::files::{self, MOST_BYTES, Reach};
use crate::scene::{SaveError, save};

/// The scene and the edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// Path of the scene, from the folder of the journal.
    pub scene: String,
    /// In order.
    pub edits: Vec<Edit>,
}

/// What is wrong with a journal, and where.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}: {problem}", place(.path, *.line))]
pub struct JournalError {
    /// The file.
    pub path: String,
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// What.
    pub problem: JournalProblem,
}

/// The kinds of faults.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum JournalProblem {
    #[error("cannot read the file: {reason}")]
    Unreadable { reason: String },
    #[error(
        "its scene {scene:?} leads out of the journal's folder; copy it there, or allow such files with --allow-outside"
    )]
    LeadsOutside { scene: String },
    #[error("this is no journal; its first line is {{\"journal\":1,\"scene\":\"eggs.toml\"}}")]
    NoHeader,
    #[error("this is no edit: {reason}")]
    NoEdit { reason: String },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    journal: u32,
    scene: String,
}

impl Journal {
    /// The journal of a session whose scene stands at this path, seen from the journal.
    pub fn of(session: &Session, scene: &str) -> Journal {
        Journal { scene: scene.to_owned(), edits: session.journal().to_vec() }
    }

    /// Reads a journal file.
    pub fn open(path: impl AsRef<Path>) -> Result<Journal, JournalError> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let text = files::read_text(path, MOST_BYTES).map_err(|fault| JournalError {
            path: shown.clone(),
            line: 0,
            problem: JournalProblem::Unreadable { reason: fault.to_string() },
        })?;
        Journal::parse(&text, &shown)
    }

    /// Reads a journal from text; `path` is only for messages.
    pub fn parse(text: &str, path: &str) -> Result<Journal, JournalError> {
        let fail = |line: usize, problem| JournalError { path: path.to_owned(), line, problem };
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let header = lines.next().and_then(|(line, _)| serde_json::from_str::<Header>(line).ok());
        let Some(Header { journal: 1, scene }) = header else { return Err(fail(1, JournalProblem::NoHeader)) };
        let edit = |(line, number): (&str, usize)| {
            serde_json::from_str(line)
                .map_err(|error| fail(number, JournalProblem::NoEdit { reason: error.to_string() }))
        };
        Ok(Journal { scene, edits: lines.map(edit).collect::<Result<_, _>>()? })
    }

    /// Reads what is left of a journal after a crash: a last line that was cut off is left out.
    pub fn recover(text: &str, path: &str) -> Result<Journal, JournalError> {
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        Journal::parse(text, path).or_else(|_| Journal::parse(complete, path))
    }

    /// The line of a journal's text on which an edit stands, the line counted from 1, the edit from 0; 0 where there is none.
    pub fn line_of(text: &str, edit: usize) -> usize {
        let mut written = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        written.nth(edit + 1).map_or(0, |(_, line)| line)
    }

    /// The text of the journal.
    pub fn text(&self) -> String {
        let header = Header { journal: 1, scene: self.scene.clone() };
        let mut text = line(&header);
        self.edits.iter().for_each(|edit| text += &line(edit));
        text
    }

    /// Writes the journal, in one step.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        save(path, &self.text())
    }

    /// Where the scene is, given where the journal is.
    pub fn scene_path(&self, journal: &Path) -> PathBuf {
        journal.parent().unwrap_or(Path::new("")).join(&self.scene)
    }

    /// The same, refused where it leads further than it may.
    pub fn scene_within(&self, journal: &Path, reach: Reach) -> Result<PathBuf, JournalError> {
        let found = files::within(journal.parent().unwrap_or(Path::new("")), Path::new(&self.scene), reach);
        found.map_err(|_| JournalError {
            path: journal.display().to_string(),
            line: 1,
            problem: JournalProblem::LeadsOutside { scene: self.scene.clone() },
        })
    }
}

/// `eggs.jsonl:3`, or the file alone.
fn place(path: &str, line: usize) -> String {
    if line == 0 { path.to_owned() } else { format!("{path}:{line}") }
}

/// One line; numbers that JSON has no word for were refused before they got here.
fn line(data: &impl Serialize) -> String {
    serde_json::to_string(data).map_or_else(|_| String::new(), |text| text + "\n")
}
