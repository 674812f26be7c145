//! The one place where wishes are carried out.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{self, ThemePreference};

use super::window::{App, Origin};
use crate::editor::action::{Action, Turn};
use crate::editor::dialogs::open_dialog::{PathQuestion, Purpose};
use crate::editor::dialogs::tour;
use crate::editor::drag::pin::moved_nail;
use crate::editor::drag::unmet::Offer;
use crate::editor::eye::navigation::axis_view;
use crate::editor::eye::view::View;
use crate::editor::work::examples::EXAMPLES;
use crate::editor::work::exporting::{Exporting, Wishes};
use crate::editor::work::motion::Motion;
use crate::editor::work::order::Order;
use crate::editor::work::worker::Worker;
use crate::export::Format;
use crate::math::Vec3;
use crate::scene::{Inside, Nail, When};
use crate::session::{Edit, Journal};

/// A frame of the time line, s.
const FRAME: f64 = 1.0 / 60.0;
/// What a new scene begins with.
const NEW: &str = include_str!("new.toml");
/// Times closer than this are one event to a person stepping through them, s.
const SAME_EVENT: f64 = 1e-6;

impl App {
    pub(super) fn apply(&mut self, action: Action, ctx: &egui::Context) {
        let loses =
            matches!(action, Action::Gallery | Action::New | Action::OpenExample(_) | Action::Open(_) | Action::Quit);
        if loses && !self.may_close && self.motion.as_ref().is_some_and(|motion| motion.is_changed) {
            self.waiting = Some(action);
            return;
        }
        match action {
            Action::Gallery => self.motion = None,
            Action::New => self.open_new(ctx),
            Action::OpenExample(index) => self.open_example(index, ctx),
            Action::Open(path) => self.open(path, ctx),
            Action::AskOpen => self.question = Some(PathQuestion::new(String::new(), Purpose::Open)),
            Action::Save => self.save(),
            Action::AskSave => self.ask_save(),
            Action::SaveTo(path) => drop(self.worker.order(Order::Save(path))),
            Action::AskJournal => self.ask("jsonl", Purpose::Journal),
            Action::SaveJournal(path) => drop(self.worker.order(Order::SaveJournal(path))),
            Action::AskExport => self.ask(Format::Glb.ending(), Purpose::Export(Wishes::new(is_dark(ctx)))),
            Action::Export(path, wishes) => self.export(path, wishes, ctx),
            Action::CancelExport => self.exporting.iter().for_each(Exporting::cancel),
            Action::Tour(turn) => self.take_turn(turn, ctx),
            Action::SaveAndGoOn => {
                self.after_save = self.waiting.take();
                self.save();
            }
            Action::LoseChanges(go_on) => self.lose_changes(go_on, ctx),
            Action::Recover(index) => self.recover(index, ctx),
            Action::DiscardRecovery(index) => self.discard(index),
            Action::Theme(theme) => self.set_theme(theme, ctx),
            Action::Habit(habit) => self.settings.habit = habit,
            Action::Layers(layers) => {
                self.view.layers = layers;
                self.settings.layers = layers;
            }
            Action::ToggleShortcuts => self.shortcuts = !self.shortcuts,
            Action::DismissMessage(number) => self.messages.dismiss(number),
            Action::DismissMessages => self.messages.clear(),
            Action::Quit => {
                self.may_close = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            other => self.apply_to_document(other),
        }
    }

    /// Wishes that change the document.
    fn apply_to_document(&mut self, action: Action) {
        match action {
            Action::Grab(held) => self.grab(held),
            Action::Reach(held) => self.reach(held),
            Action::LetGo => self.let_go(),
            Action::CancelGrab => self.cancel_grab(),
            Action::Edit(edit) => self.edit(edit),
            Action::Change(change) => drop(self.worker.order(Order::Change(change))),
            Action::NailHere => self.nail_here(),
            Action::MoveNail(index, place) => self.move_nail(index, place),
            Action::NailInside(offer) => self.nail_inside(offer),
            Action::DismissOffer => self.offer = None,
            Action::FreeAndTry(group) => self.free_and_try(group),
            Action::KeepTrying => self.keep_trying(),
            Action::AimClear => self.aim_clear(),
            Action::NailAnyway => self.nail_anyway(),
            Action::DismissUnmet => self.unmet = None,
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
            Action::AxisView(key) => view.camera_goal = axis_view(&view.camera, key),
            // One thing at a time: the words first, then the selection.
            Action::Escape if self.unmet.is_some() || self.offer.is_some() => (self.unmet, self.offer) = (None, None),
            Action::Escape => view.selection = None,
            _ => {}
        }
    }

    fn fresh_worker(&mut self, ctx: &egui::Context) {
        let fresh = Worker::start(ctx, self.start.folder.clone(), self.start.slowness);
        let before = std::mem::replace(&mut self.worker, fresh);
        // One that has opened nothing yet is no place to go back to.
        if self.opening.is_none() {
            self.set_aside = Some(before);
        }
        self.stale = 0..0;
        self.replay.clear();
        self.hands.forget();
        (self.drag, self.unmet, self.offer, self.flash) = (None, None, None, None);
        self.may_close = false;
    }

    fn open(&mut self, path: PathBuf, ctx: &egui::Context) {
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            match Journal::open(&path) {
                Ok(journal) => {
                    self.fresh_worker(ctx);
                    let scene = journal.scene_path(&path);
                    self.opening = Some(Origin::File(scene.clone()));
                    self.worker.order(Order::OpenFile(scene));
                    self.motion = None;
                    self.replay = journal.edits.into();
                }
                Err(error) => {
                    self.may_close = false;
                    self.complain(error.to_string());
                }
            }
            return;
        }
        self.fresh_worker(ctx);
        self.opening = Some(Origin::File(path.clone()));
        self.worker.order(Order::OpenFile(path));
    }

    fn open_example(&mut self, index: usize, ctx: &egui::Context) {
        let Some(example) = EXAMPLES.get(index) else { return };
        self.fresh_worker(ctx);
        self.opening = Some(Origin::Example(index));
        let name = format!("{}.toml", example.name);
        self.worker.order(Order::OpenText { name, text: example.text.to_owned(), edits: Vec::new() });
    }

    fn open_new(&mut self, ctx: &egui::Context) {
        self.fresh_worker(ctx);
        self.opening = Some(Origin::New);
        let name = "untitled.toml".to_owned();
        self.worker.order(Order::OpenText { name, text: NEW.to_owned(), edits: Vec::new() });
    }

    fn save(&mut self) {
        match &self.origin {
            Some(Origin::File(path)) => drop(self.worker.order(Order::Save(path.clone()))),
            Some(_) => self.ask_save(),
            None => {}
        }
    }

    fn ask_save(&mut self) {
        self.ask("toml", Purpose::Save);
    }

    /// Asks for a path; the scene's own with another ending is suggested.
    fn ask(&mut self, ending: &str, purpose: Purpose) {
        let path = match &self.origin {
            Some(Origin::File(path)) => path.clone(),
            Some(Origin::Example(index)) => PathBuf::from(EXAMPLES[*index].name),
            Some(Origin::New) => PathBuf::from("untitled"),
            _ => PathBuf::from("recovered"),
        };
        if self.motion.is_some() {
            let suggestion = path.with_extension(ending).display().to_string();
            self.question = Some(PathQuestion::new(suggestion, purpose));
        }
    }

    /// Writes the motion on the screen; one export at a time.
    fn export(&mut self, path: PathBuf, wishes: Wishes, ctx: &egui::Context) {
        let Some(motion) = self.motion.clone() else { return };
        if self.exporting.is_some() {
            self.messages.wrong("An export is under way; wait for it, or cancel it.");
            return;
        }
        match Format::of(&path) {
            Ok(format) => self.exporting = Some(Exporting::start(motion, path, wishes.options(format), ctx)),
            Err(error) => self.complain(error.to_string()),
        }
    }

    fn lose_changes(&mut self, go_on: bool, ctx: &egui::Context) {
        let waiting = self.waiting.take();
        if let Some(action) = waiting.filter(|_| go_on) {
            self.may_close = true;
            self.apply(action, ctx);
        }
    }

    fn recover(&mut self, index: usize, ctx: &egui::Context) {
        if index >= self.left.len() {
            return;
        }
        let left = self.left.remove(index);
        self.fresh_worker(ctx);
        let has_file = !left.origin.is_empty();
        self.opening = Some(if has_file { Origin::File(left.origin.clone().into()) } else { Origin::Recovered });
        let name = if has_file { left.origin.clone() } else { "recovered.toml".to_owned() };
        self.worker.order(Order::OpenText { name, text: left.text.clone(), edits: left.edits });
        let _ = std::fs::remove_dir_all(&left.folder);
    }

    fn discard(&mut self, index: usize) {
        if index < self.left.len() {
            let _ = std::fs::remove_dir_all(self.left.remove(index).folder);
        }
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

    fn take_turn(&mut self, turn: Turn, ctx: &egui::Context) {
        match (turn, &mut self.tour) {
            (Turn::Begin, _) => {
                // Opening the eggs begins it.
                self.tour_asked = true;
                if let Some(eggs) = tour::eggs() {
                    self.apply(Action::OpenExample(eggs), ctx);
                }
            }
            (Turn::On, Some(tour)) => drop(tour.on()),
            (Turn::Back, Some(tour)) => tour.back(),
            (Turn::End, _) => {
                self.tour = None;
                self.settings.tour_seen = true;
            }
            (_, None) => {}
        }
    }

    fn move_nail(&mut self, index: usize, place: Vec3) {
        let nail = self.motion.as_ref().and_then(|motion| moved_nail(motion.nails.get(index)?, place));
        if let Some(nail) = nail {
            (self.unmet, self.offer) = (None, None);
            self.worker.order(Order::MoveNail(index, Box::new(nail)));
        }
    }

    fn nail_inside(&mut self, offer: Offer) {
        let Some(motion) = self.motion.clone() else { return };
        let inside = Some(Inside::Body { body: motion.name(offer.container).to_owned() });
        let body = Some(motion.name(offer.body).to_owned());
        let nail = Nail { body, enabled: true, at: When::End, inside, ..Nail::default() };
        (self.unmet, self.offer) = (None, None);
        self.worker.order(Order::AddNail(Box::new(nail)));
    }

    pub(super) fn edit(&mut self, edit: Edit) {
        (self.unmet, self.offer) = (None, None);
        self.worker.order(Order::Edit(edit));
    }
}

fn is_dark(ctx: &egui::Context) -> bool {
    ctx.theme() == egui::Theme::Dark
}

fn step_to_event(view: &mut View, motion: &Arc<Motion>, forward: bool) {
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
            let at = motion.body_at(body, view.playhead).position;
            let far = path.states.iter().map(|state| (state.position - at).norm()).fold(0.0, f64::max);
            (at, 3.0 * motion.reach(body) + 0.25 * far)
        }
        None => {
            view.camera_goal = Some(view.camera.fitting(motion.ball.0, &motion.outline, view.aspect));
            return;
        }
    };
    view.camera_goal = Some(view.camera.framing(center, radius));
}
