//! The bar at the top: menus, the scene's name, and what the program is doing.

use eframe::egui::{self, RichText, ThemePreference, Ui};

use crate::editor::action::{Action, Turn};
use crate::editor::eye::navigation::Habit;
use crate::editor::eye::view::Layers;
use crate::editor::look::icons::Icon;
use crate::editor::look::theme;
use crate::editor::look::widgets::{icon_button, quiet};
use crate::session::Edit;

/// What the bar shows.
pub struct Bar<'a> {
    /// The scene's name; `None` in the gallery.
    pub title: Option<&'a str>,
    /// Steps that can be undone and redone.
    pub depth: (usize, usize),
    /// Whether the worker has something to do.
    pub busy: bool,
    /// What is drawn beside the bodies.
    pub layers: Layers,
    /// Whose habits the mouse follows.
    pub habit: Habit,
    /// Dark, light, or as the system says.
    pub theme: ThemePreference,
    /// Newest first.
    pub recent: &'a [std::path::PathBuf],
}

/// Draws the bar and returns what was asked.
pub fn menu_ui(bar: &Bar, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    egui::MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| action = action.take().or(file_ui(bar, ui)));
        ui.menu_button("Edit", |ui| action = action.take().or(edit_ui(bar, ui)));
        ui.menu_button("View", |ui| action = action.take().or(view_ui(bar, ui)));
        ui.menu_button("Help", |ui| {
            if ui.button("Keys and mouse  (?)").clicked() {
                action = Some(Action::ToggleShortcuts);
            }
            if ui.button("Tour on the eggs").clicked() {
                action = Some(Action::Tour(Turn::Begin));
            }
        });
        ui.separator();
        action = action.take().or(history_ui(bar, ui));
        match bar.title {
            Some(title) => ui.label(RichText::new(title).strong()),
            None => quiet(ui, "Examples"),
        };
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let dark = ui.visuals().dark_mode;
            let (icon, name, other) = if dark {
                (Icon::Sun, "Light theme", ThemePreference::Light)
            } else {
                (Icon::Moon, "Dark theme", ThemePreference::Dark)
            };
            if icon_button(ui, icon, name, "", false).clicked() {
                action = Some(Action::Theme(other));
            }
            if bar.busy {
                let palette = theme::palette(dark);
                ui.add(egui::Spinner::new().size(14.0).color(palette.accent));
                quiet(ui, "simulating");
            }
        });
    });
    action
}

fn file_ui(bar: &Bar, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    if ui.button("New  (Ctrl N)").on_hover_text("A floor and a ball, to begin with").clicked() {
        action = Some(Action::New);
    }
    if ui.button("Examples").clicked() {
        action = Some(Action::Gallery);
    }
    if ui.button("Open…  (Ctrl O)").clicked() {
        action = Some(Action::AskOpen);
    }
    ui.menu_button("Open recent", |ui| {
        if bar.recent.is_empty() {
            quiet(ui, "Nothing yet");
        }
        for path in bar.recent {
            if ui.button(path.display().to_string()).clicked() {
                action = Some(Action::Open(path.clone()));
            }
        }
    });
    ui.add_enabled_ui(bar.title.is_some(), |ui| {
        if ui.button("Save  (Ctrl S)").clicked() {
            action = Some(Action::Save);
        }
        if ui.button("Save as…  (Ctrl Shift S)").clicked() {
            action = Some(Action::AskSave);
        }
        ui.separator();
        if ui.button("Export…  (Ctrl E)").on_hover_text("The motion for Blender, web pages, tables, films").clicked()
        {
            action = Some(Action::AskExport);
        }
        let hint = "Everything done since the scene was opened, to be replayed";
        if ui.button("Save session as journal…").on_hover_text(hint).clicked() {
            action = Some(Action::AskJournal);
        }
    });
    ui.separator();
    if ui.button("Quit  (Ctrl Q)").clicked() {
        action = Some(Action::Quit);
    }
    action
}

fn edit_ui(bar: &Bar, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let mut item = |ui: &mut Ui, possible: bool, text: &str, wish: Action| {
        if ui.add_enabled(possible, egui::Button::new(text)).clicked() {
            action = Some(wish);
        }
    };
    item(ui, bar.depth.0 > 0, "Undo  (Ctrl Z)", Action::Edit(Edit::Undo));
    item(ui, bar.depth.1 > 0, "Redo  (Ctrl Shift Z)", Action::Edit(Edit::Redo));
    ui.separator();
    item(ui, bar.title.is_some(), "Nail the selection here  (N)", Action::NailHere);
    item(ui, bar.title.is_some(), "Meet the nails", Action::Edit(Edit::Solve { iterations: 200, seed: 1 }));
    action
}

/// Undo and redo, always in sight.
fn history_ui(bar: &Bar, ui: &mut Ui) -> Option<Action> {
    bar.title?;
    let mut action = None;
    ui.add_enabled_ui(bar.depth.0 > 0, |ui| {
        if icon_button(ui, Icon::Undo, "Undo", "Ctrl Z", false).clicked() {
            action = Some(Action::Edit(Edit::Undo));
        }
    });
    ui.add_enabled_ui(bar.depth.1 > 0, |ui| {
        if icon_button(ui, Icon::Redo, "Redo", "Ctrl Shift Z", false).clicked() {
            action = Some(Action::Edit(Edit::Redo));
        }
    });
    ui.separator();
    action
}

fn view_ui(bar: &Bar, ui: &mut Ui) -> Option<Action> {
    let mut layers = bar.layers;
    ui.checkbox(&mut layers.paths, "Paths of centres of mass");
    ui.checkbox(&mut layers.point_paths, "Paths of surface points");
    ui.checkbox(&mut layers.impacts, "Impacts");
    ui.checkbox(&mut layers.ghosts, "Ghosts at impacts  (G)");
    ui.checkbox(&mut layers.arrows, "Velocity and spin arrows");
    ui.checkbox(&mut layers.plots, "Plots  (P)");
    let mut action = (layers != bar.layers).then_some(Action::Layers(layers));
    ui.separator();
    if ui.button("Frame the selection  (F)").clicked() {
        action = Some(Action::FrameSelection);
    }
    ui.separator();
    for (habit, name) in [(Habit::Blender, "Mouse as in Blender"), (Habit::Maya, "Mouse as in Maya")] {
        if ui.radio(bar.habit == habit, name).clicked() {
            action = Some(Action::Habit(habit));
        }
    }
    ui.separator();
    let themes = [
        (ThemePreference::System, "Theme of the system"),
        (ThemePreference::Dark, "Dark"),
        (ThemePreference::Light, "Light"),
    ];
    for (theme, name) in themes {
        if ui.radio(bar.theme == theme, name).clicked() {
            action = Some(Action::Theme(theme));
        }
    }
    action
}
