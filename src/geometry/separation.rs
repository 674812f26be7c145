//! How far apart two solids are: a signed gap and the axis along which it is seen.
//!
//! ```text
//! half-space                  the core's lowest point along the plane's normal
//! sharp polytopes             polyhedra::separation
//! balls, capsules             polyhedra::closest, less both radii
//! one is a cylinder or cone   curved::cylinder::separation
//! one is an egg               curved::egg::separation
//! of several pieces           that of the nearest pieces
//! ```
//!
//! The normal points from the second solid to the first. *Where* they touch is `touching`; *when* is `simulation`.

use super::axis::{Separation, lowest};
use super::placed::PlacedPair;
use super::pose::Pose;
use super::solid::Solid;
use crate::geometry::compound::pairs::{PiecePair, each_piece_pair, facing_separation};
use crate::geometry::curved::cylinder::separation::round_separation;
use crate::geometry::curved::egg::separation::egg_separation;
use crate::geometry::curved::kinds::Curved;
use crate::geometry::polyhedra::closest::core_distance;
use crate::geometry::polyhedra::separation::sharp_separation;
use crate::math::Vec3;

/// The separation of two solids; `hint` is a recent normal of the same pair, if there is one.
pub fn separation(first: &Solid, at: &Pose, second: &Solid, second_at: &Pose, hint: Option<Vec3>) -> Separation {
    match (first, second) {
        (Solid::Convex { core, radius }, Solid::HalfSpace(normal)) => {
            let normal = second_at.turn * normal;
            let gap = lowest(core, at, &normal) - normal.dot(&second_at.position) - radius;
            Separation { gap, normal }
        }
        (Solid::Convex { core, radius }, Solid::Convex { core: other, radius: other_radius }) => {
            let pair = PlacedPair { first: (first, at), second: (second, second_at) };
            match [core.stands_for.as_deref(), other.stands_for.as_deref()] {
                [Some(Curved::Egg(_)), _] | [_, Some(Curved::Egg(_))] => egg_separation(&pair, hint),
                [Some(Curved::Round(_)), _] | [_, Some(Curved::Round(_))] => {
                    let unknown = Separation { gap: f64::NEG_INFINITY, normal: Vec3::y() };
                    round_separation(&pair, hint).unwrap_or(unknown)
                }
                [None, None] if radius + other_radius > 0.0 => {
                    let apart = core_distance(core, at, other, second_at);
                    Separation { gap: apart.gap - (radius + other_radius), ..apart }
                }
                [None, None] => sharp_separation(core, at, other, second_at, hint),
            }
        }
        (Solid::Compound(_), _) | (Solid::Convex { .. }, Solid::Compound(_)) => {
            nearest_pieces(first, at, second, second_at, hint)
        }
        (Solid::HalfSpace(_), Solid::Convex { .. } | Solid::Compound(_)) => {
            let mirrored = separation(second, second_at, first, at, None);
            Separation { normal: -mirrored.normal, ..mirrored }
        }
        (Solid::HalfSpace(_), Solid::HalfSpace(_)) => Separation { gap: f64::INFINITY, normal: Vec3::y() },
    }
}

/// The separation of the nearest pieces.
fn nearest_pieces(first: &Solid, at: &Pose, second: &Solid, second_at: &Pose, hint: Option<Vec3>) -> Separation {
    let mut nearest = ([0, 0], f64::INFINITY);
    each_piece_pair(first, at, second, second_at, |pair, apart| {
        if apart < nearest.1 {
            nearest = (pair, apart);
        }
    });
    let of_pieces = |[i, j]: PiecePair| separation(first.piece(i), at, second.piece(j), second_at, hint);
    let mut best = of_pieces(nearest.0);
    each_piece_pair(first, at, second, second_at, |pair, apart| {
        let [i, j] = pair;
        let surely = || facing_separation(first.piece(i), at, second.piece(j), second_at);
        if apart < best.gap && pair != nearest.0 && surely() < best.gap {
            let found = of_pieces(pair);
            if found.gap < best.gap {
                best = found;
            }
        }
    });
    best
}

#[cfg(test)]
pub(super) mod tests {
    use rapier3d_f64::parry::math::{Pose as ParryPose, Vector};

    use super::*;
    use crate::geometry::axis::relative_pose;
    use crate::geometry::shape::Shape;
    use crate::math::rotation::exp;

    /// Repeatable numbers in [−1, 1].
    pub fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// A random pose.
    pub fn pose(next: &mut impl FnMut() -> f64, distance: f64) -> Pose {
        let turn = exp(Vec3::new(next(), next(), next()) * 3.0);
        Pose::new(Vec3::new(next(), next(), next()) * distance, &turn)
    }

    #[test]
    fn rounded_solids_agree_with_parry_where_it_is_exact() {
        use rapier3d_f64::parry::query;
        use rapier3d_f64::parry::shape::{Ball, Cuboid};
        for seed in 0..300 {
            let mut next = noise(seed);
            let (at, second_at) = (pose(&mut next, 0.7), pose(&mut next, 0.1));
            let half = Vec3::new(next(), next(), next()).map(|x| 0.2 + 0.15 * x);
            let solids = [Shape::Ball { radius: 0.1 }, Shape::Cuboid { half_extents: half }]
                .map(|shape| Solid::new(&shape).unwrap());
            let found = separation(&solids[0], &at, &solids[1], &second_at, None);
            let between = relative_pose(&at, &second_at);
            let shapes = (Ball::new(0.1), Cuboid::new(Vector::new(half.x, half.y, half.z)));
            let exact = query::contact(&ParryPose::IDENTITY, &shapes.0, &between, &shapes.1, 10.0).unwrap().unwrap();
            if exact.dist > -0.05 {
                assert!((found.gap - exact.dist).abs() < 1e-14, "seed {seed}: {} {}", found.gap, exact.dist);
            }
        }
    }

    #[test]
    fn a_capsule_is_as_far_as_its_nearest_sampled_ball() {
        for seed in 0..200 {
            let mut next = noise(seed);
            let (at, second_at) = (pose(&mut next, 0.8), pose(&mut next, 0.2));
            let capsule = Solid::new(&Shape::Capsule { half_height: 0.3, radius: 0.1 }).unwrap();
            let other = match seed % 3 {
                0 => Shape::Cuboid { half_extents: Vec3::new(0.2, 0.1, 0.3) },
                1 => Shape::Capsule { half_height: 0.2, radius: 0.05 },
                _ => Shape::Hull { points: (0..12).map(|_| Vec3::new(next(), next(), next()) * 0.3).collect() },
            };
            let other = Solid::new(&other).unwrap();
            let ball = Solid::new(&Shape::Ball { radius: 0.1 }).unwrap();
            let found = separation(&capsule, &at, &other, &second_at, None).gap;
            let sampled = (0..=2000)
                .map(|k| {
                    let y = 0.3 * (k as f64 / 1000.0 - 1.0);
                    let center = Pose { position: at.point(&Vec3::new(0.0, y, 0.0)), ..at };
                    separation(&ball, &center, &other, &second_at, None).gap
                })
                .fold(f64::INFINITY, f64::min);
            // The nearest sample is within half a spacing, 1.5e-4 m, of the nearest point.
            if found > 0.0 {
                assert!(found <= sampled + 1e-12 && sampled < found + 2e-4, "seed {seed}: {found} {sampled}");
            }
        }
    }
}
