//! What there is to tell a person of the machines of a motion: joints that repeat or contradict each other, or nearly do, and
//! springs so stiff that they are dear.
//!
//! Machines are looked at where they begin and where joints begin or cease to hold or tracks have keys, once the motion is
//! there and when somebody asks: telling is no part of simulating, and the motion goes on in every case. What is still so at a
//! later switch is told once. Which joints those are is `dynamics::joined::Soundness`; a spring is stiff where
//!
//! ```text
//! steps of its flight / time it flew > 2000/s          and         max(√(k·κ), c·κ) is at least half of that         (1)
//! κ = Σ_sides 1/m + |r|²/Λ_min,    r from the centre of mass to the spring's end
//! ```

use std::collections::BTreeMap;

use super::machines;
use super::trajectory::{Course, Trajectory};
use super::trouble::{Trouble, TroubleKind};
use crate::dynamics::joined::{JoinedFlight, Owner};
use crate::model::{BodyId, World};
use crate::scene::{ForceKind, Given};

/// Of (1), 1/s: with half as many, a second of motion takes about a tenth of a second.
const MOST_STEPS_PER_SECOND: f64 = 2000.0;
/// Flights looked at. Whoever has more switches is told of the first.
const MOST_FLIGHTS: usize = 1000;

impl Trajectory {
    /// What there is to tell a person of its machines, in order of time.
    pub fn troubles(&self) -> &[Trouble] {
        self.troubles.get_or_init(|| troubles(self))
    }
}

/// All there is to tell of a motion, in order of time.
fn troubles(trajectory: &Trajectory) -> Vec<Trouble> {
    let trajectory = trajectory.in_own_units();
    let world = trajectory.world();
    if world.machine.joints.is_empty() && world.machine.forces.is_empty() {
        return Vec::new();
    }
    let switches: Vec<f64> = machines::switches(world).iter().map(|switch| switch.t).collect();
    let begins = |t: f64| t == 0.0 || switches.contains(&t);
    let mut troubles: Vec<Trouble> = Vec::new();
    let mut springs: Vec<Trouble> = Vec::new();
    // What was told of the joints of each group, by their first.
    let mut before: Vec<Trouble> = Vec::new();
    let flown = flown(trajectory);
    let looked_at = flown.iter().filter(|(flight, _)| begins(trajectory.flight(**flight).start())).take(MOST_FLIGHTS);
    for (&flight, &until) in looked_at {
        let flight = trajectory.flight(flight);
        let found = of_joints(flight);
        before.retain(|old| !old.parts.iter().any(|part| concerned(flight, *part)) || is_among(old, &found));
        let fresh: Vec<Trouble> = found.into_iter().filter(|new| !is_among(new, &before)).collect();
        before.extend(fresh.iter().cloned());
        troubles.extend(fresh);
        let stiff = of_springs(world, flight, until);
        springs.extend(stiff.filter(|new| !springs.iter().any(|old| old.parts == new.parts)));
    }
    troubles.extend(springs);
    troubles.sort_by(|a, b| a.t.total_cmp(&b.t));
    troubles
}

fn concerned(flight: &JoinedFlight, part: Owner) -> bool {
    matches!(part, Owner::Joint(joint) if flight.machine().joints().contains(&joint))
}

fn is_among(one: &Trouble, others: &[Trouble]) -> bool {
    others.iter().any(|other| other.kind == one.kind && other.parts == one.parts)
}

/// The flights of a motion, and until when each was flown.
fn flown(trajectory: &Trajectory) -> BTreeMap<u32, f64> {
    let mut flown = BTreeMap::new();
    for body in 0..trajectory.world().bodies.len() as u32 {
        let phases = trajectory.phases(BodyId(body));
        let ends = phases.iter().skip(1).map(|phase| phase.t).chain([trajectory.t_end]);
        for (phase, end) in phases.iter().zip(ends) {
            if let Course::Joined { flight, .. } = phase.course {
                flown.insert(flight, end);
            }
        }
    }
    flown
}

fn of_joints(flight: &JoinedFlight) -> Vec<Trouble> {
    let t = flight.start();
    let soundness = flight.soundness(t);
    let kinds = [
        (TroubleKind::Conflicting, soundness.conflicting),
        (TroubleKind::Redundant, soundness.redundant),
        (TroubleKind::NearlySingular, soundness.nearly_singular),
    ];
    kinds.into_iter().flat_map(|(kind, sets)| sets.into_iter().map(move |parts| Trouble { t, kind, parts })).collect()
}

/// (1).
fn of_springs(world: &World, flight: &JoinedFlight, until: f64) -> Option<Trouble> {
    let t = flight.start();
    let steps = 1 + flight.nodes().iter().filter(|node| **node < until).count();
    let steps_per_second = steps as f64 / (until - t);
    // What did not fly needs no steps.
    if until <= t || steps_per_second <= MOST_STEPS_PER_SECOND {
        return None;
    }
    let paces = flight.forces().into_iter().map(|force| (force, pace(world, force, t)));
    let (force, pace) = paces.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let stiff = Trouble { t, kind: TroubleKind::Stiff { steps_per_second }, parts: vec![Owner::Force(force)] };
    (2.0 * pace > steps_per_second).then_some(stiff)
}

/// How fast a spring makes its bodies go to and fro, rad/s, at most.
fn pace(world: &World, force: usize, t: f64) -> f64 {
    let machine = &world.machine;
    let law = &machine.forces[force];
    let number = |given: &Given<f64>| match given {
        Given::Constant(value) => *value,
        Given::Track(track) => machine.tracks[*track].value_at(t).x,
    };
    // 1/m and 1/Λ_min of a side.
    let yields = |body: Option<usize>| {
        let mass = body.map(|body| &world.bodies[body].mass).filter(|mass| mass.is_pushed());
        let moments =
            mass.map(|mass| mass.inertia.iter().copied().filter(|moment| *moment > 0.0).fold(f64::INFINITY, f64::min));
        [mass.map_or(0.0, |mass| mass.inverse_mass()), moments.map_or(0.0, |least| 1.0 / least)]
    };
    let sides = [yields(Some(law.first)), yields(law.second)];
    let (stiffness, damping, softness) = match &law.kind {
        ForceKind::Spring { point, second, stiffness, damping, .. } => {
            let arms = [
                point.norm_squared(),
                second.constant().filter(|_| law.second.is_some()).map_or(0.0, |p| p.norm_squared()),
            ];
            let softness: f64 = sides.iter().zip(arms).map(|([place, turn], arm)| place + arm * turn).sum();
            (number(stiffness), number(damping), softness)
        }
        ForceKind::TorsionSpring { stiffness, damping, .. } => {
            (number(stiffness), number(damping), sides.iter().map(|[_, turn]| turn).sum())
        }
        ForceKind::Drag { .. } | ForceKind::Push { .. } | ForceKind::Motor { .. } => return 0.0,
    };
    (stiffness * softness).sqrt().max(damping * softness)
}
