//! One step of a held group: the map (1)–(3) of this room.

use std::sync::Arc;

use nalgebra::DVector;

use super::branch::{Branch, BranchSolution};
use super::carry::carried;
use super::path::{Bend, StepPath};
use super::slip::Frozen;
use super::{HeldContact, HeldGroup, Member, displaced};
use crate::contact::group::Group;
use crate::contact::law::Mode;
use crate::contact::{ContactProblem, ContactSolution, ContactWorkspace, solve};
use crate::dynamics::{BodyState, Flight};
use crate::geometry::ContactGeometry;
use crate::math::Vec3;

/// Normal speed (m/s) of a held contact from which it lands during the step.
const LANDING: f64 = 1e-5;

/// The outcome of a step.
#[derive(Clone, Debug)]
pub struct StepOutcome {
    /// Length, s.
    pub length: f64,
    /// After the step, positions projected.
    pub end: Vec<BodyState>,
    /// After the step, before the projection.
    pub unprojected: Vec<BodyState>,
    /// p in the axes of each contact, 3·contacts.
    pub(super) impulse: DVector<f64>,
    /// Whether it ends early because a contact stops sliding.
    pub split: bool,
    /// Where it does, what its derivative needs.
    pub frozen: Option<Arc<Frozen>>,
    /// How the projection is spread over the step.
    pub bend: Bend,
    /// What each contact did.
    pub modes: Vec<Mode>,
    /// What each would do with a little compliance: where contacts are redundant this is decided by more than rounding.
    pub decided: Vec<Mode>,
    /// What each did in every pass of the contact solver, one pass after the other.
    pub passes: Vec<Mode>,
    /// The contacts that the projection closed.
    pub closed: Vec<usize>,
    /// Whether the contact solver met its tolerance.
    pub solved: bool,
    /// Newton steps of the contact solver.
    pub iterations: usize,
}

impl StepOutcome {
    /// p in the axes of each contact, 3·contacts.
    pub fn impulse(&self) -> &DVector<f64> {
        &self.impulse
    }

    /// The path of member k from `start` at the time t to its projected end.
    pub fn path(&self, t: f64, start: &BodyState, k: usize) -> StepPath {
        StepPath::new(t, self.length, start, [&self.unprojected[k], &self.end[k]], self.bend)
    }

    /// Whether a contact presses.
    pub fn presses(&self, i: usize) -> bool {
        presses(&self.impulse, &self.decided, i)
    }

    /// Whether nothing presses: the group is not held.
    pub fn is_free(&self) -> bool {
        (0..self.modes.len()).all(|i| !self.presses(i))
    }
}

/// A contact that is open with compliance has an impulse of rounding without, which presses nothing.
fn presses(impulse: &DVector<f64>, decided: &[Mode], i: usize) -> bool {
    impulse[3 * i] > 0.0 && decided.get(i).is_none_or(|mode| *mode != Mode::Open)
}

/// What a step knows before its contact problem is solved.
pub(super) struct Prepared {
    /// At q₁, with the velocities v_f.
    pub(super) group: Group,
    pub(super) velocity: DVector<f64>,
    pub(super) free: Vec<BodyState>,
    /// The contacts at the start.
    start_geometry: Vec<ContactGeometry>,
}

impl HeldGroup {
    /// The step of length `s` with the contact law deciding every contact.
    pub fn step(
        &self,
        start: &[BodyState],
        s: f64,
        warm: Option<&[f64]>,
        workspace: &mut ContactWorkspace,
    ) -> StepOutcome {
        let prepared = self.prepare(start, s);
        let problem = ContactProblem::new(&prepared.group, prepared.velocity.clone());
        self.lawful(start, s, &prepared, &solve(problem, warm, workspace))
    }

    /// The step of length `s` with every contact on a given branch; none where that is singular.
    pub fn step_on_branch(&self, start: &[BodyState], s: f64, branches: &[Branch]) -> Option<StepOutcome> {
        let prepared = self.prepare(start, s);
        let solution = self.branch_solution(&prepared, branches)?;
        Some(self.branched(start, s, &prepared, branches, &solution))
    }

    /// How every contact moves after a step, in its axes: w + K·p of (2), three numbers each.
    pub fn velocities_after(&self, start: &[BodyState], outcome: &StepOutcome) -> DVector<f64> {
        let prepared = self.prepare(start, outcome.length);
        let change = prepared.group.motion_change(&outcome.impulse);
        &prepared.velocity + prepared.group.contact_velocity(|k| change[k])
    }

    /// The step with the impulses that the contact law decided on.
    pub(super) fn lawful(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
        solution: &ContactSolution,
    ) -> StepOutcome {
        let (solved, iterations) = (solution.solved, solution.iterations);
        let modes = [solution.first_modes(), solution.modes(), solution.all_modes()];
        self.complete(start, s, prepared, solution.impulse().clone(), modes, solved, iterations)
    }

    /// The step with the impulses of given branches.
    pub(super) fn branched(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
        branches: &[Branch],
        solution: &BranchSolution,
    ) -> StepOutcome {
        let modes: Vec<Mode> = branches.iter().map(Branch::mode).collect();
        self.complete(start, s, prepared, solution.impulse(), [modes.clone(), modes.clone(), modes], true, 0)
    }

    /// Every body moved on by its velocity for a time.
    pub(super) fn drifted(start: &[BodyState], time: f64) -> Vec<BodyState> {
        start.iter().map(|q| displaced(q, &(q.velocity * time), &(q.spin * time))).collect()
    }

    /// q_m of (1) and the contacts there.
    pub(super) fn middle(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
    ) -> (Vec<BodyState>, Vec<ContactGeometry>) {
        let middle = Self::drifted(start, 0.5 * s);
        let geometry = self.geometry(&middle, Some(&prepared.start_geometry));
        (middle, geometry)
    }

    /// (1), and K and w of (2).
    pub(super) fn prepare(&self, start: &[BodyState], s: f64) -> Prepared {
        let ahead = Self::drifted(start, s);
        let free: Vec<BodyState> =
            self.members.iter().zip(start).map(|(member, q)| self.flown(member, q, s).at(s)).collect();
        let start_geometry = self.geometry(start, None);
        let geometry = self.geometry(&ahead, Some(&start_geometry));
        let moving: Vec<BodyState> =
            ahead.iter().zip(&free).map(|(q, f)| BodyState { velocity: f.velocity, spin: f.spin, ..*q }).collect();
        let group = self.contact_group(&moving, &geometry);
        let velocity = group.contact_velocity(|k| (moving[k].velocity, moving[k].spin));
        Prepared { group, velocity, free, start_geometry }
    }

    /// A member in free flight for s.
    pub(super) fn flown(&self, member: &Member, q: &BodyState, s: f64) -> Flight {
        let mut flight = Flight::new(&member.mass, self.gravity, 0.0, *q);
        flight.extend_to(s);
        flight
    }

    /// (3).
    #[allow(clippy::too_many_arguments, reason = "the parts of one outcome")]
    fn complete(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
        impulse: DVector<f64>,
        [decided, modes, passes]: [Vec<Mode>; 3],
        solved: bool,
        iterations: usize,
    ) -> StepOutcome {
        let (middle, geometry) = self.middle(start, s, prepared);
        let mut changes = vec![(Vec3::zeros(), Vec3::zeros()); start.len()];
        for (i, (contact, at_middle)) in self.contacts.iter().zip(&geometry).enumerate() {
            let at_end = prepared.group.world_impulse(i, &impulse);
            let p = carried(&prepared.group.contacts[i].normal, &at_middle.normal, &at_end);
            for (member, sign) in [(contact.first, 1.0), (contact.second, -1.0)] {
                changes[member].0 += p * sign;
                changes[member].1 += (at_middle.point - middle[member].position).cross(&p) * sign;
            }
        }
        // Turning impulses against rolling stand below the contact impulses, in world axes.
        for (k, &i) in prepared.group.rolling.iter().enumerate() {
            let turning = Vec3::from(impulse.fixed_rows::<3>(3 * (modes.len() + k)));
            changes[self.contacts[i].first].1 += turning;
            changes[self.contacts[i].second].1 -= turning;
        }
        let unprojected: Vec<BodyState> = (0..start.len())
            .map(|k| {
                let body = self.members[k].at(&middle[k]);
                let velocity = prepared.free[k].velocity + changes[k].0 * body.inverse_mass;
                let spin = prepared.free[k].spin + body.inverse_inertia * changes[k].1;
                let mean = ((start[k].velocity + velocity) * (0.5 * s), (start[k].spin + spin) * (0.5 * s));
                BodyState { velocity, spin, ..displaced(&start[k], &mean.0, &mean.1) }
            })
            .collect();
        let projection = self.projection(&unprojected, &self.pressing(&impulse, &decided));
        let bend = self.bend(start, &prepared.start_geometry);
        StepOutcome {
            length: s,
            end: projection.states,
            closed: projection.rows,
            decided,
            unprojected,
            impulse,
            split: false,
            frozen: None,
            bend,
            modes,
            passes,
            solved,
            iterations,
        }
    }

    fn bend(&self, start: &[BodyState], geometry: &[ContactGeometry]) -> Bend {
        let moves = |(contact, geometry): (&HeldContact, &ContactGeometry)| {
            let at = |member: usize| start[member].point_velocity(geometry.point);
            contact.late || geometry.normal.dot(&(at(contact.first) - at(contact.second))).abs() > LANDING
        };
        if self.contacts.iter().zip(geometry).any(moves) { Bend::Early } else { Bend::Late }
    }

    /// Which contacts press and touched at the start.
    pub fn pressing(&self, impulse: &DVector<f64>, decided: &[Mode]) -> Vec<bool> {
        let presses = |(i, contact): (usize, &HeldContact)| presses(impulse, decided, i) && !contact.late;
        self.contacts.iter().enumerate().map(presses).collect()
    }
}
