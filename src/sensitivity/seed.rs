//! Which parameters are asked for, and what each changes first.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use crate::model::{BodyId, ControlVector, Model, ParameterId, Quantity, World};

/// The derivative of the world by the parameters asked for.
#[derive(Debug)]
pub(super) struct Seeds {
    /// How many parameters.
    pub count: usize,
    /// Of initial states and places, 12 × parameters.
    pub starts: BTreeMap<BodyId, DMatrix<f64>>,
    /// Of other numbers: parameters that change them, and by how much.
    pub quantities: BTreeMap<Quantity, Vec<(usize, f64)>>,
}

impl Seeds {
    pub fn new(model: &Model, u: &ControlVector, world: &World, parameters: &[ParameterId]) -> Self {
        let mut seeds = Seeds { count: parameters.len(), starts: BTreeMap::new(), quantities: BTreeMap::new() };
        for (column, &parameter) in parameters.iter().enumerate() {
            let direction = world.direction(model, u, parameter);
            if let Some((body, tangent)) = direction.start {
                let start = seeds.starts.entry(body).or_insert_with(|| DMatrix::zeros(12, parameters.len()));
                start.column_mut(column).copy_from(&tangent);
            }
            for (quantity, value) in direction.quantities {
                seeds.quantities.entry(quantity).or_default().push((column, value));
            }
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
