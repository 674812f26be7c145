//! How projected positions change with the positions before.
//!
//! With q_p = q̃ ⊕ D(q̃)·λ, the rows that ended at gap zero kept, and e the derivative of ⊕ by its displacement,
//!
//! ```text
//! δq_p = δ(q̃ ⊕ D·λ)|_λ + e·D·δλ                                                                     (1)
//! 0 = δgap(q_p)   ⇒   A·δλ = −gap_q·δ(q̃ ⊕ D·λ)|_λ,   A = gap_q·e·D                                  (2)
//! ```
//!
//! A is within the size of the correction of the matrix J_n·D of the projection. That matrix, with its compliance,
//! solves (2) by iteration: redundant rows are as consistent here as their gaps are, and D sends what is left open of
//! δλ to zero. Where the gaps were closed already λ is zero, and (2) is the projection onto the contacts.

use std::sync::Arc;

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::direction::MassDirection;
use super::displacement::{PoseTangent, displaced_tangent, part, pose_tangents, stacked, turned_inertia};
use super::geometry::{ContactTangent, GeometryDerivative};
use super::group::HeldGroup;
use super::projection::{Directions, Projection};
use crate::dynamics::{BodyState, StateTangent};
use crate::geometry::ContactGeometry;
use crate::math::{Vec3, rotation};

/// Steps of the iteration for (2); two or three take it to rounding.
const MAX_STEPS: usize = 12;

/// The derivative of one projection.
pub struct ProjectionDerivative {
    group: Arc<HeldGroup>,
    states: Vec<BodyState>,
    rows: Vec<usize>,
    lambda: DVector<f64>,
    directions: Directions,
    geometry: Vec<ContactGeometry>,
    before: GeometryDerivative,
    after: GeometryDerivative,
    /// The turns of D·λ, one per member.
    turns: Vec<Vec3>,
    /// e·D, as in [`Directions`].
    columns: Vec<[PoseTangent; 2]>,
    /// A of (2).
    matrix: DMatrix<f64>,
    /// None where nothing is projected.
    factor: Option<Cholesky<f64, Dyn>>,
}

impl HeldGroup {
    /// The derivative of [`HeldGroup::projected`].
    pub fn projected_derivative(self: &Arc<Self>, states: &[BodyState], active: &[bool]) -> ProjectionDerivative {
        self.projection_derivative(states, &self.projection(states, active))
    }

    /// The derivative of the projection that took `states` to `projection`.
    pub(super) fn projection_derivative(
        self: &Arc<Self>,
        states: &[BodyState],
        projection: &Projection,
    ) -> ProjectionDerivative {
        let directions = self.directions(states);
        let (rows, lambda) = (projection.rows.clone(), projection.lambda.clone());
        let moves = directions.moves(&directions.sides, &rows, &lambda, states.len());
        let turns: Vec<Vec3> = moves.iter().map(|moves| moves.1).collect();
        let column = |(i, sides): (usize, &[PoseTangent; 2])| {
            let [first, second] = directions.members[i];
            let turned = |member: usize, side: &PoseTangent| (side.0, rotation::dexp(turns[member]) * side.1);
            [turned(first, &sides[0]), turned(second, &sides[1])]
        };
        let columns: Vec<_> = directions.sides.iter().enumerate().map(column).collect();
        let factor = if rows.is_empty() { None } else { directions.factor(&rows) };
        let mut derivative = ProjectionDerivative {
            group: self.clone(),
            geometry: self.drawing_geometry(states),
            before: self.geometry_derivative(states, None),
            after: self.geometry_derivative(&projection.states, None),
            matrix: DMatrix::zeros(rows.len(), rows.len()),
            states: states.to_vec(),
            rows,
            lambda,
            directions,
            turns,
            columns,
            factor,
        };
        derivative.fill_matrix();
        derivative
    }
}

impl ProjectionDerivative {
    /// A of (2), column by column.
    fn fill_matrix(&mut self) {
        let (count, same) = (self.rows.len(), vec![MassDirection::default(); self.states.len()]);
        for k in 0..count {
            let mut unit = DVector::zeros(count);
            unit[k] = 1.0;
            let moves = self.moves(&self.columns, &unit);
            let column = self.dgaps(&moves, &same);
            self.matrix.set_column(k, &column);
        }
    }

    /// Σ λ_i·D_i of the rows, for the given columns.
    fn moves(&self, columns: &[[PoseTangent; 2]], lambda: &DVector<f64>) -> Vec<PoseTangent> {
        self.directions.moves(columns, &self.rows, lambda, self.states.len())
    }

    /// gap_q·δq_p on the rows, and what sizes add.
    fn dgaps(&self, poses: &[PoseTangent], masses: &[MassDirection]) -> DVector<f64> {
        let changes = self.after.tangent(&self.group, poses, poses, masses);
        DVector::from_iterator(self.rows.len(), self.rows.iter().map(|&i| changes[i].dgap))
    }

    /// Whether nothing is projected, so that states stay as they are.
    pub fn is_identity(&self) -> bool {
        self.factor.is_none()
    }

    /// δq_p for a change of q̃ and of the masses, one per member; velocities change as they did.
    pub fn tangent(&self, dstates: &[StateTangent], dmasses: &[MassDirection]) -> Vec<StateTangent> {
        let Some(factor) = &self.factor else { return dstates.to_vec() };
        let poses = pose_tangents(dstates);
        let dcontacts = self.before.tangent(&self.group, &poses, &poses, dmasses);
        let dcolumns = self.dcolumns(&poses, &dcontacts, dmasses);
        let dmoves = self.moves(&dcolumns, &self.lambda);
        let held = |k: usize| displaced_tangent(&self.turns[k], &poses[k], &dmoves[k].0, &dmoves[k].1);
        let mut moved: Vec<PoseTangent> = (0..poses.len()).map(held).collect();
        let dlambda = self.solve(factor, &self.dgaps(&moved, dmasses));
        for (pose, more) in moved.iter_mut().zip(self.moves(&self.columns, &dlambda)) {
            *pose = (pose.0 + more.0, pose.1 + more.1); // (1)
        }
        let end = |(pose, dstate): (&PoseTangent, &StateTangent)| stacked(*pose, part(dstate, 2), part(dstate, 3));
        moved.iter().zip(dstates).map(end).collect()
    }

    /// δλ of (2) for `right` = −A·δλ, to rounding.
    fn solve(&self, factor: &Cholesky<f64, Dyn>, right: &DVector<f64>) -> DVector<f64> {
        let mut dlambda = -factor.solve(right);
        let mut least = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let residual = right + &self.matrix * &dlambda;
            let worst = residual.amax();
            if worst == 0.0 || worst >= 0.5 * least {
                break;
            }
            least = worst;
            dlambda -= factor.solve(&residual);
        }
        dlambda
    }

    /// δD at fixed λ: of the lever arms, the normals and W.
    fn dcolumns(
        &self,
        poses: &[PoseTangent],
        dcontacts: &[ContactTangent],
        dmasses: &[MassDirection],
    ) -> Vec<[PoseTangent; 2]> {
        let change = |i: usize| {
            let (contact, at, d) = (&self.group.contacts[i], &self.geometry[i], &dcontacts[i]);
            let side = |k: usize, member: usize, sign: f64| {
                let (state, row) = (&self.states[member], &self.directions.rows[i][k]);
                let body = self.group.members[member].at(state);
                let (dinverse_mass, mut dinverse_inertia) = dmasses[member].inverse(&self.group.members[member], state);
                dinverse_inertia += turned_inertia(&body.inverse_inertia, &poses[member].1);
                let (arm, darm) = (at.point - state.position, d.dpoint - poses[member].0);
                let drow = (d.dnormal * sign, (darm.cross(&at.normal) + arm.cross(&d.dnormal)) * sign);
                let shift = drow.0 * body.inverse_mass + row.0 * dinverse_mass;
                (shift, body.inverse_inertia * drow.1 + dinverse_inertia * row.1)
            };
            [side(0, contact.first, 1.0), side(1, contact.second, -1.0)]
        };
        (0..self.group.contacts.len()).map(change).collect()
    }
}
