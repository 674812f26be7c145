//! How one body moves until its next event: it flies, it is held in a step, or it rests.

use super::held::StepPath;
use crate::dynamics::{BodyState, Flight};
use crate::math::Vec3;

/// The motion of one body from some time on.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Touched by nothing but gravity, which is kept beside it.
    Flight(Flight, Vec3),
    /// Inside a step of a held group.
    Step(StepPath),
    /// Asleep, or fixed.
    Rest(BodyState),
}

impl Motion {
    /// The state at a time at which the motion is valid.
    pub fn at(&self, t: f64) -> BodyState {
        match self {
            // At its start a flight is its start, to the last bit.
            Motion::Flight(flight, _) if t == flight.start() => *flight.start_state(),
            Motion::Flight(flight, _) => flight.at(t),
            Motion::Step(path) => path.at(t),
            Motion::Rest(state) => *state,
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
            Motion::Flight(_, gravity) => *gravity,
            Motion::Step(path) => path.path_acceleration(),
            Motion::Rest(_) => Vec3::zeros(),
        }
    }

    /// At least |ω| at any time of the motion.
    pub fn spin_bound(&self) -> f64 {
        match self {
            Motion::Flight(flight, _) => flight.spin_bound(),
            Motion::Step(path) => path.spin_bound(),
            Motion::Rest(_) => 0.0,
        }
    }

    /// At least |dω/dt| at any time of the motion.
    pub fn spin_rate_bound(&self) -> f64 {
        match self {
            Motion::Flight(flight, _) => flight.spin_rate_bound(),
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
