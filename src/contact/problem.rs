//! What is asked at one instant: velocities without impulse, how impulses change them, and the law of every block of rows.
//!
//! Vectors over the rows hold three numbers per block: (normal, T1, T2) of the contacts first, below them whatever else the
//! list of blocks has.

use std::sync::Arc;

use nalgebra::DVector;

use super::group::Group;
use super::law::kind::{Kind, PerKind};
use super::law::row_law::RowLaw;
use super::linear::response::Response;

/// What is asked at one instant.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    /// K: velocity per impulse.
    pub response: Arc<Response>,
    /// w, one number per row: velocity without impulse, beside what rows that hold are asked for.
    pub velocity: DVector<f64>,
    /// The law of every block of three rows. Contacts stand first, and what is coupled to a block after it.
    pub laws: Arc<[RowLaw]>,
    /// Normal impulses where they are given, one per contact.
    pub given_normal: Option<Vec<f64>>,
}

impl ContactProblem {
    /// The problem of a group whose rows have the velocities `velocity`, with no normal impulse given.
    pub fn new(group: &Group, mut velocity: DVector<f64>) -> Self {
        group.subtract_targets(velocity.as_mut_slice());
        Self { response: Arc::new(group.response_in_form()), velocity, laws: group.laws.clone(), given_normal: None }
    }

    pub(super) fn is_finite(&self) -> bool {
        let given = self.given_normal.as_deref().unwrap_or(&[]);
        self.velocity.iter().chain(given).all(|number| number.is_finite())
            && self.laws.iter().all(RowLaw::is_sound)
            && self.response.is_finite()
    }

    /// How many contacts there are.
    pub fn contact_count(&self) -> usize {
        self.laws.iter().take_while(|law| law.kind() == Kind::Contact).count()
    }

    /// The normal impulse that is given to a block.
    pub(super) fn given(&self, block: usize) -> Option<f64> {
        self.given_normal.as_ref().and_then(|given| given.get(block).copied())
    }

    /// The mean traces of K's diagonal blocks of each kind.
    pub(super) fn mean_traces(&self) -> PerKind {
        PerKind::mean(self.laws.iter().map(RowLaw::kind), |row| self.response.diagonal(row))
    }
}
