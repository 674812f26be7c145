//! Stand-in for the simulation room: nothing moves and nothing happens.

use std::fmt;

use crate::dynamics::BodyState;
use crate::math::Vec3;
use crate::model::{BodyId, ControlVector, Model, World};

/// A motion.
pub struct Trajectory {
    /// In order of time.
    pub events: Vec<Event>,
    /// Why it ended.
    pub end: End,
    states: Vec<BodyState>,
}

/// One event.
pub struct Event {
    /// s.
    pub t: f64,
    /// What happened.
    pub kind: EventKind,
    /// First of the pair.
    pub first: BodyId,
    /// Second of the pair.
    pub second: BodyId,
    /// Of the impact.
    pub number: u32,
    /// Whether it grazes.
    pub grazing: bool,
    /// Where.
    pub contacts: Vec<EventContact>,
}

/// One point of an event.
pub struct EventContact {
    /// m.
    pub point: Vec3,
    /// From second to first.
    pub normal: Vec3,
    /// On the first.
    pub impulse: Vec3,
}

/// What happened.
pub enum EventKind {
    /// A counted impact.
    Impact,
}

/// Why a motion ended.
pub enum End {
    /// All of it.
    Horizon,
}

impl EventKind {
    /// As in JSON.
    pub fn as_str(&self) -> &'static str {
        "impact"
    }
}

impl End {
    /// As in JSON.
    pub fn as_str(&self) -> &'static str {
        "horizon"
    }
}

impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("it reached the end of the scene")
    }
}

impl Trajectory {
    /// Just after an event at t.
    pub fn at(&self, _t: f64) -> Vec<BodyState> {
        self.states.clone()
    }
}

/// Nothing moves.
pub fn simulate(model: &Model, u: &ControlVector) -> Trajectory {
    let states = World::new(model, u)
        .bodies
        .iter()
        .map(|body| body.initial)
        .collect();
    Trajectory {
        events: Vec::new(),
        end: End::Horizon,
        states,
    }
}
