//! How far apart two shapes are, where they touch, and how that changes with their poses.
//!
//! ```text
//! Shape ──▶ Solid (core + radius) ──▶ separation: signed gap and axis         decides *when*
//!                                 └─▶ touching: features ──▶ gap E, point, normal and their derivatives
//! ```
//!
//! Nothing here knows of time or velocity.

pub mod closest;
pub mod feature;
pub mod feature_derivative;
mod gauss_map;
pub mod hull_mesh;
pub mod mass;
pub mod polytope;
pub mod separation;
pub mod shape;
pub mod solid;
pub mod surface;
pub mod touching;

pub use feature::{ContactGeometry, Feature, PlacedPair, Side};
pub use feature_derivative::ContactDerivative;
pub use separation::{Separation, separation};
pub use shape::Shape;
pub use solid::{Pose, Solid};
pub use surface::Surface;
pub use touching::touching;
