//! The bodies that marks are made of: lines get a thickness, so that other programs show them from all sides.
//!
//! ```text
//! tube about points x_k:  frame (u, v) across the line, turned from each step's direction to the next as little as can be
//!                         rim k: x_k + r·(u·cos φ + v·sin φ)
//! frustum from P to Q:    two rims of radii a and b; the normal leans by (a − b)/|Q − P|; caps where a radius is not 0
//! ```

use std::f64::consts::TAU;

use crate::geometry::{Shape, Surface};
use crate::math::elementary::sin_cos;
use crate::math::{Vec3, rotation};
use crate::picture::machine_marks::lines::across;

/// Corners of a rim: thin things look round with few.
const SIDES: u32 = 10;
/// Of a ball, whose outline is seen.
const BALL: u32 = 16;
/// The head of an arrow: its length and half width in thicknesses of the shaft.
const HEAD: [f64; 2] = [5.0, 2.2];

/// Puts the triangles of one surface to those of another.
pub fn join(all: &mut Surface, other: Surface) {
    let first = all.positions.len() as u32;
    all.positions.extend(other.positions);
    all.normals.extend(other.normals);
    all.triangles.extend(other.triangles.into_iter().map(|corners| corners.map(|corner| first + corner)));
}

/// A ball about a point.
pub fn ball(center: &Vec3, radius: f64) -> Surface {
    let mut surface = Surface::with_segments(&Shape::Ball { radius }, BALL).unwrap_or_default();
    surface.positions.iter_mut().for_each(|place| *place = (Vec3::from(*place) + center).into());
    surface
}

/// A cylinder, a cone or something between; nothing where it has no length.
pub fn frustum(from: &Vec3, to: &Vec3, [a, b]: [f64; 2]) -> Surface {
    let mut surface = Surface::default();
    let whole = to - from;
    let Some(axis) = whole.try_normalize(0.0) else { return surface };
    let [u, v] = across(&axis);
    let lean = axis * ((a - b) / whole.norm());
    for (center, radius) in [(from, a), (to, b)] {
        rim(&mut surface, center, [u, v], radius, |side| (side + lean).normalize());
    }
    walls(&mut surface, 0, SIDES);
    for (center, radius, outward) in
        [(from, a, -axis), (to, b, axis)].into_iter().filter(|(_, radius, _)| *radius > 0.0)
    {
        cap(&mut surface, center, [u, v], radius, outward);
    }
    surface
}

/// A tube about a line through points; closed where the last is the first.
pub fn tube(points: &[Vec3], radius: f64) -> Surface {
    let mut surface = Surface::default();
    let mut points = points.to_vec();
    points.dedup_by(|next, last| (*next - *last).norm() <= 1e-9 * radius);
    let [first, .., last] = points[..] else { return surface };
    let closed = points.len() > 3 && (last - first).norm() <= 1e-9 * radius;
    let count = points.len();
    let direction = |k: usize| (points[k + 1] - points[k]).normalize();
    // At a corner the rim lies across the middle of both directions.
    let middle = |k: usize| match k {
        0 if closed => (direction(count - 2) + direction(0)).try_normalize(1e-9).unwrap_or(direction(0)),
        0 => direction(0),
        k if k + 1 == count && closed => {
            (direction(count - 2) + direction(0)).try_normalize(1e-9).unwrap_or(direction(0))
        }
        k if k + 1 == count => direction(k - 1),
        k => (direction(k - 1) + direction(k)).try_normalize(1e-9).unwrap_or(direction(k)),
    };
    let mut axis = middle(0);
    let mut sides = across(&axis);
    let start = sides;
    for (k, point) in points.iter().enumerate() {
        let next = middle(k);
        if let Some(turn) = rotation::shortest(&axis, &next) {
            sides = sides.map(|side| turn * side);
        }
        axis = next;
        rim(&mut surface, point, sides, radius, |side| side);
    }
    (1..count as u32).for_each(|k| walls(&mut surface, (k - 1) * SIDES, SIDES));
    if !closed {
        cap(&mut surface, &first, start, radius, -middle(0));
        cap(&mut surface, &last, sides, radius, axis);
    }
    surface
}

/// An arrow with a thick head.
pub fn arrow(from: &Vec3, to: &Vec3, radius: f64) -> Surface {
    let whole = to - from;
    let Some(axis) = whole.try_normalize(0.0) else { return Surface::default() };
    let neck = to - axis * (HEAD[0] * radius).min(0.6 * whole.norm());
    let mut surface = frustum(from, &neck, [radius, radius]);
    join(&mut surface, frustum(&neck, to, [HEAD[1] * radius, 0.0]));
    surface
}

/// A tube whose end is the head of an arrow.
pub fn bent_arrow(points: &[Vec3], radius: f64) -> Surface {
    let mut surface = tube(points, radius);
    if let [.., before, tip] = points {
        let along = (tip - before).try_normalize(0.0).unwrap_or_default();
        join(&mut surface, frustum(tip, &(tip + along * (HEAD[0] * radius)), [HEAD[1] * radius, 0.0]));
    }
    surface
}

fn rim(surface: &mut Surface, center: &Vec3, [u, v]: [Vec3; 2], radius: f64, normal: impl Fn(Vec3) -> Vec3) {
    for k in 0..SIDES {
        let (sine, cosine) = sin_cos(TAU * f64::from(k) / f64::from(SIDES));
        let side = u * cosine + v * sine;
        surface.positions.push((center + side * radius).into());
        surface.normals.push(normal(side).into());
    }
}

/// Between the rim that begins at `first` and the one `step` vertices later.
fn walls(surface: &mut Surface, first: u32, step: u32) {
    for k in 0..SIDES {
        let [a, b] = [first + k, first + (k + 1) % SIDES];
        surface.triangles.extend([[a, b, b + step], [a, b + step, a + step]]);
    }
}

/// A disc that looks outward.
fn cap(surface: &mut Surface, center: &Vec3, sides: [Vec3; 2], radius: f64, outward: Vec3) {
    let first = surface.positions.len() as u32;
    rim(surface, center, sides, radius, |_| outward);
    let turns_outward = sides[0].cross(&sides[1]).dot(&outward) > 0.0;
    let fan = (1..SIDES - 1).map(|k| if turns_outward { [0, k, k + 1] } else { [0, k + 1, k] });
    surface.triangles.extend(fan.map(|corners| corners.map(|corner| first + corner)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume, by the divergence theorem; its sign tells which way triangles look.
    fn volume(surface: &Surface) -> f64 {
        let corner = |index: u32| Vec3::from(surface.positions[index as usize]);
        surface.triangles.iter().map(|[a, b, c]| corner(*a).dot(&corner(*b).cross(&corner(*c))) / 6.0).sum()
    }

    /// How much of a disc a rim of corners fills.
    fn disc(radius: f64) -> f64 {
        0.5 * f64::from(SIDES) * radius * radius * sin_cos(TAU / f64::from(SIDES)).0
    }

    #[track_caller]
    fn check(surface: &Surface, expected: f64) {
        let found = volume(surface);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
        for [a, b, c] in &surface.triangles {
            let [p, q, r] = [a, b, c].map(|index| Vec3::from(surface.positions[*index as usize]));
            let outward: Vec3 = [a, b, c].iter().map(|index| Vec3::from(surface.normals[**index as usize])).sum();
            assert!((q - p).cross(&(r - p)).dot(&outward) >= -1e-12, "a triangle looks inward");
        }
        assert!(surface.normals.iter().all(|normal| (Vec3::from(*normal).norm() - 1.0).abs() < 1e-12));
    }

    #[test]
    fn bodies_of_marks_are_closed_and_look_outward() {
        let (from, to) = (Vec3::new(0.3, -1.0, 2.0), Vec3::new(1.0, 0.5, -1.0));
        let length = (to - from).norm();
        check(&frustum(&from, &to, [0.1, 0.1]), disc(0.1) * length);
        check(&frustum(&from, &to, [0.2, 0.0]), disc(0.2) * length / 3.0);
        check(&tube(&[from, (from + to) / 2.0, to], 0.1), disc(0.1) * length);
        check(&ball(&from, 0.2), volume(&ball(&Vec3::zeros(), 0.2)));
    }

    #[test]
    fn a_closed_tube_has_no_caps_and_is_as_large_as_its_line_is_long() {
        let circle = crate::picture::machine_marks::lines::circle(&Vec3::new(1.0, 2.0, 3.0), &Vec3::y(), 1.0);
        let ring = tube(&circle, 0.05);
        assert_eq!(ring.positions.len(), circle.len() * SIDES as usize);
        // Rims lie in the corners of the polygon, whose length counts.
        let length: f64 = circle.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        assert!((volume(&ring) / (disc(0.05) * length) - 1.0).abs() < 0.01, "{}", volume(&ring));
    }

    #[test]
    fn what_has_no_length_is_nothing() {
        let place = Vec3::new(1.0, 0.0, 0.0);
        assert!(frustum(&place, &place, [0.1, 0.1]).triangles.is_empty());
        assert!(tube(&[place, place], 0.1).triangles.is_empty() && arrow(&place, &place, 0.1).triangles.is_empty());
    }
}
