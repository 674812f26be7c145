//! The surface of a shape as triangles, for looking at.
//!
//! `shapes` says what each shape looks like; spheres and what is turned about y are in `round`, bodies made of pieces and
//! meshes in `pieces`, and the triangles themselves in `triangles`. Collisions never use these triangles: they know the exact
//! shape (`solid`).

mod pieces;
mod round;
mod shapes;
mod triangles;

pub use shapes::SEGMENTS;
pub use triangles::Surface;
