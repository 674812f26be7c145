//! The surface of a convex hull as triangles, checked.
//!
//! Parry's hull is exact for points in general position; where points repeat or crowd within 1e-9 of
//! their size it can return surfaces that are not closed or not convex. So each answer is checked: every
//! edge has its opposite, and no point lies outside any triangle. Where the check fails, points nearer
//! to each other than a tolerance are welded, all are turned, and the hull is built again.

use std::collections::BTreeSet;

use rapier3d_f64::parry::math::Vector;
use rapier3d_f64::parry::transformation::try_convex_hull;

use crate::geometry::settings::{ON_FACE, THIN, THINNEST_HULL};
use crate::math::{Mat3, Rotation, Vec3, rotation};

/// Tried in turn, as parts of the hull's size: points nearer than this are one.
const WELDS: [f64; 5] = [0.0, 1e-12, 1e-9, 1e-7, 1e-5];
/// Turns points out of line with the axes, where grids confuse the hull; any odd angle will do.
const TURN: Vec3 = Vec3::new(0.37, -0.61, 0.83);

/// Vertices, and triangles of their indices that turn left seen from outside.
pub type HullMesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// The convex hull of points; `None` if they do not span a volume, or one too
/// thin to be sure of (some sets of points thinner than 1e-3 of their length).
pub fn hull_mesh(points: &[Vec3]) -> Option<HullMesh> {
    let finite = points.iter().flatten().all(|entry| entry.is_finite());
    if points.len() < 4 || !finite {
        return None;
    }
    let origin = points.iter().sum::<Vec3>() / points.len() as f64;
    let centred: Vec<Vec3> = points.iter().map(|point| point - origin).collect();
    let size = centred.iter().map(Vec3::amax).fold(0.0, f64::max);
    if is_flat(&centred, size) {
        return None;
    }
    let turned = rotation::exp(TURN);
    let attempts = WELDS.iter().flat_map(|&weld| [(weld, Rotation::identity()), (weld, turned)]);
    attempts.into_iter().find_map(|(weld, rotation)| {
        let (vertices, triangles) = raw_hull(&weld_points(&centred, weld * size), rotation)?;
        let tolerance = weld.max(ON_FACE) * size;
        let valid = is_closed(&triangles) && is_convex(&vertices, &triangles, &centred, tolerance);
        valid.then(|| (vertices.iter().map(|vertex| vertex + origin).collect(), triangles))
    })
}

/// Parry's answer for the points turned by a rotation, turned back.
fn raw_hull(points: &[Vec3], rotation: Rotation) -> Option<HullMesh> {
    let vector = |point: &Vec3| {
        let turned = rotation * point;
        Vector::new(turned.x, turned.y, turned.z)
    };
    let (vertices, triangles) = try_convex_hull(&points.iter().map(vector).collect::<Vec<_>>()).ok()?;
    let point = |vertex: &Vector| rotation.inverse() * Vec3::new(vertex.x, vertex.y, vertex.z);
    Some((vertices.iter().map(point).collect(), triangles))
}

/// Points of which no two are nearer than `tolerance`; of near ones the first stays.
fn weld_points(points: &[Vec3], tolerance: f64) -> Vec<Vec3> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x));
    let mut kept: Vec<usize> = Vec::new();
    for index in order {
        let point = points[index];
        let near = |other: &&usize| point.x - points[**other].x <= tolerance;
        let is_new = kept.iter().rev().take_while(near).all(|&other| (point - points[other]).amax() > tolerance);
        if is_new {
            kept.push(index);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|index| points[index]).collect()
}

/// Whether each edge of a triangle is, reversed, the edge of exactly one other.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let edges = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let mut directed = BTreeSet::new();
    let all_new = edges.clone().all(|edge| directed.insert(edge));
    all_new && !triangles.is_empty() && edges.into_iter().all(|(a, b)| directed.contains(&(b, a)))
}

/// Whether no point lies outside a face; faces that are slivers have no direction to judge by.
fn is_convex(vertices: &[Vec3], triangles: &[[u32; 3]], points: &[Vec3], tolerance: f64) -> bool {
    triangles.iter().all(|triangle| {
        let [a, b, c] = triangle.map(|index| vertices[index as usize]);
        let normal = (b - a).cross(&(c - a));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        if normal.norm() <= tolerance * longest {
            return true;
        }
        let normal = normal.normalize();
        let height = normal.dot(&a);
        points.iter().all(|point| normal.dot(point) <= height + tolerance)
    })
}

/// Whether points about the origin lie in a plane.
fn is_flat(points: &[Vec3], size: f64) -> bool {
    size < THINNEST_HULL || thickness(points, size) < THINNEST_HULL.max(THIN * size)
}

/// Width of points about the origin along the axis of their least spread.
fn thickness(points: &[Vec3], size: f64) -> f64 {
    // Scaled to size 1 first, so that neither tiny nor huge points leave the range of f64.
    let square = |point: &Vec3| (point / size) * (point / size).transpose();
    let eigen = points.iter().map(square).sum::<Mat3>().symmetric_eigen();
    let axis = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
    let heights = points.iter().map(|point| axis.dot(point));
    let highest = heights.clone().fold(f64::NEG_INFINITY, f64::max);
    highest - heights.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mass::shapes::volume_integrals;
    use crate::geometry::shape::Shape;
    use crate::math::elementary::powi;

    #[test]
    fn crowded_and_repeated_points_are_weighed_or_refused() {
        // A small congruential generator: the same points on every run.
        let mut seed = 1_u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let mut refused = [0; 6];
        for case in 0..30_000 {
            let (count, grid) = (4 + next(40), 1 + next(4));
            let level = next(6) as usize;
            let noise = [0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-3][level];
            let mut entry = || next(grid + 1) as f64 + noise * (next(1000) as f64 - 500.0);
            let points: Vec<Vec3> = (0..count).map(|_| Vec3::new(entry(), entry(), entry())).collect();
            let origin = points.iter().sum::<Vec3>() / count as f64;
            let centred: Vec<Vec3> = points.iter().map(|point| point - origin).collect();
            let size = centred.iter().map(Vec3::amax).fold(0.0, f64::max);
            let thin = thickness(&centred, size) < 1e-3 * size;
            let Some(integrals) = volume_integrals(&Shape::Hull { points }) else {
                refused[level] += usize::from(!thin);
                continue;
            };
            let (volume, inertia) = (integrals.volume, integrals.inertia);
            assert!(volume > 0.0 && inertia.min() > 0.0, "case {case}: {integrals:?}");
            let most = powi(grid as f64 + 1000.0 * noise, 3) * (1.0 + 1e-9);
            assert!(volume <= most, "case {case}: {volume} > {most}");
        }
        assert_eq!(refused, [0; 6], "points that span a volume");
    }
}
