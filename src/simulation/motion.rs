//! How one body moves until its next event: it flies, it is held in a step, or it rests.

use super::held::StepPath;
use super::trajectory::{Course, Phase};
use crate::dynamics::{BodyState, Flight, StateTangent};
use crate::math::Vec3;
use crate::model::{BodyId, World};

/// The motion of one body from some time on.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Touched by nothing but gravity.
    Flight(Flight),
    /// Inside a step of a held group.
    Step(StepPath),
    /// Asleep, or fixed.
    Rest(BodyState),
}

impl Motion {
    /// How a phase that starts so goes.
    pub fn course(&self) -> Course {
        match self {
            Motion::Flight(flight) => Course::Flight(*flight.start_state()),
            Motion::Step(path) => Course::Step(*path),
            Motion::Rest(state) => Course::Rest(*state),
        }
    }

    /// Makes the motion valid up to `t`, as far as it goes.
    pub fn extend_to(&mut self, t: f64) {
        if let Motion::Flight(flight) = self {
            flight.extend_to(t);
        }
    }

    /// The state at a time at which the motion is valid.
    pub fn at(&self, t: f64) -> BodyState {
        match self {
            // At its start a flight is its start, to the last bit.
            Motion::Flight(flight) if t == flight.start() => *flight.start_state(),
            Motion::Flight(flight) => flight.at(t),
            Motion::Step(path) => path.at(t),
            Motion::Rest(state) => *state,
        }
    }

    /// F where it is: how fast the state changes along the motion.
    pub fn rate(&self, t: f64) -> StateTangent {
        match self {
            Motion::Flight(flight) => flight.rate(t),
            Motion::Step(path) => path.rate(t),
            Motion::Rest(_) => StateTangent::zeros(),
        }
    }

    /// The state with velocities that are the derivative of the path to the last digit: a step's path is bent a
    /// little by its projection, which is no velocity of the body.
    pub fn along_path(&self, t: f64) -> BodyState {
        match self {
            Motion::Step(path) => path.with_path_velocity(t),
            Motion::Flight(..) | Motion::Rest(_) => self.at(t),
        }
    }

    /// Acceleration of the centre of mass, constant over the motion.
    pub fn acceleration(&self) -> Vec3 {
        match self {
            Motion::Flight(flight) => flight.acceleration(),
            Motion::Step(path) => path.path_acceleration(),
            Motion::Rest(_) => Vec3::zeros(),
        }
    }

    /// At least |ω| at any time of the motion.
    pub fn spin_bound(&self) -> f64 {
        match self {
            Motion::Flight(flight) => flight.spin_bound(),
            Motion::Step(path) => path.spin_bound(),
            Motion::Rest(_) => 0.0,
        }
    }

    /// At least |dω/dt| at any time of the motion.
    pub fn spin_rate_bound(&self) -> f64 {
        match self {
            Motion::Flight(flight) => flight.spin_rate_bound(),
            Motion::Step(path) => path.spin_rate_bound(),
            Motion::Rest(_) => 0.0,
        }
    }

    /// The time until which the motion is valid, at most `limit`.
    pub fn valid_until(&self, limit: f64) -> f64 {
        match self {
            Motion::Step(path) => limit.min(path.t + path.length),
            Motion::Flight(..) | Motion::Rest(_) => limit,
        }
    }

    /// Whether it does not move at all.
    pub fn is_still(&self) -> bool {
        matches!(self, Motion::Rest(_))
    }
}

impl Phase {
    /// The motion of a body through this phase, valid up to `until`.
    pub fn motion(&self, world: &World, body: BodyId, until: f64) -> Motion {
        match &self.course {
            Course::Flight(state) => {
                let mut flight = world.flight(body, self.t, *state);
                flight.extend_to(until);
                Motion::Flight(flight)
            }
            Course::Step(path) => Motion::Step(*path),
            Course::Rest(state) => Motion::Rest(*state),
        }
    }
}
