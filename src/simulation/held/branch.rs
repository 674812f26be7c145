//! Impulses with every contact on a given branch of the contact law, and how they change.
//!
//! With K and w of the step, ε̂ = 1e-6·mean tr K_ii and p₋₁ = 0, pass k = 0, 1, 2, 3 solves the linear system
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

use nalgebra::DVector;

use super::group::HeldGroup;
use super::prepared::Prepared;
use crate::contact::COMPLIANCE;
use crate::contact::branches::{BranchSystem, GivenBranch};
use crate::contact::frame::{frame, frame_tangent};
use crate::contact::law::{Mode, PerKind};
use crate::math::Vec3;
use crate::math::elementary::hypot;

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

    /// The same in the axes of a contact.
    fn given(&self, normal: &Vec3) -> GivenBranch {
        match self {
            Branch::Open => GivenBranch::Open,
            Branch::Stick => GivenBranch::Stick,
            Branch::Slide(direction) => GivenBranch::Slide(tangential(normal, direction).0),
            Branch::Smooth => GivenBranch::Smooth,
        }
    }
}

/// The passes of (1), and the factor of its matrix.
pub(super) struct BranchSolution {
    branches: Vec<Branch>,
    /// The rows of (1) that are closed.
    closed: Vec<usize>,
    system: BranchSystem,
    passes: Vec<DVector<f64>>,
}

/// A change of the inputs of (1).
pub(super) struct BranchDirection<'a> {
    pub dvelocity: &'a DVector<f64>,
    /// p ↦ δK·p.
    pub dresponse: &'a dyn Fn(&DVector<f64>) -> DVector<f64>,
    /// δ of the mean traces of K's diagonal blocks of each kind.
    pub dmean_traces: PerKind,
    pub dfriction: &'a [f64],
    /// δ of the direction of slip in the world and of the normal at q₁, one per contact.
    pub dslides: &'a [(Vec3, Vec3)],
}

impl HeldGroup {
    /// (1); none where that is singular.
    pub(super) fn branch_solution(&self, prepared: &Prepared, branches: &[Branch]) -> Option<BranchSolution> {
        let contacts = branches.iter().zip(&prepared.group.contacts);
        let given: Vec<GivenBranch> = contacts.map(|(branch, contact)| branch.given(&contact.normal)).collect();
        let system = BranchSystem::new(prepared.problem.clone(), &given)?;
        let closed: Vec<usize> = system.closed_rows().collect();
        let mut solution = BranchSolution { branches: branches.to_vec(), closed, system, passes: vec![] };
        let mut impulse = DVector::zeros(prepared.velocity.len());
        for _ in 0..PASSES {
            let system = &solution.system;
            let right = |row: usize| system.compliance(row) * impulse[row] - system.velocity(row);
            impulse = solution.solve(DVector::zeros(impulse.len()), right);
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

    /// The impulses of (1) for what its other rows have on the right, and what its closed rows have.
    fn solve(&self, mut right: DVector<f64>, closed: impl Fn(usize) -> f64) -> DVector<f64> {
        self.closed.iter().for_each(|&row| right[row] = closed(row));
        self.system.solve(self.closed.iter().copied(), right.as_mut_slice());
        right
    }

    /// δp by (2), for the group and the preparation that were solved.
    pub(super) fn tangent(&self, group: &HeldGroup, at: &Prepared, direction: &BranchDirection) -> DVector<f64> {
        let dcompliances = direction.dmean_traces.compliances(COMPLIANCE);
        let mut dimpulse = DVector::zeros(direction.dvelocity.len());
        let zero = dimpulse.clone();
        let mut before = &zero;
        for p in &self.passes {
            let mut dvelocity = direction.dvelocity + (direction.dresponse)(p);
            for (i, law) in at.group.laws.iter().enumerate() {
                let dcompliance = dcompliances[law.kind()];
                (3 * i..3 * i + 3).for_each(|row| dvelocity[row] += (p[row] - before[row]) * dcompliance);
            }
            let mut right = DVector::zeros(p.len());
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
            dimpulse = self.solve(right, |row| self.system.compliance(row) * dimpulse[row] - dvelocity[row]);
            before = p;
        }
        dimpulse
    }
}

/// A direction of the world in the tangential axes of a contact, of unit length; and its length before.
fn tangential(normal: &Vec3, direction: &Vec3) -> ([f64; 2], f64) {
    let d = frame(normal) * direction;
    let length = hypot(d.y, d.z);
    ([d.y / length, d.z / length], length)
}

/// The change of [`tangential`]: what is across d, over the length.
fn dtangential(normal: &Vec3, dnormal: &Vec3, direction: &Vec3, ddirection: &Vec3) -> [f64; 2] {
    let (d, length) = tangential(normal, direction);
    let change = frame_tangent(normal, dnormal) * direction + frame(normal) * ddirection;
    let across = (change.z * d[0] - change.y * d[1]) / length;
    [-across * d[1], across * d[0]]
}
