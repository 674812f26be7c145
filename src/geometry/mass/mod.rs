//! What a shape weighs: closed forms in `shapes`, sums over triangles and parts in `integrals`.
//!
//! Densities, given masses and the scale parameter are `model`'s business.

pub(super) mod integrals;
pub(super) mod shapes;

pub use integrals::VolumeIntegrals;
pub use shapes::{hull_centroid, volume_integrals};
