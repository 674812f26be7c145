//! What can be chosen of an export: its format, frames a second, and the look of pictures.

use std::path::Path;

use eframe::egui::{self, Ui};

use crate::editor::look::widgets::{number, quiet};
use crate::export::{FRAME_RATES, Format, Options};
use crate::picture::Theme;

/// What a person wishes of an export; the format stands in the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wishes {
    /// Frames a second; none for what the format is usually played at.
    fps: Option<f64>,
    cubic: bool,
    /// Pixels, of pictures.
    size: [u32; 2],
    dark: bool,
}

/// Room for all formats in the list, points.
const FORMAT_LIST: f32 = 420.0;
/// Sizes of pictures that are offered, pixels.
const SIZES: [[u32; 2]; 4] = [[640, 400], [1280, 800], [1280, 720], [1920, 1080]];

impl Wishes {
    /// What one starts from; pictures take the window's theme.
    pub fn new(dark: bool) -> Wishes {
        Wishes { fps: None, cubic: false, size: SIZES[0], dark }
    }

    /// As `export` takes them.
    pub fn options(&self, format: Format) -> Options {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        Options { fps: self.fps.unwrap_or(format.frame_rate()), cubic: self.cubic, size: self.size, theme }
    }

    /// Draws the choices; choosing a format changes the ending of the path.
    pub fn choose_ui(&mut self, path: &mut String, ui: &mut Ui) {
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
            let old = self.fps.unwrap_or(format.frame_rate());
            let fps =
                number(ui, "Frames a second", old, 56.0, |field| field.range(least..=most).speed(1.0).max_decimals(2));
            self.fps = fps.or(self.fps);
            match format {
                Format::Glb | Format::Gltf => {
                    let hint = "One curve for a whole flight. Blender drops its tangents; most viewers honour them.";
                    ui.checkbox(&mut self.cubic, "cubic curves").on_hover_text(hint);
                }
                Format::Gif | Format::Mp4 | Format::Png => self.picture_ui(ui),
                _ => {}
            }
        });
        quiet(ui, what_comes(format));
    }

    fn picture_ui(&mut self, ui: &mut Ui) {
        let words = |[width, height]: [u32; 2]| format!("{width} × {height}");
        egui::ComboBox::from_id_salt("size").selected_text(words(self.size)).show_ui(ui, |ui| {
            for size in SIZES {
                ui.selectable_value(&mut self.size, size, words(size));
            }
        });
        ui.checkbox(&mut self.dark, "dark");
    }
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

    #[test]
    fn frames_are_the_formats_own_unless_asked_for() {
        let wishes = Wishes::new(false);
        assert_eq!((wishes.options(Format::Gif).fps, wishes.options(Format::Glb).fps), (25.0, 60.0));
        assert_eq!(Wishes { fps: Some(24.0), ..wishes }.options(Format::Gif).fps, 24.0);
    }
}
