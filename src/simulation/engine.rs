//! The loop: windows of time, the queue of closings, impacts.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use super::candidates::{Swept, meeting_pairs};
use super::closing::{Mover, Search, Workspace, first_closing};
use super::meeting::{
    PairContacts, SIMULTANEOUS, TouchingPoint, gather, group_body, group_contacts, members, touching_points,
};
use super::trajectory::{End, Event, EventContact, EventKind, Phase, Trajectory, Work};
use crate::contact::{Impact, impact};
use crate::dynamics::{BodyState, Flight};
use crate::math::Vec3;
use crate::model::{BodyId, BodyProperties, ControlVector, Model, Pair, World};

/// Length (s) of the windows in which candidate pairs are listed. Shorter windows list fewer pairs more often.
const WINDOW: f64 = 1.0 / 16.0;
/// A pair has parted when its gap exceeds this (m).
const PARTED: f64 = 1e-8;
/// Steps of search allowed for each event of the budget.
const SEARCH_STEPS_PER_EVENT: u64 = 1000;
/// An approach slower than this (m/s) has no usable time derivative.
const GRAZING: f64 = 1e-6;

/// The motion of a model with a control vector. Never fails: the trajectory says how far it came and why it
/// ended.
pub fn simulate(model: &Model, u: &ControlVector) -> Trajectory {
    Engine::new(World::new(model, u)).run()
}

/// A body on its way.
struct Runner {
    flight: Flight,
    gravity: Vec3,
    swept: Swept,
    /// Counts changes of the flight, so that closings found for an older one are recognised.
    version: u32,
    neighbors: Vec<BodyId>,
}

/// A pair expected to meet.
#[derive(Clone, Copy, Debug)]
struct Closing {
    t: f64,
    pair: Pair,
    versions: [u32; 2],
    normal: Vec3,
    widest_gap: f64,
}

impl Closing {
    fn order(&self, other: &Closing) -> Ordering {
        self.t.total_cmp(&other.t).then(self.pair.cmp(&other.pair))
    }
}

impl PartialEq for Closing {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}
impl Eq for Closing {}
impl PartialOrd for Closing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Closing {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}

struct Engine {
    world: Arc<World>,
    runners: Vec<Runner>,
    queue: BinaryHeap<Reverse<Closing>>,
    /// Pairs that have not parted since they touched, with their last normal.
    touching: BTreeMap<Pair, Vec3>,
    impact_counts: BTreeMap<Pair, u32>,
    window_end: f64,
    phases: Vec<Vec<Phase>>,
    events: Vec<Event>,
    groups: u32,
    work: Work,
    workspace: Workspace,
}

impl Engine {
    fn new(world: World) -> Self {
        let runner = |body: &BodyProperties| {
            let flight = Flight::new(&body.mass, world.gravity, 0.0, body.initial);
            let gravity = if body.fixed { Vec3::zeros() } else { world.gravity };
            Runner { flight, gravity, swept: Swept::HalfSpace(Vec3::y(), 0.0), version: 0, neighbors: Vec::new() }
        };
        let runners: Vec<Runner> = world.bodies.iter().map(runner).collect();
        let phases = world.bodies.iter().map(|body| vec![Phase { t: 0.0, start: body.initial }]).collect();
        Engine {
            world: Arc::new(world),
            runners,
            queue: BinaryHeap::new(),
            touching: BTreeMap::new(),
            impact_counts: BTreeMap::new(),
            window_end: 0.0,
            phases,
            events: Vec::new(),
            groups: 0,
            work: Work::default(),
            workspace: Workspace::default(),
        }
    }

    fn run(mut self) -> Trajectory {
        let end = self.run_windows();
        let t_end = match end {
            End::Horizon => self.world.duration,
            End::EventLimit { t, .. } | End::NonFinite { t, .. } | End::Held { t, .. } => t,
        };
        for body in 0..self.runners.len() {
            self.record_nodes(body, t_end);
        }
        let Engine { world, phases, events, work, .. } = self;
        Trajectory { world, phases, events, end, t_end, work }
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
        self.queue.clear();
        for k in 0..self.runners.len() {
            self.sweep(k, start)?;
            self.runners[k].neighbors.clear();
        }
        let swept: Vec<Swept> = self.runners.iter().map(|runner| runner.swept).collect();
        for (a, b) in meeting_pairs(&swept) {
            let (a, b) = (BodyId(a), BodyId(b));
            if self.may_meet(a, b) {
                self.runners[a.index()].neighbors.push(b);
                self.runners[b.index()].neighbors.push(a);
                self.search(self.world.ordered(a, b), start)?;
            }
        }
        Ok(())
    }

    fn may_meet(&self, a: BodyId, b: BodyId) -> bool {
        let (a, b) = (&self.world.bodies[a.index()], &self.world.bodies[b.index()]);
        let nowhere = a.solid.is_particle() && b.solid.is_particle();
        !(nowhere || a.fixed && b.fixed)
    }

    /// Makes the body's flight and swept volume valid from `start` to the end of the window. A volume that is not a
    /// number would meet nothing.
    fn sweep(&mut self, body: usize, start: f64) -> Result<(), End> {
        let runner = &mut self.runners[body];
        runner.flight.extend_to(self.window_end);
        let solid = &self.world.bodies[body].solid;
        runner.swept = Swept::new(solid, &runner.flight, &runner.gravity, start, self.window_end);
        let finite = runner.flight.at(self.window_end).is_finite();
        if finite { Ok(()) } else { Err(End::NonFinite { t: start, body: BodyId(body as u32) }) }
    }

    /// Finds the next meeting of a pair within the window and queues it.
    fn search(&mut self, pair: Pair, from: f64) -> Result<(), End> {
        let budget = u64::from(self.world.max_events) * SEARCH_STEPS_PER_EVENT;
        if self.work.search_steps >= budget {
            return Err(End::EventLimit { t: from, first: pair.first, second: pair.second });
        }
        let mover = |body: BodyId| Mover {
            solid: &self.world.bodies[body.index()].solid,
            flight: &self.runners[body.index()].flight,
            gravity: self.runners[body.index()].gravity,
        };
        let hint = self.touching.get(&pair).copied();
        let movers = [mover(pair.first), mover(pair.second)];
        let max_steps = budget - self.work.search_steps;
        let report = first_closing(movers, from, self.window_end, hint, max_steps, &mut self.workspace);
        self.work.searches += 1;
        self.work.search_steps += report.steps;
        if report.start_gap > PARTED {
            self.touching.remove(&pair);
        } else if from == 0.0 {
            self.touching.entry(pair).or_insert(report.start_normal);
        }
        match report.outcome {
            Search::Apart => Ok(()),
            Search::NonFinite => Err(End::NonFinite { t: from, body: pair.first }),
            Search::Closing { t, normal } => {
                let versions = [pair.first, pair.second].map(|body| self.runners[body.index()].version);
                let closing = Closing { t, pair, versions, normal, widest_gap: report.widest_gap };
                self.queue.push(Reverse(closing));
                Ok(())
            }
        }
    }

    fn run_queue(&mut self) -> Result<(), End> {
        while let Some(Reverse(closing)) = self.queue.pop() {
            let version = |body: BodyId| self.runners[body.index()].version;
            if [version(closing.pair.first), version(closing.pair.second)] == closing.versions {
                self.meet(&closing)?;
            }
        }
        Ok(())
    }

    fn state(&self, body: BodyId, t: f64) -> BodyState {
        self.runners[body.index()].flight.at(t)
    }

    fn touching_points(&self, pair: Pair, t: f64, hint: Option<Vec3>) -> Vec<TouchingPoint> {
        let solid = |body: BodyId| &*self.world.bodies[body.index()].solid;
        let states = [self.state(pair.first, t), self.state(pair.second, t)];
        let hint = hint.or_else(|| self.touching.get(&pair).copied());
        touching_points([solid(pair.first), solid(pair.second)], [&states[0], &states[1]], hint, SIMULTANEOUS)
    }

    /// Everything that happens because a pair closes.
    fn meet(&mut self, closing: &Closing) -> Result<(), End> {
        let Closing { t, pair, .. } = *closing;
        let touches = |other: Pair| self.touching_points(other, t, (other == pair).then_some(closing.normal));
        let group = gather(&self.world, pair, touches, |body| &self.runners[body.index()].neighbors);
        let Some(met) = group.iter().find(|contacts| contacts.pair == pair) else {
            self.work.meetings_without_feature += 1;
            return Err(End::Held { t, first: pair.first, second: pair.second });
        };
        let approach = met.approach_speed();
        // A pair that parts so slowly that it closes again before its gap can be seen has not parted.
        if !met.meets() || (self.touches_still(closing) && approach <= 0.25 * self.world.rest_speed) {
            return Err(End::Held { t, first: pair.first, second: pair.second });
        }
        if self.events.len() + group.len() > self.world.max_events as usize {
            return Err(End::EventLimit { t, first: pair.first, second: pair.second });
        }
        self.collide(t, closing, &group)
    }

    /// Whether the pair has not parted since it last touched.
    fn touches_still(&self, closing: &Closing) -> bool {
        self.touching.contains_key(&closing.pair) && closing.widest_gap <= PARTED
    }

    fn collide(&mut self, t: f64, closing: &Closing, group: &[PairContacts]) -> Result<(), End> {
        let bodies = members(group);
        let states: Vec<BodyState> = bodies.iter().map(|&body| self.state(body, t)).collect();
        let counted = |pair: Pair| {
            let apart =
                if pair == closing.pair { !self.touches_still(closing) } else { !self.touching.contains_key(&pair) };
            apart.then(|| self.impact_counts.get(&pair).copied().unwrap_or(0) + 1)
        };
        let contacts = group_contacts(&self.world, group, &bodies, counted);
        let members: Vec<_> =
            bodies.iter().zip(&states).map(|(&body, state)| group_body(&self.world, body, state)).collect();
        let numbers: Vec<Option<u32>> = group.iter().map(|contacts| counted(contacts.pair)).collect();
        let result = impact(&members, &contacts, self.world.rest_speed);
        self.work.solver_iterations += result.phases.iter().map(|phase| phase.iterations as u64).sum::<u64>();
        // Velocities follow from impulses: where those are finite and these are not, the launch finds out.
        if result.impulses.iter().any(|impulse| impulse.total.iter().any(|entry| !entry.is_finite())) {
            return Err(End::NonFinite { t, body: closing.pair.first });
        }
        self.record_events(t, group, &numbers, &contacts_normals(&contacts), &result);
        self.launch(t, &bodies, &states, &result, group)
    }

    fn record_events(
        &mut self,
        t: f64,
        group: &[PairContacts],
        numbers: &[Option<u32>],
        normals: &[Vec3],
        result: &Impact,
    ) {
        let mut k = 0;
        for (met, number) in group.iter().zip(numbers) {
            let PairContacts { pair, contacts } = met;
            let range = k..k + contacts.len();
            k = range.end;
            let contacts: Vec<EventContact> = contacts
                .iter()
                .zip(range)
                .map(|(point, k)| EventContact {
                    feature: point.feature,
                    point: point.point,
                    normal: normals[k],
                    impulse: result.impulses[k].total,
                })
                .collect();
            let approach = met.approach_speed();
            if let Some(first) = contacts.first() {
                self.touching.insert(*pair, first.normal);
            }
            // A neighbour that touches but takes no part is not an event.
            if (number.is_none() || !met.meets()) && contacts.iter().all(|contact| contact.impulse == Vec3::zeros()) {
                continue;
            }
            let count = self.impact_counts.entry(*pair).or_insert(0);
            *count = number.unwrap_or(*count);
            self.events.push(Event {
                t,
                kind: if number.is_some() { EventKind::Impact } else { EventKind::Strike },
                first: pair.first,
                second: pair.second,
                number: *count,
                grazing: approach < GRAZING,
                unsolved: !result.solved,
                group: self.groups,
                contacts,
            });
        }
        self.groups += 1;
    }

    /// Sends the bodies of a group off with their new velocities and looks for what they meet next.
    fn launch(
        &mut self,
        t: f64,
        bodies: &[BodyId],
        states: &[BodyState],
        result: &Impact,
        group: &[PairContacts],
    ) -> Result<(), End> {
        let mut changed = Vec::new();
        for ((&body, state), &(velocity, spin)) in bodies.iter().zip(states).zip(&result.velocities) {
            if self.world.bodies[body.index()].fixed {
                continue;
            }
            let state = BodyState { velocity, spin, ..*state };
            if !state.is_finite() {
                return Err(End::NonFinite { t, body });
            }
            self.record_nodes(body.index(), t);
            self.phases[body.index()].push(Phase { t, start: state });
            let runner = &mut self.runners[body.index()];
            runner.flight = Flight::new(&self.world.bodies[body.index()].mass, self.world.gravity, t, state);
            runner.version += 1;
            changed.push(body);
            self.sweep(body.index(), t)?;
        }
        let _ = group;
        self.search_again(&changed, t)
    }

    /// Searches every pair of the changed bodies once.
    fn search_again(&mut self, changed: &[BodyId], t: f64) -> Result<(), End> {
        for &body in changed {
            let swept = self.runners[body.index()].swept;
            let meets = |&other: &BodyId| {
                other != body && self.may_meet(body, other) && swept.meets(&self.runners[other.index()].swept)
            };
            let neighbors: Vec<BodyId> = (0..self.runners.len() as u32).map(BodyId).filter(meets).collect();
            for &other in &neighbors {
                let list = &mut self.runners[other.index()].neighbors;
                if !list.contains(&body) {
                    list.push(body);
                }
                // A pair of two changed bodies is searched by the lower one.
                if other > body || !changed.contains(&other) {
                    self.search(self.world.ordered(body, other), t)?;
                }
            }
            self.runners[body.index()].neighbors = neighbors;
        }
        Ok(())
    }

    /// Adds the Taylor nodes of the current flight up to `until` to the phases, so that any time is one
    /// series away.
    fn record_nodes(&mut self, body: usize, until: f64) {
        let nodes = self.runners[body].flight.nodes().skip(1).take_while(|(t, _)| *t < until);
        self.phases[body].extend(nodes.map(|(t, start)| Phase { t, start }));
    }
}

fn contacts_normals(contacts: &[crate::contact::GroupContact]) -> Vec<Vec3> {
    contacts.iter().map(|contact| contact.normal).collect()
}
