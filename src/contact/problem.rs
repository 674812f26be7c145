//! What is asked at one instant: velocities without impulse, how impulses change them, and the coefficients.
//!
//! Vectors over the rows hold three numbers (normal, T1, T2) per contact, and below them three (x, y, z) per contact
//! that resists rolling, in the order of [`ContactProblem::rolling`].

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::group::Group;

/// A contact that resists rolling: the turning impulse is at most `coefficient` times the normal impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingContact {
    /// Place among the contacts.
    pub contact: usize,
    /// m, above zero.
    pub coefficient: f64,
}

/// What is asked at one instant.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    /// K, symmetric, rows × rows: velocity per impulse.
    pub response: Arc<DMatrix<f64>>,
    /// w, one number per row: velocity without impulse.
    pub velocity: DVector<f64>,
    /// μ, one per contact.
    pub friction: Arc<[f64]>,
    /// The contacts that resist rolling, in the order of the contacts.
    pub rolling: Arc<[RollingContact]>,
    /// Normal impulses where they are given, one per contact.
    pub given_normal: Option<Vec<f64>>,
}

impl ContactProblem {
    /// The problem of a group that has the contact velocities `velocity`, with no normal impulse given.
    pub fn new(group: &Group, velocity: DVector<f64>) -> Self {
        let rolling = |&contact: &usize| RollingContact { contact, coefficient: group.contacts[contact].rolling };
        Self {
            response: Arc::new(group.response()),
            velocity,
            friction: group.contacts.iter().map(|contact| contact.friction).collect(),
            rolling: group.rolling.iter().map(rolling).collect(),
            given_normal: None,
        }
    }

    /// 3·contacts.
    pub(super) fn contact_rows(&self) -> usize {
        3 * self.friction.len()
    }

    pub(super) fn is_finite(&self) -> bool {
        let given = self.given_normal.as_deref().unwrap_or(&[]);
        let mut numbers = self.response.iter().chain(self.velocity.iter()).chain(self.friction.iter()).chain(given);
        numbers.all(|number| number.is_finite()) && self.rolling.iter().all(|rolling| rolling.coefficient.is_finite())
    }

    /// The rows with K's largest diagonal entry among the contact rows and among the rolling rows.
    pub(super) fn largest_diagonals(&self) -> [usize; 2] {
        let contact_rows = self.contact_rows();
        let largest = |rows: std::ops::Range<usize>| {
            let start = rows.start;
            let entry = |row: usize| self.response[(row, row)];
            rows.fold((start, 0.0), |best, row| if entry(row) > best.1 { (row, entry(row)) } else { best }).0
        };
        [largest(0..contact_rows), largest(contact_rows..self.velocity.len())]
    }

    /// K's diagonal entry of a row; zero where there is no such row.
    pub(super) fn diagonal(&self, row: usize) -> f64 {
        self.response.get((row, row)).copied().unwrap_or(0.0)
    }
}
