//! Gap, contact point and normal of a vertex on a plane, a face, another vertex or an edge, and their derivatives.
//!
//! With elements carried by both bodies (p a vertex, e + s·u an edge, f a face; r the sum of the radii):
//!
//! ```text
//! vertex–plane, vertex–face   n = the plane's normal,            gap = n·(p − f) − r
//! vertex–vertex, vertex–edge  n = (p − c)/|p − c|, c nearest,    gap = |p − c| − r
//! ```
//!
//! The contact point is that of the vertex; between two of them, in the middle of the gap.

use crate::geometry::carried::{Carried, ContactDerivative};
use crate::geometry::feature::Side;
use crate::geometry::placed::{ContactGeometry, PlacedPair};
use crate::geometry::quantity::Quantity;
use crate::geometry::solid::Solid;

impl PlacedPair<'_> {
    pub(in crate::geometry) fn vertex_plane(&self, vertex: u32) -> Option<ContactGeometry> {
        let body = self.convex(Side::First)?;
        let (Solid::HalfSpace(normal), pose) = self.second else { return None };
        let (normal, p) = (pose.turn * normal, body.vertex(vertex));
        let gap = normal.dot(&(p - pose.position)) - body.radius;
        Some(ContactGeometry { gap, point: p - normal * body.radius, normal })
    }

    pub(in crate::geometry) fn vertex_plane_derivative(&self, vertex: u32) -> Option<ContactDerivative> {
        let body = self.convex(Side::First)?;
        let (Solid::HalfSpace(normal), pose) = self.second else { return None };
        let n = Carried::direction(Side::Second, pose.turn * normal);
        let p = body.carried_vertex(Side::First, vertex);
        let radius = body.carried_radius(Side::First);
        let gap = n.dot(p.minus(Carried::point(Side::Second, pose, pose.position))).minus(radius);
        Some(ContactDerivative::new(gap, p.minus(n.scaled(radius)), n))
    }

    pub(in crate::geometry) fn vertex_face(&self, owner: Side, vertex: u32, face: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.vertex(vertex);
        let (n, _) = other.face(face);
        Some(ContactGeometry {
            gap: other.height(face, &p) - body.radius - other.radius,
            point: p - n * body.radius,
            normal: n * owner.other().outward_sign(),
        })
    }

    pub(in crate::geometry) fn vertex_face_derivative(
        &self,
        owner: Side,
        vertex: u32,
        face: u32,
    ) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.carried_vertex(owner, vertex);
        let n = other.carried_normal(owner.other(), face);
        let (radius, other_radius) = (body.carried_radius(owner), other.carried_radius(owner.other()));
        let gap = other.carried_height(owner.other(), face, p).minus(radius).minus(other_radius);
        Some(ContactDerivative::new(gap, p.minus(n.scaled(radius)), n.times(owner.other().outward_sign())))
    }

    pub(in crate::geometry) fn vertex_vertex(&self, first: u32, second: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let center = other.vertex(second);
        let d = body.vertex(first) - center;
        let distance = d.norm();
        let normal = d / distance;
        let gap = distance - body.radius - other.radius;
        Some(ContactGeometry { gap, point: center + normal * (other.radius + 0.5 * gap), normal })
    }

    pub(in crate::geometry) fn vertex_vertex_derivative(&self, first: u32, second: u32) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let center = other.carried_vertex(Side::Second, second);
        let d = body.carried_vertex(Side::First, first).minus(center);
        let n = d.normalized();
        let (radius, other_radius) = (body.carried_radius(Side::First), other.carried_radius(Side::Second));
        let gap = d.length().minus(radius).minus(other_radius);
        Some(ContactDerivative::new(gap, center.plus(n.scaled(other_radius.plus(gap.by(0.5)))), n))
    }

    pub(in crate::geometry) fn vertex_edge(&self, owner: Side, vertex: u32, edge: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.vertex(vertex);
        let (e, u) = other.edge(edge);
        let d = (p - e) - u * u.dot(&(p - e));
        let distance = d.norm();
        let n = d / distance;
        Some(ContactGeometry {
            gap: distance - body.radius - other.radius,
            point: p - n * body.radius,
            normal: n * owner.other().outward_sign(),
        })
    }

    pub(in crate::geometry) fn vertex_edge_derivative(
        &self,
        owner: Side,
        vertex: u32,
        edge: u32,
    ) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.carried_vertex(owner, vertex);
        let (e, u) = other.carried_edge(owner.other(), edge);
        let along = p.minus(e);
        let d = along.minus(u.scaled(u.dot(along)));
        let n = d.normalized();
        let (radius, other_radius) = (body.carried_radius(owner), other.carried_radius(owner.other()));
        let (gap, normal) = (d.length().minus(radius).minus(other_radius), n.times(owner.other().outward_sign()));
        Some(ContactDerivative::new(gap, p.minus(n.scaled(radius)), normal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::contact_geometry::tests::{ball, capsule, check_feature, cuboid};
    use crate::geometry::feature::Feature;
    use crate::math::Vec3;

    #[test]
    fn a_vertex_on_a_plane() {
        let plane = Solid::HalfSpace(Vec3::new(0.6, 0.8, 0.0));
        check_feature(&cuboid(0.2, 0.12, 0.08), &plane, Feature::VertexPlane { vertex: 3 });
        check_feature(&capsule(0.2, 0.08), &plane, Feature::VertexPlane { vertex: 1 });
    }

    #[test]
    fn a_vertex_on_a_face_of_either_body() {
        for owner in [Side::First, Side::Second] {
            let feature = Feature::VertexFace { owner, vertex: 5, face: 2 };
            check_feature(&cuboid(0.2, 0.12, 0.08), &cuboid(0.25, 0.2, 0.1), feature);
        }
        check_feature(
            &capsule(0.2, 0.08),
            &cuboid(0.25, 0.2, 0.1),
            Feature::VertexFace { owner: Side::First, vertex: 1, face: 4 },
        );
    }

    #[test]
    fn rounded_vertices_turn_their_normal() {
        check_feature(&ball(0.1), &ball(0.2), Feature::VertexVertex { first: 0, second: 0 });
        check_feature(&capsule(0.2, 0.1), &cuboid(0.2, 0.1, 0.1), Feature::VertexVertex { first: 1, second: 3 });
    }

    #[test]
    fn a_vertex_beside_an_edge_of_either_body() {
        check_feature(
            &ball(0.1),
            &cuboid(0.25, 0.2, 0.1),
            Feature::VertexEdge { owner: Side::First, vertex: 0, edge: 7 },
        );
        check_feature(
            &cuboid(0.25, 0.2, 0.1),
            &capsule(0.2, 0.1),
            Feature::VertexEdge { owner: Side::First, vertex: 6, edge: 0 },
        );
        check_feature(
            &cuboid(0.25, 0.2, 0.1),
            &ball(0.1),
            Feature::VertexEdge { owner: Side::Second, vertex: 0, edge: 2 },
        );
    }
}
