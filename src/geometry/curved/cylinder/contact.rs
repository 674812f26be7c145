//! Gap, contact point and normal where one of the two elements is round.
//!
//! With the circle p(θ) = c + r·e(θ), a = the axis of its body, τ its tangent; a side or an edge has the axis b, the
//! base b₀ on it with the radius r₀ there, and normals with n·b = s:
//!
//! ```text
//! circle–plane     n = the plane's,       e = ∓(n across a),              gap = n·p − its height     (1)
//! circle–vertex    e = (v − c) across a,  n = (p − v)/|p − v|,            gap = |p − v| − ρ          (2)
//! circle–edge      θ of the nearest point,  n = ±τ × b,                   gap = n·(p − b₀)           (3)
//! circle–side      θ of the nearest point,  n = s·b + c·w/|w|,            gap = n·(p − b₀) − c·r₀    (4)
//! circle–circle    θ₁, θ₂ of the nearest points,  n = ±τ₁ × τ₂,           gap = n·(p₁ − p₂)          (5)
//! side–vertex      n = s·b + c·w/|w| with w = v − b₀ across b,            gap = n·(v − b₀) − c·r₀ − ρ  (6)
//! side–edge, side–side   n·a = −s_a,  n·b = s_b,  |n| = 1,                gap = n·(a₀ − b₀) − c_a·r_a − c_b·r_b  (7)
//! ```
//!
//! The contact point is that of the circle, or of what a side meets; between two circles and two sides, in the middle of the gap.
//! Formulas are written once for values and derivatives (`quantity`); the angles of (3)–(5) come from `search`.

use super::elements::{Circle, Ruled};
use super::search::{angle_on_ruled, angles_on_circle, slope_on_ruled, slopes_on_circle};
use crate::geometry::carried::{Carried, ContactDerivative};
use crate::geometry::feature::{Element, Feature, Side, Start};
use crate::geometry::placed::{ContactGeometry, Placed, PlacedPair};
use crate::geometry::quantity::{Arrow, Quantity};
use crate::geometry::settings::PARALLEL;
use crate::geometry::solid::Solid;
use crate::math::Vec3;
use crate::math::elementary::sin_cos;

/// Cosine of the angle between the lowest point of a circle and the place where it is looked for from which it strays.
const STRAYING: f64 = 0.2;

/// Gap, point, and the normal out of the second of two elements.
struct Touch<V: Arrow> {
    gap: V::Number,
    point: V,
    normal: V,
}

impl PlacedPair<'_> {
    /// Gap, point and normal of two elements of which one is round; `None` where they are not of these bodies, or where
    /// no normal is defined.
    pub(in crate::geometry) fn round_contact(&self, first: Element, second: Element) -> Option<ContactGeometry> {
        let Touch { gap, point, normal } = self.elements::<Vec3>(first, second)?;
        normal.iter().all(|x| x.is_finite()).then_some(ContactGeometry { gap, point, normal })
    }

    /// Derivatives of `round_contact`.
    pub(in crate::geometry) fn round_derivative(&self, first: Element, second: Element) -> Option<ContactDerivative> {
        let Touch { gap, point, normal } = self.elements::<Carried>(first, second)?;
        Some(ContactDerivative { dgap: gap.d, dpoint: point.d, dnormal: normal.d })
    }

    /// Whether the lowest point of a rim on a plane is no longer near where it was looked for: the other point where the
    /// circle runs level may be taken for it.
    pub fn strays(&self, feature: &Feature) -> bool {
        let (pieces, feature) = self.of_pieces(feature);
        let Feature::Round { first, second } = feature else { return false };
        pieces.strayed(Side::First, first, second).or(pieces.strayed(Side::Second, second, first)).unwrap_or(false)
    }

    fn strayed(&self, owner: Side, rim: Element, on: Element) -> Option<bool> {
        let Element::Rim { start, .. } = rim else { return None };
        let (circle, n) = self.flat_of_rim(owner, rim, on)?;
        let lowest = -n.across(circle.axis);
        Some(lowest.dot(circle.spoke_and_tangent(start.angle()).0) < STRAYING * lowest.norm())
    }

    /// How long (s) the lowest point of a rim on a flat takes to run around by an angle, while the first body turns with a
    /// spin against the second. With m the part of the axis across the flat's normal, which points away from the lowest point,
    /// and m' = (±spin × axis) across the normal,
    ///
    /// ```text
    /// angle(m, m + m'·x) = angle   ⇒   x = |m|·sin/(|m'_across|·cos − m'_along·sin)                  (8)
    /// ```
    pub fn run_time(&self, feature: &Feature, spin: &Vec3, angle: f64) -> f64 {
        let (pieces, feature) = self.of_pieces(feature);
        let Feature::Round { first, second } = feature else { return f64::INFINITY };
        let on = |owner, rim, flat| pieces.flat_of_rim(owner, rim, flat);
        let found = on(Side::First, first, second).or_else(|| on(Side::Second, second, first));
        let Some((circle, n)) = found else { return f64::INFINITY };
        let (m, rate) = (circle.axis.across(n), spin.cross(&circle.axis).across(n));
        let length = m.norm();
        let along = rate.dot(m) / length;
        let (sin, cos) = sin_cos(angle);
        let denominator = (rate - m * (along / length)).norm() * cos - along * sin;
        if denominator > 0.0 { length * sin / denominator } else { f64::INFINITY }
    }

    /// The circle of a rim and the normal of what it lies on, where that is flat.
    pub(super) fn flat_of_rim(&self, owner: Side, rim: Element, on: Element) -> Option<(Circle<Vec3>, Vec3)> {
        let Element::Rim { cap, .. } = rim else { return None };
        let n = match on {
            Element::Face(face) => self.convex(owner.other())?.face(face).0,
            Element::Plane => self.second_plane()?,
            _ => return None,
        };
        Some((Circle::<Vec3>::new(&self.convex(owner)?, owner, cap)?, n))
    }

    /// The normal of a half-space in the second place.
    fn second_plane(&self) -> Option<Vec3> {
        let (Solid::HalfSpace(normal), pose) = self.second else { return None };
        Some(pose.turn * normal)
    }

    fn elements<V: Arrow>(&self, first: Element, second: Element) -> Option<Touch<V>> {
        let (owner, touch) = match (first, second) {
            (Element::Rim { cap, start, .. }, on) => (Side::First, self.circle_on::<V>(Side::First, cap, start, on)?),
            (on, Element::Rim { cap, start, .. }) => (Side::Second, self.circle_on::<V>(Side::Second, cap, start, on)?),
            (Element::Side(_), on) => (Side::First, self.side_on::<V>(Side::First, first, on)?),
            (on, Element::Side(_)) => (Side::Second, self.side_on::<V>(Side::Second, second, on)?),
            _ => return None,
        };
        Some(Touch { normal: touch.normal.by(owner.other().outward_sign()), ..touch })
    }

    /// (1)–(5)
    fn circle_on<V: Arrow>(&self, owner: Side, cap: u32, start: Start, on: Element) -> Option<Touch<V>> {
        let body = self.convex(owner)?;
        let circle = Circle::<V>::new(&body, owner, cap)?;
        match on {
            Element::Plane | Element::Face(_) => self.circle_on_plane(owner, &circle, start, on),
            Element::Vertex(vertex) => {
                let other = self.convex(owner.other())?;
                let v = V::point(owner.other(), other.pose, other.vertex(vertex));
                let spoke = v.minus(circle.center).across(circle.axis).normalized();
                let point = circle.center.plus(spoke.scaled(circle.radius));
                let d = point.minus(v);
                let gap = d.length().minus(V::Number::of_body(owner.other(), other.radius));
                Some(Touch { gap, point, normal: d.normalized() })
            }
            Element::Edge(_) | Element::Side(_) => self.circle_on_ruled(owner, cap, start, on),
            Element::Rim { cap: other_cap, start: other_start, .. } => {
                self.circle_on_circle(owner, [cap, other_cap], [start, other_start])
            }
            Element::Egg(_) => None,
        }
    }

    /// (1)
    fn circle_on_plane<V: Arrow>(
        &self,
        owner: Side,
        circle: &Circle<V>,
        start: Start,
        on: Element,
    ) -> Option<Touch<V>> {
        let other = owner.other();
        let (n, foot, height) = match on {
            Element::Face(face) => {
                let holder = self.convex(other)?;
                let (n, offset) = holder.face(face);
                let foot = V::point(other, holder.pose, holder.pose.position);
                (V::direction(other, n), foot, V::Number::of_body(other, offset + holder.radius))
            }
            _ => {
                let (Solid::HalfSpace(normal), pose) = self.second else { return None };
                let foot = V::point(other, pose, pose.position);
                (V::direction(other, pose.turn * normal), foot, V::Number::constant(0.0))
            }
        };
        // Twice: nearly level, rounding leaves a part along the axis that counts beside so short a rest.
        let across = n.across(circle.axis).across(circle.axis);
        // Of the two points where the circle runs level, the one on the side of the start.
        let (cos, sin) = start.angle().cos_sin();
        let side = across.value().dot(circle.x.value() * cos + circle.y.value() * sin);
        let spoke = across.normalized().by(if side > 0.0 { 1.0 } else { -1.0 });
        let point = circle.center.plus(spoke.scaled(circle.radius));
        Some(Touch { gap: n.dot(point.minus(foot)).minus(height), point, normal: n })
    }

    /// (3), (4)
    fn circle_on_ruled<V: Arrow>(&self, owner: Side, cap: u32, start: Start, on: Element) -> Option<Touch<V>> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let plain = (Circle::<Vec3>::new(&body, owner, cap)?, Ruled::<Vec3>::new(&other, owner.other(), on)?);
        let angle = angle_on_ruled(&plain.0, &plain.1, start.angle())?;
        let (circle, ruled) = (Circle::<V>::new(&body, owner, cap)?, Ruled::<V>::new(&other, owner.other(), on)?);
        // The equation for the angle, at this angle for all places.
        let (e, tangent) = circle.frame(V::Number::constant(angle));
        let p = circle.center.plus(e.scaled(circle.radius));
        let f = if ruled.is_line() {
            p.minus(ruled.base).across(ruled.axis).dot(tangent)
        } else {
            ruled.normal_towards(p).dot(tangent)
        };
        let (_, slope) = slope_on_ruled(&plain.0, &plain.1, angle);
        let (e, tangent) = circle.frame(V::Number::solution(angle, f, slope));
        let point = circle.center.plus(e.scaled(circle.radius));
        if !ruled.is_line() {
            let normal = ruled.normal_towards(point);
            return Some(Touch { gap: ruled.height(normal, point), point, normal });
        }
        let product = tangent.cross(ruled.axis);
        let Element::Edge(edge) = on else { return None };
        let outward = other.pose.turn * other.core.outward_at_edge(edge) - body.outward_at_rim(cap, e.value())?;
        let normal = product.normalized().by(if product.value().dot(outward) < 0.0 { -1.0 } else { 1.0 });
        Some(Touch { gap: normal.dot(point.minus(ruled.base)), point, normal })
    }

    /// (5)
    fn circle_on_circle<V: Arrow>(&self, owner: Side, caps: [u32; 2], starts: [Start; 2]) -> Option<Touch<V>> {
        let sides = [owner, owner.other()];
        let bodies = [self.convex(sides[0])?, self.convex(sides[1])?];
        let plain =
            [Circle::<Vec3>::new(&bodies[0], sides[0], caps[0])?, Circle::<Vec3>::new(&bodies[1], sides[1], caps[1])?];
        let circles = [&plain[0], &plain[1]];
        let angles = angles_on_circle(circles, starts.map(Start::angle))?;
        let (_, slopes) = slopes_on_circle(circles, angles);
        let circles =
            [Circle::<V>::new(&bodies[0], sides[0], caps[0])?, Circle::<V>::new(&bodies[1], sides[1], caps[1])?];
        let frames = [0, 1].map(|k| circles[k].frame(V::Number::constant(angles[k])));
        let point = |k: usize, e: V| circles[k].center.plus(e.scaled(circles[k].radius));
        let d = point(0, frames[0].0).minus(point(1, frames[1].0));
        let f = [d.dot(frames[0].1), d.dot(frames[1].1).by(-1.0)];
        let solved = V::Number::solutions(angles, f, slopes);
        let [(e, tangent), (other_e, other_tangent)] = [0, 1].map(|k| circles[k].frame(solved[k]));
        let product = tangent.cross(other_tangent);
        let outward =
            bodies[1].outward_at_rim(caps[1], other_e.value())? - bodies[0].outward_at_rim(caps[0], e.value())?;
        let normal = product.normalized().by(if product.value().dot(outward) < 0.0 { -1.0 } else { 1.0 });
        let gap = normal.dot(point(0, e).minus(point(1, other_e)));
        Some(Touch { gap, point: point(0, e).minus(normal.scaled(gap.by(0.5))), normal })
    }

    /// (6), (7)
    fn side_on<V: Arrow>(&self, owner: Side, side: Element, on: Element) -> Option<Touch<V>> {
        let (body, other) = (self.convex(owner)?, self.convex(owner.other())?);
        let ruled = Ruled::<V>::new(&body, owner, side)?;
        if let Element::Vertex(vertex) = on {
            let v = V::point(owner.other(), other.pose, other.vertex(vertex));
            let rounding = V::Number::of_body(owner.other(), other.radius);
            let n = ruled.normal_towards(v);
            let gap = ruled.height(n, v).minus(rounding);
            return Some(Touch { gap, point: v.minus(n.scaled(rounding)), normal: n.by(-1.0) });
        }
        let holder = Ruled::<V>::new(&other, owner.other(), on)?;
        let normal = normal_of_sides(&ruled, &holder)?;
        let ((begin, along), (other_begin, other_along)) = (ruled.line(normal.by(-1.0)), holder.line(normal));
        let across = normal.cross(along);
        let t = begin.minus(other_begin).dot(across).over(other_along.dot(across));
        let point = other_begin.plus(other_along.scaled(t));
        let gap = normal
            .dot(ruled.base.minus(holder.base))
            .minus(ruled.radius.by(ruled.flat))
            .minus(holder.radius.by(holder.flat));
        let shared = if matches!(on, Element::Side(_)) { point.plus(normal.scaled(gap.by(0.5))) } else { point };
        Some(Touch { gap, point: shared, normal })
    }
}

/// (7), out of the second. With k = a·b and D = 1 − k²:
///
/// ```text
/// n = α·a + β·b + γ·(a × b),   α = −(s_a + k·s_b)/D,   β = (s_b + k·s_a)/D,   γ²·D = 1 − α² − 2k·α·β − β²
/// ```
///
/// Of the two planes that touch both, the one that separates them more has the gap: γ has the sign of (a × b)·(a₀ − b₀).
fn normal_of_sides<V: Arrow>(first: &Ruled<V>, second: &Ruled<V>) -> Option<V> {
    let (a, b, product) = (first.axis, second.axis, first.axis.cross(second.axis));
    let k = a.dot(b);
    let d = V::Number::constant(1.0).minus(k.times(k));
    if d.value() < PARALLEL * PARALLEL {
        return None;
    }
    let [s, other_s] = [first.slope, second.slope].map(V::Number::constant);
    let alpha = s.plus(k.times(other_s)).over(d).by(-1.0);
    let beta = other_s.plus(k.times(s)).over(d);
    let flat = a.scaled(alpha).plus(b.scaled(beta));
    let gamma = V::Number::constant(1.0).minus(flat.dot(flat)).over(d);
    if gamma.value() <= 0.0 {
        return None;
    }
    let up = product.value().dot(first.base.value() - second.base.value());
    Some(flat.plus(product.scaled(gamma.root().by(if up < 0.0 { -1.0 } else { 1.0 }))))
}

impl Placed<'_> {
    /// A vector pointing out of the body at a rim, not of unit length: the normals of cap and side together.
    fn outward_at_rim(&self, cap: u32, spoke: Vec3) -> Option<Vec3> {
        let round = self.core.as_round()?;
        let (slope, flat) = round.slope();
        Some(self.face(cap).0 + self.pose.turn * round.axis * slope + spoke * flat)
    }
}
