//! What the last edit changed: how its solve went, and each parameter from what to what, to be put back or locked alone.

use eframe::egui::{self, RichText, Ui};

use crate::editor::action::Action;
use crate::editor::look::icons::Icon;
use crate::editor::look::widgets::{icon_button, quiet};
use crate::editor::look::words::significant;
use crate::editor::work::motion::Motion;
use crate::editor::work::order::Done;
use crate::session::{Edit, ParameterChange};
use crate::solve::Report;

/// Lines that are always in sight; the largest changes come first.
const FIRST_LINES: usize = 4;
/// Lines below them, once they are asked for.
const MOST_LINES: usize = 24;

/// What the last edit changed.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    changes: Vec<ParameterChange>,
    /// How the last solve went, in words.
    solver: String,
}

impl Ledger {
    /// Each parameter from what to what.
    pub fn changes(&self) -> &[ParameterChange] {
        &self.changes
    }

    /// Nothing was changed yet.
    pub fn clear(&mut self) {
        *self = Ledger::default();
    }

    /// Writes down how a solve went, if there was one.
    pub fn take_report(&mut self, done: &Done) {
        if let Some(report) = done.outcome.as_ref().and_then(|outcome| outcome.report.as_ref()) {
            self.solver = solver_words(report, done);
        }
    }

    /// Writes down what a drag has changed so far.
    pub fn put(&mut self, changes: Vec<ParameterChange>) {
        self.changes = changes;
    }

    /// Writes down what an edit has changed since the motion before it.
    pub fn take_edit(&mut self, edit: &Edit, before: Option<&Motion>, after: &Motion) {
        if *edit == Edit::Undo {
            // What was taken back is not what changed.
            self.clear();
        } else if let Some(before) = before.filter(|_| *edit != Edit::Release) {
            let changes = ParameterChange::between((&before.model, &before.u), (&after.model, &after.u));
            if !changes.is_empty() {
                self.changes = changes;
            }
        }
    }
}

/// Draws the ledger and returns what was asked.
pub fn ledger_ui(ledger: &Ledger, ui: &mut Ui) -> Option<Action> {
    if !ledger.solver.is_empty() {
        quiet(ui, &ledger.solver);
    }
    changes_ui(&ledger.changes, ui)
}

fn changes_ui(changes: &[ParameterChange], ui: &mut Ui) -> Option<Action> {
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

/// How a solve went: `met · 4 iterations, 6 simulations · 3.1 ms`.
fn solver_words(report: &Report, done: &Done) -> String {
    let Report { verdict, iterations, simulations, jumps, needed, .. } = report;
    let with = if needed.is_empty() { String::new() } else { format!(" · needs {}", needed.join(", ")) };
    let milliseconds = done.solving.as_secs_f64() * 1e3;
    let jumped = if jumps.is_empty() { String::new() } else { format!(" · {} jumps", jumps.len()) };
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    format!(
        "Solver: {} · {iterations} iteration{}, {simulations} simulation{}{jumped}{with} · {milliseconds:.1} ms",
        verdict.shown(&done.motion.model),
        plural(*iterations),
        plural(*simulations),
    )
}
