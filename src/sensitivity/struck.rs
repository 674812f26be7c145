//! How an impact changes with the joints that it goes through.
//!
//! With the rows j of `simulation::linkage`, their covectors (n̄, b̄_A, b̄_B, t̄) of what is asked for, and T the change of the
//! node's time, velocities afterwards change by
//!
//! ```text
//! Σ_j  n̄·δn + b̄_A·δb_A + b̄_B·δb_B + t̄·(δḊ_kept − δD_t)                                              (1)
//! δn, δb, δD_t:  by the states of both sides at the moving time, by numbers, and by the tracks' clock times T  (2)
//! δḊ_kept = Ḋ_D₀·δD₀ + Ḋ_Ḋ₀·δḊ₀ + Ḋ_τ·δτ + D̈·T                                                       (3)
//! ```
//!
//! δD₀ and δḊ₀ are those of the states with which bodies left the node where the joint's record began, at its fixed time.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::chain::Builder;
use super::change::{Change, Variable};
use super::joined_change::Asked;
use super::linear::Relation;
use crate::contact::RowBlockDirection;
use crate::dynamics::joined::{HeldRowChange, NumberId, What};
use crate::model::BodyId;
use crate::simulation::linkage::{Linkage, LinkedRow, LinkedRowChanges};
use crate::simulation::tape::NodeId;

/// Numbers of a row of a joint: n, b_A, b_B and what is wanted.
const NUMBERS: usize = 10;
/// Columns of a state.
const STATE: usize = 12;

/// The covectors (n̄, b̄_A, b̄_B, t̄) of every row of joints: rows asked for × `NUMBERS`.
pub(super) struct JointCovectors(Vec<DMatrix<f64>>);

/// What (1) makes of each change; every block has the rows asked for.
pub(super) struct Sum {
    rows: usize,
    /// Of states before the impact, at its moving time.
    pub states: BTreeMap<BodyId, DMatrix<f64>>,
    starts: BTreeMap<(NodeId, BodyId), DMatrix<f64>>,
    numbers: BTreeMap<NumberId, DVector<f64>>,
    /// I_t.
    pub time: DVector<f64>,
}

impl JointCovectors {
    /// None yet, for a number of rows.
    pub fn new(linkage: &Linkage, rows: usize) -> JointCovectors {
        JointCovectors(vec![DMatrix::zeros(rows, NUMBERS); linkage.rows.len()])
    }

    /// Sets a row, from the covectors of all blocks.
    pub fn set(&mut self, linkage: &Linkage, row: usize, blocks: &[RowBlockDirection]) {
        for (matrix, linked) in self.0.iter_mut().zip(&linkage.rows) {
            let (block, place) = (&blocks[linked.block], linked.place);
            let parts = [&block.dpush, &block.dfirst_turn, &block.dsecond_turn].map(|part| part.row(place));
            let entries = parts.iter().flat_map(|part| part.iter().copied()).chain([block.dtarget[place]]);
            matrix.row_mut(row).iter_mut().zip(entries).for_each(|(to, entry)| *to = linked.scale * entry);
        }
    }
}

impl JointCovectors {
    /// (1), change by change, for so many rows.
    pub fn sum(&self, linkage: &Linkage, rows: usize) -> Sum {
        let mut sum = Sum::new(rows);
        let mut matrices = self.0.iter();
        linkage.for_changes(|row, now, begun| {
            if let Some(matrix) = matrices.next() {
                sum.add_now(row, matrix, &now);
                begun.iter().for_each(|begun| sum.add_begun(row, matrix, begun));
            }
        });
        sum
    }
}

impl Builder<'_> {
    /// Adds (1), for changes of the states before the impact, body by body.
    pub(super) fn plus_joints(
        &self,
        mut relation: Relation,
        (linkage, covectors): (&Linkage, &JointCovectors),
        before: &dyn Fn(BodyId) -> Option<Change>,
        time: Option<Change>,
    ) -> Relation {
        let sum = covectors.sum(linkage, relation.rows);
        for (body, matrix) in sum.states {
            relation = relation.plus(before(body), matrix);
        }
        for ((node, body), matrix) in sum.starts {
            let pushed = self.chain.world().bodies[body.index()].drive.is_pushed();
            let launched = Some(Change::Outer(Variable::Launch(node, body)));
            relation = relation.plus(if pushed { launched } else { self.chain.start(body) }, matrix);
        }
        let asked: Vec<(NumberId, Asked)> = self.asked_numbers(sum.numbers.keys().copied());
        for (id, asked) in asked {
            relation = self.plus_asked(relation, sum.numbers[&id].as_slice(), &asked);
        }
        relation.plus(time, DMatrix::from_column_slice(sum.rows, 1, sum.time.as_slice()))
    }
}

impl Sum {
    fn new(rows: usize) -> Sum {
        let (states, starts, numbers) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Sum { rows, states, starts, numbers, time: DVector::zeros(rows) }
    }

    /// (2), and D̈·T of (3).
    fn add_now(&mut self, row: &LinkedRow, covectors: &DMatrix<f64>, now: &LinkedRowChanges) {
        let wanted =
            |change: &HeldRowChange| if row.kept.is_some() { -change.drift } else { change.speed - change.drift };
        let pulled = |change: &HeldRowChange| {
            let [first, second] = &change.turning;
            let entries = change.along.iter().chain(first).chain(second).copied().chain([wanted(change)]);
            covectors * DVector::from_iterator(NUMBERS, entries)
        };
        for (side, body) in now.bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            let matrix = self.states.entry(*body).or_insert_with(|| DMatrix::zeros(self.rows, STATE));
            for (column, change) in now.row.columns[STATE * side..][..STATE].iter().enumerate() {
                let mut column = matrix.column_mut(column);
                column += pulled(change);
            }
        }
        for (id, change) in now.row.ids.iter().zip(&now.row.columns[2 * STATE..]) {
            match id.what {
                What::Clock => self.time += pulled(change),
                _ => *self.number(*id) += pulled(change),
            }
        }
        if let Some((kept, _)) = row.kept {
            self.time.axpy(kept.by_time, &covectors.column(NUMBERS - 1), 1.0);
        }
    }

    /// (3), but for D̈·T.
    fn add_begun(&mut self, row: &LinkedRow, covectors: &DMatrix<f64>, begun: &LinkedRowChanges) {
        let Some((kept, record)) = row.kept else { return };
        let [by_value, by_speed] = kept.by_start;
        let wanted = covectors.column(NUMBERS - 1);
        let speed = |change: &HeldRowChange| {
            by_value * change.value + by_speed * change.speed + kept.by_time_constant * change.time_constant
        };
        for (side, body) in begun.bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            let rows = self.rows;
            let matrix = self.starts.entry((record.node, *body)).or_insert_with(|| DMatrix::zeros(rows, STATE));
            for (column, change) in begun.row.columns[STATE * side..][..STATE].iter().enumerate() {
                matrix.column_mut(column).axpy(speed(change), &wanted, 1.0);
            }
        }
        // The clock of tracks does not move there: the states are those at a fixed time.
        for (id, change) in begun.row.ids.iter().zip(&begun.row.columns[2 * STATE..]) {
            if id.what != What::Clock {
                self.number(*id).axpy(speed(change), &wanted, 1.0);
            }
        }
    }

    fn number(&mut self, id: NumberId) -> &mut DVector<f64> {
        self.numbers.entry(id).or_insert_with(|| DVector::zeros(self.rows))
    }
}
