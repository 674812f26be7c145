//! How far apart two shapes are, where they touch, and how that changes with their poses.
//!
//! ```text
//! Shape ──▶ Solid (cores + radii) ──▶ separation: signed gap and axis         decides *when*
//!                                 └─▶ touching: features ──▶ gap E, point, normal and their derivatives
//! ```
//!
//! Cylinders and cones have elements of their own beside vertices, edges and faces: `round`; so have eggs: `smooth`.
//! Nothing here knows of time or velocity.

pub mod closest;
pub mod compound;
pub mod curved;
pub mod feature;
pub mod feature_derivative;
mod gauss_map;
pub mod hull_mesh;
mod lathe;
pub mod mass;
pub mod mesh;
mod piece_features;
mod pieces;
pub mod polytope;
pub mod round;
pub mod separation;
mod settings;
pub mod shape;
pub mod smooth;
pub mod solid;
pub mod surface;
mod surface_pieces;
pub mod touching;

pub use feature::{ContactGeometry, Element, Feature, PlacedPair, Side};
pub use feature_derivative::{ContactDerivative, PLACE_COLUMNS};
pub use separation::{Separation, separation};
pub use settings::TOUCHING;
pub use shape::{Part, Shape};
pub use solid::{Pose, Solid};
pub use surface::Surface;
pub use touching::touching;
