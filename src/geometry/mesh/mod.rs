//! Bodies given by triangles.

mod cutting;
mod shells;
pub(super) mod triangles;

pub use triangles::{Mesh, MeshFault, MeshNote};
