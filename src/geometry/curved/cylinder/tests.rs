//! Separations against sampled bodies; features against differences and against each other.

use std::f64::consts::{PI, TAU};

use crate::geometry::contact_geometry::tests::check_feature;
use crate::geometry::feature::{Element, Feature, Side, Start};
use crate::geometry::placed::PlacedPair;
use crate::geometry::separation::tests::{noise, pose};
use crate::geometry::{Pose, Shape, Solid, separation, touching};
use crate::math::elementary::{atan2, cos, sin};
use crate::math::rotation::exp;
use crate::math::{Rotation, Vec3};

fn cylinder() -> Solid {
    Solid::new(&Shape::Cylinder { half_height: 0.2, radius: 0.1, segments: None }).unwrap()
}

fn disc() -> Solid {
    Solid::new(&Shape::Cylinder { half_height: 0.02, radius: 0.27, segments: None }).unwrap()
}

fn cone() -> Solid {
    Solid::new(&Shape::Cone { half_height: 0.2, radius: 0.15, segments: None }).unwrap()
}

fn cuboid() -> Solid {
    Solid::new(&Shape::Cuboid { half_extents: Vec3::new(0.25, 0.2, 0.1) }).unwrap()
}

fn ball() -> Solid {
    Solid::new(&Shape::Ball { radius: 0.07 }).unwrap()
}

fn capsule() -> Solid {
    Solid::new(&Shape::Capsule { half_height: 0.2, radius: 0.08 }).unwrap()
}

fn plane() -> Solid {
    Solid::HalfSpace(Vec3::new(0.6, 0.8, 0.0))
}

/// `part` of sixteen of the circle is where to look.
fn rim(cap: u32, part: u8) -> Element {
    Element::Rim { cap, place: 0, start: Start::at((f64::from(part) + 0.5) * TAU / 16.0) }
}

#[track_caller]
fn check(first: Solid, second: Solid, elements: [Element; 2]) {
    check_feature(&first, &second, Feature::Round { first: elements[0], second: elements[1] });
}

#[test]
fn a_rim_on_a_plane_or_a_face() {
    for start in [0, 5, 11] {
        check(cylinder(), plane(), [rim(17, start), Element::Plane]);
        check(cone(), cuboid(), [rim(16, start), Element::Face(2)]);
        check(cuboid(), cylinder(), [Element::Face(3), rim(16, start)]);
        check(cone(), cylinder(), [rim(16, start), Element::Face(17)]);
    }
}

#[test]
fn a_rim_and_a_rounded_vertex() {
    check(cylinder(), ball(), [rim(16, 0), Element::Vertex(0)]);
    check(capsule(), cone(), [Element::Vertex(1), rim(16, 0)]);
}

#[test]
fn a_rim_across_an_edge_sharp_and_rounded() {
    for start in [0, 4, 8, 12] {
        check(cylinder(), cuboid(), [rim(16, start), Element::Edge(3)]);
        check(cuboid(), cone(), [Element::Edge(7), rim(16, start)]);
        check(cone(), capsule(), [rim(16, start), Element::Edge(0)]);
    }
}

#[test]
fn a_rim_on_a_side() {
    for start in [0, 8] {
        check(cylinder(), cylinder(), [rim(16, start), Element::Side(0)]);
        check(cylinder(), cone(), [rim(17, start), Element::Side(0)]);
        check(cone(), cylinder(), [Element::Side(0), rim(17, start)]);
    }
}

#[test]
fn a_rim_across_a_rim() {
    for start in [0, 4, 8, 12] {
        check(cylinder(), cone(), [rim(16, start), rim(16, 3)]);
        check(cylinder(), cylinder(), [rim(17, start), rim(16, 9)]);
    }
}

#[test]
fn a_side_and_a_vertex_an_edge_or_a_side() {
    for round in [cylinder, cone] {
        check(round(), cuboid(), [Element::Side(0), Element::Vertex(3)]);
        check(ball(), round(), [Element::Vertex(0), Element::Side(0)]);
        check(round(), cuboid(), [Element::Side(0), Element::Edge(3)]);
        check(capsule(), round(), [Element::Edge(0), Element::Side(0)]);
        check(round(), cylinder(), [Element::Side(0), Element::Side(0)]);
        check(cylinder(), round(), [Element::Side(0), Element::Side(0)]);
    }
}

/// Points of the surface of a round body, in its frame.
fn samples(solid: &Solid) -> Vec<Vec3> {
    let Solid::Convex { core, .. } = solid else { panic!("one piece") };
    let round = core.as_round().expect("a round body");
    let angles = (0..720).map(|k| TAU * f64::from(k) / 720.0);
    let spoke = |angle: f64| round.across[0] * cos(angle) + round.across[1] * sin(angle);
    angles.flat_map(|angle| round.ends.map(|end| end.center + spoke(angle) * end.radius)).collect()
}

/// The separation is at most that of the hull of samples, and above it by little: s(n) of any axis is a lower bound, and the
/// hull of the samples misses the circle by 1e-5 of its radius.
#[test]
fn separations_are_those_of_finely_sampled_bodies() {
    let others = [cuboid(), cylinder(), cone(), ball(), capsule()];
    let mut close = 0;
    for seed in 0..600 {
        let mut next = noise(seed);
        let round = if seed % 2 == 0 { cylinder() } else { cone() };
        let other = &others[seed as usize % others.len()];
        let (at, other_at) = (pose(&mut next, 0.25), pose(&mut next, 0.25));
        let found = separation(&round, &at, other, &other_at, None);
        let hull = |solid: &Solid| match solid {
            Solid::Convex { core, radius } => {
                let points = if core.is_round() { samples(solid) } else { core.vertices.clone() };
                (points, *radius)
            }
            _ => panic!("one piece"),
        };
        let ((points, radius), (other_points, other_radius)) = (hull(&round), hull(other));
        let along = |n: &Vec3| {
            let low = points.iter().map(|p| n.dot(&at.point(p))).fold(f64::INFINITY, f64::min);
            let high = other_points.iter().map(|p| n.dot(&other_at.point(p))).fold(f64::NEG_INFINITY, f64::max);
            low - high - radius - other_radius
        };
        let own = along(&found.normal);
        assert!((own - found.gap).abs() < 2e-5, "seed {seed}: {} is {own} along its axis", found.gap);
        // No axis nearby separates more.
        if found.gap > -0.02 && found.gap < 0.02 {
            close += 1;
            for _ in 0..300 {
                let n = (found.normal + Vec3::new(next(), next(), next()) * 0.02).normalize();
                assert!(along(&n) < found.gap + 3e-5, "seed {seed}: {} along {n}, found {}", along(&n), found.gap);
            }
        }
    }
    assert!(close > 60, "{close} pairs were close");
}

/// Moved together along their axis until they touch, bodies have features there.
#[test]
fn bodies_that_touch_have_features() {
    let others = [cuboid(), cylinder(), cone(), ball(), capsule()];
    let mut kinds = std::collections::BTreeMap::new();
    for seed in 0..1500_u64 {
        let mut next = noise(seed);
        let round = if seed % 2 == 0 { cylinder() } else { cone() };
        let other = &others[seed as usize % others.len()];
        let (mut at, other_at) = (pose(&mut next, 0.3), pose(&mut next, 0.3));
        let mut found = separation(&round, &at, other, &other_at, None);
        for _ in 0..60 {
            if found.gap.abs() < 1e-12 {
                break;
            }
            at.position -= found.normal * found.gap;
            found = separation(&round, &at, other, &other_at, Some(found.normal));
        }
        assert!(found.gap.abs() < 1e-9, "seed {seed}: {}", found.gap);
        let pair = PlacedPair { first: (&round, &at), second: (other, &other_at) };
        let features = touching(&pair, &found, 1e-8);
        assert!(!features.is_empty(), "seed {seed}: nothing touches at {}", found.gap);
        for feature in &features {
            let contact = pair.contact(feature).expect("it touches");
            assert!(contact.gap.abs() < 1e-7, "seed {seed}: {feature:?} {}", contact.gap);
            assert!(contact.normal.dot(&found.normal) > 0.0, "seed {seed}: {feature:?}");
            let kind = format!("{feature:?}").replace(|c: char| c.is_numeric() || c == '-', "");
            *kinds.entry(kind).or_insert(0) += 1;
        }
    }
    // Rims on planes and sides, vertices, edges and rims, sides with all of these, tips and caps.
    assert!(kinds.len() >= 15, "{kinds:#?}");
}

#[test]
fn a_cap_that_lies_flat_touches_with_its_corners() {
    let (body, table) = (cylinder(), cuboid());
    let lying = Pose::new(Vec3::zeros(), &Rotation::identity());
    let standing = Pose::new(Vec3::new(0.0, 0.4, 0.0), &exp(Vec3::new(0.0, 0.3, 0.0)));
    let pair = PlacedPair { first: (&body, &standing), second: (&table, &lying) };
    let found = separation(&body, &standing, &table, &lying, None);
    assert!(found.gap.abs() < 1e-15, "{}", found.gap);
    let features = touching(&pair, &found, 1e-8);
    assert!(features.len() >= 8, "{features:?}");
    let corner = |feature: &Feature| matches!(feature, Feature::VertexFace { owner: Side::First, face: 2, .. });
    assert!(features.iter().all(corner), "{features:?}");
}

/// A log across a disc that is nearly level: no plane lies flat on the cap, so that its rim is a circle at any tilt.
#[test]
fn a_cap_that_is_level_along_a_side_is_measured_by_its_circle() {
    let (disc, log) = (disc(), cylinder());
    let lying = Pose::new(Vec3::zeros(), &exp(Vec3::new(0.3, 0.0, 0.0)));
    let along = exp(Vec3::new(0.3, 0.0, 0.0)) * exp(Vec3::new(0.0, 0.1, 0.0)) * exp(Vec3::new(0.0, 0.0, 0.5 * PI));
    let mut last: Option<(f64, Vec3)> = None;
    for k in 0..400 {
        // Through a tilt at which the lowest point of the rim is 5e-5 m below its centre.
        let tilt = 1e-4 + 4e-7 * f64::from(k);
        let turn = exp(lying.turn * Vec3::z() * tilt) * along;
        let at = Pose::new(lying.turn * Vec3::new(0.1, 0.12, 0.0), &turn);
        let pair = PlacedPair { first: (&log, &at), second: (&disc, &lying) };
        let found = separation(&log, &at, &disc, &lying, None);
        if let Some((gap, normal)) = last {
            // The gap turns with the axis, and does not jump.
            let moved = 2.0 * (found.normal - normal).norm() * 0.3 + 4e-7 * 0.3;
            assert!((found.gap - gap).abs() < moved + 1e-9, "tilt {tilt}: {} after {gap}", found.gap);
        }
        let features = touching(&pair, &found, found.gap + 1e-12);
        assert!(!features.is_empty(), "tilt {tilt}: nothing touches at {}", found.gap);
        let nearest = features.iter().filter_map(|feature| pair.contact(feature)).map(|contact| contact.gap);
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!((nearest - found.gap).abs() < 1e-12, "tilt {tilt}: {nearest} at {}", found.gap);
        last = Some((found.gap, found.normal));
    }
}

/// A disc that turns against a plane: after (8) the lowest point has run around by the angle.
#[test]
fn the_lowest_point_of_a_rim_runs_by_the_angle_asked_for() {
    let (disc, plane) = (disc(), Solid::HalfSpace(Vec3::y()));
    let ground = Pose::new(Vec3::zeros(), &Rotation::identity());
    let rim = Element::Rim { cap: 16, place: 0, start: Start::at(0.0) };
    let feature = Feature::Round { first: rim, second: Element::Plane };
    for (tilt, spin) in [
        (0.02, Vec3::new(0.0, 0.3, 2.0)),
        (0.02, Vec3::new(-1.0, 5.0, 2.0)),
        (1e-4, Vec3::new(-3.0, 0.0, 0.01)),
        (1.2, Vec3::new(0.5, 2.0, -1.0)),
    ] {
        let turn = exp(Vec3::x() * tilt);
        let at = Pose::new(Vec3::y(), &turn);
        let pair = PlacedPair { first: (&disc, &at), second: (&plane, &ground) };
        let small = 1e-3;
        let x = pair.run_time(&feature, &spin, small);
        // The point of the rim that is lowest lies against the axis, seen from above.
        let lowest = |turn: Rotation| {
            let axis = turn * Vec3::y();
            atan2(axis.x, axis.z)
        };
        let run = (lowest(exp(spin * x) * turn) - lowest(turn)).abs();
        assert!((run / small - 1.0).abs() < 2e-2, "tilt {tilt}: {run} in {x} s");
        let farther = pair.run_time(&feature, &spin, 0.1);
        assert!(farther > x && farther < f64::INFINITY, "{farther} s after {x} s");
    }
    // One that falls straight through level runs nowhere until it is there, where it runs half around at once.
    let at = Pose::new(Vec3::y(), &exp(Vec3::x() * 0.01));
    let pair = PlacedPair { first: (&disc, &at), second: (&plane, &ground) };
    assert!((pair.run_time(&feature, &Vec3::new(-2.0, 0.0, 0.0), 0.1) / 0.005 - 1.0).abs() < 1e-4);
    assert_eq!(pair.run_time(&feature, &Vec3::new(2.0, 0.0, 0.0), 0.1), f64::INFINITY);
}
