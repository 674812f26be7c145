//! What is being asked, and what waits for the answer: for a path, whether unsaved changes may be lost, whether files of other
//! folders may be read, and whether to take up what a crash left behind.
//!
//! ```text
//! wish that would lose changes ──▶ waiting ──(lose them)──▶ carried out
//!                                     └──(save them)──▶ after the save ──(saved)──▶ carried out
//! ```

use std::path::{Path, PathBuf};

use eframe::egui::Ui;

use super::open_dialog::{Answer, PathQuestion};
use super::questions::{outside_ui, recovery_ui, unsaved_ui};
use crate::editor::action::Action;
use crate::editor::work::autosave::Left;

/// The questions of one window.
#[derive(Debug)]
pub struct Asking {
    question: Option<PathQuestion>,
    /// The question that was answered last, to be asked again where the answer does not serve.
    answered: Option<PathQuestion>,
    /// What would lose unsaved changes, waiting for a word.
    waiting: Option<Action>,
    /// What waits for a save to succeed, and what has waited long enough.
    after_save: Option<Action>,
    go_on: Option<Action>,
    /// Whether unsaved changes may be lost: that was asked.
    may_lose: bool,
    left: Vec<Left>,
    /// The file that is being opened, as it was asked for.
    opening: Option<PathBuf>,
    /// Files of other folders that it names.
    outside: Vec<String>,
}

impl Asking {
    /// Begins with what crashes left behind.
    pub fn new(left: Vec<Left>) -> Asking {
        let (question, answered, waiting, after_save, go_on) = (None, None, None, None, None);
        let (opening, outside) = (None, Vec::new());
        Asking { question, answered, waiting, after_save, go_on, may_lose: false, left, opening, outside }
    }

    /// Whether a question stands in the way of the keys.
    pub fn stands(&self) -> bool {
        self.question.is_some() || self.waiting.is_some() || !self.outside.is_empty()
    }

    /// Shows what is asked and returns what was answered. What a crash left behind is asked about where no scene is open.
    pub fn show_ui(&mut self, is_open: bool, ui: &mut Ui) -> Vec<Action> {
        let mut wishes = Vec::new();
        if self.waiting.is_some() {
            wishes.extend(unsaved_ui(ui));
        } else if !self.outside.is_empty() {
            wishes.extend(outside_ui(&self.outside, ui));
        } else if !is_open {
            wishes.extend(recovery_ui(&self.left, ui));
        }
        wishes.extend(self.question_ui(ui));
        wishes
    }

    fn question_ui(&mut self, ui: &mut Ui) -> Option<Action> {
        let answer = self.question.as_mut()?.show_ui(ui)?;
        let question = self.question.take();
        match answer {
            Answer::Wish(action) => {
                self.answered = question;
                Some(*action)
            }
            Answer::Nothing => {
                self.after_save = None;
                None
            }
        }
    }
}

/// Paths.
impl Asking {
    /// Asks for a path.
    pub fn ask(&mut self, question: PathQuestion) {
        self.question = Some(question);
    }

    /// The path that was given served.
    pub fn served(&mut self) {
        self.answered = None;
    }

    /// Says what is wrong with a file where its path was asked for: what was typed is still there. Where nothing was asked,
    /// what is wrong is given back.
    pub fn complain(&mut self, message: String) -> Option<String> {
        match self.answered.take() {
            Some(question) if self.question.is_none() => {
                self.question = Some(question.with_complaint(message));
                None
            }
            _ => Some(message),
        }
    }
}

/// Unsaved changes.
impl Asking {
    /// Holds a wish back that would lose unsaved changes; any other, and one that was allowed, is given back.
    pub fn hold_back(&mut self, action: Action, is_changed: bool) -> Option<Action> {
        let loses = matches!(
            action,
            Action::Gallery
                | Action::New
                | Action::OpenExample(_)
                | Action::Open(_)
                | Action::OpenAnywhere(_)
                | Action::Quit
        );
        if loses && is_changed && !self.may_lose {
            self.waiting = Some(action);
            return None;
        }
        Some(action)
    }

    /// Unsaved changes may be lost.
    pub fn allow(&mut self) {
        self.may_lose = true;
    }

    /// What was allowed is done, or cannot be: the next unsaved changes are asked about again.
    pub fn ask_again(&mut self) {
        self.may_lose = false;
    }

    /// The answer to the question about unsaved changes: what goes on now.
    pub fn lose_changes(&mut self, go_on: bool) -> Option<Action> {
        let waiting = self.waiting.take().filter(|_| go_on)?;
        self.allow();
        Some(waiting)
    }

    /// Another answer to it: what waited goes on once a save has succeeded.
    pub fn save_first(&mut self) {
        self.after_save = self.waiting.take();
    }

    /// A save has succeeded.
    pub fn saved(&mut self) {
        self.go_on = self.after_save.take();
        self.served();
    }

    /// A save has failed, or was given up: what waited for it does not go on. Whoever is asked for a path again still wants it.
    pub fn not_saved(&mut self) {
        if self.question.is_none() {
            self.after_save = None;
        }
    }

    /// Nothing that waits goes on.
    pub fn end_waiting(&mut self) {
        self.after_save = None;
    }

    /// What has waited long enough.
    pub fn take_go_on(&mut self) -> Option<Action> {
        self.go_on.take()
    }
}

/// Files of other folders.
impl Asking {
    /// A file is being opened.
    pub fn opens(&mut self, path: &Path) {
        self.opening = Some(path.to_owned());
    }

    /// Asks whether these may be read.
    pub fn ask_outside(&mut self, files: Vec<String>) {
        self.served();
        self.outside = files;
    }

    /// The answer: what is opened now.
    pub fn allow_outside(&mut self, allowed: bool) -> Option<Action> {
        self.outside.clear();
        self.opening.take().filter(|_| allowed).map(Action::OpenAnywhere)
    }
}

/// What crashes left behind.
impl Asking {
    /// Takes one off the list, to take it up or to throw it away.
    pub fn take_left(&mut self, index: usize) -> Option<Left> {
        (index < self.left.len()).then(|| self.left.remove(index))
    }
}
