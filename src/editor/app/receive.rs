//! Taking over what the worker has finished: new motions, outcomes of edits, refusals.

use eframe::egui;

use super::window::{App, Origin};
use crate::editor::dialogs::tour::{self, Tour};
use crate::editor::drag::obstacle::Obstacle;
use crate::editor::drag::pulling::Drag;
use crate::editor::drag::unmet::{Offer, Unmet};
use crate::editor::eye::view::View;
use crate::editor::panels::inspector::Drafts;
use crate::editor::view::scenery::Flash;
use crate::editor::work::exporting::{Exporting, told};
use crate::editor::work::motion::Mark;
use crate::editor::work::order::{Answer, Done, Order};
use crate::export::ExportError;
use crate::session::{Edit, ParameterChange, Quantity};
use crate::simulation::End;
use crate::solve::{Report, Verdict};

/// How often a wish is moved out of what is in the way before a person is asked again.
const MOST_AIMS: u32 = 5;
/// Seconds between two edits of a journal that is shown.
const REPLAY_PACE: f64 = 0.03;
/// Longer before a grab and after a release, so that one sees what happens.
const REPLAY_PAUSE: f64 = 0.5;

impl App {
    /// Tells what came of an export that has ended.
    pub(super) fn receive_export(&mut self, now: f64) {
        let Some(result) = self.exporting.as_ref().and_then(Exporting::ended) else { return };
        self.exporting = None;
        match result {
            Ok(summary) => {
                self.answered = None;
                self.messages.note(told(&summary), now);
            }
            Err(error @ ExportError::Cancelled) => self.messages.note(error.to_string(), now),
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Takes over every answer that has come in and is not stale.
    pub(super) fn receive(&mut self, now: f64) {
        for Answer { revision, edit, about_file, completes, follows, broke, result } in self.worker.answers() {
            match result {
                Err(message) if broke => self.broke(message),
                _ if self.stale.contains(&revision) => {}
                Ok(done) if completes => self.motion = Some(done.motion),
                Ok(done) => {
                    if follows {
                        self.followed = (self.followed.0 + 1, done.solving);
                    }
                    self.take_over(done, revision, now);
                }
                Err(message) if about_file => self.refused_file(message),
                Err(message) => self.refused(edit, revision, message, now),
            }
        }
    }

    fn take_over(&mut self, done: Done, revision: u64, now: f64) {
        if let Some(origin) = self.opening.take() {
            self.set_aside = None;
            self.opened(&done, origin, now);
        }
        let before = self.motion.replace(done.motion.clone());
        if before.as_ref().is_some_and(|before| !before.has_bodies_of(&done.motion)) {
            self.drop_grab();
            (self.unmet, self.offer) = (None, None);
        }
        // What was asked for before a grab, it begins from.
        if let Some(drag) = self.drag.as_mut().filter(|drag| revision < drag.begun) {
            drag.before = done.motion.clone();
        }
        if let (Some(group), Some(unmet)) = (&done.freeing, &mut self.unmet) {
            unmet.freeing = Some(group.clone());
        }
        self.point_at_jump(&done, now);
        if let Some(report) = done.outcome.as_ref().and_then(|outcome| outcome.report.as_ref()) {
            self.solver = solver_words(report, &done);
        }
        if let Some(path) = &done.saved {
            self.origin = Some(Origin::File(path.clone()));
            self.settings.remember(path);
            self.messages.note(format!("Saved {}", path.display()), now);
            self.go_on = self.after_save.take();
            self.answered = None;
        }
        if let Some(path) = &done.journal {
            self.answered = None;
            self.messages.note(format!("Wrote the session to {}; opening it replays it", path.display()), now);
        }
        if let Some(name) = &done.body {
            self.view.selection = done.motion.model.body(name);
        }
        let count = done.motion.model.bodies().len();
        self.view.selection = self.view.selection.filter(|body| body.index() < count);
        self.view.scrub(self.view.playhead, done.motion.duration());
        match &done.edit {
            Some(Edit::Move { .. }) => self.moved(&done, revision),
            Some(Edit::Grab { .. }) | None => {}
            Some(_) => {
                if done.edit == Some(Edit::Undo) {
                    // What was taken back is not what changed.
                    self.changes.clear();
                    self.solver.clear();
                } else if let Some(before) = before.filter(|_| done.edit != Some(Edit::Release)) {
                    let changes =
                        ParameterChange::between((&before.model, &before.u), (&done.motion.model, &done.motion.u));
                    if !changes.is_empty() {
                        self.changes = changes;
                    }
                }
                self.released(&done, revision);
            }
        }
    }

    /// The tour begins where it was asked for, and by itself the first time the eggs are opened from the gallery, if someone keeps
    /// settings.
    fn begin_tour_once(&mut self) {
        let is_first = !self.settings.tour_seen && self.start.folder.is_some();
        if std::mem::take(&mut self.tour_asked) || is_first {
            self.settings.tour_seen = true;
            self.tour = Some(Tour::default());
        }
    }

    fn opened(&mut self, done: &Done, origin: Origin, now: f64) {
        let motion = &done.motion;
        let (layers, aspect) = (self.view.layers, self.view.aspect);
        let camera = View::default().camera.fitting(motion.ball.0, &motion.outline, aspect);
        self.view = View { camera, layers, aspect, unplaced: true, ..View::default() };
        self.messages.clear();
        self.changes.clear();
        self.solver.clear();
        (self.offer, self.flash) = (None, None);
        if matches!(origin, Origin::Example(index) if Some(index) == tour::eggs()) {
            self.begin_tour_once();
        } else {
            self.tour = None;
        }
        self.answered = None;
        self.drafts = Drafts::default();
        self.hands.forget();
        (self.drag, self.unmet) = (None, None);
        if motion.trajectory.end != End::Horizon {
            self.messages.wrong(motion.trajectory.end.to_string());
        } else if motion.bodies().all(|body| motion.model.bodies()[body.index()].fixed) {
            self.messages.note("Every body of this scene is fixed: nothing moves.", now);
        }
        if let Origin::File(path) = &origin {
            self.settings.remember(path);
        }
        self.origin = Some(origin);
    }

    /// A step of a drag: the wish may need more steps, though the hand keeps still.
    fn moved(&mut self, done: &Done, revision: u64) {
        let Some(drag) = self.drag.as_mut().filter(|drag| revision > drag.begun) else { return };
        let (before, after) = (&drag.before, &done.motion);
        self.changes = ParameterChange::between((&before.model, &before.u), (&after.model, &after.u));
        let report = done.outcome.as_ref().and_then(|outcome| outcome.report.clone());
        if let Some(report) = report
            && drag.take(report)
            && drag.ends.is_none()
            && !self.worker.is_busy()
        {
            self.worker.order(Order::Search(drag.pull()));
        }
    }

    /// The end of a drag: what was not met is said.
    fn released(&mut self, done: &Done, revision: u64) {
        let Some(drag) = self.drag.take_if(|drag| drag.ends == Some(revision)) else { return };
        let report = done.outcome.as_ref().and_then(|outcome| outcome.report.clone()).or(drag.report.clone());
        let container = drag.held.over.filter(|_| drag.held.what == Quantity::Position);
        self.offer = container.map(|container| Offer { body: drag.held.body, container });
        if let Some(report) = report.filter(|report| report.verdict != Verdict::Met) {
            let (grab, pull) = (drag.grab(), drag.pull());
            let stepped = drag.joins || done.motion.depth.0 > drag.before.depth.0;
            // As the body is turned by now.
            let obstacle = Obstacle::of(&drag.held, &done.motion);
            let Drag { held, at, aims, .. } = drag;
            let unmet = Unmet { held, at, report, freeing: None, obstacle, aims, stepped };
            // No parameter makes two bodies share a place.
            if unmet.report.verdict != Verdict::Unfinished && unmet.obstacle.is_none() {
                let groups = unmet.locked(&done.motion);
                self.worker.order(Order::TryLocks { grab, pull, groups });
            }
            self.unmet = Some(unmet);
            // On its way the body may have turned, so that it needs more room.
            if (1..MOST_AIMS).contains(&aims) {
                self.aim_clear();
            }
        }
    }

    /// Where samples led over a discontinuity, the event that changed is pointed at.
    fn point_at_jump(&mut self, done: &Done, now: f64) {
        let report = done.outcome.as_ref().and_then(|outcome| outcome.report.as_ref());
        let Some(jump) = report.and_then(|report| report.jumps.last()) else { return };
        let model = &done.motion.model;
        let of_pair = |mark: &&Mark| mark.bodies == [jump.pair.first, jump.pair.second];
        let near = |mark: &Mark| (mark.t - jump.t).abs();
        let mark = done.motion.marks.iter().filter(of_pair).min_by(|a, b| near(a).total_cmp(&near(b)));
        // An impact that is gone is pointed at where it would be.
        let gone = || done.motion.body_at(jump.pair.first, jump.t).position;
        let place = mark.and_then(|mark| mark.place).unwrap_or_else(gone);
        self.flash = Some(Flash { place, words: format!("jumped at {}", jump.shown(model)), since: now });
    }

    /// Says what is wrong with a file where its path was asked for: what was typed is still there.
    pub(super) fn complain(&mut self, message: String) {
        match self.answered.take() {
            Some(question) if self.question.is_none() => self.question = Some(question.with_complaint(message)),
            _ => self.messages.wrong(message),
        }
    }

    fn refused_file(&mut self, message: String) {
        self.stop_replay();
        self.stay();
        // Whoever wanted to save before going on is asked again, and goes on once that succeeds.
        self.complain(message);
        if self.question.is_none() {
            self.after_save = None;
        }
    }

    /// A fault of the program broke an order off: nothing that was under way goes on.
    fn broke(&mut self, message: String) {
        (self.after_save, self.answered) = (None, None);
        self.stop_replay();
        self.drop_grab();
        self.stay();
        self.messages.wrong(message);
    }

    /// Where another scene could not be opened, the one before is gone on with.
    fn stay(&mut self) {
        if self.opening.take().is_some()
            && let Some(before) = self.set_aside.take()
        {
            self.worker = before;
        }
    }

    fn refused(&mut self, edit: Option<Edit>, revision: u64, message: String, now: f64) {
        self.after_save = None;
        self.stop_replay();
        self.stay();
        match edit {
            Some(Edit::Grab { .. }) => {
                // Another drag may have begun meanwhile.
                if self.drag.take_if(|drag| drag.begun == revision).is_some() {
                    self.hands.forget();
                }
                self.messages.note(message, now);
            }
            // These only repeat that the grab was refused.
            Some(Edit::Move { .. } | Edit::Release | Edit::Cancel) => {
                self.drag.take_if(|drag| drag.ends == Some(revision));
            }
            Some(Edit::Undo | Edit::Redo) => self.messages.note(message, now),
            _ => self.messages.wrong(message),
        }
    }

    /// Ends a journal that is being shown; what it holds it lets go of.
    pub(super) fn stop_replay(&mut self) {
        if !self.replay.is_empty() {
            self.replay.clear();
            self.worker.order(Order::Edit(Edit::Release));
        }
    }

    /// Shows a journal edit by edit, at a pace that can be watched.
    pub(super) fn go_on_replaying(&mut self, now: f64, ctx: &egui::Context) {
        if self.replay.is_empty() || self.motion.is_none() {
            return;
        }
        ctx.request_repaint_after_secs(REPLAY_PACE as f32);
        if self.worker.is_busy() || now < self.replay_due {
            return;
        }
        let Some(edit) = self.replay.pop_front() else { return };
        let pause = matches!(edit, Edit::Grab { .. } | Edit::Release | Edit::Solve { .. });
        self.replay_due = now + if pause { REPLAY_PAUSE } else { REPLAY_PACE };
        if let (Edit::Grab { body, at: crate::scene::When::Time(t), .. }, Some(motion)) = (&edit, &self.motion) {
            self.view.selection = motion.model.body(body);
            self.view.playing = false;
            self.view.scrub(*t, motion.duration());
        }
        let holds = matches!(edit, Edit::Grab { .. } | Edit::Move { .. });
        self.worker.order(Order::Exactly(edit));
        if self.replay.is_empty() {
            // A journal that was cut short in the middle of a drag leaves nothing in the hand.
            if holds {
                self.worker.order(Order::Edit(Edit::Release));
            }
            self.messages.note("The journal has been replayed.", now);
        }
    }
}

/// How a solve went: `met · 4 iterations, 6 simulations · 3.1 ms`.
fn solver_words(report: &Report, done: &Done) -> String {
    let Report { verdict, iterations, simulations, jumps, .. } = report;
    let milliseconds = done.solving.as_secs_f64() * 1e3;
    let jumped = if jumps.is_empty() { String::new() } else { format!(" · {} jumps", jumps.len()) };
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    format!(
        "Solver: {} · {iterations} iteration{}, {simulations} simulation{}{jumped} · {milliseconds:.1} ms",
        verdict.shown(&done.motion.model),
        plural(*iterations),
        plural(*simulations),
    )
}
