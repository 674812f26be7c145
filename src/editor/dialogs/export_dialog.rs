//! What can be chosen of an export: its format, frames a second, and the look of pictures. How far one is that is under way.
//!
//! Writing the file is `export`, in the thread of `work::exporting`.

use std::path::Path;

use eframe::egui::{self, Align2, Ui};

use crate::editor::action::Action;
use crate::editor::look::widgets::{number, quiet};
use crate::editor::work::exporting::{Exporting, SIZES, Wishes};
use crate::export::{FRAME_RATES, Format};

/// Room for all formats in the list, points.
const FORMAT_LIST: f32 = 420.0;

/// Draws the choices; choosing a format changes the ending of the path.
pub fn export_ui(wishes: &mut Wishes, path: &mut String, ui: &mut Ui) {
    let chosen = Format::of(Path::new(path.trim())).ok();
    ui.add_space(4.0);
    if let Some(format) = format_ui(chosen, ui) {
        *path = with_ending(path, format);
    }
    let Some(format) = chosen else {
        quiet(ui, "The ending of the path says the format; choose one here, or type it.");
        return;
    };
    ui.horizontal(|ui| {
        quiet(ui, "frames a second");
        let [least, most] = FRAME_RATES;
        let old = wishes.fps.unwrap_or(format.frame_rate());
        let fps =
            number(ui, "Frames a second", old, 56.0, |field| field.range(least..=most).speed(1.0).max_decimals(2));
        wishes.fps = fps.or(wishes.fps);
        match format {
            Format::Glb | Format::Gltf => {
                let hint = "One curve for a whole flight. Blender drops its tangents; most viewers honour them.";
                ui.checkbox(&mut wishes.cubic, "cubic curves").on_hover_text(hint);
            }
            Format::Gif | Format::Mp4 | Format::Png => picture_ui(wishes, ui),
            _ => {}
        }
    });
    if !matches!(format, Format::Csv | Format::Json) {
        let hint = "Joints, springs and motors go along as meshes and are seen in pictures. Off: bodies alone.";
        ui.checkbox(&mut wishes.marks, "joints and springs").on_hover_text(hint);
    }
    quiet(ui, what_comes(format));
}

fn picture_ui(wishes: &mut Wishes, ui: &mut Ui) {
    let words = |[width, height]: [u32; 2]| format!("{width} × {height}");
    egui::ComboBox::from_id_salt("size").selected_text(words(wishes.size)).show_ui(ui, |ui| {
        for size in SIZES {
            ui.selectable_value(&mut wishes.size, size, words(size));
        }
    });
    ui.checkbox(&mut wishes.dark, "dark");
}

/// Shows how far an export is at the foot of the window; returns a wish to end it.
pub fn progress_ui(exporting: &Exporting, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let area = egui::Area::new(egui::Id::unique("exporting")).order(egui::Order::Foreground);
    area.anchor(Align2::LEFT_BOTTOM, [14.0, -120.0]).show(ui.ctx(), |ui| {
        egui::Frame::window(ui.style()).inner_margin(egui::Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.horizontal(|ui| {
                quiet(ui, format!("Exporting {}", exporting.name()));
                ui.add(egui::ProgressBar::new(exporting.share()).desired_width(160.0).show_percentage());
                if ui.button("Cancel export").clicked() {
                    action = Some(Action::CancelExport);
                }
            });
        });
    });
    action
}

fn format_ui(chosen: Option<Format>, ui: &mut Ui) -> Option<Format> {
    let words = |format: Format| format!(".{}  {}", format.ending(), format.describe());
    let text = chosen.map_or("Choose a format".to_owned(), words);
    let mut picked = None;
    ui.horizontal(|ui| {
        let label = quiet(ui, "format");
        let combo = egui::ComboBox::from_id_salt("format").selected_text(text).width(ui.available_width()).truncate();
        // All of them at once: a list that must be scrolled looks as if it ended.
        let shown = combo.height(FORMAT_LIST).show_ui(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            for format in Format::ALL {
                if ui.selectable_label(chosen == Some(format), words(format)).clicked() {
                    picked = Some(format);
                }
            }
        });
        shown.response.labelled_by(label.id);
    });
    picked
}

/// What a person finds on the disk, where it is not one file of that name.
fn what_comes(format: Format) -> &'static str {
    match format {
        Format::Csv => "A second file, ending in .events.csv, has the contacts and impulses.",
        Format::Png => "One picture for each frame: name-0000.png, name-0001.png, …",
        Format::Gif | Format::Mp4 => "Frames only: an impact shows as near as the frame rate comes.",
        _ => "Keys at frames and at the exact instant of every impact.",
    }
}

/// The path with another ending; a name without one gets it.
fn with_ending(path: &str, format: Format) -> String {
    let path = Path::new(path.trim());
    let name = if path.as_os_str().is_empty() { Path::new("motion") } else { path };
    name.with_extension(format.ending()).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_changes_the_ending_alone() {
        assert_eq!(with_ending("out/eggs.glb", Format::Usd), "out/eggs.usda");
        assert_eq!(with_ending("eggs", Format::Gif), "eggs.gif");
        assert_eq!(with_ending(" ", Format::Csv), "motion.csv");
    }
}
