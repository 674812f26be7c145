//! The parameters of one body, joint, force or key: values to type, padlocks, and what makes the solver reluctant.

use eframe::egui::{self, Role as AccessRole, Ui, WidgetInfo};

use crate::editor::action::Action;
use crate::editor::look::icons::Icon;
use crate::editor::look::widgets::{icon_button, number, quiet, quiet_width};
use crate::editor::look::words::{plain, significant};
use crate::editor::work::motion::Motion;
use crate::model::{BodyId, Parameter, ParameterId, Subject};

/// Members of a group in one row, such as the three of a velocity.
struct Row {
    name: String,
    unit: &'static str,
    members: Vec<ParameterId>,
}

impl Row {
    /// The name with its unit.
    fn title(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{}, {}", self.name, self.unit) }
    }
}

/// Draws the parameters of a body and returns what was asked.
pub fn parameters_ui(motion: &Motion, body: BodyId, ui: &mut Ui) -> Option<Action> {
    subject_ui(motion, body.into(), ui)
}

/// The same of anything that has parameters.
pub fn subject_ui(motion: &Motion, subject: Subject, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let rows = rows(motion, subject);
    let room = Room::of(&rows, ui);
    for row in rows {
        action = action.take().or(row_ui(motion, &row, room, ui));
    }
    action
}

/// How a row shares the width of the panel.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// Width of one number, points.
    field: f32,
    /// Whether names have their units; hovering tells them anyway.
    has_units: bool,
}

/// Narrowest and widest field of a number, points: `1.45e-5` fits the first.
const FIELD_WIDTHS: [f32; 2] = [54.0, 64.0];
/// Between the numbers of a row, points.
const FIELD_GAP: f32 = 4.0;
/// Padlock and details, with the gaps beside them, points.
const BUTTONS_WIDTH: f32 = 26.0 + 8.0 + 8.0 + 32.0;

impl Room {
    /// Units are shown where every name has room for its own; fields take what is left.
    fn of(rows: &[Row], ui: &Ui) -> Room {
        let left = |row: &Row, text: &str| {
            let count = row.members.len() as f32;
            let gaps = BUTTONS_WIDTH + FIELD_GAP * count;
            (ui.available_width() - gaps - quiet_width(ui, text)) / count
        };
        let least = |text: fn(&Row) -> String| rows.iter().map(|row| left(row, &text(row))).fold(f32::MAX, f32::min);
        let [narrow, wide] = FIELD_WIDTHS;
        let with_units = least(Row::title);
        let has_units = with_units >= narrow;
        let field = if has_units { with_units } else { least(|row| row.name.clone()) };
        Room { field: field.clamp(narrow, wide), has_units }
    }
}

/// Parameters of a subject, those of one group together, in the order of the control vector.
fn rows(motion: &Motion, subject: Subject) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (index, parameter) in motion.model.parameters().iter().enumerate() {
        if parameter.role.subject != subject {
            continue;
        }
        let (name, unit) = (parameter.role.label(), parameter.role.unit());
        let id = ParameterId(index as u32);
        match rows.last_mut().filter(|row| row.name == name) {
            Some(row) => row.members.push(id),
            None => rows.push(Row { name: name.to_owned(), unit, members: vec![id] }),
        }
    }
    rows
}

fn row_ui(motion: &Motion, row: &Row, room: Room, ui: &mut Ui) -> Option<Action> {
    let parameters: Vec<&Parameter> = row.members.iter().map(|id| &motion.model.parameters()[id.index()]).collect();
    let free = parameters.iter().all(|parameter| parameter.free);
    let whole = group_name(parameters[0], row.members.len());
    let mut action = None;
    ui.horizontal(|ui| {
        let (icon, verb) = if free { (Icon::Free, "Lock") } else { (Icon::Locked, "Free") };
        if icon_button(ui, icon, &format!("{verb} {whole}"), "", free).clicked() {
            action = Some(Action::lock_or_free(&whole, free));
        }
        let unit = if row.unit.is_empty() { "no unit" } else { row.unit };
        let freedom = if free { "the solver may change it" } else { "the solver leaves it alone" };
        let title = if room.has_units { row.title() } else { row.name.clone() };
        let note = parameters[0].role.note();
        let meaning = if note.is_empty() { String::new() } else { format!(".\n{note}") };
        quiet(ui, title).on_hover_text(format!("{unit}; {freedom}{meaning}"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            details_ui(&parameters, ui).into_iter().for_each(|wish| action = Some(wish));
            ui.spacing_mut().item_spacing.x = FIELD_GAP;
            ui.spacing_mut().button_padding.x = 2.0;
            for (id, parameter) in row.members.iter().zip(&parameters).rev() {
                action = action.take().or(value_ui(motion, *id, parameter, room.field, ui));
            }
        });
    });
    action
}

/// `egg.velocity` of `egg.velocity.x`; a parameter alone keeps its name.
fn group_name(parameter: &Parameter, count: usize) -> String {
    let name = parameter.name.as_str();
    if count == 1 { name.to_owned() } else { name.rsplit_once('.').map_or(name, |(group, _)| group).to_owned() }
}

fn value_ui(motion: &Motion, id: ParameterId, parameter: &Parameter, width: f32, ui: &mut Ui) -> Option<Action> {
    let old = motion.u[id];
    let (low, high) = parameter.bounds;
    // Lengths and times of a scene have a common size; masses and inertias have any.
    let any_size = parameter.role.has_any_size();
    let speed = if any_size && old != 0.0 { 0.01 * old.abs() } else { 0.01 * old.abs().max(0.1) };
    let (shown, decimals): (fn(f64) -> String, _) = if any_size { (significant, 15) } else { (plain, 3) };
    let changed = number(ui, &parameter.name, old, width, |field| {
        let field = field.speed(speed).range(low..=high).max_decimals(decimals);
        field.custom_formatter(move |value, _| shown(value))
    });
    // A field that is left as it was has only rounded.
    let changed = changed.filter(|value| shown(*value) != shown(old));
    changed.map(|value| Action::set(&parameter.name, value))
}

/// Weight, bounds and rest value, behind a button.
fn details_ui(parameters: &[&Parameter], ui: &mut Ui) -> Option<Action> {
    let first = parameters[0];
    let name = group_name(first, parameters.len());
    let mut action = None;
    let button = egui::Button::new("…").small();
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        ui.strong(&name);
        egui::Grid::new("details").num_columns(2).show(ui, |ui| {
            quiet(ui, "weight");
            let weight = format!("Weight of {name}");
            let changed = number(ui, &weight, first.weight, 70.0, |field| field.range(1e-6..=1e9).speed(0.1));
            action = changed.map(|weight| Action::free(&name, Some(weight), None, None));
            ui.end_row();
            action = action.take().or(bounds_ui(first, &name, ui));
            action = action.take().or(rest_ui(first, &name, ui));
        });
        quiet(ui, "A high weight makes the solver reluctant.\nThe rest value is where it would like to be.\nChanging these frees the parameter.");
    });
    response.widget_info(|| WidgetInfo::labeled(AccessRole::Button, true, format!("Details of {name}")));
    action
}

/// Far enough out to mean none, near enough to type.
const WIDE: f64 = 1e6;

fn bounds_ui(parameter: &Parameter, name: &str, ui: &mut Ui) -> Option<Action> {
    let (low, high) = parameter.bounds;
    let mut bounds = [low.max(-WIDE), high.min(WIDE)];
    let before = bounds;
    quiet(ui, "bounds");
    ui.horizontal(|ui| {
        for (entry, which) in bounds.iter_mut().zip(["Least", "Greatest"]) {
            let changed = number(ui, &format!("{which} {name}"), *entry, 70.0, |field| {
                field.range(-WIDE..=WIDE).speed(0.05).custom_formatter(|value, _| bound_words(value))
            });
            *entry = changed.unwrap_or(*entry);
        }
    });
    ui.end_row();
    (bounds != before && bounds[0] <= bounds[1]).then(|| Action::free(name, None, Some(bounds), None))
}

/// A bound that is none is written as such.
fn bound_words(value: f64) -> String {
    if value.abs() >= WIDE { "none".to_owned() } else { plain(value) }
}

fn rest_ui(parameter: &Parameter, name: &str, ui: &mut Ui) -> Option<Action> {
    quiet(ui, "rest");
    let changed = number(ui, &format!("Rest of {name}"), parameter.rest, 70.0, |field| field.speed(0.01));
    ui.end_row();
    changed.map(|rest| Action::free(name, None, None, Some(rest)))
}
