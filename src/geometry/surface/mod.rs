//! The surface of a shape as triangles, for looking at.

mod pieces;
mod round;
mod shapes;
mod triangles;

pub use shapes::SEGMENTS;
pub use triangles::Surface;
