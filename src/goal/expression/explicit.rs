//! What a scalar changes with beside the states at its instant: numbers of the world, where bodies began, and time itself.
//!
//! ```text
//! δc = Σ numbers c_n·δn + Σ bodies c_0·δq(0) + c_t·δt          δn, δq(0) by u: the derivative of the world       (1)
//! ```

use std::collections::BTreeMap;

use crate::dynamics::StateTangent;
use crate::dynamics::joined::{Column, JoinedFlight, NumberId, StartTerm, What, start_terms};
use crate::goal::Gradient;
use crate::goal::timing::Instant;
use crate::model::{Axis, BodyId, ControlVector, Model, ParameterId, Quantity, World, WorldDirection};

/// How the world changes with every parameter.
pub(super) struct Directions(Vec<(ParameterId, WorldDirection)>);

/// The coefficients of (1).
#[derive(Clone, Debug, Default)]
pub(super) struct Explicit {
    quantities: BTreeMap<Quantity, f64>,
    starts: BTreeMap<BodyId, StateTangent>,
    time: f64,
}

impl Directions {
    pub fn new(model: &Model, u: &ControlVector, world: &World) -> Directions {
        let ids = (0..model.parameters().len() as u32).map(ParameterId);
        Directions(ids.map(|id| (id, world.direction(model, u, id))).collect())
    }
}

impl Explicit {
    /// Of where a body began.
    pub fn of_start(body: BodyId, row: StateTangent) -> Explicit {
        Explicit { starts: BTreeMap::from([(body, row)]), ..Explicit::default() }
    }

    /// Adds a column of a machine's flight.
    pub fn add_column(&mut self, world: &World, flight: &JoinedFlight, column: Column, factor: f64) {
        if factor == 0.0 {
            return;
        }
        let body = |member: usize| BodyId(flight.members()[member] as u32);
        match column {
            Column::Gravity(axis) => self.add(Quantity::gravity(Axis::ALL[axis]), factor),
            Column::Mass(member) => self.add(Quantity::Mass(body(member)), factor),
            Column::Inertia(member, axis) => self.add(Quantity::Inertia(body(member), Axis::ALL[axis]), factor),
            Column::Number(id) if id.what == What::Clock => self.time += factor,
            Column::Number(id) => self.add_number(world, id, factor),
        }
    }

    fn add(&mut self, quantity: Quantity, factor: f64) {
        *self.quantities.entry(quantity).or_default() += factor;
    }

    /// A number of a machine, or what it follows of the start.
    fn add_number(&mut self, world: &World, id: NumberId, factor: f64) {
        if let Some(quantity) = world.quantity_of(id) {
            return self.add(quantity, factor);
        }
        let machine = &world.machine;
        for term in start_terms(&world.body_facts(), (&machine.joints, &machine.forces, &machine.tracks), id) {
            match term {
                StartTerm::Body(body, covector) => {
                    let row = self.starts.entry(BodyId(body as u32)).or_insert_with(StateTangent::zeros);
                    covector.iter().enumerate().for_each(|(k, entry)| row[k] += factor * entry);
                }
                StartTerm::Number(id, rate) => {
                    world.quantity_of(id).into_iter().for_each(|quantity| self.add(quantity, factor * rate));
                }
            }
        }
    }

    /// (1).
    pub fn gradient(&self, directions: &Directions, instant: &Instant) -> Gradient {
        let rate = |direction: &WorldDirection| {
            let of_start = |(body, tangent): &(BodyId, StateTangent)| self.starts.get(body).map(|row| row.dot(tangent));
            let of_number =
                |(number, value): &(Quantity, f64)| self.quantities.get(number).map(|factor| factor * value);
            let starts: f64 = direction.starts.iter().filter_map(of_start).sum();
            starts + direction.quantities.iter().filter_map(of_number).sum::<f64>()
        };
        let rates = directions.0.iter().map(|(id, direction)| (*id, rate(direction)));
        let parameters = rates.filter(|(_, rate)| *rate != 0.0).collect();
        let times = if self.time == 0.0 { Vec::new() } else { vec![(*instant, self.time)] };
        Gradient { parameters, times, ..Gradient::default() }
    }
}
