//! Labels: named points of bodies.

use crate::math::Vec3;

/// One `[[label]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Unique in the scene.
    pub name: String,
    /// By its place in the scene's list.
    pub body: usize,
    /// In its frame, from its centre of mass, m.
    pub point: Vec3,
}
