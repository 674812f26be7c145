//! Where sliding ends inside a step.
//!
//! A contact that slid before and would stick now splits the step: a trial step with the slip directions frozen
//! gives its speeds a and b along its direction at the start and at the end, and the step is shortened to
//!
//! ```text
//! σ = s·a/(a − b)                                                                                   (1)
//! ```
//!
//! still with frozen directions. The end of the trial is not projected: a whole step may be too long to be put back on contacts that
//! run fast, though the part of it that is taken is not. Sliding to rest is then exact in its time and its derivative. Where the frozen
//! branch breaks the contact law, the unsplit step stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::branch::Branch;
use super::group::{HeldContact, HeldGroup};
use super::outcome::{Frozen, StepOutcome};
use super::prepared::Prepared;
use crate::contact::ContactWorkspace;
use crate::contact::law::Mode;
use crate::dynamics::BodyState;
use crate::geometry::{ContactGeometry, Feature};
use crate::math::Vec3;
use crate::math::elementary::hypot;
use crate::model::Pair;
use crate::simulation::settings::{SAME_END, SLIDING, STOP_TOGETHER};

/// What contacts did in the last step.
pub type SlipMemory = BTreeMap<(Pair, Feature), Mode>;

/// The step of length `s`, or the part of it until some contact stops sliding. `memory` has the modes of the
/// last step; `may_split` is false where the step must not end early.
pub fn split_step(
    group: &HeldGroup,
    start: &[BodyState],
    s: f64,
    memory: &SlipMemory,
    may_split: bool,
    warm: Option<&[f64]>,
    workspace: &mut ContactWorkspace,
) -> StepOutcome {
    let prepared = group.prepare(start, s);
    let whole = group.prepared_step(start, s, &prepared, warm, workspace);
    // Rolling resistance has no frozen branch: such groups stop within the error of a step.
    if !may_split || group.contacts.iter().any(|contact| contact.rolling > 0.0) {
        return whole;
    }
    let slips = slip_velocities(group, start);
    let slides = |i: usize| {
        let contact = &group.contacts[i];
        let before = memory.get(&(contact.pair, contact.feature.place())).copied().unwrap_or(Mode::Slide);
        slips[i].norm() > SLIDING && before == Mode::Slide && contact.friction > 0.0
    };
    // Modes as decided with compliance: without it rounding says which of redundant contacts is open, and the frozen
    // step would jump with it.
    let decided = &whole.decided;
    let stopping: Vec<usize> = (0..decided.len())
        .filter(|&i| decided[i] == Mode::Stick && whole.impulse()[3 * i] > 0.0 && slides(i))
        .collect();
    if stopping.is_empty() {
        return whole;
    }
    let branch = |i: usize| match decided[i] {
        Mode::Open => Branch::Open,
        Mode::Frictionless => Branch::Smooth,
        _ if slides(i) => Branch::Slide(slips[i].normalize()),
        _ => Branch::Stick,
    };
    let branches: Vec<Branch> = (0..decided.len()).map(branch).collect();
    stop_of_sliding(group, start, s, &prepared, &branches, &stopping, &slips).unwrap_or(whole)
}

/// The step shortened by (1), if the frozen branch obeys the law.
fn stop_of_sliding(
    group: &HeldGroup,
    start: &[BodyState],
    s: f64,
    prepared: &Prepared,
    branches: &[Branch],
    stopping: &[usize],
    slips: &[Vec3],
) -> Option<StepOutcome> {
    let trial = group.branch_solution(prepared, branches)?;
    let slips_after = slip_velocities(group, &group.pushed(start, s, prepared, &trial.impulse()));
    let stop = |&i: &usize| {
        let direction = slips[i].normalize();
        let (a, b) = (slips[i].norm(), direction.dot(&slips_after[i]));
        (b < 0.0).then(|| (s * a / (a - b), i))
    };
    let stops: Vec<(f64, usize)> = stopping.iter().filter_map(stop).collect();
    let sigma = stops.iter().map(|stop| stop.0).min_by(f64::total_cmp)?;
    if sigma < SAME_END * s || sigma > s * (1.0 - 1e-9) {
        return None;
    }
    let outcome = group.step_on_branch(start, sigma, branches)?;
    let contacts = stops.iter().filter(|stop| stop.0 <= sigma + STOP_TOGETHER * s).map(|stop| stop.1).collect();
    let frozen = Some(Arc::new(Frozen { branches: branches.to_vec(), contacts, whole: s }));
    obeys_law(group, &outcome).then_some(StepOutcome { split: true, frozen, ..outcome })
}

/// Nothing pulls, and what sticks stays inside its cone.
fn obeys_law(group: &HeldGroup, outcome: &StepOutcome) -> bool {
    let largest = outcome.impulse().amax();
    outcome.modes.iter().zip(&group.contacts).enumerate().all(|(i, (mode, contact))| {
        let p = outcome.impulse().fixed_rows::<3>(3 * i);
        let friction = hypot(p[1], p[2]);
        p[0] >= -1e-12 * largest
            && (*mode != Mode::Stick || friction <= contact.friction * p[0] * (1.0 + 1e-6) + 1e-12 * largest)
    })
}

impl HeldGroup {
    /// Tangential speed of every contact, m/s.
    pub fn slip_speeds(&self, states: &[BodyState]) -> Vec<f64> {
        slip_velocities(self, states).iter().map(|slip| slip.norm()).collect()
    }
}

/// Tangential velocity of every contact, in the world; zero where its feature is degenerate.
pub(super) fn slip_velocities(group: &HeldGroup, states: &[BodyState]) -> Vec<Vec3> {
    let slip = |(contact, geometry): (&HeldContact, Option<ContactGeometry>)| {
        let Some(geometry) = geometry else { return Vec3::zeros() };
        let at = |member: usize| states[member].point_velocity(geometry.point);
        let relative = at(contact.first) - at(contact.second);
        relative - geometry.normal * geometry.normal.dot(&relative)
    };
    group.contacts.iter().zip(group.contact_geometry(states)).map(slip).collect()
}
