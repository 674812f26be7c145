//! What is shown on start: a card for each example, files that were opened before, and the offer of a tour.

use eframe::egui::{self, Align2, Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::editor::action::{Action, Turn};
use crate::editor::look::theme;
use crate::editor::look::widgets::{part, quiet};
use crate::editor::work::examples::{EXAMPLES, Example, title};

const CARD: egui::Vec2 = vec2(252.0, 190.0);
const PICTURE_HEIGHT: f32 = 128.0;

/// Draws the gallery and returns what was chosen; a first start is offered the tour.
pub fn gallery_ui(
    thumbnails: &[Option<egui::TextureHandle>],
    recent: &[std::path::PathBuf],
    is_first: bool,
    ui: &mut Ui,
) -> Option<Action> {
    let mut action = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let columns = ((ui.available_width() - 40.0) / (CARD.x + 14.0)).floor().clamp(1.0, 4.0);
        let side = 0.5 * (ui.available_width() - columns * (CARD.x + 14.0) + 14.0).max(0.0);
        ui.add_space(26.0);
        ui.horizontal(|ui| {
            ui.add_space(side);
            ui.vertical(|ui| {
                ui.label(egui::RichText::new("Hattrick").size(30.0).strong());
                quiet(ui, "Direct a motion by hand: it stays a true simulation.");
            });
            if is_first {
                ui.add_space(24.0);
                if ui.button(egui::RichText::new("New here? Take the tour").size(15.0)).clicked() {
                    action = Some(Action::Tour(Turn::Begin));
                }
            }
        });
        ui.add_space(14.0);
        let mut rest = EXAMPLES.iter().enumerate().peekable();
        while rest.peek().is_some() {
            ui.horizontal(|ui| {
                ui.add_space(side);
                ui.spacing_mut().item_spacing.x = 14.0;
                for (index, example) in rest.by_ref().take(columns as usize) {
                    if card_ui(example, thumbnails.get(index).and_then(Option::as_ref), ui) {
                        action = Some(Action::OpenExample(index));
                    }
                }
            });
            ui.add_space(8.0);
        }
        ui.horizontal(|ui| {
            ui.add_space(side);
            ui.vertical(|ui| action = action.take().or(files_ui(recent, ui)));
        });
        ui.add_space(20.0);
    });
    action
}

fn files_ui(recent: &[std::path::PathBuf], ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    ui.add_space(6.0);
    if ui.button("Open a file…").clicked() {
        action = Some(Action::AskOpen);
    }
    if !recent.is_empty() {
        part(ui, "Recent");
        for path in recent {
            if ui.link(path.display().to_string()).clicked() {
                action = Some(Action::Open(path.clone()));
            }
        }
    }
    quiet(ui, "A scene file can also be dropped onto the window.");
    action
}

fn card_ui(example: &Example, picture: Option<&egui::TextureHandle>, ui: &mut Ui) -> bool {
    let dark = ui.visuals().dark_mode;
    let palette = theme::palette(dark);
    let (rect, response) = ui.allocate_exact_size(CARD, Sense::click());
    let title = title(example.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open example {}", example.name)));
    let edge = if response.hovered() || response.has_focus() {
        egui::Stroke::new(2.0, palette.accent)
    } else {
        ui.visuals().window_stroke
    };
    let painter = ui.painter_at(rect);
    painter.rect(rect, 8.0, ui.visuals().faint_bg_color, edge, egui::StrokeKind::Inside);
    let top = Rect::from_min_size(rect.min + vec2(2.0, 2.0), vec2(rect.width() - 4.0, PICTURE_HEIGHT));
    let round = egui::CornerRadius { nw: 7, ne: 7, sw: 0, se: 0 };
    match picture {
        Some(picture) => {
            let uv = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            let shape = egui::epaint::RectShape::filled(top, round, Color32::WHITE).with_texture(picture.id(), uv);
            painter.add(shape);
        }
        None => {
            painter.rect_filled(top, round, palette.sky[0]);
        }
    }
    let text = rect.min + vec2(12.0, PICTURE_HEIGHT + 12.0);
    painter.text(text, Align2::LEFT_TOP, example.name, FontId::proportional(15.0), ui.visuals().strong_text_color());
    let galley = painter.layout(title, FontId::proportional(12.0), palette.quiet, rect.width() - 24.0);
    painter.galley(text + vec2(0.0, 21.0), galley, palette.quiet);
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}
