//! The impulse at a key where a track's own velocity jumps: what is joined to it keeps its Ḋ.
//!
//! ```text
//! J·Δv = −ΔD_t,      Δv = W·Jᵀ·Λ                                                                    (1)
//! ```
//!
//! by the same passes as forces of joints. It depends on poses, on numbers and on the time of the key; what the velocities were
//! does not matter. The same joints hold before and after.

use super::expansion::{Expansion, PrincipalState};
use super::graph::BODY_COLUMNS;
use super::linearised::Linearised;
use super::machine::Machine;
use super::number::{Column, What};
use crate::dynamics::BodyState;
use crate::math::matrix::product;
use crate::math::rotation::hat;
use crate::math::{Mat3, Vec3};
use nalgebra::{DMatrix, SMatrix};

/// How velocities jump at a key.
pub struct Jump<'a> {
    machines: [&'a Machine; 2],
    expansions: [Expansion; 2],
    states: Vec<PrincipalState>,
}

/// How the velocities after a jump change, beyond what they were.
pub struct JumpChange {
    changes: DMatrix<f64>,
    members: usize,
    clock: Vec<usize>,
}

impl<'a> Jump<'a> {
    /// Between two machines of the same bodies and joints; none where no track's velocity jumps.
    pub fn new(before: &'a Machine, after: &'a Machine, states: &[BodyState], t: f64) -> Option<Jump<'a>> {
        if before.held.len() != after.held.len() {
            return None;
        }
        let principal = |(member, state): (&super::machine::Member, &BodyState)| {
            PrincipalState::new(state, &member.mass.body_from_principal)
        };
        let states: Vec<PrincipalState> = after.members.iter().zip(states).map(principal).collect();
        let mut expansions = [before, after].map(|machine| {
            let mut expansion = Expansion::new(machine);
            expansion.expand(machine, &states, t, 1);
            expansion
        });
        let drifts = [0, 1].map(|k| expansions[k].drifts([before, after][k]));
        let jumps: Vec<f64> = drifts[1].iter().zip(&drifts[0]).map(|(after, before)| after - before).collect();
        if jumps.iter().all(|jump| *jump == 0.0) {
            return None;
        }
        expansions[1].respond(after, &jumps);
        Some(Jump { machines: [before, after], expansions, states })
    }

    /// Adds the jump to the states of the members.
    pub fn apply(&self, states: &mut [BodyState]) {
        for ((state, jump), place) in states.iter_mut().zip(self.expansions[1].response()).zip(&self.states) {
            state.velocity += Vec3::new(jump[0], jump[1], jump[2]);
            state.spin += place.orientation * Vec3::new(jump[3], jump[4], jump[5]);
        }
    }

    /// How it changes with the poses of all members, with what is asked for, and with the time of the key.
    pub fn change(&self, wanted: &[Column]) -> JumpChange {
        let clocks = self.machines[1].number_ids().into_iter().filter(|id| id.what == What::Clock);
        let columns: Vec<Column> = wanted.iter().copied().chain(clocks.map(Column::Number)).collect();
        let mut drifts = Linearised::new(self.machines[0], &columns).drifts(&self.expansions[0]);
        let mut after = Linearised::new(self.machines[1], &columns);
        let later = after.drifts(&self.expansions[1]);
        drifts.iter_mut().zip(&later).for_each(|(drift, later)| *drift = later - *drift);
        after.at_response(&self.expansions[1], &drifts);
        let members = self.states.len();
        let mut changes = DMatrix::from_row_slice(6 * members, after.columns, &after.accelerations);
        for (place, (state, jump)) in self.states.iter().zip(self.expansions[1].response()).enumerate() {
            let turn: Mat3 = state.orientation.to_rotation_matrix().into_inner();
            // By φ = Rᵀ·δθ of each member.
            let at = BODY_COLUMNS * place + 3;
            let dynamic = |matrix: &Mat3| DMatrix::from_column_slice(3, 3, matrix.as_slice());
            let block = product(&changes.columns(at, 3).into_owned(), &dynamic(&turn.transpose()));
            changes.columns_mut(at, 3).copy_from(&block);
            // δ(R·Δσ) = R·δΔσ + δθ × R·Δσ.
            let rows = product(&dynamic(&turn), &changes.rows(6 * place + 3, 3).into_owned());
            changes.rows_mut(6 * place + 3, 3).copy_from(&rows);
            let spun = turn * Vec3::new(jump[3], jump[4], jump[5]);
            let mut own = changes.fixed_view_mut::<3, 3>(6 * place + 3, at);
            own -= hat(spun);
        }
        let first = BODY_COLUMNS * members;
        JumpChange { changes, members, clock: (first + wanted.len()..first + columns.len()).collect() }
    }
}

impl JumpChange {
    /// The change of a member's velocities by the state of another, 12 × 12.
    pub fn by_state(&self, member: usize, of: usize) -> SMatrix<f64, 12, 12> {
        let mut block = SMatrix::<f64, 12, 12>::zeros();
        block.fixed_rows_mut::<6>(6).copy_from(&self.changes.fixed_view::<6, 12>(6 * member, BODY_COLUMNS * of));
        block
    }

    /// The same by what was asked for, by its place there.
    pub fn by_column(&self, member: usize, place: usize) -> SMatrix<f64, 12, 1> {
        self.column(member, BODY_COLUMNS * self.members + place)
    }

    /// The same by the time of the key, all places and velocities held.
    pub fn by_time(&self, member: usize) -> SMatrix<f64, 12, 1> {
        self.clock.iter().map(|&column| self.column(member, column)).sum()
    }

    fn column(&self, member: usize, column: usize) -> SMatrix<f64, 12, 1> {
        let mut block = SMatrix::<f64, 12, 1>::zeros();
        block.fixed_rows_mut::<6>(6).copy_from(&self.changes.fixed_view::<6, 1>(6 * member, column));
        block
    }
}
