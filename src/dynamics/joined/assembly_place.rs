//! How far every bit of mass of a group is from where it was given: what an assembled start makes the least.
//!
//! ```text
//! f = ½·Σ ∫|x + R·r − x₀ − R₀·r|² dm = Σ ½m·|x − x₀|² + tr C − tr(C·Q),      Q = R₀ᵀ·R,      C = ½·tr Λ·1 − Λ
//! ∇f = (m·(x − x₀), axial(C·Q)),      by x and by φ with R ← R·exp(\[φ\])
//! ```
//!
//! in principal axes.

use super::expansion::{Expansion, PrincipalState};
use super::machine::{Machine, Member};
use crate::math::{Mat3, Vec3};

/// Where a group is while its nearest start is looked for.
#[derive(Debug)]
pub(super) struct Place {
    /// At q, with the velocities that were given.
    pub states: Vec<PrincipalState>,
    /// At the start that was given.
    pub given: Vec<PrincipalState>,
    pub expansion: Expansion,
    /// λ: what joints do against ∇f.
    pub reactions: Vec<f64>,
}

impl Place {
    /// f.
    pub fn cost(&self, machine: &Machine) -> f64 {
        let cost = |k: usize| {
            let member = &machine.members[k];
            if !member.moves {
                return 0.0;
            }
            let away = self.states[k].position - self.given[k].position;
            let (spread, turn) = (second_moments(member), self.turn(k));
            // tr C − tr(C·Q), without the difference of two large numbers: 1 − Q_ii.
            let turning: f64 = (0..3).map(|i| spread[i] * (1.0 - turn[(i, i)])).sum();
            0.5 * member.mass.mass * away.norm_squared() + turning
        };
        (0..machine.members.len()).map(cost).sum()
    }

    /// W·∇f.
    pub fn slopes(&self, machine: &Machine) -> Vec<[f64; 6]> {
        let slope = |k: usize| {
            let member = &machine.members[k];
            if !member.moves {
                return [0.0; 6];
            }
            let away = self.states[k].position - self.given[k].position;
            let turning = axial(&(Mat3::from_diagonal(&second_moments(member)) * self.turn(k)));
            let turning = turning.component_mul(&member.inverse_inertia);
            [away.x, away.y, away.z, turning.x, turning.y, turning.z]
        };
        (0..machine.members.len()).map(slope).collect()
    }

    /// Q.
    pub fn turn(&self, member: usize) -> Mat3 {
        (self.given[member].orientation.inverse() * self.states[member].orientation).to_rotation_matrix().into_inner()
    }
}

/// C, which is diagonal.
pub(super) fn second_moments(member: &Member) -> Vec3 {
    let moments = member.mass.inertia;
    Vec3::repeat(0.5 * moments.sum()) - moments
}

/// a with tr(A·\[φ\]) = −a·φ.
pub(super) fn axial(a: &Mat3) -> Vec3 {
    Vec3::new(a[(2, 1)] - a[(1, 2)], a[(0, 2)] - a[(2, 0)], a[(1, 0)] - a[(0, 1)])
}
