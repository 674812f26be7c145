//! Gap, contact point and normal of a corner of the polygon in which two flat faces overlap, and their derivatives.
//!
//! ```text
//! n = the reference face's normal,     gap = height of the corner, taken on the incident face, over the reference face
//! ```

use crate::geometry::carried::ContactDerivative;
use crate::geometry::feature::{PatchCorner, Side};
use crate::geometry::placed::{ContactGeometry, PlacedPair};

impl PlacedPair<'_> {
    pub(in crate::geometry) fn patch(
        &self,
        reference: Side,
        face: u32,
        incident_face: u32,
        corner: PatchCorner,
    ) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(reference)?, self.convex(reference.other())?);
        let (n, _) = body.face(face);
        let point = match corner {
            PatchCorner::Vertex(vertex) => {
                let p = body.vertex(vertex);
                let (m, _) = other.face(incident_face);
                p - n * (other.height(incident_face, &p) / m.dot(&n))
            }
            PatchCorner::Crossing { edge, incident_edge } => {
                let ((e1, u), (e2, w)) = (body.edge(edge), other.edge(incident_edge));
                let across = u.cross(&n);
                e2 + w * ((e1 - e2).dot(&across) / w.dot(&across))
            }
        };
        Some(ContactGeometry { gap: body.height(face, &point), point, normal: n * reference.outward_sign() })
    }

    pub(in crate::geometry) fn patch_derivative(
        &self,
        reference: Side,
        face: u32,
        incident_face: u32,
        corner: PatchCorner,
    ) -> Option<ContactDerivative> {
        let incident = reference.other();
        let (body, other) = (self.convex(reference)?, self.convex(incident)?);
        let n = body.carried_normal(reference, face);
        let point = match corner {
            PatchCorner::Vertex(vertex) => {
                let p = body.carried_vertex(reference, vertex);
                let m = other.carried_normal(incident, incident_face);
                let drop = other.carried_height(incident, incident_face, p).over(m.dot(n));
                p.minus(n.scaled(drop))
            }
            PatchCorner::Crossing { edge, incident_edge } => {
                let ((e1, u), (e2, w)) =
                    (body.carried_edge(reference, edge), other.carried_edge(incident, incident_edge));
                let across = u.cross(n);
                e2.plus(w.scaled(e1.minus(e2).dot(across).over(w.dot(across))))
            }
        };
        let gap = body.carried_height(reference, face, point);
        Some(ContactDerivative::new(gap, point, n.times(reference.outward_sign())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::contact_geometry::tests::{check_feature_at, cuboid};
    use crate::geometry::feature::Feature;
    use crate::math::Vec3;
    use crate::math::rotation::exp;

    #[test]
    fn corners_of_a_patch_on_either_reference() {
        // Nearly flat faces, as patches are; the formulas hold for any tilt.
        let rotations = [exp(Vec3::new(0.03, 0.5, -0.02)), exp(Vec3::new(-0.02, 0.04, 0.01))];
        for reference in [Side::First, Side::Second] {
            let crossing = PatchCorner::Crossing { edge: 10, incident_edge: 3 };
            for corner in [PatchCorner::Vertex(3), crossing] {
                let feature = Feature::Patch { reference, face: 3, incident_face: 2, corner };
                check_feature_at(&cuboid(0.2, 0.12, 0.08), &cuboid(0.25, 0.2, 0.1), feature, rotations);
            }
        }
    }
}
