//! What became of a start that was to be assembled; who makes it is `assembly`.

use crate::dynamics::joined::{Assembly, BodyFacts};

/// Groups on their joints, and what stays apart.
#[derive(Debug, Default)]
pub(super) struct Assembled {
    pub groups: Vec<Assembly>,
    /// Joints that stay apart, and how far, m or rad.
    pub apart: Vec<(usize, f64)>,
    /// All bodies as they were given.
    pub given: Vec<BodyFacts>,
}

/// Bodies that joints hold together from the start.
#[derive(Clone, Debug, PartialEq)]
pub struct StartGroup {
    /// In order, those too that stay where they are.
    pub members: Vec<usize>,
    /// The joints, by their places.
    pub joints: Vec<usize>,
}
