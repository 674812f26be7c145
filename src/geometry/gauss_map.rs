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
use super::separation::{Separation, along};
use super::solid::Pose;
use crate::math::Vec3;

/// Beyond this many edge pairs only faces are tried.
const MAX_EDGE_PAIRS: usize = 4_000_000;

/// The best of all feature axes and of `start`.
pub(super) fn best_axis(
    first: &Polytope,
    at: &Pose,
    second: &Polytope,
    second_at: &Pose,
    start: Separation,
) -> Separation {
    let mut best = start;
    let mut consider = |n: Vec3| {
        let gap = along(first, at, second, second_at, &n);
        if gap > best.gap {
            best = Separation { gap, normal: n };
        }
    };
    first.faces.iter().for_each(|face| consider(-(at.turn * face.normal)));
    second.faces.iter().for_each(|face| consider(second_at.turn * face.normal));
    if first.edges.len() * second.edges.len() > MAX_EDGE_PAIRS {
        return best;
    }
    let arcs = |core: &Polytope, pose: &Pose, sign: f64| -> Vec<Arc> {
        core.edges.iter().filter_map(|edge| Arc::new(core, pose, edge, sign)).collect()
    };
    let others = arcs(second, second_at, -1.0);
    for arc in arcs(first, at, 1.0) {
        for other in others.iter().filter(|other| arc.crosses(other)) {
            let product = arc.edge.cross(&other.edge);
            let length = product.norm();
            if length > 0.0 {
                // The crossing lies between a and b, which look out of the first polytope; n looks into it.
                consider(product * (-product.dot(&(arc.ends[0] + arc.ends[1])).signum() / length));
            }
        }
    }
    best
}

/// An edge on the sphere of normals, in the world.
struct Arc {
    edge: Vec3,
    ends: [Vec3; 2],
}

impl Arc {
    fn new(core: &Polytope, pose: &Pose, edge: &Edge, sign: f64) -> Option<Self> {
        let [from, to] = edge.ends.map(|end| core.vertices[end as usize]);
        let ends = edge.faces?.map(|face| pose.turn * core.faces[face as usize].normal * sign);
        Some(Arc { edge: pose.turn * (to - from), ends })
    }

    /// (1)
    fn crosses(&self, other: &Arc) -> bool {
        let ([a, b], [c, d]) = (self.ends, other.ends);
        let (b_a, d_c) = (b.cross(&a), d.cross(&c));
        let (cba, dba, adc, bdc) = (c.dot(&b_a), d.dot(&b_a), a.dot(&d_c), b.dot(&d_c));
        cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0
    }
}
