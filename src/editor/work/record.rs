//! What was done since a scene was opened, to be written as a journal that replays to the same motion.
//!
//! A journal names its scene. Where the file that was opened still holds the text it was opened with, that file is named;
//! otherwise (an example, or a scene saved since) the text is written beside the journal, under its name.

use std::path::{Path, PathBuf};

use crate::scene::{self, Source};
use crate::session::{Edit, Journal};

/// The beginning and the edits.
#[derive(Clone, Debug)]
pub struct Record {
    /// In order; undone ones too, with their undoing.
    pub edits: Vec<Edit>,
    path: PathBuf,
    text: String,
}

impl Record {
    /// Begins with a scene as it was read.
    pub fn new(source: &Source) -> Record {
        Record { edits: Vec::new(), path: PathBuf::from(source.path()), text: source.text().to_owned() }
    }

    /// Writes the journal, and the scene beside it where no file has it.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let scene = match self.opened_file(path) {
            Some(name) => name,
            None => self.write_beside(path)?,
        };
        let journal = Journal { scene, edits: self.edits.clone() };
        journal.save(path).map_err(|error| error.to_string())
    }

    /// The file that was opened, seen from the journal, if it still has its text.
    fn opened_file(&self, journal: &Path) -> Option<String> {
        let unchanged = std::fs::read_to_string(&self.path).is_ok_and(|text| text == self.text);
        let absolute = std::path::absolute(&self.path).ok().filter(|_| unchanged)?;
        let folder = std::path::absolute(journal).ok()?.parent()?.to_owned();
        let seen = absolute.strip_prefix(folder).unwrap_or(&absolute);
        seen.to_str().map(str::to_owned)
    }

    /// Writes the scene beside the journal and tells its name; a file that is already there stays.
    fn write_beside(&self, journal: &Path) -> Result<String, String> {
        let stem = journal.file_stem().and_then(|stem| stem.to_str()).ok_or("the path names no file")?;
        let names = std::iter::once(format!("{stem}.toml")).chain((2..).map(|k| format!("{stem} {k}.toml")));
        for name in names {
            let path = journal.with_file_name(&name);
            match std::fs::read_to_string(&path) {
                Ok(text) if text == self.text => return Ok(name),
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    scene::save(&path, &self.text).map_err(|error| error.to_string())?;
                    return Ok(name);
                }
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
        }
        Err("no name is free beside the journal".to_owned())
    }
}
