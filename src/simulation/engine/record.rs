//! What the trajectory will tell: the phases of every body, the events, and the tape of decisions.

use super::super::held::StepPath;
use super::super::motion::Motion;
use super::super::tape::{Launched, StepId, Tape};
use super::super::trajectory::{Course, Event, EventContact, EventKind, Phase};
use crate::dynamics::BodyState;
use crate::model::{BodyId, Pair, World};

/// The record of a run so far.
pub struct Record {
    phases: Vec<Vec<Phase>>,
    events: Vec<Event>,
    /// Groups of events that were solved together.
    groups: u32,
    /// Decisions, for derivatives.
    pub tape: Tape,
}

impl Record {
    /// Before anything happened: what never moves has its only phase.
    pub fn new(world: &World) -> Record {
        let rest = |initial| vec![Phase { t: 0.0, course: Course::Rest(initial) }];
        let phases = world.bodies.iter();
        let phases = phases.map(|body| if body.drive.never_moves() { rest(body.initial) } else { Vec::new() });
        Record { phases: phases.collect(), events: Vec::new(), groups: 0, tape: Tape::default() }
    }

    /// Phases, events and tape.
    pub fn into_parts(self) -> (Vec<Vec<Phase>>, Vec<Event>, Tape) {
        (self.phases, self.events, self.tape)
    }

    /// How many events there are.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// How many groups of events there are.
    pub fn group_count(&self) -> u32 {
        self.groups
    }

    /// Adds the Taylor nodes of a body's flight up to a time to its phases, so that any time is one series away.
    pub fn add_nodes(&mut self, body: BodyId, motion: &Motion, until: f64) {
        if let Motion::Flight(flight) = motion {
            let nodes = flight.nodes().skip(1).take_while(|(t, _)| *t < until);
            self.phases[body.index()].extend(nodes.map(|(t, start)| Phase { t, course: Course::Flight(start) }));
        }
    }

    /// A body goes on in another way from t on, in a step or without one.
    pub fn add_phase(&mut self, body: BodyId, t: f64, motion: &Motion, step: Option<StepId>) {
        let launched = match (motion, step) {
            (Motion::Step(_), Some(step)) => Launched::Step(step),
            (Motion::Rest(_), _) => Launched::Rest,
            _ => Launched::Flight(self.phases[body.index()].len() as u32),
        };
        self.tape.launch(body, launched);
        self.phases[body.index()].push(Phase { t, course: motion.course() });
    }

    /// Ends the path of a body in a step at t, where it is `projected`.
    pub fn shorten_path(&mut self, body: BodyId, t: f64, unprojected: &BodyState, projected: &BodyState) {
        let Some(phase) = self.phases[body.index()].last_mut() else { return };
        if let Course::Step(path) = &mut phase.course {
            if t > path.t {
                *path = StepPath::new(path.t, t - path.t, &path.start, [unprojected, projected], path.bend);
            } else {
                self.phases[body.index()].pop();
            }
        }
    }

    /// Adds an event to the present group.
    pub fn add_event(&mut self, event: Event) {
        self.events.push(Event { group: self.groups, node: self.tape.present(), ..event });
    }

    /// Adds an event that is a group of its own.
    pub fn tell(&mut self, t: f64, kind: EventKind, pair: Pair, number: u32, contacts: Vec<EventContact>) {
        let Pair { first, second } = pair;
        let (group, node) = (self.groups, self.tape.present());
        let (grazing, unsolved) = (false, false);
        self.events.push(Event { t, kind, first, second, number, grazing, unsolved, group, node, contacts });
        self.end_group();
    }

    /// The next events are of another group.
    pub fn end_group(&mut self) {
        self.groups += 1;
    }

    /// Takes back the release of a pair at this very instant; whether there was one.
    pub fn take_back_release(&mut self, t: f64, pair: Pair) -> bool {
        let release = |event: &Event| event.kind == EventKind::Release && event.pair() == pair;
        let now = self.events.iter().rposition(|event| event.t < t).map_or(0, |last| last + 1);
        let found = self.events[now..].iter().position(release);
        if let Some(k) = found {
            self.events.remove(now + k);
        }
        found.is_some()
    }
}
