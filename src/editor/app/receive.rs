//! Taking over what the worker has finished: new motions, outcomes of edits, refusals.

use eframe::egui;

use super::App;
use crate::editor::dialogs::tour;
use crate::editor::eye::view::View;
use crate::editor::panels::inspector::Drafts;
use crate::editor::work::desk::Origin;
use crate::editor::work::exporting::told;
use crate::editor::work::order::{Answer, Done};
use crate::export::ExportError;
use crate::session::Edit;
use crate::simulation::End;

impl App {
    /// Tells what came of an export that has ended.
    pub(super) fn receive_export(&mut self, now: f64) {
        let Some(result) = self.desk.exported() else { return };
        match result {
            Ok(summary) => {
                self.asking.served();
                self.messages.note(told(&summary), now);
            }
            Err(error @ ExportError::Cancelled) => self.messages.note(error.to_string(), now),
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Takes over every answer that has come in and is wanted.
    pub(super) fn receive(&mut self, now: f64) {
        for Answer { revision, edit, about_file, completes, broke, unkept, result, .. } in self.desk.answers() {
            match result {
                Err(refusal) if broke => self.broke(refusal.message),
                Ok(done) if completes => self.motion = Some(done.motion),
                Ok(done) => self.take_over(&done, revision, now),
                Err(refusal) if !refusal.outside.is_empty() => self.refused_outside(refusal.outside),
                Err(refusal) if about_file => self.refused_file(refusal.message),
                Err(refusal) => self.refused(edit, revision, refusal.message, now),
            }
            self.tell_unkept(unkept);
        }
    }

    /// Says once that a crash would lose what is done, and why.
    fn tell_unkept(&mut self, why: Option<String>) {
        if why.is_some() && self.unkept != why {
            let why_words = why.as_deref().unwrap_or_default();
            self.messages.wrong(format!("Your work is not kept for the case of a crash: {why_words}. Save it often."));
            self.unkept = why;
        }
    }

    /// A scene uses files of other folders, which a person may allow.
    fn refused_outside(&mut self, files: Vec<String>) {
        self.replaying.stop(&mut self.desk);
        self.desk.stay();
        self.asking.ask_outside(files);
    }

    fn take_over(&mut self, done: &Done, revision: u64, now: f64) {
        if self.desk.has_opened() {
            self.opened(done, now);
        }
        let before = self.motion.replace(done.motion.clone());
        if before.as_ref().is_some_and(|before| !before.has_bodies_of(&done.motion)) {
            self.grasp.drop_all(&mut self.desk);
            self.grasp.dismiss();
        }
        self.grasp.take_over(done, revision, now);
        self.ledger.take_report(done);
        if let Some(path) = &done.saved {
            self.desk.saved(path);
            self.kept.settings.remember(path);
            self.messages.note(format!("Saved {}", path.display()), now);
            self.asking.saved();
        }
        if let Some(path) = &done.journal {
            self.asking.served();
            self.messages.note(format!("Wrote the session to {}; opening it replays it", path.display()), now);
        }
        if let Some(name) = &done.body {
            self.view.selection = done.motion.model.body(name);
        }
        let count = done.motion.model.bodies().len();
        self.view.selection = self.view.selection.filter(|body| body.index() < count);
        self.view.scrub(self.view.playhead, done.motion.duration());
        match &done.edit {
            Some(Edit::Move { .. }) => {
                let changes = self.grasp.moved(done, revision, &mut self.desk);
                changes.into_iter().for_each(|changes| self.ledger.put(changes));
            }
            Some(Edit::Grab { .. }) | None => {}
            Some(edit) => {
                self.ledger.take_edit(edit, before.as_deref(), &done.motion);
                self.grasp.released(done, revision, &mut self.desk);
            }
        }
    }

    /// Another scene is on the screen: nothing of the one before is held, said or changed.
    fn opened(&mut self, done: &Done, now: f64) {
        let motion = &done.motion;
        let (layers, aspect) = (self.view.layers, self.view.aspect);
        let camera = View::default().camera.fitting(motion.ball.0, &motion.outline, aspect);
        self.view = View { camera, layers, aspect, unplaced: true, ..View::default() };
        self.messages.clear();
        self.ledger.clear();
        self.asking.served();
        self.drafts = Drafts::default();
        self.grasp.forget();
        let is_eggs = matches!(self.desk.origin(), Some(Origin::Example(index)) if Some(*index) == tour::eggs());
        if self.guide.opened(is_eggs, self.kept.is_tour_due()) {
            self.kept.settings.tour_seen = true;
        }
        if motion.trajectory.end != End::Horizon {
            self.messages.wrong(motion.trajectory.ending());
        } else if let Some(told) = motion.told().first() {
            self.messages.note(format!("{told}."), now);
        } else if motion.bodies().all(|body| motion.model.bodies()[body.index()].drive.never_moves()) {
            self.messages.note("Every body of this scene is fixed: nothing moves.", now);
        }
        if let Some(Origin::File(path)) = self.desk.origin() {
            self.kept.settings.remember(path);
        }
    }

    fn refused_file(&mut self, message: String) {
        self.replaying.stop(&mut self.desk);
        self.desk.stay();
        // Whoever wanted to save before going on is asked again, and goes on once that succeeds.
        self.complain(message);
        self.asking.not_saved();
    }

    /// A fault of the program broke an order off: nothing that was under way goes on.
    fn broke(&mut self, message: String) {
        self.asking.end_waiting();
        self.asking.served();
        self.replaying.stop(&mut self.desk);
        self.grasp.drop_all(&mut self.desk);
        self.desk.stay();
        self.messages.wrong(message);
    }

    fn refused(&mut self, edit: Option<Edit>, revision: u64, message: String, now: f64) {
        self.asking.end_waiting();
        self.replaying.stop(&mut self.desk);
        self.desk.stay();
        match edit {
            Some(Edit::Grab { .. }) => {
                self.grasp.refused_grab(revision);
                self.messages.note(message, now);
            }
            // These only repeat that the grab was refused.
            Some(Edit::Move { .. } | Edit::Release | Edit::Cancel) => self.grasp.refused_end(revision),
            Some(Edit::Undo | Edit::Redo) => self.messages.note(message, now),
            _ => self.messages.wrong(message),
        }
    }

    /// Shows the next edit of a journal that is being shown.
    pub(super) fn go_on_replaying(&mut self, now: f64, ctx: &egui::Context) {
        let Some(motion) = &self.motion else { return };
        let wake = |seconds| ctx.request_repaint_after_secs(seconds);
        if self.replaying.go_on(now, motion, &mut self.view, &mut self.desk, wake) {
            self.messages.note("The journal has been replayed.", now);
        }
    }
}
