//! Convex bodies with curved surfaces of their own: cylinders and cones, eggs; `kinds` is the list.
//!
//! A folder each, with files of the same names:
//!
//! ```text
//! body          its numbers in the body frame, and how far it reaches in a direction
//! contact       gap, contact point and normal of its elements with others, and their derivatives
//! search        the one point or normal of a curve that touches, which has no closed form
//! separation    the axis along which it is farthest apart from another body
//! touching      which of its elements touch
//! ```
//!
//! Balls and capsules are points and segments within a radius: `polyhedra`.

pub mod cylinder;
pub mod egg;
pub mod kinds;

pub use kinds::Curved;
