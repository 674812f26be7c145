//! The nails: what shall hold, whether it does and how far it is off; switching, renaming, typing, removing.

use eframe::egui::{self, RichText, Role, Ui, WidgetInfo};

use crate::editor::action::Action;
use crate::editor::eye::view::View;
use crate::editor::look::icons::Icon;
use crate::editor::look::theme;
use crate::editor::look::widgets::{icon_button, number, quiet};
use crate::editor::look::words::{shorten, when_words};
use crate::editor::work::motion::{Mark, Motion};
use crate::scene::{Components, Inside, Nail, Side, When};
use crate::session::Edit;
use crate::solve::GoalReport;

/// What is being typed for a new nail.
#[derive(Clone, Debug, Default)]
pub struct NewNail {
    /// An expression.
    pub expression: String,
}

/// Iterations of one press of the button that meets the nails.
const ITERATIONS: u32 = 200;

/// Draws the list and returns what was asked.
pub fn nails_ui(view: &View, motion: &Motion, new: &mut NewNail, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    if motion.nails.is_empty() {
        quiet(ui, "Nothing is nailed. N nails the selected body where it is at the playhead.");
    }
    for (index, (nail, report)) in motion.nails.iter().zip(&motion.nail_reports).enumerate() {
        action = action.take().or(nail_ui(motion, index, nail, report, ui));
    }
    ui.horizontal_wrapped(|ui| {
        let body = view.selection.filter(|body| !motion.model.bodies()[body.index()].drive.never_moves());
        ui.add_enabled_ui(body.is_some(), |ui| {
            if ui.button("Nail here").on_hover_text("Position at the playhead  (N)").clicked() {
                action = Some(Action::NailHere);
            }
            ui.menu_button("Nail…", |ui| {
                if let Some(body) = body {
                    action = action.take().or(kinds_ui(view, motion, body, ui));
                }
            });
        });
        let unmet = motion.nail_reports.iter().any(|report| !report.is_met());
        if unmet && ui.button("Meet the nails").clicked() {
            action = Some(Action::Edit(Edit::Solve { iterations: ITERATIONS, seed: 1 }));
        }
    });
    action.or(expression_ui(motion, new, ui))
}

fn nail_ui(motion: &Motion, index: usize, nail: &Nail, report: &GoalReport, ui: &mut Ui) -> Option<Action> {
    let palette = theme::palette(ui.visuals().dark_mode);
    let title = nail.title(index);
    let mut action = None;
    ui.horizontal(|ui| {
        let mut enabled = nail.enabled;
        let check = ui.checkbox(&mut enabled, "");
        check.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, enabled, format!("Nail {title} counts")));
        if check.changed() {
            action = Some(replace(index, Nail { enabled, ..nail.clone() }));
        }
        let color = match (nail.enabled, report.is_met()) {
            (false, _) => palette.quiet,
            (true, true) => palette.nail,
            (true, false) => palette.wrong,
        };
        // An expression stands below, where it can be typed over.
        let bare = nail.name.is_none() && nail.body.is_none();
        let shown = if bare { format!("nail {}", index + 1) } else { title.clone() };
        ui.label(RichText::new(shown).color(color).strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if icon_button(ui, Icon::Close, &format!("Remove {title}"), "", false).clicked() {
                action = Some(Action::Edit(Edit::Nail { nail: None, index: Some(index) }));
            }
            if let Some(t) = report.t
                && icon_button(ui, Icon::Target, &format!("Show {title}"), "", false).clicked()
            {
                action = Some(Action::Scrub(t));
            }
        });
    });
    action = action.or(standing_ui(motion, index, nail, report, ui));
    action = action.or(wishes_ui(index, nail, ui));
    action.or(own_expression_ui(motion, index, nail, ui))
}

/// When it holds, with a time to be typed where it is one, and how it stands.
fn standing_ui(motion: &Motion, index: usize, nail: &Nail, report: &GoalReport, ui: &mut Ui) -> Option<Action> {
    let inside = match &nail.inside {
        Some(Inside::Body { body }) => format!(" · inside {body}"),
        _ => String::new(),
    };
    let rest = format!("{inside} · {}", standing(report));
    let When::Time(t) = nail.at else {
        quiet(ui, when_words(&nail.at) + &rest);
        return None;
    };
    let mut changed = None;
    ui.horizontal(|ui| {
        quiet(ui, "at");
        let label = format!("Time of nail {}", index + 1);
        changed = number(ui, &label, t, 56.0, |field| {
            field.range(0.0..=motion.model.duration()).speed(0.005).max_decimals(3)
        });
        quiet(ui, format!("s{rest}"));
    });
    let moved = changed.filter(|value| format!("{value:.3}") != format!("{t:.3}"));
    moved.map(|t| replace(index, Nail { at: When::Time(t), ..nail.clone() }))
}

/// The expression of a nail, which can be typed over; a word at once on whether it can be read.
fn own_expression_ui(motion: &Motion, index: usize, nail: &Nail, ui: &mut Ui) -> Option<Action> {
    let old = nail.expression.as_deref()?;
    let id = ui.scope_id().with(("expression of a nail", index));
    let mut text = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| old.to_owned());
    let field = egui::TextEdit::singleline(&mut text).font(egui::TextStyle::Monospace).desired_width(f32::INFINITY);
    let response = ui.add(field);
    let label = format!("Expression of nail {}", index + 1);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, label.clone()));
    let new = Nail { expression: Some(text.trim().to_owned()), ..nail.clone() };
    let wrong = crate::goal::Goal::new(&motion.model, &new, index).err();
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
    } else {
        ui.data_mut(|data| data.remove_temp::<String>(id));
    }
    if let Some(error) = wrong {
        let palette = theme::palette(ui.visuals().dark_mode);
        ui.label(RichText::new(error.to_string()).small().color(palette.warning));
        return None;
    }
    (response.lost_focus() && new != *nail).then(|| replace(index, new))
}

/// The numbers of a nail, to be typed.
fn wishes_ui(index: usize, nail: &Nail, ui: &mut Ui) -> Option<Action> {
    let mut changed = nail.clone();
    let mut done = false;
    let wishes = [
        ("position, m", &mut changed.position),
        ("rotation, rad", &mut changed.rotation),
        ("velocity, m/s", &mut changed.velocity),
        ("spin, rad/s", &mut changed.spin),
    ];
    for (name, wish) in wishes {
        let Some(Components(entries)) = wish else { continue };
        ui.horizontal(|ui| {
            quiet(ui, name);
            for (entry, axis) in entries.iter_mut().zip(["x", "y", "z"]) {
                let Some(old) = entry else { continue };
                let label = format!("{} {name} {axis}", nail.title(index));
                if let Some(value) = number(ui, &label, *old, 56.0, |field| field.speed(0.01).max_decimals(3)) {
                    *old = value;
                    done = true;
                }
            }
        });
    }
    (done && changed != *nail).then(|| replace(index, changed))
}

fn replace(index: usize, nail: Nail) -> Action {
    Action::Edit(Edit::Nail { nail: Some(Box::new(nail)), index: Some(index) })
}

fn standing(report: &GoalReport) -> String {
    match (report.error, &report.missing) {
        (Some(_), _) if report.is_met() => "holds".to_owned(),
        (Some(error), _) => format!("off by {} {}", shorten(error), report.unit),
        (None, Some(missing)) => missing.clone(),
        (None, None) => String::new(),
    }
}

/// The time of the playhead, or the impact of a body that is shown there.
pub fn when_here(view: &View, motion: &Motion, body: crate::model::BodyId) -> When {
    let here = |mark: &&Mark| {
        mark.kind == crate::simulation::EventKind::Impact
            && mark.bodies.contains(&body)
            && (mark.t - view.playhead).abs() < 1e-9
    };
    match motion.marks.iter().find(here) {
        Some(mark) => When::Impact { impact: mark.name.clone(), side: Side::After },
        None => When::Time(view.playhead),
    }
}

fn kinds_ui(view: &View, motion: &Motion, body: crate::model::BodyId, ui: &mut Ui) -> Option<Action> {
    let state = motion.body_at(body, view.playhead);
    let all = |vector: crate::math::Vec3| Some(Components::all(vector.into()));
    let base = Nail {
        body: Some(motion.name(body).to_owned()),
        enabled: true,
        at: when_here(view, motion, body),
        ..Nail::default()
    };
    let turn = crate::math::rotation::log(&state.rotation);
    let kinds = [
        ("Position", Nail { position: all(state.position), ..base.clone() }),
        ("Orientation", Nail { rotation: all(turn), ..base.clone() }),
        ("Velocity", Nail { velocity: all(state.velocity), ..base.clone() }),
        ("Spin", Nail { spin: all(state.spin), ..base.clone() }),
    ];
    let mut action = None;
    quiet(ui, when_words(&base.at));
    for (name, nail) in kinds {
        if ui.button(name).clicked() {
            action = Some(Action::Edit(Edit::Nail { nail: Some(Box::new(nail)), index: None }));
        }
    }
    let containers = motion.scene.bodies.iter().filter(|container| container.region.is_some());
    for container in containers.filter(|container| container.name != motion.name(body)) {
        if ui.button(format!("Inside {} at the end", container.name)).clicked() {
            let inside = Some(Inside::Body { body: container.name.clone() });
            let nail = Nail { at: When::End, inside, ..base.clone() };
            action = Some(Action::Edit(Edit::Nail { nail: Some(Box::new(nail)), index: None }));
        }
    }
    action
}

/// A line to type an expression, with a word at once on whether it can be read.
fn expression_ui(motion: &Motion, new: &mut NewNail, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    ui.horizontal(|ui| {
        let moving = motion.scene.bodies.iter().find(|body| !body.drive.never_moves());
        let hint = moving.map_or(String::new(), |body| format!("speed({}) <= 1", body.name));
        let field = egui::TextEdit::singleline(&mut new.expression).hint_text(hint).desired_width(180.0);
        let response = ui.add(field);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Expression"));
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let nail = Nail { enabled: true, expression: Some(new.expression.trim().to_owned()), ..Nail::default() };
        let wrong = crate::goal::Goal::new(&motion.model, &nail, 0).err();
        let ready = !new.expression.trim().is_empty() && wrong.is_none();
        if (ui.add_enabled(ready, egui::Button::new("Nail it")).clicked() || entered) && ready {
            action = Some(Action::Edit(Edit::Nail { nail: Some(Box::new(nail)), index: None }));
            new.expression.clear();
        }
    });
    if !new.expression.trim().is_empty() {
        let nail = Nail { enabled: true, expression: Some(new.expression.trim().to_owned()), ..Nail::default() };
        if let Err(error) = crate::goal::Goal::new(&motion.model, &nail, 0) {
            let palette = theme::palette(ui.visuals().dark_mode);
            ui.label(RichText::new(error.to_string()).small().color(palette.warning));
        }
    }
    action
}
