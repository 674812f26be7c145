//! Bodies with flat faces, and those that are everything within a radius of one: cuboids, hulls, balls, capsules.

pub(super) mod closest;
pub(super) mod edge_edge_contact;
mod gauss_map;
pub mod hull_mesh;
pub(super) mod lathe;
pub(super) mod patch_contact;
pub mod polytope;
pub(super) mod separation;
pub(super) mod touching;
pub(super) mod vertex_contact;
