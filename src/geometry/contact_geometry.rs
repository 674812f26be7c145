//! From a pair of features: the gap E, the contact point and the normal, and the derivatives of all three.
//!
//! Formulas are in the folders of the elements that touch, each beside its derivative:
//!
//! ```text
//! vertex–plane, –face, –vertex, –edge    polyhedra::vertex_contact
//! edge–edge                              polyhedra::edge_edge_contact
//! corner of a patch                      polyhedra::patch_contact
//! rim or side with anything but an egg   curved::cylinder::contact
//! egg with anything                      curved::egg::contact
//! ```
//!
//! Which features touch is `touching`.

use super::carried::ContactDerivative;
use super::feature::Feature;
use super::placed::{ContactGeometry, PlacedPair};

impl PlacedPair<'_> {
    /// Gap, point and normal of a feature pair; `None` where the feature does not belong to these solids or
    /// is degenerate at these poses (parallel edges).
    pub fn contact(&self, feature: &Feature) -> Option<ContactGeometry> {
        let (pieces, feature) = self.of_pieces(feature);
        let geometry = match feature {
            Feature::VertexPlane { vertex } => pieces.vertex_plane(vertex)?,
            Feature::VertexFace { owner, vertex, face } => pieces.vertex_face(owner, vertex, face)?,
            Feature::VertexVertex { first, second } => pieces.vertex_vertex(first, second)?,
            Feature::VertexEdge { owner, vertex, edge } => pieces.vertex_edge(owner, vertex, edge)?,
            Feature::EdgeEdge { first, second } => pieces.edge_edge(first, second)?,
            Feature::Patch { reference, face, incident_face, corner } => {
                pieces.patch(reference, face, incident_face, corner)?
            }
            Feature::Round { first, second } if first.is_egg() || second.is_egg() => {
                pieces.egg_contact(first, second)?
            }
            Feature::Round { first, second } => pieces.round_contact(first, second)?,
        };
        geometry.gap.is_finite().then_some(geometry)
    }

    /// Derivatives of `contact`; `None` where that is `None`.
    pub fn contact_derivative(&self, feature: &Feature) -> Option<ContactDerivative> {
        let (pieces, feature) = self.of_pieces(feature);
        match feature {
            Feature::VertexPlane { vertex } => pieces.vertex_plane_derivative(vertex),
            Feature::VertexFace { owner, vertex, face } => pieces.vertex_face_derivative(owner, vertex, face),
            Feature::VertexVertex { first, second } => pieces.vertex_vertex_derivative(first, second),
            Feature::VertexEdge { owner, vertex, edge } => pieces.vertex_edge_derivative(owner, vertex, edge),
            Feature::EdgeEdge { first, second } => pieces.edge_edge_derivative(first, second),
            Feature::Patch { reference, face, incident_face, corner } => {
                pieces.patch_derivative(reference, face, incident_face, corner)
            }
            Feature::Round { first, second } if first.is_egg() || second.is_egg() => {
                pieces.egg_derivative(first, second)
            }
            Feature::Round { first, second } => pieces.round_derivative(first, second),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::carried::PLACE_COLUMNS;
    use crate::geometry::pose::Pose;
    use crate::geometry::shape::Shape;
    use crate::geometry::solid::Solid;
    use crate::math::difference::check_jacobian;
    use crate::math::rotation::exp;
    use crate::math::{Rotation, Vec3};

    pub fn cuboid(x: f64, y: f64, z: f64) -> Solid {
        Solid::new(&Shape::Cuboid { half_extents: Vec3::new(x, y, z) }).unwrap()
    }

    pub fn ball(radius: f64) -> Solid {
        Solid::new(&Shape::Ball { radius }).unwrap()
    }

    pub fn capsule(half_height: f64, radius: f64) -> Solid {
        Solid::new(&Shape::Capsule { half_height, radius }).unwrap()
    }

    /// Compares the derivative of gap (row 0), point (rows 1–3) and normal (rows 4–6) with differences.
    #[track_caller]
    pub fn check_feature(first: &Solid, second: &Solid, feature: Feature) {
        let rotations = [exp(Vec3::new(0.3, -0.5, 0.9)), exp(Vec3::new(-0.2, 0.4, 0.1))];
        check_feature_at(first, second, feature, rotations);
    }

    #[track_caller]
    pub fn check_feature_at(first: &Solid, second: &Solid, feature: Feature, rotations: [Rotation; 2]) {
        let positions = [Vec3::new(0.1, 0.7, -0.2), Vec3::new(-0.1, -0.1, 0.3)];
        let poses = |x: &[f64]| -> [Pose; 2] {
            std::array::from_fn(|k| {
                let v = |o: usize| Vec3::new(x[6 * k + o], x[6 * k + o + 1], x[6 * k + o + 2]);
                Pose::new(positions[k] + v(0), &(exp(v(3)) * rotations[k]))
            })
        };
        let value = |x: &[f64]| {
            let poses = poses(x);
            let solids = [first.scaled(1.0 + x[12]), second.scaled(1.0 + x[13])];
            let pair = PlacedPair { first: (&solids[0], &poses[0]), second: (&solids[1], &poses[1]) };
            let c = pair.contact(&feature).unwrap();
            vec![c.gap, c.point.x, c.point.y, c.point.z, c.normal.x, c.normal.y, c.normal.z]
        };
        let start = [0.0; PLACE_COLUMNS];
        let at = poses(&start);
        let pair = PlacedPair { first: (first, &at[0]), second: (second, &at[1]) };
        let d = pair.contact_derivative(&feature).unwrap();
        check_jacobian(value, &start, |row, col| match row {
            0 => d.dgap[col],
            1..=3 => d.dpoint[(row - 1, col)],
            _ => d.dnormal[(row - 4, col)],
        });
    }
}
