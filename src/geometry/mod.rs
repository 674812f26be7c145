//! How far apart two shapes are, where they touch, and how that changes with their poses.
//!
//! ```text
//! Shape ──▶ Solid (cores + radii) ──▶ separation: signed gap and axis         decides *when*
//!                                 └─▶ touching: features ──▶ gap E, point, normal and their derivatives
//! ```
//!
//! Cylinders and cones have elements of their own beside vertices, edges and faces: `curved::cylinder`; so have eggs: `curved::egg`.
//! Nothing here knows of time or velocity.

mod axis;
pub mod carried;
pub mod compound;
mod contact_geometry;
pub mod curved;
pub mod feature;
mod found;
pub mod mass;
pub mod mesh;
mod pieces;
mod placed;
pub mod polyhedra;
mod pose;
mod quantity;
mod separation;
pub mod shape;
pub mod solid;
pub mod surface;
mod touching;

pub use axis::Separation;
pub use carried as feature_derivative;
pub use carried::{ContactDerivative, PLACE_COLUMNS};
pub use curved::cylinder::body as round;
pub use curved::egg::body as smooth;
pub use feature::{Element, Feature, Side};
pub use placed::{ContactGeometry, PlacedPair};
pub use polyhedra::polytope;
pub use pose::Pose;
pub use separation::separation;
pub use shape::{Part, Shape};
pub use solid::Solid;
pub use surface::Surface;
pub use touching::touching;
