//! How far apart two convex cores are along an axis, and the axis between their nearest points.
//!
//! For an axis n the separation of two convex sets is a lower bound of their signed distance,
//!
//! ```text
//! s(n) = min over the first of n·p  −  max over the second of n·p  ≤  signed distance            (1)
//! ```
//!
//! with equality at the best axis. Which axis that is, each kind of body finds in its own way: `separation`.

use rapier3d_f64::parry::math::{Pose as ParryPose, Rotation as ParryRotation, Vector};
use rapier3d_f64::parry::query::epa::EPA;
use rapier3d_f64::parry::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};

use super::pose::Pose;
use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::Vec3;

/// A signed gap and the unit axis along which it is measured, from the second solid to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// m; negative where the solids overlap.
    pub gap: f64,
    /// Unit vector.
    pub normal: Vec3,
}

/// min of n·p over the core.
pub(super) fn lowest(core: &Polytope, at: &Pose, n: &Vec3) -> f64 {
    let local = at.turn.tr_mul(n);
    n.dot(&at.position) - core.reach_along(&-local)
}

/// s(n) of (1).
pub(super) fn along(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose, n: &Vec3) -> f64 {
    lowest(first, at, n) + lowest(second, second_at, &-n)
}

/// No less than s(n), for less work where a core has many vertices.
pub(super) fn along_at_most(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose, n: &Vec3) -> f64 {
    let lowest = |core: &Polytope, at: &Pose, n: &Vec3| {
        let local = at.turn.tr_mul(n);
        n.dot(&at.position) - core.reach_at_least(&-local)
    };
    lowest(first, at, n) + lowest(second, second_at, &-n)
}

/// The direction between the nearest points, or of least penetration.
pub(super) fn nearest_axis(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose) -> Option<Vec3> {
    let between = relative_pose(at, second_at);
    let start = if between.translation.length() > 0.0 { between.translation.normalize() } else { Vector::Y };
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(&between, first, second, start));
    let axis = match gjk::closest_points(&between, first, second, f64::MAX, true, &mut simplex) {
        GJKResult::ClosestPoints(_, _, axis) | GJKResult::Proximity(axis) | GJKResult::NoIntersection(axis) => axis,
        GJKResult::Intersection => EPA::new().closest_points(&between, first, second, &simplex)?.2,
    };
    // Parry's axis points from the first shape to the second, in the first's frame.
    let axis = at.turn * Vec3::new(-axis.x, -axis.y, -axis.z);
    (axis.norm() > 0.5).then(|| axis.normalize())
}

pub(super) fn relative_pose(at: &Pose, second_at: &Pose) -> ParryPose {
    let turn = at.turn.tr_mul(&second_at.turn);
    let q = nalgebra::UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(turn));
    let p = at.local_point(&second_at.position);
    ParryPose::from_parts(Vector::new(p.x, p.y, p.z), ParryRotation::from_xyzw(q.i, q.j, q.k, q.w))
}
