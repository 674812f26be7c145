//! Along which normal an egg and an element of another body are farthest apart: guarded Newton steps.
//!
//! What is sought is a maximum over unit vectors n of f(n) = n·D with D = p_egg(−n) − p_other(n), whose slope is D itself:
//! with n = normalize(n₀ + x·s + y·t) for unit vectors s, t across n₀,
//!
//! ```text
//! any n              f' = (s·D, t·D)      f'' = −( R + f·1 ),    R = p_egg' + p_other' between s and t          (1)
//! on a circle        n(α) = σ·b + κ·e(α), τ = e'(α), D = p_egg(−n) − b₀
//!                    f' = κ·τ·D           f'' = −κ·( κ·τ·p_egg'·τ + e·D )                                      (2)
//! ```
//!
//! R is positive, so that f'' is negative wherever the bodies are apart or overlap by less than the smallest radius
//! of curvature. Extended to all vectors, f is concave: where some f > 0, it has one maximum. Places count from the egg's
//! centre: f must not have the rounding of places far from the world's origin.

use std::f64::consts::PI;

use super::body::Egg;
use crate::geometry::curved::cylinder::elements::{Circle, Ruled};
use crate::geometry::settings::CONE;
use crate::math::Vec3;
use crate::math::elementary::{atan2, cos, hypot, sin};

const MAX_STEPS: usize = 60;
/// Longest step, rad.
const LONGEST: f64 = 0.5;
/// Steps this short (rad) are the last: Newton's next one would be its square.
const LAST: f64 = 1e-8;
/// A step is halved this often at most.
const HALVINGS: usize = 30;
/// Part of the rise that the slope promises which a step must keep.
const RISE: f64 = 1e-4;
/// Rounding of f, as a part of the lengths in it.
const ROUNDING: f64 = 1e-15;
/// Sine of the angle by which a circle's normals lean outward at least where the search begins.
const LEANING: f64 = 0.05;

/// What an egg meets that has normals in two dimensions, in the world.
pub(super) enum Meets {
    /// A vertex; its rounding changes no normal.
    Point(Vec3),
    /// The circle around a cap.
    Circle(Circle<Vec3>),
    /// Another egg.
    Egg(Egg),
}

impl Meets {
    /// The same, its places counted from an origin.
    fn seen_from(&self, origin: &Vec3) -> Self {
        match *self {
            Meets::Point(point) => Meets::Point(point - origin),
            Meets::Circle(circle) => Meets::Circle(Circle { center: circle.center - origin, ..circle }),
            Meets::Egg(egg) => Meets::Egg(egg.seen_from(origin)),
        }
    }

    /// p_other.
    pub fn support(&self, n: &Vec3) -> Vec3 {
        match self {
            Meets::Point(point) => *point,
            Meets::Circle(circle) => circle.center + spoke(circle, n) * circle.radius,
            Meets::Egg(egg) => egg.support(n),
        }
    }

    /// p_other' between s, s; s, t; t, t.
    fn bends(&self, n: &Vec3, [s, t]: [&Vec3; 2]) -> [f64; 3] {
        match self {
            Meets::Point(_) => [0.0; 3],
            Meets::Circle(circle) => {
                // Along the tangent only: the circle's own radius, as seen by a normal that is short across the axis.
                let across = n - circle.axis * circle.axis.dot(n);
                let length = across.norm();
                let tangent = circle.axis.cross(&across) / length;
                let bend = circle.radius / length;
                let (s, t) = (s.dot(&tangent), t.dot(&tangent));
                [bend * s * s, bend * s * t, bend * t * t]
            }
            Meets::Egg(egg) => egg.bends(n, [[s, s], [s, t], [t, t]]),
        }
    }

    /// Where to begin: a normal on the right side.
    pub fn start(&self, egg: &Egg) -> Vec3 {
        let towards = |point: &Vec3| egg.normal_through(point).map(|normal| -normal);
        match self {
            Meets::Point(point) => towards(point),
            Meets::Circle(circle) => {
                let d = egg.center - circle.center;
                let across = d - circle.axis * circle.axis.dot(&d);
                let spoke = across.try_normalize(0.0).unwrap_or(circle.x);
                // A circle's normals lean outward where it touches.
                towards(&(circle.center + spoke * circle.radius)).map(|n| {
                    let outward = spoke.dot(&n);
                    if outward > LEANING { n } else { (n + spoke * (LEANING - outward)).normalize() }
                })
            }
            Meets::Egg(other) => (egg.center - other.center).try_normalize(0.0),
        }
        .unwrap_or(egg.axis)
    }

    /// The vectors s and t of (1); for a circle away from its axis, and around it.
    fn basis(&self, n: &Vec3) -> [Vec3; 2] {
        let Meets::Circle(circle) = self else { return across(n) };
        let around = circle.axis.cross(n).normalize();
        [around.cross(n), around]
    }

    /// n moved by a step along s and t. Normals of a circle move in polar angles and never across its axis, where their
    /// point of the circle would be another.
    fn moved(&self, n: &Vec3, [s, t]: &[Vec3; 2], step: [f64; 2]) -> Vec3 {
        let Meets::Circle(circle) = self else { return (n + s * step[0] + t * step[1]).normalize() };
        let a = circle.axis;
        let (along, beside) = (a.dot(n), a.dot(s).abs());
        let angle = atan2(beside, along);
        let next = (angle + step[0]).clamp(0.1 * angle, PI - 0.1 * (PI - angle));
        let turn = (step[1] / beside).clamp(-LONGEST, LONGEST);
        let spoke = t.cross(&a) * cos(turn) + t * sin(turn);
        a * cos(next) + spoke * sin(next)
    }
}

/// Towards the point of a circle that is foremost along n. Across the axis to the last digit, however near n is to that: a part
/// along it would change f.
fn spoke(circle: &Circle<Vec3>, n: &Vec3) -> Vec3 {
    circle.axis.cross(n).normalize().cross(&circle.axis)
}

/// Two unit vectors across a unit vector.
pub(super) fn across(n: &Vec3) -> [Vec3; 2] {
    let s = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
    [s, n.cross(&s)]
}

/// R of (1), between s, s; s, t; t, t.
pub(super) fn radii(egg: &Egg, other: &Meets, n: &Vec3, [s, t]: [&Vec3; 2]) -> [f64; 3] {
    let (own, others) = (egg.bends(&-n, [[s, s], [s, t], [t, t]]), other.bends(n, [s, t]));
    [own[0] + others[0], own[1] + others[1], own[2] + others[2]]
}

/// D and f.
fn between(egg: &Egg, other: &Meets, n: &Vec3) -> (Vec3, f64) {
    let d = egg.support(&-n) - other.support(n);
    (d, n.dot(&d))
}

/// The normal of the maximum (1) uphill from a start, out of the other element.
pub(super) fn free_normal(egg: &Egg, other: &Meets, start: Vec3) -> Option<Vec3> {
    let mut n = start;
    let (egg, other) = (&egg.seen_from(&egg.center), &other.seen_from(&egg.center));
    let rounding = ROUNDING * (egg.radius + egg.tip + egg.base + (egg.center - other.support(&n)).norm());
    let (mut d, mut f) = between(egg, other, &n);
    for _ in 0..MAX_STEPS {
        let [s, t] = other.basis(&n);
        let slope = [s.dot(&d), t.dot(&d)];
        let [a, b, c] = radii(egg, other, &n, [&s, &t]);
        // Where the bodies overlap more than they bend, f'' has another sign: there any uphill step will do.
        let newton = a + f > 0.0 && (a + f) * (c + f) > b * b;
        let lift = if newton { f } else { f.abs() };
        let det = (a + lift) * (c + lift) - b * b;
        let step = [((c + lift) * slope[0] - b * slope[1]) / det, ((a + lift) * slope[1] - b * slope[0]) / det];
        let length = hypot(step[0], step[1]);
        let promised = slope[0] * step[0] + slope[1] * step[1];
        (n, d, f) = halved(length).find_map(|part| {
            let next = other.moved(&n, &[s, t], step.map(|x| x * part));
            let (next_d, next_f) = between(egg, other, &next);
            (next_f >= f + RISE * part * promised - rounding).then_some((next, next_d, next_f))
        })?;
        if !other.is_regular(&n) {
            return None;
        }
        if length < LAST {
            return newton.then_some(n);
        }
    }
    None
}

/// Parts of a step of this length to try, from the largest allowed.
fn halved(length: f64) -> impl Iterator<Item = f64> {
    let first = if length > LONGEST { LONGEST / length } else { 1.0 };
    (0..HALVINGS).scan(first, |part, _| Some(std::mem::replace(part, 0.5 * *part)))
}

impl Meets {
    fn is_regular(&self, n: &Vec3) -> bool {
        match self {
            Meets::Circle(circle) => circle.axis.cross(n).norm() > CONE,
            Meets::Point(_) | Meets::Egg(_) => n.iter().all(|x| x.is_finite()),
        }
    }
}

/// e and τ of (2) at the maximum over the normals of an edge or a side.
pub(super) fn ruled_frame(egg: &Egg, ruled: &Ruled<Vec3>) -> Option<[Vec3; 2]> {
    let from = egg.center - ruled.base;
    let egg = &egg.seen_from(&ruled.base);
    let w = from - ruled.axis * ruled.axis.dot(&from);
    let mut e = w.try_normalize(0.0).unwrap_or_else(|| across(&ruled.axis)[0]);
    let normal = |e: &Vec3| ruled.axis * ruled.slope + e * ruled.flat;
    let value = |e: &Vec3| {
        let d = egg.support(&-normal(e));
        (d, normal(e).dot(&d))
    };
    let rounding = ROUNDING * (egg.radius + egg.tip + egg.base + from.norm());
    let (mut d, mut f) = value(&e);
    for _ in 0..MAX_STEPS {
        let tangent = ruled.axis.cross(&e);
        let slope = tangent.dot(&d);
        let (bend, lift) = (ruled_bend(egg, ruled, &[e, tangent]), e.dot(&d));
        let newton = bend + lift > 0.0;
        let step = slope / if newton { bend + lift } else { bend + lift.abs() };
        (e, d, f) = halved(step.abs()).find_map(|part| {
            let next = (e + tangent * (step * part)).normalize();
            let (next_d, next_f) = value(&next);
            (next_f >= f + RISE * part * ruled.flat * slope * step - rounding).then_some((next, next_d, next_f))
        })?;
        if step.abs() < LAST {
            return newton.then(|| [e, ruled.axis.cross(&e)]);
        }
    }
    None
}

/// κ·τ·p_egg'·τ of (2).
pub(super) fn ruled_bend(egg: &Egg, ruled: &Ruled<Vec3>, [e, tangent]: &[Vec3; 2]) -> f64 {
    let n = ruled.axis * ruled.slope + e * ruled.flat;
    egg.bends(&-n, [[tangent, tangent]])[0] * ruled.flat
}
