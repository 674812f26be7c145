//! What the trajectory will tell: the phases of every body, the events, and the tape of decisions.

use super::super::held::StepPath;
use super::super::motion::Motion;
use super::super::tape::{Launched, StepId, Tape};
use super::super::trajectory::{Course, Event, EventContact, EventKind, Phase};
use crate::dynamics::BodyState;
use crate::model::{BodyId, Pair, World};

/// What a phase, an event and each of its points fill on a machine of 64 bits.
const PHASE_BYTES: u64 = 240;
const EVENT_BYTES: u64 = 64;
const EVENT_CONTACT_BYTES: u64 = 96;

/// The record of a run so far.
pub struct Record {
    phases: Vec<Vec<Phase>>,
    events: Vec<Event>,
    /// Groups of events that were solved together.
    groups: u32,
    /// Phases and points of events so far.
    phases_kept: u64,
    contacts_kept: u64,
    /// Decisions, for derivatives.
    pub tape: Tape,
}

impl Record {
    /// Before anything happened: what never moves has its only phase.
    pub fn new(world: &World) -> Record {
        let rest = |initial| vec![Phase { t: 0.0, course: Course::Rest(initial) }];
        let phases = world.bodies.iter();
        let phases = phases.map(|body| if body.drive.never_moves() { rest(body.initial) } else { Vec::new() });
        Record {
            phases: phases.collect(),
            events: Vec::new(),
            groups: 0,
            phases_kept: 0,
            contacts_kept: 0,
            tape: Tape::default(),
        }
    }

    /// Phases, events and tape.
    pub fn into_parts(self) -> (Vec<Vec<Phase>>, Vec<Event>, Tape) {
        (self.phases, self.events, self.tape)
    }

    /// Bytes that it fills, about. They are counted, not measured, so that a run ends at the same time on every machine.
    pub fn bytes(&self) -> u64 {
        self.phases_kept * PHASE_BYTES
            + self.events.len() as u64 * EVENT_BYTES
            + self.contacts_kept * EVENT_CONTACT_BYTES
            + self.tape.bytes()
    }

    /// How many phases a body has had.
    pub fn phase_count(&self, body: BodyId) -> usize {
        self.phases[body.index()].len()
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
            let phases = &mut self.phases[body.index()];
            let before = phases.len();
            phases.extend(nodes.map(|(t, start)| Phase { t, course: Course::Flight(start) }));
            self.phases_kept += (phases.len() - before) as u64;
        }
    }

    /// A body goes on in another way from t on, in a step or without one.
    pub fn add_phase(&mut self, body: BodyId, t: f64, motion: &Motion, step: Option<StepId>) {
        let launched = match (motion, step) {
            (Motion::Step(_), Some(step)) => Launched::Step(step),
            (Motion::Rest(_), _) => Launched::Rest,
            (Motion::Guided(..), _) => Launched::Guided,
            (Motion::Joined(joined), _) => Launched::Joined { flight: joined.id, member: joined.member },
            _ => Launched::Flight(self.phases[body.index()].len() as u32),
        };
        self.tape.launch(body, launched);
        self.phases[body.index()].push(Phase { t, course: motion.course() });
        self.phases_kept += 1;
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
        self.contacts_kept += event.contacts.len() as u64;
        self.events.push(Event { group: self.groups, node: self.tape.present(), ..event });
    }

    /// Adds an event that is a group of its own.
    pub fn tell(&mut self, t: f64, kind: EventKind, pair: Pair, number: u32, contacts: Vec<EventContact>) {
        let Pair { first, second } = pair;
        let (group, node) = (self.groups, self.tape.present());
        let (grazing, unsolved) = (false, false);
        self.contacts_kept += contacts.len() as u64;
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
