//! One frame of the window: panels laid out, their wishes gathered and handed to the one place that carries them out.

use std::path::PathBuf;
use std::time::Duration;

use eframe::egui::{self, CentralPanel, Frame, Panel, Ui};

use super::App;
use super::replaying::Replaying;
use super::settings::Kept;
use crate::editor::action::Action;
use crate::editor::dialogs::asking::Asking;
use crate::editor::dialogs::export_dialog::progress_ui;
use crate::editor::dialogs::gallery::gallery_ui;
use crate::editor::dialogs::shortcuts::{self, shortcuts_ui};
use crate::editor::dialogs::tour::Guide;
use crate::editor::drag::grasp::Grasp;
use crate::editor::eye::view::View;
use crate::editor::look::theme;
use crate::editor::look::widgets::quiet;
use crate::editor::panels::inspector::{Drafts, inspector_ui};
use crate::editor::panels::ledger::Ledger;
use crate::editor::panels::menu::{Bar, menu_ui};
use crate::editor::panels::messages::{Messages, messages_ui};
use crate::editor::panels::plots::plots_ui;
use crate::editor::panels::timeline::timeline_ui;
use crate::editor::view::gpu::Gpu;
use crate::editor::view::viewport::{Scenery, viewport_ui};
use crate::editor::work::autosave;
use crate::editor::work::desk::{Desk, Origin};
use crate::editor::work::examples::EXAMPLES;
use crate::editor::work::motion::Motion;
use crate::editor::work::thumbnails::Thumbnails;
use crate::files::Reach;

/// How the editor starts.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// A scene to open; the examples without one.
    pub scene: Option<PathBuf>,
    /// Where the files that it names may be.
    pub reach: Reach,
    /// Where settings and records live; without one nothing is kept.
    pub folder: Option<PathBuf>,
    /// Added to every solve of a drag, to try how the window bears a slow one.
    pub slowness: Duration,
    /// Whether the gallery draws pictures of its scenes.
    pub thumbnails: bool,
}

impl App {
    /// Opens the editor in a window, or in a test's stand-in for one.
    pub fn new(cc: &eframe::CreationContext<'_>, start: Start) -> App {
        if let Some(state) = &cc.wgpu_render_state {
            state.renderer.write().callback_resources.insert(Gpu::new(state));
        }
        theme::install(&cc.egui_ctx);
        let Start { scene, reach, folder, slowness, thumbnails } = start;
        let (kept, complaint) = Kept::load(folder.as_deref());
        let (left, complaints) = folder.as_deref().map(autosave::left_behind).unwrap_or_default();
        let mut app = App {
            motion: None,
            view: View { layers: kept.settings.layers, ..View::default() },
            grasp: Grasp::default(),
            desk: Desk::new(&cc.egui_ctx, folder, slowness),
            replaying: Replaying::default(),
            messages: Messages::default(),
            drafts: Drafts::default(),
            ledger: Ledger::default(),
            asking: Asking::new(left),
            unkept: None,
            guide: Guide::default(),
            shortcuts: false,
            thumbnails: thumbnails.then(Thumbnails::default),
            kept,
        };
        complaint.into_iter().chain(complaints).for_each(|complaint| app.messages.wrong(complaint));
        cc.egui_ctx.set_theme(app.kept.settings.preference());
        if let Some(path) = scene {
            let action = match reach {
                Reach::Folder => Action::Open(path),
                Reach::Anywhere => Action::OpenAnywhere(path),
            };
            app.apply(action, &cc.egui_ctx);
        }
        app
    }

    fn title(&self) -> Option<String> {
        let motion = self.motion.as_ref()?;
        let file = match self.desk.origin()? {
            Origin::File(path) => path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            Origin::Example(index) => format!("{} (example)", EXAMPLES[*index].name),
            Origin::Recovered => "recovered".to_owned(),
            Origin::New => "untitled".to_owned(),
        };
        let dot = if motion.is_changed { " •" } else { "" };
        let title = &motion.scene.title;
        Some(if title.is_empty() { format!("{file}{dot}") } else { format!("{title} · {file}{dot}") })
    }

    /// Files that were dropped onto the window.
    fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
        if let Some(path) = dropped {
            self.apply(Action::Open(path), ctx);
        }
    }

    /// Asks before unsaved changes are lost.
    fn guard_close(&mut self, ctx: &egui::Context) {
        if !ctx.input(|input| input.viewport().close_requested()) {
            return;
        }
        if self.asking.hold_back(Action::Quit, self.is_changed()).is_none() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
        }
    }

    /// All panels; returns every wish of this frame. `elsewhere`: a text or a menu has the keys.
    fn panels_ui(&mut self, elsewhere: bool, ui: &mut Ui) -> Vec<Action> {
        let mut wishes = Vec::new();
        let title = self.title();
        let bar = Bar {
            title: title.as_deref(),
            depth: self.motion.as_ref().map_or((0, 0), |motion| motion.depth),
            busy: self.desk.is_busy() && !self.is_dragging(),
            layers: self.view.layers,
            habit: self.kept.settings.habit,
            theme: self.kept.settings.preference(),
            recent: &self.kept.settings.recent,
        };
        Panel::top("bar").show(ui, |ui| wishes.extend(menu_ui(&bar, ui)));
        match self.motion.clone() {
            Some(motion) => self.editor_ui(&motion, elsewhere, &mut wishes, ui),
            // A scene that was asked for on starting is there in a moment; the gallery would only flicker.
            None if self.desk.opens_first() => {
                CentralPanel::default().show(ui, |ui| ui.centered_and_justified(|ui| quiet(ui, "Opening…")));
            }
            None => {
                let dark = ui.visuals().dark_mode;
                let pictures = self.thumbnails.as_mut().map_or(&[][..], |thumbnails| thumbnails.of(ui.ctx(), dark));
                let (recent, is_first) = (&self.kept.settings.recent, !self.kept.settings.tour_seen);
                CentralPanel::default().show(ui, |ui| wishes.extend(gallery_ui(pictures, recent, is_first, ui)));
            }
        }
        wishes.extend(messages_ui(&mut self.messages, ui));
        wishes.extend(self.desk.exporting().and_then(|exporting| progress_ui(exporting, ui)));
        if self.shortcuts {
            wishes.extend(shortcuts_ui(ui));
        }
        wishes.extend(self.asking.show_ui(self.motion.is_some(), ui));
        wishes
    }

    fn editor_ui(&mut self, motion: &Motion, elsewhere: bool, wishes: &mut Vec<Action>, ui: &mut Ui) {
        Panel::bottom("time line")
            .exact_size(theme::TIME_LINE_HEIGHT)
            .show(ui, |ui| wishes.extend(timeline_ui(&self.view, motion, ui)));
        if self.view.layers.plots {
            let panel = Panel::bottom("plots").resizable(true).default_size(190.0).size_range(120.0..=420.0);
            panel.show(ui, |ui| wishes.extend(plots_ui(&self.view, motion, ui)));
        }
        let panel = Panel::right("inspector").resizable(true).default_size(theme::INSPECTOR_WIDTH);
        let [least, most] = theme::INSPECTOR_WIDTHS;
        panel.size_range(least..=most).show(ui, |ui| {
            wishes.extend(inspector_ui(&self.view, motion, &mut self.drafts, &self.ledger, ui));
        });
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            let rect = ui.max_rect();
            let habit = self.kept.settings.habit;
            let scenery = Scenery { motion, habit, changes: self.ledger.changes(), elsewhere };
            wishes.extend(viewport_ui(&mut self.view, &mut self.grasp, &scenery, ui));
            wishes.extend(self.guide.show_ui(rect, ui));
        });
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let now = ctx.input(|input| input.time);
        self.receive(now);
        self.grasp.fade(now);
        self.receive_export(now);
        if let Some(action) = self.asking.take_go_on() {
            self.apply(action, &ctx);
        }
        self.go_on_replaying(now, &ctx);
        self.take_dropped(&ctx);
        self.guard_close(&ctx);
        if let Some(motion) = &self.motion {
            let dt = f64::from(ctx.input(|input| input.stable_dt)).min(0.1);
            if self.view.advance(dt, motion.duration()) {
                ctx.request_repaint();
            }
            self.guide.watch(motion, &self.view);
        }
        // The key that ends a drag means nothing else, nor does one that ends a text or closes a menu.
        let (was_holding, was_asked) = (self.grasp.hands().is_holding(), self.asking.stands());
        let elsewhere = ctx.egui_wants_keyboard_input() || egui::Popup::is_any_open(&ctx) || self.shortcuts;
        let mut wishes = self.panels_ui(elsewhere, ui);
        let holds = was_holding || self.grasp.hands().is_holding();
        if !self.asking.stands() && !was_asked && !holds && !elsewhere {
            wishes.extend(shortcuts::pressed(&ctx, self.view.layers, self.view.looping));
        }
        for wish in wishes {
            self.apply(wish, &ctx);
        }
        self.kept.keep(&ctx);
    }

    fn on_exit(&mut self) {
        self.desk.close();
    }
}
