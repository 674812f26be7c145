//! The loop: windows of time, and the queue of what comes next.
//!
//! Which pairs meet next is `watching`; what happens at a meeting is `impacts`; what touches lastingly is `holding`.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::candidates::{Swept, meeting_pairs};
use super::closing::Workspace;
use super::held::SlipMemory;
use super::holding::ActiveStep;
use super::impacts::Instant;
use super::motion::Motion;
use super::tape::{Launched, Source, StepId, Tape, Timing};
use super::trajectory::{Course, End, Event, Phase, Trajectory, Work};
use super::watching::{WatchId, Watches};
use crate::contact::ContactWorkspace;
use crate::dynamics::BodyState;
use crate::geometry::Feature;
use crate::math::Vec3;
use crate::model::{BodyId, BodyProperties, ControlVector, Model, Pair, World};

/// Length (s) of the windows in which candidate pairs are listed. Shorter windows list fewer pairs more often.
const WINDOW: f64 = 1.0 / 16.0;

/// Times that a step is split within a cell of the time grid because sliding ends.
pub(super) const MAX_SLIP_SPLITS: u32 = 4;

/// The motion of a model with a control vector. Never fails: the trajectory says how far it came and why it
/// ended.
pub fn simulate(model: &Model, u: &ControlVector) -> Trajectory {
    Engine::new(World::new(model, u)).run()
}

/// A body on its way.
pub(super) struct Runner {
    pub motion: Motion,
    pub swept: Swept,
    /// Counts changes of the motion, so that closings found for an older one are recognised.
    pub version: u32,
    pub neighbors: Vec<BodyId>,
    /// The step it is part of.
    pub step: Option<StepId>,
    /// Steps in a row after which it did not move.
    pub quiet_steps: u32,
    /// Steps in a row that ended because sliding did.
    pub slip_splits: u32,
    /// Impacts within the current cell of the time grid.
    pub impacts_in_cell: (u64, u32),
}

/// A pair expected to meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub pair: Pair,
    pub versions: [u32; 2],
    pub normal: Vec3,
    pub widest_gap: f64,
    /// A time at which the pair surely is closer than it may be.
    pub below: f64,
    /// It touches and approaches already: nothing else may happen first.
    pub urgent: bool,
}

/// What the queue holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// A pair surely is apart until now: its search goes on.
    Watch(Pair, WatchId),
    /// A pair meets.
    Meeting(Closing),
    /// A step of a held group is over.
    StepEnd(StepId, BodyId),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub t: f64,
    pub next: Next,
}

impl Entry {
    /// By time; at one instant searches (which may find a meeting), urgent meetings, other meetings, ends of steps,
    /// and each by the bodies' names.
    fn order(&self, other: &Entry) -> Ordering {
        let rank = |next: &Next| match next {
            Next::Watch(pair, _) => (0, pair.first, pair.second),
            Next::Meeting(closing) => (if closing.urgent { 1 } else { 2 }, closing.pair.first, closing.pair.second),
            Next::StepEnd(_, body) => (3, *body, *body),
        };
        self.t.total_cmp(&other.t).then(rank(&self.next).cmp(&rank(&other.next)))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}

pub(super) struct Engine {
    pub world: Arc<World>,
    pub runners: Vec<Runner>,
    pub queue: BinaryHeap<Reverse<Entry>>,
    pub watches: Watches,
    /// Pairs that have not parted since they touched, with their last normal.
    pub touching: BTreeMap<Pair, Vec3>,
    pub impact_counts: BTreeMap<Pair, u32>,
    pub steps: BTreeMap<StepId, ActiveStep>,
    /// Pairs that are held.
    pub held_pairs: BTreeSet<Pair>,
    /// What held contacts did in their last step, and their impulses.
    pub slip_memory: SlipMemory,
    pub warm: BTreeMap<(Pair, Feature), Vec3>,
    pub window_end: f64,
    pub phases: Vec<Vec<Phase>>,
    pub events: Vec<Event>,
    pub tape: Tape,
    pub groups: u32,
    pub work: Work,
    /// Steps tried, shorter ones of a halved grid counted for less.
    pub effort: f64,
    pub workspace: Workspace,
    pub contact_workspace: ContactWorkspace,
}

impl Engine {
    fn new(world: World) -> Self {
        let runner = |body: &BodyProperties| Runner {
            motion: Motion::Rest(body.initial),
            swept: Swept::Box(body.initial.position, body.initial.position),
            version: 0,
            neighbors: Vec::new(),
            step: None,
            quiet_steps: 0,
            slip_splits: 0,
            impacts_in_cell: (0, 0),
        };
        let rest = |body: &BodyProperties| vec![Phase { t: 0.0, course: Course::Rest(body.initial) }];
        Engine {
            runners: world.bodies.iter().map(runner).collect(),
            phases: world.bodies.iter().map(|b| if b.drive.never_moves() { rest(b) } else { Vec::new() }).collect(),
            world: Arc::new(world),
            queue: BinaryHeap::new(),
            watches: Watches::default(),
            touching: BTreeMap::new(),
            impact_counts: BTreeMap::new(),
            steps: BTreeMap::new(),
            held_pairs: BTreeSet::new(),
            slip_memory: SlipMemory::new(),
            warm: BTreeMap::new(),
            window_end: 0.0,
            events: Vec::new(),
            tape: Tape::default(),
            groups: 0,
            work: Work::default(),
            effort: 0.0,
            workspace: Workspace::default(),
            contact_workspace: ContactWorkspace::default(),
        }
    }

    fn run(mut self) -> Trajectory {
        let end = self.run_windows();
        let t_end = match end {
            End::Horizon => self.world.duration,
            End::EventLimit { t, .. } | End::NonFinite { t, .. } => t,
        };
        for body in 0..self.runners.len() {
            self.record_nodes(body, t_end);
        }
        let Engine { world, phases, events, tape, work, .. } = self;
        Trajectory { world, phases, events, tape, end, t_end, work }
    }

    fn run_windows(&mut self) -> End {
        let mut window = 0u64;
        while self.window_end < self.world.duration {
            let start = self.window_end;
            window += 1;
            self.window_end = (window as f64 * WINDOW).min(self.world.duration);
            if let Err(end) = self.open_window(start).and_then(|()| self.run_queue()) {
                return end;
            }
        }
        End::Horizon
    }

    /// Lists the pairs that could meet in the window and searches each.
    fn open_window(&mut self, start: f64) -> Result<(), End> {
        if start == 0.0 {
            self.take_off();
        }
        for k in 0..self.runners.len() {
            self.sweep(k, start);
            // A volume that is not a number would meet nothing, and its body fall through everything.
            let until = self.runners[k].motion.valid_until(self.window_end).max(start);
            if !self.state(BodyId(k as u32), until).is_finite() {
                return Err(End::NonFinite { t: start, body: BodyId(k as u32) });
            }
            self.runners[k].neighbors.clear();
        }
        let swept: Vec<Swept> = self.runners.iter().map(|runner| runner.swept).collect();
        let mut pairs = Vec::new();
        for (a, b) in meeting_pairs(&swept) {
            let (a, b) = (BodyId(a), BodyId(b));
            if self.may_meet(a, b) {
                self.runners[a.index()].neighbors.push(b);
                self.runners[b.index()].neighbors.push(a);
                pairs.push(self.world.ordered(a, b));
            }
        }
        if start == 0.0 {
            let pushed = |k: &usize| self.world.bodies[*k].drive.is_pushed();
            let states =
                (0..self.runners.len()).filter(pushed).map(|k| (BodyId(k as u32), self.world.bodies[k].initial));
            let states: Instant = states.collect();
            self.tape.open(0.0, Timing::Start);
            states.keys().for_each(|&body| self.tape.source(Source::Start(body)));
            return self.resume(0.0, states);
        }
        pairs.into_iter().try_for_each(|pair| self.search(pair, start))
    }

    /// Gives every moving body a first motion, so that it can be swept; `resume` decides what it really does.
    fn take_off(&mut self) {
        for (k, (runner, body)) in self.runners.iter_mut().zip(&self.world.bodies).enumerate() {
            if body.drive.is_pushed() {
                runner.motion = Motion::Flight(self.world.flight(BodyId(k as u32), 0.0, body.initial));
            }
        }
    }

    pub fn may_meet(&self, a: BodyId, b: BodyId) -> bool {
        let (a, b) = (&self.world.bodies[a.index()], &self.world.bodies[b.index()]);
        let nowhere = a.solid.is_particle() && b.solid.is_particle();
        !(nowhere || !a.drive.is_pushed() && !b.drive.is_pushed())
    }

    /// Makes the body's motion and swept volume valid from `start` to the end of the window.
    fn sweep(&mut self, body: usize, start: f64) {
        let runner = &mut self.runners[body];
        runner.motion.extend_to(self.window_end);
        let until = runner.motion.valid_until(self.window_end).max(start);
        runner.swept = Swept::new(&self.world.bodies[body].solid, &runner.motion, start, until);
    }

    /// How a body moves until something happens to it.
    pub fn motion(&self, body: BodyId) -> &Motion {
        &self.runners[body.index()].motion
    }

    /// Where the body is at a time of its current motion.
    pub fn state(&self, body: BodyId, t: f64) -> BodyState {
        self.motion(body).at(t)
    }

    /// Lets a body move in another way from t on.
    pub fn set_motion(&mut self, body: BodyId, t: f64, motion: Motion, step: Option<StepId>) {
        self.record_nodes(body.index(), t);
        let launched = match (&motion, step) {
            (Motion::Step(_), Some(step)) => Launched::Step(step),
            (Motion::Rest(_), _) => Launched::Rest,
            _ => Launched::Flight(self.phases[body.index()].len() as u32),
        };
        self.tape.launch(body, launched);
        self.phases[body.index()].push(Phase { t, course: motion.course() });
        let runner = &mut self.runners[body.index()];
        runner.motion = motion;
        runner.step = step;
        runner.version += 1;
        self.sweep(body.index(), t);
    }

    fn run_queue(&mut self) -> Result<(), End> {
        while let Some(&Reverse(entry)) = self.queue.peek() {
            if entry.t > self.window_end {
                break;
            }
            self.queue.pop();
            match entry.next {
                Next::Watch(_, watch) => self.watch_on(watch)?,
                Next::StepEnd(step, _) => self.end_step(step, entry.t)?,
                Next::Meeting(closing) => {
                    if self.versions(closing.pair) == closing.versions {
                        self.meet(entry.t, &closing)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the Taylor nodes of the current flight up to `until` to the phases, so that any time is one
    /// series away.
    fn record_nodes(&mut self, body: usize, until: f64) {
        if let Motion::Flight(flight) = &self.runners[body].motion {
            let nodes = flight.nodes().skip(1).take_while(|(t, _)| *t < until);
            self.phases[body].extend(nodes.map(|(t, start)| Phase { t, course: Course::Flight(start) }));
        }
    }
}
