//! The window as a whole: panels laid out, their wishes gathered and handed to the one place that carries them out.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{self, CentralPanel, Frame, Panel, ThemePreference, Ui};

use super::settings::Settings;
use crate::editor::action::Action;
use crate::editor::dialogs::export_dialog::progress_ui;
use crate::editor::dialogs::gallery::gallery_ui;
use crate::editor::dialogs::open_dialog::{Answer, PathQuestion};
use crate::editor::dialogs::questions::{recovery_ui, unsaved_ui};
use crate::editor::dialogs::shortcuts::{self, shortcuts_ui};
use crate::editor::dialogs::tour::Tour;
use crate::editor::drag::hands::Hands;
use crate::editor::drag::pulling::Drag;
use crate::editor::drag::unmet::{Offer, Unmet};
use crate::editor::eye::view::View;
use crate::editor::look::theme;
use crate::editor::look::widgets::quiet;
use crate::editor::panels::inspector::{Drafts, inspector_ui};
use crate::editor::panels::menu::{Bar, menu_ui};
use crate::editor::panels::messages::{Messages, messages_ui};
use crate::editor::panels::plots::plots_ui;
use crate::editor::panels::timeline::timeline_ui;
use crate::editor::view::gpu::Gpu;
use crate::editor::view::scenery::{FLASH_TIME, Flash, Scenery};
use crate::editor::view::viewport::viewport_ui;
use crate::editor::work::autosave::{self, Left};
use crate::editor::work::examples::EXAMPLES;
use crate::editor::work::exporting::Exporting;
use crate::editor::work::motion::Motion;
use crate::editor::work::thumbnails::Thumbnails;
use crate::editor::work::worker::Worker;
use crate::session::{Edit, ParameterChange};

/// Where a scene came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A file, which saving writes again.
    File(PathBuf),
    /// An example, which saving asks a path for.
    Example(usize),
    /// What a crash left behind.
    Recovered,
    /// Nowhere yet.
    New,
}

/// How the editor starts.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// A scene to open; the examples without one.
    pub scene: Option<PathBuf>,
    /// Where settings and records live; without one nothing is kept.
    pub folder: Option<PathBuf>,
    /// Added to every solve of a drag, to try how the window bears a slow one.
    pub slowness: Duration,
    /// Whether the gallery draws pictures of its scenes.
    pub thumbnails: bool,
}

/// The editor.
pub struct App {
    pub(super) settings: Settings,
    saved_settings: Settings,
    pub(super) start: Start,
    pub(super) view: View,
    pub(super) motion: Option<Arc<Motion>>,
    pub(super) origin: Option<Origin>,
    /// Taken over once the worker has answered.
    pub(super) opening: Option<Origin>,
    pub(super) worker: Worker,
    /// The worker of the scene on the screen while another scene is being opened.
    pub(super) set_aside: Option<Worker>,
    /// Revisions of a drag that was cancelled: answers to them are no longer wanted.
    pub(super) stale: Range<u64>,
    pub(super) messages: Messages,
    pub(super) question: Option<PathQuestion>,
    /// The question that was answered last, to be asked again where the answer does not serve.
    pub(super) answered: Option<PathQuestion>,
    pub(super) shortcuts: bool,
    pub(super) hands: Hands,
    pub(super) drag: Option<Drag>,
    pub(super) unmet: Option<Unmet>,
    pub(super) drafts: Drafts,
    pub(super) changes: Vec<ParameterChange>,
    /// What would lose unsaved changes, waiting for a word.
    pub(super) waiting: Option<Action>,
    /// What waits for a save to succeed, and what has waited long enough.
    pub(super) after_save: Option<Action>,
    pub(super) go_on: Option<Action>,
    pub(super) left: Vec<Left>,
    /// Edits of a journal that is being shown, and when the next is due.
    pub(super) replay: VecDeque<Edit>,
    pub(super) replay_due: f64,
    pub(super) may_close: bool,
    pub(super) exporting: Option<Exporting>,
    pub(super) tour: Option<Tour>,
    pub(super) tour_asked: bool,
    pub(super) offer: Option<Offer>,
    pub(super) flash: Option<Flash>,
    /// How many moves of the hand have been followed, and how long the solver worked on the newest.
    pub(super) followed: (u64, Duration),
    /// How the last solve went, in words.
    pub(super) solver: String,
    thumbnails: Thumbnails,
}

impl App {
    /// Opens the editor in a window, or in a test's stand-in for one.
    pub fn new(cc: &eframe::CreationContext<'_>, start: Start) -> App {
        if let Some(state) = &cc.wgpu_render_state {
            state.renderer.write().callback_resources.insert(Gpu::new(state));
        }
        theme::install(&cc.egui_ctx);
        let (settings, complaint) = start.folder.as_deref().map(Settings::load).unwrap_or_default();
        let (left, complaints) = start.folder.as_deref().map(autosave::left_behind).unwrap_or_default();
        let mut app = App {
            view: View { layers: settings.layers, ..View::default() },
            saved_settings: settings.clone(),
            settings,
            worker: Worker::start(&cc.egui_ctx, start.folder.clone(), start.slowness),
            set_aside: None,
            motion: None,
            origin: None,
            opening: None,
            stale: 0..0,
            messages: Messages::default(),
            question: None,
            answered: None,
            shortcuts: false,
            hands: Hands::default(),
            drag: None,
            unmet: None,
            drafts: Drafts::default(),
            changes: Vec::new(),
            waiting: None,
            after_save: None,
            go_on: None,
            left,
            replay: VecDeque::new(),
            replay_due: 0.0,
            may_close: false,
            exporting: None,
            tour: None,
            tour_asked: false,
            offer: None,
            flash: None,
            followed: (0, Duration::ZERO),
            solver: String::new(),
            thumbnails: Thumbnails::default(),
            start,
        };
        complaint.into_iter().chain(complaints).for_each(|complaint| app.messages.wrong(complaint));
        cc.egui_ctx.set_theme(app.theme());
        if let Some(path) = app.start.scene.clone() {
            app.apply(Action::Open(path), &cc.egui_ctx);
        }
        app
    }

    /// The motion on the screen; `None` in the gallery.
    pub fn motion(&self) -> Option<&Motion> {
        self.motion.as_deref()
    }

    /// How it is looked at.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The messages on the screen, oldest first.
    pub fn messages(&self) -> Vec<String> {
        self.messages.texts().map(str::to_owned).collect()
    }

    /// Whether the worker has something to do.
    pub fn is_busy(&self) -> bool {
        self.worker.is_busy() || !self.replay.is_empty() || self.exporting.is_some()
    }

    /// Whether a body is in the hand.
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// How many moves of the hand have been followed, and how long the solver worked on the newest.
    pub fn newest_solve(&self) -> (u64, Duration) {
        self.followed
    }

    /// The event that is being pointed at because a jump has changed it, in words.
    pub fn flash(&self) -> Option<&str> {
        self.flash.as_ref().map(|flash| flash.words.as_str())
    }

    /// The wish that was left unmet, in words.
    pub fn unmet(&self) -> Option<String> {
        self.unmet.as_ref().zip(self.motion()).map(|(unmet, motion)| unmet.words(motion))
    }

    fn theme(&self) -> ThemePreference {
        match self.settings.theme.as_str() {
            "dark" => ThemePreference::Dark,
            "light" => ThemePreference::Light,
            _ => ThemePreference::System,
        }
    }

    fn title(&self) -> Option<String> {
        let motion = self.motion.as_ref()?;
        let file = match self.origin.as_ref()? {
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

    fn question_ui(&mut self, ui: &mut Ui) -> Option<Action> {
        let answer = self.question.as_mut()?.show_ui(ui)?;
        let question = self.question.take();
        match answer {
            Answer::Wish(action) => {
                self.answered = question;
                Some(*action)
            }
            Answer::Nothing => {
                self.after_save = None;
                None
            }
        }
    }

    fn keep_settings(&mut self, ctx: &egui::Context) {
        ctx.input(|input| {
            let viewport = input.viewport();
            self.settings.maximized = viewport.maximized.unwrap_or(false);
            if !self.settings.maximized {
                self.settings.window_size = viewport.inner_rect.map(|rect| [rect.width(), rect.height()]);
                self.settings.window_place = viewport.outer_rect.map(|rect| [rect.left(), rect.top()]);
            }
        });
        if self.settings != self.saved_settings
            && let Some(folder) = &self.start.folder
        {
            // Where it cannot be written it is forgotten; that is no reason to disturb anyone.
            let _ = self.settings.save(folder);
            self.saved_settings = self.settings.clone();
        }
    }

    /// Asks before unsaved changes are lost.
    fn guard_close(&mut self, ctx: &egui::Context) {
        if !ctx.input(|input| input.viewport().close_requested()) {
            return;
        }
        if self.motion.as_ref().is_some_and(|motion| motion.is_changed) && !self.may_close {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.waiting = Some(Action::Quit);
        }
    }

    /// All panels; returns every wish of this frame. `elsewhere`: a text or a menu has the keys.
    fn panels_ui(&mut self, elsewhere: bool, ui: &mut Ui) -> Vec<Action> {
        let mut wishes = Vec::new();
        let title = self.title();
        let bar = Bar {
            title: title.as_deref(),
            depth: self.motion.as_ref().map_or((0, 0), |motion| motion.depth),
            busy: self.worker.is_busy() && self.drag.is_none(),
            layers: self.view.layers,
            habit: self.settings.habit,
            theme: self.theme(),
            recent: &self.settings.recent,
        };
        Panel::top("bar").show(ui, |ui| wishes.extend(menu_ui(&bar, ui)));
        match self.motion.clone() {
            Some(motion) => self.editor_ui(&motion, elsewhere, &mut wishes, ui),
            // A scene that was asked for on starting is there in a moment; the gallery would only flicker.
            None if self.opening.is_some() && self.origin.is_none() => {
                CentralPanel::default().show(ui, |ui| ui.centered_and_justified(|ui| quiet(ui, "Opening…")));
            }
            None => {
                let dark = ui.visuals().dark_mode;
                let pictures = if self.start.thumbnails { self.thumbnails.of(ui.ctx(), dark) } else { &[] };
                let (recent, is_first) = (&self.settings.recent, !self.settings.tour_seen);
                CentralPanel::default().show(ui, |ui| wishes.extend(gallery_ui(pictures, recent, is_first, ui)));
            }
        }
        wishes.extend(messages_ui(&mut self.messages, ui));
        wishes.extend(self.exporting.as_ref().and_then(|exporting| progress_ui(exporting, ui)));
        if self.shortcuts {
            wishes.extend(shortcuts_ui(ui));
        }
        if self.waiting.is_some() {
            wishes.extend(unsaved_ui(ui));
        } else if self.motion.is_none() {
            wishes.extend(recovery_ui(&self.left, ui));
        }
        wishes.extend(self.question_ui(ui));
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
            wishes.extend(inspector_ui(&self.view, motion, &mut self.drafts, &self.changes, &self.solver, ui));
        });
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            let rect = ui.max_rect();
            let scenery = Scenery {
                motion,
                habit: self.settings.habit,
                drag: self.drag.as_ref(),
                unmet: self.unmet.as_ref(),
                offer: self.offer,
                changes: &self.changes,
                flash: self.flash.as_ref(),
                elsewhere,
            };
            wishes.extend(viewport_ui(&mut self.view, &mut self.hands, &scenery, ui));
            wishes.extend(self.tour.and_then(|tour| tour.show_ui(rect, ui)));
        });
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let now = ctx.input(|input| input.time);
        self.receive(now);
        self.flash.take_if(|flash| now - flash.since > FLASH_TIME);
        self.receive_export(now);
        if let Some(action) = self.go_on.take() {
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
        }
        if let (Some(tour), Some(motion)) = (&mut self.tour, &self.motion) {
            tour.watch(motion, &self.view);
        }
        // The key that ends a drag means nothing else, nor does one that ends a text or closes a menu.
        let (was_holding, was_asked) = (self.hands.is_holding(), self.question.is_some() || self.waiting.is_some());
        let elsewhere = ctx.egui_wants_keyboard_input() || egui::Popup::is_any_open(&ctx) || self.shortcuts;
        let mut wishes = self.panels_ui(elsewhere, ui);
        let holds = was_holding || self.hands.is_holding();
        if self.question.is_none() && self.waiting.is_none() && !was_asked && !holds && !elsewhere {
            wishes.extend(shortcuts::pressed(&ctx, self.view.layers, self.view.looping));
        }
        for wish in wishes {
            self.apply(wish, &ctx);
        }
        self.keep_settings(&ctx);
    }

    fn on_exit(&mut self) {
        // A thread that has ended saved nothing more: its records are what is left.
        if let Some(folder) = self.start.folder.as_ref().filter(|_| !self.worker.is_gone()) {
            autosave::forget_own(folder);
        }
    }
}
