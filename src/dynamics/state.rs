//! The state of one body, its tangent, and the mass that resists its change.
//!
//! ```text
//! q ⊕ δq = (x + δx, exp([δθ])·R, v + δv, ω + δω)                                (1)
//! q′ ⊖ q = (x′ − x, log(R′·Rᵀ), v′ − v, ω′ − ω)                                 (2)
//! W = R·P·diag(1/Λ_i)·Pᵀ·Rᵀ        P: body from principal                       (3)
//! ```
//!
//! Everything is in the world frame; a change of θ leaves the world's ω as it is. How the state moves
//! is `flight`; where mass comes from is `geometry` and `model`.

use crate::geometry::Pose;
use crate::math::{Mat3, Rotation, Vec3, rotation};

/// A change of a [`BodyState`], 12 entries: δx, δθ, δv, δω.
pub type StateTangent = nalgebra::SVector<f64, 12>;

/// Position, orientation and velocities of one body, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Centre of mass, m.
    pub position: Vec3,
    /// World from body.
    pub rotation: Rotation,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub spin: Vec3,
}

/// Mass and principal moments of inertia of one body about its centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// kg; infinite for a fixed body.
    pub mass: f64,
    /// Principal moments, kg·m²; all zero for a particle, which does not turn.
    pub inertia: Vec3,
    /// Orientation of the principal axes in the body frame.
    pub body_from_principal: Rotation,
}

impl BodyState {
    /// Where the body is.
    pub fn pose(&self) -> Pose {
        Pose::new(self.position, &self.rotation)
    }

    /// The state a small tangent away: equation (1).
    pub fn moved_by(&self, tangent: &StateTangent) -> BodyState {
        let part = |at: usize| Vec3::new(tangent[at], tangent[at + 1], tangent[at + 2]);
        let mut rotation = rotation::exp(part(3)) * self.rotation;
        // A product of unit quaternions loses an ε of its length; long chains would add up.
        rotation.renormalize();
        BodyState {
            position: self.position + part(0),
            rotation,
            velocity: self.velocity + part(6),
            spin: self.spin + part(9),
        }
    }

    /// The tangent that leads from this state to `other`: equation (2).
    pub fn tangent_to(&self, other: &BodyState) -> StateTangent {
        stacked(
            other.position - self.position,
            rotation::log(&(other.rotation * self.rotation.inverse())),
            other.velocity - self.velocity,
            other.spin - self.spin,
        )
    }

    /// Velocity of the body's material point that is at this place in the world, m/s.
    pub fn point_velocity(&self, point_in_world: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(&(point_in_world - self.position))
    }

    /// Energy of motion ½m·v² + ½ω·L, J; zero for a body that is not pushed.
    pub fn kinetic_energy(&self, mass: &MassProperties) -> f64 {
        if !mass.is_pushed() {
            return 0.0;
        }
        let turning = self.spin.dot(&self.angular_momentum(mass));
        0.5 * (mass.mass * self.velocity.norm_squared() + turning)
    }

    /// Angular momentum L = R·P·diag(Λ_i)·Pᵀ·Rᵀ·ω about the centre of mass, kg·m²/s; zero for a
    /// fixed body.
    pub fn angular_momentum(&self, mass: &MassProperties) -> Vec3 {
        if !mass.is_pushed() {
            return Vec3::zeros();
        }
        let world_from_principal = self.rotation * mass.body_from_principal;
        let spin_in_principal = world_from_principal.inverse_transform_vector(&self.spin);
        world_from_principal * spin_in_principal.component_mul(&mass.inertia)
    }

    /// Whether every number of the state is finite.
    pub fn is_finite(&self) -> bool {
        let vectors = [self.position, self.velocity, self.spin];
        vectors.iter().all(|v| v.iter().all(|x| x.is_finite())) && self.rotation.coords.iter().all(|x| x.is_finite())
    }
}

impl MassProperties {
    /// Whether forces and impulses change its motion: its mass is finite.
    pub fn is_pushed(&self) -> bool {
        !self.mass.is_infinite()
    }

    /// 1/m, 1/kg; zero for a body that is not pushed.
    pub fn inverse_mass(&self) -> f64 {
        if !self.is_pushed() { 0.0 } else { 1.0 / self.mass }
    }

    /// W of equation (3), 3 × 3, in the world: takes a torque impulse to a change of spin. Zero for
    /// a fixed body and for a particle; an axis without inertia takes up nothing.
    pub fn inverse_inertia_in_world(&self, rotation: &Rotation) -> Mat3 {
        if !self.is_pushed() {
            return Mat3::zeros();
        }
        let inverse = self.inertia.map(|moment| if moment > 0.0 { 1.0 / moment } else { 0.0 });
        let axes = (rotation * self.body_from_principal).to_rotation_matrix().into_inner();
        axes * Mat3::from_diagonal(&inverse) * axes.transpose()
    }
}

/// A tangent from its four parts.
pub(crate) fn stacked(dx: Vec3, dtheta: Vec3, dv: Vec3, dspin: Vec3) -> StateTangent {
    let mut tangent = StateTangent::zeros();
    for (index, part) in [dx, dtheta, dv, dspin].iter().enumerate() {
        tangent.fixed_rows_mut::<3>(3 * index).copy_from(part);
    }
    tangent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> BodyState {
        BodyState {
            position: Vec3::new(1.0, 2.0, -3.0),
            rotation: rotation::exp(Vec3::new(0.4, -1.1, 0.3)),
            velocity: Vec3::new(-1.0, 0.5, 2.0),
            spin: Vec3::new(3.0, -2.0, 1.0),
        }
    }

    fn brick() -> MassProperties {
        MassProperties {
            mass: 3.0,
            inertia: Vec3::new(0.02, 0.05, 0.06),
            body_from_principal: rotation::exp(Vec3::new(0.2, 0.1, -0.7)),
        }
    }

    #[test]
    fn tangent_to_inverts_moved_by() {
        let tangent = StateTangent::from_fn(|row, _| 0.1 * row as f64 - 0.45);
        let error = (state().tangent_to(&state().moved_by(&tangent)) - tangent).norm();
        assert!(error < 3e-15, "error {error:e}");
        assert!(state().tangent_to(&state()).norm() < 1e-16);
    }

    #[test]
    fn a_turn_is_taken_about_world_axes() {
        let turned = state().moved_by(&stacked(Vec3::zeros(), Vec3::y() * 0.5, Vec3::zeros(), Vec3::zeros()));
        let expected = rotation::exp(Vec3::y() * 0.5) * (state().rotation * Vec3::x());
        assert!((turned.rotation * Vec3::x() - expected).norm() < 1e-15);
        assert_eq!(turned.spin, state().spin);
    }

    #[test]
    fn inverse_inertia_undoes_angular_momentum() {
        let (state, mass) = (state(), brick());
        let inverse = mass.inverse_inertia_in_world(&state.rotation);
        let error = (inverse * state.angular_momentum(&mass) - state.spin).norm();
        assert!(error < 1e-14, "error {error:e}");
    }

    #[test]
    fn energy_is_that_of_a_ball_on_paper() {
        let ball = MassProperties { inertia: Vec3::repeat(0.5), ..brick() };
        let expected = 0.5 * 3.0 * 5.25 + 0.5 * 0.5 * 14.0;
        let energy = state().kinetic_energy(&ball);
        assert!((energy - expected).abs() < 1e-14, "{energy} against {expected}");
    }

    #[test]
    fn points_move_with_the_spin() {
        let spinning = BodyState { velocity: Vec3::zeros(), spin: Vec3::z() * 2.0, ..state() };
        let velocity = spinning.point_velocity(state().position + Vec3::x());
        assert_eq!(velocity, Vec3::y() * 2.0);
    }

    #[test]
    fn fixed_bodies_and_particles_resist_everything_they_must() {
        let fixed = MassProperties { mass: f64::INFINITY, ..brick() };
        assert_eq!(fixed.inverse_mass(), 0.0);
        assert_eq!(fixed.inverse_inertia_in_world(&state().rotation), Mat3::zeros());
        assert_eq!(state().kinetic_energy(&fixed), 0.0);
        let particle = MassProperties { inertia: Vec3::zeros(), ..brick() };
        assert_eq!(particle.inverse_inertia_in_world(&state().rotation), Mat3::zeros());
        assert_eq!(particle.inverse_mass(), 1.0 / 3.0);
    }
}
