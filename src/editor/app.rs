//! The window as a whole: panels laid out, their wishes gathered, and carried out in one place.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{self, CentralPanel, Frame, Panel, ThemePreference, Ui};

use super::action::Action;
use super::gallery::{EXAMPLES, gallery_ui};
use super::gpu::Gpu;
use super::inspector::inspector_ui;
use super::menu::{Bar, menu_ui};
use super::messages::{Messages, messages_ui};
use super::motion::Motion;
use super::open_dialog::{PathAnswer, PathQuestion};
use super::plots::plots_ui;
use super::settings::Settings;
use super::shortcuts::{self, shortcuts_ui};
use super::theme;
use super::timeline::timeline_ui;
use super::view::View;
use super::viewport::viewport_ui;
use super::worker::{Order, Worker};

/// A frame of the time line, s.
const FRAME: f64 = 1.0 / 60.0;

/// Where a scene came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A file, which saving writes again.
    File(PathBuf),
    /// An example, which saving asks a path for.
    Example(usize),
}

/// The editor.
pub struct App {
    settings: Settings,
    saved_settings: Settings,
    folder: Option<PathBuf>,
    view: View,
    motion: Option<Arc<Motion>>,
    origin: Option<Origin>,
    /// Taken over once the worker has answered.
    opening: Option<Origin>,
    worker: Worker,
    messages: Messages,
    question: Option<PathQuestion>,
    shortcuts: bool,
}

impl App {
    /// Starts with a scene or with the examples. `folder` is where settings live; without one nothing is kept.
    pub fn new(cc: &eframe::CreationContext<'_>, scene: Option<PathBuf>, folder: Option<PathBuf>) -> App {
        if let Some(state) = &cc.wgpu_render_state {
            state.renderer.write().callback_resources.insert(Gpu::new(state));
        }
        theme::install(&cc.egui_ctx);
        let (settings, complaint) = folder.as_deref().map(Settings::load).unwrap_or_default();
        let mut app = App {
            view: View { layers: settings.layers, ..View::default() },
            saved_settings: settings.clone(),
            settings,
            folder,
            motion: None,
            origin: None,
            opening: None,
            worker: Worker::start(&cc.egui_ctx),
            messages: Messages::default(),
            question: None,
            shortcuts: false,
        };
        complaint.into_iter().for_each(|complaint| app.messages.wrong(complaint));
        cc.egui_ctx.set_theme(app.theme());
        if let Some(path) = scene {
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
        self.worker.is_busy()
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
        };
        let title = &motion.scene.title;
        Some(if title.is_empty() { file } else { format!("{title} · {file}") })
    }

    /// Takes over what the worker has finished.
    fn receive(&mut self, now: f64) {
        let Some(answer) = self.worker.newest() else { return };
        match answer.result {
            Ok(motion) => {
                self.view = View {
                    camera: self.view.camera.framing(motion.ball.0, motion.ball.1),
                    layers: self.view.layers,
                    ..View::default()
                };
                self.view.camera.yaw = View::default().camera.yaw;
                self.view.camera.pitch = View::default().camera.pitch;
                self.messages.clear();
                if motion.trajectory.end != crate::simulation::End::Horizon {
                    self.messages.wrong(motion.trajectory.end.to_string());
                } else if motion.bodies().all(|body| motion.model.bodies()[body.index()].fixed) {
                    self.messages.note("Every body of this scene is fixed: nothing moves.", now);
                }
                self.origin = self.opening.take();
                if let Some(Origin::File(path)) = &self.origin {
                    self.settings.remember(path);
                }
                self.motion = Some(motion);
            }
            Err(message) => {
                self.opening = None;
                self.messages.wrong(message);
            }
        }
    }

    /// The one place where wishes are carried out.
    fn apply(&mut self, action: Action, ctx: &egui::Context) {
        match action {
            Action::Gallery => self.motion = None,
            Action::OpenExample(index) => self.open_example(index, ctx),
            Action::Open(path) => {
                self.opening = Some(Origin::File(path.clone()));
                self.worker = Worker::start(ctx);
                self.worker.order(Order::OpenFile(path));
            }
            Action::AskOpen => self.question = Some(PathQuestion::new(String::new(), false)),
            Action::Theme(theme) => self.set_theme(theme, ctx),
            Action::Habit(habit) => self.settings.habit = habit,
            Action::Layers(layers) => {
                self.view.layers = layers;
                self.settings.layers = layers;
            }
            Action::ToggleShortcuts => self.shortcuts = !self.shortcuts,
            Action::DismissMessage(number) => self.messages.dismiss(number),
            Action::Escape => self.view.selection = None,
            Action::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            other => self.apply_to_view(other),
        }
    }

    /// Wishes that only concern looking.
    fn apply_to_view(&mut self, action: Action) {
        let Some(motion) = self.motion.clone() else { return };
        let (view, duration) = (&mut self.view, motion.duration());
        match action {
            Action::Select(body) => view.selection = body,
            Action::SelectPick(pick) => {
                view.selection = Some(pick.body);
                if pick.on_path {
                    view.playing = false;
                    view.scrub(pick.t, duration);
                }
            }
            Action::Scrub(t) => {
                view.playing = false;
                view.scrub(t.min(duration), duration);
            }
            Action::TogglePlay => {
                view.playing = !view.playing;
                if view.playing && view.playhead >= duration {
                    view.playhead = 0.0;
                }
            }
            Action::Loop(looping) => view.looping = looping,
            Action::Speed(speed) => view.speed = speed,
            Action::StepFrames(count) => {
                view.playing = false;
                view.scrub(view.playhead + f64::from(count) * FRAME, duration);
            }
            Action::PreviousEvent => step_to_event(view, &motion, false),
            Action::NextEvent => step_to_event(view, &motion, true),
            Action::FrameSelection => frame_selection(view, &motion),
            Action::AxisView(key) => view.camera_goal = super::navigation::axis_view(&view.camera, key),
            _ => {}
        }
    }

    fn open_example(&mut self, index: usize, ctx: &egui::Context) {
        let Some(example) = EXAMPLES.get(index) else { return };
        self.opening = Some(Origin::Example(index));
        self.worker = Worker::start(ctx);
        let name = format!("{}.toml", example.name);
        self.worker.order(Order::OpenText { name, text: example.text.to_owned() });
    }

    fn set_theme(&mut self, theme: ThemePreference, ctx: &egui::Context) {
        let word = match theme {
            ThemePreference::Dark => "dark",
            ThemePreference::Light => "light",
            ThemePreference::System => "",
        };
        self.settings.theme = word.to_owned();
        ctx.set_theme(theme);
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
        self.question = None;
        match answer {
            PathAnswer::Path(path) => Some(Action::Open(path)),
            PathAnswer::Nothing => None,
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
            && let Some(folder) = &self.folder
        {
            // Where it cannot be written it is forgotten; that is no reason to disturb anyone.
            let _ = self.settings.save(folder);
            self.saved_settings = self.settings.clone();
        }
    }

    /// All panels; returns every wish of this frame.
    fn panels_ui(&mut self, ui: &mut Ui) -> Vec<Action> {
        let mut wishes = Vec::new();
        let title = self.title();
        let bar = Bar {
            title: title.as_deref(),
            busy: self.worker.is_busy(),
            layers: self.view.layers,
            habit: self.settings.habit,
            theme: self.theme(),
            recent: &self.settings.recent,
        };
        Panel::top("bar").show(ui, |ui| wishes.extend(menu_ui(&bar, ui)));
        match self.motion.clone() {
            Some(motion) => {
                Panel::bottom("time line")
                    .exact_size(theme::TIME_LINE_HEIGHT)
                    .show(ui, |ui| wishes.extend(timeline_ui(&self.view, &motion, ui)));
                if self.view.layers.plots {
                    let panel = Panel::bottom("plots").resizable(true).default_size(190.0).size_range(120.0..=420.0);
                    panel.show(ui, |ui| wishes.extend(plots_ui(&self.view, &motion, ui)));
                }
                let panel = Panel::right("inspector")
                    .resizable(true)
                    .default_size(theme::INSPECTOR_WIDTH)
                    .size_range(220.0..=460.0);
                panel.show(ui, |ui| wishes.extend(inspector_ui(&self.view, &motion, ui)));
                CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
                    wishes.extend(viewport_ui(&mut self.view, &motion, self.settings.habit, ui));
                });
            }
            None => {
                CentralPanel::default().show(ui, |ui| wishes.extend(gallery_ui(&[], &self.settings.recent, ui)));
            }
        }
        wishes.extend(messages_ui(&mut self.messages, ui));
        if self.shortcuts {
            wishes.extend(shortcuts_ui(ui));
        }
        wishes.extend(self.question_ui(ui));
        wishes
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.receive(ctx.input(|input| input.time));
        self.take_dropped(&ctx);
        if let Some(motion) = &self.motion {
            let dt = f64::from(ctx.input(|input| input.stable_dt)).min(0.1);
            if self.view.advance(dt, motion.duration()) {
                ctx.request_repaint();
            }
        }
        let mut wishes = self.panels_ui(ui);
        if self.question.is_none() {
            wishes.extend(shortcuts::pressed(&ctx, self.view.layers, self.view.looping));
        }
        for wish in wishes {
            self.apply(wish, &ctx);
        }
        self.keep_settings(&ctx);
    }
}

/// Times closer than this are one event to a person stepping through them, s.
const SAME_EVENT: f64 = 1e-6;

fn step_to_event(view: &mut View, motion: &Motion, forward: bool) {
    view.playing = false;
    let about = |body| view.selection.is_none_or(|selected| selected == body);
    let times = motion.marks.iter().filter(|mark| mark.bodies.into_iter().any(about)).map(|mark| mark.t);
    let now = view.playhead;
    let found = if forward {
        times.filter(|t| *t > now + SAME_EVENT).min_by(f64::total_cmp)
    } else {
        times.filter(|t| *t < now - SAME_EVENT).max_by(f64::total_cmp)
    };
    let end = if forward { motion.duration() } else { 0.0 };
    view.scrub(found.unwrap_or(end), motion.duration());
}

fn frame_selection(view: &mut View, motion: &Motion) {
    let (center, radius) = match view.selection {
        Some(body) => {
            let path = &motion.paths[body.index()];
            let at = motion.trajectory.body_at(body, view.playhead).position;
            let far = path.states.iter().map(|state| (state.position - at).norm()).fold(0.0, f64::max);
            (at, 3.0 * motion.reach(body) + 0.25 * far)
        }
        None => motion.ball,
    };
    view.camera_goal = Some(view.camera.framing(center, radius));
}
