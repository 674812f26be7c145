//! Three numbers at a time of a vector over the rows: those of one block.

use crate::math::Vec3;

/// Three entries of a vector.
pub(in crate::contact) fn triple(vector: &[f64], i: usize) -> Vec3 {
    Vec3::new(vector[3 * i], vector[3 * i + 1], vector[3 * i + 2])
}

/// Sets three entries of a vector.
pub(in crate::contact) fn set_triple(vector: &mut [f64], i: usize, value: &Vec3) {
    vector[3 * i..3 * i + 3].copy_from_slice(value.as_slice());
}
