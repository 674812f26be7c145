//! The 3D view: the picture, what the pointer is over, names, and the axes in the corner.

use eframe::egui::{self, Align2, PointerButton, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};
use eframe::egui_wgpu;

use super::action::Action;
use super::gpu;
use super::motion::Motion;
use super::navigation::{self, Habit, navigate};
use super::pick::pick;
use super::stage::Stage;
use super::theme::{self, Palette};
use super::view::View;
use super::widgets::tag;
use crate::math::Vec3;

/// Handles for screen readers; more would make a list that nobody hears to its end.
const MOST_HANDLES: usize = 200;

/// Draws the view and returns what was asked.
pub fn viewport_ui(view: &mut View, motion: &Motion, habit: Habit, ui: &mut Ui) -> Option<Action> {
    let (rect, response) = ui.allocate_exact_size(ui.available_size().max(Vec2::splat(16.0)), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Scene view"));
    let ctx = ui.ctx().clone();
    navigate(view, habit, &response, rect, &ctx);
    glide(view, &ctx);
    let modifiers = ctx.input(|input| input.modifiers);
    let paths = view.layers.paths;
    view.hover = response.hover_pos().and_then(|place| pick(motion, &view.camera, rect, place, view.playhead, paths));
    draw_picture(view, motion, ui, rect);
    let mut action = handles_ui(view, motion, rect, ui);
    draw_names(view, motion, ui, rect);
    if response.clicked_by(PointerButton::Primary) && !navigation::left_moves_eye(habit, modifiers) {
        // The press decides what was meant, wherever the pointer is when the frame comes round.
        let origin = ctx.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
        let picked = origin.and_then(|place| pick(motion, &view.camera, rect, place, view.playhead, paths));
        action = Some(picked.map_or(Action::Select(None), Action::SelectPick));
    }
    action.or(axes_ui(view, ui, rect))
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

fn draw_picture(view: &View, motion: &Motion, ui: &Ui, rect: Rect) {
    let scale = ui.ctx().pixels_per_point();
    let pixels = |points: f32| (points * scale).round().clamp(1.0, 8192.0) as u32;
    let stage = Stage { motion, view, dark: ui.visuals().dark_mode };
    let frame = stage.frame([pixels(rect.width()), pixels(rect.height())], scale);
    ui.painter().add(egui_wgpu::Callback::new_paint_callback(rect, gpu::Callback(frame)));
}

/// One handle per body, reached by keyboard and screen readers; the mouse passes through to the view.
fn handles_ui(view: &View, motion: &Motion, rect: Rect, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    for body in motion.bodies().take(MOST_HANDLES) {
        let center = motion.trajectory.body_at(body, view.playhead).position;
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
    action
}

fn draw_names(view: &View, motion: &Motion, ui: &Ui, rect: Rect) {
    let palette = theme::palette(ui.visuals().dark_mode);
    let painter = ui.painter_at(rect);
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

/// Three arms that show how the eye is turned; a click on an end looks along it.
fn axes_ui(view: &View, ui: &mut Ui, rect: Rect) -> Option<Action> {
    let palette = theme::palette(ui.visuals().dark_mode);
    let center = Pos2::new(rect.right() - 46.0, rect.top() + 46.0);
    let (right, up, forward) = (view.camera.right(), view.camera.up(), view.camera.forward());
    let mut arms: Vec<(Vec3, &str, egui::Key)> = vec![
        (Vec3::x(), "X", egui::Key::Num3),
        (-Vec3::x(), "", egui::Key::Num4),
        (Vec3::y(), "Y", egui::Key::Num7),
        (Vec3::z(), "Z", egui::Key::Num1),
        (-Vec3::z(), "", egui::Key::Num2),
    ];
    arms.sort_by(|a, b| b.0.dot(&forward).total_cmp(&a.0.dot(&forward)));
    let mut action = None;
    for (axis, label, key) in arms {
        let end = center + vec2(axis.dot(&right) as f32, -axis.dot(&up) as f32) * 28.0;
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
