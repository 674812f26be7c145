//! Questions that stand in the way until they are answered: unsaved changes, files of other folders, and what a crash left
//! behind.

use eframe::egui::{self, Ui};

use crate::editor::action::Action;
use crate::editor::look::widgets::quiet;
use crate::editor::work::autosave::Left;

/// Asks whether unsaved changes may be lost.
pub fn unsaved_ui(ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let modal = egui::Modal::new(egui::Id::unique("unsaved")).show(ui.ctx(), |ui| {
        ui.set_width(360.0);
        ui.heading("Unsaved changes");
        ui.add_space(4.0);
        ui.label("What was changed since the last save would be lost.");
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if ui.button("Go back").clicked() {
                action = Some(Action::LoseChanges(false));
            }
            if ui.button("Save them").clicked() {
                action = Some(Action::SaveAndGoOn);
            }
            if ui.button("Lose the changes").clicked() {
                action = Some(Action::LoseChanges(true));
            }
        });
    });
    action.or(modal.should_close().then_some(Action::LoseChanges(false)))
}

/// Files that are named in the question; more are counted.
const MOST_NAMED: usize = 5;

/// Asks whether files of other folders may be read.
pub fn outside_ui(files: &[String], ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let modal = egui::Modal::new(egui::Id::unique("outside")).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        ui.heading("Files from other folders");
        ui.add_space(4.0);
        ui.label("What you open uses files outside of its own folder:");
        for file in files.iter().take(MOST_NAMED) {
            ui.add(egui::Label::new(egui::RichText::new(file).monospace()).wrap());
        }
        if files.len() > MOST_NAMED {
            ui.label(format!("and {} more", files.len() - MOST_NAMED));
        }
        ui.add_space(4.0);
        quiet(ui, "Open it with them only if you trust where it comes from.");
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if ui.button("Do not open").clicked() {
                action = Some(Action::AllowOutside(false));
            }
            if ui.button("Open with them").clicked() {
                action = Some(Action::AllowOutside(true));
            }
        });
    });
    action.or(modal.should_close().then_some(Action::AllowOutside(false)))
}

/// Offers what a crash left behind.
pub fn recovery_ui(left: &[Left], ui: &mut Ui) -> Option<Action> {
    let first = left.first()?;
    let mut action = None;
    egui::Modal::new(egui::Id::unique("recovery")).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        ui.heading("Unsaved work was found");
        ui.add_space(4.0);
        let what = if first.origin.is_empty() { "an example" } else { first.origin.as_str() };
        ui.label(format!("The program ended before {what} was saved. {} edits were kept.", first.edits.len()));
        quiet(ui, "Taking it up again opens the scene with all of them done.");
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if ui.button("Take it up again").clicked() {
                action = Some(Action::Recover(0));
            }
            if ui.button("Throw it away").clicked() {
                action = Some(Action::DiscardRecovery(0));
            }
        });
    });
    action
}
