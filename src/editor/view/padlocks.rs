//! Padlocks in the view, where paths start: what the solver may change of a body, and what it has changed glows.

use eframe::egui::{self, Align2, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use crate::editor::action::Action;
use crate::editor::drag::grip;
use crate::editor::eye::view::View;
use crate::editor::look::icons::Icon;
use crate::editor::look::theme;
use crate::editor::look::words::shorten;
use crate::editor::work::motion::Motion;
use crate::math::elementary::square;
use crate::model::BodyId;
use crate::session::ParameterChange;

/// Bodies whose changes are shown at once; more would hide the picture.
const MOST_BODIES: usize = 6;
/// Padlocks of one body.
const MOST_OF_A_BODY: usize = 5;
const SIZE: Vec2 = vec2(64.0, 22.0);

/// A padlock on one group of parameters.
pub struct Padlock {
    /// Where it is on the screen.
    pub rect: Rect,
    body: BodyId,
    group: String,
    word: String,
    free: bool,
    /// How far the last edit changed the group, in its own unit.
    changed: Option<f64>,
}

/// Padlocks of the selected body (its place and its throw) and of whatever was changed last.
pub fn padlocks(view: &View, motion: &Motion, changes: &[ParameterChange], rect: Rect) -> Vec<Padlock> {
    let groups = changed_groups(motion, changes);
    let mut bodies: Vec<BodyId> = view.selection.into_iter().collect();
    for (body, ..) in &groups {
        if !bodies.contains(body) && bodies.len() < MOST_BODIES {
            bodies.push(*body);
        }
    }
    bodies.into_iter().flat_map(|body| of_body(view, motion, body, &groups, rect)).collect()
}

fn of_body(view: &View, motion: &Motion, body: BodyId, changed: &[(BodyId, String, f64)], rect: Rect) -> Vec<Padlock> {
    let Some(corner) = corner(view, motion, body, rect) else { return Vec::new() };
    let moves = motion.model.bodies()[body.index()].drive.is_pushed();
    let mut fields: Vec<&str> =
        if view.selection == Some(body) && moves { vec!["position", "velocity"] } else { vec![] };
    for (_, field, _) in changed.iter().filter(|(other, ..)| *other == body) {
        if !fields.contains(&field.as_str()) {
            fields.push(field);
        }
    }
    let padlock = |(k, field): (usize, &str)| {
        let group = format!("{}.{field}", motion.name(body));
        let members = motion.model.group(&group).unwrap_or_default();
        let free = !members.is_empty() && members.iter().all(|id| motion.model.parameters()[id.index()].free);
        let size = changed.iter().find(|(other, name, _)| *other == body && name == field).map(|(.., size)| *size);
        let rect = Rect::from_min_size(corner + vec2(0.0, 26.0 * k as f32), SIZE);
        Padlock { rect, body, group, word: word(field).to_owned(), free, changed: size }
    };
    fields.into_iter().take(MOST_OF_A_BODY).enumerate().map(padlock).collect()
}

/// Beside where the body starts.
fn corner(view: &View, motion: &Motion, body: BodyId, rect: Rect) -> Option<Pos2> {
    let start = motion.body_at(body, 0.0).position;
    let place = view.camera.project(rect, start).filter(|place| rect.contains(*place))?;
    let radius = grip::ring_radius(motion, &view.camera, rect, body, start).min(60.0);
    Some(place + vec2(radius + 14.0, 12.0))
}

/// What people call a group.
fn word(field: &str) -> &str {
    match field {
        "position" => "place",
        "rotation" => "turn",
        "velocity" => "throw",
        other => other,
    }
}

/// Bodies and fields that were changed, with how far: the length of the difference.
fn changed_groups(motion: &Motion, changes: &[ParameterChange]) -> Vec<(BodyId, String, f64)> {
    let mut groups: Vec<(BodyId, String, f64)> = Vec::new();
    for change in changes {
        let Ok(id) = motion.model.parameter(&change.name) else { continue };
        let Some(body) = motion.model.parameters()[id.index()].role.body() else { continue };
        let Some(field) = change.name.strip_prefix(&format!("{}.", motion.name(body))) else { continue };
        let field = field.split('.').next().unwrap_or(field);
        let square = square(change.after - change.before);
        match groups.iter_mut().find(|(other, name, _)| *other == body && name == field) {
            Some((.., sum)) => *sum += square,
            None => groups.push((body, field.to_owned(), square)),
        }
    }
    groups.iter_mut().for_each(|(.., sum)| *sum = sum.sqrt());
    // What nobody would see is not worth a light.
    groups.retain(|(.., size)| *size > 1e-6);
    groups
}

/// A glow where the bodies start that were changed last.
pub fn glow_ui(view: &View, motion: &Motion, changes: &[ParameterChange], rect: Rect, ui: &Ui) {
    let palette = theme::palette(ui.visuals().dark_mode);
    let painter = ui.painter_at(rect);
    let mut lit: Vec<BodyId> = Vec::new();
    for (body, ..) in changed_groups(motion, changes) {
        if lit.contains(&body) || lit.len() >= MOST_BODIES {
            continue;
        }
        lit.push(body);
        let start = motion.body_at(body, 0.0).position;
        let Some(place) = view.camera.project(rect, start) else { continue };
        let radius = (motion.reach(body) / view.camera.metres_per_point(rect, start)).clamp(10.0, 60.0) as f32;
        for k in 1..=4 {
            painter.circle_filled(place, radius + 4.0 * k as f32, palette.accent.gamma_multiply(0.07));
        }
    }
}

/// Draws the padlocks and returns what was asked.
pub fn padlocks_ui(
    view: &View,
    motion: &Motion,
    changes: &[ParameterChange],
    rect: Rect,
    ui: &mut Ui,
) -> Option<Action> {
    let mut action = None;
    for padlock in padlocks(view, motion, changes, rect) {
        action = action.take().or(padlock.show_ui(view, motion, rect, ui));
    }
    action
}

impl Padlock {
    fn show_ui(&self, view: &View, motion: &Motion, rect: Rect, ui: &mut Ui) -> Option<Action> {
        let palette = theme::palette(ui.visuals().dark_mode);
        let (area, word) = (self.rect, &self.word);
        let response = ui.interact(area, ui.scope_id().with(("padlock", &self.group)), Sense::click());
        let verb = if self.free { "Lock" } else { "Free" };
        let selected = view.selection == Some(self.body);
        let whose = if selected { String::new() } else { format!(" of {}", motion.name(self.body)) };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} the {word}{whose}")));
        let color = if self.free { palette.accent } else { palette.label };
        let painter = ui.painter_at(rect);
        painter.rect_filled(area, 5.0, palette.label_back);
        if self.changed.is_some() {
            painter.rect_stroke(area.expand(1.0), 6.0, (2.0, palette.accent), egui::StrokeKind::Outside);
        }
        if response.hovered() {
            painter.rect_stroke(area, 5.0, (1.0, color), egui::StrokeKind::Inside);
        }
        let sign = if self.free { Icon::Free } else { Icon::Locked };
        sign.paint(&painter, Rect::from_center_size(area.left_center() + vec2(13.0, 0.0), Vec2::splat(13.0)), color);
        let text = area.left_center() + vec2(24.0, 0.0);
        painter.text(text, Align2::LEFT_CENTER, word, egui::FontId::proportional(12.0), color);
        response.on_hover_text(self.hint()).clicked().then(|| Action::lock_or_free(&self.group, self.free))
    }

    fn hint(&self) -> String {
        let may = if self.free { "The solver may change it" } else { "The solver leaves it alone" };
        match self.changed {
            Some(size) => format!("{}: changed by {}. {may}", self.group, shorten(size)),
            None => format!("{}: {}", self.group, may.to_lowercase()),
        }
    }
}
