//! What a body is made of for collisions: a half-space, or a convex core rounded by a radius.

use super::polytope::Polytope;
use super::shape::Shape;
use crate::math::{Mat3, Rotation, Vec3};

/// Where a solid is: world from body.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// The body's origin (its centre of mass) in the world.
    pub position: Vec3,
    /// World from body.
    pub turn: Mat3,
}

impl Pose {
    /// From a position and an orientation.
    pub fn new(position: Vec3, rotation: &Rotation) -> Self {
        Pose { position, turn: rotation.to_rotation_matrix().into_inner() }
    }

    /// A body point in the world.
    pub fn point(&self, point_in_body: &Vec3) -> Vec3 {
        self.position + self.turn * point_in_body
    }

    /// A world point in the body.
    pub fn local_point(&self, point: &Vec3) -> Vec3 {
        self.turn.tr_mul(&(point - self.position))
    }
}

/// A shape prepared for collision queries, in the body frame with the centre of mass at the origin.
#[derive(Clone, Debug)]
pub enum Solid {
    /// The half-space below a plane through the origin, with its outward unit normal.
    HalfSpace(Vec3),
    /// Everything within `radius` of a convex core.
    Convex {
        /// The core.
        core: Polytope,
        /// The rounding; zero for a body with sharp edges.
        radius: f64,
    },
}

impl Solid {
    /// The solid of a shape; `None` for a hull without volume.
    pub fn new(shape: &Shape) -> Option<Self> {
        let convex = |core: Polytope, radius: f64| Solid::Convex { core, radius };
        Some(match shape {
            Shape::Ball { radius } => convex(Polytope::point(), *radius),
            Shape::Cuboid { half_extents } => convex(Polytope::cuboid(*half_extents), 0.0),
            Shape::Capsule { half_height, radius } => convex(Polytope::segment(*half_height), *radius),
            Shape::Hull { points } => {
                let center = super::mass::hull_centroid(points)?;
                convex(Polytope::hull(points)?.moved_and_scaled(-center, 1.0), 0.0)
            }
            Shape::HalfSpace { normal } => Solid::HalfSpace(normal.normalize()),
            Shape::Particle => convex(Polytope::point(), 0.0),
        })
    }

    /// With all lengths multiplied.
    pub fn scaled(&self, scale: f64) -> Self {
        match self {
            Solid::HalfSpace(normal) => Solid::HalfSpace(*normal),
            Solid::Convex { core, radius } => {
                Solid::Convex { core: core.clone().moved_and_scaled(Vec3::zeros(), scale), radius: radius * scale }
            }
        }
    }

    /// Largest distance of the solid from its origin; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        match self {
            Solid::HalfSpace(_) => f64::INFINITY,
            Solid::Convex { core, radius } => core.radius + radius,
        }
    }

    /// How far its surface is from its core, m; zero for sharp bodies.
    pub fn rounding(&self) -> f64 {
        match self {
            Solid::HalfSpace(_) => 0.0,
            Solid::Convex { radius, .. } => *radius,
        }
    }

    /// Whether it has neither faces nor rounding: two of these never meet.
    pub fn is_particle(&self) -> bool {
        matches!(self, Solid::Convex { core, radius } if core.vertices.len() == 1 && *radius == 0.0)
    }
}
