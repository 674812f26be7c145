//! Impulses with every contact on a given branch of the contact law.

use nalgebra::{DMatrix, DVector};

use super::HeldGroup;
use super::step::Prepared;
use crate::math::Vec3;

/// What a contact is made to do in a trial step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Branch {
    /// No impulse.
    Open,
    /// No tangential velocity.
    Stick,
    /// Slides along a fixed direction of the world.
    Slide(Vec3),
    /// Presses without friction.
    Smooth,
}

impl HeldGroup {
    /// Impulses of (2) with every contact on its branch: linear, with the compliance and the proximal passes of
    /// the contact solver.
    pub(super) fn branch_impulse(&self, prepared: &Prepared, branches: &[Branch]) -> Option<DVector<f64>> {
        const PASSES: usize = 4;
        let count = 3 * branches.len();
        let compliance = crate::contact::solver::COMPLIANCE * prepared.response.diagonal().amax();
        let softened = &prepared.response + DMatrix::identity(count, count) * compliance;
        let mut matrix = DMatrix::identity(count, count);
        for (i, branch) in branches.iter().enumerate() {
            let n = 3 * i;
            let closed_rows = match branch {
                Branch::Open => 0,
                Branch::Smooth | Branch::Slide(_) => 1,
                Branch::Stick => 3,
            };
            matrix.rows_mut(n, closed_rows).copy_from(&softened.rows(n, closed_rows));
            if let Branch::Slide(direction) = branch {
                let d = self.tangential(prepared, i, direction);
                let friction = self.contacts[i].friction;
                matrix[(n + 1, n)] = friction * d[0];
                matrix[(n + 2, n)] = friction * d[1];
            }
        }
        let factor = matrix.lu();
        let mut impulse = DVector::zeros(count);
        for _ in 0..PASSES {
            let mut right = DVector::zeros(count);
            for (i, branch) in branches.iter().enumerate() {
                let closed_rows = match branch {
                    Branch::Open => 0,
                    Branch::Smooth | Branch::Slide(_) => 1,
                    Branch::Stick => 3,
                };
                for row in 3 * i..3 * i + closed_rows {
                    right[row] = compliance * impulse[row] - prepared.velocity[row];
                }
            }
            impulse = factor.solve(&right)?;
        }
        impulse.iter().all(|x| x.is_finite()).then_some(impulse)
    }

    /// A direction of the world in the tangential axes of contact i at q₁, of unit length.
    fn tangential(&self, prepared: &Prepared, i: usize, direction: &Vec3) -> [f64; 2] {
        let axes = crate::contact::frame::frame(&prepared.group.contacts[i].normal);
        let d = axes * direction;
        let length = d.y.hypot(d.z);
        [d.y / length, d.z / length]
    }
}
