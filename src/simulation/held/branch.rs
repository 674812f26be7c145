//! Impulses with every contact on a given branch of the contact law, and how they change.
//!
//! With K and w of the step, ε̂ = 1e-6·max diag K and p₋₁ = 0, pass k = 0, 1, 2, 3 solves the linear system
//!
//! ```text
//! closed rows   (K + ε̂)·p_k = ε̂·p_{k−1} − w                  normal rows, and all rows of what sticks    (1)
//! sliding       p_t + μ·d·p_n = 0                             d the direction of slip in the contact's axes
//! other rows    p = 0
//! ```
//!
//! as the contact solver does, and a change of its inputs changes every pass by the same matrix:
//!
//! ```text
//! closed rows   (K + ε̂)·δp_k = ε̂·δp_{k−1} − δw − δK·p_k − δε̂·(p_k − p_{k−1})                            (2)
//! sliding       δp_t + μ·d·δp_n = −(δμ·d + μ·δd)·p_n
//! ```

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::HeldGroup;
use super::step::Prepared;
use crate::contact::frame::{frame, frame_tangent};
use crate::contact::law::Mode;
use crate::math::Vec3;

/// All passes.
const PASSES: usize = 4;

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

impl Branch {
    /// What the contact does.
    pub(super) fn mode(&self) -> Mode {
        match self {
            Branch::Open => Mode::Open,
            Branch::Stick => Mode::Stick,
            Branch::Slide(_) => Mode::Slide,
            Branch::Smooth => Mode::Frictionless,
        }
    }

    /// How many of the contact's rows are closed.
    fn closed_rows(&self) -> usize {
        match self {
            Branch::Open => 0,
            Branch::Smooth | Branch::Slide(_) => 1,
            Branch::Stick => 3,
        }
    }
}

/// The passes of (1), and the factor of its matrix.
pub(super) struct BranchSolution {
    branches: Vec<Branch>,
    factor: LU<f64, Dyn, Dyn>,
    /// ε̂, and the row of K it is taken from.
    compliance: f64,
    largest: usize,
    passes: Vec<DVector<f64>>,
}

/// A change of the inputs of (1).
pub(super) struct BranchDirection<'a> {
    pub dvelocity: &'a DVector<f64>,
    pub dresponse: &'a DMatrix<f64>,
    pub dfriction: &'a [f64],
    /// δ of the direction of slip in the world and of the normal at q₁, one per contact.
    pub dslides: &'a [(Vec3, Vec3)],
}

impl HeldGroup {
    /// (1); none where that is singular.
    pub(super) fn branch_solution(&self, prepared: &Prepared, branches: &[Branch]) -> Option<BranchSolution> {
        let count = 3 * branches.len();
        let mut softened = prepared.group.response();
        let largest = softened.diagonal().iamax();
        let compliance = crate::contact::solver::COMPLIANCE * softened[(largest, largest)];
        (0..count).for_each(|i| softened[(i, i)] += compliance);
        let mut matrix = DMatrix::identity(count, count);
        for (i, branch) in branches.iter().enumerate() {
            let (n, closed_rows) = (3 * i, branch.closed_rows());
            matrix.rows_mut(n, closed_rows).copy_from(&softened.rows(n, closed_rows));
            if let Branch::Slide(direction) = branch {
                let d = tangential(&prepared.group.contacts[i].normal, direction).0;
                let friction = self.contacts[i].friction;
                matrix[(n + 1, n)] = friction * d[0];
                matrix[(n + 2, n)] = friction * d[1];
            }
        }
        let factor = matrix.lu();
        let mut solution = BranchSolution { branches: branches.to_vec(), factor, compliance, largest, passes: vec![] };
        let mut impulse = DVector::zeros(count);
        for _ in 0..PASSES {
            let mut right = DVector::zeros(count);
            for row in solution.closed() {
                right[row] = compliance * impulse[row] - prepared.velocity[row];
            }
            impulse = solution.factor.solve(&right)?;
            solution.passes.push(impulse.clone());
        }
        impulse.iter().all(|x| x.is_finite()).then_some(solution)
    }
}

impl BranchSolution {
    /// p, 3·contacts.
    pub(super) fn impulse(&self) -> DVector<f64> {
        self.passes[PASSES - 1].clone()
    }

    /// The rows of (1) that are closed.
    fn closed(&self) -> impl Iterator<Item = usize> {
        self.branches.iter().enumerate().flat_map(|(i, branch)| 3 * i..3 * i + branch.closed_rows())
    }

    /// δp by (2), for the group and the preparation that were solved.
    pub(super) fn tangent(&self, group: &HeldGroup, at: &Prepared, direction: &BranchDirection) -> DVector<f64> {
        let dcompliance = crate::contact::solver::COMPLIANCE * direction.dresponse[(self.largest, self.largest)];
        let mut dimpulse = DVector::zeros(direction.dvelocity.len());
        let zero = dimpulse.clone();
        let mut before = &zero;
        for p in &self.passes {
            let dvelocity = direction.dvelocity + direction.dresponse * p + (p - before) * dcompliance;
            let mut right = DVector::zeros(p.len());
            for row in self.closed() {
                right[row] = self.compliance * dimpulse[row] - dvelocity[row];
            }
            for (i, branch) in self.branches.iter().enumerate() {
                if let Branch::Slide(slide) = branch {
                    let (dslide, dnormal) = &direction.dslides[i];
                    let normal = &at.group.contacts[i].normal;
                    let ((d, _), dd) = (tangential(normal, slide), dtangential(normal, dnormal, slide, dslide));
                    for k in 0..2 {
                        let change = direction.dfriction[i] * d[k] + group.contacts[i].friction * dd[k];
                        right[3 * i + 1 + k] = -change * p[3 * i];
                    }
                }
            }
            // The factor solved the same matrix before.
            dimpulse = self.factor.solve(&right).unwrap_or(right);
            before = p;
        }
        dimpulse
    }
}

/// A direction of the world in the tangential axes of a contact, of unit length; and its length before.
fn tangential(normal: &Vec3, direction: &Vec3) -> ([f64; 2], f64) {
    let d = frame(normal) * direction;
    let length = d.y.hypot(d.z);
    ([d.y / length, d.z / length], length)
}

/// The change of [`tangential`]: what is across d, over the length.
fn dtangential(normal: &Vec3, dnormal: &Vec3, direction: &Vec3, ddirection: &Vec3) -> [f64; 2] {
    let (d, length) = tangential(normal, direction);
    let change = frame_tangent(normal, dnormal) * direction + frame(normal) * ddirection;
    let across = (change.z * d[0] - change.y * d[1]) / length;
    [-across * d[1], across * d[0]]
}
