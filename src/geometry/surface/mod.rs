//! The surface of a shape as triangles, for looking at.

pub(super) mod pieces;
pub(super) mod shapes;

pub use shapes::{SEGMENTS, Surface};
