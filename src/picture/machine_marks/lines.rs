//! The curves that marks of joints and forces are made of.
//!
//! ```text
//! coil from P to Q, d = Q − P, n turns of radius r:
//!     P + d·(a + (1 − 2a)·s) + r·h(s)·(u·cos 2πns + v·sin 2πns),    h = min(1, 2ns, 2n(1 − s)),    0 ≤ s ≤ 1     (1)
//! ```
//!
//! u and v are across d, and turn with it as little as they can. The ends are P and Q themselves.

use std::f64::consts::TAU;

use crate::math::elementary::sin_cos;
use crate::math::{Vec3, rotation};
use crate::scene::JointPath;

/// The straight part at each end of a coil.
const LEAD: f64 = 0.06;
/// Points of one turn of a coil: its corners are not seen.
const TURN_POINTS: u32 = 18;
/// Points of a circle.
const CIRCLE_POINTS: u32 = 36;
/// Points of an ellipse, which may fill the picture.
const ELLIPSE_POINTS: u32 = 144;
/// How far a curved arrow goes round, as a part of a turn.
const ROUND: f64 = 0.75;

/// Two directions across a unit vector, at right angles.
pub(crate) fn across(axis: &Vec3) -> [Vec3; 2] {
    match rotation::shortest(&Vec3::z(), axis) {
        Some(turn) => [turn * Vec3::x(), turn * Vec3::y()],
        None => [Vec3::x(), -Vec3::y()],
    }
}

/// (1)
pub(crate) fn coil(from: &Vec3, to: &Vec3, radius: f64, turns: u32) -> Vec<Vec3> {
    let whole = to - from;
    let Some(axis) = whole.try_normalize(0.0) else { return vec![*from, *to] };
    let [u, v] = across(&axis);
    let count = turns * TURN_POINTS;
    let at = |k: u32| {
        let part = f64::from(k) / f64::from(count);
        let done = part * f64::from(turns);
        let (sine, cosine) = sin_cos(done * TAU);
        let height = radius * (2.0 * done).min(2.0 * (f64::from(turns) - done)).min(1.0);
        from + whole * (LEAD + (1.0 - 2.0 * LEAD) * part) + (u * cosine + v * sine) * height
    };
    std::iter::once(*from).chain((0..=count).map(at)).chain([*to]).collect()
}

/// A closed circle about an axis.
pub(crate) fn circle(center: &Vec3, axis: &Vec3, radius: f64) -> Vec<Vec3> {
    let [u, v] = across(axis);
    closed(center, &[u * radius, v * radius], CIRCLE_POINTS)
}

/// A closed ellipse by its half axes.
pub(crate) fn ellipse(center: &Vec3, axes: &[Vec3; 2]) -> Vec<Vec3> {
    closed(center, axes, ELLIPSE_POINTS)
}

/// A path as one line: closed where it is. Straight ones have none: how far they reach depends on what goes on them.
pub(crate) fn path_line(path: &JointPath) -> Vec<Vec3> {
    match path {
        JointPath::Line { .. } => Vec::new(),
        JointPath::Ellipse { center, axes } => ellipse(center, axes),
        JointPath::Spline { points, closed } => {
            points.iter().chain(points.first().filter(|_| *closed)).copied().collect()
        }
    }
}

fn closed(center: &Vec3, [u, v]: &[Vec3; 2], count: u32) -> Vec<Vec3> {
    let at = |k: u32| {
        let (sine, cosine) = sin_cos(TAU * f64::from(k % count) / f64::from(count));
        center + u * cosine + v * sine
    };
    (0..=count).map(at).collect()
}

/// A closed square across an axis.
pub(crate) fn square(center: &Vec3, axis: &Vec3, half: f64) -> Vec<Vec3> {
    let [u, v] = across(axis);
    [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]]
        .map(|[a, b]| center + u * (a * half) + v * (b * half))
        .to_vec()
}

/// A straight arrow whose head is as long as `head`; it is seen from all sides.
pub(crate) fn arrow(from: &Vec3, along: &Vec3, head: f64) -> Vec<Vec3> {
    let tip = from + along;
    let Some(axis) = along.try_normalize(0.0) else { return vec![*from] };
    let mut points = vec![*from, tip];
    for side in across(&axis).into_iter().flat_map(|side| [side, -side]) {
        points.extend([tip - axis * head + side * (0.5 * head), tip]);
    }
    points
}

/// An arrow that goes about an axis, the right-handed way.
pub(crate) fn curved_arrow(center: &Vec3, axis: &Vec3, radius: f64, head: f64) -> Vec<Vec3> {
    let [u, v] = across(axis);
    let place = |turn: f64, radius: f64| {
        let (sine, cosine) = sin_cos(turn * TAU);
        center + (u * cosine + v * sine) * radius
    };
    let at = |k: u32| place(ROUND * f64::from(k) / f64::from(CIRCLE_POINTS), radius);
    let mut points: Vec<Vec3> = (0..=CIRCLE_POINTS).map(at).collect();
    let tip = place(ROUND, radius);
    for side in [0.5, -0.5] {
        points.extend([place(ROUND - head / (radius * TAU), radius + side * head), tip]);
    }
    points
}

/// A flat spiral about an axis, wound by so many turns.
pub(crate) fn spiral(center: &Vec3, axis: &Vec3, radii: [f64; 2], turns: f64) -> Vec<Vec3> {
    let [u, v] = across(axis);
    let count = (turns.abs() * f64::from(CIRCLE_POINTS)).ceil().max(1.0) as u32;
    let at = |k: u32| {
        let part = f64::from(k) / f64::from(count);
        let (sine, cosine) = sin_cos(part * turns * TAU);
        center + (u * cosine + v * sine) * (radii[0] + (radii[1] - radii[0]) * part)
    };
    (0..=count).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::hypot;

    fn length(points: &[Vec3]) -> f64 {
        points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
    }

    #[test]
    fn a_coil_ends_in_its_points_and_keeps_its_turns_as_it_stretches() {
        let from = Vec3::new(0.3, -1.0, 2.0);
        for reach in [0.2, 1.0, 5.0] {
            let to = from + Vec3::new(1.0, 2.0, -2.0) / 3.0 * reach;
            let (radius, turns) = (0.1, 7);
            let points = coil(&from, &to, radius, turns);
            assert_eq!([points.first(), points.last()], [Some(&from), Some(&to)]);
            let axis = (to - from).normalize();
            let off = |point: &Vec3| (point - from) - axis * axis.dot(&(point - from));
            let [u, _] = across(&axis);
            let sides: Vec<f64> = points.iter().map(|p| off(p).dot(&u)).filter(|side| side.abs() > 1e-9).collect();
            let crossings = sides.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
            assert_eq!(crossings, 2 * turns as usize, "{reach} m");
            assert!(points.iter().all(|point| off(point).norm() < radius + 1e-12), "{reach} m");
            // A helix of full turns, whose tapered ends are shorter.
            let straight = reach * (1.0 - 2.0 * LEAD);
            let wound = hypot(straight, f64::from(turns) * TAU * radius) + 2.0 * LEAD * reach;
            assert!(length(&points) < wound && length(&points) > 0.9 * wound, "{reach} m: {}", length(&points));
        }
    }

    #[test]
    fn closed_curves_end_where_they_begin_and_have_their_lengths() {
        let (center, axis) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, -1.0, 2.0) / 3.0);
        let round = circle(&center, &axis, 0.5);
        assert_eq!(round.first(), round.last());
        assert!((length(&round) / (TAU * 0.5) - 1.0).abs() < 0.002, "{}", length(&round));
        assert!(round.iter().all(|point| (point - center).dot(&axis).abs() < 1e-12));
        let long = ellipse(&center, &[Vec3::new(0.0, 0.0, 3.0), Vec3::new(1.0, 0.0, 0.0)]);
        assert_eq!(long.first(), long.last());
        assert!((length(&long) - 13.3649).abs() < 0.01, "{}", length(&long));
        let tile = square(&center, &axis, 0.25);
        assert_eq!(tile.first(), tile.last());
        assert!((length(&tile) - 2.0).abs() < 1e-12, "{}", length(&tile));
    }

    #[test]
    fn an_arrow_about_an_axis_turns_the_right_handed_way() {
        for axis in [Vec3::z(), -Vec3::z(), Vec3::new(0.6, 0.8, 0.0)] {
            let points = curved_arrow(&Vec3::zeros(), &axis, 1.0, 0.1);
            assert!(points[0].cross(&points[1]).dot(&axis) > 0.0, "{axis:?}");
        }
    }

    #[test]
    fn a_coil_of_no_length_and_an_arrow_of_none_are_finite() {
        let place = Vec3::new(1.0, 0.0, 0.0);
        assert_eq!(coil(&place, &place, 0.1, 5), [place, place]);
        assert_eq!(arrow(&place, &Vec3::zeros(), 0.1), [place]);
    }
}
