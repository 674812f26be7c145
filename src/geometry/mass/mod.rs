//! What a shape weighs.

pub(super) mod shapes;

pub use shapes::{VolumeIntegrals, hull_centroid, volume_integrals};
