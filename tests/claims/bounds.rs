//! What every motion must keep to, wherever bodies touch: how deep they may overlap, how much energy may appear, and how still
//! "at rest" is.
//!
//! Overlap: 5e-6 m, what a held step may sink in. Energy: in flight and impact it never grows, in held contact by less than
//! 1e-5 of the scene's energy a step, so that from one time of the step grid to the next it may grow by that much. The
//! scene's energy is what it starts with, heights measured from the origin, where the floors of these scenes are.

use hattrick::geometry::separation;
use hattrick::simulation::{End, EventKind, Trajectory};

use super::known;

/// m.
pub const PENETRATION: f64 = 5e-6;
/// Of the scene's energy, a step.
pub const ENERGY_GAIN: f64 = 1e-5;
/// m/s and rad/s: slower is at rest.
pub const REST: f64 = 1e-9;

/// The worst of a motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// Deepest overlap, m.
    pub depth: f64,
    /// When that was, s.
    pub depth_t: f64,
    /// Largest gain of energy from one grid time to the next, of the scene's energy.
    pub gain: f64,
    /// When that was, s.
    pub gain_t: f64,
}

impl Worst {
    /// The worse of two.
    pub fn or(self, other: Worst) -> Worst {
        let (deep, rich) =
            (if other.depth > self.depth { other } else { self }, if other.gain > self.gain { other } else { self });
        Worst { depth: deep.depth, depth_t: deep.depth_t, gain: rich.gain, gain_t: rich.gain_t }
    }
}

/// Energy of motion and height of all moving bodies, J.
fn energy(trajectory: &Trajectory, t: f64) -> f64 {
    let world = trajectory.world();
    let of = |(body, state): (&hattrick::model::BodyProperties, &hattrick::dynamics::BodyState)| {
        state.kinetic_energy(&body.mass) - body.mass.mass * world.gravity.dot(&state.position)
    };
    world.bodies.iter().zip(&trajectory.at(t)).filter(|(body, _)| body.drive.is_pushed()).map(of).sum()
}

/// The deepest overlap of any two bodies at t, m; 0 without.
fn depth(trajectory: &Trajectory, t: f64) -> f64 {
    let (bodies, states) = (&trajectory.world().bodies, trajectory.at(t));
    let mut deepest = 0.0_f64;
    for a in 0..bodies.len() {
        for b in (0..a).filter(|&b| !(!bodies[a].drive.is_pushed() && !bodies[b].drive.is_pushed())) {
            let (first, second) = (&bodies[a].solid, &bodies[b].solid);
            let distance = (states[a].position - states[b].position).norm();
            // Half-spaces reach without end.
            if distance > first.reach() + second.reach() {
                continue;
            }
            deepest = deepest.max(-separation(first, &states[a].pose(), second, &states[b].pose(), None).gap);
        }
    }
    deepest
}

/// When the last bodies fell asleep, s; 0 if none did.
pub fn rest_time(trajectory: &Trajectory) -> f64 {
    let rests = trajectory.events.iter().filter(|event| event.kind == EventKind::Rest);
    rests.map(|event| event.t).fold(0.0, f64::max)
}

/// Looks at a motion at every time of the step grid and half-way between; nothing changes after the last body rests.
pub fn worst(trajectory: &Trajectory) -> Worst {
    let step = trajectory.world().step;
    let until = if is_at_rest(trajectory) { rest_time(trajectory) + step } else { trajectory.t_end };
    let start = energy(trajectory, 0.0);
    let (mut worst, mut last) = (Worst::default(), start);
    for k in 1..=(until.min(trajectory.t_end) / step) as usize {
        let t = k as f64 * step;
        let now = energy(trajectory, t);
        let gain = Worst { gain: (now - last) / start.abs(), gain_t: t, ..worst };
        last = now;
        let deep = [t - 0.5 * step, t].map(|t| Worst { depth: depth(trajectory, t), depth_t: t, ..Worst::default() });
        worst = worst.or(gain).or(deep[0]).or(deep[1]);
    }
    worst
}

/// Whether nothing moves at the end.
pub fn is_at_rest(trajectory: &Trajectory) -> bool {
    trajectory.at(trajectory.t_end).iter().all(|state| state.velocity.norm() + state.spin.norm() < REST)
}

/// Whether a motion ran its time, came to rest and kept to the bounds; the worst of it, or what is wrong.
pub fn settles(trajectory: &Trajectory) -> Result<Worst, String> {
    if trajectory.end != End::Horizon {
        return Err(format!("{} ({} events)", trajectory.end, trajectory.events.len()));
    }
    let worst = worst(trajectory);
    if worst.depth > PENETRATION {
        return Err(format!("overlaps by {:e} m at {} s", worst.depth, worst.depth_t));
    }
    if worst.gain > ENERGY_GAIN {
        return Err(format!("gains {:e} of the scene's energy in the step to {} s", worst.gain, worst.gain_t));
    }
    if !is_at_rest(trajectory) {
        let speed = |state: &hattrick::dynamics::BodyState| state.velocity.norm() + state.spin.norm();
        let fastest = trajectory.at(trajectory.t_end).iter().map(speed).fold(0.0, f64::max);
        return Err(format!("still moves at {fastest:e} after {} s", trajectory.t_end));
    }
    Ok(worst)
}

/// Fails with the list of seeds whose motion does not settle; prints how long a seed takes and the worst of all.
#[track_caller]
pub fn check_settling(name: &str, seeds: std::ops::Range<u64>, judge: impl Fn(u64) -> Result<Worst, String>) {
    let started = std::time::Instant::now();
    let (mut found, mut all, count) = (Vec::new(), Worst::default(), seeds.end - seeds.start);
    for seed in seeds {
        let judged = judge(seed);
        all = judged.as_ref().map_or(all, |worst| all.or(*worst));
        found.push((seed, judged.err()));
    }
    let each = started.elapsed().as_secs_f64() * 1e3 / count as f64;
    println!("{name}: {count} seeds, {each:.1} ms each, depth ≤ {:.1e} m, gain ≤ {:.1e}", all.depth, all.gain);
    known::check(name, found);
}
