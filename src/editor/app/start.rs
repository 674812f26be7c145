//! Opening the window, and saying what is missing where it cannot be opened.

use std::path::PathBuf;

use eframe::egui;

use super::App;
use super::settings::{self, Settings};
use super::window::Start;
use crate::editor::look::theme;
use crate::files::Reach;

/// Why no window opened.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no screen to open it on.
    #[error("no display: neither WAYLAND_DISPLAY nor DISPLAY is set")]
    NoDisplay,
    /// A library, a driver or the display itself failed.
    #[error("the window could not be opened: {reason}\n{advice}")]
    Failed {
        /// As the toolkit says it.
        reason: String,
        /// What to do about it.
        advice: String,
    },
}

/// Whether there is a screen to open a window on.
pub fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET") || set("DISPLAY")
}

/// Opens the editor and returns when it is closed.
pub fn open(scene: Option<PathBuf>, reach: Reach) -> Result<(), StartError> {
    if !has_display() {
        return Err(StartError::NoDisplay);
    }
    let folder = settings::home();
    let remembered = folder.as_deref().map(|folder| Settings::load(folder).0).unwrap_or_default();
    let options = eframe::NativeOptions { viewport: viewport(&remembered), ..Default::default() };
    let start = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        let start = Start { scene, reach, folder, slowness: std::time::Duration::ZERO, thumbnails: true };
        Ok(Box::new(App::new(cc, start)))
    };
    eframe::run_native("hattrick", options, Box::new(start)).map_err(|error| {
        let reason = error.to_string();
        let advice = advice(&reason);
        StartError::Failed { reason, advice }
    })
}

fn viewport(remembered: &Settings) -> egui::ViewportBuilder {
    let size = remembered.window_size.filter(|size| size.iter().all(|side| (200.0..20_000.0).contains(side)));
    let builder = egui::ViewportBuilder::default()
        .with_title("Hattrick")
        .with_app_id("hattrick")
        .with_inner_size(size.unwrap_or(theme::FIRST_WINDOW))
        .with_min_inner_size(theme::LEAST_WINDOW)
        .with_maximized(remembered.maximized);
    match remembered.window_place {
        Some(place) if place.iter().all(|side| side.is_finite()) => builder.with_position(place),
        _ => builder,
    }
}

/// Which Debian package most likely helps.
fn advice(reason: &str) -> String {
    let known = [
        ("libxkbcommon-x11", "libxkbcommon-x11-0"),
        ("xkbcommon", "libxkbcommon-x11-0"),
        ("libX11-xcb", "libx11-xcb1"),
        ("libXcursor", "libxcursor1"),
        ("libXi", "libxi6"),
        ("libX11", "libx11-6"),
        ("libwayland", "libwayland-client0"),
        ("adapter", "libvulkan1 mesa-vulkan-drivers"),
        ("wgpu", "libvulkan1 mesa-vulkan-drivers"),
        ("libEGL", "libegl1 libgl1"),
    ];
    let lower = reason.to_lowercase();
    let package = known.iter().find(|(sign, _)| lower.contains(&sign.to_lowercase())).map(|(_, package)| *package);
    let all = "libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libvulkan1 mesa-vulkan-drivers";
    format!("On Debian this helps: apt install {}", package.unwrap_or(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named_by_its_package() {
        for (reason, package) in [
            ("XOpenDisplay: Failed to load libX11.so.6", "libx11-6"),
            ("failed to open libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
            ("WGPU error: Failed to create wgpu adapter, no suitable adapter found", "mesa-vulkan-drivers"),
            ("something else", "libxi6"),
        ] {
            assert!(advice(reason).contains(package), "{reason}: {}", advice(reason));
        }
    }
}
