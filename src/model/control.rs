//! The control vector u: one number for every parameter, free or locked.

use std::ops::{Index, IndexMut};

use super::parameter::ParameterId;

/// Values of all parameters of one model, in its order.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlVector {
    values: Vec<f64>,
}

impl ControlVector {
    pub(super) fn new(values: Vec<f64>) -> ControlVector {
        ControlVector { values }
    }

    /// All values, in the order of the parameters.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

impl Index<ParameterId> for ControlVector {
    type Output = f64;

    fn index(&self, id: ParameterId) -> &f64 {
        &self.values[id.index()]
    }
}

impl IndexMut<ParameterId> for ControlVector {
    fn index_mut(&mut self, id: ParameterId) -> &mut f64 {
        &mut self.values[id.index()]
    }
}
