//! What the chain keeps of a machine's flight at one time; `joined` makes it and reads it.

use crate::dynamics::joined::{StartTerm, Variation};
use crate::model::Quantity;

/// The variation of a flight at a time, with what its columns are.
pub(super) struct JoinedChange {
    pub variation: Variation,
    pub columns: Vec<Asked>,
}

/// A column of a flight, as the chain sees it.
pub(super) enum Asked {
    /// A number of the world.
    Quantity(Quantity),
    /// What follows the start of the motion.
    OfTheStart(Vec<StartTerm>),
}
