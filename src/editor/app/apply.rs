//! The one place where wishes are carried out.

use std::path::{Path, PathBuf};

use eframe::egui;

use super::App;
use crate::editor::action::{Action, Turn};
use crate::editor::dialogs::open_dialog::{PathQuestion, Purpose};
use crate::editor::dialogs::tour;
use crate::editor::drag::held::Held;
use crate::editor::drag::nail_mark::moved_nail;
use crate::editor::drag::unmet::Offer;
use crate::editor::eye::navigation::axis_view;
use crate::editor::eye::view::View;
use crate::editor::panels::nails::when_here;
use crate::editor::work::autosave::{self, Left};
use crate::editor::work::desk::Origin;
use crate::editor::work::examples::EXAMPLES;
use crate::editor::work::exporting::{Exporting, Wishes};
use crate::editor::work::motion::Motion;
use crate::editor::work::order::Order;
use crate::export::Format;
use crate::files::Reach;
use crate::math::Vec3;
use crate::scene::{Components, Inside, Nail, When};
use crate::session::{Edit, Journal, JournalProblem};

/// A frame of the time line, s.
const FRAME: f64 = 1.0 / 60.0;
/// What a new scene begins with.
const NEW: &str = include_str!("new.toml");
/// Times closer than this are one event to a person stepping through them, s.
const SAME_EVENT: f64 = 1e-6;

impl App {
    pub(super) fn apply(&mut self, action: Action, ctx: &egui::Context) {
        let Some(action) = self.asking.hold_back(action, self.is_changed()) else { return };
        match action {
            Action::Gallery => self.motion = None,
            Action::New => self.open_text(Origin::New, "untitled.toml".to_owned(), NEW.to_owned(), ctx),
            Action::OpenExample(index) => self.open_example(index, ctx),
            Action::Open(path) => self.open_file(path, Reach::Folder, ctx),
            Action::OpenAnywhere(path) => self.open_file(path, Reach::Anywhere, ctx),
            Action::AllowOutside(allowed) => self.allow_outside(allowed, ctx),
            Action::AskOpen => self.asking.ask(PathQuestion::new(String::new(), Purpose::Open)),
            Action::Save => self.save(),
            Action::AskSave => self.ask_save(),
            Action::SaveTo(path) => drop(self.desk.order(Order::Save(path))),
            Action::AskJournal => self.ask("jsonl", Purpose::Journal),
            Action::SaveJournal(path) => drop(self.desk.order(Order::SaveJournal(path))),
            Action::AskExport => self.ask(Format::Glb.ending(), Purpose::Export(Wishes::new(is_dark(ctx)))),
            Action::Export(path, wishes) => self.export(path, wishes, ctx),
            Action::CancelExport => self.desk.exporting().into_iter().for_each(Exporting::cancel),
            Action::Tour(turn) => self.take_turn(turn, ctx),
            Action::SaveAndGoOn => {
                self.asking.save_first();
                self.save();
            }
            Action::LoseChanges(go_on) => self.lose_changes(go_on, ctx),
            Action::Recover(index) => self.recover(index, ctx),
            Action::DiscardRecovery(index) => self.discard(index),
            Action::Theme(theme) => {
                self.kept.settings.prefer(theme);
                ctx.set_theme(theme);
            }
            Action::Habit(habit) => self.kept.settings.habit = habit,
            Action::Layers(layers) => {
                self.view.layers = layers;
                self.kept.settings.layers = layers;
            }
            Action::ToggleShortcuts => self.shortcuts = !self.shortcuts,
            Action::DismissMessage(number) => self.messages.dismiss(number),
            Action::DismissMessages => self.messages.clear(),
            Action::Quit => {
                self.asking.allow();
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            other => self.apply_to_document(other),
        }
    }

    /// Wishes that change the document.
    fn apply_to_document(&mut self, action: Action) {
        match action {
            Action::Grab(held) => self.grab(held),
            Action::Reach(held) => self.grasp.reach(held, self.motion.as_deref(), &mut self.desk),
            Action::LetGo => self.grasp.let_go(&mut self.desk),
            Action::CancelGrab => self.grasp.cancel(&mut self.desk),
            // What takes long is ended before anything is dismissed.
            Action::Escape if self.desk.is_busy() => {
                self.desk.stop();
                self.replaying.stop(&mut self.desk);
            }
            Action::Edit(edit) => self.edit(edit),
            Action::Change(change) => drop(self.desk.order(Order::Change(change))),
            Action::NailHere => self.nail_here(),
            Action::MoveNail(index, place) => self.move_nail(index, place),
            Action::NailInside(offer) => self.nail_inside(offer),
            Action::DismissOffer => self.grasp.dismiss_offer(),
            Action::DismissUnmet => self.grasp.dismiss_unmet(),
            other => self.apply_to_unmet(other),
        }
    }

    /// Wishes that take up one that was left unmet.
    fn apply_to_unmet(&mut self, action: Action) {
        let Some(motion) = self.motion.clone() else { return };
        match action {
            Action::FreeAndTry(group) => self.grasp.free_and_try(group, &motion, &mut self.desk),
            Action::KeepTrying => self.grasp.keep_trying(&motion, &mut self.desk),
            Action::AimClear => self.grasp.aim_clear(&motion, &mut self.desk),
            Action::NailAnyway => {
                if let Some(nail) = self.grasp.nail_anyway(&motion) {
                    self.edit(Edit::Nail { nail: Some(Box::new(nail)), index: None });
                }
            }
            other => self.apply_to_view(other, &motion),
        }
    }

    /// Wishes that only concern looking.
    fn apply_to_view(&mut self, action: Action, motion: &Motion) {
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
            Action::PreviousEvent => step_to_event(view, motion, false),
            Action::NextEvent => step_to_event(view, motion, true),
            Action::FrameSelection => frame_selection(view, motion),
            Action::AxisView(key) => view.camera_goal = axis_view(&view.camera, key),
            // One thing at a time: the words first, then the selection.
            Action::Escape => {
                let dismissed = self.grasp.dismiss();
                view.selection = view.selection.filter(|_| dismissed);
            }
            _ => {}
        }
    }

    /// Opens a scene; nothing of the one before is held meanwhile, and it is gone on with where that fails.
    fn open(&mut self, origin: Origin, order: Order, ctx: &egui::Context) {
        self.desk.open(origin, order, ctx);
        self.replaying.forget();
        self.grasp.forget();
        self.asking.ask_again();
    }

    fn open_text(&mut self, origin: Origin, name: String, text: String, ctx: &egui::Context) {
        self.open(origin, Order::OpenText { name, text, reach: Reach::Folder, edits: Vec::new() }, ctx);
    }

    fn open_file(&mut self, path: PathBuf, reach: Reach, ctx: &egui::Context) {
        self.asking.opens(&path);
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            self.open_journal(&path, reach, ctx);
        } else {
            self.open(Origin::File(path.clone()), Order::OpenFile(path, reach), ctx);
        }
    }

    /// Opens the scene of a journal, and shows what was done to it.
    fn open_journal(&mut self, path: &Path, reach: Reach, ctx: &egui::Context) {
        let found = Journal::open(path).and_then(|journal| Ok((journal.scene_within(path, reach)?, journal.edits)));
        match found {
            Ok((scene, edits)) => {
                self.open(Origin::File(scene.clone()), Order::OpenFile(scene, reach), ctx);
                self.motion = None;
                self.replaying.begin(edits);
            }
            Err(error) => {
                self.asking.ask_again();
                match error.problem {
                    JournalProblem::LeadsOutside { scene } => self.asking.ask_outside(vec![scene]),
                    _ => self.complain(error.to_string()),
                }
            }
        }
    }

    /// Takes up what was being opened, where files of other folders may be read.
    fn allow_outside(&mut self, allowed: bool, ctx: &egui::Context) {
        if let Some(action) = self.asking.allow_outside(allowed) {
            self.apply(action, ctx);
        }
    }

    fn open_example(&mut self, index: usize, ctx: &egui::Context) {
        let Some(example) = EXAMPLES.get(index) else { return };
        let name = format!("{}.toml", example.name);
        self.open_text(Origin::Example(index), name, example.text.to_owned(), ctx);
    }

    fn save(&mut self) {
        match self.desk.origin().cloned() {
            Some(Origin::File(path)) => drop(self.desk.order(Order::Save(path))),
            Some(_) => self.ask_save(),
            None => {}
        }
    }

    fn ask_save(&mut self) {
        self.ask("toml", Purpose::Save);
    }

    /// Asks for a path; the scene's own with another ending is suggested.
    fn ask(&mut self, ending: &str, purpose: Purpose) {
        let path = match self.desk.origin() {
            Some(Origin::File(path)) => path.clone(),
            Some(Origin::Example(index)) => PathBuf::from(EXAMPLES[*index].name),
            Some(Origin::New) => PathBuf::from("untitled"),
            _ => PathBuf::from("recovered"),
        };
        if self.motion.is_some() {
            let suggestion = path.with_extension(ending).display().to_string();
            self.asking.ask(PathQuestion::new(suggestion, purpose));
        }
    }

    /// Writes the motion on the screen; one export at a time.
    fn export(&mut self, path: PathBuf, wishes: Wishes, ctx: &egui::Context) {
        let Some(motion) = self.motion.clone() else { return };
        if self.desk.exporting().is_some() {
            self.messages.wrong("An export is under way; wait for it, or cancel it.");
            return;
        }
        if let Err(error) = self.desk.export(motion, path, wishes, ctx) {
            self.complain(error.to_string());
        }
    }

    fn lose_changes(&mut self, go_on: bool, ctx: &egui::Context) {
        if let Some(action) = self.asking.lose_changes(go_on) {
            self.apply(action, ctx);
        }
    }

    /// Takes up what a crash left behind.
    fn recover(&mut self, index: usize, ctx: &egui::Context) {
        let Some(Left { folder, text, edits, origin }) = self.asking.take_left(index) else { return };
        let (from, name) = if origin.is_empty() {
            (Origin::Recovered, "recovered.toml".to_owned())
        } else {
            (Origin::File(origin.clone().into()), origin)
        };
        // It was open: what it names was allowed then.
        self.open(from, Order::OpenText { name, text, reach: Reach::Anywhere, edits }, ctx);
        autosave::forget(&folder);
    }

    fn discard(&mut self, index: usize) {
        if let Some(left) = self.asking.take_left(index) {
            autosave::forget(&left.folder);
        }
    }

    fn take_turn(&mut self, turn: Turn, ctx: &egui::Context) {
        self.guide.turn(turn);
        match turn {
            Turn::Begin => {
                self.guide.ask();
                if let Some(eggs) = tour::eggs() {
                    self.apply(Action::OpenExample(eggs), ctx);
                }
            }
            Turn::End => self.kept.settings.tour_seen = true,
            Turn::On | Turn::Back => {}
        }
    }

    fn grab(&mut self, held: Held) {
        let Some(motion) = self.motion.clone() else { return };
        self.replaying.stop(&mut self.desk);
        self.view.playing = false;
        self.view.selection = Some(held.body);
        self.view.scrub(held.t, motion.duration());
        self.grasp.grab(held, &motion, &mut self.desk);
    }

    fn nail_here(&mut self) {
        let (Some(motion), Some(body)) = (self.motion.clone(), self.view.selection) else { return };
        if motion.model.bodies()[body.index()].drive.never_moves() {
            return;
        }
        let state = motion.body_at(body, self.view.playhead);
        let nail = Nail {
            body: Some(motion.name(body).to_owned()),
            enabled: true,
            at: when_here(&self.view, &motion, body),
            position: Some(Components::all(state.position.into())),
            ..Nail::default()
        };
        self.edit(Edit::Nail { nail: Some(Box::new(nail)), index: None });
    }

    fn move_nail(&mut self, index: usize, place: Vec3) {
        let nail = self.motion.as_ref().and_then(|motion| moved_nail(motion.nails.get(index)?, place));
        if let Some(nail) = nail {
            self.grasp.dismiss();
            self.desk.order(Order::MoveNail(index, Box::new(nail)));
        }
    }

    fn nail_inside(&mut self, offer: Offer) {
        let Some(motion) = self.motion.clone() else { return };
        let inside = Some(Inside::Body { body: motion.name(offer.container).to_owned() });
        let body = Some(motion.name(offer.body).to_owned());
        let nail = Nail { body, enabled: true, at: When::End, inside, ..Nail::default() };
        self.grasp.dismiss();
        self.desk.order(Order::AddNail(Box::new(nail)));
    }
}

fn is_dark(ctx: &egui::Context) -> bool {
    ctx.theme() == egui::Theme::Dark
}

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
