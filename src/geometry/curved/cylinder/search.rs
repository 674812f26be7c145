//! Which point of a circle is nearest to a straight line, a cone or another circle.
//!
//! The circle is p(θ) = c + r·e(θ) with the unit tangent τ, τ' = −e. What is sought is a minimum over θ of
//!
//! ```text
//! line           ½|w|²,  w = p − b across the line               f = w·τ                            (1)
//!                                                                f' = r·|τ across|² − w·e
//! side           n·(p − b),  n = s·a + c·w/|w|                    f = n·τ                            (2)
//!                                                                f' = c·r·(|τ across|² − (w·τ)²/|w|²)/|w| − n·e
//! circle         ½|d|²,  d = p₁ − p₂                              f = (d·τ₁, −d·τ₂)                   (3)
//!                f' = ( r₁ − d·e₁   −r₂·τ₁·τ₂ ;  −r₁·τ₁·τ₂   r₂ + d·e₂ )
//! ```
//!
//! (1) stays regular where the circle meets the line, as signed distances do. The point of the second circle that is nearest to
//! p₁ is known, which leaves one equation of (3) in θ₁, of the smaller circle, with the slope det f'/f'₂₂. A minimum is where f rises through
//! zero. A circle and what it is nearly tangent to have two close to each other: f is sampled with its slope, which shows
//! where it may come to zero between samples and go back.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use super::elements::{Circle, Ruled};
use crate::math::Vec3;
use crate::math::elementary::{powi, sin_cos, square};

/// Parts of a circle at whose borders f is sampled.
const PARTS: usize = 16;
const PART: f64 = TAU / PARTS as f64;
/// Cosine and sine of the angles of these borders.
static BORDERS: LazyLock<[(f64, f64); PARTS]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let (sin, cos) = sin_cos(k as f64 * PART);
        (cos, sin)
    })
});
/// The first step away from a start, rad: longer than what a start is off, shorter than between two minima.
const FIRST: f64 = TAU / 1024.0;
const MAX_STEPS: usize = 60;
/// Steps this short (rad) leave quadratic convergence one more to take.
const LAST: f64 = 1e-9;
/// Parts narrower than this (rad) are not halved, nor more of them than this in one search.
const FINEST: f64 = 1e-3;
const MAX_HALVINGS: usize = 64;
/// Most minima of one circle.
const MINIMA: usize = 4;

/// f and f' of (1) or (2).
pub(super) fn slope_on_ruled(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>, angle: f64) -> (f64, f64) {
    slope_at(circle, ruled, circle.spoke_and_tangent(angle))
}

fn slope_at(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>, (e, tangent): (Vec3, Vec3)) -> (f64, f64) {
    let w = (circle.center + e * circle.radius - ruled.base).across_axis(&ruled.axis);
    let across = 1.0 - square(ruled.axis.dot(&tangent));
    if ruled.is_line() {
        return (w.dot(&tangent), circle.radius * across - w.dot(&e));
    }
    let distance = w.norm();
    let unit = w / distance;
    let n = ruled.axis * ruled.slope + unit * ruled.flat;
    let turning = across - square(unit.dot(&tangent));
    (n.dot(&tangent), ruled.flat * circle.radius * turning / distance - n.dot(&e))
}

/// The angle of a minimum of (1) or (2): the first one downhill from a start.
pub(super) fn angle_on_ruled(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>, start: f64) -> Option<f64> {
    minimum_from(|angle| slope_on_ruled(circle, ruled, angle), start)
}

/// Angles at which the distance of a circle from a line or a side has a minimum: one or two.
pub(super) fn minima_on_ruled(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>) -> [Option<f64>; MINIMA] {
    minima(
        |angle| slope_on_ruled(circle, ruled, angle),
        |border| slope_at(circle, ruled, circle.spoke_and_tangent_at(border)),
    )
}

/// f and f' of (3).
pub(super) fn slopes_on_circle(circles: [&Circle<Vec3>; 2], angles: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
    let [(e, tangent), (other_e, other_tangent)] = [0, 1].map(|k| circles[k].spoke_and_tangent(angles[k]));
    let [r, other_r] = circles.map(|circle| circle.radius);
    let d = circles[0].center + e * r - circles[1].center - other_e * other_r;
    let along = tangent.dot(&other_tangent);
    let f = [d.dot(&tangent), -d.dot(&other_tangent)];
    (f, [[r - d.dot(&e), -other_r * along], [-r * along, other_r + d.dot(&other_e)]])
}

/// f and f' of (3) in the first angle alone, the second being that of the nearest point.
fn slope_on_circle(circles: [&Circle<Vec3>; 2], (e, tangent): (Vec3, Vec3)) -> (f64, f64) {
    let [first, second] = circles;
    let p = first.center + e * first.radius;
    let across = (p - second.center).across_axis(&second.axis);
    let other_e = across / across.norm();
    let d = p - second.center - other_e * second.radius;
    // τ₁·τ₂, with τ₂ = a₂ × e₂.
    let along = second.axis.cross(&other_e).dot(&tangent);
    let turning = second.radius * first.radius * along * along / (second.radius + d.dot(&other_e));
    (d.dot(&tangent), first.radius - d.dot(&e) - turning)
}

/// The angles of a minimum of (3): the first one downhill from a start on the smaller circle.
pub(super) fn angles_on_circle(circles: [&Circle<Vec3>; 2], starts: [f64; 2]) -> Option<[f64; 2]> {
    let small = smaller(circles);
    let ordered = [circles[small], circles[1 - small]];
    let slope = |angle: f64| slope_on_circle(ordered, ordered[0].spoke_and_tangent(angle));
    both_angles(circles, small, minimum_from(slope, starts[small])?)
}

/// Angles at which the distance of two circles has a minimum.
pub(super) fn minima_on_circle(circles: [&Circle<Vec3>; 2]) -> [Option<[f64; 2]>; MINIMA] {
    let small = smaller(circles);
    let ordered = [circles[small], circles[1 - small]];
    let found = minima(
        |angle| slope_on_circle(ordered, ordered[0].spoke_and_tangent(angle)),
        |border| slope_on_circle(ordered, ordered[0].spoke_and_tangent_at(border)),
    );
    found.map(|angle| both_angles(circles, small, angle?))
}

/// The smaller of two circles: the distance from the other changes slowly along it.
fn smaller(circles: [&Circle<Vec3>; 2]) -> usize {
    usize::from(circles[1].radius < circles[0].radius)
}

/// An angle on one circle with that of the nearest point of the other; none where tangents are parallel.
fn both_angles(circles: [&Circle<Vec3>; 2], known: usize, angle: f64) -> Option<[f64; 2]> {
    let (circle, other) = (circles[known], circles[1 - known]);
    let (e, _) = circle.spoke_and_tangent(angle);
    let mut angles = [angle; 2];
    angles[1 - known] = other.angle_of(&(circle.center + e * circle.radius - other.center));
    let (_, [[a, b], [c, d]]) = slopes_on_circle(circles, angles);
    let regular = a > 0.0 && a * d - b * c > 1e-12 * circle.radius * other.radius;
    regular.then_some(angles)
}

/// The first minimum downhill from a start.
fn minimum_from(slope: impl Fn(f64) -> (f64, f64), start: f64) -> Option<f64> {
    let (f, at_start) = slope(start);
    let way = if f > 0.0 { -1.0 } else { 1.0 };
    let (mut angle, mut step) = (start, FIRST);
    while (angle - start).abs() < TAU {
        let next = angle + way * step;
        if (slope(next).0 > 0.0) != (f > 0.0) {
            let bracket = if way > 0.0 { [angle, next] } else { [next, angle] };
            return minimum_between(&slope, bracket, start - f / at_start);
        }
        (angle, step) = (next, (2.0 * step).min(PART));
    }
    None
}

/// The minimum in a bracket: Newton's steps within it, that narrow it, else its middle.
fn minimum_between(slope: &impl Fn(f64) -> (f64, f64), [mut low, mut high]: [f64; 2], guess: f64) -> Option<f64> {
    let mut angle = if guess > low && guess < high { guess } else { 0.5 * (low + high) };
    for _ in 0..MAX_STEPS {
        let (f, at) = slope(angle);
        if f > 0.0 {
            high = angle
        } else {
            low = angle
        }
        let next = angle - f / at;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        let step = next - angle;
        angle = next;
        if step.abs() < LAST {
            let (f, at) = slope(angle);
            return (at > 0.0).then_some(angle - f / at).filter(|angle| angle.is_finite());
        }
    }
    None
}

/// f and f' at an angle.
#[derive(Clone, Copy)]
struct Sample {
    angle: f64,
    f: f64,
    slope: f64,
}

impl Sample {
    fn new(angle: f64, (f, slope): (f64, f64)) -> Self {
        Sample { angle, f, slope }
    }
}

/// A search for all minima. Between two samples f is near the cubic with the same values and slopes: with h between them
///
/// ```text
/// |f − cubic| ≤ h⁴/384·max|f''''|,     |f' − cubic'| ≤ √3·h³/216·max|f''''|                           (4)
/// ```
///
/// and a cubic and its slope stay within what their Bézier points span. A part in which neither f nor f' is thus known to
/// keep its sign is halved.
struct Hunt<F: Fn(f64) -> (f64, f64)> {
    slope: F,
    /// About max|f''''|: f is made of sines of the angle and of its double.
    bend: f64,
    /// Parts that may still be halved: f can be zero all around, for a line along the axis.
    halvings: usize,
    found: [Option<f64>; MINIMA],
}

impl<F: Fn(f64) -> (f64, f64)> Hunt<F> {
    fn part(&mut self, low: Sample, high: Sample) {
        let h = high.angle - low.angle;
        let inner = [low.f + low.slope * h / 3.0, high.f - high.slope * h / 3.0];
        let slopes = [low.slope, 3.0 * (inner[1] - inner[0]) / h, high.slope];
        // (4)
        let (error, slope_error) = (self.bend * powi(h, 4) / 384.0, self.bend * powi(h, 3) / 125.0);
        if keep_sign(&[low.f, inner[0], inner[1], high.f], error) {
            return;
        }
        if keep_sign(&slopes, slope_error) || self.halvings == 0 || h < FINEST {
            if low.f <= 0.0 && high.f > 0.0 {
                self.add([low.angle, high.angle]);
            }
            return;
        }
        self.halvings -= 1;
        let angle = 0.5 * (low.angle + high.angle);
        let middle = Sample::new(angle, (self.slope)(angle));
        self.part(low, middle);
        self.part(middle, high);
    }

    fn add(&mut self, bracket: [f64; 2]) {
        let angle = minimum_between(&self.slope, bracket, f64::NAN);
        if let (Some(_), Some(free)) = (angle, self.found.iter_mut().find(|place| place.is_none())) {
            *free = angle;
        }
    }
}

fn keep_sign(values: &[f64], error: f64) -> bool {
    values.iter().all(|value| *value > error) || values.iter().all(|value| *value < -error)
}

/// All minima, from samples at the borders of the parts.
fn minima(slope: impl Fn(f64) -> (f64, f64), at_border: impl Fn((f64, f64)) -> (f64, f64)) -> [Option<f64>; MINIMA] {
    let samples: [(f64, f64); PARTS] = std::array::from_fn(|k| at_border(BORDERS[k]));
    let largest = samples.iter().fold(0.0, |largest: f64, sample| largest.max(sample.0.abs()));
    let mut hunt = Hunt { slope, bend: 16.0 * largest, halvings: MAX_HALVINGS, found: [None; MINIMA] };
    for k in 0..PARTS {
        let [low, high] = [k, k + 1].map(|border| Sample::new(border as f64 * PART, samples[border % PARTS]));
        hunt.part(low, high);
    }
    hunt.found
}

trait Across {
    fn across_axis(self, axis: &Vec3) -> Vec3;
}

impl Across for Vec3 {
    fn across_axis(self, axis: &Vec3) -> Vec3 {
        self - axis * axis.dot(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::separation::tests::noise;

    fn circle(center: Vec3, axis: Vec3, radius: f64) -> Circle<Vec3> {
        let x = axis.cross(&Vec3::new(0.3, -0.5, 0.8)).normalize();
        Circle { center, x, y: axis.cross(&x), axis, radius }
    }

    /// Minima of f sampled finely: where it rises through zero.
    fn sampled(slope: impl Fn(f64) -> f64) -> Vec<f64> {
        let angle = |k: usize| k as f64 * TAU / 20_000.0;
        (0..20_000).filter(|&k| slope(angle(k)) <= 0.0 && slope(angle(k + 1)) > 0.0).map(angle).collect()
    }

    #[track_caller]
    fn check(seed: u64, found: &[Option<f64>], sampled: &[f64]) {
        let found: Vec<f64> = found.iter().flatten().map(|angle| angle.rem_euclid(TAU)).collect();
        assert_eq!(found.len(), sampled.len(), "seed {seed}: {found:?} instead of {sampled:?}");
        for angle in sampled {
            let near = |other: &&f64| ((**other - angle + 1.0).rem_euclid(TAU) - 1.0).abs() < 1e-3;
            assert!(found.iter().any(|other| near(&other)), "seed {seed}: {found:?} instead of {sampled:?}");
        }
    }

    /// A line that crosses a small part of a circle, in its plane or nearly so, is near it twice.
    #[test]
    fn a_line_across_a_sliver_of_a_circle_has_two_minima() {
        for seed in 0..300 {
            let mut next = noise(seed);
            let axis = Vec3::new(next(), next(), next()).normalize();
            let rim = circle(Vec3::new(next(), next(), next()), axis, 0.2);
            let (e, tangent) = rim.spoke_and_tangent(3.0 * next());
            let beyond = 1e-4 + 0.01 * next().abs();
            let base = rim.center + e * (rim.radius * (1.0 - beyond)) + axis * (1e-6 * next());
            let along = (tangent + axis * (1e-4 * next())).normalize();
            let line = Ruled { base, axis: along, slope: 0.0, flat: 1.0, radius: 0.0, length: 1.0 };
            let found = minima_on_ruled(&rim, &line);
            check(seed, &found, &sampled(|angle| slope_on_ruled(&rim, &line, angle).0));
            assert_eq!(found.iter().flatten().count(), 2, "seed {seed}");
        }
    }

    #[test]
    fn circles_that_cross_twice_nearby_have_two_minima() {
        for seed in 0..300 {
            let mut next = noise(seed);
            let axis = Vec3::new(next(), next(), next()).normalize();
            let rim = circle(Vec3::new(next(), next(), next()), axis, 0.2);
            let (e, tangent) = rim.spoke_and_tangent(3.0 * next());
            let other_axis = (axis + tangent * (0.02 * next()) + e * next()).normalize();
            let inward = tangent.cross(&other_axis).normalize();
            let radius = 0.04;
            let beyond = 1e-4 + 1e-2 * next().abs();
            let outward = if inward.dot(&e) > 0.0 { inward } else { -inward };
            let center = rim.center + e * rim.radius + outward * (radius * (1.0 - beyond));
            let other = circle(center, other_axis, radius);
            let circles = [&rim, &other];
            let found = minima_on_circle(circles).map(|angles| angles.map(|angles| angles[0]));
            let slope = |angle: f64| slope_on_circle(circles, rim.spoke_and_tangent(angle)).0;
            check(seed, &found, &sampled(slope));
            let swapped = minima_on_circle([&other, &rim]).map(|angles| angles.map(|angles| angles[1]));
            check(seed, &swapped, &sampled(slope));
        }
    }

    /// The slope of the equation in one angle is that of its differences.
    #[test]
    fn the_slope_of_two_circles_in_one_angle_is_that_of_differences() {
        for seed in 0..50 {
            let mut next = noise(seed);
            let mut any = || Vec3::new(next(), next(), next());
            let circles = [circle(any(), any().normalize(), 0.3), circle(any(), any().normalize(), 0.8)];
            let slope = |angle: f64| slope_on_circle([&circles[0], &circles[1]], circles[0].spoke_and_tangent(angle));
            let (angle, h) = (seed as f64, 1e-5);
            let numeric = (slope(angle + h).0 - slope(angle - h).0) / (2.0 * h);
            let exact = slope(angle).1;
            assert!((exact - numeric).abs() < 1e-7 * (1.0 + exact.abs()), "seed {seed}: {exact} {numeric}");
        }
    }
}
