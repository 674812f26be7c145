//! Sixty recorded impacts and sixty held steps of each shipped scene, spread over all: the derivative of each against differences of the same map.
//!
//! A rung below whole motions: what stands on the tape is solved again from states a little beside the recorded ones, all
//! bodies moved at once in a direction of chance, so that no term is left out.
//!
//! ```text
//! D(h) = (Φ(q + h·d) − Φ(q − h·d))/2h,      (4·D(h/2) − D(h))/3 = Φ_q·d + c·h⁴ + …                              (1)
//! ```
//!
//! A map with slow sliding is smooth only over steps as small as its speeds, and one with redundant contacts has noise in
//! small ones: two steps in a row that agree best count, and how far they agree says what they can tell. Where no step
//! leaves all decisions as they are nothing is compared.

use std::mem::{Discriminant, discriminant};

use nalgebra::DVector;

use crate::contact::law::Mode;
use crate::contact::{ContactWorkspace, Impact};
use crate::dynamics::{BodyState, StateTangent};
use crate::model::{Model, World};
use crate::scene::Scene;
use crate::sensitivity::event::local_impact;
use crate::sensitivity::held::held_group;
use crate::simulation::held::{Branch, HeldGroup, SlipMemory, StepDirection, StepOutcome, split_step};
use crate::simulation::tape::{ImpactRecord, StepRecord};
use crate::simulation::{Trajectory, simulate};

/// Steps h of (1), for directions of unit size in SI: a projection goes no farther than 1e-4 m.
const STEPS: [f64; 8] = [2e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8];
/// Error beyond the doubt and the noise of the differences, relative to 1 + |exact|.
const TOLERANCE: f64 = 1e-7;
/// What solving many redundant contacts to 3e-13 leaves in velocities, m/s.
const NOISE: f64 = 1e-11;
/// Differences at two steps that agree to this need no third, and those that do not agree to that say nothing.
const GOOD: f64 = 1e-8;
const DOUBTFUL: f64 = 1e-4;
/// Impacts and steps looked at in each scene, and what part of all can be compared.
const MOST: usize = 60;
const ENOUGH: f64 = 0.9;

/// Repeatable numbers in (−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * ((self.0 >> 11) as f64 / (1u64 << 53) as f64) - 1.0
    }

    /// A change of every body's state; of the place alone where it is fixed.
    fn direction(&mut self, fixed: impl Iterator<Item = bool>) -> Vec<StateTangent> {
        let mut one =
            |fixed: bool| StateTangent::from_fn(|entry, _| if fixed && entry >= 6 { 0.0 } else { self.next() });
        fixed.map(&mut one).collect()
    }
}

/// What was compared.
#[derive(Default)]
struct Found {
    compared: usize,
    skipped: usize,
    worst: (f64, String),
}

impl Found {
    fn add(&mut self, error: Option<f64>, what: impl Fn() -> String) {
        let Some(error) = error else {
            self.skipped += 1;
            return;
        };
        self.compared += 1;
        if error.is_nan() || error > self.worst.0 {
            self.worst = (error, what());
        }
    }
}

/// (1).
fn extrapolated(map: &dyn Fn(f64) -> Option<DVector<f64>>, h: f64) -> Option<DVector<f64>> {
    let central = |h: f64| Some((map(h)? - map(-h)?) / (2.0 * h));
    Some((central(0.5 * h)? * 4.0 - central(h)?) / 3.0)
}

/// The error of `exact` beyond what the differences at two steps in a row leave open, those that agree best; none where no
/// two agree.
fn least_error(map: &dyn Fn(f64) -> Option<DVector<f64>>, exact: &DVector<f64>) -> Option<f64> {
    let (scale, mut last, mut best) = (1.0 + exact.amax(), None, None::<(f64, f64)>);
    for h in STEPS {
        let difference = extrapolated(map, h);
        if let (Some(difference), Some(last)) = (&difference, &last) {
            let doubt = (difference - last as &DVector<f64>).amax() / scale;
            let error = (difference - exact).amax() / scale;
            if doubt <= DOUBTFUL && best.is_none_or(|(least, _)| doubt < least) {
                best = Some((doubt, error - NOISE / h));
            }
        }
        if best.is_some_and(|(doubt, _)| doubt <= GOOD) {
            break;
        }
        last = difference;
    }
    best.map(|(doubt, error)| (error - doubt).max(0.0))
}

fn moved(states: &[BodyState], direction: &[StateTangent], h: f64) -> Vec<BodyState> {
    states.iter().zip(direction).map(|(state, tangent)| state.moved_by(&(tangent * h))).collect()
}

fn phases(solved: &Impact) -> Vec<Vec<Mode>> {
    solved.phases.iter().map(|phase| phase.all_modes()).collect()
}

/// Of so many bodies: the world that joints add is one more.
fn velocities(solved: &Impact, bodies: usize) -> DVector<f64> {
    let entries = solved.velocities[..bodies].iter().flat_map(|(velocity, spin)| velocity.iter().chain(spin).copied());
    DVector::from_vec(entries.collect())
}

/// The error of an impact's derivative in one direction; joints may be taken not to change with time.
fn impact_error(trajectory: &Trajectory, record: &ImpactRecord, random: &mut Random, timeless: bool) -> Option<f64> {
    let (world, local) = (trajectory.world(), local_impact(trajectory, record)?);
    let fixed: Vec<bool> = record.bodies.iter().map(|body| !world.bodies[body.index()].drive.is_pushed()).collect();
    let direction = random.direction(fixed.iter().copied());
    let all = Vec::from_iter(0..fixed.len());
    let (by_states, _, joints) = local.derivative(&all, &all, &[]);
    let mut exact = DVector::zeros(6 * all.len());
    by_states.iter().zip(&direction).for_each(|(matrix, tangent)| exact += matrix * tangent);
    let later = if local.linkage.rows.is_empty() { 0.0 } else { random.next() };
    let joints = joints.sum(&local.linkage, 6 * all.len());
    for (body, tangent) in record.bodies.iter().zip(&direction) {
        joints.states.get(body).iter().for_each(|matrix| exact += *matrix * tangent);
    }
    if !timeless {
        exact += joints.time * later;
    }
    let map = |h: f64| {
        let states = moved(&record.states, &direction, h);
        let beside = ImpactRecord { states, t: record.t + h * later, ..record.clone() };
        let there = local_impact(trajectory, &beside)?;
        let alike = there.solved.solved && phases(&there.solved) == phases(&local.solved);
        alike.then(|| velocities(&there.solved, all.len()) - velocities(&local.solved, all.len()))
    };
    least_error(&map, &exact)
}

/// A step taken again from other states, to the end of sliding where it ended there, and how long it lasts.
fn taken(group: &HeldGroup, record: &StepRecord, start: &[BodyState]) -> StepOutcome {
    let workspace = &mut ContactWorkspace::default();
    if let Some(frozen) = &record.frozen {
        let mode = |branch: &Branch| if matches!(branch, Branch::Slide(_)) { Mode::Slide } else { Mode::Stick };
        let contacts = record.contacts.iter().zip(&frozen.branches);
        let memory: SlipMemory =
            contacts.map(|(contact, branch)| ((contact.pair, contact.feature.place()), mode(branch))).collect();
        return split_step(group, start, record.whole(), &memory, true, record.warm.as_deref(), workspace);
    }
    group.step(start, record.length, record.warm.as_deref(), workspace)
}

/// What each contact does, which are closed, and where sliding ends the step who stops it and how the others go on.
type Decisions<'a> = (&'a [Mode], &'a [usize], Option<(Vec<usize>, Vec<Discriminant<Branch>>)>);

fn decisions(outcome: &StepOutcome) -> Decisions<'_> {
    let frozen = outcome.frozen.as_ref();
    let frozen = frozen.map(|frozen| (frozen.contacts.clone(), frozen.branches.iter().map(discriminant).collect()));
    (&outcome.passes, &outcome.closed, frozen)
}

/// The error of a step's derivative in one direction.
fn step_error(world: &World, record: &StepRecord, random: &mut Random) -> Option<f64> {
    let group = std::sync::Arc::new(held_group(world, &record.members, &record.contacts));
    let mut direction = StepDirection::zero(&group);
    direction.bodies = random.direction(group.members.iter().map(|member| !member.is_pushed()));
    let base = taken(&group, record, &record.start);
    if base.frozen.is_some() != record.frozen.is_some() {
        return None;
    }
    let (length, tangent) = match &base.frozen {
        Some(frozen) => {
            let split = group.split_derivative(&record.start, base.length, frozen)?.tangent(&direction);
            (split.dsigma, split.step)
        }
        None => {
            let workspace = &mut ContactWorkspace::default();
            let step = group.step_derivative(&record.start, record.length, record.warm.as_deref(), workspace);
            (0.0, step.tangent(&direction))
        }
    };
    let stacked = |length: f64, ends: Vec<StateTangent>| {
        DVector::from_vec(std::iter::once(length).chain(ends.iter().flat_map(|end| end.data.0[0])).collect())
    };
    let map = |h: f64| {
        let there = taken(&group, record, &moved(&record.start, &direction.bodies, h));
        let ends = || base.end.iter().zip(&there.end).map(|(from, to)| from.tangent_to(to)).collect();
        let alike = there.solved && decisions(&there) == decisions(&base);
        alike.then(|| stacked(there.length - base.length, ends()))
    };
    least_error(&map, &stacked(length, tangent.end))
}

/// At most so many, from the whole list.
fn some<T>(all: Vec<T>) -> impl Iterator<Item = T> {
    let stride = all.len().div_ceil(MOST).max(1);
    all.into_iter().step_by(stride)
}

#[test]
fn impacts_and_steps_of_the_shipped_scenes_have_their_derivatives() {
    let mut names: Vec<_> =
        std::fs::read_dir("scenes").expect("scenes").map(|entry| entry.expect("one").path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    names.sort();
    let mut found = Found::default();
    for path in &names {
        let text = std::fs::read_to_string(path).expect("text");
        let model = Model::new(&Scene::parse(&text, "scene.toml").expect("a scene")).expect("a model");
        let trajectory = simulate(&model, &model.control());
        let (world, tape, random) = (trajectory.in_own_units().world(), trajectory.tape(), &mut Random(0));
        let impacts = tape.nodes.iter().filter_map(|node| Some((node.t, node.impact.as_deref().filter(|i| i.solved)?)));
        for (t, impact) in some(impacts.collect()) {
            found.add(impact_error(trajectory.in_own_units(), impact, random, false), || {
                format!("{}: impact at {t} s", path.display())
            });
        }
        for step in some(tape.steps.iter().filter(|step| step.solved).collect()) {
            let t = tape.node(step.node).t;
            found.add(step_error(world, step, random), || format!("{}: step at {t} s", path.display()));
        }
    }
    let Found { compared, skipped, worst } = found;
    println!("{compared} compared, {skipped} not, worst {worst:?}");
    assert!(worst.0 <= TOLERANCE, "{worst:?}");
    assert!(compared as f64 >= ENOUGH * (compared + skipped) as f64, "{compared} compared, {skipped} not");
}

/// A rod that hangs from a pin that is carried about, and swings into a rough wall.
const CARRIED: &str = r#"
format = 1
duration = 0.8
[[track]]
name = "hand"
keys = [{ t = 0.0, value = [0, 1, 0] }, { t = 0.9, value = [0.25, 1.15, -0.1], ease = "slow_in_out" }]
[[body]]
name = "wall"
fixed = true
shape = { kind = "half_space", normal = [-0.96, 0.28, 0.1] }
position = [0.25, 0.6, 0]
friction = 0.3
[[body]]
name = "rod"
shape = { kind = "capsule", half_height = 0.35, radius = 0.04 }
position = [0, 0.65, 0]
velocity = [0.7, 0, 0]
spin = [0, 0.5, 2]
friction = 0.3
[[joint]]
kind = "pin"
body = "rod"
point = [0, 0.35, 0]
to = { track = "hand" }
"#;

/// I_t, which is that of the joints: an impact of free bodies does not know what time it is.
#[test]
fn without_the_time_at_which_a_carried_rod_strikes_its_impact_has_another_derivative() {
    let model = Model::new(&Scene::parse(CARRIED, "scene.toml").expect("a scene")).expect("a model");
    let trajectory = simulate(&model, &model.control());
    let mut impacts = trajectory.tape().nodes.iter().filter_map(|node| node.impact.as_deref());
    let impact = impacts.next().expect("it strikes");
    let [right, wrong] = [false, true].map(|timeless| {
        impact_error(trajectory.in_own_units(), impact, &mut Random(1), timeless).expect("differences settle")
    });
    println!("with it {right:e} off, without it {wrong:e}");
    assert!(right < TOLERANCE && wrong > 1e4 * TOLERANCE, "{right:e} {wrong:e}");
}
