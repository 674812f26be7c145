//! Two solids at their poses, and the elements of their convex cores in the world.
//!
//! Normals point from the second body to the first. What pairs of elements say is `contact_geometry`.

use super::feature::Side;
use super::pose::Pose;
use super::solid::Solid;
use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::Vec3;

/// Two solids at their poses.
#[derive(Clone, Copy)]
pub struct PlacedPair<'a> {
    /// The first-named body.
    pub first: (&'a Solid, &'a Pose),
    /// The second-named body.
    pub second: (&'a Solid, &'a Pose),
}

/// Gap, contact point and normal of one touching feature pair.
#[derive(Clone, Copy, Debug)]
pub struct ContactGeometry {
    /// E: m.
    pub gap: f64,
    /// In the world.
    pub point: Vec3,
    /// Unit, from the second body to the first.
    pub normal: Vec3,
}

impl<'a> PlacedPair<'a> {
    /// The convex body on a side; a half-space has none.
    pub(super) fn convex(&self, side: Side) -> Option<Placed<'a>> {
        let (solid, pose) = match side {
            Side::First => self.first,
            Side::Second => self.second,
        };
        match solid {
            Solid::Convex { core, radius } => Some(Placed { core, radius: *radius, pose }),
            Solid::HalfSpace(_) | Solid::Compound(_) => None,
        }
    }
}

/// The parts of a placed convex body that formulas use.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub core: &'a Polytope,
    pub radius: f64,
    pub pose: &'a Pose,
}

impl<'a> Placed<'a> {
    pub fn vertex(&self, k: u32) -> Vec3 {
        self.pose.point(&self.core.vertices[k as usize])
    }

    /// A point of an edge and its unit direction, in the world.
    pub fn edge(&self, k: u32) -> (Vec3, Vec3) {
        let [a, b] = self.core.edges[k as usize].ends;
        let (a, b) = (self.core.vertices[a as usize], self.core.vertices[b as usize]);
        (self.pose.point(&a), self.pose.turn * (b - a).normalize())
    }

    /// Outward normal of a face and its height over the body's origin.
    pub fn face(&self, k: u32) -> (Vec3, f64) {
        let face = &self.core.faces[k as usize];
        (self.pose.turn * face.normal, face.offset)
    }

    /// Height of a world point over a face.
    pub fn height(&self, face: u32, point: &Vec3) -> f64 {
        let (n, offset) = self.face(face);
        n.dot(&(point - self.pose.position)) - offset
    }
}
