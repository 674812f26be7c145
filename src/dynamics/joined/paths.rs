//! Points that slide along a path of the world, or follow it.
//!
//! A point on an ellipse r(s) = c + a·u₁·cos s + b·u₂·sin s of the plane with normal n = u₁ × u₂, seen from the closest place s*:
//!
//! ```text
//! (P − r)·r′ = 0 at s*,       ṡ* = r′·Ṗ/(r′·r′ − (P − r)·r″)                                       (1)
//! N = (b·u₁·cos s + a·u₂·sin s)/√(b²cos² s + a²sin² s)        outwards                              (2)
//! D = N·(P − r),   n·(P − c)       J = (N, p × RᵀN),  (n, p × Rᵀn)                                  (3)
//! ```
//!
//! s* does not enter J of (3), since D is least there. It is looked for all over the path where a flight begins, and followed
//! by (1) from there. A point that follows a path is `rows`' coincidence with a place that moves by itself.

use super::graph::Node;
use super::machine::{Parts, Root};
use super::rows::{Arms, Moving, coincident, in_directions, normals};
use super::sketch::{Sketch, Triple};
use super::track::Course;
use crate::math::Vec3;
use crate::math::elementary::sin_cos;
use crate::scene::JointPath;

/// Places of a path from which the closest one is looked for.
const PROBES: u32 = 64;
/// Newton steps from the best of them: the first is within a tenth of a radian, and each doubles the digits.
const REFINEMENTS: u32 = 8;

/// An ellipse by its half axes and their directions.
#[derive(Clone, Copy)]
struct Ellipse {
    center: Vec3,
    sizes: [f64; 2],
    directions: [Vec3; 2],
}

impl Ellipse {
    fn new(center: &Vec3, axes: &[Vec3; 2]) -> Ellipse {
        let sizes = axes.map(|axis| axis.norm());
        Ellipse { center: *center, sizes, directions: [axes[0] / sizes[0], axes[1] / sizes[1]] }
    }

    /// (P − r)·r′ and its derivative by s.
    fn residual(&self, point: &Vec3, s: f64) -> [f64; 2] {
        let (sine, cosine) = sin_cos(s);
        let [a, b] = self.sizes;
        let p = self.directions.map(|u| u.dot(&(point - self.center)));
        let (slope, bend) = ([-a * sine, b * cosine], [-a * cosine, -b * sine]);
        let off = [p[0] - a * cosine, p[1] - b * sine];
        let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
        [dot(off, slope), dot(off, bend) - dot(slope, slope)]
    }

    fn closest(&self, point: &Vec3) -> f64 {
        let distance = |s: f64| {
            let (sine, cosine) = sin_cos(s);
            let [u, v] = self.directions;
            (point - self.center - u * (self.sizes[0] * cosine) - v * (self.sizes[1] * sine)).norm_squared()
        };
        let probes = (0..PROBES).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(PROBES));
        let start = probes.min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(0.0);
        let step = |s: f64| {
            let [value, slope] = self.residual(point, s);
            // A valley of the distance has a falling residual; elsewhere a probe is as good as can be told.
            if slope < 0.0 { s - value / slope } else { s }
        };
        (0..REFINEMENTS).fold(start, |s, _| step(s))
    }
}

/// A point that slides freely; `place` is where it is when the flight begins.
pub(super) fn on_path(
    sketch: &mut Sketch,
    parts: &mut Parts,
    point: Triple,
    path: &JointPath,
    place: Vec3,
    time_constant: Node,
) {
    match path {
        JointPath::Line { point: origin, direction } => {
            let arms = Arms { first: point, second: still(sketch, origin) };
            in_directions(sketch, parts, &arms, &normals(direction), time_constant);
        }
        JointPath::Ellipse { center, axes } => {
            let ellipse = Ellipse::new(center, axes);
            let arms = Arms { first: point, second: still(sketch, center) };
            around(sketch, parts, &arms, &ellipse, ellipse.closest(&place), time_constant);
            let normal = ellipse.directions[0].cross(&ellipse.directions[1]);
            in_directions(sketch, parts, &arms, &[normal], time_constant);
        }
        // Refused at the door.
        JointPath::Spline { .. } => {}
    }
}

/// (1) to (3), the row in the plane.
fn around(sketch: &mut Sketch, parts: &mut Parts, arms: &Arms, ellipse: &Ellipse, s: f64, time_constant: Node) {
    let place = sketch.graph.input(sketch.scope);
    let wave = sketch.graph.sine_and_cosine(sketch.scope, place);
    let [sine, cosine] = wave.map(Some);
    let [u, v] = ellipse.directions.map(|direction| sketch.constant(&direction));
    let [a, b] = ellipse.sizes;
    let separation = sketch.separation(arms);
    let (p, q) = (sketch.dot(u, separation), sketch.dot(v, separation));
    let (x, y) = (sketch.scaled(a, cosine), sketch.scaled(b, sine));
    let off = [sketch.difference(p, x), sketch.difference(q, y)];
    let slope = [sketch.scaled(-a, sine), sketch.scaled(b, cosine)];
    let product = |sketch: &mut Sketch, l: [super::sketch::Term; 2], r: [super::sketch::Term; 2]| {
        let (first, second) = (sketch.product(l[0], r[0]), sketch.product(l[1], r[1]));
        sketch.sum(first, second)
    };
    let residual = product(sketch, off, slope);
    // −(P − r)·r″ = (P − r)·(r − c) in the plane.
    let (square, bend) = (product(sketch, slope, slope), product(sketch, off, [x, y]));
    let steepness = sketch.sum(square, bend);
    let (Some(residual), Some(steepness)) = (residual, steepness) else { return };
    let along = in_plane(sketch, [u, v], slope);
    let along = sketch.over(along, steepness);
    let gradients = sketch.across(along, arms);
    parts.row(gradients, place, None, None, true);
    parts.root(Root { node: place, start: s, residual, steepness });
    let normal = [sketch.scaled(b, cosine), sketch.scaled(a, sine)];
    let length = product(sketch, normal, normal);
    let Some(length) = length else { return };
    let length = sketch.graph.root(sketch.scope, length);
    let normal = normal.map(|term| term.map(|term| sketch.graph.quotient(sketch.scope, term, length)));
    let value = product(sketch, off, normal);
    let outwards = in_plane(sketch, [u, v], normal);
    let gradients = sketch.across(outwards, arms);
    let value = sketch.node(value);
    parts.row(gradients, value, None, Some(time_constant), false);
}

fn in_plane(sketch: &mut Sketch, [u, v]: [Triple; 2], components: [super::sketch::Term; 2]) -> Triple {
    let (first, second) = (sketch.multiple(components[0], u), sketch.multiple(components[1], v));
    sketch.sums(first, second)
}

/// A point that is where the path is at s(t).
pub(super) fn follow_path(
    sketch: &mut Sketch,
    parts: &mut Parts,
    point: Triple,
    path: &JointPath,
    course: &Course,
    time_constant: Node,
) {
    let [s, rate] = sketch.course(course);
    let place = match path {
        JointPath::Line { point: origin, direction } => {
            let (origin, direction) = (sketch.constant(origin), sketch.constant(direction));
            let moved = sketch.multiple(s, direction);
            Moving { value: sketch.sums(origin, moved), rate: sketch.multiple(rate, direction) }
        }
        JointPath::Ellipse { center, axes } => {
            let s = sketch.node(s);
            let [sine, cosine] = sketch.graph.sine_and_cosine(sketch.scope, s).map(Some);
            let [u, v] = axes.map(|axis| sketch.constant(&axis));
            let center = sketch.constant(center);
            let (spoke, backwards) = (in_plane(sketch, [u, v], [cosine, sine]), sketch.scaled(-1.0, sine));
            let tangent = in_plane(sketch, [u, v], [backwards, cosine]);
            Moving { value: sketch.sums(center, spoke), rate: sketch.multiple(rate, tangent) }
        }
        // Refused at the door.
        JointPath::Spline { .. } => return,
    };
    coincident(sketch, parts, &Arms { first: point, second: place }, time_constant);
}

fn still(sketch: &mut Sketch, place: &Vec3) -> Moving {
    Moving { value: sketch.constant(place), rate: [None; 3] }
}
