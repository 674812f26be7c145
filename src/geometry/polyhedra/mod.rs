//! Bodies with flat faces, and those that are everything within a radius of one: cuboids, hulls, balls, capsules.

pub(super) mod closest;
mod gauss_map;
pub mod hull_mesh;
pub(super) mod lathe;
pub mod polytope;
pub mod separation;
pub mod touching;
