//! What was done since a scene was opened, to be written as a journal that replays to the same motion.
//!
//! A journal names its scene. Where the file that was opened still holds the text it was opened with, that file is named;
//! otherwise (an example, a scene saved since, or one of another folder that names no files) the text is written beside the
//! journal, under its name.

use std::path::{Path, PathBuf};

use crate::files::{MOST_BYTES, Reach, read_text, within};
use crate::geometry::Shape;
use crate::scene::{self, Scene};
use crate::session::{Edit, Journal};

/// The beginning and the edits.
#[derive(Clone, Debug)]
pub struct Record {
    /// In order; undone ones too, with their undoing.
    pub edits: Vec<Edit>,
    path: PathBuf,
    text: String,
    /// Whether it names files, which are found from its own folder only.
    names_files: bool,
}

impl Record {
    /// Begins with a scene as it was read.
    pub fn new(scene: &Scene) -> Record {
        let (path, text) = (PathBuf::from(scene.source.path()), scene.source.text().to_owned());
        let names_files = scene.bodies.iter().any(|body| names_file(&body.shape));
        Record { edits: Vec::new(), path, text, names_files }
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
        let unchanged = read_text(&self.path, MOST_BYTES).is_ok_and(|text| text == self.text);
        let absolute = std::path::absolute(&self.path).ok().filter(|_| unchanged)?;
        let folder = std::path::absolute(journal).ok()?.parent()?.to_owned();
        let seen = absolute.strip_prefix(&folder).unwrap_or(&absolute);
        // A journal that leads out of its folder opens only where that is allowed.
        let is_reached = self.names_files || within(&folder, seen, Reach::Folder).is_ok();
        seen.to_str().filter(|_| is_reached).map(str::to_owned)
    }

    /// Writes the scene beside the journal and tells its name; a file that is already there stays.
    fn write_beside(&self, journal: &Path) -> Result<String, String> {
        let stem = journal.file_stem().and_then(|stem| stem.to_str()).ok_or("the path names no file")?;
        let names = std::iter::once(format!("{stem}.toml")).chain((2..).map(|k| format!("{stem} {k}.toml")));
        for name in names {
            let path = journal.with_file_name(&name);
            // A link that leads nowhere is taken, too.
            if std::fs::symlink_metadata(&path).is_err() {
                scene::save(&path, &self.text).map_err(|error| error.to_string())?;
                return Ok(name);
            }
            if read_text(&path, MOST_BYTES).is_ok_and(|text| text == self.text) {
                return Ok(name);
            }
        }
        Err("no name is free beside the journal".to_owned())
    }
}

/// Whether a shape is read from a file of its own.
fn names_file(shape: &Shape) -> bool {
    match shape {
        Shape::Mesh(_) => true,
        Shape::Compound { parts, .. } => parts.iter().any(|part| names_file(&part.shape)),
        _ => false,
    }
}
