//! Gap, contact point and normal where one of the two elements is an egg.
//!
//! With p(d) the farthest point of the egg in a direction and n out of the other element:
//!
//! ```text
//! egg–plane, egg–face    n = the plane's,                  gap = n·p(−n) − its height               (1)
//! egg–edge, egg–side     n on the circle of their normals  gap = n·(p(−n) − b₀) − κ·r₀              (2)
//! egg–vertex, egg–circle, egg–egg    any n                 gap = n·(p(−n) − p_other(n)) − ρ         (3)
//! ```
//!
//! The contact point is p(−n); between two eggs it is in the middle of the gap. The normals of (2) and (3) are maxima that `search` finds; there the slope of the gap
//! vanishes, which is the equation that gives the derivative of the normal. Formulas are written once for values and
//! derivatives (`quantity`).

use super::body::Egg;
use super::search::{Meets, across, free_normal, radii, ruled_bend, ruled_frame};
use crate::geometry::carried::{Carried, ContactDerivative};
use crate::geometry::curved::cylinder::elements::{Circle, Ruled};
use crate::geometry::feature::{Element, Side};
use crate::geometry::placed::{ContactGeometry, PlacedPair};
use crate::geometry::quantity::{Arrow, Quantity};
use crate::geometry::solid::Solid;
use crate::math::Vec3;

/// Gap, point, and the normal from the other element to the egg.
struct Touch<V: Arrow> {
    gap: V::Number,
    point: V,
    normal: V,
}

/// An egg in the world, with what its places and size change.
struct CarriedEgg<V: Arrow> {
    center: V,
    axis: V,
    /// Of the widest circle.
    radius: V::Number,
    tip: V::Number,
    base: V::Number,
}

impl<V: Arrow> CarriedEgg<V> {
    fn new(pair: &PlacedPair, side: Side) -> Option<Self> {
        let body = pair.convex(side)?;
        let egg = body.core.as_egg()?;
        let length = |value: f64| V::Number::of_body(side, value);
        Some(CarriedEgg {
            center: V::point(side, body.pose, body.pose.point(&egg.center)),
            axis: V::direction(side, body.pose.turn * egg.axis),
            radius: length(egg.radius),
            tip: length(egg.tip),
            base: length(egg.base),
        })
    }

    /// p(d).
    fn support(&self, d: V) -> V {
        let along = self.axis.dot(d);
        let l = if along.value() > 0.0 { self.tip } else { self.base };
        let flat = self.radius.times(self.radius);
        let extra = l.times(l).minus(flat);
        let stretched = d.scaled(flat).plus(self.axis.scaled(extra.times(along)));
        let height = d.dot(stretched).root();
        self.center.plus(stretched.scaled(V::Number::constant(1.0).over(height)))
    }
}

/// What the egg meets, with what its places and size change.
enum CarriedMeets<V: Arrow> {
    Point(V),
    Circle(Circle<V>),
    Egg(CarriedEgg<V>),
}

impl<V: Arrow> CarriedMeets<V> {
    fn new(pair: &PlacedPair, side: Side, element: Element) -> Option<Self> {
        let body = pair.convex(side)?;
        Some(match element {
            Element::Vertex(vertex) => CarriedMeets::Point(V::point(side, body.pose, body.vertex(vertex))),
            Element::Rim { cap, .. } => CarriedMeets::Circle(Circle::new(&body, side, cap)?),
            Element::Egg(_) => CarriedMeets::Egg(CarriedEgg::new(pair, side)?),
            Element::Plane | Element::Edge(_) | Element::Face(_) | Element::Side(_) => return None,
        })
    }

    /// p_other(n).
    fn support(&self, n: V) -> V {
        match self {
            CarriedMeets::Point(point) => *point,
            CarriedMeets::Circle(circle) => {
                let spoke = circle.axis.cross(n).normalized().cross(circle.axis);
                circle.center.plus(spoke.scaled(circle.radius))
            }
            CarriedMeets::Egg(egg) => egg.support(n),
        }
    }
}

impl PlacedPair<'_> {
    /// The egg on a side, in the world.
    pub(super) fn egg(&self, side: Side) -> Option<Egg> {
        let body = self.convex(side)?;
        Some(body.core.as_egg()?.placed(body.pose))
    }

    /// The element that an egg meets with a normal in two dimensions.
    pub(super) fn meets(&self, side: Side, element: Element) -> Option<Meets> {
        let body = self.convex(side)?;
        Some(match element {
            Element::Vertex(vertex) => Meets::Point(body.vertex(vertex)),
            Element::Rim { cap, .. } => Meets::Circle(Circle::new(&body, side, cap)?),
            Element::Egg(_) => Meets::Egg(self.egg(side)?),
            Element::Plane | Element::Edge(_) | Element::Face(_) | Element::Side(_) => return None,
        })
    }

    /// Gap, point and normal of two elements of which one is an egg; `None` where they are not of these bodies, or
    /// where no normal is defined.
    pub(in crate::geometry) fn egg_contact(&self, first: Element, second: Element) -> Option<ContactGeometry> {
        let Touch { gap, point, normal } = self.egg_elements::<Vec3>(first, second)?;
        normal.iter().all(|x| x.is_finite()).then_some(ContactGeometry { gap, point, normal })
    }

    /// Derivatives of `egg_contact`.
    pub(in crate::geometry) fn egg_derivative(&self, first: Element, second: Element) -> Option<ContactDerivative> {
        let Touch { gap, point, normal } = self.egg_elements::<Carried>(first, second)?;
        Some(ContactDerivative { dgap: gap.d, dpoint: point.d, dnormal: normal.d })
    }

    fn egg_elements<V: Arrow>(&self, first: Element, second: Element) -> Option<Touch<V>> {
        let (owner, on) = if first.is_egg() { (Side::First, second) } else { (Side::Second, first) };
        let touch = match on {
            Element::Plane | Element::Face(_) => self.egg_on_plane::<V>(owner, on)?,
            Element::Edge(_) | Element::Side(_) => self.egg_on_ruled(owner, on)?,
            Element::Vertex(_) | Element::Rim { .. } | Element::Egg(_) => self.egg_on_any(owner, on)?,
        };
        Some(Touch { normal: touch.normal.by(owner.other().outward_sign()), ..touch })
    }

    /// (1)
    fn egg_on_plane<V: Arrow>(&self, owner: Side, on: Element) -> Option<Touch<V>> {
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
        let point = CarriedEgg::<V>::new(self, owner)?.support(n.by(-1.0));
        Some(Touch { gap: n.dot(point.minus(foot)).minus(height), point, normal: n })
    }

    /// (2)
    fn egg_on_ruled<V: Arrow>(&self, owner: Side, on: Element) -> Option<Touch<V>> {
        let (other, side) = (self.convex(owner.other())?, owner.other());
        let (plain, plain_ruled) = (self.egg(owner)?, Ruled::<Vec3>::new(&other, side, on)?);
        let frame = ruled_frame(&plain, &plain_ruled)?;
        let (egg, ruled) = (CarriedEgg::<V>::new(self, owner)?, Ruled::<V>::new(&other, side, on)?);
        let [e, tangent] = frame.map(|v| V::direction(side, v));
        let normal = |e: V| ruled.axis.by(ruled.slope).plus(e.by(ruled.flat));
        // The equation for the angle, at this angle for all places.
        let d = egg.support(normal(e).by(-1.0)).minus(ruled.base);
        let slope = -ruled_bend(&plain, &plain_ruled, &frame) - e.dot(d).value();
        let angle = V::Number::solution(0.0, tangent.dot(d), slope);
        let n = normal(e.plus(tangent.scaled(angle)));
        let point = egg.support(n.by(-1.0));
        let gap = n.dot(point.minus(ruled.base)).minus(ruled.radius.by(ruled.flat));
        Some(Touch { gap, point, normal: n })
    }

    /// (3)
    fn egg_on_any<V: Arrow>(&self, owner: Side, on: Element) -> Option<Touch<V>> {
        let side = owner.other();
        let (plain, plain_other) = (self.egg(owner)?, self.meets(side, on)?);
        let value = free_normal(&plain, &plain_other, plain_other.start(&plain))?;
        let [s, t] = across(&value);
        let [a, b, c] = radii(&plain, &plain_other, &value, [&s, &t]);
        let (egg, other) = (CarriedEgg::<V>::new(self, owner)?, CarriedMeets::<V>::new(self, side, on)?);
        let [n, s, t] = [value, s, t].map(|v| V::direction(owner, v));
        // The equations for the normal, at this normal for all places.
        let d = egg.support(n.by(-1.0)).minus(other.support(n));
        let f = n.dot(d).value();
        let turned = V::Number::solutions([0.0; 2], [s.dot(d), t.dot(d)], [[-a - f, -b], [-b, -c - f]]);
        let n = n.plus(s.scaled(turned[0])).plus(t.scaled(turned[1]));
        let point = egg.support(n.by(-1.0));
        let rounding = V::Number::of_body(side, self.convex(side)?.radius);
        let gap = n.dot(point.minus(other.support(n))).minus(rounding);
        let shared = if on.is_egg() { point.minus(n.scaled(gap.by(0.5))) } else { point };
        Some(Touch { gap, point: shared, normal: n })
    }
}
