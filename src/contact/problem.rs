//! What is asked at one instant: velocities without impulse, how impulses change them, and the coefficients.
//!
//! Vectors over the rows hold three numbers (normal, T1, T2) per contact, and below them three (x, y, z) per contact
//! that resists rolling, in the order of [`ContactProblem::rolling`].

use std::sync::Arc;

use nalgebra::DVector;

use crate::contact::group::Group;
use crate::contact::linear::response::Response;

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
    /// K: velocity per impulse.
    pub response: Arc<Response>,
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
            response: Arc::new(group.response_in_form()),
            velocity,
            friction: group.contacts.iter().map(|contact| contact.friction).collect(),
            rolling: group.rolling.iter().map(rolling).collect(),
            given_normal: None,
        }
    }

    /// 3·contacts.
    pub(in crate::contact) fn contact_rows(&self) -> usize {
        3 * self.friction.len()
    }

    pub(in crate::contact) fn is_finite(&self) -> bool {
        let given = self.given_normal.as_deref().unwrap_or(&[]);
        let mut numbers = self.velocity.iter().chain(self.friction.iter()).chain(given);
        numbers.all(|number| number.is_finite())
            && self.response.is_finite()
            && self.rolling.iter().all(|rolling| rolling.coefficient.is_finite())
    }

    /// The mean traces of K's diagonal blocks, of contacts and of those that resist rolling; zero where there are none.
    pub(in crate::contact) fn mean_traces(&self) -> [f64; 2] {
        mean_traces_of(self.velocity.len(), self.contact_rows(), |row| self.response.diagonal(row))
    }
}

/// Sums of diagonal entries over the first `contact_rows` of `size` rows and over the others, for each three of them; zero
/// where there are none.
pub(crate) fn mean_traces_of(size: usize, contact_rows: usize, entry: impl Fn(usize) -> f64) -> [f64; 2] {
    let mean = |rows: std::ops::Range<usize>| {
        let count = (rows.len() / 3).max(1) as f64;
        rows.map(&entry).sum::<f64>() / count
    };
    [mean(0..contact_rows), mean(contact_rows..size)]
}
