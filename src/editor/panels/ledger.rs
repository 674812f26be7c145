//! What the last edit changed: each parameter from what to what, to be put back or locked alone.

use eframe::egui::{self, RichText, Ui};

use crate::editor::action::Action;
use crate::editor::look::icons::Icon;
use crate::editor::look::widgets::{icon_button, quiet};
use crate::editor::look::words::significant;
use crate::session::ParameterChange;

/// Lines that are always in sight; the largest changes come first.
const FIRST_LINES: usize = 4;
/// Lines below them, once they are asked for.
const MOST_LINES: usize = 24;

/// Draws the ledger and returns what was asked.
pub fn ledger_ui(changes: &[ParameterChange], ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    if changes.is_empty() {
        quiet(ui, "Nothing was changed yet. What a drag changes is listed here.");
        return None;
    }
    let sorted = sorted(changes);
    let (first, more) = sorted.split_at(sorted.len().min(FIRST_LINES));
    first.iter().for_each(|change| action = action.take().or(line_ui(change, ui)));
    if !more.is_empty() {
        let head = format!("{} more", more.len());
        egui::CollapsingHeader::new(head).id_salt("more changes").show(ui, |ui| {
            more.iter().take(MOST_LINES).for_each(|change| action = action.take().or(line_ui(change, ui)));
        });
    }
    action
}

fn line_ui(change: &ParameterChange, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    ui.horizontal(|ui| {
        ui.label(&change.name);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if icon_button(ui, Icon::Locked, &format!("Lock {} alone", change.name), "", false).clicked() {
                action = Some(Action::lock_or_free(&change.name, true));
            }
            if icon_button(ui, Icon::Undo, &format!("Put {} back", change.name), "", false).clicked() {
                action = Some(Action::set(&change.name, change.before));
            }
            let words = format!("{} → {}", significant(change.before), significant(change.after));
            ui.label(RichText::new(words).monospace());
        });
    });
    action
}

/// The largest change first, measured against what the value is.
fn sorted(changes: &[ParameterChange]) -> Vec<&ParameterChange> {
    let size = |change: &ParameterChange| (change.after - change.before).abs() / (0.1 + change.before.abs());
    let mut sorted: Vec<&ParameterChange> = changes.iter().collect();
    sorted.sort_by(|a, b| size(b).total_cmp(&size(a)));
    sorted
}
