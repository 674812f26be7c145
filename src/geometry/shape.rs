//! The shapes a person can describe, as plain data.
//!
//! What they are made of for collisions is `Solid`; what they weigh is `mass`.

use crate::math::Vec3;

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
    /// Everything on the far side of a plane through the body's position.
    HalfSpace {
        /// Outward normal in the body frame; need not be of unit length.
        normal: Vec3,
    },
    /// A mass without extent.
    Particle,
}
