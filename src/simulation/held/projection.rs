//! Moves the positions of a held group back onto its contacts.
//!
//! With the directions D = W·J_nᵀ at the state q̃ that a step or a split leaves (the mass metric), find λ with
//!
//! ```text
//! gap_i(q̃ ⊕ D·λ) = 0  on the active rows,   ≥ 0 on all others                                      (1)
//! ```
//!
//! by Newton steps with the matrix J_n·D. Rows that are violated at first count as active, but not where λ would pull; rows
//! that turn out violated are added until there are none. Gaps of redundant rows are consistent, because rigid bodies make
//! them so; a little compliance on the diagonal picks the least impulses among equal ones, and the iteration takes its error
//! away. Velocities are not touched. How the result changes is `projection_derivative`.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::displacement::displaced;
use super::group::{HeldGroup, Member};
use crate::contact::GroupBody;
use crate::dynamics::BodyState;
use crate::geometry::ContactGeometry;
use crate::math::Vec3;
use crate::simulation::settings::{CLOSED, FARTHEST, SAME_GAP};

/// Compliance on the diagonal, relative to its largest entry.
const COMPLIANCE: f64 = 1e-9;
/// Newton steps for one set of rows.
const MAX_STEPS: usize = 12;
/// Times that rows are added.
const MAX_ROUNDS: usize = 8;

/// The rows that a projection may close, and D of (1): how a unit of λ_i moves the two bodies of row i.
///
/// The contacts have one row each, in their order.
pub(super) struct Directions {
    /// Places of the first and of the second body.
    pub(super) members: Vec<[usize; 2]>,
    /// Shift and turn of the first and of the second body.
    pub(super) sides: Vec<[(Vec3, Vec3); 2]>,
    /// The rows J_n: by velocity and spin of each body, which for a contact are n and r × n, signed.
    pub(super) rows: Vec<[(Vec3, Vec3); 2]>,
}

/// What a projection did.
pub(super) struct Projection {
    /// The states afterwards.
    pub(super) states: Vec<BodyState>,
    /// The contacts at gap zero.
    pub(super) rows: Vec<usize>,
    /// λ of (1), one per row.
    pub(super) lambda: DVector<f64>,
}

impl HeldGroup {
    /// The states with positions projected; `active` tells which contacts press.
    pub fn projected(&self, states: &[BodyState], active: &[bool]) -> Vec<BodyState> {
        self.projection(states, active).states
    }

    /// (1), with rows added until none is violated.
    pub(super) fn projection(&self, states: &[BodyState], active: &[bool]) -> Projection {
        let geometry = self.drawing_geometry(states);
        let start_gaps = gaps_of(&geometry);
        let mut rows: Vec<usize> = (0..active.len()).filter(|&i| active[i] || start_gaps[i] < -SAME_GAP).collect();
        if rows.iter().all(|&i| start_gaps[i].abs() <= CLOSED) {
            let lambda = DVector::zeros(rows.len());
            return Projection { states: states.to_vec(), rows, lambda };
        }
        let directions = self.directions_at(states, &geometry);
        let (mut result, mut gaps) = self.close_rows(states, &directions, rows.clone(), &start_gaps);
        // What does not press but sank with what does may have to be pulled: it opens when that is closed.
        let pulled = |(k, &i): (usize, &usize)| (!active[i] && result.lambda[k] < 0.0).then_some(i);
        let pulled: Vec<usize> = rows.iter().enumerate().filter_map(pulled).collect();
        if !pulled.is_empty() && pulled.len() < rows.len() {
            rows.retain(|i| !pulled.contains(i));
            (result, gaps) = self.close_rows(states, &directions, rows.clone(), &start_gaps);
        }
        for _ in 1..MAX_ROUNDS {
            let violated = |i: &usize| gaps[*i] < -SAME_GAP && !rows.contains(i);
            let violated: Vec<usize> = (0..active.len()).filter(violated).collect();
            if violated.is_empty() {
                break;
            }
            rows.extend(violated);
            rows.sort_unstable();
            (result, gaps) = self.close_rows(states, &directions, rows.clone(), &start_gaps);
        }
        result
    }

    /// Newton steps of (1) on a set of rows; the result, and the gaps of all contacts there.
    fn close_rows(
        &self,
        states: &[BodyState],
        directions: &Directions,
        rows: Vec<usize>,
        start_gaps: &[f64],
    ) -> (Projection, Vec<f64>) {
        let mut lambda = DVector::zeros(rows.len());
        let mut best = Projection { states: states.to_vec(), lambda: lambda.clone(), rows };
        let mut best_gaps = start_gaps.to_vec();
        let Some(matrix) = directions.factor(&best.rows) else { return (best, best_gaps) };
        let of_rows = |gaps: &[f64], rows: &[usize]| DVector::from_iterator(rows.len(), rows.iter().map(|&i| gaps[i]));
        let mut gaps = of_rows(start_gaps, &best.rows);
        let mut least = gaps.amax();
        for _ in 0..MAX_STEPS {
            matrix.solve_mut(&mut gaps);
            lambda -= &gaps;
            let moves = directions.moves(&directions.sides, &best.rows, &lambda, states.len());
            let moved: Vec<BodyState> =
                states.iter().zip(&moves).map(|(q, (shift, turn))| displaced(q, shift, turn)).collect();
            let all_gaps = gaps_of(&self.drawing_geometry(&moved));
            gaps = of_rows(&all_gaps, &best.rows);
            let worst = gaps.amax();
            if worst >= 0.5 * least || self.farthest_move(&moves) > FARTHEST {
                break;
            }
            least = worst;
            best.states = moved;
            best.lambda.copy_from(&lambda);
            best_gaps = all_gaps;
            if worst <= CLOSED {
                break;
            }
        }
        (best, best_gaps)
    }

    /// How far any point of a member moves, about.
    fn farthest_move(&self, moves: &[(Vec3, Vec3)]) -> f64 {
        let far = |(member, (shift, turn)): (&Member, &(Vec3, Vec3))| {
            let turn = turn.norm();
            shift.norm() + if turn > 0.0 { turn * member.solid.reach() } else { 0.0 }
        };
        self.members.iter().zip(moves).filter(|(member, _)| member.is_pushed()).map(far).fold(0.0, f64::max)
    }

    pub(super) fn directions(&self, states: &[BodyState]) -> Directions {
        self.directions_at(states, &self.drawing_geometry(states))
    }

    /// The same where the geometry is known.
    fn directions_at(&self, states: &[BodyState], geometry: &[ContactGeometry]) -> Directions {
        let bodies: Vec<GroupBody> = self.members.iter().zip(states).map(|(member, state)| member.at(state)).collect();
        let (mut sides, mut rows) = (Vec::with_capacity(geometry.len()), Vec::with_capacity(geometry.len()));
        for (contact, geometry) in self.contacts.iter().zip(geometry) {
            let side = |member: usize, sign: f64| {
                let body = &bodies[member];
                let row = (geometry.normal * sign, (geometry.point - body.position).cross(&geometry.normal) * sign);
                ((row.0 * body.inverse_mass, body.inverse_inertia * row.1), row)
            };
            let (first, second) = (side(contact.first, 1.0), side(contact.second, -1.0));
            sides.push([first.0, second.0]);
            rows.push([first.1, second.1]);
        }
        let members = self.contacts.iter().map(|contact| [contact.first, contact.second]).collect();
        Directions { members, sides, rows }
    }
}

impl Directions {
    /// J_n·D with its compliance, factored.
    pub(super) fn factor(&self, rows: &[usize]) -> Option<Cholesky<f64, Dyn>> {
        let count = rows.len();
        let mut matrix = DMatrix::zeros(count, count);
        for (j, &column) in rows.iter().enumerate() {
            let (others, sides) = (&self.members[column], &self.sides[column]);
            // What does not move, as a floor under many contacts, adds nothing.
            let moves = [0, 1].map(|b| sides[b].0 != Vec3::zeros() || sides[b].1 != Vec3::zeros());
            for (i, &row) in rows.iter().enumerate().skip(j) {
                let (members, rows) = (&self.members[row], &self.rows[row]);
                let mut sum = 0.0;
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    if moves[b] && members[a] == others[b] {
                        sum += rows[a].0.dot(&sides[b].0) + rows[a].1.dot(&sides[b].1);
                    }
                }
                // Only the lower triangle is factored.
                matrix[(i, j)] = sum;
            }
        }
        let compliance = COMPLIANCE * matrix.diagonal().amax();
        for i in 0..count {
            matrix[(i, i)] += compliance;
        }
        Cholesky::new(matrix)
    }

    /// Σ λ_i·D_i: shift and turn of every body, for the given columns D of all rows.
    pub(super) fn moves(
        &self,
        columns: &[[(Vec3, Vec3); 2]],
        rows: &[usize],
        lambda: &DVector<f64>,
        member_count: usize,
    ) -> Vec<(Vec3, Vec3)> {
        let mut moves = vec![(Vec3::zeros(), Vec3::zeros()); member_count];
        for (k, &i) in rows.iter().enumerate() {
            for (member, side) in self.members[i].into_iter().zip(&columns[i]) {
                moves[member].0 += side.0 * lambda[k];
                moves[member].1 += side.1 * lambda[k];
            }
        }
        moves
    }
}

/// What is to become zero, one number per row.
fn gaps_of(geometry: &[ContactGeometry]) -> Vec<f64> {
    geometry.iter().map(|contact| contact.gap).collect()
}
