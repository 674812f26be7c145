//! Mathematics without physics: vectors, rotations and their derivatives, linear solves, roots, formulas
//! written as text.
//!
//! Everything is `f64`. A rotation is a unit quaternion; its tangent is a world-frame 3-vector δθ with
//! R ← exp(\[δθ\])·R.

pub mod dependence;
#[cfg(test)]
pub(crate) mod difference;
pub mod elementary;
pub mod elimination;
pub mod formula;
pub mod matrix;
pub mod profile;
pub mod root;
pub mod rotation;
pub mod svd;

/// A 3-vector; metres, metres per second, radians… as its name says.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3 × 3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// An orientation: takes body coordinates to world coordinates.
pub type Rotation = nalgebra::UnitQuaternion<f64>;
