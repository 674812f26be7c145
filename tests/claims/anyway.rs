//! Random scenes of everything that a file can describe are simulated to their end with bounded work, and their motion keeps the laws of
//! `bounds`: on depth, which a witness measures by itself, and on energy.
//!
//! Energy: in flight and across impacts it never grows; while something is held, by at most 1e-5 of the scene's energy from one time of
//! the step grid to the next, and between the motion's turns, where some body goes on in another way. The scene's energy is what it
//! starts with, heights measured from the origin, where floors are; or the most that there ever is of motion, which is more where
//! bodies slide down a slope. Depth: 5e-6 m, at twice the times of the step grid and at up to 500 turns. A motion that stops for a
//! limit, or takes more than `MOST_WORK` or `MOST_EFFORT`, is a fault.
//!
//! `HATTRICK_SCENES=10000` looks at more seeds, all from 0 up. Faults that are known stand in `known`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hattrick::dynamics::BodyState;
use hattrick::geometry::separation;
use hattrick::model::BodyId;
use hattrick::simulation::{Course, End, Limits, Phase, Trajectory, simulate_within};
use hattrick::{Model, Scene};
use rayon::prelude::*;

use super::anything::{KINDS, file, scene};
use super::bounds::{ENERGY_GAIN, PENETRATION};
use super::known;
use super::support::just_before;
use super::witness::Witness;

/// Scenes in a usual run.
const SCENES: u64 = 200;
/// Of the scene's energy: what roundings leave of a gain in flight and impact.
const ROUNDING: f64 = 1e-10;
/// Steps of searches, Newton steps and held steps that one motion may take.
const MOST_WORK: u64 = 2_000_000;
/// What one motion may cost (`Limits::effort`), counted on the way, so that what never ends is not waited for.
const MOST_EFFORT: u64 = 40_000_000;
/// Turns of a motion at which depths are looked at.
const MOST_TURNS: usize = 500;

/// What a scene showed.
struct Seen {
    kinds: Vec<&'static str>,
    looks: u64,
    work: u64,
    events: usize,
}

/// Energy of motion and of heights, J.
fn energies(trajectory: &Trajectory, states: &[BodyState]) -> [f64; 2] {
    let world = trajectory.world();
    let mut sum = [0.0; 2];
    for (body, state) in world.bodies.iter().zip(states).filter(|(body, _)| body.drive.is_pushed()) {
        sum[0] += state.kinetic_energy(&body.mass);
        sum[1] -= body.mass.mass * world.gravity.dot(&state.position);
    }
    sum
}

/// Work, in steps of any kind.
fn work(trajectory: &Trajectory) -> u64 {
    let work = &trajectory.work;
    work.searches + work.search_steps + work.solver_iterations + work.held_steps
}

fn judge(seed: u64, file: &str) -> Result<Seen, String> {
    let (text, kinds) = scene(seed, file);
    let run = || {
        let scene = Scene::parse(&text, file).unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
        let limits = Limits { effort: MOST_EFFORT, ..Limits::NONE };
        (scene, simulate_within(&model, &model.control(), limits))
    };
    let panicked = |cause: Box<dyn std::any::Any + Send>| {
        let words = cause.downcast_ref::<String>().cloned();
        format!("panics: {}", words.or_else(|| Some((*cause.downcast_ref::<&str>()?).to_owned())).unwrap_or_default())
    };
    let (scene, trajectory) = catch_unwind(AssertUnwindSafe(run)).map_err(panicked)?;
    let trajectory = trajectory.map_err(|_| format!("takes more than {MOST_EFFORT} of effort"))?;
    if trajectory.end != End::Horizon {
        return Err(format!("{} ({} events)", trajectory.end, trajectory.events.len()));
    }
    let work = work(&trajectory);
    if work > MOST_WORK {
        return Err(format!("takes {work} steps of work"));
    }
    let mut witness = Witness::new(&scene, &trajectory);
    check_depth(&trajectory, &mut witness)?;
    check_energy(&trajectory)?;
    Ok(Seen { kinds, looks: witness.looks, work, events: trajectory.events.len() })
}

fn check_depth(trajectory: &Trajectory, witness: &mut Witness) -> Result<(), String> {
    let half = 0.5 * trajectory.world().step.max(trajectory.t_end / 240.0);
    let grid = (0..=(trajectory.t_end / half) as usize).map(|k| k as f64 * half);
    let turns = turns(trajectory);
    let some = turns.iter().step_by(turns.len().div_ceil(MOST_TURNS)).copied();
    for t in grid.chain(some) {
        let states = trajectory.at(t);
        if let Some(body) = states.iter().position(|state| !state.is_finite()) {
            return Err(format!("body {body} is not finite at {t} s"));
        }
        let poses: Vec<_> = states.iter().map(BodyState::pose).collect();
        if let Some((depth, pair)) = witness.deeper_than(PENETRATION, &poses) {
            let [first, second] = pair.map(|body| &trajectory.world().bodies[body].name);
            let [one, other] = pair.map(|body| &*trajectory.world().bodies[body].solid);
            let own = separation(one, &poses[pair[0]], other, &poses[pair[1]], None).gap;
            return Err(format!(
                "{first} and {second} overlap by {depth:.2e} m at {t} s, where their own gap is {own:.2e} m"
            ));
        }
    }
    Ok(())
}

/// When any body goes on in another way, s, in order. (The tape tells of it in the units of the simulation.)
fn turns(trajectory: &Trajectory) -> Vec<f64> {
    let mut times: Vec<f64> = phases(trajectory).flat_map(|phases| phases.iter().map(|phase| phase.t)).collect();
    times.extend(trajectory.events.iter().map(|event| event.t));
    times.extend([0.0, trajectory.t_end]);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn phases(trajectory: &Trajectory) -> impl Iterator<Item = &[Phase]> {
    (0..trajectory.world().bodies.len()).map(|k| trajectory.phases(BodyId(k as u32)))
}

/// From when to when some body was in a held step, s, in order of their beginnings.
fn held(trajectory: &Trajectory) -> Vec<[f64; 2]> {
    let mut held = Vec::new();
    for phases in phases(trajectory) {
        let ends = phases.iter().skip(1).map(|phase| phase.t).chain([trajectory.t_end]);
        let steps = phases.iter().zip(ends).filter(|(phase, _)| matches!(phase.course, Course::Step(_)));
        held.extend(steps.map(|(phase, end)| [phase.t, end]));
    }
    held.sort_by(|a, b| a[0].total_cmp(&b[0]));
    held
}

/// Between turns that follow each other, across each turn, and from one time of the grid to the next.
fn check_energy(trajectory: &Trajectory) -> Result<(), String> {
    let [motion, height] = energies(trajectory, &trajectory.at(0.0));
    let times = turns(trajectory);
    let most = times.iter().map(|&t| energies(trajectory, &trajectory.at(t))[0]).fold(motion, f64::max);
    let scale = (motion + height).abs().max(most);
    if scale == 0.0 {
        return Ok(());
    }
    let energy = |t: f64| energies(trajectory, &trajectory.at(t)).iter().sum::<f64>();
    let held = held(trajectory);
    // None is longer than a cell of the grid.
    let is_held = |from: f64, to: f64| {
        let reach = trajectory.world().step;
        let first = held.partition_point(|[begin, _]| *begin < from - 1.01 * reach);
        held[first..].iter().take_while(|[begin, _]| *begin <= to).any(|[_, end]| *end >= from)
    };
    let step = trajectory.world().step;
    let cells = (1..=(trajectory.t_end / step) as usize).map(|k| [(k - 1) as f64 * step, k as f64 * step]);
    let pieces = times.windows(2).map(|pair| [pair[0], just_before(pair[1])]);
    let across = times.iter().skip(1).map(|&t| [just_before(t), t]);
    for [from, to] in cells.chain(pieces).chain(across) {
        let gain = (energy(to) - energy(from)) / scale;
        let allowed = if is_held(from, to) { ENERGY_GAIN } else { ROUNDING };
        if gain > allowed {
            let kind = if allowed == ROUNDING { "in flight and impact" } else { "in held contact" };
            return Err(format!(
                "gains {gain:.2e} of its energy {kind} from {from} s to {to} s, the step being {step:.2e} s"
            ));
        }
    }
    Ok(())
}

/// Says a fault as soon as it is found, for long runs.
fn told(seed: u64, found: Result<Seen, String>) -> Result<Seen, String> {
    if let Err(fault) = &found {
        println!("{seed}: {fault}");
    }
    found
}

#[test]
fn random_scenes_of_every_shape_end_and_keep_depth_and_energy() {
    let scenes = std::env::var("HATTRICK_SCENES").ok().and_then(|text| text.parse().ok()).unwrap_or(SCENES);
    let file = file();
    // One by one, so that the others do not wait behind the dearest.
    let seeds: Vec<u64> = (0..scenes).collect();
    let judged: Vec<(u64, Result<Seen, String>)> =
        seeds.into_par_iter().with_max_len(1).map(|seed| (seed, told(seed, judge(seed, &file)))).collect();
    let seen: Vec<&Seen> = judged.iter().filter_map(|(_, seen)| seen.as_ref().ok()).collect();
    for kind in KINDS {
        let count = seen.iter().filter(|seen| seen.kinds.contains(&kind)).count();
        assert!(count as u64 >= scenes / 30, "{kind}: only in {count} scenes");
    }
    let sum = |of: fn(&Seen) -> u64| seen.iter().map(|seen| of(seen)).sum::<u64>();
    let most = seen.iter().map(|seen| seen.work).max().unwrap_or(0);
    println!(
        "{} of {scenes} hold: {} events, {} looks at pairs, {} steps of work, {most} at most",
        seen.len(),
        sum(|seen| seen.events as u64),
        sum(|seen| seen.looks),
        sum(|seen| seen.work)
    );
    known::check("anyway", judged.into_iter().map(|(seed, seen)| (seed, seen.err())));
}
