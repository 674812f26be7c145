//! Editing as data: every change a person makes is an [`Edit`]; a journal of them replays to the same bits.
//!
//! ```text
//! Scene ──▶ Session { scene, model, u, motion, nails } ◀── apply(Edit) ──▶ Outcome
//!                       │            ▲
//!                       └─ history ──┘  undo and redo; a drag from grab to release is one step
//! ```
//!
//! A session is plain data: it can be cloned, and sent to another thread, which is how the editor keeps its window alive. Moves carry
//! the target that was solved and the iterations that were made, so that a replay never reads a clock. A move follows the
//! motion only as far as wishes look; letting go computes the rest. The scene file is
//! untouched until it is saved; then solved values go into the bodies' fields, and the session goes on from what was written.

mod edit;
mod error;
mod journal;
mod outcome;
mod save;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use crate::files::Reach;
use crate::goal::{Goal, Reading};
use crate::math::rotation;
use crate::model::{ControlVector, Model};
use crate::scene::{Components, Control, Nail, Scene, When};
use crate::simulation::{Trajectory, simulate};
use crate::solve::{GoOn, GoalReport, Point, Report, Settings, Wishes, solve};

pub use edit::{Edit, Quantity};
pub use error::{EditError, OpenError};
pub use journal::{Journal, JournalError, JournalProblem};
pub use outcome::{Outcome, ParameterChange, Result as EditResult};

/// A document and its history.
#[derive(Clone, Debug)]
pub struct Session {
    state: Snapshot,
    goals: Vec<Goal>,
    grabbed: Option<Grabbed>,
    past: Vec<Snapshot>,
    future: Vec<Snapshot>,
    journal: Vec<Edit>,
}

/// Everything that undo brings back.
#[derive(Clone, Debug)]
struct Snapshot {
    /// As read from its text.
    scene: Arc<Scene>,
    /// Those of the text, and after them what edits added.
    controls: Vec<Control>,
    nails: Vec<Nail>,
    model: Arc<Model>,
    u: ControlVector,
    trajectory: Arc<Trajectory>,
}

/// What the hand holds.
#[derive(Clone, Debug)]
struct Grabbed {
    body: String,
    at: When,
    point: Option<[f64; 3]>,
    what: Quantity,
    before: Snapshot,
}

impl Session {
    /// Opens a scene file.
    pub fn open(path: impl AsRef<Path>) -> Result<Session, OpenError> {
        Session::open_reaching(path, Reach::Folder)
    }

    /// The same, where files of other folders may be read too.
    pub fn open_reaching(path: impl AsRef<Path>, reach: Reach) -> Result<Session, OpenError> {
        Session::new(Scene::open_reaching(path, reach, |_| {})?)
    }

    /// Starts from a scene: simulates it and makes its nails ready.
    pub fn new(scene: Scene) -> Result<Session, OpenError> {
        let (state, goals) = Snapshot::new(scene)?;
        Ok(Session { state, goals, grabbed: None, past: Vec::new(), future: Vec::new(), journal: Vec::new() })
    }

    /// The scene as it was read.
    pub fn scene(&self) -> &Scene {
        &self.state.scene
    }

    /// Parameters by name, with their freedom.
    pub fn model(&self) -> &Arc<Model> {
        &self.state.model
    }

    /// The control vector.
    pub fn u(&self) -> &ControlVector {
        &self.state.u
    }

    /// The motion; in the middle of a drag only as far as its wishes look.
    pub fn trajectory(&self) -> &Arc<Trajectory> {
        &self.state.trajectory
    }

    /// Whether the motion is known to its end.
    pub fn is_whole(&self) -> bool {
        self.state.trajectory.is_whole(&self.state.model)
    }

    /// The motion to its end, in the middle of a drag too.
    pub fn whole_trajectory(&self) -> Arc<Trajectory> {
        let Snapshot { model, u, trajectory, .. } = &self.state;
        if self.is_whole() { trajectory.clone() } else { Arc::new(simulate(model, u)) }
    }

    /// Takes over the whole of the motion that is on the table, where somebody has computed it beside; of another it is left.
    pub fn take_whole(&mut self, model: &Arc<Model>, u: &ControlVector, whole: &Arc<Trajectory>) {
        if Arc::ptr_eq(model, &self.state.model) && *u == self.state.u && whole.is_whole(model) {
            self.state.trajectory = whole.clone();
        }
    }

    /// Computes what the moves of a drag have left out.
    fn finish_motion(&mut self) {
        if !self.is_whole() {
            self.run(&self.state.model.clone(), &self.state.u.clone());
        }
    }

    /// All nails, in order.
    pub fn nails(&self) -> &[Nail] {
        &self.state.nails
    }

    /// How each nail stands on the motion.
    pub fn nail_reports(&self) -> Vec<GoalReport> {
        let Snapshot { model, u, trajectory, .. } = &self.state;
        self.goals.iter().map(|goal| GoalReport::with_advice(goal, &goal.read(model, u, trajectory), model)).collect()
    }

    /// Whether something is in hand.
    pub fn is_grabbing(&self) -> bool {
        self.grabbed.is_some()
    }

    /// Whether there is a step to undo, and nothing in hand.
    pub fn can_undo(&self) -> bool {
        self.grabbed.is_none() && !self.past.is_empty()
    }

    /// Whether there is a step to redo, and nothing in hand.
    pub fn can_redo(&self) -> bool {
        self.grabbed.is_none() && !self.future.is_empty()
    }

    /// How many steps can be undone and redone.
    pub fn depth(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// Every edit so far, in order; the journal's lines.
    pub fn journal(&self) -> &[Edit] {
        &self.journal
    }

    /// Applies one edit.
    pub fn apply(&mut self, edit: Edit) -> EditResult {
        self.apply_while(edit, &|_| true)
    }

    /// Applies one edit; a solve stops where `go_on` says no, and the journal holds how many iterations
    /// were made.
    pub fn apply_while(&mut self, edit: Edit, go_on: GoOn) -> EditResult {
        self.record(|session| session.perform(edit, go_on))
    }

    /// Meets the nails with settings of one's own, while `go_on` says yes. The journal has it as a solve with the usual ones and
    /// the iterations that were made.
    pub fn solve_while(&mut self, settings: &Settings, go_on: GoOn) -> EditResult {
        if self.grabbed.is_some() {
            return Err(EditError::StillGrabbing);
        }
        self.record(|session| {
            let report = session.meet_nails(settings, go_on);
            let done = Edit::Solve { iterations: report.iterations, seed: settings.seed };
            Ok((done, Outcome { report: Some(report), nails: session.nail_reports(), ..Outcome::default() }))
        })
    }

    /// Writes down what was done, and what it changed.
    fn record(&mut self, act: impl FnOnce(&mut Session) -> Result<(Edit, Outcome), EditError>) -> EditResult {
        let before = self.state.clone();
        let (edit, mut outcome) = act(self)?;
        outcome.changes = ParameterChange::between((&before.model, &before.u), (&self.state.model, &self.state.u));
        self.journal.push(edit);
        Ok(outcome)
    }

    fn perform(&mut self, edit: Edit, go_on: GoOn) -> Result<(Edit, Outcome), EditError> {
        if self.grabbed.is_some() && !edit.fits_a_grab() {
            return Err(EditError::StillGrabbing);
        }
        let mut outcome = Outcome::default();
        let mut done = edit.clone();
        match edit {
            Edit::Grab { body, at, point, what } => outcome = self.grab(body, at, point, what)?,
            Edit::Move { target, iterations, seed } => {
                let settings = Settings { iterations, seed, whole: false, ..Settings::default() };
                let report = self.pull(target, &settings, go_on)?;
                done = Edit::Move { target, iterations: report.iterations, seed };
                outcome.report = Some(report);
            }
            Edit::Release => {
                let before = self.grabbed.as_ref().ok_or(EditError::NothingGrabbed)?.before.clone();
                // A drag that led nowhere is no step: there is nothing to undo, and what could be redone still can.
                if self.state.u == before.u {
                    self.state = before;
                } else {
                    // Computed before anything is let go, so that a drag whose end cannot be computed can be cancelled.
                    self.finish_motion();
                    self.remember(before);
                }
                self.grabbed = None;
            }
            Edit::Cancel => self.state = self.grabbed.take().ok_or(EditError::NothingGrabbed)?.before,
            Edit::Nail { nail, index } => self.nail(nail.map(|nail| *nail), index)?,
            Edit::Solve { iterations, seed } => {
                let report = self.meet_nails(&Settings { iterations, seed, ..Settings::default() }, go_on);
                done = Edit::Solve { iterations: report.iterations, seed };
                outcome.report = Some(report);
            }
            Edit::Set { parameter, value } => self.set(&parameter, value)?,
            Edit::Free { parameter, weight, bounds, rest } => {
                self.control(Control { parameter, free: Some(true), weight, bounds, value: None, rest })?;
            }
            Edit::Lock { parameter } => {
                let control =
                    Control { parameter, free: Some(false), weight: None, bounds: None, value: None, rest: None };
                self.control(control)?;
            }
            Edit::Control { parameter, free, weight, bounds, rest } => {
                self.control(Control { parameter, free, weight, bounds, value: None, rest })?;
            }
            Edit::Text { text } => self.rewrite(&text)?,
            Edit::Undo => self.undo()?,
            Edit::Redo => self.redo()?,
        }
        outcome.nails = self.nail_reports();
        Ok((done, outcome))
    }

    fn remember(&mut self, before: Snapshot) {
        self.past.push(before);
        self.future.clear();
    }

    fn grab(&mut self, body: String, at: When, point: Option<[f64; 3]>, what: Quantity) -> EditResult {
        if self.grabbed.is_some() {
            return Err(EditError::StillGrabbing);
        }
        let grabbed = Grabbed { body, at, point, what, before: self.state.clone() };
        let Snapshot { model, u, trajectory, .. } = &self.state;
        let goal = grabbed.goal(model, [0.0; 3])?;
        let Reading::Read(instant, _) = goal.read(model, u, trajectory) else {
            return Err(EditError::NotThere { reason: missing(&goal, model, u, trajectory) });
        };
        let body = model.body(&grabbed.body).ok_or(EditError::NothingGrabbed)?;
        let state = instant.state(trajectory, body);
        let arm = state.rotation * crate::math::Vec3::from(point.unwrap_or_default());
        let value = match what {
            Quantity::Position => state.position + arm,
            Quantity::Rotation => rotation::log(&state.rotation),
            Quantity::Velocity => state.velocity + state.spin.cross(&arm),
            Quantity::Spin => state.spin,
        };
        self.grabbed = Some(grabbed);
        Ok(Outcome { grabbed: Some((instant.t(), value.into())), ..Outcome::default() })
    }

    /// Drags what is in hand towards a target.
    fn pull(&mut self, target: [f64; 3], settings: &Settings, go_on: GoOn) -> Result<Report, EditError> {
        if target.iter().any(|entry| !entry.is_finite()) {
            return Err(EditError::NotFinite);
        }
        let grabbed = self.grabbed.as_ref().ok_or(EditError::NothingGrabbed)?;
        let goal = grabbed.goal(&self.state.model, target)?;
        Ok(self.meet(Some(&goal), settings, go_on))
    }

    /// Changes u to meet the nails, as one step.
    fn meet_nails(&mut self, settings: &Settings, go_on: GoOn) -> Report {
        let before = self.state.clone();
        let report = self.meet(None, settings, go_on);
        self.remember(before);
        report
    }

    /// Changes u to meet the nails, and the drag.
    fn meet(&mut self, drag: Option<&Goal>, settings: &Settings, go_on: GoOn) -> Report {
        let wishes = Wishes { nails: &self.goals, drag };
        let Snapshot { model, u, trajectory, .. } = &self.state;
        let start = Point::of(model.clone(), u.clone(), trajectory.clone(), wishes);
        let (end, report) = solve(start, wishes, settings, go_on);
        (self.state.model, self.state.u, self.state.trajectory) = (end.model, end.u, end.trajectory);
        report
    }

    /// Adds, replaces or removes a nail.
    fn nail(&mut self, nail: Option<Nail>, index: Option<usize>) -> Result<(), EditError> {
        let mut nails = self.state.nails.clone();
        if let Some(index) = index
            && index >= nails.len()
        {
            return Err(EditError::NoSuchNail { index, count: nails.len() });
        }
        match (nail, index) {
            (Some(nail), Some(index)) => nails[index] = nail,
            (Some(nail), None) => nails.push(nail),
            (None, Some(index)) => drop(nails.remove(index)),
            (None, None) => return Err(EditError::EmptyNail),
        }
        self.goals = Goal::of_nails(&self.state.model, &nails)?;
        let before = self.state.clone();
        self.state.nails = nails;
        self.remember(before);
        Ok(())
    }

    fn set(&mut self, parameter: &str, value: f64) -> Result<(), EditError> {
        let mut u = self.state.u.clone();
        self.state.model.set(&mut u, parameter, value)?;
        let before = self.state.clone();
        self.run(&self.state.model.clone(), &u);
        self.remember(before);
        Ok(())
    }

    /// Applies a control as if it stood at the end of the file.
    fn control(&mut self, control: Control) -> Result<(), EditError> {
        let mut controls = self.state.controls.clone();
        controls.push(control);
        let described = Scene { controls: controls.clone(), ..Scene::clone(&self.state.scene) };
        let model = Model::new(&described).map_err(|errors| EditError::Control { reason: errors.to_string() })?;
        let u = model.adopt(&self.state.model, &self.state.u);
        let before = self.state.clone();
        // A lock, a weight or a bound changes nothing that moves.
        if u == self.state.u && same_parameters(&model, &self.state.model) {
            self.state.model = Arc::new(model);
        } else {
            self.run(&Arc::new(model), &u);
        }
        self.state.controls = controls;
        self.remember(before);
        Ok(())
    }

    /// Takes another text for the whole scene: bodies added or renamed, another duration.
    fn rewrite(&mut self, text: &str) -> Result<(), EditError> {
        let refused = |error: OpenError| EditError::Text { reason: error.to_string() };
        let path = self.state.scene.source.path().to_owned();
        let reach = self.state.scene.source.reach();
        let scene = Scene::parse_reaching(text, &path, reach).map_err(|error| refused(error.into()))?;
        let (state, goals) = Snapshot::new(scene).map_err(refused)?;
        let before = std::mem::replace(&mut self.state, state);
        self.goals = goals;
        self.remember(before);
        Ok(())
    }

    fn run(&mut self, model: &Arc<Model>, u: &ControlVector) {
        let point = Point::new(model, u, Wishes { nails: &[], drag: None });
        (self.state.model, self.state.u, self.state.trajectory) = (point.model, point.u, point.trajectory);
    }

    fn undo(&mut self) -> Result<(), EditError> {
        let state = self.past.pop().ok_or(EditError::NothingToUndo)?;
        self.future.push(std::mem::replace(&mut self.state, state));
        self.goals = Goal::of_nails(&self.state.model, &self.state.nails)?;
        Ok(())
    }

    fn redo(&mut self) -> Result<(), EditError> {
        let state = self.future.pop().ok_or(EditError::NothingToRedo)?;
        self.past.push(std::mem::replace(&mut self.state, state));
        self.goals = Goal::of_nails(&self.state.model, &self.state.nails)?;
        Ok(())
    }
}

impl Snapshot {
    fn new(scene: Scene) -> Result<(Snapshot, Vec<Goal>), OpenError> {
        let model = Model::new(&scene).map_err(|errors| OpenError::Model(errors.in_file(&scene.source)))?;
        let goals = Goal::of_nails(&model, &scene.nails);
        let goals = goals.map_err(|errors| OpenError::Goal(errors.in_file(&scene.source)))?;
        let model = Arc::new(model);
        let Point { model, u, trajectory, .. } =
            Point::new(&model, &model.control(), Wishes { nails: &[], drag: None });
        let (controls, nails) = (scene.controls.clone(), scene.nails.clone());
        Ok((Snapshot { scene: Arc::new(scene), controls, nails, model, u, trajectory }, goals))
    }
}

impl Grabbed {
    /// The wish that the hand is at the target.
    fn goal(&self, model: &Model, target: [f64; 3]) -> Result<Goal, EditError> {
        let wish = |quantity: Quantity| (self.what == quantity).then_some(Components::all(target));
        let nail = Nail {
            name: Some("drag".to_owned()),
            body: Some(self.body.clone()),
            enabled: true,
            at: self.at.clone(),
            point: self.point,
            position: wish(Quantity::Position),
            rotation: wish(Quantity::Rotation),
            velocity: wish(Quantity::Velocity),
            spin: wish(Quantity::Spin),
            ..Nail::default()
        };
        Goal::new(model, &nail, 0).map_err(|error| EditError::Grab { reason: error.to_string() })
    }
}

/// Whether two models have the same entries of u, whoever may change them, and neither asks for those of further impacts.
fn same_parameters(one: &Model, other: &Model) -> bool {
    let roles = |model: &Model| model.parameters().iter().map(|parameter| parameter.role).collect::<Vec<_>>();
    roles(one) == roles(other) && one.pairs_followed() == other.pairs_followed()
}

fn missing(goal: &Goal, model: &Model, u: &ControlVector, trajectory: &Trajectory) -> String {
    match goal.read(model, u, trajectory) {
        Reading::Missing(missing) => missing.to_string(),
        Reading::Read(..) => String::new(),
    }
}
