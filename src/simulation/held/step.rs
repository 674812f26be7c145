//! One step of a held group: the map (1) to (3) of this folder.

use nalgebra::DVector;

use super::branch::{Branch, BranchSolution};
use super::carry::carried;
use super::displacement::displaced;
use super::group::{HeldContact, HeldGroup};
use super::outcome::StepOutcome;
use super::path::Bend;
use super::prepared::Prepared;
use crate::contact::law::Mode;
use crate::contact::{ContactSolution, ContactWorkspace, solve};
use crate::dynamics::BodyState;
use crate::geometry::ContactGeometry;
use crate::math::Vec3;
use crate::simulation::settings::LANDING;

impl HeldGroup {
    /// The step of length `s` with the contact law deciding every contact.
    pub fn step(
        &self,
        start: &[BodyState],
        s: f64,
        warm: Option<&[f64]>,
        workspace: &mut ContactWorkspace,
    ) -> StepOutcome {
        self.prepared_step(start, s, &self.prepare(start, s), warm, workspace)
    }

    /// The same where the step is prepared.
    pub(super) fn prepared_step(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
        warm: Option<&[f64]>,
        workspace: &mut ContactWorkspace,
    ) -> StepOutcome {
        self.lawful(start, s, prepared, &solve(prepared.problem.clone(), warm, workspace))
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

    /// (3), not projected.
    pub(super) fn pushed(
        &self,
        start: &[BodyState],
        s: f64,
        prepared: &Prepared,
        impulse: &DVector<f64>,
    ) -> Vec<BodyState> {
        let (middle, geometry) = self.middle(start, s, prepared);
        let mut changes = vec![(Vec3::zeros(), Vec3::zeros()); start.len()];
        for (i, (contact, at_middle)) in self.contacts.iter().zip(&geometry).enumerate() {
            let at_end = prepared.group.world_impulse(i, impulse);
            let p = carried(&prepared.group.contacts[i].normal, &at_middle.normal, &at_end);
            for (member, sign) in [(contact.first, 1.0), (contact.second, -1.0)] {
                changes[member].0 += p * sign;
                changes[member].1 += (at_middle.point - middle[member].position).cross(&p) * sign;
            }
        }
        // Of the other blocks, which stand below the contacts, those against rolling have rows that do not change.
        for block in self.contacts.len()..prepared.group.laws.len() {
            for (member, push) in prepared.group.push_of(block, &impulse.fixed_rows::<3>(3 * block).into()) {
                changes[member].0 += push.0;
                changes[member].1 += push.1;
            }
        }
        (0..start.len())
            .map(|k| {
                let body = self.members[k].at(&middle[k]);
                let velocity = prepared.free[k].velocity + changes[k].0 * body.inverse_mass;
                let spin = prepared.free[k].spin + body.inverse_inertia * changes[k].1;
                let mean = ((start[k].velocity + velocity) * (0.5 * s), (start[k].spin + spin) * (0.5 * s));
                BodyState { velocity, spin, ..displaced(&start[k], &mean.0, &mean.1) }
            })
            .collect()
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
        let unprojected = self.pushed(start, s, prepared, &impulse);
        let projection = self.projection(&unprojected, &self.pressing(&impulse, &decided));
        let bend = self.bend(start, &prepared.start_geometry);
        StepOutcome {
            length: s,
            end: projection.states,
            closed: projection.rows,
            lambda: projection.lambda,
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
}
