//! What is being edited, with its whole history: a session, and the sessions before and after changes of the text.
//!
//! ```text
//! edits (set, drag, nail …)          ──▶ the session, which undoes them itself
//! bodies added, renamed … (text)     ──▶ a new session of the new text; the old one waits in `past`
//! save                               ──▶ a new session of what was written; the old one waits in `past`
//! ```
//!
//! It lives in the worker's thread. Completed edits are also kept on disk as they are made (`recovery`). Everything that was done
//! since the scene was opened can be written as a journal: a change of the text is one edit there, and so is a save, after
//! which the session goes on from what was written.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::autosave::Keeper;
use super::bodies_text::{self, SizeChange, TextError};
use super::motion::Motion;
use super::record::Record;
use crate::scene::Scene;
use crate::session::{Edit, EditError, OpenError, Outcome, Session};
use crate::solve::GoOn;

/// A session with what came before it and after it.
pub struct Document {
    session: Session,
    scene: Arc<Scene>,
    past: Vec<Before>,
    future: Vec<Session>,
    /// Edits of the session that are on disk.
    kept: usize,
    keeper: Option<Keeper>,
    /// How deep the history was at the last save.
    saved: Option<usize>,
    record: Record,
    /// Depths of the session between two steps that are one to a person.
    joins: BTreeSet<usize>,
}

/// A session that another has replaced.
struct Before {
    session: Session,
    /// Whether the replacement shows the same motion, as saving does.
    same: bool,
}

/// A change of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A new body of a shape (as a file writes it) at a place.
    Add(&'static str, [f64; 3]),
    /// A copy of a body, moved.
    Duplicate(String, [f64; 3]),
    /// No such body any more.
    Remove(String),
    /// Another name.
    Rename(String, String),
    /// Another duration, s.
    Duration(f64),
    /// Another size of a shape.
    Size(SizeChange),
}

impl Document {
    /// Starts from a scene; `keeper` writes down what is done.
    pub fn new(scene: Scene, keeper: Option<Keeper>) -> Result<Document, OpenError> {
        let record = Record::new(&scene);
        let session = Session::new(scene)?;
        let scene = Arc::new(session.scene().clone());
        let (past, future) = (Vec::new(), Vec::new());
        let mut document =
            Document { session, scene, past, future, kept: 0, keeper, saved: Some(0), record, joins: BTreeSet::new() };
        document.begin_keeping();
        Ok(document)
    }

    /// The session that is edited.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Its scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Why what is done is not kept for the case of a crash.
    pub fn unkept(&self) -> Option<&str> {
        self.keeper.as_ref()?.failure()
    }

    /// How many steps can be undone and redone.
    pub fn depth(&self) -> (usize, usize) {
        let (back, forth) = self.session.depth();
        let before: usize = self.past.iter().map(|before| before.session.depth().0 + usize::from(!before.same)).sum();
        (back + before, forth + self.future.len())
    }

    /// Whether something would be lost without saving.
    pub fn is_changed(&self) -> bool {
        self.saved != Some(self.depth().0)
    }

    /// Makes the last two steps one: undo and redo never stop between them.
    pub fn join_last(&mut self) {
        self.joins.extend(self.session.depth().0.checked_sub(1).filter(|before| *before > 0));
    }

    /// Applies one edit; a solve ends where `go_on` says no.
    pub fn apply(&mut self, edit: Edit, go_on: GoOn) -> Result<Outcome, EditError> {
        let again = matches!(edit, Edit::Undo | Edit::Redo).then(|| edit.clone());
        let mut outcome = self.step(edit, go_on)?;
        while let Some(again) = again.clone().filter(|_| self.joins.contains(&self.session.depth().0)) {
            outcome = self.step(again, go_on)?;
        }
        Ok(outcome)
    }

    fn step(&mut self, edit: Edit, go_on: GoOn) -> Result<Outcome, EditError> {
        let outcome = match edit {
            Edit::Undo if self.session.depth().0 == 0 => self.undo_change(),
            Edit::Redo if self.session.depth().1 == 0 => self.redo_change(),
            Edit::Text { text } => {
                let refused = |reason: String| EditError::Text { reason };
                self.rewrite(text).map(|()| Outcome::default()).map_err(refused)
            }
            edit => {
                let goes_on = !matches!(edit, Edit::Undo | Edit::Redo);
                let before = self.session.depth();
                let outcome = self.session.apply_while(edit, go_on)?;
                // As the session wrote it down: with the iterations that were made.
                self.record.edits.extend(self.session.journal().last().cloned());
                // The middle of a drag, or one that led nowhere, is no step yet.
                if goes_on && self.session.depth() != before {
                    let depth = self.session.depth().0;
                    self.joins.retain(|join| *join < depth);
                    self.branch();
                }
                Ok(outcome)
            }
        }?;
        self.keep();
        Ok(outcome)
    }

    /// What was computed of a drag beside it need not be computed again when the hand lets go.
    pub fn take_whole(&mut self, whole: &Motion) {
        self.session.take_whole(&whole.model, &whole.u, &whole.trajectory);
    }

    /// Changes the text and goes on from it.
    pub fn change(&mut self, change: &Change) -> Result<Option<String>, String> {
        let text = self.session.text();
        let changed: Result<(String, Option<String>), TextError> = match change {
            Change::Add(shape, place) => bodies_text::add(&text, shape, *place).map(|(text, name)| (text, Some(name))),
            Change::Duplicate(name, offset) => {
                bodies_text::duplicate(&text, name, *offset).map(|(text, name)| (text, Some(name)))
            }
            Change::Remove(name) => bodies_text::remove(&text, name).map(|text| (text, None)),
            Change::Rename(old, new) => bodies_text::rename(&text, old, new).map(|text| (text, Some(new.clone()))),
            Change::Size(size) => bodies_text::set_size(&text, size).map(|text| (text, None)),
            Change::Duration(duration) => bodies_text::set_field(&text, "duration", *duration).map(|text| (text, None)),
        };
        let (text, name) = changed.map_err(|error| error.to_string())?;
        self.rewrite(text)?;
        Ok(name)
    }

    /// Goes on from another text.
    fn rewrite(&mut self, text: String) -> Result<(), String> {
        let scene = Scene::parse_reaching(&text, self.scene.source.path(), self.scene.source.reach())
            .map_err(|error| error.to_string())?;
        let session = Session::new(scene).map_err(|error| error.to_string())?;
        self.branch();
        self.record.edits.push(Edit::Text { text });
        self.replace(session, false);
        Ok(())
    }

    /// Writes the scene to a file and goes on from what was written.
    pub fn save(&mut self, path: &Path) -> Result<(), String> {
        let mut session = self.session.clone();
        session.save(path).map_err(|error| error.to_string())?;
        self.record.edits.push(Edit::Text { text: session.scene().source.text().to_owned() });
        self.replace(session, true);
        self.saved = Some(self.depth().0);
        Ok(())
    }

    /// Writes everything that was done since the scene was opened.
    pub fn save_journal(&self, path: &Path) -> Result<(), String> {
        if self.session.is_grabbing() {
            return Err("let go of the body first".to_owned());
        }
        self.record.save(path)
    }

    fn replace(&mut self, session: Session, same: bool) {
        let session = std::mem::replace(&mut self.session, session);
        self.past.push(Before { session, same });
        // Steps of a session that is taken up again are undone one by one.
        self.joins.clear();
        self.begin_keeping();
    }

    /// What could be redone is gone once something else is done.
    fn branch(&mut self) {
        let (back, _) = self.depth();
        if self.saved.is_some_and(|saved| saved >= back) && !self.future.is_empty() {
            self.saved = None;
        }
        self.future.clear();
    }

    fn undo_change(&mut self) -> Result<Outcome, EditError> {
        let Before { session, same } = self.past.pop().ok_or(EditError::NothingToUndo)?;
        let later = std::mem::replace(&mut self.session, session);
        self.record.edits.push(Edit::Undo);
        if same {
            // The two show the same motion, so that only the step before is a step to a person.
            let back = if self.session.depth().0 > 0 {
                self.record.edits.push(Edit::Undo);
                self.session.apply(Edit::Undo)
            } else {
                self.undo_change()
            };
            self.begin_keeping();
            return back;
        }
        self.future.push(later);
        self.begin_keeping();
        Ok(Outcome::default())
    }

    fn redo_change(&mut self) -> Result<Outcome, EditError> {
        let later = self.future.pop().ok_or(EditError::NothingToRedo)?;
        self.record.edits.push(Edit::Redo);
        self.replace(later, false);
        Ok(Outcome::default())
    }

    /// Starts the record of a session that has just taken the place of another.
    fn begin_keeping(&mut self) {
        self.scene = Arc::new(self.session.scene().clone());
        self.kept = self.session.journal().len();
        if let Some(keeper) = &mut self.keeper {
            keeper.begin(&self.session.text());
        }
    }

    /// Writes down edits that are complete: not the middle of a drag, which may still be cancelled.
    fn keep(&mut self) {
        if self.session.is_grabbing() {
            return;
        }
        let edits = &self.session.journal()[self.kept.min(self.session.journal().len())..];
        if let Some(keeper) = &mut self.keeper {
            keeper.add(edits);
        }
        self.kept = self.session.journal().len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str =
        "format = 1\nduration = 1.0\n[[body]]\nname = \"egg\"\nshape = { kind = \"ball\", radius = 0.1 }\n";

    fn document() -> Document {
        let scene = Scene::parse(SCENE, "egg.toml").expect("a scene");
        Document::new(scene, None).unwrap_or_else(|error| panic!("{error}"))
    }

    fn set(document: &mut Document, value: f64) {
        let edit = Edit::Set { parameter: "egg.velocity.x".to_owned(), value };
        document.apply(edit, &|_| true).expect("a free parameter");
    }

    fn speed(document: &Document) -> f64 {
        document.session().trajectory().at(0.0)[0].velocity.x
    }

    #[test]
    fn edits_and_changes_of_the_text_are_undone_in_order() {
        let mut document = document();
        set(&mut document, 1.0);
        let copy = document.change(&Change::Duplicate("egg".to_owned(), [1.0, 0.0, 0.0])).expect("a copy");
        assert_eq!(copy.as_deref(), Some("egg 2"));
        set(&mut document, 3.0);
        assert_eq!((document.depth(), speed(&document)), ((3, 0), 3.0));
        let undo = |document: &mut Document| document.apply(Edit::Undo, &|_| true).map(|_| ());
        undo(&mut document).expect("the speed");
        assert_eq!((speed(&document), document.scene().bodies.len()), (1.0, 2));
        undo(&mut document).expect("the copy");
        assert_eq!((speed(&document), document.scene().bodies.len()), (1.0, 1));
        undo(&mut document).expect("the first speed");
        assert_eq!(speed(&document), 0.0);
        assert_eq!(undo(&mut document), Err(EditError::NothingToUndo));
        for _ in 0..3 {
            document.apply(Edit::Redo, &|_| true).expect("to come back");
        }
        assert_eq!((speed(&document), document.scene().bodies.len(), document.depth()), (3.0, 2, (3, 0)));
    }

    #[test]
    fn saving_is_no_step_and_what_was_before_it_can_be_undone() {
        let folder = std::env::temp_dir().join(format!("hattrick-document-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut document = document();
        assert!(!document.is_changed());
        set(&mut document, 1.0);
        set(&mut document, 2.0);
        assert!(document.is_changed());
        document.save(&folder.join("egg.toml")).expect("to be saved");
        assert!(!document.is_changed());
        assert_eq!((speed(&document), document.depth().0), (2.0, 2));
        document.apply(Edit::Undo, &|_| true).expect("the second speed");
        assert_eq!(speed(&document), 1.0);
        assert!(document.is_changed());
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn a_change_that_makes_no_scene_is_refused_and_changes_nothing() {
        let mut document = document();
        let wrong = document.change(&Change::Rename("egg".to_owned(), "a/b".to_owned())).expect_err("a reserved sign");
        assert!(wrong.contains("a/b") || wrong.contains('/'), "{wrong}");
        assert_eq!(document.depth(), (0, 0));
        assert!(document.change(&Change::Duration(-1.0)).is_err());
    }
}
