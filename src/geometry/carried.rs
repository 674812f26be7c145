//! Vectors and lengths with their derivatives by the two poses and the two sizes, of which those of gaps, contact points and
//! normals are made.
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
//! its derivative. The formulas differentiated stand beside those of the values: `polyhedra` has a file for each pair of
//! elements, and `quantity` writes formulas of curved bodies once for both.

use nalgebra::{RowSVector, SMatrix};

use super::feature::Side;
use super::placed::Placed;
use super::pose::Pose;
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

    pub fn normalized(self) -> Carried {
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
    pub fn carried_vertex(&self, side: Side, k: u32) -> Carried {
        Carried::point(side, self.pose, self.vertex(k))
    }

    pub fn carried_edge(&self, side: Side, k: u32) -> (Carried, Carried) {
        let (e, u) = self.edge(k);
        (Carried::point(side, self.pose, e), Carried::direction(side, u))
    }

    pub fn carried_normal(&self, side: Side, face: u32) -> Carried {
        Carried::direction(side, self.face(face).0)
    }

    /// The derivative of `height`; the face's own height grows with the body.
    pub fn carried_height(&self, side: Side, face: u32, p: Carried) -> Scalar {
        let n = self.carried_normal(side, face);
        let height = n.dot(p.minus(Carried::point(side, self.pose, self.pose.position)));
        let height = height.minus(Scalar::length(side, self.face(face).1));
        Scalar { value: self.height(face, &p.value), ..height }
    }

    pub fn carried_radius(&self, side: Side) -> Scalar {
        Scalar::length(side, self.radius)
    }
}

impl ContactDerivative {
    pub(super) fn new(gap: Scalar, point: Carried, normal: Carried) -> Self {
        ContactDerivative { dgap: gap.d, dpoint: point.d, dnormal: normal.d }
    }
}
