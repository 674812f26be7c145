//! Gap, contact point and normal of two edges that cross, and their derivatives.
//!
//! With the edges e₁ + s·u and e₂ + t·w carried by their bodies, and r the sum of the radii:
//!
//! ```text
//! n = ±(u × w)/|u × w|,     gap = n·(e₁ − e₂) − r
//! ```
//!
//! The contact point is in the middle of the gap: neither body is the first to say where they touch.

use crate::geometry::carried::ContactDerivative;
use crate::geometry::feature::Side;
use crate::geometry::placed::{ContactGeometry, PlacedPair};
use crate::geometry::quantity::Quantity;
use crate::math::Vec3;

impl PlacedPair<'_> {
    pub(in crate::geometry) fn edge_edge(&self, first: u32, second: u32) -> Option<ContactGeometry> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let ((e1, u), (e2, w)) = (body.edge(first), other.edge(second));
        let product = u.cross(&w);
        let sign = self.edge_sign(first, second, &product)?;
        let normal = product * (sign / product.norm());
        let gap = normal.dot(&(e1 - e2)) - body.radius - other.radius;
        let t = (e2 - e1).cross(&u).dot(&product) / product.norm_squared();
        Some(ContactGeometry { gap, point: e2 + w * t + normal * (other.radius + 0.5 * gap), normal })
    }

    pub(in crate::geometry) fn edge_edge_derivative(&self, first: u32, second: u32) -> Option<ContactDerivative> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let ((e1, u), (e2, w)) = (body.carried_edge(Side::First, first), other.carried_edge(Side::Second, second));
        let product = u.cross(w);
        let n = product.normalized().times(self.edge_sign(first, second, &product.value)?);
        let (radius, other_radius) = (body.carried_radius(Side::First), other.carried_radius(Side::Second));
        let gap = n.dot(e1.minus(e2)).minus(radius).minus(other_radius);
        let t = e2.minus(e1).cross(u).dot(product).over(product.dot(product));
        Some(ContactDerivative::new(gap, e2.plus(w.scaled(t)).plus(n.scaled(other_radius.plus(gap.by(0.5)))), n))
    }

    /// Which way u × w points from the second body to the first: by the distance of rounded edges, and by
    /// the outward side of sharp ones, whose distance vanishes at contact.
    fn edge_sign(&self, first: u32, second: u32, product: &Vec3) -> Option<f64> {
        let (body, other) = (self.convex(Side::First)?, self.convex(Side::Second)?);
        let side = if body.radius + other.radius > 0.0 {
            product.dot(&(body.edge(first).0 - other.edge(second).0))
        } else {
            let outward = other.pose.turn * other.core.outward_at_edge(second);
            let inward = body.pose.turn * body.core.outward_at_edge(first);
            product.dot(&(outward - inward))
        };
        Some(if side < 0.0 { -1.0 } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::contact_geometry::tests::{capsule, check_feature, cuboid};
    use crate::geometry::feature::Feature;
    use crate::geometry::pose::Pose;
    use crate::math::rotation::exp;

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
