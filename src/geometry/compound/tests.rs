//! Pieces against what they make together.

use std::f64::consts::TAU;

use crate::geometry::feature::{Feature, PatchCorner, Side};
use crate::geometry::mass::shapes::volume_integrals;
use crate::geometry::placed::PlacedPair;
use crate::geometry::pose::Pose;
use crate::geometry::separation::separation;
use crate::geometry::solid::Solid;
use crate::geometry::touching::touching;
use crate::geometry::{Part, Shape};
use crate::math::Vec3;
use crate::math::difference::check_jacobian;
use crate::math::elementary::{cos, sin};
use crate::math::rotation::exp;

fn part(shape: Shape, position: [f64; 3], rotation: [f64; 3]) -> Part {
    Part { shape, position: position.into(), rotation: rotation.into() }
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid { half_extents: Vec3::new(x, y, z) }
}

fn compound(parts: Vec<Part>) -> Shape {
    Shape::Compound { parts, center_of_mass: None }
}

/// A slab cut in two at x = 0.
fn slab() -> Shape {
    let half = || cuboid(0.5, 0.1, 0.4);
    compound(vec![part(half(), [-0.5, 0.0, 0.0], [0.0; 3]), part(half(), [0.5, 0.0, 0.0], [0.0; 3])])
}

/// One of everything that a part can be.
fn gadget() -> Shape {
    let hull = Shape::Hull { points: vec![Vec3::zeros(), Vec3::x() * 0.3, Vec3::y() * 0.4, Vec3::z() * 0.2] };
    let (half_height, radius, top_radius, thickness) = (0.1, 0.15, 0.2, 0.03);
    let tube = Shape::Tube { half_height, radius, top_radius, thickness, arc: [0.3, 0.3 + TAU / 2.0], segments: 4 };
    compound(vec![
        part(Shape::Ball { radius: 0.1 }, [0.4, 0.0, 0.0], [0.0; 3]),
        part(cuboid(0.1, 0.2, 0.05), [-0.1, 0.3, 0.2], [0.3, -0.2, 0.5]),
        part(Shape::Capsule { half_height: 0.2, radius: 0.05 }, [0.0, -0.4, 0.1], [1.0, 0.2, 0.3]),
        part(hull, [0.1, 0.2, -0.3], [0.2, 0.9, -0.4]),
        part(tube, [-0.3, -0.2, 0.0], [0.5, 0.1, 0.2]),
    ])
}

fn placed(x: f64, y: f64, z: f64, turn: [f64; 3]) -> Pose {
    Pose::new(Vec3::new(x, y, z), &exp(turn.into()))
}

#[test]
fn a_body_is_as_far_as_its_nearest_piece() {
    let (body, other) = (Solid::new(&gadget()).unwrap(), Solid::new(&slab()).unwrap());
    for k in 0..100 {
        let a = k as f64;
        let at = placed(sin(a * 1.7), cos(a * 2.3), sin(a * 0.9), [sin(a), cos(a), sin(2.0 * a)]);
        let other_at = placed(0.1, -0.2, 0.0, [0.2, 0.1, cos(a)]);
        let found = separation(&body, &at, &other, &other_at, None).gap;
        let mut least = f64::INFINITY;
        for i in 0..body.piece_count() {
            for j in 0..other.piece_count() {
                least = least.min(separation(body.piece(i), &at, other.piece(j), &other_at, None).gap);
            }
        }
        assert_eq!(found, least, "case {k}");
    }
}

#[test]
fn a_cut_slab_weighs_what_the_slab_weighs() {
    let (cut, whole) = (volume_integrals(&slab()).unwrap(), volume_integrals(&cuboid(1.0, 0.1, 0.4)).unwrap());
    assert!((cut.volume - whole.volume).abs() < 1e-15 && cut.centroid.norm() < 1e-15);
    assert!((cut.inertia - whole.inertia).norm() < 1e-15, "{} {}", cut.inertia, whole.inertia);
}

#[test]
fn a_turned_part_takes_its_moments_along() {
    let turn = [0.4, -0.3, 0.8];
    let alone = compound(vec![part(cuboid(0.3, 0.2, 0.1), [1.0, 2.0, 3.0], turn)]);
    let found = volume_integrals(&alone).unwrap();
    let axes = found.body_from_principal.to_rotation_matrix().into_inner();
    let tensor = axes * crate::math::Mat3::from_diagonal(&found.inertia) * axes.transpose();
    let exact = exp(turn.into()).to_rotation_matrix().into_inner();
    let moments = volume_integrals(&cuboid(0.3, 0.2, 0.1)).unwrap().inertia;
    let exact = exact * crate::math::Mat3::from_diagonal(&moments) * exact.transpose();
    assert!((tensor - exact).norm() < 1e-15, "{tensor} {exact}");
    assert!((found.centroid - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
}

#[test]
fn a_box_across_a_seam_touches_once_at_each_corner_of_both_patches() {
    let (floor, cube) = (Solid::new(&slab()).unwrap(), Solid::new(&cuboid(0.2, 0.2, 0.2)).unwrap());
    let floor_at = placed(0.0, 0.0, 0.0, [0.0; 3]);
    let at = placed(0.05, 0.3, 0.0, [0.0; 3]);
    let pair = PlacedPair { first: (&cube, &at), second: (&floor, &floor_at) };
    let features = touching(&pair, &separation(&cube, &at, &floor, &floor_at, None), 1e-8);
    // Four corners of the box, and two points on the seam, which both halves have.
    assert_eq!(features.len(), 6, "{features:?}");
    for feature in &features {
        let contact = pair.contact(feature).unwrap();
        assert!(contact.gap.abs() < 1e-15 && (contact.normal - Vec3::y()).norm() < 1e-15, "{contact:?}");
    }
}

#[test]
fn faces_inside_a_body_do_not_touch() {
    let Solid::Compound(slab) = Solid::new(&slab()).unwrap() else { panic!("two pieces") };
    // +x of the left half and −x of the right half.
    assert_eq!(slab.pieces[0].covered, [true, false, false, false, false, false]);
    assert_eq!(slab.pieces[1].covered, [false, true, false, false, false, false]);
    assert_eq!(slab.pieces[0].seams.iter().filter(|seam| **seam).count(), 4);
    // A vertex that slides over the seam a little too deep sees only the top.
    let floor = Solid::Compound(slab);
    let needle = Shape::Hull {
        points: vec![Vec3::zeros(), Vec3::new(0.1, 0.3, 0.0), Vec3::new(-0.1, 0.3, 0.1), Vec3::new(-0.1, 0.3, -0.1)],
    };
    let needle = Solid::new(&needle).unwrap();
    let Solid::Convex { core, .. } = &needle else { panic!("one piece") };
    let tip = core.vertices.iter().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    let floor_at = placed(0.0, 0.0, 0.0, [0.0; 3]);
    let at = placed(5e-9 - tip.x, 0.1 - tip.y - 2e-9, -tip.z, [0.0; 3]);
    let pair = PlacedPair { first: (&needle, &at), second: (&floor, &floor_at) };
    let features = touching(&pair, &separation(&needle, &at, &floor, &floor_at, None), 1e-8);
    assert_eq!(features.len(), 1, "{features:?}");
    assert!((pair.contact(&features[0]).unwrap().normal - Vec3::y()).norm() < 1e-12);
}

#[test]
fn staves_cover_the_sides_they_share() {
    let (half_height, radius, top_radius, thickness) = (0.1, 0.15, 0.2, 0.03);
    let ring = |arc, segments| {
        let tube = Shape::Tube { half_height, radius, top_radius, thickness, arc, segments };
        let Solid::Compound(tube) = Solid::new(&tube).unwrap() else { panic!("several pieces") };
        // Seams are flat along rims and turn inward inside; outside they are ridges.
        assert!(tube.pieces[1].seams.iter().filter(|seam| **seam).count() == 6);
        tube.pieces.iter().map(|piece| piece.covered.iter().filter(|covered| **covered).count()).collect::<Vec<_>>()
    };
    assert_eq!(ring([0.0, TAU], 12), [2; 12]);
    assert_eq!(ring([0.0, 2.0], 3), [1, 2, 1]);
}

/// Gap (row 0), point (rows 1–3) and normal (rows 4–6) of features of pieces, by both poses.
#[test]
fn features_of_pieces_know_their_derivatives() {
    let (body, other) = (Solid::new(&gadget()).unwrap(), Solid::new(&gadget()).unwrap());
    let plane = Solid::HalfSpace(Vec3::new(0.6, 0.8, 0.0));
    let last = |solid: &Solid| solid.first_numbers(solid.piece_count() - 1);
    let (own, others) = (last(&body), last(&other));
    let cases = [
        (&plane, Feature::VertexPlane { vertex: own.vertex + 3 }),
        (&other, Feature::VertexFace { owner: Side::First, vertex: 0, face: others.face + 2 }),
        (&other, Feature::VertexFace { owner: Side::Second, vertex: others.vertex + 5, face: 1 }),
        (&other, Feature::VertexVertex { first: 0, second: own.vertex + 1 }),
        (&other, Feature::VertexEdge { owner: Side::Second, vertex: 0, edge: own.edge + 4 }),
        (&other, Feature::EdgeEdge { first: 3, second: others.edge + 7 }),
        (
            &other,
            Feature::Patch {
                reference: Side::Second,
                face: others.face,
                incident_face: 2,
                corner: PatchCorner::Vertex(others.vertex + 2),
            },
        ),
    ];
    for (second, feature) in cases {
        check_feature(&body, second, feature);
    }
}

#[track_caller]
fn check_feature(first: &Solid, second: &Solid, feature: Feature) {
    let turns = [exp(Vec3::new(0.3, -0.5, 0.9)), exp(Vec3::new(-0.2, 0.4, 0.1))];
    let positions = [Vec3::new(0.1, 0.7, -0.2), Vec3::new(-0.1, -0.1, 0.3)];
    let poses = |x: &[f64]| -> [Pose; 2] {
        std::array::from_fn(|k| {
            let v = |o: usize| Vec3::new(x[6 * k + o], x[6 * k + o + 1], x[6 * k + o + 2]);
            Pose::new(positions[k] + v(0), &(exp(v(3)) * turns[k]))
        })
    };
    let value = |x: &[f64]| {
        let poses = poses(x);
        let pair = PlacedPair { first: (first, &poses[0]), second: (second, &poses[1]) };
        let c = pair.contact(&feature).unwrap();
        vec![c.gap, c.point.x, c.point.y, c.point.z, c.normal.x, c.normal.y, c.normal.z]
    };
    let start = [0.0; 12];
    let at = poses(&start);
    let d = PlacedPair { first: (first, &at[0]), second: (second, &at[1]) }.contact_derivative(&feature).unwrap();
    check_jacobian(value, &start, |row, col| match row {
        0 => d.dgap[col],
        1..=3 => d.dpoint[(row - 1, col)],
        _ => d.dnormal[(row - 4, col)],
    });
}

#[test]
fn a_scaled_body_is_that_of_scaled_parts() {
    let small = Solid::new(&slab()).unwrap().scaled(0.5);
    let half = || cuboid(0.25, 0.05, 0.2);
    let parts = vec![part(half(), [-0.25, 0.0, 0.0], [0.0; 3]), part(half(), [0.25, 0.0, 0.0], [0.0; 3])];
    let exact = Solid::new(&compound(parts)).unwrap();
    let ball = Solid::new(&Shape::Ball { radius: 0.1 }).unwrap();
    let (at, other_at) = (placed(0.3, 0.6, 0.1, [0.1, 0.2, 0.3]), placed(0.0, 0.0, 0.0, [0.3, 0.1, 0.2]));
    let gap = |solid: &Solid| separation(&ball, &at, solid, &other_at, None).gap;
    assert!((gap(&small) - gap(&exact)).abs() < 1e-15 && (small.reach() - exact.reach()).abs() < 1e-15);
}
