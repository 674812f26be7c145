//! How far apart two shapes are, where they touch, and how that changes with their poses.
//!
//! ```text
//! Shape ──▶ Solid (cores + radii) ──▶ separation: signed gap and axis         decides *when*
//!                                 └─▶ touching: features ──▶ contact_geometry: gap E, point, normal and their derivatives
//! ```
//!
//! The files here are the same for all kinds of bodies: what there is (`shape`, `pose`, `solid`, `placed`), names of what
//! touches (`feature`), numbers with derivatives (`carried`, `quantity`), and the four questions, each of which asks the
//! folder of the kind of body. A new shape is a variant in `shape` and a line in each column:
//!
//! | shape | core, in `pieces` | gap and axis, by `separation` | features, by `touching` | E, point, normal and derivatives, by `contact_geometry` | mass | surface |
//! |---|---|---|---|---|---|---|
//! | cuboid, hull, tube, parabola | `polyhedra::polytope`, `hull`, `lathe` | `polyhedra::separation` | `polyhedra::touching` | `polyhedra::vertex_contact`, `edge_edge_contact`, `patch_contact` | `mass::shapes` | `surface::shapes`, `pieces` |
//! | ball, capsule | a point, a segment | `polyhedra::closest` | the same | `polyhedra::vertex_contact`, `edge_edge_contact` | `mass::shapes` | `surface::round` |
//! | cylinder, cone | `curved::cylinder::body` | `curved::cylinder::separation` | `curved::cylinder::touching` | `curved::cylinder::contact` | `mass::shapes` | `surface::pieces` |
//! | egg | `curved::egg::body` | `curved::egg::separation` | `curved::egg::touching` | `curved::egg::contact` | `mass::shapes` | `surface::round` |
//! | mesh | `mesh::triangles`, `shells` | those of its pieces | those of its pieces | those of its pieces | `mass::integrals` | `surface::pieces` |
//! | compound | its parts' | `separation`, by `compound::pairs` | `touching`, by `compound::covering` | the same, by `compound::numbering` | `mass::shapes` | `surface::pieces` |
//! | half-space | none: a normal | `separation` | `touching` | `polyhedra::vertex_contact`, or the curved body's | none | none |
//!
//! So a lens, say, is a folder `curved::lens` and a variant of `curved::kinds::Curved`; the compiler then asks for the rest.
//! Cores are convex: a shape with a hole, as a torus, is made of several in `pieces`, as the tube is.
//! Files use only files below them, never in a circle. Nothing here knows of time or velocity.

mod axis;
mod carried;
pub mod compound;
mod contact_geometry;
pub mod curved;
mod feature;
mod found;
pub mod mass;
pub mod mesh;
mod pieces;
mod placed;
pub mod polyhedra;
mod pose;
mod quantity;
mod separation;
mod settings;
mod shape;
mod solid;
pub mod surface;
mod touching;

pub use axis::Separation;
pub use carried::{ContactDerivative, PLACE_COLUMNS, PlaceColumns, PlaceRow};
pub use curved::cylinder::body::{End, Round};
pub use curved::egg::body::Egg;
pub use feature::{Element, Feature, PatchCorner, Side, Start};
pub use placed::{ContactGeometry, PlacedPair};
pub use polyhedra::polytope;
pub use pose::Pose;
pub use separation::separation;
pub use settings::{NEARLY_PARALLEL, TOUCHING};
pub use shape::{Part, Shape};
pub use solid::{Compound, Piece, Solid};
pub use surface::Surface;
pub use touching::touching;
