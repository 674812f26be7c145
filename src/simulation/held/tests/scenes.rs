//! Groups at random states, touching to within 1e-5 m so that the projection has something to do.

use super::*;
use crate::geometry::mass::volume_integrals;
use crate::geometry::{Feature, PlacedPair, Shape, separation, touching};
use crate::math::Rotation;
use crate::math::elementary::{cos, sin};
use crate::math::rotation::exp;

const STEP: f64 = 1.0 / 240.0;
const GRAVITY: Vec3 = Vec3::new(0.3, -9.81, 0.2);

fn member(body: u32, shape: &Shape, mass: f64) -> Member {
    let inertia = volume_integrals(shape).map_or(Vec3::zeros(), |volume| volume.inertia * (mass / volume.volume));
    let mass = MassProperties { mass, inertia, body_from_principal: Rotation::identity() };
    Member { body: BodyId(body), mass, solid: Arc::new(Solid::new(shape).unwrap()) }
}

fn at(position: Vec3, rotation: Rotation) -> BodyState {
    BodyState { position, rotation, velocity: Vec3::zeros(), spin: Vec3::zeros() }
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid { half_extents: Vec3::new(x, y, z) }
}

/// The bodies, with contacts wherever pairs touch; later bodies are first in their pairs.
fn setup(bodies: Vec<(Shape, f64, BodyState)>, friction: f64) -> Setup {
    let members: Vec<Member> = bodies.iter().enumerate().map(|(k, b)| member(k as u32, &b.0, b.1)).collect();
    let start: Vec<BodyState> = bodies.iter().map(|body| body.2).collect();
    let mut contacts = Vec::new();
    for first in 0..members.len() {
        for second in 0..first {
            let poses = [start[first].pose(), start[second].pose()];
            let solids = [&*members[first].solid, &*members[second].solid];
            let pair = PlacedPair { first: (solids[0], &poses[0]), second: (solids[1], &poses[1]) };
            let apart = separation(solids[0], &poses[0], solids[1], &poses[1], None);
            let pair_of = Pair { first: members[first].body, second: members[second].body };
            let contact =
                |feature| HeldContact { pair: pair_of, first, second, feature, friction, rolling: 0.0, late: false };
            contacts.extend(touching(&pair, &apart, 1e-8).into_iter().map(contact));
        }
    }
    Setup { group: Arc::new(HeldGroup { members, contacts, gravity: GRAVITY }), start, s: STEP }
}

/// Two boxes that are said to touch where edges of theirs are parallel.
pub(super) fn parallel_edges() -> Setup {
    let boxes = [0.0, 0.5].map(|y| (cuboid(0.1, 0.1, 0.1), 1.0, at(Vec3::new(0.0, y, 0.0), Rotation::identity())));
    let mut setup = setup(boxes.to_vec(), 0.3);
    let (pair, feature) = (Pair { first: BodyId(1), second: BodyId(0) }, Feature::EdgeEdge { first: 0, second: 0 });
    let contact = HeldContact { pair, first: 1, second: 0, feature, friction: 0.3, rolling: 0.0, late: false };
    Arc::make_mut(&mut setup.group).contacts.push(contact);
    setup.start[1].velocity = Vec3::new(1.0, -0.001, 0.0);
    setup
}

fn floor() -> (Shape, f64, BodyState) {
    let shape = Shape::HalfSpace { normal: Vec3::y() };
    (shape, f64::INFINITY, at(Vec3::zeros(), Rotation::identity()))
}

/// Moves bodies a little out of contact and gives them velocities.
fn stirred(mut setup: Setup, random: &mut Random, size: f64) -> Setup {
    for (member, state) in setup.group.members.iter().zip(&mut setup.start) {
        if member.is_pushed() {
            let (shift, turn) = (random.vector(size), random.vector(size));
            *state = BodyState { velocity: state.velocity, spin: state.spin, ..displaced(state, &shift, &turn) };
        }
    }
    setup
}

/// A box flat on the floor with speeds of the given size.
pub(super) fn flat_box(seed: u64, speed: f64, friction: f64) -> Setup {
    let random = &mut Random::new(seed);
    let mut state = at(Vec3::new(random.next(), 0.12, random.next()), exp(Vec3::y() * random.next()));
    (state.velocity, state.spin) = (random.vector(speed), random.vector(speed));
    (state.velocity.y, state.spin.x, state.spin.z) = (0.003, 0.002, -0.004);
    let setup = setup(vec![floor(), (cuboid(0.2, 0.12, 0.08), 3.0, state)], friction);
    stirred(setup, random, 1e-5)
}

/// A plank that pivots about the edge it stands on, which sticks.
pub(super) fn plank_on_edge(seed: u64) -> Setup {
    let random = &mut Random::new(seed);
    let tilt = 0.4 + 0.2 * random.next();
    let rotation = exp(Vec3::y() * random.next()) * exp(Vec3::z() * tilt);
    let height = 0.5 * sin(tilt) + 0.03 * cos(tilt);
    let mut state = at(Vec3::new(0.1, height, 0.3), rotation);
    let edge = rotation * Vec3::new(-0.5, -0.03, 0.0);
    state.spin = rotation * Vec3::z() * (1.0 + random.next());
    state.velocity = -state.spin.cross(&edge);
    let setup = setup(vec![floor(), (cuboid(0.5, 0.03, 0.1), 3.0, state)], 2.0);
    stirred(setup, random, 1e-5)
}

/// A box on one corner, which sticks or slides by its speed.
pub(super) fn box_on_corner(seed: u64, speed: f64) -> Setup {
    let random = &mut Random::new(seed);
    let rotation = exp(Vec3::new(0.5, 0.3, 0.6));
    let corners = [-1.0, 1.0].into_iter().flat_map(|x| [-1.0, 1.0].map(|y| (x, y)));
    let corners = corners.flat_map(|(x, y)| [-1.0, 1.0].map(|z| rotation * Vec3::new(0.2 * x, 0.12 * y, 0.08 * z)));
    let lowest = corners.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    let mut state = at(Vec3::new(0.1, -lowest.y, 0.3), rotation);
    state.spin = random.vector(3.0);
    state.velocity = -state.spin.cross(&lowest) + Vec3::new(1.0, 0.0, random.next()) * speed;
    let setup = setup(vec![floor(), (cuboid(0.2, 0.12, 0.08), 3.0, state)], 0.4);
    stirred(setup, random, 1e-5)
}

/// A ball that rolls, or slides where it has a speed beside.
pub(super) fn ball(seed: u64, speed: f64) -> Setup {
    let random = &mut Random::new(seed);
    let mut state = at(Vec3::new(0.1, 0.15, 0.3), exp(random.vector(1.0)));
    state.spin = random.vector(5.0);
    state.velocity = state.spin.cross(&Vec3::new(0.0, 0.15, 0.0)) + Vec3::new(1.0, 0.0, random.next()) * speed;
    let setup = setup(vec![floor(), (Shape::Ball { radius: 0.15 }, 3.0, state)], 0.4);
    stirred(setup, random, 1e-5)
}

/// A ball on a ball, both free and pushed together: the normal turns.
pub(super) fn ball_on_ball(seed: u64, speed: f64) -> Setup {
    let random = &mut Random::new(seed);
    let normal = Vec3::new(0.3, 1.0, 0.2).normalize();
    let mut lower = at(Vec3::zeros(), exp(random.vector(1.0)));
    let mut upper = at(normal * 0.25, exp(random.vector(1.0)));
    (lower.spin, lower.velocity) = (random.vector(speed), normal * 0.05);
    (upper.spin, upper.velocity) = (random.vector(speed), normal.cross(&random.vector(speed)));
    let balls = vec![(Shape::Ball { radius: 0.15 }, 3.0, lower), (Shape::Ball { radius: 0.1 }, 1.0, upper)];
    stirred(setup(balls, 0.4), random, 1e-5)
}

/// A box flat on another, both free, pushed together and turned so that edges cross.
pub(super) fn box_on_box(seed: u64, speed: f64) -> Setup {
    let random = &mut Random::new(seed);
    let tilt = exp(Vec3::new(0.3, 0.2, -0.4));
    let turn = exp(Vec3::y() * (0.5 + 0.2 * random.next()));
    let mut lower = at(Vec3::zeros(), tilt);
    let mut upper = at(tilt * Vec3::new(0.02, 0.25, 0.01), tilt * turn);
    let spin = random.vector(1.0);
    (lower.spin, upper.spin) = (spin, spin + tilt * Vec3::y() * speed * random.next());
    upper.velocity = spin.cross(&upper.position) + tilt * Vec3::new(speed, -0.06, speed * random.next());
    let boxes = vec![(cuboid(0.2, 0.15, 0.12), 3.0, lower), (cuboid(0.15, 0.1, 0.15), 1.5, upper)];
    stirred(setup(boxes, 0.3), random, 1e-6)
}

/// Three boxes on the floor and each other; each slides over the one below where it has a speed.
pub(super) fn stack(seed: u64, speed: f64) -> Setup {
    let random = &mut Random::new(seed);
    let mut bodies = vec![floor()];
    for k in 0..3 {
        let shift = Vec3::new(0.01 * random.next(), 0.1 + 0.2 * f64::from(k), 0.01 * random.next());
        let mut state = at(shift, exp(Vec3::y() * (0.3 * f64::from(k) + 0.05 * random.next())));
        state.velocity = Vec3::new(f64::from(k + 1), 0.0, random.next()) * speed;
        state.spin = Vec3::y() * (speed * random.next());
        bodies.push((cuboid(0.15 - 0.02 * f64::from(k), 0.1, 0.14), 3.0, state));
    }
    stirred(setup(bodies, 0.3), random, 1e-6)
}

/// A ball that slides or rolls against rolling resistance.
pub(super) fn resisted_ball(seed: u64, speed: f64) -> Setup {
    let mut setup = ball(seed, speed);
    Arc::make_mut(&mut setup.group).contacts[0].rolling = 0.004;
    setup
}

/// A box flat on the floor.
pub(super) fn box_at_rest() -> Setup {
    setup(vec![floor(), (cuboid(0.2, 0.12, 0.08), 3.0, at(Vec3::new(0.3, 0.12, -0.1), Rotation::identity()))], 0.4)
}

/// A ball on the floor.
pub(super) fn ball_at_rest() -> Setup {
    let state = at(Vec3::new(0.3, 0.15, -0.1), Rotation::identity());
    setup(vec![floor(), (Shape::Ball { radius: 0.15 }, 3.0, state)], 0.4)
}
