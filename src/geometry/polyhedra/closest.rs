//! The distance between convex cores of which one is a point or a segment, and the axis between them.
//!
//! Exhaustive over features: every pair of features whose nearest points are interior to both is measured,
//! and the nearest wins. That is exact to rounding, unlike iterative methods, which stop early where two
//! features are almost equally near.

use super::polytope::{BoxFrame, Polytope};
use crate::geometry::axis::Separation;
use crate::geometry::pose::Pose;
use crate::math::Vec3;

/// Distance of two cores, of which one at least has no faces; negative only for a point inside a polytope,
/// zero where a segment runs through one.
pub fn core_distance(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose) -> Separation {
    if !first.faces.is_empty() {
        let mirrored = core_distance(second, second_at, first, at);
        return Separation { normal: -mirrored.normal, ..mirrored };
    }
    // Everything in the frame of the second core.
    let local = |vertex: &Vec3| second_at.local_point(&at.point(vertex));
    let local = match first.vertices[..] {
        [start, end] => segment_distance([local(&start), local(&end)], second),
        _ => point_distance(&local(&first.vertices[0]), second),
    };
    Separation { normal: second_at.turn * local.normal, ..local }
}

/// From `foot` to `point`; an arbitrary axis where they coincide.
fn from_points(point: &Vec3, foot: &Vec3) -> Separation {
    let d = point - foot;
    let gap = d.norm();
    Separation { gap, normal: if gap > 0.0 { d / gap } else { Vec3::y() } }
}

fn nearer(a: Separation, b: Separation) -> Separation {
    if b.gap < a.gap { b } else { a }
}

fn point_distance(point: &Vec3, core: &Polytope) -> Separation {
    if let Some(outside) = core.boxed.as_ref().and_then(|frame| box_distance(point, frame)) {
        return outside;
    }
    let mut above = Separation { gap: f64::NEG_INFINITY, normal: Vec3::y() };
    let mut over_a_face = false;
    for (k, face) in core.faces.iter().enumerate() {
        let height = face.normal.dot(point) - face.offset;
        if height > above.gap {
            above = Separation { gap: height, normal: face.normal };
            over_a_face = core.above_face(k as u32, point, 0.0);
        }
    }
    // Inside, or straight above the face that is highest below it.
    if !core.faces.is_empty() && (above.gap <= 0.0 || over_a_face) {
        return above;
    }
    let start = from_points(point, &core.vertices[0]);
    core.edges.iter().map(|edge| edge.ends.map(|v| core.vertices[v as usize])).fold(start, |best, [a, b]| {
        let along = b - a;
        let s = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        nearer(best, from_points(point, &(a + along * s)))
    })
}

/// Of a point outside of a box.
fn box_distance(point: &Vec3, frame: &BoxFrame) -> Option<Separation> {
    let clamped = |p: Vec3| p.zip_map(&frame.half, |x, h| x.clamp(-h, h));
    let foot = match &frame.pose {
        None => clamped(*point),
        Some(pose) => {
            let local = pose.local_point(point);
            let foot = clamped(local);
            if foot == local { *point } else { pose.point(&foot) }
        }
    };
    (foot != *point).then(|| from_points(point, &foot))
}

fn segment_distance(ends: [Vec3; 2], core: &Polytope) -> Separation {
    let mut best = nearer(point_distance(&ends[0], core), point_distance(&ends[1], core));
    if best.gap <= 0.0 {
        return best;
    }
    if runs_through(&ends, core) {
        return Separation { gap: 0.0, normal: best.normal };
    }
    if core.edges.is_empty() {
        let along = ends[1] - ends[0];
        let s = ((core.vertices[0] - ends[0]).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        return nearer(best, from_points(&(ends[0] + along * s), &core.vertices[0]));
    }
    for edge in &core.edges {
        let (p, q) = nearest_on_segments(&ends, &edge.ends.map(|v| core.vertices[v as usize]));
        best = nearer(best, from_points(&p, &q));
    }
    best
}

/// Whether a segment meets the inside of a polytope: clipped by every face, something is left.
fn runs_through(ends: &[Vec3; 2], core: &Polytope) -> bool {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for face in &core.faces {
        let (a, b) = (face.normal.dot(&ends[0]) - face.offset, face.normal.dot(&ends[1]) - face.offset);
        if a > 0.0 && b > 0.0 {
            return false;
        }
        if a > 0.0 {
            enter = enter.max(a / (a - b));
        } else if b > 0.0 {
            leave = leave.min(a / (a - b));
        }
    }
    !core.faces.is_empty() && enter < leave
}

/// Nearest points of two segments.
fn nearest_on_segments(first: &[Vec3; 2], second: &[Vec3; 2]) -> (Vec3, Vec3) {
    let (u, w, r) = (first[1] - first[0], second[1] - second[0], first[0] - second[0]);
    let (uu, uw, ww, ur, wr) = (u.norm_squared(), u.dot(&w), w.norm_squared(), u.dot(&r), w.dot(&r));
    let determinant = uu * ww - uw * uw;
    let mut s = if determinant > 0.0 { ((uw * wr - ww * ur) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let t = (uw * s + wr) / ww;
    let t = if (0.0..=1.0).contains(&t) {
        t
    } else {
        let t = t.clamp(0.0, 1.0);
        s = ((uw * t - ur) / uu).clamp(0.0, 1.0);
        t
    };
    (first[0] + u * s, second[0] + w * t)
}
