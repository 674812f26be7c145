//! What the program remembers between starts: theme, habits, recent files, the window's size and place.
//!
//! One JSON file in the user's configuration folder. A file that cannot be read is set aside, never written over.

use std::fs;
use std::path::{Path, PathBuf};

use eframe::egui::{self, ThemePreference};

use crate::editor::eye::navigation::Habit;
use crate::editor::eye::view::Layers;
use crate::editor::work::files::set_aside;
use crate::files::{MOST_BYTES, WriteFault, read_text, write_whole};

/// Files that are listed as recent.
const MOST_RECENT: usize = 8;

/// Everything that is remembered.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Settings {
    /// `dark`, `light`, or empty: as the system says.
    pub theme: String,
    /// Whose habits the mouse follows.
    pub habit: Habit,
    /// What is drawn beside the bodies.
    pub layers: Layers,
    /// Newest first.
    pub recent: Vec<PathBuf>,
    /// Width and height of the window, points.
    pub window_size: Option<[f32; 2]>,
    /// Its place on the screen, points.
    pub window_place: Option<[f32; 2]>,
    /// Whether it filled the screen.
    pub maximized: bool,
    /// Whether the tour was seen to its end, or sent away.
    pub tour_seen: bool,
}

/// The settings in use, and where they are kept.
#[derive(Debug)]
pub struct Kept {
    /// As they are in use.
    pub settings: Settings,
    /// As they were written last.
    written: Settings,
    /// Without one nothing is kept.
    folder: Option<PathBuf>,
}

/// Where the program keeps its own files; `HATTRICK_HOME` replaces the user's folder.
pub fn home() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("HATTRICK_HOME")
        .or_else(|| folder("XDG_CONFIG_HOME").map(|path| path.join("hattrick")))
        .or_else(|| folder("APPDATA").map(|path| path.join("hattrick")))
        .or_else(|| folder("HOME").map(|path| path.join(".config").join("hattrick")))
}

impl Kept {
    /// Reads the settings of a folder; with a message where that could not be done.
    pub fn load(folder: Option<&Path>) -> (Kept, Option<String>) {
        let (settings, complaint) = folder.map(Settings::load).unwrap_or_default();
        let written = settings.clone();
        (Kept { settings, written, folder: folder.map(Path::to_owned) }, complaint)
    }

    /// Whether someone who keeps settings has not seen the tour yet.
    pub fn is_tour_due(&self) -> bool {
        !self.settings.tour_seen && self.folder.is_some()
    }

    /// Takes down where the window is, and writes what has changed.
    pub fn keep(&mut self, ctx: &egui::Context) {
        ctx.input(|input| {
            let viewport = input.viewport();
            self.settings.maximized = viewport.maximized.unwrap_or(false);
            if !self.settings.maximized {
                self.settings.window_size = viewport.inner_rect.map(|rect| [rect.width(), rect.height()]);
                self.settings.window_place = viewport.outer_rect.map(|rect| [rect.left(), rect.top()]);
            }
        });
        if self.settings != self.written
            && let Some(folder) = &self.folder
        {
            // Where it cannot be written it is forgotten; that is no reason to disturb anyone.
            let _ = self.settings.save(folder);
            self.written = self.settings.clone();
        }
    }
}

impl Settings {
    /// Dark, light, or as the system says.
    pub fn preference(&self) -> ThemePreference {
        match self.theme.as_str() {
            "dark" => ThemePreference::Dark,
            "light" => ThemePreference::Light,
            _ => ThemePreference::System,
        }
    }

    /// Chooses dark, light, or as the system says.
    pub fn prefer(&mut self, theme: ThemePreference) {
        let word = match theme {
            ThemePreference::Dark => "dark",
            ThemePreference::Light => "light",
            ThemePreference::System => "",
        };
        self.theme = word.to_owned();
    }

    /// Reads the settings of a folder. A broken file is set aside and the message says where.
    pub fn load(folder: &Path) -> (Settings, Option<String>) {
        let path = folder.join("settings.json");
        let Ok(text) = read_text(&path, MOST_BYTES) else { return (Settings::default(), None) };
        match serde_json::from_str(&text) {
            Ok(settings) => (settings, None),
            Err(error) => (Settings::default(), Some(set_aside(&path, "settings", &error.to_string()))),
        }
    }

    /// Writes the settings: first a new file, then in the place of the old one.
    pub fn save(&self, folder: &Path) -> Result<(), WriteFault> {
        fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        write_whole(&folder.join("settings.json"), text.as_bytes())
    }

    /// Puts a file at the head of the recent ones.
    pub fn remember(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|known| *known != path);
        self.recent.insert(0, path);
        self.recent.truncate(MOST_RECENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn settings_come_back_as_they_were() {
        let folder = folder("settings");
        let mut settings = Settings { theme: "light".to_owned(), habit: Habit::Maya, ..Settings::default() };
        settings.remember(Path::new("a.toml"));
        settings.remember(Path::new("b.toml"));
        settings.remember(Path::new("a.toml"));
        settings.save(&folder).expect("to be saved");
        assert_eq!(Settings::load(&folder), (settings.clone(), None));
        assert_eq!(settings.recent.len(), 2);
        assert!(settings.recent[0].ends_with("a.toml"));
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn broken_settings_are_set_aside() {
        let folder = folder("broken");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("settings.json"), "{\"theme\": 7").expect("a file");
        let (settings, message) = Settings::load(&folder);
        assert_eq!(settings, Settings::default());
        assert!(message.expect("a message").contains("set aside"));
        assert!(folder.join("settings.broken").exists());
        let _ = fs::remove_dir_all(&folder);
    }
}
