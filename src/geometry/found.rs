//! Touching features as they are gathered, and what all kinds of bodies agree on: how near is touching, and when a point is over
//! a face or beside an edge.

use super::feature::Feature;
use super::placed::{Placed, PlacedPair};
use crate::geometry::settings::{SAME_POINT, TOUCHING};
use crate::math::Vec3;

/// Touching features gathered so far, with their points.
pub(super) struct Found<'a> {
    pub pair: &'a PlacedPair<'a>,
    pub tolerance: f64,
    pub features: Vec<Feature>,
    points: Vec<Vec3>,
}

impl<'a> Found<'a> {
    /// None yet.
    pub(super) fn new(pair: &'a PlacedPair<'a>, tolerance: f64) -> Self {
        Found { pair, tolerance, features: Vec::new(), points: Vec::new() }
    }

    /// Keeps a feature that is within the tolerance and not at the place of another.
    pub(super) fn add(&mut self, feature: Feature) {
        if let Some(contact) = self.pair.contact(&feature)
            && contact.gap <= self.tolerance
            && self.points.iter().all(|p| (p - contact.point).norm() > SAME_POINT)
        {
            self.features.push(feature);
            self.points.push(contact.point);
        }
    }
}

/// Whether a world point is over the polygon of a face.
pub(super) fn over(body: &Placed, face: u32, point: &Vec3, slack: f64) -> bool {
    body.core.above_face(face, &body.pose.local_point(point), slack)
}

pub(super) fn edge_length(body: &Placed, edge: u32) -> f64 {
    let [a, b] = body.core.edges[edge as usize].ends;
    (body.core.vertices[b as usize] - body.core.vertices[a as usize]).norm()
}

/// Whether the foot of a point on an edge's line lies within the edge.
pub(super) fn beside(body: &Placed, edge: u32, point: &Vec3) -> bool {
    let (e, u) = body.edge(edge);
    (-TOUCHING..=edge_length(body, edge) + TOUCHING).contains(&u.dot(&(point - e)))
}
