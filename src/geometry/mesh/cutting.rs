//! Triangles cut into convex pieces by parry's VHACD.
//!
//! Pieces are the hulls of the triangles within sets of voxels. They fill dents smaller than a voxel, a `RESOLUTION`-th of
//! the length of what is cut. Which triangles are cut together is `shells`.

use std::panic::catch_unwind;

use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::transformation::vhacd::{VHACD, VHACDParameters};

use crate::geometry::polyhedra::polytope::Polytope;
use crate::math::Vec3;
use crate::math::elementary::sin_cos;

/// Voxels along the longest side.
pub(super) const RESOLUTION: u32 = 64;
/// How concave a piece may be before it is cut again, as VHACD measures it.
const CONCAVITY: f64 = 0.005;
/// A hull larger than the body by less than this part is the body.
pub(super) const CONVEX: f64 = 1e-3;
/// Most corners of a piece; further ones are left out where they add least.
pub(super) const MOST_CORNERS: usize = 200;

/// The hulls of VHACD's pieces; none where there is none.
pub(super) fn cut(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    most_pieces: u32,
    resolution: u32,
) -> Option<Vec<Polytope>> {
    let pieces = decomposed(positions, triangles, most_pieces, resolution)?;
    let hull = |points: &Vec<Vec3>| Polytope::hull(&foremost(points, MOST_CORNERS));
    let hulls: Vec<Polytope> = pieces.iter().filter_map(hull).map(Polytope::sized).collect();
    (!hulls.is_empty()).then_some(hulls)
}

/// The points of each of VHACD's pieces; none where it fails.
fn decomposed(positions: &[Vec3], triangles: &[[u32; 3]], most_pieces: u32, resolution: u32) -> Option<Vec<Vec<Vec3>>> {
    let points: Vec<Vector> = positions.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let parameters = VHACDParameters {
        resolution,
        concavity: CONCAVITY,
        max_convex_hulls: most_pieces,
        ..VHACDParameters::default()
    };
    // It was written for shapes without a thin part, and some make it give up in its own way.
    let pieces = catch_unwind(|| {
        VHACD::decompose(&parameters, &points, triangles, true).compute_primitive_intersections(&points, triangles)
    });
    let point = |v: &Vector| Vec3::new(v.x, v.y, v.z);
    Some(pieces.ok()?.iter().map(|piece| piece.iter().map(point).collect()).collect())
}

/// At most `most` points, those that lie foremost in directions spread over the sphere.
pub(super) fn foremost(points: &[Vec3], most: usize) -> Vec<Vec3> {
    if points.len() <= most {
        return points.to_vec();
    }
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let direction = |k: usize| {
        let y = 1.0 - 2.0 * (k as f64 + 0.5) / most as f64;
        let (sin, cos) = sin_cos(golden * k as f64);
        Vec3::new(cos, 0.0, sin) * (1.0 - y * y).sqrt() + Vec3::y() * y
    };
    let mut kept: Vec<usize> = (0..most)
        .filter_map(|k| {
            let d = direction(k);
            (0..points.len()).max_by(|&a, &b| d.dot(&points[a]).total_cmp(&d.dot(&points[b])))
        })
        .collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|k| points[k]).collect()
}
