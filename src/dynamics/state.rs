//! The state of one body, and the mass that resists its change.

use crate::math::{Rotation, Vec3};

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
    /// kg.
    pub mass: f64,
    /// Principal moments, kg·m²; all zero for a particle, which does not turn.
    pub inertia: Vec3,
    /// Orientation of the principal axes in the body frame.
    pub body_from_principal: Rotation,
}
