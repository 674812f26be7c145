//! Bodies with flat faces, and those that are everything within a radius of one: cuboids, hulls, particles, balls, capsules.
//!
//! ```text
//! polytope             vertices, edges and faces of a convex body; hull, hull_mesh and lathe make some
//! separation           the best axis of two sharp polytopes, by gauss_map where the fast way fails
//! closest              the distance of rounded ones
//! touching             which vertices, edges and faces touch
//! vertex_contact       gap, point and normal of a vertex on anything, with their derivatives
//! edge_edge_contact    those of two edges that cross
//! patch_contact        those of a corner of the overlap of two flat faces
//! ```
//!
//! What is curved by more than a radius is in `curved`; bodies of several such pieces are in `compound`.

pub(super) mod closest;
pub(super) mod edge_edge_contact;
mod gauss_map;
mod hull;
pub(super) mod hull_mesh;
pub(super) mod lathe;
pub(super) mod patch_contact;
pub mod polytope;
pub(super) mod separation;
pub(super) mod touching;
pub(super) mod vertex_contact;
