//! What a shape weighs.

pub(super) mod integrals;
pub(super) mod shapes;

pub use integrals::VolumeIntegrals;
pub use shapes::{hull_centroid, volume_integrals};
