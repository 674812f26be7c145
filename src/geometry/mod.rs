//! How far apart two shapes are, where they touch, and how that changes with their poses.
//!
//! ```text
//! Shape ──▶ Solid (cores + radii) ──▶ separation: signed gap and axis         decides *when*
//!                                 └─▶ touching: features ──▶ gap E, point, normal and their derivatives
//! ```
//!
//! Cylinders and cones have elements of their own beside vertices, edges and faces: `curved::cylinder`; so have eggs: `curved::egg`.
//! Nothing here knows of time or velocity.

pub mod carried;
pub mod compound;
pub mod curved;
pub mod feature;
pub mod mass;
pub mod mesh;
mod pieces;
pub mod polyhedra;
mod quantity;
pub mod shape;
pub mod solid;
pub mod surface;

pub use carried as feature_derivative;
pub use carried::{ContactDerivative, PLACE_COLUMNS};
pub use curved::cylinder::body as round;
pub use curved::egg::body as smooth;
pub use feature::{ContactGeometry, Element, Feature, PlacedPair, Side};
pub use polyhedra::polytope;
pub use polyhedra::separation::{Separation, separation};
pub use polyhedra::touching::touching;
pub use shape::{Part, Shape};
pub use solid::{Pose, Solid};
pub use surface::Surface;
