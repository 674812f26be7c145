//! Whether two contact problems were decided alike, as far as the motion can tell.
//!
//! The impulses of redundant contacts are not unique: of the corners of a face some carry nothing, or stand at the edge of
//! their friction cone, and rounding decides which. What each contact *does* is unique, and is what the motion depends
//! on. Contacts are therefore compared by what they do after the impulses, in their axes (n, T1, T2),
//!
//! ```text
//! w⁺ = w + K·p                                                                                      (1)
//! ```
//!
//! and two contacts decide alike where both are open, stick, or slide by the law, or where both have w⁺ = 0: then the
//! same rows of (1) are zero on both sides, whoever carries the load; or where both have p = 0, and nothing comes from
//! either. A contact that carries a load and slides or parts must do so in both
//! motions, since there the impulses matter, and in every pass that takes the compliance away: where redundant contacts slide
//! a pass moves the load from one to another, and what it does to the motion is not small. Of positions that are projected the same holds with gaps: a contact that is
//! closed afterwards in both motions is closed, whether it was drawn there or found there.

use nalgebra::DVector;

use crate::contact::law::Mode;
use crate::contact::{ContactSolution, ContactWorkspace};
use crate::dynamics::BodyState;
use crate::model::BodyId;
use crate::sensitivity::event::local_impact;
use crate::sensitivity::held::held_group;
use crate::simulation::Trajectory;
use crate::simulation::held::HeldGroup;
use crate::simulation::tape::{GroupCut, ImpactRecord, StepRecord};

/// A contact slower than this part of the fastest before does not move: some hundred times what the solver leaves.
const STILL: f64 = 1e-10;

/// A gap (m) within this of zero is closed: what a projection leaves of a contact that it does not draw.
const CLOSED: f64 = 2e-12;

/// Whether the contacts of two steps with equal contacts do the same.
pub(super) fn steps_move_alike(motions: [&Trajectory; 2], steps: [&StepRecord; 2]) -> bool {
    if steps[0].modes == steps[1].modes && steps[0].closed == steps[1].closed {
        return true;
    }
    let again = [0, 1].map(|k| taken_again(motions[k], steps[k]));
    let [Some(a), Some(b)] = again else { return false };
    (0..steps[0].contacts.len()).all(|i| {
        let alike = same_modes([&steps[0].modes, &steps[1].modes], steps[0].contacts.len(), i);
        let modes = alike || a.still[i] && b.still[i] || a.idle[i] && b.idle[i];
        let closed = steps[0].closed.contains(&i) == steps[1].closed.contains(&i);
        modes && (closed || a.closed[i] && b.closed[i])
    })
}

/// Whether contact i of `count` is on the same branch in every pass, with the modes of one pass after the other.
fn same_modes(modes: [&[Mode]; 2], count: usize, i: usize) -> bool {
    let of = |modes: &'_ [Mode]| modes.iter().skip(i).step_by(count.max(1)).copied().collect::<Vec<_>>();
    of(modes[0]) == of(modes[1])
}

/// What the contacts of a step do.
struct Doing {
    /// Which do not move after it.
    still: Vec<bool>,
    /// Which carry nothing in it.
    idle: Vec<bool>,
    /// Which are closed at its end.
    closed: Vec<bool>,
}

/// A recorded step; none where it cannot be taken again.
fn taken_again(motion: &Trajectory, step: &StepRecord) -> Option<Doing> {
    let group = held_group(motion.world(), &step.members, &step.contacts);
    let outcome = match &step.frozen {
        Some(frozen) => group.step_on_branch(&step.start, step.length, &frozen.branches)?,
        None => group.step(&step.start, step.length, step.warm.as_deref(), &mut ContactWorkspace::default()),
    };
    let after = group.velocities_after(&step.start, &outcome);
    let fastest = step.start.iter().map(|state| state.velocity.norm()).fold(gravity_speed(motion, step), f64::max);
    let still = (0..step.contacts.len()).map(|i| after.rows(3 * i, 3).norm() <= STILL * fastest).collect();
    let closed = closed(&group, &outcome.end);
    let idle = (0..step.contacts.len()).map(|i| is_idle(outcome.impulse(), i)).collect();
    Some(Doing { still, idle, closed })
}

/// Which contacts of a group are closed.
fn closed(group: &HeldGroup, states: &[BodyState]) -> Vec<bool> {
    let gaps = group.contact_geometry(states).into_iter();
    gaps.map(|contact| contact.is_some_and(|contact| contact.gap.abs() <= CLOSED)).collect()
}

/// Whether two cuts with equal contacts close the same of them; `after` has the states that bodies leave them with.
pub(super) fn cuts_close_alike(
    motions: [&Trajectory; 2],
    cuts: [&GroupCut; 2],
    after: impl Fn(usize, BodyId) -> BodyState,
) -> bool {
    if cuts[0].active == cuts[1].active {
        return true;
    }
    let [a, b] = [0, 1].map(|k| {
        let group = held_group(motions[k].world(), &cuts[k].members, &cuts[k].contacts);
        let states: Vec<BodyState> = cuts[k].members.iter().map(|&body| after(k, body)).collect();
        closed(&group, &states)
    });
    let active = cuts[0].active.iter().zip(&cuts[1].active);
    active.enumerate().all(|(i, (one, other))| one == other || a[i] && b[i])
}

/// Whether a contact carries next to nothing of what others do.
fn is_idle(impulse: &DVector<f64>, i: usize) -> bool {
    impulse.rows(3 * i, 3).norm() <= STILL * impulse.amax()
}

/// The speed that gravity alone would give in the step.
fn gravity_speed(motion: &Trajectory, step: &StepRecord) -> f64 {
    motion.world().gravity.norm() * step.length
}

/// Whether the contacts of two impacts with equal contacts do the same in every phase.
pub(super) fn impacts_move_alike(motions: [&Trajectory; 2], impacts: [&ImpactRecord; 2]) -> bool {
    if impacts[0].modes == impacts[1].modes {
        return true;
    }
    let solved = [0, 1].map(|k| local_impact(motions[k], impacts[k]));
    let [Some(a), Some(b)] = solved else { return false };
    let (a, b) = (&a.solved.phases, &b.solved.phases);
    let fastest = a[0].problem.velocity.amax();
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| phases_agree([a, b], fastest))
}

fn phases_agree(phases: [&ContactSolution; 2], fastest: f64) -> bool {
    let after = phases.map(|phase| &phase.problem.velocity + phase.problem.response.times(phase.impulse()));
    let modes = phases.map(ContactSolution::all_modes);
    let count = phases[0].problem.contact_count();
    // Where normal impulses are given the normal velocity is no decision.
    let first = usize::from(phases[0].problem.given_normal.is_some());
    let still = |after: &DVector<f64>, i: usize| after.rows(3 * i + first, 3 - first).norm() <= STILL * fastest;
    modes[0].len() == modes[1].len()
        && (0..count).all(|i| {
            let idle = phases.iter().all(|phase| is_idle(phase.impulse(), i));
            same_modes([&modes[0], &modes[1]], count, i) || idle || after.iter().all(|after| still(after, i))
        })
}
