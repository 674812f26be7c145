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

use super::system::{Parts, Scratch, System};
use crate::contact::law::block::{Law, Mode};
use crate::contact::law::kind::PerKind;
use crate::contact::law::list::Laws;
use crate::contact::law::row_law::{Point, RowLaw};
use crate::contact::problem::ContactProblem;
use crate::contact::settings::COMPLIANCE;
use crate::math::Vec3;

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
        let mut law = Law::open(Vec3::zeros());
        for row in 0..self.closed_rows() {
            law.dlaw_dimpulse[(row, row)] = 0.0;
            law.dlaw_dvelocity[(row, row)] = r;
        }
        if let GivenBranch::Slide(d) = self {
            (law.dlaw_dimpulse.m21, law.dlaw_dimpulse.m31) = (friction * d[0], friction * d[1]);
        }
        if *self != GivenBranch::Open {
            law.mode = Mode::Slide;
        }
        law
    }
}

/// A, factorised.
pub struct BranchSystem {
    problem: ContactProblem,
    laws: Laws,
    system: System,
    shift: PerKind,
    /// r.
    scales: PerKind,
}

impl BranchSystem {
    /// Of a problem without blocks that are coupled, as those that resist rolling, for the branch of every contact; none
    /// where A is singular.
    pub fn new(problem: ContactProblem, branches: &[GivenBranch]) -> Option<Self> {
        let means = problem.mean_traces();
        let scales = PerKind(means.0.map(|mean| 1.0 / mean));
        let laws = laws(&problem, branches, scales)?;
        let shift = means.compliances(COMPLIANCE);
        let mut system = System::default();
        let parts = Parts { problem: &problem, shift, laws: &laws };
        // Any right side shows whether the factor needs exchanges; the velocities are the one that will be asked for.
        let mut probe = problem.velocity.as_slice().to_vec();
        let regular = system.assemble(parts) && system.refine_or_exchange(parts, &mut probe, &mut Scratch::default());
        regular.then_some(Self { problem, laws, system, shift, scales })
    }

    /// w of a row.
    pub fn velocity(&self, row: usize) -> f64 {
        self.problem.velocity[row]
    }

    /// ε̂ of a row.
    pub fn compliance(&self, row: usize) -> f64 {
        self.shift[self.problem.laws[row / 3].kind()]
    }

    /// The closed rows.
    pub fn closed_rows(&self) -> impl Iterator<Item = usize> + '_ {
        let closed = |row: &usize| self.laws.blocks[row / 3].dlaw_dimpulse[(row % 3, row % 3)] == 0.0;
        (0..3 * self.laws.blocks.len()).filter(closed)
    }

    /// Replaces b by A⁻¹·b, where the closed rows of b are without r.
    ///
    /// There is no Newton step after this one to take its error away: redundant contacts make ε̂⁻¹ of a residual, so it is
    /// refined while that helps.
    pub fn solve(&self, closed: impl Iterator<Item = usize>, b: &mut [f64]) {
        closed.for_each(|row| b[row] *= self.scales[self.problem.laws[row / 3].kind()]);
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

/// The laws of all blocks, contacts on their branches, for the scales r; none where a block is coupled to another.
fn laws(problem: &ContactProblem, branches: &[GivenBranch], scales: PerKind) -> Option<Laws> {
    let zero = vec![0.0; problem.velocity.len()];
    let all_scales: Vec<f64> = problem.laws.iter().map(|law| scales[law.kind()]).collect();
    let at = Point { impulse: &zero, velocity: &zero, scales: &all_scales, given_normal: None };
    let of = |(i, law): (usize, &RowLaw)| match law {
        RowLaw::Contact { friction } => Some(branches[i].law(*friction, all_scales[i])),
        other => other.coupled_to().is_none().then(|| other.law(i, &at)),
    };
    Some(Laws { blocks: problem.laws.iter().enumerate().map(of).collect::<Option<_>>()? })
}
