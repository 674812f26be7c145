//! Bodies given by triangles.

mod shells;
pub(super) mod triangles;

pub use triangles::{Mesh, MeshFault, MeshNote};
