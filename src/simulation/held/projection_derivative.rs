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
use super::group::{HeldGroup, Member};
use super::projection::{Directions, Projection};
use crate::contact::GroupBody;
use crate::dynamics::{BodyState, StateTangent};
use crate::geometry::ContactGeometry;
use crate::math::{Mat3, Vec3, rotation};

/// Steps of the iteration for (2); two or three take it to rounding.
const MAX_STEPS: usize = 12;

/// The derivative of one projection.
pub struct ProjectionDerivative {
    group: Arc<HeldGroup>,
    states: Vec<BodyState>,
    /// The members there.
    bodies: Vec<GroupBody>,
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
            bodies: self.members.iter().zip(states).map(|(member, state)| member.at(state)).collect(),
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
        let dgap = |&i: &usize| self.after.dgap(&self.group, i, poses, masses);
        DVector::from_iterator(self.rows.len(), self.rows.iter().map(dgap))
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
        let dmoves = self.dmoves(&poses, &dcontacts, dmasses);
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

    /// Σ λ_i·δD_i: of the lever arms, the normals and W. Nothing where the gaps were closed already.
    fn dmoves(
        &self,
        poses: &[PoseTangent],
        dcontacts: &[ContactTangent],
        dmasses: &[MassDirection],
    ) -> Vec<PoseTangent> {
        let mut dmoves = vec![(Vec3::zeros(), Vec3::zeros()); poses.len()];
        if self.lambda.iter().all(|lambda| *lambda == 0.0) {
            return dmoves;
        }
        let inverse = |(k, member): (usize, &Member)| {
            let (dinverse_mass, dinverse_inertia) = dmasses[k].inverse(member, &self.states[k]);
            (dinverse_mass, dinverse_inertia + turned_inertia(&self.bodies[k].inverse_inertia, &poses[k].1))
        };
        let dinverses: Vec<(f64, Mat3)> = self.group.members.iter().enumerate().map(inverse).collect();
        for (&i, lambda) in self.rows.iter().zip(&self.lambda) {
            let (at, d) = (&self.geometry[i], &dcontacts[i]);
            for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
                let (member, row) = (self.directions.members[i][k], &self.directions.rows[i][k]);
                let (body, (dinverse_mass, dinverse_inertia)) = (&self.bodies[member], &dinverses[member]);
                let (arm, darm) = (at.point - body.position, d.dpoint - poses[member].0);
                let drow = (d.dnormal * sign, (darm.cross(&at.normal) + arm.cross(&d.dnormal)) * sign);
                let shift = drow.0 * body.inverse_mass + row.0 * *dinverse_mass;
                let turn = body.inverse_inertia * drow.1 + dinverse_inertia * row.1;
                dmoves[member].0 += shift * *lambda;
                dmoves[member].1 += turn * *lambda;
            }
        }
        dmoves
    }
}
