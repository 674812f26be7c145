//! Which vertices, edges and faces of two polytopes touch, sharp or rounded.
//!
//! Faces that lie flat on each other make one patch: the corners of their overlap polygon, all on the incident face and all
//! with the reference face's normal. Otherwise every pair of features within the tolerance counts whose normal separates
//! the solids as well as the best axis does; a normal that separates less belongs to the wrong side of a corner.

use super::separation::Front;
use crate::geometry::axis::{Separation, along};
use crate::geometry::feature::{Feature, PatchCorner, Side};
use crate::geometry::found::{Found, beside, edge_length, over};
use crate::geometry::placed::{ContactGeometry, Placed};
use crate::geometry::settings::{
    BORDER, CONE, FLAT, NEARLY_PARALLEL, OWN_AXIS, PARALLEL, PATCH_PARALLEL, REFERENCE_PREFERENCE, SAME_POINT, TOUCHING,
};
use crate::geometry::solid::Solid;
use crate::math::Vec3;

impl Found<'_> {
    /// Corners of the overlap of two flat faces; false where the faces are not flat to each other.
    pub(in crate::geometry) fn patch(&mut self, body: &Placed, other: &Placed, separation: &Separation) -> bool {
        let Some(flat) = FlatFaces::new(body, other, separation) else { return false };
        let (reference, incident) = match flat.reference {
            Side::First => (body, other),
            Side::Second => (other, body),
        };
        let FlatFaces { reference: side, face, incident_face } = flat;
        let corner = |corner| Feature::Patch { reference: side, face, incident_face, corner };
        let (polygon, incident_polygon) =
            (&reference.core.faces[face as usize], &incident.core.faces[incident_face as usize]);
        for &vertex in &incident_polygon.corners {
            if over(reference, face, &incident.vertex(vertex), BORDER) {
                self.add(Feature::VertexFace { owner: side.other(), vertex, face });
            }
        }
        for &vertex in &polygon.corners {
            if over(incident, incident_face, &reference.vertex(vertex), BORDER) {
                self.add(corner(PatchCorner::Vertex(vertex)));
            }
        }
        for &edge in &polygon.edges {
            for &incident_edge in &incident_polygon.edges {
                if cross_inside(reference, edge, incident, incident_edge, PATCH_PARALLEL, BORDER) {
                    self.add(corner(PatchCorner::Crossing { edge, incident_edge }));
                }
            }
        }
        true
    }

    /// Vertices of each body on faces of the other that separate as well as the best axis.
    pub(in crate::geometry) fn vertices_on_faces(&mut self, body: &Placed, other: &Placed, separation: &Separation) {
        for (owner, holder, side) in [(body, other, Side::First), (other, body, Side::Second)] {
            let outward = separation.normal * side.other().outward_sign();
            for face in 0..holder.core.faces.len() as u32 {
                let (n, _) = holder.face(face);
                if n.dot(&outward) < 0.5
                    || self.separation_along(&(n * side.other().outward_sign())) < separation.gap - OWN_AXIS
                {
                    continue;
                }
                for vertex in 0..owner.core.vertices.len() as u32 {
                    if over(holder, face, &owner.vertex(vertex), TOUCHING) {
                        self.add(Feature::VertexFace { owner: side, vertex, face });
                    }
                }
            }
        }
    }

    /// Edges that cross. Nearly parallel ones count only where nothing else touches: their normal turns too fast to
    /// be held.
    pub(in crate::geometry) fn crossing_edges(&mut self, body: &Placed, other: &Placed, separation: &Separation) {
        let parallel = if self.features.is_empty() { PARALLEL } else { NEARLY_PARALLEL };
        let front = Front::new(body.core, &body.pose.turn.tr_mul(&-separation.normal));
        let other_front = Front::new(other.core, &other.pose.turn.tr_mul(&separation.normal));
        for first in front.edge_numbers(body.core) {
            for second in other_front.edge_numbers(other.core) {
                let feature = Feature::EdgeEdge { first, second };
                if cross_inside(body, first, other, second, parallel, TOUCHING)
                    && let Some(contact) = self.pair.contact(&feature)
                    && self.separation_along(&contact.normal) >= separation.gap - OWN_AXIS
                {
                    self.add(feature);
                }
            }
        }
    }

    fn separation_along(&self, n: &Vec3) -> f64 {
        match (self.pair.first, self.pair.second) {
            ((Solid::Convex { core, .. }, at), (Solid::Convex { core: other, .. }, other_at)) => {
                along(core, at, other, other_at, n)
            }
            _ => f64::NEG_INFINITY,
        }
    }

    /// Rounded solids: all feature pairs at the least distance, which is more than one where they are parallel.
    pub(in crate::geometry) fn rounded(&mut self, body: &Placed, other: &Placed, separation: &Separation) {
        let sides = [(body, other, Side::First), (other, body, Side::Second)];
        for (owner, holder, side) in sides {
            for vertex in 0..owner.core.vertices.len() as u32 {
                for face in 0..holder.core.faces.len() as u32 {
                    let feature = Feature::VertexFace { owner: side, vertex, face };
                    // A vertex is over the far side of its holder too, by a large negative gap.
                    let separates = |c: ContactGeometry| c.gap >= separation.gap - OWN_AXIS;
                    if over(holder, face, &owner.vertex(vertex), TOUCHING)
                        && self.pair.contact(&feature).is_some_and(separates)
                    {
                        self.add(feature);
                    }
                }
            }
        }
        for first in 0..body.core.edges.len() as u32 {
            for second in 0..other.core.edges.len() as u32 {
                if cross_inside(body, first, other, second, PARALLEL, TOUCHING) {
                    self.add_in_cones(Feature::EdgeEdge { first, second }, |n| {
                        in_edge_cone(body, first, &-n) && in_edge_cone(other, second, &n)
                    });
                }
            }
        }
        for (owner, holder, side) in sides {
            let sign = side.outward_sign();
            for vertex in 0..owner.core.vertices.len() as u32 {
                for edge in 0..holder.core.edges.len() as u32 {
                    if beside(holder, edge, &owner.vertex(vertex)) {
                        self.add_in_cones(Feature::VertexEdge { owner: side, vertex, edge }, |n| {
                            (owner.core.faces.is_empty() || in_vertex_cone(owner, vertex, &(n * sign)))
                                && in_edge_cone(holder, edge, &(n * -sign))
                        });
                    }
                }
            }
        }
        for first in 0..body.core.vertices.len() as u32 {
            for second in 0..other.core.vertices.len() as u32 {
                self.add_in_cones(Feature::VertexVertex { first, second }, |n| {
                    in_vertex_cone(body, first, &-n) && in_vertex_cone(other, second, &n)
                });
            }
        }
    }

    fn add_in_cones(&mut self, feature: Feature, in_cones: impl Fn(Vec3) -> bool) {
        if self.pair.contact(&feature).is_some_and(|c| c.gap <= self.tolerance && in_cones(c.normal)) {
            self.add(feature);
        }
    }
}

/// Two faces that lie flat on each other.
struct FlatFaces {
    reference: Side,
    face: u32,
    incident_face: u32,
}

impl FlatFaces {
    fn new(body: &Placed, other: &Placed, separation: &Separation) -> Option<Self> {
        let (face, normal) = facing(body, &-separation.normal)?;
        let (other_face, other_normal) = facing(other, &separation.normal)?;
        let level = is_level(body, face, &other_normal) && is_level(other, other_face, &normal);
        if !level || normal.cross(&other_normal).norm() > FLAT || normal.dot(&other_normal) > 0.0 {
            return None;
        }
        let apart = along(body.core, body.pose, other.core, other.pose, &-normal);
        let other_apart = along(body.core, body.pose, other.core, other.pose, &other_normal);
        let first_is_reference = match apart - other_apart {
            more if more > REFERENCE_PREFERENCE => true,
            less if less < -REFERENCE_PREFERENCE => false,
            _ => is_preferred([body, other], [face, other_face]),
        };
        if (if first_is_reference { apart } else { other_apart }) < separation.gap - SAME_POINT {
            return None;
        }
        Some(if first_is_reference {
            FlatFaces { reference: Side::First, face, incident_face: other_face }
        } else {
            FlatFaces { reference: Side::Second, face: other_face, incident_face: face }
        })
    }
}

/// Whether the first of two faces is the reference where they separate alike: the larger one; of equal ones that of the body which
/// lies farther along the axis of the world in which the two lie farthest apart. The order of the bodies does not count.
fn is_preferred([body, other]: [&Placed; 2], [face, other_face]: [u32; 2]) -> bool {
    let (area, other_area) = (body.core.face_area(face), other.core.face_area(other_face));
    let between = body.pose.position - other.pose.position;
    if area == other_area { between[between.iamax()] > 0.0 } else { area > other_area }
}

/// Whether a face lies on a plane with a normal as a polygon does; caps do where their circle is level.
fn is_level(body: &Placed, face: u32, normal: &Vec3) -> bool {
    let local = body.pose.turn.tr_mul(normal);
    body.core.as_round().is_none_or(|round| round.lies_level(face, &local))
}

/// The face that looks most along a direction, and its normal.
fn facing(body: &Placed, direction: &Vec3) -> Option<(u32, Vec3)> {
    let local = body.pose.turn.tr_mul(direction);
    let alignment = |k: u32| body.core.faces[k as usize].normal.dot(&local);
    let best = body.core.true_faces().max_by(|&a, &b| alignment(a).total_cmp(&alignment(b)))?;
    Some((best, body.face(best).0))
}

/// Whether two edges are not parallel and their lines' nearest points lie within both.
fn cross_inside(body: &Placed, edge: u32, other: &Placed, other_edge: u32, parallel: f64, slack: f64) -> bool {
    let ((e1, u), (e2, w)) = (body.edge(edge), other.edge(other_edge));
    let product = u.cross(&w);
    let squared = product.norm_squared();
    if squared < parallel * parallel {
        return false;
    }
    let between = e2 - e1;
    let s = between.cross(&w).dot(&product) / squared;
    let t = between.cross(&u).dot(&product) / squared;
    (-slack..=edge_length(body, edge) + slack).contains(&s)
        && (-slack..=edge_length(other, other_edge) + slack).contains(&t)
}

/// Whether the body's nearest feature towards `outward` is this vertex, not one of its edges.
fn in_vertex_cone(body: &Placed, vertex: u32, outward: &Vec3) -> bool {
    let local = body.pose.turn.tr_mul(outward);
    body.core.edges.iter().filter(|edge| edge.ends.contains(&vertex)).all(|edge| {
        let far = if edge.ends[0] == vertex { edge.ends[1] } else { edge.ends[0] };
        let along = body.core.vertices[far as usize] - body.core.vertices[vertex as usize];
        local.dot(&along.normalize()) <= CONE
    })
}

/// Whether the body's nearest feature towards `outward` is this edge, not one of its faces.
fn in_edge_cone(body: &Placed, edge: u32, outward: &Vec3) -> bool {
    let Some(faces) = body.core.edges[edge as usize].faces else { return true };
    let local = body.pose.turn.tr_mul(outward);
    faces.iter().all(|&face| body.core.inward_at_edge(face, edge).is_some_and(|inward| local.dot(&inward) <= CONE))
}
