//! The circles and straight lines of round bodies in the world, plain or with their derivatives.
//!
//! With the circle p(θ) = c + r·e(θ), a = the axis of its body, τ its tangent; a side or an edge has the axis b, the
//! base b₀ on it with the radius r₀ there, and normals n with n·b = s, c of them across b.

use super::body::End;
use crate::geometry::feature::{Element, Side};
use crate::geometry::placed::Placed;
use crate::geometry::quantity::{Arrow, Quantity};
use crate::math::Vec3;
use crate::math::elementary::atan2;

/// A circle in the world; its angles count from x to y.
#[derive(Clone, Copy)]
pub(in crate::geometry) struct Circle<V: Arrow> {
    pub center: V,
    pub x: V,
    pub y: V,
    pub axis: V,
    pub radius: V::Number,
}

/// A side of a round body, or an edge: straight lines at one angle to an axis.
pub(in crate::geometry) struct Ruled<V: Arrow> {
    pub base: V,
    pub axis: V,
    /// s: of the normals along the axis.
    pub slope: f64,
    /// c: across it.
    pub flat: f64,
    /// At the base, across the axis.
    pub radius: V::Number,
    /// From end to end.
    pub length: f64,
}

impl<V: Arrow> Circle<V> {
    pub fn new(body: &Placed, side: Side, cap: u32) -> Option<Self> {
        let round = body.core.as_round()?;
        let End { center, radius, .. } = *round.rim(cap)?;
        let direction = |v: Vec3| V::direction(side, body.pose.turn * v);
        Some(Circle {
            center: V::point(side, body.pose, body.pose.point(&center)),
            x: direction(round.across[0]),
            y: direction(round.across[1]),
            axis: direction(round.axis),
            radius: V::Number::of_body(side, radius),
        })
    }

    /// e and τ at an angle.
    pub fn frame(&self, angle: V::Number) -> (V, V) {
        self.frame_at(angle.cos_sin())
    }

    /// The same, from its cosine and sine.
    fn frame_at(&self, (cos, sin): (V::Number, V::Number)) -> (V, V) {
        (self.x.scaled(cos).plus(self.y.scaled(sin)), self.y.scaled(cos).minus(self.x.scaled(sin)))
    }
}

impl Circle<Vec3> {
    pub fn spoke_and_tangent(&self, angle: f64) -> (Vec3, Vec3) {
        self.frame(angle)
    }

    pub fn spoke_and_tangent_at(&self, cos_sin: (f64, f64)) -> (Vec3, Vec3) {
        self.frame_at(cos_sin)
    }

    pub fn angle_of(&self, direction: &Vec3) -> f64 {
        atan2(direction.dot(&self.y), direction.dot(&self.x))
    }
}

impl<V: Arrow> Ruled<V> {
    /// Of an edge or a side.
    pub fn new(body: &Placed, side: Side, element: Element) -> Option<Self> {
        match element {
            Element::Edge(edge) => {
                let [a, b] = body.core.edges[edge as usize].ends.map(|end| body.core.vertices[end as usize]);
                let (base, axis) = body.edge(edge);
                Some(Ruled {
                    base: V::point(side, body.pose, base),
                    axis: V::direction(side, axis),
                    slope: 0.0,
                    flat: 1.0,
                    radius: V::Number::of_body(side, body.radius),
                    length: (b - a).norm(),
                })
            }
            Element::Side(_) => {
                let round = body.core.as_round()?;
                let (slope, flat) = round.slope();
                let End { center, radius, .. } = round.ends[0];
                Some(Ruled {
                    base: V::point(side, body.pose, body.pose.point(&center)),
                    axis: V::direction(side, body.pose.turn * round.axis),
                    slope,
                    flat,
                    radius: V::Number::of_body(side, radius),
                    length: round.side_length(),
                })
            }
            Element::Plane | Element::Vertex(_) | Element::Face(_) | Element::Rim { .. } | Element::Egg(_) => None,
        }
    }

    /// Whether it has neither taper nor radius.
    pub fn is_line(&self) -> bool {
        self.slope == 0.0 && self.radius.value() == 0.0
    }

    /// The outward normal that looks at a point. (4)
    pub fn normal_towards(&self, point: V) -> V {
        self.axis.by(self.slope).plus(point.minus(self.base).across(self.axis).normalized().by(self.flat))
    }

    /// Height along an outward normal. (4)
    pub fn height(&self, n: V, point: V) -> V::Number {
        n.dot(point.minus(self.base)).minus(self.radius.by(self.flat))
    }

    /// The straight line with an outward normal: its begin and its direction.
    pub fn line(&self, n: V) -> (V, V) {
        let across = n.minus(self.axis.by(self.slope)).by(1.0 / self.flat);
        let along = self.axis.minus(n.by(self.slope)).by(1.0 / self.flat);
        (self.base.plus(across.scaled(self.radius)), along)
    }
}

impl Ruled<Vec3> {
    /// How far along its straight line a point lies, m.
    pub fn along(&self, n: &Vec3, point: &Vec3) -> f64 {
        let (begin, along) = self.line(*n);
        along.dot(point - begin)
    }
}
