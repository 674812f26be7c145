//! The same bodies in rapier3d-f64, and how long things take: what every comparison of these benches shares.
//!
//! Rapier's bodies may sleep, as ours do. Every convex piece of a body becomes a box, a capsule, a cylinder or the hull of its
//! corners there; a particle is a ball of a millimetre.

use std::f64::consts::TAU;
use std::time::Instant;

use hattrick::geometry::polytope::Polytope;
use hattrick::geometry::{Egg, Round, Solid};
use hattrick::math::elementary::{cos, sin};
use hattrick::math::{Vec3, rotation};
use hattrick::model::World;
use rapier3d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, IntegrationParameters, PhysicsWorld, Pose, RigidBodyBuilder, SharedShape,
    Vector,
};

/// Rapier's step, s.
const STEP: f64 = 1.0 / 240.0;
/// A particle's radius there, m.
const PARTICLE: f64 = 1e-3;

/// How long rapier takes to step the bodies of a world for this time (s) of theirs.
pub fn rapier_seconds(world: &World, duration: f64) -> f64 {
    let mut rapier = rapier_world(world);
    seconds(|| (0..(duration / STEP) as usize).for_each(|_| rapier.step()))
}

/// How long some work takes.
pub fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The middle one of some times.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn rapier_world(ours: &World) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = vector(&ours.gravity);
    world.integration_parameters = IntegrationParameters { dt: STEP, ..Default::default() };
    for body in &ours.bodies {
        let state = &body.initial;
        let builder = if !body.drive.is_pushed() { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
        let builder = builder
            .translation(vector(&state.position))
            .rotation(vector(&rotation::log(&state.rotation)))
            .linvel(vector(&state.velocity))
            .angvel(vector(&state.spin));
        let rule = CoefficientCombineRule::Average;
        let collider = ColliderBuilder::new(shape(&body.solid)).restitution(body.restitution).friction(body.friction);
        let collider = collider.restitution_combine_rule(rule).friction_combine_rule(rule);
        world.insert(builder, if !body.drive.is_pushed() { collider } else { collider.mass(body.mass.mass) });
    }
    world
}

fn shape(solid: &Solid) -> SharedShape {
    match solid {
        Solid::HalfSpace(normal) => SharedShape::halfspace(vector(normal)),
        Solid::Convex { core, radius } => convex(core, *radius),
        Solid::Compound(compound) => {
            let pieces = compound.pieces.iter().map(|piece| (Pose::IDENTITY, shape(&piece.solid)));
            SharedShape::compound(pieces.collect())
        }
    }
}

fn convex(core: &Polytope, radius: f64) -> SharedShape {
    if let Some(egg) = core.as_egg() {
        return SharedShape::convex_hull(&corners(egg)).expect("an egg has a volume");
    }
    match (&core.vertices[..], &core.boxed) {
        // A ball in the middle; parts of shipped compounds are none.
        ([_], _) => SharedShape::ball(radius.max(PARTICLE)),
        ([a, b], _) => SharedShape::capsule(vector(a), vector(b), radius),
        // A cylinder of its own body; parts and cones come as hulls of their corners.
        (_, None) if core.as_round().is_some_and(is_cylinder) => {
            SharedShape::cylinder(core.vertices[0].y.abs(), core.vertices[0].xz().norm())
        }
        (_, Some(frame)) if frame.pose.is_none() => SharedShape::cuboid(frame.half.x, frame.half.y, frame.half.z),
        (corners, _) => {
            let points: Vec<Vector> = corners.iter().map(vector).collect();
            SharedShape::convex_hull(&points).expect("a hull has a volume")
        }
    }
}

/// Of the polyhedron that stands for an egg: sixteen around, eight from end to end.
fn corners(egg: &Egg) -> Vec<Vector> {
    let direction = |k: u32| {
        let (around, up) = (f64::from(k % 16) * TAU / 16.0, f64::from(1 + k / 16) * TAU / 16.0);
        Vec3::new(sin(up) * sin(around), cos(up), sin(up) * cos(around))
    };
    let between = (0..16 * 7).map(direction);
    between.chain([Vec3::y(), -Vec3::y()]).map(|along| vector(&egg.support(&along))).collect()
}

fn is_cylinder(round: &Round) -> bool {
    let [low, high] = round.ends;
    round.axis == Vec3::y() && low.radius == high.radius && low.center == -high.center
}

fn vector(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}
