//! The best separating axis of two polytopes over all their features: slow and sure.
//!
//! The axes that can be best are the normals of the Minkowski difference's faces: face normals of either
//! polytope, and products of those edge pairs whose arcs cross on the Gauss map (the sphere of normals, where a face is a
//! point and an edge the arc between its two faces). With a, b the normals beside an edge of the first and c, d the
//! negated ones beside an edge of the second, the arcs cross where
//!
//! ```text
//! [c b a]·[d b a] < 0,    [a d c]·[b d c] < 0,    [c b a]·[b d c] > 0                             (1)
//! ```
//!
//! `separation` finds the axis faster from a good start; this is for when it has none.

use super::polytope::{Edge, Polytope};
use crate::geometry::axis::{Separation, along, lowest};
use crate::geometry::pose::Pose;
use crate::math::Vec3;

/// Beyond this many edge pairs only faces are tried.
const MAX_EDGE_PAIRS: usize = 4_000_000;

/// The best of all feature axes and of `start`.
pub(in crate::geometry) fn best_axis(
    first: &Polytope,
    at: &Pose,
    second: &Polytope,
    second_at: &Pose,
    start: Separation,
) -> Separation {
    let mut best = start;
    let mut consider = |gap: f64, n: Vec3| {
        if gap > best.gap {
            best = Separation { gap, normal: n };
        }
    };
    // Along a face's normal its own body reaches as far as the face does.
    for face in &first.faces {
        let n = -(at.turn * face.normal);
        consider(lowest(second, second_at, &-n) + n.dot(&at.position) - face.offset, n);
    }
    for face in &second.faces {
        let n = second_at.turn * face.normal;
        consider(lowest(first, at, &n) - n.dot(&second_at.position) - face.offset, n);
    }
    if first.edges.len() * second.edges.len() <= MAX_EDGE_PAIRS {
        each_crossing(first, at, second, second_at, |arc, other| {
            let product = arc.edge.cross(&other.edge);
            let length = product.norm();
            if length > 0.0 {
                // The crossing lies between a and b, which look out of the first polytope; n looks into it. There both
                // bodies reach as far as these edges.
                let n = product * (-product.dot(&(arc.ends[0] + arc.ends[1])).signum() / length);
                consider(n.dot(&(arc.point - other.point)), n);
            }
        });
    }
    // The value that others would measure along the same axis, to the last digit.
    let exact = Separation { gap: along(first, at, second, second_at, &best.normal), ..best };
    if exact.gap > start.gap { exact } else { start }
}

/// Calls `visit` for every pair of edges whose arcs cross.
fn each_crossing(first: &Polytope, at: &Pose, second: &Polytope, second_at: &Pose, mut visit: impl FnMut(&Arc, &Arc)) {
    let arcs = |core: &Polytope, pose: &Pose, sign: f64| -> Vec<Arc> {
        core.edges.iter().filter_map(|edge| Arc::new(core, pose, edge, sign)).collect()
    };
    let others = arcs(second, second_at, -1.0);
    for arc in arcs(first, at, 1.0) {
        others.iter().filter(|other| arc.crosses(other)).for_each(|other| visit(&arc, other));
    }
}

/// An edge on the sphere of normals, in the world.
struct Arc {
    edge: Vec3,
    /// One of the edge's points.
    point: Vec3,
    ends: [Vec3; 2],
    /// Product of the second end with the first.
    product: Vec3,
}

impl Arc {
    fn new(core: &Polytope, pose: &Pose, edge: &Edge, sign: f64) -> Option<Self> {
        let [from, to] = edge.ends.map(|end| core.vertices[end as usize]);
        let ends = edge.faces?.map(|face| pose.turn * core.faces[face as usize].normal * sign);
        let product = ends[1].cross(&ends[0]);
        Some(Arc { edge: pose.turn * (to - from), point: pose.point(&from), ends, product })
    }

    /// (1)
    fn crosses(&self, other: &Arc) -> bool {
        let ([a, b], [c, d]) = (&self.ends, &other.ends);
        let (cba, dba) = (c.dot(&self.product), d.dot(&self.product));
        if cba * dba >= 0.0 {
            return false;
        }
        let (adc, bdc) = (a.dot(&other.product), b.dot(&other.product));
        adc * bdc < 0.0 && cba * bdc > 0.0
    }
}
