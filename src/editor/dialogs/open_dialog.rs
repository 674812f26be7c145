//! Asking for a file: a path to type, and the system's own dialog where there is one.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use eframe::egui::{self, Ui};

use super::export_dialog::export_ui;
use crate::editor::action::Action;
use crate::editor::look::theme::palette;
use crate::editor::look::widgets::quiet;
use crate::editor::work::exporting::Wishes;

/// A question for a path that is on the screen.
#[derive(Debug)]
pub struct PathQuestion {
    /// What is typed.
    pub text: String,
    purpose: Purpose,
    chosen: Option<Receiver<Browsed>>,
    focused: bool,
    /// What was wrong with the last answer, or with asking the system.
    complaint: Option<String>,
}

/// What came of the system's dialog.
#[derive(Clone, Debug, PartialEq)]
enum Browsed {
    /// A file.
    Path(PathBuf),
    /// Someone sent it away.
    Nothing,
    /// There is none.
    NoDialog,
}

/// A dialog that is gone after this time was never there: nobody sends one away so fast.
const NO_DIALOG: Duration = Duration::from_millis(250);

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
        PathQuestion { text, purpose, chosen: None, focused: false, complaint: None }
    }

    /// The same question once more, with what was wrong with its answer.
    pub fn with_complaint(self, complaint: String) -> PathQuestion {
        PathQuestion { complaint: Some(complaint), chosen: None, focused: false, ..self }
    }

    /// The system's dialog, in a thread of its own: it may take as long as a person does.
    fn browse(&mut self, ctx: &egui::Context) {
        let (sender, receiver) = channel();
        let (purpose, ctx) = (self.purpose.clone(), ctx.clone());
        std::thread::spawn(move || {
            let (name, endings) = purpose.filter();
            let dialog = rfd::FileDialog::new().add_filter(name, &endings);
            let start = Instant::now();
            let path = if purpose == Purpose::Open { dialog.pick_file() } else { dialog.save_file() };
            let _ = sender.send(match path {
                Some(path) => Browsed::Path(path),
                None if start.elapsed() < NO_DIALOG => Browsed::NoDialog,
                None => Browsed::Nothing,
            });
            ctx.request_repaint();
        });
        self.chosen = Some(receiver);
    }

    /// Takes over what came of the system's dialog; a path that answers the question.
    fn take_chosen(&mut self) -> Option<PathBuf> {
        let browsed = self.chosen.as_ref().and_then(|chosen| chosen.try_recv().ok())?;
        self.chosen = None;
        match browsed {
            Browsed::Path(path) => {
                self.text = path.display().to_string();
                // An export has more to choose; anything else needs only the path.
                return (!matches!(self.purpose, Purpose::Export(_))).then_some(path);
            }
            Browsed::Nothing => {}
            Browsed::NoDialog => {
                self.complaint = Some("This system has no file dialog to offer; type the path above.".to_owned());
                self.focused = false;
            }
        }
        None
    }

    /// Shows the question; `None` while it stands.
    pub fn show_ui(&mut self, ui: &mut Ui) -> Option<Answer> {
        if let Some(path) = self.take_chosen() {
            return Some(Answer::Wish(Box::new(self.purpose.wish(path))));
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
            export_ui(wishes, &mut self.text, ui);
        }
        if let Some(complaint) = &self.complaint {
            let wrong = palette(ui.visuals().dark_mode).wrong;
            ui.add(egui::Label::new(egui::RichText::new(complaint).color(wrong)).wrap());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn browsed(purpose: Purpose, what: Browsed) -> (PathQuestion, Option<PathBuf>) {
        let (sender, receiver) = channel();
        let mut question = PathQuestion::new("typed.toml".to_owned(), purpose);
        question.chosen = Some(receiver);
        sender.send(what).expect("the question listens");
        let path = question.take_chosen();
        (question, path)
    }

    #[test]
    fn where_no_dialog_is_to_be_had_the_path_field_is_pointed_to() {
        let (question, path) = browsed(Purpose::Open, Browsed::NoDialog);
        assert_eq!(path, None);
        assert!(question.complaint.is_some_and(|words| words.contains("type the path")));
        assert_eq!((question.text.as_str(), question.focused), ("typed.toml", false));
        let (question, path) = browsed(Purpose::Save, Browsed::Nothing);
        assert_eq!((question.complaint, path), (None, None));
        let (_, path) = browsed(Purpose::Save, Browsed::Path("a.toml".into()));
        assert_eq!(path, Some("a.toml".into()));
    }

    #[test]
    fn a_question_asked_again_keeps_what_was_typed() {
        let question = PathQuestion::new("none/egg.toml".to_owned(), Purpose::Save);
        let again = question.with_complaint("there is no folder none".to_owned());
        assert_eq!(again.text, "none/egg.toml");
        assert!(again.complaint.is_some());
    }
}
