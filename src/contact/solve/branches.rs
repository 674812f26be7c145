//! Impulses with every contact on a given branch of the contact law: one linear system.
//!
//! With K of the problem, ε̂ as in `solver` and r the inverse of the mean trace of K's blocks, A·x = b has the rows
//!
//! ```text
//! closed rows   r·(K + ε̂)·x                normal rows, and all rows of what sticks
//! sliding       x_t + μ·d·x_n              d the direction of slip in the contact's axes
//! other rows    x
//! ```
//!
//! It is factorised by `system`, like Newton's matrix. Which branch a contact takes is the caller's choice; whether the law
//! agrees is not asked here.

use super::solver::COMPLIANCE;
use super::system::{Parts, Scratch, System};
use crate::contact::law::friction::{Law, Mode};
use crate::contact::law::list::{Compliance, Laws};
use crate::contact::problem::ContactProblem;
use crate::math::{Mat3, Vec3};

/// Most refinements of a solve.
const REFINEMENTS: usize = 4;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GivenBranch {
    /// No impulse.
    Open,
    /// Presses without friction.
    Smooth,
    /// No tangential velocity.
    Stick,
    /// Slides along d, (T1, T2) of unit length.
    Slide([f64; 2]),
}

impl GivenBranch {
    /// How many of the contact's rows are closed.
    pub fn closed_rows(&self) -> usize {
        match self {
            GivenBranch::Open => 0,
            GivenBranch::Smooth | GivenBranch::Slide(_) => 1,
            GivenBranch::Stick => 3,
        }
    }

    /// Its rows of A as derivatives of a law.
    fn law(&self, friction: f64, r: f64) -> Law {
        let (mut dlaw_dimpulse, mut dlaw_dvelocity) = (Mat3::identity(), Mat3::zeros());
        for row in 0..self.closed_rows() {
            dlaw_dimpulse[(row, row)] = 0.0;
            dlaw_dvelocity[(row, row)] = r;
        }
        if let GivenBranch::Slide(d) = self {
            (dlaw_dimpulse.m21, dlaw_dimpulse.m31) = (friction * d[0], friction * d[1]);
        }
        let mode = if *self == GivenBranch::Open { Mode::Open } else { Mode::Slide };
        let zero = Vec3::zeros();
        Law { value: zero, mode, dlaw_dimpulse, dlaw_dvelocity, dlaw_dfriction: zero, dlaw_dgiven: zero }
    }
}

/// A, factorised.
pub struct BranchSystem {
    problem: ContactProblem,
    laws: Laws,
    system: System,
    shift: Compliance,
    /// r.
    scale: f64,
}

impl BranchSystem {
    /// Of a problem whose contacts do not resist rolling; none where A is singular.
    pub fn new(problem: ContactProblem, branches: &[GivenBranch]) -> Option<Self> {
        let [mean, _] = problem.mean_traces();
        let scale = 1.0 / mean;
        let law = |(branch, &friction): (&GivenBranch, &f64)| branch.law(friction, scale);
        let laws = Laws { contacts: branches.iter().zip(problem.friction.iter()).map(law).collect(), rolling: vec![] };
        let shift = Compliance { contact: COMPLIANCE * mean, rolling: 0.0 };
        let mut system = System::default();
        let parts = Parts { problem: &problem, shift, laws: &laws };
        // Any right side shows whether the factor needs exchanges; the velocities are the one that will be asked for.
        let mut probe = problem.velocity.as_slice().to_vec();
        let regular = system.assemble(parts) && system.refine_or_exchange(parts, &mut probe, &mut Scratch::default());
        regular.then_some(Self { problem, laws, system, shift, scale })
    }

    /// ε̂.
    pub fn compliance(&self) -> f64 {
        self.shift.contact
    }

    /// Replaces b by A⁻¹·b, where the closed rows of b are without r.
    ///
    /// There is no Newton step after this one to take its error away: redundant contacts make ε̂⁻¹ of a residual, so it is
    /// refined while that helps.
    pub fn solve(&self, closed: impl Iterator<Item = usize>, b: &mut [f64]) {
        closed.for_each(|row| b[row] *= self.scale);
        let parts = Parts { problem: &self.problem, shift: self.shift, laws: &self.laws };
        let mut scratch = Scratch::default();
        let (mut rest, mut product, mut least) = (b.to_vec(), vec![0.0; b.len()], f64::INFINITY);
        let right = b.to_vec();
        b.fill(0.0);
        for _ in 0..REFINEMENTS {
            self.system.refine(parts, &mut rest, false, &mut scratch);
            b.iter_mut().zip(&rest).for_each(|(x, change)| *x += change);
            parts.multiply(b, &mut product, false, &mut scratch);
            let left = right.iter().zip(&product).map(|(right, product)| right - product);
            rest.iter_mut().zip(left).for_each(|(rest, left)| *rest = left);
            let size = rest.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
            if size >= 0.5 * least || size == 0.0 {
                break;
            }
            least = size;
        }
    }
}
