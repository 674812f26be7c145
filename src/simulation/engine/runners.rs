//! Bodies on their way: how each moves now, whom it could meet within the window, and what it went through lately.

use super::super::motion::Motion;
use super::super::search::candidates::Swept;
use super::super::tape::StepId;
use crate::geometry::Solid;
use crate::model::{BodyId, World};

/// All bodies, in the order of the file.
pub struct Runners {
    runners: Vec<Runner>,
    /// What each may touch within the window: a list of its own, since whoever changes its course looks through all of it.
    swept: Vec<Swept>,
}

struct Runner {
    motion: Motion,
    /// Counts changes of the motion, so that closings found for an older one are recognised.
    version: u32,
    neighbors: Vec<BodyId>,
    /// The step it is part of.
    step: Option<StepId>,
    /// Steps in a row after which it did not move.
    quiet_steps: u32,
    /// Steps in a row that ended because sliding did.
    slip_splits: u32,
    /// A cell of the time grid, and impacts within it.
    impacts_in_cell: (u64, u32),
}

impl Runners {
    /// Bodies that rest where they begin.
    pub fn new(world: &World) -> Runners {
        let runner = |initial| Runner {
            motion: Motion::Rest(initial),
            version: 0,
            neighbors: Vec::new(),
            step: None,
            quiet_steps: 0,
            slip_splits: 0,
            impacts_in_cell: (0, 0),
        };
        let swept = world.bodies.iter().map(|body| Swept::Box(body.initial.position, body.initial.position)).collect();
        Runners { runners: world.bodies.iter().map(|body| runner(body.initial)).collect(), swept }
    }

    /// All of them.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.runners.len() as u32).map(BodyId)
    }

    fn of(&mut self, body: BodyId) -> &mut Runner {
        &mut self.runners[body.index()]
    }

    /// How a body moves until something happens to it.
    pub fn motion(&self, body: BodyId) -> &Motion {
        &self.runners[body.index()].motion
    }

    /// Gives a body the motion it begins with.
    pub fn begin(&mut self, body: BodyId, motion: Motion) {
        self.of(body).motion = motion;
    }

    /// Lets a body go on in another way, in a step or without one.
    pub fn launch(&mut self, body: BodyId, motion: Motion, step: Option<StepId>) {
        let runner = self.of(body);
        runner.motion = motion;
        runner.step = step;
        runner.version += 1;
    }

    /// How often a body has changed its motion.
    pub fn version(&self, body: BodyId) -> u32 {
        self.runners[body.index()].version
    }

    /// The step a body is part of.
    pub fn step(&self, body: BodyId) -> Option<StepId> {
        self.runners[body.index()].step
    }

    /// Makes the body's motion and swept volume valid from a time to the end of the window.
    pub fn sweep(&mut self, body: BodyId, solid: &Solid, start: f64, window_end: f64) {
        let runner = self.of(body);
        runner.motion.extend_to(window_end);
        let until = runner.motion.valid_until(window_end).max(start);
        self.swept[body.index()] = Swept::new(solid, &runner.motion, start, until);
    }

    /// What a body may touch within the window.
    pub fn swept(&self, body: BodyId) -> &Swept {
        &self.swept[body.index()]
    }

    /// What each body may touch within the window.
    pub fn all_swept(&self) -> &[Swept] {
        &self.swept
    }

    /// The bodies whose swept volumes meet a body's.
    pub fn neighbors(&self, body: BodyId) -> &[BodyId] {
        &self.runners[body.index()].neighbors
    }

    /// Gives a body other neighbors.
    pub fn set_neighbors(&mut self, body: BodyId, neighbors: Vec<BodyId>) {
        self.of(body).neighbors = neighbors;
    }

    /// Forgets a body's neighbors.
    pub fn clear_neighbors(&mut self, body: BodyId) {
        self.of(body).neighbors.clear();
    }

    /// Makes two bodies neighbors that are none yet.
    pub fn pair_up(&mut self, a: BodyId, b: BodyId) {
        self.of(a).neighbors.push(b);
        self.of(b).neighbors.push(a);
    }

    /// Gives a body one neighbor more, if it is none yet.
    pub fn add_neighbor(&mut self, body: BodyId, other: BodyId) {
        let list = &mut self.of(body).neighbors;
        if !list.contains(&other) {
            list.push(other);
        }
    }

    /// Counts a step after which a body moved, or did not; how many in a row it did not.
    pub fn note_quiet(&mut self, body: BodyId, still: bool) -> u32 {
        let count = &mut self.of(body).quiet_steps;
        *count = if still { *count + 1 } else { 0 };
        *count
    }

    /// Counts a step that ended because sliding did, or did not.
    pub fn note_split(&mut self, body: BodyId, split: bool) {
        let count = &mut self.of(body).slip_splits;
        *count = if split { *count + 1 } else { 0 };
    }

    /// Steps in a row that ended because sliding did.
    pub fn slip_splits(&self, body: BodyId) -> u32 {
        self.runners[body.index()].slip_splits
    }

    /// Counts an impact of a body within a cell of the time grid; how many it had there.
    pub fn count_impact(&mut self, body: BodyId, cell: u64) -> u32 {
        let (counted, count) = &mut self.of(body).impacts_in_cell;
        *count = if *counted == cell { *count + 1 } else { 1 };
        *counted = cell;
        *count
    }

    /// How many impacts a body had within a cell of the time grid.
    pub fn impacts_in(&self, body: BodyId, cell: u64) -> u32 {
        let (counted, count) = self.runners[body.index()].impacts_in_cell;
        if counted == cell { count } else { 0 }
    }
}
