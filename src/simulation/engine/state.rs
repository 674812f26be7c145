//! The engine's parts together, and what can be asked of all of them: where a body is, where a pair touches.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::held::Member;
use super::super::limits::Limits;
use super::super::meeting::{TouchingPoint, touching_points};
use super::super::motion::Motion;
use super::super::search::pursuit::Workspace;
use super::super::tape::StepId;
use super::agenda::Agenda;
use super::budget::Budget;
use super::encounters::Encounters;
use super::machines::Machines;
use super::record::Record;
use super::runners::Runners;
use super::steps::Steps;
use crate::contact::ContactWorkspace;
use crate::dynamics::BodyState;
use crate::geometry::{Separation, Solid, separation};
use crate::math::Vec3;
use crate::model::{BodyId, Pair, World};

/// States at the present instant, where they differ from what motions say.
pub type Instant = BTreeMap<BodyId, BodyState>;

/// A run on its way.
pub struct Engine<'a> {
    pub world: Arc<World>,
    pub runners: Runners,
    pub agenda: Agenda,
    pub encounters: Encounters,
    pub machines: Machines,
    pub steps: Steps,
    pub record: Record,
    pub budget: Budget<'a>,
    /// A body whose flight has more turns than are followed.
    pub endless: Option<BodyId>,
    /// The end of the present window of time, s.
    pub window_end: f64,
    pub workspace: Workspace,
    pub contact_workspace: ContactWorkspace,
}

impl<'a> Engine<'a> {
    /// Before anything happened.
    pub fn new(world: World, limits: Limits<'a>) -> Self {
        Engine {
            runners: Runners::new(&world),
            record: Record::new(&world),
            machines: Machines::new(&world),
            world: Arc::new(world),
            agenda: Agenda::default(),
            encounters: Encounters::default(),
            steps: Steps::default(),
            budget: Budget::new(limits),
            endless: None,
            window_end: 0.0,
            workspace: Workspace::default(),
            contact_workspace: ContactWorkspace::default(),
        }
    }

    /// Whether forces and impulses change a body's motion.
    pub fn is_pushed(&self, body: BodyId) -> bool {
        self.world.bodies[body.index()].drive.is_pushed()
    }

    /// Whether a body follows tracks of its own.
    pub fn is_guided(&self, body: BodyId) -> bool {
        self.world.bodies[body.index()].drive.guide().is_some()
    }

    /// A body as a held group sees it.
    pub fn member(&self, body: BodyId) -> Member {
        let properties = &self.world.bodies[body.index()];
        Member { body, mass: properties.mass, solid: properties.solid.clone() }
    }

    /// The shapes of a pair.
    pub fn solids(&self, pair: Pair) -> [&Solid; 2] {
        [pair.first, pair.second].map(|body| &*self.world.bodies[body.index()].solid)
    }

    /// Where the body is at a time of its current motion.
    pub fn state(&self, body: BodyId, t: f64) -> BodyState {
        self.runners.motion(body).at(t)
    }

    /// The state of a body now: of the instant, or of its motion.
    pub fn now(&self, instant: &Instant, body: BodyId, t: f64) -> BodyState {
        instant.get(&body).copied().unwrap_or_else(|| self.state(body, t))
    }

    /// How often the bodies of a pair have changed their motion.
    pub fn versions(&self, pair: Pair) -> [u32; 2] {
        [pair.first, pair.second].map(|body| self.runners.version(body))
    }

    /// Where a pair touches now.
    pub fn touching_points(
        &self,
        pair: Pair,
        states: [&BodyState; 2],
        hint: Option<Vec3>,
        gap: f64,
    ) -> Vec<TouchingPoint> {
        let hint = hint.or_else(|| self.encounters.normal(pair));
        touching_points(self.solids(pair), states, hint, gap)
    }

    /// How far apart a pair is.
    pub fn separation(&self, pair: Pair, states: [&BodyState; 2], hint: Option<Vec3>) -> Separation {
        let hint = hint.or_else(|| self.encounters.normal(pair));
        let (poses, solids) = ([states[0].pose(), states[1].pose()], self.solids(pair));
        separation(solids[0], &poses[0], solids[1], &poses[1], hint)
    }

    /// Makes the body's motion and swept volume valid from `start` to the end of the window.
    pub fn sweep(&mut self, body: BodyId, start: f64) {
        self.runners.sweep(body, &self.world.bodies[body.index()].solid, start, self.window_end);
        if self.runners.motion(body).known_until() < self.window_end {
            self.endless = Some(body);
        }
    }

    /// Lets a body move in another way from t on.
    pub fn set_motion(&mut self, body: BodyId, t: f64, motion: Motion, step: Option<StepId>) {
        self.record.add_nodes(body, self.runners.motion(body), t);
        self.record.add_phase(body, t, &motion, step);
        self.runners.launch(body, motion, step);
        self.sweep(body, t);
    }
}
