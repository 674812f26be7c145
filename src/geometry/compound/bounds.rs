//! A box and a sphere around a convex piece, which leave out pairs of pieces that are surely far apart.

use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::Vec3;

/// A box and a sphere around a piece, rounding included.
#[derive(Clone, Copy, Debug)]
pub(in crate::geometry) struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
    pub center: Vec3,
    pub radius: f64,
}

impl Bounds {
    /// Of everything within `radius` of a core.
    pub fn new(core: &Polytope, radius: f64) -> Self {
        let low = Vec3::from_fn(|k, _| -core.reach_along(&-Vec3::ith(k, 1.0)));
        let high = Vec3::from_fn(|k, _| core.reach_along(&Vec3::ith(k, 1.0)));
        let center = 0.5 * (low + high);
        let around = core.farthest_from(&center);
        let margin = Vec3::repeat(radius);
        Bounds { low: low - margin, high: high + margin, center, radius: around + radius }
    }

    /// Of a body about the origin.
    pub fn of_reach(reach: f64) -> Self {
        Bounds { low: Vec3::repeat(-reach), high: Vec3::repeat(reach), center: Vec3::zeros(), radius: reach }
    }

    /// Distance of a point of the same frame from the box.
    pub fn distance(&self, point: &Vec3) -> f64 {
        (self.low - point).sup(&(point - self.high)).sup(&Vec3::zeros()).norm()
    }
}
