//! Questions that stand in the way until they are answered: unsaved changes, and what a crash left behind.

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
