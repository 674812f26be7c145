//! The 3D view: the picture, what the pointer is over, names, and the axes in the corner.

use eframe::egui::{self, Align2, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};
use eframe::egui_wgpu;

use super::banner::banner_ui;
use super::gpu;
use super::padlocks::{glow_ui, padlocks, padlocks_ui};
use super::stage::Stage;
use crate::editor::action::Action;
use crate::editor::drag::flash::{FLASH_TIME, Flash};
use crate::editor::drag::grasp::Grasp;
use crate::editor::drag::grip;
use crate::editor::drag::hands::{self, Hands};
use crate::editor::drag::held::Reach;
use crate::editor::drag::nail_mark::{nail_mark_at, nail_marks};
use crate::editor::eye::navigation::{Habit, navigate};
use crate::editor::eye::pick::pick;
use crate::editor::eye::view::View;
use crate::editor::look::theme::{self, Palette};
use crate::editor::look::widgets::tag;
use crate::editor::work::motion::Motion;
use crate::math::Vec3;
use crate::session::{ParameterChange, Quantity};
use crate::simulation::EventKind;

/// Handles for screen readers; more would make a list that nobody hears to its end.
const MOST_HANDLES: usize = 200;

/// Everything the view works with.
pub struct Scenery<'a> {
    /// The motion on the screen.
    pub motion: &'a Motion,
    /// Whose habits the mouse follows.
    pub habit: Habit,
    /// What was changed last.
    pub changes: &'a [ParameterChange],
    /// Whether a text or a menu has the keys.
    pub elsewhere: bool,
}

/// Draws the view and returns what was asked.
pub fn viewport_ui(view: &mut View, grasp: &mut Grasp, scenery: &Scenery, ui: &mut Ui) -> Vec<Action> {
    let motion = scenery.motion;
    let (rect, response) = ui.allocate_exact_size(ui.available_size().max(Vec2::splat(16.0)), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Scene view"));
    let ctx = ui.ctx().clone();
    view.aspect = f64::from(rect.width() / rect.height().max(1.0));
    if std::mem::take(&mut view.unplaced) {
        view.camera = view.camera.fitting(motion.ball.0, &motion.outline, view.aspect);
    }
    navigate(view, scenery.habit, &response, rect, &ctx);
    glide(view, &ctx);
    let mut wishes = hands_ui(view, grasp, scenery, rect, ui);
    let over = response.hover_pos().filter(|_| grasp.hands().held.is_none());
    view.hover = over.and_then(|place| pick(motion, &view.camera, rect, place, view.playhead, view.layers.paths));
    draw_picture(view, grasp, scenery, ui, rect);
    wishes.extend(handles_ui(view, motion, rect, ui));
    draw_ring(view, motion, grasp.hands(), over, ui, rect);
    glow_ui(view, motion, scenery.changes, rect, ui);
    wishes.extend(padlocks_ui(view, motion, scenery.changes, rect, ui));
    draw_names(view, motion, over, ui, rect);
    draw_flash(view, grasp.flash(), ui, rect);
    wishes.extend(axes_ui(view, ui, rect));
    wishes.extend(banner_ui(grasp, motion, rect, ui));
    wishes
}

/// The left button, event by event.
fn hands_ui(view: &View, grasp: &mut Grasp, scenery: &Scenery, rect: Rect, ui: &Ui) -> Vec<Action> {
    let ctx = ui.ctx();
    let (events, modifiers) = hands::events(ctx);
    let axes: Vec<Pos2> = arms(view, rect).into_iter().map(|(end, ..)| end).collect();
    let padlocks = padlocks(view, scenery.motion, scenery.changes, rect);
    let layer = ui.layer_id();
    let owns = |pos: Pos2| {
        let free = ctx.layer_id_at(pos).is_none_or(|top| top == layer);
        let on_axis = axes.iter().any(|end| (*end - pos).length() < 10.0);
        free && !on_axis && !padlocks.iter().any(|padlock| padlock.rect.contains(pos))
    };
    let typing = scenery.elsewhere || ctx.egui_wants_keyboard_input();
    let reach = Reach { motion: scenery.motion, view, habit: scenery.habit, rect, owns: &owns, typing };
    grasp.take(&events, modifiers, &reach)
}

fn glide(view: &mut View, ctx: &egui::Context) {
    if let Some(goal) = view.camera_goal {
        let dt = f64::from(ctx.input(|input| input.stable_dt)).min(0.1);
        if view.camera.approach(&goal, dt) {
            view.camera_goal = None;
        }
        ctx.request_repaint();
    }
}

fn draw_picture(view: &View, grasp: &Grasp, scenery: &Scenery, ui: &Ui, rect: Rect) {
    let scale = ui.ctx().pixels_per_point();
    let pixels = |points: f32| (points * scale).round().clamp(1.0, 8192.0) as u32;
    let dark = ui.visuals().dark_mode;
    let stage =
        Stage { motion: scenery.motion, view, dark, drag: grasp.drag(), nail_mark: grasp.hands().nail_mark.as_ref() };
    let frame = stage.frame([pixels(rect.width()), pixels(rect.height())], scale);
    ui.painter().add(egui_wgpu::Callback::new_paint_callback(rect, gpu::Callback(frame)));
}

/// One handle per body, reached by keyboard and screen readers; the mouse passes through to the view.
fn handles_ui(view: &View, motion: &Motion, rect: Rect, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    for body in motion.bodies().take(MOST_HANDLES) {
        let center = motion.body_at(body, view.playhead).position;
        let Some(place) = view.camera.project(rect, center).filter(|place| rect.contains(*place)) else { continue };
        let id = ui.scope_id().with(("body", body.index()));
        let area = Rect::from_center_size(place, Vec2::splat(20.0));
        let handle = ui.interact(area, id, Sense::focusable_noninteractive());
        let selected = view.selection == Some(body);
        handle
            .widget_info(|| WidgetInfo::selected(Role::Button, true, selected, format!("Body {}", motion.name(body))));
        let asked = ui.input(|input| input.has_accesskit_action_request(id, egui::accesskit::Action::Click));
        if asked || handle.gained_focus() {
            action = Some(Action::Select(Some(body)));
        }
    }
    for nail_mark in nail_marks(motion).into_iter().take(MOST_HANDLES) {
        let Some(place) = view.camera.project(rect, nail_mark.place).filter(|place| rect.contains(*place)) else {
            continue;
        };
        let id = ui.scope_id().with(("nail", nail_mark.index));
        let handle =
            ui.interact(Rect::from_center_size(place, Vec2::splat(16.0)), id, Sense::focusable_noninteractive());
        let title = motion.nails[nail_mark.index].title(nail_mark.index);
        let held = if nail_mark.met { "holds" } else { "does not hold" };
        handle.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Pin {title}, {held}")));
    }
    let impacts = motion.marks.iter().filter(|mark| mark.kind == EventKind::Impact);
    for mark in impacts.take(MOST_HANDLES) {
        let place = mark.place.and_then(|place| view.camera.project(rect, place));
        let Some(place) = place.filter(|place| rect.contains(*place)) else { continue };
        let id = ui.scope_id().with(("impact", mark.event));
        let handle =
            ui.interact(Rect::from_center_size(place, Vec2::splat(10.0)), id, Sense::focusable_noninteractive());
        handle.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Impact {}", mark.name)));
        if ui.input(|input| input.has_accesskit_action_request(id, egui::accesskit::Action::Click)) {
            action = Some(Action::Scrub(mark.t));
        }
    }
    action
}

/// The ring that turns the selected body.
fn draw_ring(view: &View, motion: &Motion, hands: &Hands, over: Option<Pos2>, ui: &Ui, rect: Rect) {
    let Some(body) = view.selection else { return };
    let turns = grip::arrows(motion, view).iter().any(|grip| grip.what == Quantity::Spin);
    if !turns || view.playing || hands.held.is_some_and(|held| held.what != Quantity::Rotation) {
        return;
    }
    let center = motion.body_at(body, view.playhead).position;
    let Some(middle) = view.camera.project(rect, center) else { return };
    let radius = grip::ring_radius(motion, &view.camera, rect, body, center);
    let palette = theme::palette(ui.visuals().dark_mode);
    let hovered =
        over.and_then(|place| grip::at(motion, view, rect, place)).is_some_and(|grip| grip.what == Quantity::Rotation);
    let active = hovered || hands.held.is_some();
    let color = if active { palette.accent } else { palette.label.gamma_multiply(0.35) };
    ui.painter_at(rect).circle_stroke(middle, radius, (if active { 2.5 } else { 1.2 }, color));
}

/// Rings that run out from an event that a jump has changed, and what it is.
fn draw_flash(view: &View, flash: Option<&Flash>, ui: &Ui, rect: Rect) {
    let Some(flash) = flash else { return };
    let age = ui.input(|input| input.time) - flash.since;
    let Some(place) = view.camera.project(rect, flash.place).filter(|_| (0.0..FLASH_TIME).contains(&age)) else {
        return;
    };
    let palette = theme::palette(ui.visuals().dark_mode);
    let painter = ui.painter_at(rect);
    for k in 0..2 {
        let part = (age / FLASH_TIME * 2.0 - 0.5 * f64::from(k)).rem_euclid(1.0) as f32;
        painter.circle_stroke(place, 8.0 + 34.0 * part, (2.5, palette.warning.gamma_multiply(1.0 - part)));
    }
    painter.circle_filled(place, 6.0, palette.warning);
    tag(&painter, place + vec2(16.0, -12.0), Align2::LEFT_BOTTOM, &flash.words, palette.warning, palette.label_back);
    ui.ctx().request_repaint();
}

fn draw_names(view: &View, motion: &Motion, over: Option<Pos2>, ui: &Ui, rect: Rect) {
    let palette = theme::palette(ui.visuals().dark_mode);
    let painter = ui.painter_at(rect);
    if let Some(nail_mark) = over.and_then(|place| nail_mark_at(motion, view, rect, place)) {
        let text = format!("{}: drag to move it", motion.nails[nail_mark.index].title(nail_mark.index));
        let at = view.camera.project(rect, nail_mark.place).unwrap_or(rect.center());
        tag(&painter, at + vec2(14.0, -22.0), Align2::LEFT_BOTTOM, &text, palette.nail, palette.label_back);
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        return;
    }
    let Some(hover) = view.hover else { return };
    let Some(place) = view.camera.project(rect, hover.place) else { return };
    if hover.on_path {
        painter.circle(place, 5.0, palette.label_back, (2.0, palette.accent));
    }
    let text = if hover.on_path {
        format!("{}  {:.3} s", motion.name(hover.body), hover.t)
    } else {
        motion.name(hover.body).to_owned()
    };
    let keep = rect.shrink(4.0);
    let at = Pos2::new(place.x.min(keep.right() - 120.0), (place.y - 14.0).max(keep.top() + 28.0));
    tag(&painter, at + vec2(12.0, 0.0), Align2::LEFT_BOTTOM, &text, palette.label, palette.label_back);
}

/// The arms of the axes in the corner, farthest first: where each ends, its axis, its letter, its key.
fn arms(view: &View, rect: Rect) -> Vec<(Pos2, Vec3, &'static str, egui::Key)> {
    let center = Pos2::new(rect.right() - 46.0, rect.top() + 46.0);
    let (right, up, forward) = (view.camera.right(), view.camera.up(), view.camera.forward());
    let arm = |(axis, letter, key): (Vec3, &'static str, egui::Key)| {
        let end = center + vec2(axis.dot(&right) as f32, -axis.dot(&up) as f32) * 28.0;
        (end, axis, letter, key)
    };
    let mut arms: Vec<_> = [
        (Vec3::x(), "X", egui::Key::Num3),
        (-Vec3::x(), "", egui::Key::Num4),
        (Vec3::y(), "Y", egui::Key::Num7),
        (Vec3::z(), "Z", egui::Key::Num1),
        (-Vec3::z(), "", egui::Key::Num2),
    ]
    .map(arm)
    .into();
    arms.sort_by(|a, b| b.1.dot(&forward).total_cmp(&a.1.dot(&forward)));
    arms
}

/// Three arms that show how the eye is turned; a click on an end looks along it.
fn axes_ui(view: &View, ui: &mut Ui, rect: Rect) -> Option<Action> {
    let palette = theme::palette(ui.visuals().dark_mode);
    let center = Pos2::new(rect.right() - 46.0, rect.top() + 46.0);
    let mut action = None;
    for (end, axis, label, key) in arms(view, rect) {
        let color = axis_color(axis, palette);
        let name = axis_name(axis);
        let id = ui.scope_id().with(("axis", name));
        let response = ui.interact(Rect::from_center_size(end, Vec2::splat(17.0)), id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("View from {name}")));
        let painter = ui.painter_at(rect);
        if label.is_empty() {
            painter.circle(end, 5.0, palette.label_back, (1.5, color));
        } else {
            painter.line_segment([center, end], (2.0, color));
            painter.circle_filled(end, 8.5, color);
            let font = egui::FontId::proportional(11.0);
            painter.text(end, Align2::CENTER_CENTER, label, font, egui::Color32::from_rgb(16, 18, 22));
        }
        if response.on_hover_text(format!("View from {name}")).clicked() {
            action = Some(Action::AxisView(key));
        }
    }
    action
}

fn axis_color(axis: Vec3, palette: &Palette) -> egui::Color32 {
    let index = axis.iamax();
    [palette.impact, palette.nail, egui::Color32::from_rgb(98, 160, 245)][index]
}

fn axis_name(axis: Vec3) -> &'static str {
    let names = [["−x", "+x"], ["below", "above"], ["−z", "+z"]];
    let index = axis.iamax();
    names[index][usize::from(axis[index] > 0.0)]
}
