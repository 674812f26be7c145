//! Where a body is: from its own frame to the world, and back.

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

    /// This pose of a frame that has another within it.
    pub fn after(&self, inner: &Pose) -> Pose {
        Pose { position: self.point(&inner.position), turn: self.turn * inner.turn }
    }

    /// A world point in the body.
    pub fn local_point(&self, point: &Vec3) -> Vec3 {
        self.turn.tr_mul(&(point - self.position))
    }
}
