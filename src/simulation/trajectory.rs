//! What a simulation leaves behind: the motion of every body, the events, and why it ended.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::held::StepPath;
use super::tape::{NodeId, Tape};
use super::trouble::Trouble;
use crate::dynamics::BodyState;
use crate::dynamics::joined::JoinedFlight;
use crate::geometry::Feature;
use crate::math::Vec3;
use crate::model::{BodyId, Pair, World};

/// A stretch of one body's motion, until its next phase or the end.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// When it starts, s.
    pub t: f64,
    /// How it goes.
    pub course: Course,
}

/// How a body moves through a phase.
#[derive(Clone, Copy, Debug)]
pub enum Course {
    /// Flies from a state.
    Flight(BodyState),
    /// Is held in a step.
    Step(StepPath),
    /// Stays where it is.
    Rest(BodyState),
    /// Follows its tracks, from a state.
    Guided(BodyState),
    /// Flies with a machine.
    Joined {
        /// Among the trajectory's flights.
        flight: u32,
        /// Among the flight's members.
        member: u32,
        /// Where the phase begins.
        start: BodyState,
    },
}

impl Phase {
    /// The state it starts from.
    pub fn start(&self) -> &BodyState {
        match &self.course {
            Course::Flight(state) | Course::Rest(state) | Course::Guided(state) => state,
            Course::Joined { start, .. } => start,
            Course::Step(path) => &path.start,
        }
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A pair that was apart met.
    Impact,
    /// A pair that already touched exchanged impulses; not counted.
    Strike,
    /// A pair begins to be held.
    Hold,
    /// A held contact stops sliding.
    Slip,
    /// A held pair parts.
    Release,
    /// A held pair falls asleep.
    Rest,
}

impl EventKind {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Impact => "impact",
            EventKind::Strike => "strike",
            EventKind::Hold => "hold",
            EventKind::Slip => "slip",
            EventKind::Release => "release",
            EventKind::Rest => "rest",
        }
    }
}

/// One touching point of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventContact {
    /// What touches what.
    pub feature: Feature,
    /// Where, in the world.
    pub point: Vec3,
    /// Unit, from the second body to the first, tilted where the scene says so.
    pub normal: Vec3,
    /// On the first body, N·s.
    pub impulse: Vec3,
}

/// An event, by its place in [`Trajectory::events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventId(pub u32);

impl EventId {
    /// Its place among the events.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One pair at one instant.
#[derive(Clone, Debug)]
pub struct Event {
    /// s.
    pub t: f64,
    /// What happened.
    pub kind: EventKind,
    /// The first-named body.
    pub first: BodyId,
    /// The second-named body.
    pub second: BodyId,
    /// Which impact of this pair it is, from 1; for a strike, of the last impact.
    pub number: u32,
    /// The approach is so slow that its time has no derivative.
    pub grazing: bool,
    /// The contact solver missed its tolerance: the answer is the best found, without derivative.
    pub unsolved: bool,
    /// Events of the same instant that were solved together share it.
    pub group: u32,
    /// Where the tape tells of it.
    pub node: NodeId,
    /// Where they touch.
    pub contacts: Vec<EventContact>,
}

impl Event {
    /// Who takes part.
    pub fn pair(&self) -> Pair {
        Pair { first: self.first, second: self.second }
    }
}

/// Why a simulation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The scene's duration is over.
    Horizon,
    /// More events than the scene's `max_events`.
    EventLimit {
        /// When.
        t: f64,
        /// The last pair.
        first: BodyId,
        /// The last pair.
        second: BodyId,
    },
    /// As much work as the scene's `max_events` and its time grid allow.
    WorkLimit {
        /// When.
        t: f64,
        /// The last pair.
        first: BodyId,
        /// The last pair.
        second: BodyId,
    },
    /// As much to keep as is kept of one motion, or of one flight.
    MemoryLimit {
        /// When.
        t: f64,
        /// What is kept until then, bytes.
        bytes: u64,
        /// The body with the longest record.
        body: BodyId,
    },
    /// As many steps of a machine's flight as are made of one.
    StepLimit {
        /// When.
        t: f64,
        /// How many they are.
        steps: usize,
        /// The first of its bodies that moves.
        body: BodyId,
    },
    /// Something stays in touch with a joined body; what lasting contact does to it is not computed.
    MachineTouched {
        /// When.
        t: f64,
        /// Who; the same twice where a body in lasting contact would be joined.
        first: BodyId,
        /// Who.
        second: BodyId,
    },
    /// Numbers overflowed.
    NonFinite {
        /// When.
        t: f64,
        /// Whose state.
        body: BodyId,
    },
}

impl End {
    /// The word used in files.
    pub fn as_str(&self) -> &'static str {
        match self {
            End::Horizon => "horizon",
            End::EventLimit { .. } => "event_limit",
            End::WorkLimit { .. } | End::StepLimit { .. } => "work_limit",
            End::MemoryLimit { .. } => "memory_limit",
            End::MachineTouched { .. } => "machine_touched",
            End::NonFinite { .. } => "non_finite",
        }
    }
}

/// A motion: the result of `simulate`.
#[derive(Clone, Debug)]
pub struct Trajectory {
    pub(super) world: Arc<World>,
    pub(super) phases: Vec<Vec<Phase>>,
    /// Of machines.
    pub(super) flights: Vec<Arc<JoinedFlight>>,
    /// In order of time.
    pub events: Vec<Event>,
    /// What was decided on the way.
    pub(super) tape: Tape,
    /// Why it ended.
    pub end: End,
    /// When it ended, s.
    pub t_end: f64,
    /// What it cost.
    pub work: Work,
    /// The same motion as it was simulated, where that was in other units than metres and seconds.
    pub(super) own: Option<Arc<Trajectory>>,
    /// What there is to tell of its machines, once somebody has asked.
    pub(super) troubles: OnceLock<Vec<Trouble>>,
}

/// Counts of what a simulation did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Pairs searched for a meeting.
    pub searches: u64,
    /// Steps of those searches.
    pub search_steps: u64,
    /// Newton steps of the contact solver.
    pub solver_iterations: u64,
    /// Meetings at which no touching feature was found; must stay zero.
    pub meetings_without_feature: u64,
    /// The same, each times the contacts it solved, and once more for what goes with it.
    pub contact_iterations: u64,
    /// Steps of held groups.
    pub held_steps: u64,
    /// Held steps taken again because a slow contact came late.
    pub late_contacts: u64,
    /// Contact problems that missed their tolerance.
    pub unsolved: u64,
}

impl Trajectory {
    /// Whether it goes as far as a model's motions do, or ends early for a reason of its own.
    pub fn is_whole(&self, model: &crate::model::Model) -> bool {
        self.end != End::Horizon || self.t_end >= model.duration()
    }

    /// Why it ended, with the names of those who have to do with it.
    pub fn ending(&self) -> String {
        let name = |body: BodyId| &*self.world.bodies[body.index()].name;
        match self.end {
            End::MachineTouched { t, first, second } if first == second => format!(
                "stopped at {t:.6} s: {} stays in touch with something while it is joined or pulled, and lasting contact of \
                 machines is not computed yet; let it bounce or give it room, or end the duration before",
                name(first)
            ),
            End::MachineTouched { t, first, second } => format!(
                "stopped at {t:.6} s: {} stays in touch with {} while one of them is joined, pulled or moved, and lasting contact of \
                 machines is not computed yet; let them bounce or give them room, or end the duration before",
                name(first),
                name(second)
            ),
            End::StepLimit { t, steps, body } => format!(
                "stopped at {t:.6} s: the series that {} and what is joined to it fly by began anew {steps} times, as often \
                 as is followed; make springs softer, or look what swings or spins so fast",
                name(body)
            ),
            _ => self.end.to_string(),
        }
    }

    /// The numbers that were simulated.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The same motion in the units in which it was simulated: those of its world, and of all that the tape tells.
    pub fn in_own_units(&self) -> &Trajectory {
        self.own.as_deref().unwrap_or(self)
    }

    /// What was decided on the way, for derivatives, in its own units.
    pub fn tape(&self) -> &Tape {
        &self.in_own_units().tape
    }

    /// A flight of a machine, by its place.
    pub fn flight(&self, flight: u32) -> &Arc<JoinedFlight> {
        &self.flights[flight as usize]
    }

    /// The phases of one body, in order of time.
    pub fn phases(&self, body: BodyId) -> &[Phase] {
        &self.phases[body.index()]
    }

    /// States of all bodies at t, just after an event that happens then. Before the start it is the start,
    /// after the end the end.
    pub fn at(&self, t: f64) -> Vec<BodyState> {
        (0..self.phases.len()).map(|k| self.body_at(BodyId(k as u32), t)).collect()
    }

    /// State of one body at t, likewise.
    pub fn body_at(&self, body: BodyId, t: f64) -> BodyState {
        self.curve(body).after(t)
    }

    /// How many counted impacts each pair has.
    pub fn impact_counts(&self) -> Vec<(Pair, u32)> {
        let mut counts = std::collections::BTreeMap::new();
        for event in self.events.iter().filter(|event| event.kind == EventKind::Impact) {
            *counts.entry(event.pair()).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    /// The sequence of counted impacts and what touched in them: equal for motions of the same kind.
    pub fn signature(&self) -> Signature {
        let impacts = self.events.iter().filter(|event| event.kind == EventKind::Impact);
        let steps = impacts.map(|event| SignatureStep {
            first: event.first,
            second: event.second,
            features: event.contacts.iter().map(|contact| contact.feature).collect(),
        });
        Signature { steps: steps.collect() }
    }

    /// Bytes that the motion occupies, about.
    pub fn memory(&self) -> usize {
        let phases: usize = self.phases.iter().map(|p| p.capacity() * size_of::<Phase>()).sum();
        let contacts: usize = self.events.iter().map(|e| e.contacts.capacity() * size_of::<EventContact>()).sum();
        let own = self.own.as_ref().map_or(0, |own| own.memory());
        let flights: u64 = self.flights.iter().map(|flight| flight.bytes()).sum();
        let events = self.events.capacity() * size_of::<Event>();
        phases + contacts + flights as usize + events + self.tape.memory() + own
    }
}

/// One counted impact as the signature sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureStep {
    /// The first-named body.
    pub first: BodyId,
    /// The second-named body.
    pub second: BodyId,
    /// What touched.
    pub features: Vec<Feature>,
}

/// The sequence of a motion's impacts, by which motions of one kind are told from others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// In order of time.
    pub steps: Vec<SignatureStep>,
}

impl Signature {
    /// How many impacts the two share from the start.
    pub fn shared_prefix(&self, other: &Signature) -> usize {
        self.steps.iter().zip(&other.steps).take_while(|(a, b)| a == b).count()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Horizon => write!(f, "the whole duration was simulated"),
            End::EventLimit { t, .. } => {
                write!(
                    f,
                    "stopped at {t:.6} s: more events than max_events allows; raise it, or look what rattles there"
                )
            }
            End::WorkLimit { t, .. } => {
                write!(
                    f,
                    "stopped at {t:.6} s: as much work as max_events allows; raise it, or look what rattles there"
                )
            }
            End::MemoryLimit { t, bytes, .. } => write!(
                f,
                "stopped at {t:.6} s: the motion until there fills {} MB, as much as is kept of one; shorten duration, \
                 lengthen step, or look what spins so fast",
                bytes / 1_000_000
            ),
            End::StepLimit { t, steps, .. } => write!(
                f,
                "stopped at {t:.6} s: the series that joined bodies fly by began anew {steps} times, as often as is followed; \
                 make springs softer, or look what swings or spins so fast"
            ),
            End::MachineTouched { t, .. } => write!(
                f,
                "stopped at {t:.6} s: something stays in touch with a body that is joined or pulled, and lasting contact of \
                 machines is not computed yet; let it bounce or give it room, or end the duration before"
            ),
            End::NonFinite { t, .. } => write!(f, "stopped at {t:.6} s: a state is no longer a finite number"),
        }
    }
}
