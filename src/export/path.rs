//! Where one body is at any time, on either side of an instant.
//!
//! A trajectory keeps how each phase begins. Reading it thousands of times in order of time is cheaper if the flight of
//! a phase is prepared once; and a key at an impact needs the state just before as well as just after:
//!
//! ```text
//! before(t) = the phase that ends at t, at its end        after(t) = the phase that begins at t, at its start
//! ```

use std::mem::discriminant;

use crate::dynamics::{BodyState, Flight};
use crate::model::BodyId;
use crate::simulation::{Course, Event, EventKind, Phase, Trajectory};

/// A velocity that changes by more than this in no time was struck, m/s or rad/s. Far above the rounding of any phase,
/// far below the slowest impact that shows.
const JUMP: f64 = 1e-6;

/// The motion of one body, ready to be read at many times.
pub struct BodyPath<'a> {
    phases: &'a [Phase],
    /// One for each phase that flies.
    flights: Vec<Option<Flight>>,
    initial: BodyState,
    t_end: f64,
    /// Times at which a velocity jumps or an event of this body lies, in order.
    instants: Vec<f64>,
}

impl<'a> BodyPath<'a> {
    /// Prepares the motion of one body.
    pub fn new(trajectory: &'a Trajectory, body: BodyId) -> BodyPath<'a> {
        let phases = trajectory.phases(body);
        let world = trajectory.world();
        let properties = &world.bodies[body.index()];
        let ends = phases.iter().skip(1).map(|phase| phase.t).chain([trajectory.t_end]);
        let flight = |(phase, end): (&Phase, f64)| match &phase.course {
            Course::Flight(state) => {
                let mut flight = Flight::new(&properties.mass, world.gravity, phase.t, *state);
                flight.extend_to(end);
                Some(flight)
            }
            Course::Step(_) | Course::Rest(_) => None,
        };
        let flights = phases.iter().zip(ends).map(flight).collect();
        let t_end = trajectory.t_end;
        let mut path = BodyPath { phases, flights, initial: properties.initial, t_end, instants: Vec::new() };
        path.instants = path.find_instants(&trajectory.events, body);
        path
    }

    /// When the motion ends, s.
    pub fn t_end(&self) -> f64 {
        self.t_end
    }

    /// Times at which something happens to this body, in order, each once.
    pub fn instants(&self) -> &[f64] {
        &self.instants
    }

    /// Times at which the body starts or stops flying, resting or being held.
    pub fn changes_of_course(&self) -> impl Iterator<Item = f64> {
        let pairs =
            self.phases.windows(2).filter(|pair| discriminant(&pair[0].course) != discriminant(&pair[1].course));
        pairs.map(|pair| pair[1].t)
    }

    /// Whether it is in a step of a held group just after t.
    pub fn is_held(&self, t: f64) -> bool {
        let index = self.phases.partition_point(|phase| phase.t <= t).saturating_sub(1);
        self.phases.get(index).is_some_and(|phase| matches!(phase.course, Course::Step(_)))
    }

    /// Whether it is ever anywhere but where it began.
    pub fn moves(&self) -> bool {
        let moving = |phase: &Phase| match &phase.course {
            Course::Rest(state) => state.position != self.initial.position || state.rotation != self.initial.rotation,
            Course::Flight(_) | Course::Step(_) => true,
        };
        self.phases.iter().any(moving)
    }

    /// The state at t, just after what happens then.
    pub fn after(&self, t: f64) -> BodyState {
        self.on_phase(self.phases.partition_point(|phase| phase.t <= t), t)
    }

    /// The state at t, just before what happens then.
    pub fn before(&self, t: f64) -> BodyState {
        self.on_phase(self.phases.partition_point(|phase| phase.t < t).max(1), t)
    }

    /// The state at t on the phase before place `next`.
    fn on_phase(&self, next: usize, t: f64) -> BodyState {
        let index = next.saturating_sub(1);
        // A run that ended before it began has no phases.
        let Some(phase) = self.phases.get(index) else { return self.initial };
        let t = t.clamp(0.0, self.t_end);
        match (&phase.course, &self.flights[index]) {
            (Course::Flight(state), _) if t == phase.t => *state,
            (Course::Flight(_), Some(flight)) => flight.at(t),
            (Course::Step(path), _) => path.at(t),
            (Course::Rest(state) | Course::Flight(state), _) => *state,
        }
    }

    fn find_instants(&self, events: &[Event], body: BodyId) -> Vec<f64> {
        let own = |event: &&Event| {
            let happens = !matches!(event.kind, EventKind::Rest) && event.t <= self.t_end;
            happens && (event.first == body || event.second == body)
        };
        let jumps = |t: &f64| {
            let (before, after) = (self.before(*t), self.after(*t));
            (after.velocity - before.velocity).amax().max((after.spin - before.spin).amax()) > JUMP
        };
        let mut instants: Vec<f64> = self.phases.iter().skip(1).map(|phase| phase.t).filter(jumps).collect();
        instants.extend(events.iter().filter(own).map(|event| event.t));
        instants.sort_by(f64::total_cmp);
        instants.dedup();
        instants
    }
}
