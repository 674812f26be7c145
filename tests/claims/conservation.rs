//! What no motion may change: energy and angular momentum in flight, momentum through impacts between free bodies; and no impact adds
//! energy.
//!
//! In flight nothing but gravity acts, at the centre of mass. Impulses of a contact are equal and opposite at one point, so that
//! the momenta of a free system stay as they are with any friction. Flight holds 1e-11 relative over 10 s; an impact
//! holds round-off, 1e-13 of the momentum that takes part. Coulomb friction and Poisson restitution only take energy away.

use hattrick::math::Vec3;
use hattrick::simulation::{Event, EventKind, Trajectory};

use super::random::{Kind, scene};
use super::support::{head, just_before, kinetic_energy, run};

const FLIGHT: f64 = 1e-11;
const IMPACT: f64 = 1e-13;
/// Relative, of angular momentum: an impact of bodies in held contact also draws their places together, by some 1e-9 m.
const PLACED: f64 = 1e-7;
/// Relative: what roundings of a solve to 3e-13 may leave.
const ENERGY_GAIN: f64 = 1e-11;

fn check_flight(half_extents: &str, spin: &str) {
    let body = format!(
        "[[body]]\nname = \"brick\"\nshape = {{ kind = \"cuboid\", half_extents = {half_extents} }}\nmass = 2.0\n\
         rotation = [0.3, -0.2, 0.5]\nvelocity = [1, 20, -3]\nspin = {spin}\n"
    );
    let trajectory = run(&(head(10.0, -9.81) + &body));
    let mass = trajectory.world().bodies[0].mass;
    let measure = |t: f64| {
        let state = trajectory.at(t)[0];
        let height = state.position.y * mass.mass * 9.81;
        (
            state.kinetic_energy(&mass) + height,
            state.angular_momentum(&mass),
            state.kinetic_energy(&mass) + height.abs(),
        )
    };
    let (energy, momentum, _) = measure(0.0);
    for k in 0..=1000 {
        let t = 10.0 * f64::from(k) / 1000.0;
        let (energy_at_t, momentum_at_t, size) = measure(t);
        let gain = (energy_at_t - energy) / size;
        let turn = (momentum_at_t - momentum).norm() / momentum.norm();
        assert!(gain.abs() <= FLIGHT, "{half_extents}, {t} s: energy off by {gain:e} of itself");
        assert!(turn <= FLIGHT, "{half_extents}, {t} s: angular momentum off by {turn:e} of itself");
    }
}

#[test]
fn energy_and_angular_momentum_are_constant_in_flight_of_a_cube() {
    check_flight("[0.2, 0.2, 0.2]", "[10, 20, -5]");
}

#[test]
fn energy_and_angular_momentum_are_constant_in_flight_of_a_square_plate() {
    check_flight("[0.3, 0.02, 0.3]", "[10, 20, -5]");
}

#[test]
fn energy_and_angular_momentum_are_constant_in_flight_of_a_brick() {
    check_flight("[0.2, 0.12, 0.08]", "[10, 20, -5]");
}

/// The unstable axis, where errors grow fastest.
#[test]
fn energy_and_angular_momentum_are_constant_through_flips_about_the_middle_axis() {
    check_flight("[0.12, 0.02, 0.08]", "[0.01, 0.01, 25]");
}

/// Events at which impulses act.
fn impacts(trajectory: &Trajectory) -> impl Iterator<Item = &Event> {
    trajectory.events.iter().filter(|event| is_impact(event))
}

fn is_impact(event: &Event) -> bool {
    matches!(event.kind, EventKind::Impact | EventKind::Strike)
}

/// Momentum, angular momentum about the origin, and the sizes they are measured by.
fn momenta(trajectory: &Trajectory, t: f64) -> (Vec3, Vec3, f64, f64) {
    let mut sum = (Vec3::zeros(), Vec3::zeros(), 0.0, 0.0);
    for (body, state) in trajectory.world().bodies.iter().zip(trajectory.at(t)) {
        let linear = state.velocity * body.mass.mass;
        let (orbital, own) = (state.position.cross(&linear), state.angular_momentum(&body.mass));
        sum.0 += linear;
        sum.1 += orbital + own;
        sum.2 += linear.norm();
        sum.3 += state.position.norm() * linear.norm() + own.norm();
    }
    sum
}

fn check_momentum(seeds: std::ops::Range<u64>, frictions: &'static [f64]) {
    let kind = Kind { walls: false, haste: 1.0, restitutions: &[0.0, 0.5, 1.0, -1.0], frictions, round: false };
    let (mut events, mut worst) = (0, 0.0_f64);
    for seed in seeds {
        let trajectory = run(&scene(seed, kind));
        for event in impacts(&trajectory) {
            let (linear, angular, _, _) = momenta(&trajectory, just_before(event.t));
            let (linear_after, angular_after, size, angular_size) = momenta(&trajectory, event.t);
            let error = (linear_after - linear).norm() / size;
            let turn = (angular_after - angular).norm() / angular_size;
            worst = worst.max(error);
            assert!(error <= IMPACT, "seed {seed}, {} s: momentum off by {error:e} of itself", event.t);
            let held = trajectory.events.iter().any(|other| other.t <= event.t && !is_impact(other));
            let allowed = if held { PLACED } else { IMPACT };
            assert!(turn <= allowed, "seed {seed}, {} s: angular momentum off by {turn:e} of itself", event.t);
            events += 1;
        }
    }
    assert!(events > 100, "only {events} events were checked");
    println!("{events} events, worst {worst:e}");
}

#[test]
fn frictionless_impacts_conserve_momentum_to_round_off() {
    check_momentum(0..60, &[0.0]);
}

#[test]
fn impacts_with_friction_conserve_momentum_to_round_off() {
    check_momentum(0..60, &[0.2, 1.0, 10.0]);
}

#[test]
fn impacts_of_random_scenes_add_no_energy() {
    let kinds = [
        Kind { walls: true, haste: 1.0, restitutions: &[1.0], frictions: &[0.0], round: false },
        Kind {
            walls: true,
            haste: 1.0,
            restitutions: &[0.0, 1.0, -1.0],
            frictions: &[0.0, 0.3, 1.0, 50.0],
            round: false,
        },
        Kind {
            walls: false,
            haste: 1.0,
            restitutions: &[0.0, 1.0, -1.0],
            frictions: &[0.0, 0.3, 1.0, 50.0],
            round: false,
        },
    ];
    let mut events = 0;
    for (k, kind) in kinds.into_iter().enumerate() {
        for seed in 0..80 {
            let trajectory = run(&scene(seed, kind));
            for event in impacts(&trajectory) {
                let (before, after) =
                    (kinetic_energy(&trajectory, just_before(event.t)), kinetic_energy(&trajectory, event.t));
                let gain = (after - before) / before;
                assert!(gain <= ENERGY_GAIN, "kind {k}, seed {seed}, {} s: energy grew by {gain:e} of itself", event.t);
                events += 1;
            }
        }
    }
    assert!(events > 500, "only {events} events were checked");
}
