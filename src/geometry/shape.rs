//! The shapes a person can describe, as plain data.
//!
//! What they are made of for collisions is `Solid`; what they weigh is `mass`.

use std::sync::Arc;

use super::pose::Pose;
use crate::geometry::mesh::triangles::Mesh;
use crate::math::{Vec3, rotation};

/// A shape in its body frame; lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A sphere about the origin.
    Ball {
        /// Radius.
        radius: f64,
    },
    /// A box about the origin.
    Cuboid {
        /// Half of the side along each body axis.
        half_extents: Vec3,
    },
    /// A segment from (0, −half_height, 0) to (0, half_height, 0), rounded.
    Capsule {
        /// Half the length of the segment.
        half_height: f64,
        /// Distance of the surface from the segment.
        radius: f64,
    },
    /// The convex hull of points; its centre of mass becomes the body's origin.
    Hull {
        /// The points, in the file's frame.
        points: Vec<Vec3>,
    },
    /// A cylinder about y, from −half_height to half_height.
    Cylinder {
        /// Half the height.
        half_height: f64,
        /// Of the circle, or of the one through the prism's corners.
        radius: f64,
        /// Flat sides of the prism inscribed in it that is meant instead; none for the round body.
        segments: Option<u32>,
    },
    /// A cone about y: its base at −half_height, its tip at half_height. Its centre of mass becomes the body's origin.
    Cone {
        /// Half the height.
        half_height: f64,
        /// Of the base's circle, or of the one through its corners.
        radius: f64,
        /// Flat sides of the pyramid inscribed in it that is meant instead; none for the round body.
        segments: Option<u32>,
    },
    /// An egg about y: two half ellipsoids that meet in the widest circle, at y = 0. Its centre of mass becomes the body's
    /// origin.
    Egg {
        /// Of the widest circle.
        radius: f64,
        /// How far the pointed end is above that circle.
        tip: f64,
        /// How far the blunt end is below it.
        base: f64,
        /// Flat sides around, and half as many from end to end, of the polyhedron inscribed in it that is meant instead;
        /// none for the smooth body.
        segments: Option<u32>,
    },
    /// The wall of a tube about y, or of a bowl with straight sides, made of staves. Its centre of mass becomes the
    /// body's origin.
    Tube {
        /// Half the height.
        half_height: f64,
        /// Of the outer circle at the bottom.
        radius: f64,
        /// Of the outer circle at the top.
        top_radius: f64,
        /// From the outer to the inner circle.
        thickness: f64,
        /// Where the wall begins and ends, rad about y from z towards x; a full circle is closed.
        arc: [f64; 2],
        /// Staves.
        segments: u32,
    },
    /// What lies below a parabola y = height·(x/half_width)² made of straight edges, down to −thickness. Its centre of
    /// mass becomes the body's origin.
    Parabola {
        /// It reaches from −half_width to half_width along x.
        half_width: f64,
        /// Of its ends over its middle.
        height: f64,
        /// It reaches from −half_depth to half_depth along z.
        half_depth: f64,
        /// Of what lies below its middle.
        thickness: f64,
        /// Straight edges, of equal width.
        segments: u32,
    },
    /// Triangles of a file; their centre of mass becomes the body's origin.
    Mesh(Arc<Mesh>),
    /// Several shapes fixed to each other; their common centre of mass becomes the body's origin.
    Compound {
        /// The shapes, in the file's frame.
        parts: Vec<Part>,
        /// What to take for the centre of mass instead, in the file's frame.
        center_of_mass: Option<Vec3>,
    },
    /// Everything on the far side of a plane through the body's position.
    HalfSpace {
        /// Outward normal in the body frame; need not be of unit length.
        normal: Vec3,
    },
    /// A mass without extent.
    Particle,
}

/// One shape of a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Neither a half-space, a particle, nor a compound.
    pub shape: Shape,
    /// Where the shape's own frame is in the file's.
    pub position: Vec3,
    /// How it is turned there: exponential map.
    pub rotation: Vec3,
}

impl Part {
    /// Where the part's frame is in the file's.
    pub fn pose(&self) -> Pose {
        Pose::new(self.position, &rotation::exp(self.rotation))
    }
}
