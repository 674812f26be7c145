//! Simulation in a scene's own units, and the motion told in metres and seconds.
//!
//! ```text
//! x = length·x′    t = time·t′    v = (length/time)·v′    ω = ω′/time    p = (length/time)·p′            (1)
//! ```
//!
//! Which units those are is `model::units`. Decisions stay as they were made, and with them the tape, which `sensitivity` reads
//! in the units in which it was written. What begins as the scene says begins so to the bit.

use std::sync::{Arc, OnceLock};

use super::engine::run;
use super::held::StepPath;
use super::limits::{BrokenOff, Limits};
use super::trajectory::{Course, End, Event, EventContact, Phase, Trajectory};
use crate::dynamics::BodyState;
use crate::model::{ControlVector, Model, Units, World};

/// The motion of a model with a control vector. Never fails: the trajectory says how far it came and why it
/// ended.
pub fn simulate(model: &Model, u: &ControlVector) -> Trajectory {
    simulate_within(model, u, Limits::NONE).expect("nothing breaks off a motion without limits")
}

/// The same, unless it costs more than it may, or nobody waits for it any more.
pub fn simulate_within(model: &Model, u: &ControlVector, limits: Limits) -> Result<Trajectory, BrokenOff> {
    let (world, units) = (World::new(model, u), model.units());
    if units.is_si() {
        return run(world, limits);
    }
    let own = run(world.in_units(units), limits)?;
    let t_end = if own.end == End::Horizon { world.duration } else { own.t_end * units.time };
    let phases = own.phases.iter().enumerate().map(|(k, phases)| {
        let mut told: Vec<Phase> = phases.iter().map(|phase| phase.told(units)).collect();
        if let Some(first) = told.first_mut() {
            first.begin_as(&own.world.bodies[k].initial, phases[0].start(), &world.bodies[k].initial);
        }
        told
    });
    let phases = phases.collect();
    Ok(Trajectory {
        world: Arc::new(world),
        phases,
        flights: own.flights.clone(),
        events: own.events.iter().map(|event| event.told(units)).collect(),
        tape: Default::default(),
        end: own.end.told(units),
        t_end,
        work: own.work,
        own: Some(Arc::new(own)),
        troubles: OnceLock::new(),
    })
}

impl Phase {
    /// (1).
    fn told(&self, units: Units) -> Phase {
        let course = match &self.course {
            Course::Flight(state) => Course::Flight(units.state(state)),
            Course::Rest(state) => Course::Rest(units.state(state)),
            Course::Guided(state) => Course::Guided(units.state(state)),
            Course::Step(path) => Course::Step(path.told(units)),
            // Machines are simulated in metres and seconds (`model::units`).
            joined @ Course::Joined { .. } => *joined,
        };
        Phase { t: self.t * units.time, course }
    }

    /// What began as the initial state in its own units begins as the scene says.
    fn begin_as(&mut self, own_initial: &BodyState, own: &BodyState, initial: &BodyState) {
        let (Course::Flight(start)
        | Course::Rest(start)
        | Course::Guided(start)
        | Course::Step(StepPath { start, .. })
        | Course::Joined { start, .. }) = &mut self.course;
        if own.position == own_initial.position {
            start.position = initial.position;
        }
        if own.velocity == own_initial.velocity {
            start.velocity = initial.velocity;
        }
        if own.spin == own_initial.spin {
            start.spin = initial.spin;
        }
    }
}

impl StepPath {
    /// (1); a shift is a length, and accelerations are the same.
    fn told(&self, units: Units) -> StepPath {
        let [shift, turn] = self.correction;
        StepPath {
            t: self.t * units.time,
            length: self.length * units.time,
            start: units.state(&self.start),
            spin_rate: self.spin_rate / (units.time * units.time),
            correction: [shift * units.length, turn],
            ..*self
        }
    }
}

impl Event {
    /// (1).
    fn told(&self, units: Units) -> Event {
        let contact = |contact: &EventContact| EventContact {
            point: contact.point * units.length,
            impulse: contact.impulse * units.speed(),
            ..*contact
        };
        Event { t: self.t * units.time, contacts: self.contacts.iter().map(contact).collect(), ..self.clone() }
    }
}

impl End {
    /// (1).
    fn told(&self, units: Units) -> End {
        let mut told = self.clone();
        match &mut told {
            End::Horizon => {}
            End::EventLimit { t, .. }
            | End::WorkLimit { t, .. }
            | End::MemoryLimit { t, .. }
            | End::StepLimit { t, .. }
            | End::MachineTouched { t, .. }
            | End::NonFinite { t, .. } => *t *= units.time,
        }
        told
    }
}
