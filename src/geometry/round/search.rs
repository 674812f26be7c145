//! Which point of a circle is nearest to a straight line, a cone or another circle: guarded Newton steps.
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
//! (1) stays regular where the circle meets the line, as signed distances do.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use super::contact::{Circle, Ruled};
use crate::geometry::feature::Start;
use crate::math::Vec3;

/// Cosine and sine of the angles between which the parts of a circle lie.
static BORDERS: LazyLock<[(f64, f64); Start::COUNT as usize]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let (sin, cos) = (k as f64 * TAU / f64::from(Start::COUNT)).sin_cos();
        (cos, sin)
    })
});
/// Longest step, rad.
const LONGEST: f64 = 0.3;
const MAX_STEPS: usize = 60;
/// Steps this short (rad) leave quadratic convergence one more to take.
const LAST: f64 = 1e-9;

/// f and f' of (1) or (2).
pub(super) fn slope_on_ruled(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>, angle: f64) -> (f64, f64) {
    slope_at(circle, ruled, circle.spoke_and_tangent(angle))
}

fn slope_at(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>, (e, tangent): (Vec3, Vec3)) -> (f64, f64) {
    let w = (circle.center + e * circle.radius - ruled.base).across_axis(&ruled.axis);
    let across = 1.0 - ruled.axis.dot(&tangent).powi(2);
    if ruled.is_line() {
        return (w.dot(&tangent), circle.radius * across - w.dot(&e));
    }
    let distance = w.norm();
    let unit = w / distance;
    let n = ruled.axis * ruled.slope + unit * ruled.flat;
    let turning = across - unit.dot(&tangent).powi(2);
    (n.dot(&tangent), ruled.flat * circle.radius * turning / distance - n.dot(&e))
}

/// The angle of a minimum of (1) or (2): the first one downhill from a start.
pub(super) fn angle_on_ruled(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>, start: f64) -> Option<f64> {
    const PART: f64 = TAU / Start::COUNT as f64;
    let f = |angle: f64| slope_on_ruled(circle, ruled, angle).0;
    let (mut low, mut high);
    if f(start) > 0.0 {
        low = (1..=Start::COUNT).map(|k| start - f64::from(k) * PART).find(|&angle| f(angle) <= 0.0)?;
        high = low + PART;
    } else {
        high = (1..=Start::COUNT).map(|k| start + f64::from(k) * PART).find(|&angle| f(angle) > 0.0)?;
        low = high - PART;
    }
    // Newton's steps within a bracket that they narrow, else its middle.
    let mut angle = 0.5 * (low + high);
    for _ in 0..MAX_STEPS {
        let (f, slope) = slope_on_ruled(circle, ruled, angle);
        if f > 0.0 {
            high = angle
        } else {
            low = angle
        }
        let next = angle - f / slope;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        let step = next - angle;
        angle = next;
        if step.abs() < LAST {
            let (f, slope) = slope_on_ruled(circle, ruled, angle);
            return (slope > 0.0).then_some(angle - f / slope).filter(|angle| angle.is_finite());
        }
    }
    None
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

/// The angles of a minimum of (3) near a start.
pub(super) fn angles_on_circle(circles: [&Circle<Vec3>; 2], start: [f64; 2]) -> Option<[f64; 2]> {
    let mut angles = start;
    for _ in 0..MAX_STEPS {
        let (f, [[a, b], [c, d]]) = slopes_on_circle(circles, angles);
        let det = a * d - b * c;
        let newton = [(b * f[1] - d * f[0]) / det, (c * f[0] - a * f[1]) / det];
        // The matrix is symmetric in arc lengths: positive where both of these are.
        let step = if a > 0.0 && det > 0.0 { newton } else { [0, 1].map(|k| -f[k] / circles[k].radius) };
        let longest = step[0].abs().max(step[1].abs());
        let part = if longest > LONGEST { LONGEST / longest } else { 1.0 };
        angles = [0, 1].map(|k| angles[k] + part * step[k]);
        if longest < LAST {
            let regular = a > 0.0 && det > 1e-12 * circles[0].radius * circles[1].radius;
            return regular.then_some(angles).filter(|angles| angles.iter().all(|angle| angle.is_finite()));
        }
    }
    None
}

/// Angles at which the distance of a circle from a line or a side has a minimum: one or two.
pub(super) fn minima_on_ruled(circle: &Circle<Vec3>, ruled: &Ruled<Vec3>) -> [Option<f64>; 2] {
    let mut found = [None; 2];
    let slopes: [f64; Start::COUNT as usize] =
        std::array::from_fn(|k| slope_at(circle, ruled, circle.spoke_and_tangent_at(BORDERS[k])).0);
    for k in 0..slopes.len() {
        // It falls, then rises.
        if slopes[k] <= 0.0 && slopes[(k + 1) % slopes.len()] > 0.0 {
            let angle = angle_on_ruled(circle, ruled, Start(k as u8).angle());
            if let Some(free) = found.iter_mut().find(|place| place.is_none()) {
                *free = angle;
            }
        }
    }
    found
}

trait Across {
    fn across_axis(self, axis: &Vec3) -> Vec3;
}

impl Across for Vec3 {
    fn across_axis(self, axis: &Vec3) -> Vec3 {
        self - axis * axis.dot(&self)
    }
}
