//! Which parameters are asked for, and what each changes first.

use std::collections::BTreeMap;

use super::columns::{Columns, Spare, covering};
use crate::dynamics::StateTangent;
use crate::model::{BodyId, ControlVector, Model, ParameterId, Quantity, World};

/// The derivative of the world by the parameters asked for.
#[derive(Debug)]
pub(super) struct Seeds {
    /// How many parameters.
    pub count: usize,
    /// Of initial states and places, 12 × a run of parameters.
    pub starts: BTreeMap<BodyId, Columns>,
    /// Of other numbers: parameters that change them, and by how much.
    pub quantities: BTreeMap<Quantity, Vec<(usize, f64)>>,
}

impl Seeds {
    pub fn new(model: &Model, u: &ControlVector, world: &World, parameters: &[ParameterId]) -> Self {
        let mut seeds = Seeds { count: parameters.len(), starts: BTreeMap::new(), quantities: BTreeMap::new() };
        let mut starts: BTreeMap<BodyId, Vec<(usize, StateTangent)>> = BTreeMap::new();
        for (column, &parameter) in parameters.iter().enumerate() {
            let direction = world.direction(model, u, parameter);
            for (body, tangent) in direction.starts {
                starts.entry(body).or_insert_with(|| Vec::with_capacity(12)).push((column, tangent));
            }
            for (quantity, value) in direction.quantities {
                seeds.quantities.entry(quantity).or_default().push((column, value));
            }
        }
        for (body, tangents) in starts {
            let runs = tangents.iter().map(|&(column, _)| column..column + 1);
            let run = runs.fold(None, |run, more| Some(covering(run, more))).unwrap_or_default();
            let mut start = Columns::zeros(12, run, &mut Spare::default());
            for (column, tangent) in &tangents {
                start.column_mut(*column).copy_from_slice(tangent.as_slice());
            }
            seeds.starts.insert(body, start);
        }
        seeds
    }

    /// Whether some parameter changes this number.
    pub fn asks(&self, quantity: Quantity) -> bool {
        self.quantities.contains_key(&quantity)
    }

    /// The parameters that change a number, with values.
    pub fn columns(&self, quantity: Quantity) -> &[(usize, f64)] {
        self.quantities.get(&quantity).map_or(&[], Vec::as_slice)
    }
}
