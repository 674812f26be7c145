//! The best separating axis of two sharp polytopes: boxes, hulls, particles.
//!
//! They take the best of the axes that features make (face normals, products of edges): where features other than these are
//! nearest the separation is smaller than the distance, but its sign is right and it is exact at contact. Two hulls that are
//! well apart take the axis between their nearest points; near contact they climb from it to the best axis, and `gauss_map`
//! looks at all of them where that fails.

use super::gauss_map::best_axis;
use super::polytope::{BoxFrame, Polytope};
use crate::geometry::axis::{Separation, along, nearest_axis};
use crate::geometry::pose::Pose;
use crate::geometry::settings::{FACE_PREFERENCE, FRONT, HALF_TOUCHING, NEAR, PARALLEL};
use crate::math::{Mat3, Vec3};

pub(in crate::geometry) fn sharp_separation(
    first: &Polytope,
    at: &Pose,
    second: &Polytope,
    second_at: &Pose,
    hint: Option<Vec3>,
) -> Separation {
    match (&first.boxed, &second.boxed) {
        (Some(frame), Some(other)) => {
            let (placed, other_placed) = (box_pose(at, frame), box_pose(second_at, other));
            cuboid_separation(frame.half, &placed, other.half, &other_placed)
        }
        _ if first.vertices.len() == 1 => point_separation(&at.point(&first.vertices[0]), second, second_at),
        _ if second.vertices.len() == 1 => {
            let mirrored = point_separation(&second_at.point(&second.vertices[0]), first, at);
            Separation { normal: -mirrored.normal, ..mirrored }
        }
        _ => hull_separation(first, at, second, second_at, hint),
    }
}

/// Where a box that lies in a body is in the world.
fn box_pose(at: &Pose, frame: &BoxFrame) -> Pose {
    frame.pose.map_or(*at, |inner| at.after(&inner))
}

/// A point over a polytope: the largest height over its faces.
fn point_separation(point: &Vec3, polytope: &Polytope, at: &Pose) -> Separation {
    let local = at.local_point(point);
    let mut best = Separation { gap: f64::NEG_INFINITY, normal: Vec3::y() };
    for face in &polytope.faces {
        let height = face.normal.dot(&local) - face.offset;
        if height > best.gap {
            best = Separation { gap: height, normal: face.normal };
        }
    }
    Separation { normal: at.turn * best.normal, ..best }
}

/// Two boxes: the best of the fifteen axes.
fn cuboid_separation(half: Vec3, at: &Pose, other_half: Vec3, second_at: &Pose) -> Separation {
    // Everything in the frame of the first box: its axes are unit vectors, the other's the columns of c.
    let d = at.turn.tr_mul(&(at.position - second_at.position));
    let c: Mat3 = at.turn.tr_mul(&second_at.turn);
    let c_abs = c.abs();
    let mut best = (f64::NEG_INFINITY, Vec3::zeros());
    let reach = half + c_abs * other_half;
    for i in 0..3 {
        let gap = d[i].abs() - reach[i];
        if gap > best.0 {
            best = (gap, Vec3::ith(i, d[i].signum()));
        }
    }
    let d_other = c.tr_mul(&d);
    let reach = other_half + c_abs.tr_mul(&half);
    for j in 0..3 {
        let gap = d_other[j].abs() - reach[j];
        if gap > best.0 {
            best = (gap, c.column(j) * d_other[j].signum());
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            // ex_i × c_j, written out: component i vanishes.
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            let length = (c[(k, j)] * c[(k, j)] + c[(l, j)] * c[(l, j)]).sqrt();
            if length < PARALLEL {
                continue;
            }
            let distance = d[l] * c[(k, j)] - d[k] * c[(l, j)];
            let (m, n) = ((j + 1) % 3, (j + 2) % 3);
            let reach = half[k] * c_abs[(l, j)]
                + half[l] * c_abs[(k, j)]
                + other_half[m] * c_abs[(i, n)]
                + other_half[n] * c_abs[(i, m)];
            let gap = (distance.abs() - reach) / length;
            if gap > best.0 + FACE_PREFERENCE {
                let mut axis = Vec3::zeros();
                axis[k] = -c[(l, j)];
                axis[l] = c[(k, j)];
                best = (gap, axis * (distance.signum() / length));
            }
        }
    }
    Separation { gap: best.0, normal: at.turn * best.1 }
}

/// Two hulls: the nearest points where they are well apart, feature axes where they are close.
fn hull_separation(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose, hint: Option<Vec3>) -> Separation {
    let size = first.size.min(second.size);
    let nearest = nearest_axis(first, at, second, second_at);
    let value = |n: Vec3| Separation { gap: along(first, at, second, second_at, &n), normal: n };
    let mut best = nearest.or(hint).map_or(Separation { gap: f64::NEG_INFINITY, normal: Vec3::y() }, value);
    if let (Some(_), Some(hint)) = (nearest, hint) {
        let hinted = value(hint);
        if hinted.gap > best.gap {
            best = hinted;
        }
    }
    if best.gap > NEAR * size {
        return best;
    }
    best = climb(first, at, second, second_at, best);
    // Bodies do not overlap: a depth means that the start was too far from the best axis for the climb.
    if best.gap < -HALF_TOUCHING { best_axis(first, at, second, second_at, best) } else { best }
}

/// Walks to the best feature axis near a given one: the faces and edges that lie within a thin slab at the
/// front of both hulls make the candidates, and every candidate is measured against all vertices, so that
/// the result is a true separation.
fn climb(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose, start: Separation) -> Separation {
    const MAX_ROUNDS: usize = 8;
    let mut best = start;
    for _ in 0..MAX_ROUNDS {
        let facing = at.turn.tr_mul(&-best.normal);
        let other_facing = second_at.turn.tr_mul(&best.normal);
        let (front, other_front) = (Front::new(first, &facing), Front::new(second, &other_facing));
        let mut improved = best;
        let mut consider = |n: Vec3| {
            let gap = along(first, at, second, second_at, &n);
            if gap > improved.gap {
                improved = Separation { gap, normal: n };
            }
        };
        front.faces(first).for_each(|face| consider(-(at.turn * first.faces[face].normal)));
        other_front.faces(second).for_each(|face| consider(second_at.turn * second.faces[face].normal));
        for u in front.edges(first).map(|edge| at.turn * edge) {
            for w in other_front.edges(second).map(|edge| second_at.turn * edge) {
                let product = u.cross(&w);
                let length = product.norm();
                if length >= PARALLEL {
                    consider(product * (product.dot(&best.normal).signum() / length));
                }
            }
        }
        if improved.gap <= best.gap {
            break;
        }
        best = improved;
    }
    best
}

/// The vertices of a polytope that lie foremost in a direction of its body frame.
pub(in crate::geometry) struct Front {
    foremost: Vec<bool>,
}

impl Front {
    pub(in crate::geometry) fn new(polytope: &Polytope, direction: &Vec3) -> Self {
        let height = |v: &Vec3| direction.dot(v);
        let top = polytope.vertices.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let depth = FRONT * polytope.size;
        Front { foremost: polytope.vertices.iter().map(|v| height(v) >= top - depth).collect() }
    }

    fn holds(&self, vertices: &[u32]) -> bool {
        vertices.iter().all(|&v| self.foremost[v as usize])
    }

    fn faces<'a>(&'a self, polytope: &'a Polytope) -> impl Iterator<Item = usize> + 'a {
        (0..polytope.faces.len()).filter(|&f| self.holds(&polytope.faces[f].corners))
    }

    /// Numbers of the edges of which both ends are foremost.
    pub(in crate::geometry) fn edge_numbers<'a>(&'a self, polytope: &'a Polytope) -> impl Iterator<Item = u32> + 'a {
        (0..polytope.edges.len() as u32).filter(|&k| self.holds(&polytope.edges[k as usize].ends))
    }

    /// Unit directions of those edges.
    fn edges<'a>(&'a self, polytope: &'a Polytope) -> impl Iterator<Item = Vec3> + 'a {
        self.edge_numbers(polytope).map(|k| {
            let [a, b] = polytope.edges[k as usize].ends;
            (polytope.vertices[b as usize] - polytope.vertices[a as usize]).normalize()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::separation::tests::{noise, pose};

    /// The largest separation over all axes that features can make, the slow way.
    fn exhaustive(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose) -> f64 {
        let directions = |core: &Polytope, pose: &Pose| -> Vec<Vec3> {
            core.edges
                .iter()
                .map(|e| {
                    pose.turn * (core.vertices[e.ends[1] as usize] - core.vertices[e.ends[0] as usize]).normalize()
                })
                .collect()
        };
        let mut axes: Vec<Vec3> = first.faces.iter().map(|f| at.turn * -f.normal).collect();
        axes.extend(second.faces.iter().map(|f| second_at.turn * f.normal));
        for u in directions(first, at) {
            for w in directions(second, second_at) {
                let product = u.cross(&w);
                if product.norm() > 1e-6 {
                    axes.extend([product.normalize(), -product.normalize()]);
                }
            }
        }
        axes.iter().map(|n| along(first, at, second, second_at, n)).fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn boxes_take_the_best_of_all_axes() {
        for seed in 0..300 {
            let mut next = noise(seed);
            let halves = [0, 1].map(|_| Vec3::new(next(), next(), next()).map(|x| 0.2 + 0.15 * x));
            let (first, second) = (Polytope::cuboid(halves[0]), Polytope::cuboid(halves[1]));
            let (at, second_at) = (pose(&mut next, 0.4), pose(&mut next, 0.4));
            let found = cuboid_separation(halves[0], &at, halves[1], &second_at);
            let slow = exhaustive(&first, &at, &second, &second_at);
            assert!((found.gap - slow).abs() < 2e-12, "seed {seed}: {} {slow}", found.gap);
            let seen = along(&first, &at, &second, &second_at, &found.normal);
            assert!((found.gap - seen).abs() < 1e-15, "seed {seed}: {} along its axis {seen}", found.gap);
        }
    }

    #[test]
    fn hulls_near_contact_take_the_best_of_all_axes() {
        let mut worst: f64 = 0.0;
        for seed in 0..200 {
            let mut next = noise(seed);
            let mut hull = || {
                let points: Vec<Vec3> = (0..16).map(|_| Vec3::new(next(), next(), next()) * 0.2).collect();
                Polytope::hull(&points).unwrap()
            };
            let (first, second) = (hull(), hull());
            let mut at = pose(&mut next, 0.01);
            let second_at = pose(&mut next, 0.01);
            // Slide the first until the gap is tiny, of either sign.
            let direction = Vec3::new(next(), next(), next()).normalize();
            let (mut near, mut far) = (0.0, 2.0);
            for _ in 0..60 {
                let middle = 0.5 * (near + far);
                at.position = direction * middle;
                if exhaustive(&first, &at, &second, &second_at) > 1e-9 * next() { far = middle } else { near = middle }
            }
            at.position = direction * far;
            let slow = exhaustive(&first, &at, &second, &second_at);
            assert!(slow.abs() < 1e-8, "seed {seed}: not near, {slow}");
            let found = hull_separation(&first, &at, &second, &second_at, None);
            worst = worst.max((found.gap - slow).abs());
        }
        assert!(worst < 1e-14, "off by {worst:e} m");
    }

    /// Where hulls overlap, a start from the nearest points can be far from the best axis.
    #[test]
    fn overlapping_hulls_take_the_best_of_all_axes() {
        for seed in 0..200 {
            let mut next = noise(seed);
            let points: Vec<Vec3> = (0..16).map(|_| Vec3::new(next(), next(), next()) * 0.3).collect();
            let (first, second) = (Polytope::hull(&points).unwrap(), Polytope::cuboid(Vec3::new(0.02, 0.02, 0.1)));
            let (at, second_at) = (pose(&mut next, 0.1), pose(&mut next, 0.25));
            let slow = exhaustive(&first, &at, &second, &second_at);
            let found = hull_separation(&first, &at, &second, &second_at, None);
            if slow < 0.0 {
                assert!((found.gap - slow).abs() < 1e-13, "seed {seed}: {} instead of {slow}", found.gap);
            }
        }
    }
}
