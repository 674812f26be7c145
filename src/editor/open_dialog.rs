//! Asking for a file: a path to type, and the system's own dialog where there is one.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::{self, Ui};

use super::action::Action;
use super::export_dialog::Wishes;
use super::widgets::quiet;

/// A question for a path that is on the screen.
#[derive(Debug)]
pub struct PathQuestion {
    /// What is typed.
    pub text: String,
    purpose: Purpose,
    chosen: Option<Receiver<Option<PathBuf>>>,
    focused: bool,
}

/// What the file is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    /// A scene or a journal to open.
    Open,
    /// Where to save the scene.
    Save,
    /// Where to write what was done in this session.
    Journal,
    /// Where to write the motion for other programs, and how.
    Export(Wishes),
}

/// What became of the question.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// It was answered.
    Wish(Box<Action>),
    /// It was sent away.
    Nothing,
}

impl Purpose {
    /// Heading, and the word on the button.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Purpose::Open => ("Open a scene", "Open"),
            Purpose::Save => ("Save as", "Save"),
            Purpose::Journal => ("Save the session as a journal", "Save"),
            Purpose::Export(_) => ("Export the motion", "Export"),
        }
    }

    /// What the system's dialog lists.
    fn filter(&self) -> (&'static str, Vec<&'static str>) {
        match self {
            Purpose::Open => ("Scenes and journals", vec!["toml", "jsonl"]),
            Purpose::Save => ("Scenes", vec!["toml"]),
            Purpose::Journal => ("Journals", vec!["jsonl"]),
            Purpose::Export(_) => ("Motions", crate::export::Format::ALL.map(|format| format.ending()).to_vec()),
        }
    }

    fn wish(&self, path: PathBuf) -> Action {
        match self {
            Purpose::Open => Action::Open(path),
            Purpose::Save => Action::SaveTo(path),
            Purpose::Journal => Action::SaveJournal(path),
            Purpose::Export(wishes) => Action::Export(path, *wishes),
        }
    }
}

impl PathQuestion {
    /// Asks for a path, starting from a text.
    pub fn new(text: String, purpose: Purpose) -> PathQuestion {
        PathQuestion { text, purpose, chosen: None, focused: false }
    }

    /// The system's dialog, in a thread of its own: it may take as long as a person does.
    fn browse(&mut self, ctx: &egui::Context) {
        let (sender, receiver) = channel();
        let (purpose, ctx) = (self.purpose.clone(), ctx.clone());
        std::thread::spawn(move || {
            let (name, endings) = purpose.filter();
            let dialog = rfd::FileDialog::new().add_filter(name, &endings);
            let path = if purpose == Purpose::Open { dialog.pick_file() } else { dialog.save_file() };
            let _ = sender.send(path);
            ctx.request_repaint();
        });
        self.chosen = Some(receiver);
    }

    /// Shows the question; `None` while it stands.
    pub fn show_ui(&mut self, ui: &mut Ui) -> Option<Answer> {
        if let Some(path) = self.chosen.as_ref().and_then(|chosen| chosen.try_recv().ok()) {
            self.chosen = None;
            if let Some(path) = path {
                // An export has more to choose; anything else needs only the path.
                match &self.purpose {
                    Purpose::Export(_) => self.text = path.display().to_string(),
                    purpose => return Some(Answer::Wish(Box::new(purpose.wish(path)))),
                }
            }
        }
        let mut answer = None;
        let modal = egui::Modal::new(egui::Id::unique("path question")).show(ui.ctx(), |ui| {
            ui.set_width(480.0_f32.min(ui.ctx().content_rect().width() - 60.0));
            answer = self.body_ui(ui);
        });
        if modal.should_close() {
            answer = answer.or(Some(Answer::Nothing));
        }
        answer
    }

    fn body_ui(&mut self, ui: &mut Ui) -> Option<Answer> {
        let (title, verb) = self.purpose.words();
        let mut answer = None;
        ui.heading(title);
        ui.add_space(6.0);
        let entered = self.path_ui(ui);
        if let Purpose::Export(wishes) = &mut self.purpose {
            wishes.choose_ui(&mut self.text, ui);
        }
        let path = PathBuf::from(self.text.trim());
        if self.purpose != Purpose::Open && path.is_file() {
            quiet(ui, "A file of this name exists; it will be written over.");
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let ready = !self.text.trim().is_empty();
            if (ui.add_enabled(ready, egui::Button::new(verb)).clicked() || entered) && ready {
                answer = Some(Answer::Wish(Box::new(self.purpose.wish(path))));
            }
            if ui.add_enabled(self.chosen.is_none(), egui::Button::new("Browse…")).clicked() {
                self.browse(ui.ctx());
            }
            if ui.button("Cancel").clicked() {
                answer = Some(Answer::Nothing);
            }
        });
        if self.chosen.is_some() {
            quiet(ui, "Waiting for the system's file dialog; a path typed here works as well.");
        }
        answer
    }

    /// The path to type; true once Enter says that it is complete.
    fn path_ui(&mut self, ui: &mut Ui) -> bool {
        let label = ui.label("Path");
        let hint = if self.purpose == Purpose::Open { "scenes/eggs.toml" } else { "" };
        let field = egui::TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY).hint_text(hint);
        let field = ui.add(field).labelled_by(label.id);
        if !self.focused {
            field.request_focus();
            // What is suggested is selected: typing replaces it.
            let mut state = egui::text_edit::TextEditState::default();
            let end = egui::text::CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::two(egui::text::CCursor::default(), end)));
            state.store(ui.ctx(), field.id);
            self.focused = true;
        }
        field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
    }
}
