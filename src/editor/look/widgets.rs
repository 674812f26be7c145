//! Small controls that several panels share; each has a name for screen readers.

use eframe::egui::{self, Align2, Color32, DragValue, Response, RichText, Role, Ui, Vec2, WidgetInfo};

use super::icons::Icon;

/// A square button with a sign on it; `name` is what a screen reader says and, with the key, what hovering shows.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, key: &str, active: bool) -> Response {
    let response = ui.add(egui::Button::new("").min_size(Vec2::splat(26.0)).selected(active));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    let color = if active { ui.visuals().strong_text_color() } else { ui.style().interact(&response).fg_stroke.color };
    let color = if ui.is_enabled() { color } else { color.gamma_multiply(0.4) };
    icon.paint(ui.painter(), egui::Rect::from_center_size(response.rect.center(), Vec2::splat(13.0)), color);
    let hint = if key.is_empty() { name.to_owned() } else { format!("{name}  ({key})") };
    response.on_hover_text(hint)
}

/// A number to type or to drag; gives the new value once typing or dragging is over, as one change.
pub fn number(
    ui: &mut Ui,
    name: &str,
    old: f64,
    width: f32,
    shape: impl for<'a> Fn(DragValue<'a>) -> DragValue<'a>,
) -> Option<f64> {
    let id = ui.scope_id().with(("number", name));
    // While it is dragged the value lives here: the document still has the old one.
    let mut value = ui.data(|data| data.get_temp::<f64>(id)).unwrap_or(old);
    let field = shape(DragValue::new(&mut value)).update_while_editing(false);
    let response = ui.add_sized([width, 22.0], field);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    if response.dragged() && !response.drag_stopped() {
        ui.data_mut(|data| data.insert_temp(id, value));
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<f64>(id));
    let finished = response.drag_stopped() || response.changed();
    response.on_hover_text(format!("{name} = {old}"));
    (finished && value != old && value.is_finite()).then_some(value)
}

/// A small text that is easy to overlook.
pub fn quiet(ui: &mut Ui, text: impl Into<String>) -> Response {
    let color = super::theme::palette(ui.visuals().dark_mode).quiet;
    ui.label(RichText::new(text).color(color).small())
}

/// How wide such a text is, points.
pub fn quiet_width(ui: &Ui, text: &str) -> f32 {
    let font = egui::TextStyle::Small.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
}

/// The heading of a part of a panel.
pub fn part(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    ui.label(RichText::new(text).strong().size(14.5));
    ui.add_space(1.0);
}

/// A text with a back of its own, painted over the 3D view.
pub fn tag(painter: &egui::Painter, place: egui::Pos2, anchor: Align2, text: &str, color: Color32, back: Color32) {
    let font = egui::FontId::proportional(12.5);
    let galley = painter.layout_no_wrap(text.to_owned(), font, color);
    let rect = anchor.anchor_size(place, galley.size() + egui::vec2(14.0, 8.0));
    painter.rect_filled(rect, 5.0, back);
    painter.galley(rect.min + egui::vec2(7.0, 4.0), galley, color);
}
