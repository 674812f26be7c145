//! How gap, contact point and normal of a touching feature pair change with the two poses and the two sizes.
//!
//! Columns: δx and δθ of the first body, δx and δθ of the second (12), then the relative change δs/s of the size of
//! the first and of the second (2). Everything follows from three facts, for a point p, a direction u and a length l
//! (a radius, the height of a face) carried by a body at x:
//!
//! ```text
//! δp = δx + δθ × (p − x) + (p − x)·δs/s        δu = δθ × u        δl = l·δs/s                  (1)
//! ```
//!
//! and from the rules for products, quotients and lengths, which `Carried` applies to a vector together with
//! its derivative. The formulas differentiated are those of `feature`, in the same order.

use nalgebra::{RowSVector, SMatrix};

use crate::geometry::feature::{Feature, PatchCorner, Placed, PlacedPair, Side};
use crate::geometry::solid::{Pose, Solid};
use crate::math::Vec3;
use crate::math::rotation::hat;

/// Columns: twelve of the poses, two of the sizes.
pub const PLACE_COLUMNS: usize = 14;
/// One row over the columns of the poses and sizes.
pub type PlaceRow = RowSVector<f64, PLACE_COLUMNS>;
/// Three rows over the columns of the poses and sizes.
pub type PlaceColumns = SMatrix<f64, 3, PLACE_COLUMNS>;

/// Derivatives of a contact's geometry with respect to both poses and both sizes.
#[derive(Clone, Copy, Debug)]
pub struct ContactDerivative {
    /// E_q, and by the sizes: 1 × 14.
    pub dgap: PlaceRow,
    /// 3 × 14.
    pub dpoint: PlaceColumns,
    /// 3 × 14.
    pub dnormal: PlaceColumns,
}

/// The column of a body's size.
fn size_column(side: Side) -> usize {
    if side == Side::First { 12 } else { 13 }
}

/// A vector and its derivative.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    pub value: Vec3,
    pub d: PlaceColumns,
}

/// A number and its derivative.
#[derive(Clone, Copy)]
pub(super) struct Scalar {
    pub value: f64,
    pub d: PlaceRow,
}

impl Carried {
    /// (1), for a point.
    pub fn point(side: Side, pose: &Pose, p: Vec3) -> Self {
        let mut carried = Self::direction(side, p - pose.position);
        let column = if side == Side::First { 0 } else { 6 };
        carried.d.fixed_view_mut::<3, 3>(0, column).fill_with_identity();
        carried.d.set_column(size_column(side), &(p - pose.position));
        Carried { value: p, ..carried }
    }

    /// (1), for a direction.
    pub fn direction(side: Side, u: Vec3) -> Self {
        let mut d = PlaceColumns::zeros();
        let column = if side == Side::First { 3 } else { 9 };
        d.fixed_view_mut::<3, 3>(0, column).copy_from(&-hat(u));
        Carried { value: u, d }
    }

    pub fn plus(self, other: Carried) -> Carried {
        Carried { value: self.value + other.value, d: self.d + other.d }
    }

    pub fn minus(self, other: Carried) -> Carried {
        Carried { value: self.value - other.value, d: self.d - other.d }
    }

    pub fn times(self, factor: f64) -> Carried {
        Carried { value: self.value * factor, d: self.d * factor }
    }

    pub fn scaled(self, by: Scalar) -> Carried {
        Carried { value: self.value * by.value, d: self.d * by.value + self.value * by.d }
    }

    pub fn dot(self, other: Carried) -> Scalar {
        Scalar {
            value: self.value.dot(&other.value),
            d: self.value.transpose() * other.d + other.value.transpose() * self.d,
        }
    }

    pub fn cross(self, other: Carried) -> Carried {
        Carried { value: self.value.cross(&other.value), d: hat(self.value) * other.d - hat(other.value) * self.d }
    }

    pub fn length(self) -> Scalar {
        let value = self.value.norm();
        Scalar { value, d: (self.value / value).transpose() * self.d }
    }

    fn normalized(self) -> Carried {
        self.scaled(Scalar { value: 1.0, d: PlaceRow::zeros() }.over(self.length()))
    }
}

impl Scalar {
    /// (1), for a length.
    pub fn length(side: Side, value: f64) -> Scalar {
        let mut d = PlaceRow::zeros();
        d[size_column(side)] = value;
        Scalar { value, d }
    }

    pub fn minus(self, other: Scalar) -> Scalar {
        Scalar { value: self.value - other.value, d: self.d - other.d }
    }

    pub fn over(self, other: Scalar) -> Scalar {
        let value = self.value / other.value;
        Scalar { value, d: (self.d - other.d * value) / other.value }
    }
}

impl Placed<'_> {
    fn carried_vertex(&self, side: Side, k: u32) -> Carried {
        Carried::point(side, self.pose, self.vertex(k))
    }

    fn carried_edge(&self, side: Side, k: u32) -> (Carried, Carried) {
        let (e, u) = self.edge(k);
        (Carried::point(side, self.pose, e), Carried::direction(side, u))
    }

    fn carried_normal(&self, side: Side, face: u32) -> Carried {
        Carried::direction(side, self.face(face).0)
    }

    /// The derivative of `height`; the face's own height grows with the body.
    fn carried_height(&self, side: Side, face: u32, p: Carried) -> Scalar {
        let n = self.carried_normal(side, face);
        let height = n.dot(p.minus(Carried::point(side, self.pose, self.pose.position)));
        let height = height.minus(Scalar::length(side, self.face(face).1));
        Scalar { value: self.height(face, &p.value), ..height }
    }

    fn carried_radius(&self, side: Side) -> Scalar {
        Scalar::length(side, self.radius)
    }
}

fn assemble(gap: Scalar, point: Carried, normal: Carried) -> ContactDerivative {
    ContactDerivative { dgap: gap.d, dpoint: point.d, dnormal: normal.d }
}

impl PlacedPair<'_> {
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

    fn vertex_plane_derivative(&self, vertex: u32) -> Option<ContactDerivative> {
        let body = self.convex(Side::First)?;
        let (Solid::HalfSpace(normal), pose) = self.second else { return None };
        let n = Carried::direction(Side::Second, pose.turn * normal);
        let p = body.carried_vertex(Side::First, vertex);
        let radius = body.carried_radius(Side::First);
        let gap = n.dot(p.minus(Carried::point(Side::Second, pose, pose.position))).minus(radius);
        Some(assemble(gap, p.minus(n.scaled(radius)), n))
    }

    fn vertex_face_derivative(&self, owner: Side, vertex: u32, face: u32) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.carried_vertex(owner, vertex);
        let n = other.carried_normal(owner.other(), face);
        let (radius, other_radius) = (body.carried_radius(owner), other.carried_radius(owner.other()));
        let gap = other.carried_height(owner.other(), face, p).minus(radius).minus(other_radius);
        Some(assemble(gap, p.minus(n.scaled(radius)), n.times(owner.other().outward_sign())))
    }

    fn vertex_vertex_derivative(&self, first: u32, second: u32) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let center = other.carried_vertex(Side::Second, second);
        let d = body.carried_vertex(Side::First, first).minus(center);
        let n = d.normalized();
        let (radius, other_radius) = (body.carried_radius(Side::First), other.carried_radius(Side::Second));
        Some(assemble(d.length().minus(radius).minus(other_radius), center.plus(n.scaled(other_radius)), n))
    }

    fn vertex_edge_derivative(&self, owner: Side, vertex: u32, edge: u32) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let p = body.carried_vertex(owner, vertex);
        let (e, u) = other.carried_edge(owner.other(), edge);
        let along = p.minus(e);
        let d = along.minus(u.scaled(u.dot(along)));
        let n = d.normalized();
        let (radius, other_radius) = (body.carried_radius(owner), other.carried_radius(owner.other()));
        let (gap, normal) = (d.length().minus(radius).minus(other_radius), n.times(owner.other().outward_sign()));
        Some(assemble(gap, p.minus(n.scaled(radius)), normal))
    }

    fn edge_edge_derivative(&self, first: u32, second: u32) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let ((e1, u), (e2, w)) = (body.carried_edge(Side::First, first), other.carried_edge(Side::Second, second));
        let product = u.cross(w);
        let n = product.normalized().times(self.edge_sign(first, second, &product.value)?);
        let (radius, other_radius) = (body.carried_radius(Side::First), other.carried_radius(Side::Second));
        let gap = n.dot(e1.minus(e2)).minus(radius).minus(other_radius);
        let t = e2.minus(e1).cross(u).dot(product).over(product.dot(product));
        Some(assemble(gap, e2.plus(w.scaled(t)).plus(n.scaled(other_radius)), n))
    }

    fn patch_derivative(
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
        Some(assemble(gap, point, n.times(reference.outward_sign())))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::math::Rotation;
    use crate::math::difference::check_jacobian;
    use crate::math::rotation::exp;

    fn cuboid(x: f64, y: f64, z: f64) -> Solid {
        Solid::new(&Shape::Cuboid { half_extents: Vec3::new(x, y, z) }).unwrap()
    }

    fn ball(radius: f64) -> Solid {
        Solid::new(&Shape::Ball { radius }).unwrap()
    }

    fn capsule(half_height: f64, radius: f64) -> Solid {
        Solid::new(&Shape::Capsule { half_height, radius }).unwrap()
    }

    /// Compares the derivative of gap (row 0), point (rows 1–3) and normal (rows 4–6) with differences.
    #[track_caller]
    pub fn check_feature(first: &Solid, second: &Solid, feature: Feature) {
        let rotations = [exp(Vec3::new(0.3, -0.5, 0.9)), exp(Vec3::new(-0.2, 0.4, 0.1))];
        check_feature_at(first, second, feature, rotations);
    }

    #[track_caller]
    fn check_feature_at(first: &Solid, second: &Solid, feature: Feature, rotations: [Rotation; 2]) {
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

    #[test]
    fn edges_sharp_and_rounded() {
        for (first, second) in [(0, 1), (3, 8), (11, 6)] {
            let feature = Feature::EdgeEdge { first, second };
            check_feature(&cuboid(0.2, 0.12, 0.08), &cuboid(0.25, 0.2, 0.1), feature);
        }
        let feature = Feature::EdgeEdge { first: 0, second: 0 };
        check_feature(&capsule(0.2, 0.1), &capsule(0.3, 0.05), feature);
        check_feature(&capsule(0.2, 0.1), &cuboid(0.3, 0.05, 0.2), feature);
    }

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

    #[test]
    fn the_gap_changes_with_the_velocity_of_the_touching_points() {
        // n·(δp₁ − δp₂) at the contact point: the row that the impact law uses.
        let (body, other) = (capsule(0.2, 0.1), cuboid(0.3, 0.05, 0.2));
        let at = [
            Pose::new(Vec3::new(0.0, 0.4, 0.1), &exp(Vec3::new(0.3, 0.1, 0.7))),
            Pose::new(Vec3::zeros(), &exp(Vec3::new(0.1, 0.2, 0.3))),
        ];
        let pair = PlacedPair { first: (&body, &at[0]), second: (&other, &at[1]) };
        let feature = Feature::EdgeEdge { first: 0, second: 4 };
        let (c, d) = (pair.contact(&feature).unwrap(), pair.contact_derivative(&feature).unwrap());
        for (k, pose) in at.iter().enumerate() {
            let sign = if k == 0 { 1.0 } else { -1.0 };
            let arm = (c.point - pose.position).cross(&c.normal) * sign;
            let row = d.dgap.fixed_columns::<6>(6 * k).into_owned();
            for i in 0..3 {
                assert!((row[i] - sign * c.normal[i]).abs() < 1e-14);
                assert!((row[3 + i] - arm[i]).abs() < 1e-14, "{} {}", row[3 + i], arm[i]);
            }
        }
    }
}
