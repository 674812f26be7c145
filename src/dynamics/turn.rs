//! How a body turns in free flight: by the closed form where its moments allow one, else by series.
//!
//! ```text
//! Ṙ = [ω]·R,      L = R·P·diag(Λ)·Pᵀ·Rᵀ·ω constant,      P = body_from_principal
//! ```
//!
//! `symmetric` solves this for two or three equal moments, `tumble` for any. The choice shows in cost
//! and not in the motion: both are accurate to rounding, and derivatives cross from one to the other.

use super::state::{BodyState, MassProperties};
use super::symmetric::SymmetricTurn;
use super::tumble::Tumble;
use crate::math::{Mat3, Rotation, Vec3};

/// Moments that differ by less than this, relative to the largest, count as equal: four roundings,
/// what computing them from a shape costs. The motion that is lost stays below 1e-15·(ωτ)².
const EQUAL_MOMENTS: f64 = 4.0 * f64::EPSILON;

/// The turning of one body from a start at τ = 0.
#[derive(Clone, Debug)]
pub(super) enum Turn {
    /// Two or three equal moments, or none at all.
    Symmetric(SymmetricTurn),
    /// Three different moments.
    Tumbling {
        /// The motion of the principal axes.
        tumble: Tumble,
        /// Pᵀ.
        principal_from_body: Rotation,
    },
}

impl Turn {
    /// Chooses the closed form wherever there is one.
    pub(super) fn new(mass: &MassProperties, state: &BodyState) -> Turn {
        let moments = mass.inertia;
        let tolerance = EQUAL_MOMENTS * moments.max();
        let equal = |a: usize, b: usize| (moments[a] - moments[b]).abs() <= tolerance;
        let symmetric = |axis: Vec3, ratio: f64| {
            let axis_in_body = mass.body_from_principal * axis;
            Turn::Symmetric(SymmetricTurn::new(state.rotation, state.spin, axis_in_body, ratio))
        };
        // A fixed body has no spin, and a body without inertia nothing that would change it.
        let steady = !mass.is_pushed() || moments.max() == 0.0;
        if steady || (equal(0, 1) && equal(1, 2) && equal(2, 0)) {
            return symmetric(Vec3::x(), 1.0);
        }
        match (0..3).find(|&odd| equal((odd + 1) % 3, (odd + 2) % 3)) {
            Some(odd) => {
                let others = 0.5 * (moments[(odd + 1) % 3] + moments[(odd + 2) % 3]);
                symmetric(Vec3::ith(odd, 1.0), moments[odd] / others)
            }
            None => Turn::Tumbling {
                tumble: tumble_from(mass, state),
                principal_from_body: mass.body_from_principal.inverse(),
            },
        }
    }

    /// Makes the motion valid up to τ.
    pub(super) fn extend_to(&mut self, tau: f64) {
        if let Turn::Tumbling { tumble, .. } = self {
            tumble.extend_to(tau);
        }
    }

    /// τ up to which the motion is known.
    pub(super) fn end(&self) -> f64 {
        match self {
            Turn::Symmetric(_) => f64::INFINITY,
            Turn::Tumbling { tumble, .. } => tumble.end(),
        }
    }

    /// R and ω at τ.
    pub(super) fn at(&self, tau: f64) -> (Rotation, Vec3) {
        match self {
            Turn::Symmetric(symmetric) => symmetric.at(tau),
            Turn::Tumbling { tumble, principal_from_body } => {
                let (world_from_principal, spin) = tumble.at(tau);
                (world_from_principal * principal_from_body, spin)
            }
        }
    }

    /// R at τ.
    pub(super) fn rotation_at(&self, tau: f64) -> Rotation {
        match self {
            Turn::Symmetric(symmetric) => symmetric.rotation_at(tau),
            Turn::Tumbling { tumble, principal_from_body } => tumble.orientation_at(tau) * principal_from_body,
        }
    }

    /// dω/dt at τ.
    pub(super) fn spin_rate_at(&self, tau: f64) -> Vec3 {
        match self {
            Turn::Symmetric(symmetric) => symmetric.spin_rate_at(tau),
            Turn::Tumbling { tumble, .. } => tumble.spin_rate_at(tau),
        }
    }

    /// Bound of |ω| over all time.
    pub(super) fn spin_bound(&self) -> f64 {
        match self {
            Turn::Symmetric(symmetric) => symmetric.spin_bound(),
            Turn::Tumbling { tumble, .. } => tumble.spin_bound(),
        }
    }

    /// Bound of |dω/dt| over all time.
    pub(super) fn spin_rate_bound(&self) -> f64 {
        match self {
            Turn::Symmetric(symmetric) => symmetric.spin_rate_bound(),
            Turn::Tumbling { tumble, .. } => tumble.spin_rate_bound(),
        }
    }

    /// τ at which the stored motion begins anew, the start included.
    pub(super) fn node_times(&self) -> &[f64] {
        match self {
            Turn::Symmetric(_) => &[0.0],
            Turn::Tumbling { tumble, .. } => tumble.node_times(),
        }
    }

    /// d(δθ, δω)/d(δθ₀, δω₀) at τ: rows θ, ω by columns θ₀, ω₀, each 3 × 3.
    pub(super) fn dturn_dstart(&self, tau: f64) -> [[Mat3; 2]; 2] {
        match self {
            Turn::Symmetric(symmetric) => symmetric.dturn_dstart(tau),
            Turn::Tumbling { tumble, .. } => tumble.dturn_dstart(tau),
        }
    }

    /// d(δθ, δω)/d(Λ₁, Λ₂, Λ₃) at τ, the start held: rows θ, ω, each 3 × 3.
    ///
    /// A single moment breaks a symmetry that others made, so the closed form cannot tell: the
    /// derivative is that of the general motion, which a symmetric body flies here for the purpose.
    pub(super) fn dturn_dinertia(&self, mass: &MassProperties, start: &BodyState, tau: f64) -> [Mat3; 2] {
        if !mass.is_pushed() || mass.inertia.min() <= 0.0 {
            return [Mat3::zeros(); 2];
        }
        match self {
            Turn::Symmetric(_) => {
                let mut tumble = tumble_from(mass, start);
                tumble.extend_to(tau);
                tumble.dturn_dinertia(tau)
            }
            Turn::Tumbling { tumble, .. } => tumble.dturn_dinertia(tau),
        }
    }
}

/// The general turning of a body from a state, whatever its moments.
fn tumble_from(mass: &MassProperties, state: &BodyState) -> Tumble {
    Tumble::new(mass.inertia, state.rotation * mass.body_from_principal, state.spin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation;
    use nalgebra::Quaternion;

    fn turn(inertia: [f64; 3]) -> Turn {
        let body_from_principal = Rotation::from_euler_angles(0.1, 0.2, 0.3);
        let inertia = Vec3::from(inertia);
        let mass = MassProperties { mass: 1.0, inertia, body_from_principal };
        let state = BodyState {
            position: Vec3::zeros(),
            rotation: Rotation::from_euler_angles(-0.4, 0.3, 0.9),
            velocity: Vec3::zeros(),
            spin: Vec3::new(1.0, 2.0, -3.0),
        };
        Turn::new(&mass, &state)
    }

    #[test]
    fn closed_forms_are_chosen_where_moments_agree_to_rounding() {
        let rounded = 0.1 * (1.0 + f64::EPSILON);
        for inertia in [[0.1, rounded, 0.1], [0.1, 0.3, rounded], [0.0; 3], [0.0, 0.1, 0.1]] {
            assert!(matches!(turn(inertia), Turn::Symmetric(_)), "{inertia:?}");
        }
        for inertia in [[0.1, 0.1 + 1e-14, 0.2], [1.0, 2.0, 3.0]] {
            assert!(matches!(turn(inertia), Turn::Tumbling { .. }), "{inertia:?}");
        }
    }

    #[test]
    fn the_choice_does_not_show_in_the_motion() {
        for axis in 0..3 {
            let mut inertia = [0.1; 3];
            inertia[axis] = 0.15;
            let closed = turn(inertia);
            inertia[(axis + 1) % 3] *= 1.0 + 1e-14;
            let mut series = turn(inertia);
            series.extend_to(3.0);
            let ((a, v), (b, w)) = (closed.at(3.0), series.at(3.0));
            let (turn, spin) = (rotation::angle_between(&a, &b), (v - w).norm());
            assert!(turn < 1e-12 && spin < 1e-12, "turn {turn:e}, spin {spin:e}");
        }
    }

    #[test]
    fn ten_seconds_of_fast_tumbling_match_a_reference() {
        // From a Taylor integration of order 30 in 34 digits, 1600 steps.
        let (inertia, spin) = (Vec3::new(0.02, 0.05, 0.06), Vec3::new(12.0, -11.0, 12.0));
        let turns = [rotation::exp(Vec3::new(0.1, 0.2, 0.3)), rotation::exp(Vec3::new(0.3, -0.5, 0.8))];
        let expected_rotation = Rotation::new_normalize(Quaternion::new(
            -0.3109890245473884,
            0.0643240476131405,
            -0.08742268932342265,
            0.9441956984127743,
        ));
        let expected_spin = Vec3::new(12.145169338180415, -10.530158706633945, 11.924524746377548);
        let mass = MassProperties { mass: 1.0, inertia, body_from_principal: turns[0] };
        let state = BodyState {
            position: Vec3::zeros(),
            rotation: turns[1],
            velocity: Vec3::zeros(),
            spin: spin.normalize() * 20.0,
        };
        let mut turn = Turn::new(&mass, &state);
        turn.extend_to(10.0);
        let (rotation, spin) = turn.at(10.0);
        let turn_error = rotation::angle_between(&rotation, &expected_rotation);
        let spin_error = (spin - expected_spin).norm() / 20.0;
        assert!(turn_error < 5e-13 && spin_error < 2e-13, "{turn_error:e}, {spin_error:e}");
    }
}
