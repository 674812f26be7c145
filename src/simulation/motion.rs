//! How one body moves until its next event: it flies, alone or joined, is held in a step, follows tracks, or rests.
//!
//! Searches ask a motion for its state at a time and for bounds from one time to another: with a the acceleration of the
//! centre of mass that a motion keeps to but for ε, and Ω and Ω' bounds of spin and spin rate, a point at ρ from the centre
//! keeps to
//!
//! ```text
//! |x(τ) − (x + v·τ + ½a·τ²)| ≤ ½ε·τ²,        |ρ(τ) − (ρ + ω × ρ·τ)| ≤ ½(Ω' + Ω²)·|ρ|·τ²               (1)
//! ```
//!
//! when v and ω are those of the path, as [`Motion::along_path`] has them at the start of a step.

use std::sync::Arc;

use super::held::StepPath;
use super::trajectory::{Course, Phase, Trajectory};
use crate::dynamics::joined::{JoinedBounds, JoinedFlight};
use crate::dynamics::{BodyState, Flight, GuidedMotion, StateTangent};
use crate::math::Vec3;
use crate::model::BodyId;

/// The motion of one body from some time on.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Touched by nothing but gravity.
    Flight(Flight),
    /// Inside a step of a held group.
    Step(StepPath),
    /// Asleep, or fixed.
    Rest(BodyState),
    /// With a machine.
    Joined(JoinedMotion),
    /// As its tracks say, from a time on, s.
    Guided(GuidedMotion, f64),
}

/// The motion of a member of a machine.
#[derive(Clone, Debug)]
pub struct JoinedMotion {
    /// Of all members.
    pub flight: Arc<JoinedFlight>,
    /// Its place among the trajectory's flights.
    pub id: u32,
    /// The place among its members.
    pub member: u32,
}

impl JoinedMotion {
    fn at(&self, t: f64) -> BodyState {
        self.flight.at(self.member as usize, t)
    }
}

/// What a motion keeps to for a while.
#[derive(Clone, Copy, Debug)]
pub struct MotionBounds {
    /// The acceleration of the centre of mass is this one, m/s²,
    pub acceleration: Vec3,
    /// but for so much at most, m/s²; zero where it is constant.
    pub unsteadiness: f64,
    /// At least |ω|, rad/s; zero only where nothing turns.
    pub spin: f64,
    /// At least |dω/dt|, rad/s².
    pub spin_rate: f64,
}

impl MotionBounds {
    /// At least |d²ρ/dt²| of an arm ρ that turns with the body, for each metre of it: |dω/dt| + Ω².
    pub fn bend(&self) -> f64 {
        self.spin_rate + self.spin * self.spin
    }

    /// The box that the centre of mass does not leave for so many seconds from a state on, whose velocity is that of the
    /// path: about the parabola x + v·τ + ½a·τ², and as far around it as the acceleration's unsteadiness leads.
    pub fn path_box(&self, start: &BodyState, duration: f64) -> (Vec3, Vec3) {
        let (low, high) = parabola_box(&start.position, &start.velocity, &self.acceleration, duration);
        let stray = Vec3::repeat(0.5 * self.unsteadiness * duration * duration);
        (low - stray, high + stray)
    }

    /// The farthest that the centre of mass comes from where it is, in so many seconds.
    pub fn farthest(&self, speed: f64, duration: f64) -> f64 {
        (speed + 0.5 * (self.acceleration.norm() + self.unsteadiness) * duration) * duration
    }
}

impl Motion {
    /// How a phase that starts so goes.
    pub fn course(&self) -> Course {
        match self {
            Motion::Flight(flight) => Course::Flight(*flight.start_state()),
            Motion::Step(path) => Course::Step(*path),
            Motion::Rest(state) => Course::Rest(*state),
            Motion::Joined(joined) => Course::Joined {
                flight: joined.id,
                member: joined.member,
                start: *joined.flight.start_state(joined.member as usize),
            },
            Motion::Guided(guided, begin) => Course::Guided(guided.at(*begin)),
        }
    }

    /// Makes the motion valid up to `t`, as far as it goes.
    pub fn extend_to(&mut self, t: f64) {
        match self {
            Motion::Flight(flight) => flight.extend_to(t),
            Motion::Joined(joined) => joined.flight.extend_to(t),
            Motion::Step(_) | Motion::Rest(_) | Motion::Guided(..) => {}
        }
    }

    /// The time beyond which it cannot be extended; infinity where the next event alone ends it.
    pub fn known_until(&self) -> f64 {
        match self {
            Motion::Flight(flight) => flight.known_until(),
            Motion::Joined(joined) => joined.flight.known_until(),
            Motion::Step(_) | Motion::Rest(_) | Motion::Guided(..) => f64::INFINITY,
        }
    }

    /// How often a stored motion begins anew after its start.
    pub fn node_count(&self) -> usize {
        match self {
            Motion::Flight(flight) => flight.node_count(),
            Motion::Step(_) | Motion::Rest(_) | Motion::Joined(_) | Motion::Guided(..) => 0,
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
            Motion::Joined(joined) => joined.at(t),
            Motion::Guided(guided, _) => guided.at(t),
        }
    }

    /// F where it is: how fast the state changes along the motion.
    pub fn rate(&self, t: f64) -> StateTangent {
        match self {
            Motion::Flight(flight) => flight.rate(t),
            Motion::Step(path) => path.rate(t),
            Motion::Rest(_) => StateTangent::zeros(),
            Motion::Joined(joined) => joined.flight.rate(joined.member as usize, t),
            Motion::Guided(guided, _) => guided.rate(t),
        }
    }

    /// The state with the velocities of the path: a step's path is bent a little by its projection, which is no velocity
    /// of the body. The velocity is exact; of the spin what the turn within the step changes in the share of the projection
    /// and of the spin rate is left out, which is of second order in the turn ([`Motion::rate`] has all of it).
    pub fn along_path(&self, t: f64) -> BodyState {
        match self {
            Motion::Step(path) => path.with_path_velocity(t),
            Motion::Flight(..) | Motion::Rest(_) | Motion::Joined(_) | Motion::Guided(..) => self.at(t),
        }
    }

    /// What the motion keeps to between two times at which it is valid. Flights and steps keep to the same all along:
    /// their bounds are not made tighter for less time; machines keep to no more than what they do between.
    pub fn bounds(&self, from: f64, until: f64) -> MotionBounds {
        let (acceleration, spin, spin_rate) = match self {
            Motion::Flight(flight) => (flight.acceleration(), flight.spin_bound(), flight.spin_rate_bound()),
            Motion::Step(path) => (path.path_acceleration(), path.spin_bound(), path.spin_rate_bound()),
            Motion::Rest(_) => (Vec3::zeros(), 0.0, 0.0),
            Motion::Joined(joined) => {
                let JoinedBounds { acceleration, unsteadiness, spin, spin_rate } =
                    joined.flight.bounds(joined.member as usize, from, until);
                return MotionBounds { acceleration, unsteadiness, spin, spin_rate };
            }
            Motion::Guided(guided, _) => {
                let (acceleration, unsteadiness) = guided.acceleration(from, until);
                let [spin, spin_rate] = guided.spin_bounds(from, until);
                return MotionBounds { acceleration, unsteadiness, spin, spin_rate };
            }
        };
        MotionBounds { acceleration, unsteadiness: 0.0, spin, spin_rate }
    }

    /// The time until which the motion is valid, at most `limit`.
    pub fn valid_until(&self, limit: f64) -> f64 {
        match self {
            Motion::Step(path) => limit.min(path.t + path.length),
            Motion::Guided(guided, _) => limit.min(guided.until),
            Motion::Flight(..) | Motion::Rest(_) | Motion::Joined(_) => limit,
        }
    }

    /// Whether it does not move at all.
    pub fn is_still(&self) -> bool {
        match self {
            Motion::Rest(_) => true,
            Motion::Guided(guided, _) => guided.is_still(),
            Motion::Flight(_) | Motion::Step(_) | Motion::Joined(_) => false,
        }
    }
}

/// The box around a parabola x + v·τ + ½g·τ², τ from 0 to `duration`.
fn parabola_box(x: &Vec3, v: &Vec3, g: &Vec3, duration: f64) -> (Vec3, Vec3) {
    let at = |tau: f64, k: usize| x[k] + tau * (v[k] + 0.5 * g[k] * tau);
    let (mut low, mut high) = (*x, *x);
    for k in 0..3 {
        let turn = -v[k] / g[k];
        let turn = if turn > 0.0 && turn < duration { turn } else { duration };
        for value in [at(turn, k), at(duration, k)] {
            low[k] = low[k].min(value);
            high[k] = high[k].max(value);
        }
    }
    (low, high)
}

impl Phase {
    /// The motion of a body through this phase, valid up to `until`.
    pub fn motion(&self, trajectory: &Trajectory, body: BodyId, until: f64) -> Motion {
        match &self.course {
            Course::Flight(state) => {
                let mut flight = trajectory.world().flight(body, self.t, *state);
                flight.extend_to(until);
                Motion::Flight(flight)
            }
            Course::Step(path) => Motion::Step(*path),
            Course::Rest(state) => Motion::Rest(*state),
            Course::Guided(state) => {
                let guided = trajectory.world().guided(body, self.t);
                guided.map_or(Motion::Rest(*state), |guided| Motion::Guided(guided, self.t))
            }
            Course::Joined { flight, member, .. } => {
                let joined = trajectory.flight(*flight).clone();
                Motion::Joined(JoinedMotion { flight: joined, id: *flight, member: *member })
            }
        }
    }
}
