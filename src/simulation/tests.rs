//! What motions promise to searches: bounds that bound, swept volumes that cover, and searches that find the first meeting
//! with a half-space however it moves.
//!
//! Flights and steps of random bodies are compared with their own states at many times. A half-space that flies stands
//! for any that moves and turns.

use super::held::{Bend, StepPath};
use super::limits::SearchLimit;
use super::motion::Motion;
use super::search::candidates::Swept;
use super::search::clearance::Mover;
use super::search::closing::first_closing;
use super::search::pursuit::{Search, Workspace};
use crate::dynamics::{BodyState, Flight, MassProperties};
use crate::geometry::{Part, Shape, Solid, separation};
use crate::math::{Rotation, Vec3, rotation};

/// How long the motions are looked at, s.
const LENGTH: f64 = 0.05;
/// Times of each.
const LOOKS: u32 = 40;

/// Repeatable numbers in (−1, 1).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        random.next();
        random
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * ((self.0 >> 11) as f64 / (1u64 << 53) as f64) - 1.0
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * size
    }

    fn state(&mut self, spin: f64) -> BodyState {
        BodyState {
            position: self.vector(1.0),
            rotation: rotation::exp(self.vector(2.0)),
            velocity: self.vector(3.0),
            spin: self.vector(spin),
        }
    }

    /// Of a body with equal moments, two equal ones, or none.
    fn flight(&mut self, t: f64, state: BodyState, gravity: Vec3) -> Motion {
        let inertia = match self.next() {
            kind if kind < -0.3 => Vec3::repeat(0.04),
            kind if kind < 0.3 => Vec3::new(0.05, 0.05, 0.03),
            _ => Vec3::new(0.02, 0.05, 0.06),
        };
        let mass = MassProperties { mass: 2.0, inertia, body_from_principal: Rotation::identity() };
        let mut motion = Motion::Flight(Flight::new(&mass, gravity, t, state));
        motion.extend_to(t + LENGTH);
        motion
    }

    fn step(&mut self, t: f64, start: BodyState) -> Motion {
        let bend = if self.next() < 0.0 { Bend::Late } else { Bend::Early };
        let (acceleration, spin_rate) = (self.vector(20.0), self.vector(50.0));
        let correction = [self.vector(1e-3), self.vector(1e-3)];
        Motion::Step(StepPath { t, length: LENGTH, start, acceleration, spin_rate, correction, bend })
    }

    fn motion(&mut self, t: f64) -> Motion {
        let start = self.state(10.0);
        match self.next() {
            kind if kind < 0.0 => self.flight(t, start, Vec3::new(0.3, -9.81, 0.1)),
            kind if kind < 0.8 => self.step(t, start),
            _ => Motion::Rest(BodyState { velocity: Vec3::zeros(), spin: Vec3::zeros(), ..start }),
        }
    }
}

fn times(from: f64) -> impl Iterator<Item = f64> {
    (0..=LOOKS).map(move |k| from + LENGTH * f64::from(k) / f64::from(LOOKS))
}

/// Velocity and spin of the path.
fn rates(motion: &Motion, t: f64) -> [Vec3; 2] {
    let rate = motion.rate(t);
    [rate.fixed_rows::<3>(0).into(), rate.fixed_rows::<3>(3).into()]
}

#[test]
fn bounds_hold_along_flights_and_steps() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let t0 = random.next().abs();
        let (motion, arm) = (random.motion(t0), random.vector(0.5));
        let bounds = motion.bounds(t0, t0 + LENGTH);
        let (start, [velocity, spin]) = (motion.along_path(t0), rates(&motion, t0));
        let (low, high) = bounds.path_box(&start, LENGTH);
        let rotated = start.rotation * arm;
        for t in times(t0) {
            let (state, x) = (motion.at(t), t - t0);
            let [v, w] = rates(&motion, t);
            assert!(w.norm() <= bounds.spin * (1.0 + 1e-12), "seed {seed}: turns with {} rad/s", w.norm());
            let strayed = (v - velocity - bounds.acceleration * x).norm();
            assert!(strayed <= bounds.unsteadiness * x + 1e-12, "seed {seed}: {strayed} m/s off");
            let turned = (w - spin).norm();
            assert!(turned <= bounds.spin_rate * x + 1e-12, "seed {seed}: spin changed by {turned} rad/s");
            for k in 0..3 {
                let place = state.position[k];
                assert!(place >= low[k] - 1e-12 && place <= high[k] + 1e-12, "seed {seed}: out of the box at {t}");
            }
            let bent = (state.rotation * arm - rotated - spin.cross(&rotated) * x).norm();
            let most = 0.5 * bounds.bend() * arm.norm() * x * x;
            assert!(bent <= most + 1e-12, "seed {seed}: an arm bent by {bent} m of {most} m");
            let far = bounds.farthest(velocity.norm(), x);
            assert!((state.position - start.position).norm() <= far + 1e-12, "seed {seed}: farther than {far} m");
        }
    }
}

#[test]
fn swept_volumes_cover_what_moves_and_turns() {
    let cuboid = Solid::new(&Shape::Cuboid { half_extents: Vec3::new(0.3, 0.2, 0.1) }).expect("a solid");
    let mut met = [0; 2];
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let (motion, normal) = (random.motion(0.0), random.vector(1.0).normalize());
        let (swept, half_space) = (Swept::new(&cuboid, &motion, 0.0, LENGTH), Solid::HalfSpace(normal));
        let below = Swept::new(&half_space, &motion, 0.0, LENGTH);
        let height = |t: f64, y: &Vec3| {
            let state = motion.at(t);
            (state.rotation * normal).dot(&(y - state.position))
        };
        for t in times(0.0) {
            let corner = Vec3::from_fn(|k, _| [0.3, 0.2, 0.1][k] * random.next().signum());
            let place = motion.at(t).pose().point(&corner);
            assert!(swept.meets(&Swept::Box(place, place)), "seed {seed}: a corner at {t} s");
            let y = random.vector(3.0);
            let inside = height(t, &y) <= 0.0;
            let listed = below.meets(&Swept::Box(y, y));
            assert!(listed || !inside, "seed {seed}: a place below the plane at {t} s");
            // What lies far above all the time is not listed.
            met[usize::from(listed)] += 1;
            if let Motion::Rest(_) = motion {
                assert_eq!(listed, inside, "seed {seed}");
            }
        }
    }
    assert!(met.iter().all(|count| *count > 1000), "{met:?}");
}

/// The first look at which a body is below the level it starts from, or inside.
fn first_seen(movers: [Mover; 2], looks: u32) -> Option<f64> {
    let gap = |t: f64| {
        let [a, b] = movers.map(|mover| mover.motion.at(t).pose());
        separation(movers[0].solid, &a, movers[1].solid, &b, None).gap
    };
    (1..=looks).map(|k| LENGTH * f64::from(k) / f64::from(looks)).find(|t| gap(*t) < -1e-9)
}

#[test]
fn the_first_meeting_with_a_half_space_that_moves_and_turns_is_found() {
    const FINE: u32 = 2000;
    let part = |x: f64| Part {
        shape: Shape::Cuboid { half_extents: Vec3::new(0.05, 0.03, 0.04) },
        position: Vec3::new(x, 0.0, 0.0),
        rotation: Vec3::zeros(),
    };
    let shapes = [
        Shape::Cuboid { half_extents: Vec3::new(0.1, 0.05, 0.08) },
        Shape::Ball { radius: 0.07 },
        Shape::Compound { parts: vec![part(-0.2), part(0.2)], center_of_mass: None },
    ];
    let (mut found, mut passed, mut steps) = (0, 0, 0);
    for seed in 0..240 {
        let mut random = Random::new(seed);
        let solid = Solid::new(&shapes[seed as usize % 3]).expect("a solid");
        let turning = if seed % 4 == 0 { 0.0 } else { 8.0 };
        let floor = BodyState { velocity: random.vector(2.0), ..random.state(turning) };
        let (up, spin, pull) = (random.vector(1.0).normalize(), random.vector(10.0), random.vector(30.0));
        let half_space = Solid::HalfSpace(floor.rotation.inverse_transform_vector(&up));
        // So far above the plane that about half of them meet it.
        let away = up * (solid.reach() + 0.05 + 0.05 * random.next()) + up.cross(&random.vector(1.0));
        let start = BodyState { position: floor.position + away, spin, ..random.state(0.0) };
        let under = if seed % 2 == 0 { random.flight(0.0, floor, pull) } else { random.step(0.0, floor) };
        let over = random.flight(0.0, start, Vec3::new(0.0, -9.81, 0.0));
        let (body, plane) = (Mover { solid: &solid, motion: &over }, Mover { solid: &half_space, motion: &under });
        let movers = if seed % 5 == 0 { [plane, body] } else { [body, plane] };
        let report = first_closing(movers, 0.0, LENGTH, None, SearchLimit::NONE, &mut Workspace::default());
        steps += report.steps;
        match (report.outcome, first_seen(movers, FINE)) {
            (Search::Closing { t, .. }, Some(seen)) => {
                let late = seen - t;
                assert!(
                    (-1e-9..=LENGTH / f64::from(FINE) + 1e-9).contains(&late),
                    "seed {seed}: {t} s, seen at {seen} s"
                );
                found += 1;
            }
            (Search::Apart, None) => passed += 1,
            (outcome, seen) => panic!("seed {seed}: {outcome:?}, seen at {seen:?}"),
        }
    }
    assert!(found > 50 && passed > 50, "{found} met, {passed} passed");
    assert!(steps < 240 * 60, "{steps} steps of search");
}
