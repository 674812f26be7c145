//! Asking for a file: a path to type, and the system's own dialog where there is one.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::{self, Ui};

use super::widgets::quiet;

/// A question for a path that is on the screen.
#[derive(Debug)]
pub struct PathQuestion {
    /// What is typed.
    pub text: String,
    /// Whether it asks where to save.
    pub saving: bool,
    chosen: Option<Receiver<Option<PathBuf>>>,
    focused: bool,
}

/// What became of the question.
#[derive(Debug, PartialEq)]
pub enum PathAnswer {
    /// A path was given.
    Path(PathBuf),
    /// It was sent away.
    Nothing,
}

impl PathQuestion {
    /// Asks for a path, starting from a text.
    pub fn new(text: String, saving: bool) -> PathQuestion {
        PathQuestion { text, saving, chosen: None, focused: false }
    }

    /// The system's dialog, in a thread of its own: it may take as long as a person does.
    fn browse(&mut self, ctx: &egui::Context) {
        let (sender, receiver) = channel();
        let (saving, ctx) = (self.saving, ctx.clone());
        std::thread::spawn(move || {
            let dialog = rfd::FileDialog::new().add_filter("Hattrick scenes", &["toml"]);
            let path = if saving { dialog.save_file() } else { dialog.pick_file() };
            let _ = sender.send(path);
            ctx.request_repaint();
        });
        self.chosen = Some(receiver);
    }

    /// Shows the question; `None` while it stands.
    pub fn show_ui(&mut self, ui: &mut Ui) -> Option<PathAnswer> {
        if let Some(path) = self.chosen.as_ref().and_then(|chosen| chosen.try_recv().ok()) {
            self.chosen = None;
            if let Some(path) = path {
                return Some(PathAnswer::Path(path));
            }
        }
        let mut answer = None;
        let (title, verb) = if self.saving { ("Save as", "Save") } else { ("Open a scene", "Open") };
        let modal = egui::Modal::new(egui::Id::unique("path question")).show(ui.ctx(), |ui| {
            ui.set_width(480.0_f32.min(ui.ctx().content_rect().width() - 60.0));
            ui.heading(title);
            ui.add_space(6.0);
            let label = ui.label("Path");
            let field =
                egui::TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY).hint_text("scenes/eggs.toml");
            let field = ui.add(field).labelled_by(label.id);
            if !self.focused {
                field.request_focus();
                self.focused = true;
            }
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let ready = !self.text.trim().is_empty();
                if (ui.add_enabled(ready, egui::Button::new(verb)).clicked() || entered) && ready {
                    answer = Some(PathAnswer::Path(PathBuf::from(self.text.trim())));
                }
                if ui.add_enabled(self.chosen.is_none(), egui::Button::new("Browse…")).clicked() {
                    self.browse(ui.ctx());
                }
                if ui.button("Cancel").clicked() {
                    answer = Some(PathAnswer::Nothing);
                }
            });
            if self.chosen.is_some() {
                quiet(ui, "Waiting for the system's file dialog; a path typed here works as well.");
            }
        });
        if modal.should_close() {
            answer = answer.or(Some(PathAnswer::Nothing));
        }
        answer
    }
}
