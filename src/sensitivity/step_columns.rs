//! The change of a held step, parameter by parameter.
//!
//! The matrix of a step has twelve columns for every member, and a heap has many. Where fewer parameters are asked for it is
//! not made: the step's derivative is taken along the change that each parameter makes at its start,
//!
//! ```text
//! δ(length, unprojected, end) = step.tangent(δq of the members, δs)            for every parameter                (1)
//! ```
//!
//! This serves the chain in the order of time; against time matrices are needed (`held`).

use std::sync::Arc;

use super::change::Change;
use super::columns::{Columns, Part};
use crate::dynamics::StateTangent;
use crate::simulation::held::{HeldGroup, SplitDerivative, StepDerivative, StepDirection, StepOutcome, StepTangent};

/// The derivative of a step that was taken whole, or up to where sliding ends.
pub(super) enum TakenStep {
    Whole(Box<StepDerivative>),
    Split(Box<SplitDerivative>),
}

/// (1), with what it reads.
pub(super) struct StepColumns {
    pub group: Arc<HeldGroup>,
    pub step: TakenStep,
    /// Of the members.
    pub starts: Vec<Option<Change>>,
    /// δs of the step that would be taken whole.
    pub whole: Option<Change>,
}

impl TakenStep {
    pub fn outcome(&self) -> &StepOutcome {
        match self {
            TakenStep::Whole(step) => &step.outcome,
            TakenStep::Split(split) => &split.step.outcome,
        }
    }

    /// The change of the length, and of the step.
    pub fn tangent(&self, direction: &StepDirection) -> (f64, StepTangent) {
        match self {
            TakenStep::Whole(step) => (direction.dlength, step.tangent(direction)),
            TakenStep::Split(split) => {
                let change = split.tangent(direction);
                (change.dsigma, change.step)
            }
        }
    }
}

/// Rows of a step's relation: its length, then before and after the projection for every member that moves.
pub(super) fn write_rows(group: &HeldGroup, (length, step): &(f64, StepTangent), rows: &mut [f64]) {
    rows[0] += length;
    let moving = (0..group.members.len()).filter(|&k| group.members[k].is_pushed());
    for (k, rows) in moving.zip(rows[1..].chunks_exact_mut(24)) {
        let entries = step.unprojected[k].iter().chain(step.end[k].iter());
        rows.iter_mut().zip(entries).for_each(|(row, entry)| *row += entry);
    }
}

impl StepColumns {
    /// All that is read.
    pub fn operands(&self) -> impl Iterator<Item = Change> {
        self.starts.iter().copied().chain([self.whole]).flatten()
    }

    /// Adds (1) to columns whose run has those of all operands; `part` has the columns of an operand.
    pub fn add<'v>(&self, part: impl Fn(Change) -> Option<Part<'v>>, sum: &mut Columns) {
        let columns = |operand: &Option<Change>| operand.and_then(&part);
        let (starts, whole): (Vec<_>, _) = (self.starts.iter().map(columns).collect(), columns(&self.whole));
        let mut direction = StepDirection::zero(&self.group);
        for parameter in sum.run() {
            let column = |part: &Option<Part<'v>>| part.and_then(|part| part.column(parameter));
            for (body, start) in direction.bodies.iter_mut().zip(&starts) {
                *body = column(start).map_or(StateTangent::zeros(), StateTangent::from_column_slice);
            }
            direction.dlength = column(&whole).map_or(0.0, |length| length[0]);
            write_rows(&self.group, &self.step.tangent(&direction), sum.column_mut(parameter));
        }
    }
}
