//! Bodies given by triangles: repaired and weighed in `triangles`, cut into convex pieces shell by shell (`shells`,
//! `cutting`).
//!
//! What collides are the pieces. Reading files of triangles is `scene`'s business.

mod cutting;
mod shells;
pub(super) mod triangles;

pub use triangles::{Mesh, MeshFault, MeshNote};
