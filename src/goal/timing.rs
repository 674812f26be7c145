//! When a goal holds: finding its instant on a motion, and how a floating time moves.
//!
//! An impact's time and its total derivative come from `sensitivity`. An apex is ours: with E = v·g = 0,
//!
//! ```text
//! δt = −(g·δv + v·δg)/(g·g)                                                                 (1)
//! ```

use thiserror::Error;

use super::error::GoalProblem;
use crate::dynamics::{BodyState, StateTangent};
use crate::model::{BodyId, Model, Pair};
use crate::scene::{Side, When};
use crate::simulation::{End, Event, EventKind, Trajectory};

/// A moment with its names resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// s.
    Time(f64),
    /// Of the motion.
    End,
    /// Just before or after an impact.
    Impact {
        /// Who takes part.
        subject: Subject,
        /// From 1.
        number: u32,
        /// Which side.
        side: Side,
    },
    /// The n-th top of a body's flights.
    Apex {
        /// Who flies.
        body: BodyId,
        /// From 1.
        n: u32,
    },
    /// Once a body rests for good.
    Rest {
        /// Who.
        body: BodyId,
    },
}

/// Whose impacts are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One body's, with anything.
    Body(BodyId),
    /// A pair's.
    Pair(Pair),
}

/// A moment found on one motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instant {
    /// At this time, whatever changes.
    Fixed {
        /// s.
        t: f64,
    },
    /// At an event, wherever it moves.
    Event {
        /// Its place in `trajectory.events`.
        event: usize,
        /// s.
        t: f64,
        /// Which side.
        side: Side,
    },
    /// At the top of a flight.
    Apex {
        /// Who flies.
        body: BodyId,
        /// s.
        t: f64,
    },
}

/// What a goal waits for in vain.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum Missing {
    /// Too few impacts.
    #[error("impact {name} does not occur: {}", impacts(*.found))]
    Impact { name: String, found: u32 },
    /// Too few tops.
    #[error("{body} has no apex {n}: {}", tops(*.found))]
    Apex { body: String, n: u32, found: u32 },
    /// Still moving at the end.
    #[error("{body} does not come to rest by the end")]
    Rest { body: String },
    /// The simulation stopped before.
    #[error("the motion stopped early, at {t} s")]
    Stopped { t: f64 },
    /// A joint that is switched off, or whose bodies are held by contacts.
    #[error("{joint} holds nothing in flight at {t} s, and has no force there")]
    NotHolding { joint: String, t: f64 },
    /// A joint without a force.
    #[error("{joint} contradicts other joints at {t} s, and has no force of its own; switch one of them off")]
    Conflicting { joint: String, t: f64 },
    /// A division by zero, the root of a negative number, or an overflow.
    #[error("it has no finite value at {t} s")]
    NoValue { t: f64 },
}

/// Turns names into ids.
pub(super) struct Names<'a> {
    pub model: &'a Model,
}

impl Names<'_> {
    pub fn body(&self, name: &str) -> Result<BodyId, GoalProblem> {
        self.model.body(name).ok_or_else(|| GoalProblem::UnknownBody {
            name: name.to_owned(),
            nearest: self.model.nearest_body(name).map(str::to_owned),
        })
    }

    /// The moment a person wrote.
    pub fn timing(&self, when: &When) -> Result<Timing, GoalProblem> {
        let duration = self.model.duration();
        Ok(match when {
            When::Time(t) if *t > duration => return Err(GoalProblem::AfterTheEnd { t: *t, duration }),
            When::Time(t) => Timing::Time(*t),
            When::End => Timing::End,
            When::Impact { impact, side } => {
                let (subject, number) = self.impact(impact)?;
                Timing::Impact { subject, number, side: *side }
            }
            When::Apex { apex, n } => Timing::Apex { body: self.flier(apex)?, n: *n },
            When::Rest { rest } => Timing::Rest { body: self.body(rest)? },
        })
    }

    /// `A/B#k` or `A#k`.
    pub fn impact(&self, name: &str) -> Result<(Subject, u32), GoalProblem> {
        let wrong = || GoalProblem::NoImpact { name: name.to_owned() };
        let (who, number) = name.rsplit_once('#').ok_or_else(wrong)?;
        let number: u32 = number.trim().parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
        let Some((one, other)) = who.split_once('/') else {
            return Ok((Subject::Body(self.body(who.trim())?), number));
        };
        let (one, other) = (self.body(one.trim())?, self.body(other.trim())?);
        let pushed = |body: BodyId| self.model.bodies()[body.index()].drive.is_pushed();
        let why = if one == other {
            "a body does not meet itself; name two bodies"
        } else if !pushed(one) && !pushed(other) {
            "both bodies are fixed and never meet; name a moving one"
        } else {
            return Ok((Subject::Pair(self.model.pair(one, other)), number));
        };
        Err(GoalProblem::NoPair { name: name.to_owned(), why })
    }

    pub fn flier(&self, name: &str) -> Result<BodyId, GoalProblem> {
        let body = self.body(name)?;
        let why = self.model.bodies()[body.index()].drive.never_moves().then_some("it is fixed");
        why.map_or(Ok(body), |why| Err(GoalProblem::NoApex { body: name.to_owned(), why }))
    }
}

impl Subject {
    /// Whether an event is one of its impacts.
    pub fn takes_part(&self, event: &Event) -> bool {
        let who = match self {
            Subject::Body(body) => event.first == *body || event.second == *body,
            Subject::Pair(pair) => event.pair() == *pair,
        };
        who && event.kind == EventKind::Impact
    }

    /// As people write it.
    pub fn name(&self, model: &Model) -> String {
        let name = |body: BodyId| model.bodies()[body.index()].name.to_string();
        match self {
            Subject::Body(body) => name(*body),
            Subject::Pair(pair) => format!("{}/{}", name(pair.first), name(pair.second)),
        }
    }
}

impl Timing {
    /// The instant on one motion, or what is missing there.
    pub fn find(&self, model: &Model, trajectory: &Trajectory) -> Result<Instant, Missing> {
        let name = |body: BodyId| model.bodies()[body.index()].name.to_string();
        let stopped = trajectory.end != End::Horizon;
        match *self {
            Timing::Time(t) if stopped && t > trajectory.t_end => Err(Missing::Stopped { t: trajectory.t_end }),
            Timing::Time(t) => Ok(Instant::Fixed { t }),
            Timing::End if stopped => Err(Missing::Stopped { t: trajectory.t_end }),
            Timing::End => Ok(Instant::Fixed { t: trajectory.t_end }),
            Timing::Impact { subject, number, side } => {
                let impacts = trajectory.events.iter().enumerate().filter(|(_, event)| subject.takes_part(event));
                let found = impacts.clone().nth(number as usize - 1);
                let missing = || Missing::Impact {
                    name: format!("{}#{number}", subject.name(model)),
                    found: impacts.clone().count() as u32,
                };
                found.map(|(event, at)| Instant::Event { event, t: at.t, side }).ok_or_else(missing)
            }
            Timing::Apex { body, n } => {
                let tops = trajectory.curve(body).apexes();
                let missing = || Missing::Apex { body: name(body), n, found: tops.len() as u32 };
                tops.get(n as usize - 1).map(|&t| Instant::Apex { body, t }).ok_or_else(missing)
            }
            Timing::Rest { body } => {
                if !trajectory.curve(body).rests_at_end() || stopped {
                    return Err(Missing::Rest { body: name(body) });
                }
                // From its last phase on it stays where it is: the end tells where.
                Ok(Instant::Fixed { t: trajectory.t_end })
            }
        }
    }
}

impl Instant {
    /// s.
    pub fn t(&self) -> f64 {
        match *self {
            Instant::Fixed { t } | Instant::Event { t, .. } | Instant::Apex { t, .. } => t,
        }
    }

    /// A body's state there.
    pub fn state(&self, trajectory: &Trajectory, body: BodyId) -> BodyState {
        let curve = trajectory.curve(body);
        match *self {
            Instant::Event { t, side: Side::Before, .. } => curve.before(t),
            _ => curve.after(self.t()),
        }
    }

    /// How a body's state moves with time there.
    pub fn rate(&self, trajectory: &Trajectory, body: BodyId) -> StateTangent {
        let curve = trajectory.curve(body);
        match *self {
            Instant::Event { t, side: Side::Before, .. } => curve.rate_before(t),
            _ => curve.rate_after(self.t()),
        }
    }
}

fn impacts(found: u32) -> String {
    match found {
        0 => "there is none".to_owned(),
        1 => "there is only one".to_owned(),
        many => format!("there are only {many}"),
    }
}

fn tops(found: u32) -> String {
    match found {
        0 => "it never rises".to_owned(),
        found => format!("its flights have {found}"),
    }
}
