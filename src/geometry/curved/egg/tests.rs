//! Features against differences, separations against sampled axes and against balls.

use crate::geometry::contact_geometry::tests::check_feature;
use crate::geometry::feature::{Element, Feature, Side, Start};
use crate::geometry::placed::PlacedPair;
use crate::geometry::separation::tests::{noise, pose};
use crate::geometry::{Part, Pose, Shape, Solid, separation, touching};
use crate::math::Vec3;
use crate::math::elementary::powf;

fn solid(shape: Shape) -> Solid {
    Solid::new(&shape).unwrap()
}

fn egg() -> Solid {
    solid(Shape::Egg { radius: 0.1, tip: 0.2, base: 0.12, segments: None })
}

/// Flatter than a ball.
fn pebble() -> Solid {
    solid(Shape::Egg { radius: 0.2, tip: 0.05, base: 0.08, segments: None })
}

fn cuboid() -> Solid {
    solid(Shape::Cuboid { half_extents: Vec3::new(0.25, 0.2, 0.1) })
}

fn ball() -> Solid {
    solid(Shape::Ball { radius: 0.07 })
}

fn capsule() -> Solid {
    solid(Shape::Capsule { half_height: 0.2, radius: 0.08 })
}

fn cylinder() -> Solid {
    solid(Shape::Cylinder { half_height: 0.2, radius: 0.1, segments: None })
}

fn cone() -> Solid {
    solid(Shape::Cone { half_height: 0.2, radius: 0.15, segments: None })
}

fn plane() -> Solid {
    Solid::HalfSpace(Vec3::new(0.6, 0.8, 0.0))
}

fn hull() -> Solid {
    let mut next = noise(0);
    solid(Shape::Hull { points: (0..24).map(|_| Vec3::new(next(), next(), next()) * 0.2).collect() })
}

fn particle() -> Solid {
    solid(Shape::Particle)
}

const EGG: Element = Element::Egg(0);

fn rim(cap: u32) -> Element {
    Element::Rim { cap, place: 0, start: Start(0) }
}

/// The egg in either place, of either kind.
#[track_caller]
fn check(other: Solid, on: Element) {
    for egg in [egg(), pebble()] {
        check_feature(&egg, &other, Feature::Round { first: EGG, second: on });
        if on != Element::Plane {
            check_feature(&other, &egg, Feature::Round { first: on, second: EGG });
        }
    }
}

#[test]
fn an_egg_on_a_plane_or_a_face() {
    check(plane(), Element::Plane);
    check(cuboid(), Element::Face(2));
    check(cuboid(), Element::Face(5));
    check(cylinder(), Element::Face(17));
    check(cone(), Element::Face(16));
}

#[test]
fn an_egg_and_a_vertex_sharp_and_rounded() {
    check(cuboid(), Element::Vertex(3));
    check(cuboid(), Element::Vertex(4));
    check(ball(), Element::Vertex(0));
    check(particle(), Element::Vertex(0));
    check(capsule(), Element::Vertex(1));
    check(cone(), Element::Vertex(16));
}

#[test]
fn an_egg_on_an_edge_sharp_and_rounded() {
    check(cuboid(), Element::Edge(3));
    check(cuboid(), Element::Edge(8));
    check(capsule(), Element::Edge(0));
}

#[test]
fn an_egg_on_a_side() {
    check(cylinder(), Element::Side(0));
    check(cone(), Element::Side(0));
}

#[test]
fn an_egg_on_a_rim() {
    check(cylinder(), rim(16));
    check(cylinder(), rim(17));
    check(cone(), rim(16));
}

#[test]
fn an_egg_on_an_egg() {
    check(egg(), EGG);
    check(pebble(), EGG);
}

/// Two eggs on a bar.
fn dumbbell() -> Shape {
    let part = |shape: Shape, x: f64| Part { shape, position: Vec3::x() * x, rotation: Vec3::new(0.3, x, 0.5) };
    let egg = |tip: f64| Shape::Egg { radius: 0.1, tip, base: 0.12, segments: None };
    let bar = Shape::Cuboid { half_extents: Vec3::new(0.2, 0.02, 0.02) };
    Shape::Compound { parts: vec![part(egg(0.2), -0.25), part(bar, 0.0), part(egg(0.15), 0.25)], center_of_mass: None }
}

#[test]
fn eggs_as_parts_of_a_body_have_numbers_of_their_own() {
    let body = solid(dumbbell());
    // After the first egg's vertex and the bar's eight.
    for egg in [EGG, Element::Egg(9)] {
        check_feature(&body, &plane(), Feature::Round { first: egg, second: Element::Plane });
        check_feature(&body, &cuboid(), Feature::Round { first: egg, second: Element::Edge(3) });
        check_feature(&cone(), &body, Feature::Round { first: Element::Side(0), second: egg });
        check_feature(&body, &body, Feature::Round { first: egg, second: Element::Egg(9) });
    }
}

#[test]
fn a_body_with_eggs_as_parts_touches_with_them() {
    let (body, table) = (solid(dumbbell()), cuboid());
    let mut eggs = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let mut next = noise(seed);
        let (mut at, table_at) = (pose(&mut next, 0.5), pose(&mut next, 0.1));
        let mut found = separation(&body, &at, &table, &table_at, None);
        for _ in 0..60 {
            at.position -= found.normal * found.gap;
            found = separation(&body, &at, &table, &table_at, Some(found.normal));
        }
        let pair = PlacedPair { first: (&body, &at), second: (&table, &table_at) };
        let features = touching(&pair, &found, 1e-8);
        assert!(found.gap.abs() < 1e-12 && !features.is_empty(), "seed {seed}: {} {features:?}", found.gap);
        for feature in &features {
            let contact = pair.contact(feature).expect("it touches");
            assert!(contact.gap.abs() < 1e-8, "seed {seed}: {feature:?} {}", contact.gap);
            if let Feature::Round { first, .. } = feature {
                eggs.insert(*first);
            }
        }
    }
    assert_eq!(eggs.into_iter().collect::<Vec<_>>(), [EGG, Element::Egg(9)]);
}

/// The separation along an axis, measured against both bodies whole.
fn along(pair: &PlacedPair, n: &Vec3) -> f64 {
    let reach = |side: Side, direction: Vec3| {
        let body = pair.convex(side).unwrap();
        direction.dot(&body.pose.position) + body.core.reach_along(&body.pose.turn.tr_mul(&direction)) + body.radius
    };
    -reach(Side::First, -n) - reach(Side::Second, *n)
}

fn others() -> [Solid; 9] {
    [cuboid(), hull(), cylinder(), cone(), ball(), capsule(), particle(), egg(), pebble()]
}

/// Any axis is a lower bound, and none is better, whatever the hint.
#[test]
fn no_axis_separates_an_egg_more_than_the_one_found() {
    let mut close = 0;
    for seed in 0..1800_u64 {
        let mut next = noise(seed);
        let body = if seed % 2 == 0 { egg() } else { pebble() };
        let other = &others()[seed as usize % 9];
        let (at, other_at) = (pose(&mut next, 0.25), pose(&mut next, 0.25));
        let bodies = if seed % 4 < 2 { [(&body, &at), (other, &other_at)] } else { [(other, &other_at), (&body, &at)] };
        let pair = PlacedPair { first: bodies[0], second: bodies[1] };
        let hint = (seed % 3 == 0).then(|| Vec3::new(next(), next(), next()).normalize());
        let found = separation(bodies[0].0, bodies[0].1, bodies[1].0, bodies[1].1, hint);
        let own = along(&pair, &found.normal);
        assert!((own - found.gap).abs() < 1e-15, "seed {seed}: {} is {own} along its axis", found.gap);
        close += u32::from(found.gap.abs() < 0.02);
        for k in 0..600 {
            let wide = if k % 2 == 0 { 3.0 } else { 0.02 };
            let n = (found.normal + Vec3::new(next(), next(), next()) * wide).normalize();
            // Deep inside, the best axis is not asked for, and far apart not to the last digit.
            let slack = if found.gap > 1e-3 { 1e-6 } else { 1e-15 };
            let gap = along(&pair, &n);
            assert!(gap < found.gap + slack || found.gap < -0.02, "seed {seed}: {gap} along {n}, found {}", found.gap);
        }
    }
    assert!(close > 150, "{close} pairs were close");
}

/// Where the same axis is found, and where it must be: beside that of a ball as large.
#[test]
fn an_egg_that_is_a_sphere_is_as_far_from_everything_as_a_ball() {
    let round = solid(Shape::Egg { radius: 0.1, tip: 0.1, base: 0.1, segments: None });
    let ball = solid(Shape::Ball { radius: 0.1 });
    for seed in 0..1600_u64 {
        let mut next = noise(seed);
        let other = &others()[seed as usize % 8];
        let (at, other_at) = (pose(&mut next, 0.4), pose(&mut next, 0.2));
        let found = separation(&round, &at, other, &other_at, None);
        let expected = separation(&ball, &at, other, &other_at, None);
        if expected.gap > -0.01 {
            let (off, turned) = ((found.gap - expected.gap).abs(), (found.normal - expected.normal).norm());
            // A cylinder and a cone measure balls less closely far away.
            let slack = if (2..4).contains(&(seed % 8)) && expected.gap > 1e-4 { 1e-6 } else { 2e-15 };
            assert!(off < slack, "seed {seed}: {} instead of {}", found.gap, expected.gap);
            assert!(turned < 1e-7_f64.max(2.0 * slack.sqrt()), "seed {seed}: turned by {turned}");
        }
    }
}

/// Moved together along their axis until they touch, bodies have one feature there.
#[test]
fn an_egg_that_touches_has_a_feature() {
    let mut kinds = std::collections::BTreeMap::new();
    for seed in 0..2700_u64 {
        let mut next = noise(seed);
        let body = if seed % 2 == 0 { egg() } else { pebble() };
        let other = &others()[seed as usize % 9];
        let (mut at, other_at) = (pose(&mut next, 0.3), pose(&mut next, 0.3));
        let mut found = separation(&body, &at, other, &other_at, None);
        for _ in 0..60 {
            if found.gap.abs() < 1e-12 {
                break;
            }
            at.position -= found.normal * found.gap;
            found = separation(&body, &at, other, &other_at, Some(found.normal));
        }
        assert!(found.gap.abs() < 1e-12, "seed {seed}: {}", found.gap);
        let pair = PlacedPair { first: (&body, &at), second: (other, &other_at) };
        let features = touching(&pair, &found, 1e-8);
        assert!(features.len() == 1, "seed {seed}: {features:?} touch at {}", found.gap);
        let contact = pair.contact(&features[0]).expect("it touches");
        assert!((contact.gap - found.gap).abs() < 1e-14, "seed {seed}: {features:?} {}", contact.gap);
        assert!((contact.normal - found.normal).norm() < 1e-9, "seed {seed}: {features:?}");
        let kind = format!("{features:?}").replace(|c: char| c.is_numeric(), "");
        *kinds.entry(kind).or_insert(0) += 1;
    }
    // Faces, edges, vertices, sides, rims, eggs.
    assert_eq!(kinds.len(), 6, "{kinds:#?}");
}

/// Bodies that overlap by most of their size still have an axis that separates them as little as any other way out.
#[test]
fn an_egg_deep_inside_another_body_is_measured() {
    for (seed, other) in others().iter().enumerate() {
        let mut next = noise(seed as u64 + 3);
        let at = pose(&mut next, 0.01);
        let other_at = Pose { position: at.position, ..pose(&mut next, 0.01) };
        let found = separation(&egg(), &at, other, &other_at, None);
        assert!(found.gap < 0.0 && found.gap > -0.5, "seed {seed}: {}", found.gap);
        assert!((found.normal.norm() - 1.0).abs() < 1e-14, "seed {seed}: {}", found.normal);
    }
}

/// Its lowest point may be beside the circle of a cap by any little: there the rim's normal is as near to the axis.
#[test]
fn an_egg_beside_the_rim_of_a_cap_touches_it() {
    let (body, can) = (egg(), cylinder());
    for (seed, off) in (0..300_u64).map(|seed| (seed, powf(10_f64, -2.0 - 0.03 * seed as f64))) {
        let mut next = noise(seed);
        let (mut at, can_at) = (pose(&mut next, 1.0), pose(&mut next, 1.0));
        let up = can_at.turn * Vec3::y();
        let side = up.cross(&Vec3::new(next(), next(), next())).normalize();
        let lowest =
            PlacedPair { first: (&body, &at), second: (&can, &can_at) }.egg(Side::First).unwrap().support(&-up);
        let sign = if seed % 2 == 0 { 1.0 } else { -1.0 };
        at.position += can_at.position + up * 0.2 + side * (0.1 + sign * off) - lowest;
        let mut found = separation(&body, &at, &can, &can_at, None);
        for _ in 0..20 {
            at.position -= up * found.gap;
            found = separation(&body, &at, &can, &can_at, Some(found.normal));
        }
        let pair = PlacedPair { first: (&body, &at), second: (&can, &can_at) };
        let features = touching(&pair, &found, 1e-8);
        assert!(found.gap.abs() < 1e-14 && features.len() == 1, "off by {off:e}: {} {features:?}", found.gap);
        let contact = pair.contact(&features[0]).expect("it touches");
        assert!((contact.gap - found.gap).abs() < 1e-14, "off by {off:e}: {features:?} {}", contact.gap);
    }
}

/// Far from the origin places are rounded, to 1e-14 m at 100 m; normals, which see what is between the bodies, are not.
#[test]
fn an_egg_far_from_the_origin_touches_as_well() {
    for seed in 0..900_u64 {
        let mut next = noise(seed);
        let other = &others()[seed as usize % 9];
        let (mut at, mut other_at) = (pose(&mut next, 0.3), pose(&mut next, 0.3));
        let away = Vec3::new(-100.0, 60.0, 20.0) * (1.0 + seed as f64 / 900.0);
        at.position += away;
        other_at.position += away;
        let mut found = separation(&egg(), &at, other, &other_at, None);
        for _ in 0..60 {
            at.position -= found.normal * found.gap;
            found = separation(&egg(), &at, other, &other_at, Some(found.normal));
        }
        assert!(found.gap.abs() < 1e-12, "seed {seed}: {}", found.gap);
        let pair = PlacedPair { first: (&egg(), &at), second: (other, &other_at) };
        let features = touching(&pair, &found, 1e-9);
        assert!(features.len() == 1, "seed {seed}: {features:?} touch at {}", found.gap);
        let contact = pair.contact(&features[0]).expect("it touches");
        assert!((contact.normal - found.normal).norm() < 1e-9, "seed {seed}: {features:?}");
    }
}
