//! What a step came to: states, impulses, and what each contact did.

use std::sync::Arc;

use nalgebra::DVector;

use super::branch::Branch;
use super::group::{HeldContact, HeldGroup};
use super::path::{Bend, StepPath};
use crate::contact::law::Mode;
use crate::dynamics::BodyState;

/// The outcome of a step.
#[derive(Clone, Debug)]
pub struct StepOutcome {
    /// Length, s.
    pub length: f64,
    /// After the step, positions projected.
    pub end: Vec<BodyState>,
    /// After the step, before the projection.
    pub unprojected: Vec<BodyState>,
    /// p: in the axes of each contact, 3·contacts, and below them of the other blocks.
    pub(super) impulse: DVector<f64>,
    /// Whether it ends early because a contact stops sliding.
    pub split: bool,
    /// Where it does, what its derivative needs.
    pub frozen: Option<Arc<Frozen>>,
    /// How the projection is spread over the step.
    pub bend: Bend,
    /// What each contact did.
    pub modes: Vec<Mode>,
    /// What each would do with a little compliance: where contacts are redundant this is decided by more than rounding.
    pub decided: Vec<Mode>,
    /// What each did in every pass of the contact solver, one pass after the other.
    pub passes: Vec<Mode>,
    /// The contacts that the projection closed.
    pub closed: Vec<usize>,
    /// λ of the projection, one per such contact.
    pub(super) lambda: DVector<f64>,
    /// Whether the contact solver met its tolerance.
    pub solved: bool,
    /// Newton steps of the contact solver.
    pub iterations: usize,
}

/// How a step came to end where sliding ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Frozen {
    /// What each contact was made to do; sliding ones along their slip at the start.
    pub branches: Vec<Branch>,
    /// The contacts that stop, all at once as far as rounding can tell.
    pub contacts: Vec<usize>,
    /// s of (1).
    pub whole: f64,
}

impl StepOutcome {
    /// p: in the axes of each contact, 3·contacts, and below them of the other blocks.
    pub fn impulse(&self) -> &DVector<f64> {
        &self.impulse
    }

    /// The path of member k from `start` at the time t to its projected end.
    pub fn path(&self, t: f64, start: &BodyState, k: usize) -> StepPath {
        StepPath::new(t, self.length, start, [&self.unprojected[k], &self.end[k]], self.bend)
    }

    /// Whether a contact presses.
    pub fn presses(&self, i: usize) -> bool {
        presses(&self.impulse, &self.decided, i)
    }

    /// Whether nothing presses: the group is not held.
    pub fn is_free(&self) -> bool {
        (0..self.modes.len()).all(|i| !self.presses(i))
    }
}

impl HeldGroup {
    /// Which contacts press and touched at the start.
    pub fn pressing(&self, impulse: &DVector<f64>, decided: &[Mode]) -> Vec<bool> {
        let presses = |(i, contact): (usize, &HeldContact)| presses(impulse, decided, i) && !contact.late;
        self.contacts.iter().enumerate().map(presses).collect()
    }
}

/// A contact that is open with compliance has an impulse of rounding without, which presses nothing.
fn presses(impulse: &DVector<f64>, decided: &[Mode], i: usize) -> bool {
    impulse[3 * i] > 0.0 && decided.get(i).is_none_or(|mode| *mode != Mode::Open)
}
