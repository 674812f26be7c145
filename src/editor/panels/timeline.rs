//! The time line: a ruler with events, the playhead, and the buttons that move it.

use eframe::egui::{self, Align2, DragValue, FontId, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use crate::editor::action::Action;
use crate::editor::eye::view::View;
use crate::editor::look::icons::{self, Icon};
use crate::editor::look::theme::{self, Palette, RULER_HEIGHT};
use crate::editor::look::widgets::{icon_button, number, quiet};
use crate::editor::work::document::Change;
use crate::editor::work::motion::{Mark, Motion};
use crate::math::elementary::{log10, powf};
use crate::simulation::EventKind;

const SPEEDS: [f64; 6] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0];
/// Room left and right of the ruler for labels and marks at its ends, points.
const MARGIN: f32 = 18.0;

/// Draws the time line and returns what was asked.
pub fn timeline_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        action = buttons_ui(view, ui);
        ui.separator();
        action = action.take().or(time_ui(view, motion, ui));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let count = motion.marks.iter().filter(|mark| mark.kind == EventKind::Impact).count();
            let word = if count == 1 { "impact" } else { "impacts" };
            quiet(ui, format!("{count} {word}"));
        });
    });
    action.or(ruler_ui(view, motion, ui))
}

fn buttons_ui(view: &View, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let mut button = |ui: &mut Ui, icon, name, key, active, wish| {
        if icon_button(ui, icon, name, key, active).clicked() {
            action = Some(wish);
        }
    };
    ui.spacing_mut().item_spacing.x = 4.0;
    button(ui, Icon::Previous, "Previous event", "[", false, Action::PreviousEvent);
    button(ui, Icon::StepBack, "Step back", "Left", false, Action::StepFrames(-1));
    let (icon, name) = if view.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    button(ui, icon, name, "Space", view.playing, Action::TogglePlay);
    button(ui, Icon::StepForward, "Step forward", "Right", false, Action::StepFrames(1));
    button(ui, Icon::Next, "Next event", "]", false, Action::NextEvent);
    button(ui, Icon::Loop, "Loop", "L", view.looping, Action::Loop(!view.looping));
    action
}

fn time_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    ui.spacing_mut().item_spacing.x = 6.0;
    let mut t = view.playhead;
    let field = DragValue::new(&mut t).speed(0.005).range(0.0..=motion.duration()).fixed_decimals(3).suffix(" s");
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Time"));
    if response.on_hover_text("Time").changed() {
        action = Some(Action::Scrub(t));
    }
    quiet(ui, "of");
    let changed = number(ui, "Duration", motion.duration(), 60.0, |field| {
        field.speed(0.05).range(0.01..=1e4).max_decimals(3).suffix(" s")
    });
    action = action.or(changed.map(|duration| Action::Change(Change::Duration(duration))));
    let combo = egui::ComboBox::from_id_salt("speed").width(64.0).selected_text(format!("{} ×", view.speed));
    let shown = combo.show_ui(ui, |ui| {
        for speed in SPEEDS {
            if ui.selectable_label(speed == view.speed, format!("{speed} ×")).clicked() {
                action = Some(Action::Speed(speed));
            }
        }
    });
    shown.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Speed"));
    action
}

fn ruler_ui(view: &View, motion: &Motion, ui: &mut Ui) -> Option<Action> {
    let palette = theme::palette(ui.visuals().dark_mode);
    let size = vec2(ui.available_width(), RULER_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(true, view.playhead, "Time line"));
    let duration = motion.duration();
    let line = Rect::from_min_max(rect.min + vec2(MARGIN, 0.0), rect.max - vec2(MARGIN, 0.0));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 5.0, palette.ruler);
    draw_ticks(&painter, line, duration, palette);
    draw_end(&painter, line, motion, palette);
    let marks = draw_marks(ui, &painter, line, motion, palette);
    draw_nails(ui, &painter, line, motion, palette);
    draw_playhead(&painter, line, view.playhead / duration, palette);
    // A press on a mark goes to its exact time; elsewhere the pointer decides.
    let pressed = response.interact_pointer_pos().map(|place| time_at(line, place, duration));
    marks.or(pressed
        .filter(|_| response.dragged() || response.clicked() || response.is_pointer_button_down_on())
        .map(Action::Scrub))
}

fn time_at(line: Rect, place: Pos2, duration: f64) -> f64 {
    f64::from(((place.x - line.left()) / line.width()).clamp(0.0, 1.0)) * duration
}

fn x_at(line: Rect, part: f64) -> f32 {
    line.left() + line.width() * part.clamp(0.0, 1.0) as f32
}

/// Lines at round times, so many that their labels stay apart.
fn draw_ticks(painter: &egui::Painter, line: Rect, duration: f64, palette: &Palette) {
    let spacing = tick_spacing(duration, f64::from(line.width()) / 72.0);
    let count = (duration / spacing + 1e-9).floor() as usize;
    for k in 0..=count.min(400) {
        let t = k as f64 * spacing;
        let x = x_at(line, t / duration);
        painter.vline(x, line.bottom() - 9.0..=line.bottom() - 3.0, (1.0, palette.quiet));
        let digits = (-log10(spacing).floor()).max(0.0) as usize;
        let place = Pos2::new(x, line.bottom() - 10.0);
        painter.text(place, Align2::CENTER_BOTTOM, format!("{t:.digits$}"), FontId::proportional(10.5), palette.quiet);
    }
}

/// 1, 2 or 5 times a power of ten, giving at most this many ticks.
fn tick_spacing(duration: f64, most: f64) -> f64 {
    let least = duration / most.max(1.0);
    let power = powf(10_f64, log10(least).floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= least).unwrap_or(least)
}

/// Where the motion ended early nothing follows.
fn draw_end(painter: &egui::Painter, line: Rect, motion: &Motion, palette: &Palette) {
    let end = motion.t_end() / motion.duration();
    if end < 1.0 {
        let missing = Rect::from_min_max(Pos2::new(x_at(line, end), line.top()), line.max);
        painter.rect_filled(missing, 0.0, palette.wrong.gamma_multiply(0.25));
    }
}

fn draw_marks(ui: &mut Ui, painter: &egui::Painter, line: Rect, motion: &Motion, palette: &Palette) -> Option<Action> {
    let mut action = None;
    let mut last = f32::NEG_INFINITY;
    for mark in &motion.marks {
        let x = x_at(line, mark.t / motion.duration());
        let impact = mark.kind == EventKind::Impact;
        if !impact {
            painter.vline(x, line.top() + 4.0..=line.top() + 9.0, (1.0, palette.event));
            continue;
        }
        let center = Pos2::new(x, line.top() + 10.0);
        painter.add(icons::triangle(center, 10.0, palette.impact));
        // Marks that lie on each other share one handle, or a rattle would have thousands.
        if x - last < 3.0 {
            continue;
        }
        last = x;
        let id = ui.scope_id().with(("mark", mark.event));
        let handle = ui.interact(Rect::from_center_size(center, Vec2::new(11.0, 16.0)), id, Sense::click());
        handle.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Event {}", mark.name)));
        if handle.on_hover_text(describe(mark)).clicked() {
            action = Some(Action::Scrub(mark.t));
        }
    }
    action
}

/// Nail marks at the times at which nails hold.
fn draw_nails(ui: &mut Ui, painter: &egui::Painter, line: Rect, motion: &Motion, palette: &Palette) {
    for (index, (nail, report)) in motion.nails.iter().zip(&motion.nail_reports).enumerate() {
        let Some(t) = report.t else { continue };
        let x = x_at(line, t / motion.duration());
        let color = if report.is_met() { palette.nail } else { palette.wrong };
        let color = color.gamma_multiply(if nail.enabled { 1.0 } else { 0.4 });
        painter.vline(x, line.top() + 18.0..=line.bottom() - 3.0, (1.5, color));
        let head = Pos2::new(x, line.top() + 18.0);
        painter.circle_filled(head, 4.0, color);
        let id = ui.scope_id().with(("nail", index));
        let handle = ui.interact(Rect::from_center_size(head, Vec2::splat(11.0)), id, Sense::hover());
        let title = nail.title(index);
        handle.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Nail {title}")));
        handle.on_hover_text(format!("{title}: {}", if report.is_met() { "holds" } else { "does not hold" }));
    }
}

/// What an event was, in words.
pub fn describe(mark: &Mark) -> String {
    format!("{} {} at {:.4} s", mark.kind.as_str(), mark.name, mark.t)
}

fn draw_playhead(painter: &egui::Painter, line: Rect, part: f64, palette: &Palette) {
    let x = x_at(line, part);
    painter.vline(x, line.y_range(), (2.0, palette.accent));
    painter.circle_filled(Pos2::new(x, line.top() + 4.0), 5.0, palette.accent);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_stand_at_round_times() {
        assert_eq!(tick_spacing(2.0, 14.0), 0.2);
        assert_eq!(tick_spacing(3.0, 10.0), 0.5);
        assert_eq!(tick_spacing(100.0, 10.0), 10.0);
        for duration in [0.013, 0.7, 5.0, 43.0, 1e4] {
            let spacing = tick_spacing(duration, 12.0);
            assert!(duration / spacing <= 12.0 && duration / spacing > 2.0, "{duration}: {spacing}");
        }
    }
}
