//! How a body with two equal moments turns when nothing twists it: the closed form.
//!
//! Let s be the odd axis, e = R·e_s its direction, Λ_s its moment, Λ_t the other two, r = Λ_s/Λ_t.
//! The angular momentum L is constant in the world, and L = Λ_t·ω + (Λ_s − Λ_t)·(e·ω)·e, so that
//!
//! ```text
//! ω    = p + λ·e,     p = L/Λ_t = ω₀ + (r − 1)·(e₀·ω₀)·e₀,     λ = (1 − r)·(e₀·ω₀)      (1)
//! R(τ) = exp(τ·p) · R₀ · exp(τ·λ·e_s)                                                  (2)
//! ω(τ) = p + λ·e(τ),     e(τ) = exp(τ·p)·e₀,     ω̇(τ) = λ·p × e(τ)                     (3)
//! ```
//!
//! Differentiating (2) gives \[p\]·R + R·\[λ·e_s\] = \[ω\]·R, as it must. With r = 1 the spin is constant,
//! whatever e is: balls, cubes, and particles, whose moments are all zero.
//!
//! Which bodies are symmetric, and what a third moment changes, is `flight` and `tumble`.

use crate::math::{Mat3, Rotation, Vec3, rotation};
use nalgebra::RowVector3;

/// The turning of one symmetric body from a start at τ = 0.
#[derive(Clone, Debug)]
pub(super) struct SymmetricTurn {
    rotation0: Rotation,
    spin0: Vec3,
    /// e_s in the body frame.
    axis_in_body: Vec3,
    /// e₀: the axis at the start, in the world.
    axis0: Vec3,
    /// 1 − r: zero where the spin is constant.
    flatness: f64,
    /// p of (1), rad/s.
    precession: Vec3,
    /// λ of (1), rad/s.
    own_spin: f64,
}

impl SymmetricTurn {
    /// `moment_ratio` is r, the moment about the axis over the other two.
    pub(super) fn new(rotation0: Rotation, spin0: Vec3, axis_in_body: Vec3, moment_ratio: f64) -> Self {
        let axis0 = rotation0 * axis_in_body;
        let flatness = 1.0 - moment_ratio;
        let own_spin = flatness * axis0.dot(&spin0);
        let precession = spin0 - own_spin * axis0;
        Self { rotation0, spin0, axis_in_body, axis0, flatness, precession, own_spin }
    }

    /// R(τ): equation (2).
    pub(super) fn rotation_at(&self, tau: f64) -> Rotation {
        let turned = rotation::exp(tau * self.precession) * self.rotation0;
        if self.own_spin == 0.0 {
            return turned;
        }
        turned * rotation::exp(tau * self.own_spin * self.axis_in_body)
    }

    /// R(τ) and ω(τ): equations (2) and (3).
    pub(super) fn at(&self, tau: f64) -> (Rotation, Vec3) {
        let rotation = self.rotation_at(tau);
        if self.own_spin == 0.0 {
            return (rotation, self.spin0);
        }
        (rotation, self.precession + self.own_spin * (rotation * self.axis_in_body))
    }

    /// ω̇(τ): equation (3).
    pub(super) fn spin_rate_at(&self, tau: f64) -> Vec3 {
        self.own_spin * self.precession.cross(&(self.rotation_at(tau) * self.axis_in_body))
    }

    /// |ω|, which is constant.
    pub(super) fn spin_bound(&self) -> f64 {
        self.spin0.norm()
    }

    /// |ω̇|, which is constant.
    pub(super) fn spin_rate_bound(&self) -> f64 {
        (self.own_spin * self.precession.cross(&self.axis0)).norm()
    }

    /// d(δθ, δω)/d(δθ₀, δω₀) at τ: rows θ, ω by columns θ₀, ω₀, each 3 × 3.
    ///
    /// A turn δθ₀ carries e₀ along and leaves ω₀ alone, so with ω_s = e₀·ω₀
    ///
    /// ```text
    /// δe₀  = δθ₀ × e₀                                                            (4)
    /// δω_s = e₀·δω₀ + (e₀ × ω₀)·δθ₀                                              (5)
    /// δp   = δω₀ − (1 − r)·(e₀·δω_s + ω_s·δe₀),     δλ = (1 − r)·δω_s            (6)
    /// δθ   = τ·dexp(τ·p)·δp + exp(τ·p)·δθ₀ + τ·e(τ)·δλ                           (7)
    /// δω   = δp + e(τ)·δλ + λ·δθ × e(τ)                                          (8)
    /// ```
    ///
    /// (7) has one term for each factor of (2).
    pub(super) fn dturn_dstart(&self, tau: f64) -> [[Mat3; 2]; 2] {
        let axis0 = self.axis0;
        let along0 = axis0.dot(&self.spin0);
        let turned = rotation::exp(tau * self.precession).to_rotation_matrix().into_inner();
        let axis = turned * axis0;
        let arm = tau * rotation::dexp(tau * self.precession);
        let blocks = |dtheta0: Mat3, dspin0: Mat3, daxis0: Mat3, dalong: RowVector3<f64>| {
            let down_spin = self.flatness * dalong;
            let dprecession = dspin0 - axis0 * down_spin - self.flatness * along0 * daxis0; // (6)
            let dtheta = arm * dprecession + turned * dtheta0 + tau * axis * down_spin; // (7)
            let carried = self.own_spin * rotation::hat(axis) * dtheta;
            [dtheta, dprecession + axis * down_spin - carried] // (8)
        };
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let dalong_dtheta0 = axis0.cross(&self.spin0).transpose(); // (5)
        let by_theta0 = blocks(one, zero, -rotation::hat(axis0), dalong_dtheta0);
        let by_spin0 = blocks(zero, one, zero, axis0.transpose());
        [[by_theta0[0], by_spin0[0]], [by_theta0[1], by_spin0[1]]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top() -> SymmetricTurn {
        let rotation0 = rotation::exp(Vec3::new(0.3, -0.4, 1.2));
        let axis = Vec3::new(2.0, -1.0, 2.0) / 3.0;
        SymmetricTurn::new(rotation0, Vec3::new(1.0, 4.0, -3.0), axis, 1.8)
    }

    #[test]
    fn spin_is_the_rate_of_the_rotation() {
        let (top, tau, h) = (top(), 0.7, 1e-5);
        let turn = rotation::log(&(top.rotation_at(tau + h) * top.rotation_at(tau - h).inverse()));
        let error = (turn / (2.0 * h) - top.at(tau).1).norm();
        assert!(error < 1e-8, "error {error:e}");
    }

    #[test]
    fn spin_rate_is_the_rate_of_the_spin() {
        let (top, tau, h) = (top(), 0.7, 1e-5);
        let rate = (top.at(tau + h).1 - top.at(tau - h).1) / (2.0 * h);
        let error = (rate - top.spin_rate_at(tau)).norm();
        assert!(error < 1e-8, "error {error:e}");
        let bound_error = (top.spin_rate_at(tau).norm() - top.spin_rate_bound()).abs();
        assert!(bound_error < 1e-13, "error {bound_error:e}");
    }
}
