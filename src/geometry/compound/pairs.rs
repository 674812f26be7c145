//! Pairs of pieces of two bodies, and how far apart they are at least.
//!
//! Pairs that are surely farther apart than asked are left out by their boxes and bounding spheres, others by the face
//! that looks most towards the other piece.

use crate::geometry::axis::lowest;
use crate::geometry::polyhedra::polytope::Face;
use crate::geometry::pose::Pose;
use crate::geometry::solid::Solid;

/// One piece of each of two bodies, by number.
pub type PiecePair = [usize; 2];

/// Calls `visit` for every pair of pieces with a distance (m) that they are apart at least.
pub fn each_piece_pair(
    first: &Solid,
    at: &Pose,
    second: &Solid,
    second_at: &Pose,
    mut visit: impl FnMut(PiecePair, f64),
) {
    for j in 0..second.piece_count() {
        if let Solid::HalfSpace(normal) = second.piece(j) {
            let normal = second_at.turn * normal;
            let (local, height) = (at.turn.tr_mul(&normal), normal.dot(&(at.position - second_at.position)));
            for i in 0..first.piece_count() {
                let bounds = first.bounds(i);
                visit([i, j], height + local.dot(&bounds.center) - bounds.radius);
            }
            continue;
        }
        let other = second.bounds(j);
        let other_center = second_at.point(&other.center);
        let seen_from_first = at.local_point(&other_center);
        for i in 0..first.piece_count() {
            let bounds = first.bounds(i);
            let apart = bounds.distance(&seen_from_first) - other.radius;
            let back = other.distance(&second_at.local_point(&at.point(&bounds.center))) - bounds.radius;
            visit([i, j], apart.max(back));
        }
    }
}

/// The separation of two pieces along the face that looks most towards the other piece, of whichever has fewer: a
/// lower bound of their distance.
pub(in crate::geometry) fn facing_separation(first: &Solid, at: &Pose, second: &Solid, second_at: &Pose) -> f64 {
    let (Solid::Convex { core, radius }, Solid::Convex { core: other, radius: other_radius }) = (first, second) else {
        return f64::NEG_INFINITY;
    };
    if core.faces.is_empty() || (!other.faces.is_empty() && other.faces.len() < core.faces.len()) {
        return if other.faces.is_empty() {
            f64::NEG_INFINITY
        } else {
            facing_separation(second, second_at, first, at)
        };
    }
    let center = at.local_point(&second_at.point(&other.vertices[0]));
    let height = |face: &Face| face.normal.dot(&center) - face.offset;
    let Some(face) = core.faces.iter().max_by(|a, b| height(a).total_cmp(&height(b))) else {
        return f64::NEG_INFINITY;
    };
    let n = at.turn * face.normal;
    let offset = if core.is_round() { core.reach_along(&face.normal) } else { face.offset };
    lowest(other, second_at, &n) - n.dot(&at.position) - offset - radius - other_radius
}
