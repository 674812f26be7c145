//! How far apart two shapes are, where they touch, and how that changes with their poses.

pub mod hull_mesh;
pub mod mass;
pub mod shape;

pub use shape::Shape;
