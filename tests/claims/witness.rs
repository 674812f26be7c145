//! How deep bodies overlap, by a witness that shares nothing with the program's own gap.
//!
//! Two convex bodies A and B overlap by no more than δ if there is a single unit direction d along which
//!
//! ```text
//! max{ b·d : b ∈ B } − min{ a·d : a ∈ A } ≤ δ                                                              (1)
//! ```
//!
//! for then δ along d parts them. So a direction is looked for, anywhere (the one of the last look, parry's search between
//! support functions, the program's own normal, small turns of the best), and only (1) is believed, whose two terms are a line
//! each for every shape. A depth that is told is never too small; it may be too large where no better direction was found.

use hattrick::geometry::mass::volume_integrals;
use hattrick::geometry::{Pose, Shape, Solid, separation};
use hattrick::math::rotation::exp;
use hattrick::math::{Mat3, Vec3};
use hattrick::simulation::Trajectory;
use hattrick::{Model, Scene, simulate};
use rapier3d_f64::parry::math::{Pose as ParryPose, Vector};
use rapier3d_f64::parry::query::details::contact_support_map_support_map_with_params;
use rapier3d_f64::parry::query::gjk::{GJKResult, VoronoiSimplex};
use rapier3d_f64::parry::shape::SupportMap;

/// A convex body in a frame of its own.
enum Core {
    Point,
    Segment { half: f64 },
    Cuboid { half: Vec3 },
    Cylinder { half: f64, radius: f64 },
    Cone { half: f64, radius: f64 },
    Egg { radius: f64, tip: f64, base: f64 },
    Points(Vec<Vec3>),
}

/// A convex piece of a body: its core, rounded, and where it is in the body.
struct Piece {
    core: Core,
    rounding: f64,
    in_body: Pose,
    /// A ball around it, in its own frame.
    middle: Vec3,
    reach: f64,
}

/// A body for the witness.
enum Form {
    HalfSpace(Vec3),
    Pieces(Vec<Piece>),
}

impl Core {
    /// The point that is farthest along d.
    fn support(&self, d: &Vec3) -> Vec3 {
        let level = d.x.hypot(d.z);
        let rim = |radius: f64, y: f64| {
            let part = if level > 0.0 { radius / level } else { 0.0 };
            Vec3::new(part * d.x, y, part * d.z)
        };
        match self {
            Core::Point => Vec3::zeros(),
            Core::Segment { half } => Vec3::y() * half.copysign(d.y),
            Core::Cuboid { half } => half.zip_map(d, f64::copysign),
            Core::Cylinder { half, radius } => rim(*radius, half.copysign(d.y)),
            Core::Cone { half, radius } => {
                let (tip, base) = (Vec3::y() * *half, rim(*radius, -half));
                if tip.dot(d) > base.dot(d) { tip } else { base }
            }
            Core::Egg { radius, tip, base } => {
                // Of the half ellipsoid that d points to: A²·d/|A·d| with its axes A.
                let axes = Vec3::new(*radius, if d.y > 0.0 { *tip } else { *base }, *radius);
                let stretched = axes.component_mul(d);
                axes.component_mul(&stretched) / stretched.norm().max(f64::MIN_POSITIVE)
            }
            Core::Points(points) => {
                let farther = |a: &Vec3, b: &Vec3| if b.dot(d) > a.dot(d) { *b } else { *a };
                points.iter().copied().reduce(|a, b| farther(&a, &b)).unwrap_or_default()
            }
        }
    }
}

impl SupportMap for Piece {
    fn local_support_point(&self, dir: Vector) -> Vector {
        let d = Vec3::new(dir.x, dir.y, dir.z);
        let d = d.try_normalize(0.0).unwrap_or(Vec3::y());
        let p = self.core.support(&d) + d * self.rounding;
        Vector::new(p.x, p.y, p.z)
    }
}

impl Piece {
    fn new(core: Core, rounding: f64, in_body: Pose) -> Piece {
        let end = |axis: usize, sign: f64| core.support(&Vec3::ith(axis, sign))[axis];
        let middle = Vec3::from_fn(|axis, _| 0.5 * (end(axis, 1.0) + end(axis, -1.0)));
        let half = Vec3::from_fn(|axis, _| 0.5 * (end(axis, 1.0) - end(axis, -1.0)));
        Piece { reach: half.norm() + rounding, core, rounding, in_body, middle }
    }

    /// How far it reaches along d from the origin of the world, `at` its own frame.
    fn reach_along(&self, at: &Pose, d: &Vec3) -> f64 {
        let own = at.turn.tr_mul(d);
        at.position.dot(d) + self.core.support(&own).dot(&own) + self.rounding
    }
}

/// The pieces of a shape, in the frame of the file.
fn pieces_of(shape: &Shape, frame: &Pose, pieces: &mut Vec<Piece>) {
    let mut add = |core: Core, rounding: f64| pieces.push(Piece::new(core, rounding, *frame));
    match shape {
        Shape::Ball { radius } => add(Core::Point, *radius),
        Shape::Particle => add(Core::Point, 0.0),
        Shape::Capsule { half_height, radius } => add(Core::Segment { half: *half_height }, *radius),
        Shape::Cuboid { half_extents } => add(Core::Cuboid { half: *half_extents }, 0.0),
        Shape::Hull { points } => add(Core::Points(points.clone()), 0.0),
        Shape::Cylinder { half_height, radius, segments: None } => {
            add(Core::Cylinder { half: *half_height, radius: *radius }, 0.0);
        }
        Shape::Cone { half_height, radius, segments: None } => {
            add(Core::Cone { half: *half_height, radius: *radius }, 0.0);
        }
        Shape::Egg { radius, tip, base, segments: None } => {
            add(Core::Egg { radius: *radius, tip: *tip, base: *base }, 0.0);
        }
        Shape::Compound { parts, .. } => {
            parts.iter().for_each(|part| pieces_of(&part.shape, &frame.after(&part.pose()), pieces));
        }
        Shape::HalfSpace { .. } => unreachable!("no part is a half-space"),
        // Bodies that the program itself puts together from flat pieces: where their corners are is part of what they are.
        Shape::Cylinder { .. }
        | Shape::Cone { .. }
        | Shape::Egg { .. }
        | Shape::Tube { .. }
        | Shape::Parabola { .. }
        | Shape::Mesh(_) => {
            let (solid, center) =
                (Solid::new(shape).expect("a volume"), volume_integrals(shape).expect("one").centroid);
            for k in 0..solid.piece_count() {
                let Solid::Convex { core, .. } = solid.piece(k) else { continue };
                add(Core::Points(core.vertices.iter().map(|corner| corner + center).collect()), 0.0);
            }
        }
    }
}

impl Form {
    fn new(shape: &Shape) -> Form {
        if let Shape::HalfSpace { normal } = shape {
            return Form::HalfSpace(normal.normalize());
        }
        let given = if let Shape::Compound { center_of_mass, .. } = shape { *center_of_mass } else { None };
        let center = given.or_else(|| Some(volume_integrals(shape)?.centroid)).unwrap_or_default();
        let mut pieces = Vec::new();
        pieces_of(shape, &Pose { position: -center, turn: Mat3::identity() }, &mut pieces);
        Form::Pieces(pieces)
    }
}

/// A scene's bodies as the witness sees them, with the direction that parted each pair of pieces at the last look.
pub struct Witness {
    forms: Vec<Form>,
    moves: Vec<bool>,
    solids: Vec<Solid>,
    last: std::collections::BTreeMap<[usize; 4], Vec3>,
    /// How many pairs of pieces were looked at.
    pub looks: u64,
}

impl Witness {
    pub fn new(scene: &Scene, trajectory: &Trajectory) -> Witness {
        let forms = scene.bodies.iter().map(|body| Form::new(&body.shape)).collect();
        let moves = trajectory.world().bodies.iter().map(|body| body.drive.is_pushed()).collect();
        let solids = trajectory.world().bodies.iter().map(|body| (*body.solid).clone()).collect();
        Witness { forms, moves, solids, last: std::collections::BTreeMap::new(), looks: 0 }
    }

    /// The deepest overlap of any two bodies at these poses that is deeper than `allowed`, m, and whose it is.
    pub fn deeper_than(&mut self, allowed: f64, poses: &[Pose]) -> Option<(f64, [usize; 2])> {
        let mut worst: Option<(f64, [usize; 2])> = None;
        for a in 0..poses.len() {
            for b in 0..a {
                if !self.moves[a] && !self.moves[b] {
                    continue;
                }
                let depth = self.depth([a, b], poses, allowed);
                if depth > worst.map_or(allowed, |(depth, _)| depth) {
                    worst = Some((depth, [b, a]));
                }
            }
        }
        worst
    }

    fn depth(&mut self, [a, b]: [usize; 2], poses: &[Pose], enough: f64) -> f64 {
        let Witness { forms, last, looks, solids, .. } = self;
        match (&forms[a], &forms[b]) {
            (Form::HalfSpace(_), Form::HalfSpace(_)) => f64::NEG_INFINITY,
            (Form::HalfSpace(normal), Form::Pieces(pieces)) => below(normal, &poses[a], pieces, &poses[b]),
            (Form::Pieces(pieces), Form::HalfSpace(normal)) => below(normal, &poses[b], pieces, &poses[a]),
            (Form::Pieces(first), Form::Pieces(second)) => {
                let mut deepest = f64::NEG_INFINITY;
                for (i, one) in first.iter().enumerate() {
                    let at = poses[a].after(&one.in_body);
                    for (j, other) in second.iter().enumerate() {
                        let other_at = poses[b].after(&other.in_body);
                        let way = at.point(&one.middle) - other_at.point(&other.middle);
                        if way.norm() > one.reach + other.reach || (one.reach == 0.0 && other.reach == 0.0) {
                            continue;
                        }
                        *looks += 1;
                        let key = [a, b, i, j];
                        let known = last.get(&key).map(|d| other_at.turn * d);
                        let normal = || {
                            // The same piece, where both count alike.
                            let piece = |body: usize, k: usize, count: usize| {
                                let solid = &solids[body];
                                if solid.piece_count() == count { solid.piece(k) } else { solid }
                            };
                            let (mine, its) = (piece(a, i, first.len()), piece(b, j, second.len()));
                            separation(mine, &poses[a], its, &poses[b], None).normal
                        };
                        let (depth, d) = overlap([one, other], [&at, &other_at], [known, Some(way)], normal, enough);
                        last.insert(key, other_at.turn.tr_mul(&d));
                        deepest = deepest.max(depth);
                    }
                }
                deepest
            }
        }
    }
}

/// How deep pieces are below a plane.
fn below(normal: &Vec3, plane: &Pose, pieces: &[Piece], at: &Pose) -> f64 {
    let up = plane.turn * normal;
    let depth = |piece: &Piece| piece.reach_along(&at.after(&piece.in_body), &-up) + up.dot(&plane.position);
    pieces.iter().map(depth).fold(f64::NEG_INFINITY, f64::max)
}

/// The left side of (1) for the best direction found, and that direction; a look ends where it is `enough`.
fn overlap(
    pieces: [&Piece; 2],
    at: [&Pose; 2],
    [known, way]: [Option<Vec3>; 2],
    normal: impl Fn() -> Vec3,
    enough: f64,
) -> (f64, Vec3) {
    let along = |d: &Vec3| pieces[1].reach_along(at[1], d) + pieces[0].reach_along(at[0], &-d);
    let mut best = (f64::INFINITY, Vec3::y());
    let consider = |d: Option<Vec3>, best: &mut (f64, Vec3)| {
        if let Some(d) = d.and_then(|d| d.try_normalize(1e-300)) {
            let found = along(&d);
            if found < best.0 {
                *best = (found, d);
            }
        }
        best.0 <= enough
    };
    if consider(known, &mut best)
        || consider(way, &mut best)
        || consider(searched(pieces, at), &mut best)
        || consider(Some(normal()), &mut best)
    {
        return best;
    }
    let mut angle = 0.3_f64;
    while angle > 1e-9 {
        let (from, (across, aside)) = (best, frame(&best.1));
        for k in 0..12 {
            let turn = 0.1 * angle.ln() + std::f64::consts::TAU * f64::from(k) / 12.0;
            let d = from.1 + (across * turn.cos() + aside * turn.sin()) * angle;
            if consider(Some(d), &mut best) {
                return best;
            }
        }
        if best.0 >= from.0 {
            angle *= 0.6;
        }
    }
    best
}

/// What parry finds between the support functions.
fn searched(pieces: [&Piece; 2], at: [&Pose; 2]) -> Option<Vec3> {
    let turn = at[0].turn.transpose();
    let place = turn * (at[1].position - at[0].position);
    let between = hattrick::math::rotation::log(&hattrick::math::Rotation::from_matrix(&(turn * at[1].turn)));
    let vector = |v: Vec3| Vector::new(v.x, v.y, v.z);
    let pose = ParryPose::new(vector(place), vector(between));
    let simplex = &mut VoronoiSimplex::new();
    let normal = match contact_support_map_support_map_with_params(&pose, pieces[0], pieces[1], 1e-3, simplex, None) {
        GJKResult::ClosestPoints(_, _, normal) | GJKResult::NoIntersection(normal) | GJKResult::Proximity(normal) => {
            normal
        }
        GJKResult::Intersection => return None,
    };
    // It points out of the first.
    Some(at[0].turn * -Vec3::new(normal.x, normal.y, normal.z))
}

/// Two directions across d.
fn frame(d: &Vec3) -> (Vec3, Vec3) {
    let across = d.cross(&Vec3::ith(d.iamin(), 1.0)).normalize();
    (across, d.cross(&across))
}

/// The witness itself: bodies pushed into each other by a known depth are found to be that deep.
#[test]
fn the_witness_finds_a_known_depth() {
    let text = |shape: &str, y: f64| {
        format!(
            "format = 1\nduration = 0.1\ngravity = [0, 0, 0]\n[[body]]\nname = \"table\"\nfixed = true\n\
             shape = {{ kind = \"cuboid\", half_extents = [0.5, 0.1, 0.5] }}\nposition = [0, -0.1, 0]\n\
             [[body]]\nname = \"it\"\nshape = {{ {shape} }}\nposition = [0.1, {y:?}, 0.05]\n"
        )
    };
    for (shape, height) in [
        ("kind = \"ball\", radius = 0.1", 0.1),
        ("kind = \"cuboid\", half_extents = [0.1, 0.2, 0.3]", 0.2),
        ("kind = \"capsule\", half_height = 0.2, radius = 0.1", 0.3),
        ("kind = \"cylinder\", half_height = 0.2, radius = 0.1", 0.2),
        ("kind = \"cone\", half_height = 0.2, radius = 0.1", 0.1),
        ("kind = \"cylinder\", half_height = 0.2, radius = 0.1, segments = 9", 0.2),
        ("kind = \"egg\", radius = 0.1, tip = 0.16, base = 0.08", 0.08 + 0.375 * 0.08),
        ("kind = \"tube\", half_height = 0.2, radius = 0.1, top_radius = 0.1, thickness = 0.02", 0.2),
    ] {
        // Apart, as a scene must begin.
        let text = text(shape, height + 1e-3);
        let scene = Scene::parse(&text, "depth.toml").unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
        let mut witness = Witness::new(&scene, &simulate(&model, &model.control()));
        let pose = |body: &hattrick::scene::Body| Pose::new(body.position, &exp(body.rotation));
        let mut poses: Vec<Pose> = scene.bodies.iter().map(pose).collect();
        for depth in [-1e-5, 1e-5, 1e-3] {
            poses[1].position.y = height - depth;
            let found = witness.deeper_than(1e-6, &poses).map_or(0.0, |(depth, _)| depth);
            let expected = if depth > 1e-6 { depth } else { 0.0 };
            assert!((found - expected).abs() < 1e-7, "{shape}: {found:e} instead of {expected:e}");
        }
    }
}
