//! How the end of a held step changes with its start, its length and its parameters: the map (1) to (3) of this folder,
//! differentiated in the same order, with what each contact does and which rows are projected held fixed.
//!
//! ```text
//! δq₁ = δ(q ⊕ s·v),  δq_m = δ(q ⊕ (s/2)·v),   δv_f = Φ_q·δq + Φ_g·δg + Φ_Λ·δΛ + F·δs              (1)
//! δw = δJ₁·v_f + J₁·δv_f,   δK = δ(J₁W₁J₁ᵀ),   δp from the contact problem's tangent              (2)
//! δv⁺ = δv_f + δW_m·j + W_m·δj,   j = Σ (P, r × P),   P = p carried from n₁ to n_m                (3)
//! δq̃  = δ(q ⊕ s·(v + v⁺)/2),   then the tangent of the projection                                 (4)
//! ```
//!
//! Φ is free flight. Contacts move by their features: points, lever arms and normals at q₁ and at q_m, and the axes
//! that turn with the normals. A step on frozen branches slides along the slips at its start, which change with it.
//! Everything is computed again from the start and the length, so that a trajectory need not store it. The derivative
//! of the times at which steps are split is `split_derivative`; the chain of steps is `sensitivity`.

use std::sync::Arc;

use nalgebra::DVector;

use super::branch::{Branch, BranchDirection, BranchSolution};
use super::carry::{carried, carried_tangent};
use super::direction::{StepDirection, StepTangent};
use super::displacement::{PoseTangent, displaced_tangent, part, pose_tangents, stacked, turned_inertia};
use super::geometry::{ContactTangent, GeometryDerivative};
use super::group::{HeldGroup, Member};
use super::outcome::StepOutcome;
use super::prepared::Prepared;
use super::projection::Projection;
use super::projection_derivative::ProjectionDerivative;
use super::slip_derivative::{SlipDerivative, slide_directions};
use crate::contact::frame::{frame, frame_tangent};
use crate::contact::group::Motion;
use crate::contact::group_tangent::GroupTangent;
use crate::contact::{
    BodyDirection, ContactDirection, ContactProblemDirection, ContactSolution, ContactWorkspace, solve,
};
use crate::dynamics::{BodyState, FlightDerivative, StateTangent};
use crate::geometry::ContactGeometry;
use crate::math::Vec3;

/// Where the impulses came from.
enum Source {
    Law(Box<ContactSolution>),
    Frozen { branches: Vec<Branch>, solution: Box<BranchSolution>, slips: SlipDerivative },
}

/// The derivative of one step: everything that directions share.
pub struct StepDerivative {
    /// The step itself.
    pub outcome: StepOutcome,
    pub(super) group: Arc<HeldGroup>,
    pub(super) start: Vec<BodyState>,
    prepared: Prepared,
    source: Source,
    flights: Vec<(FlightDerivative, StateTangent)>,
    pub(super) at_end: GeometryDerivative,
    middle: Vec<BodyState>,
    middle_geometry: Vec<ContactGeometry>,
    pub(super) at_middle: GeometryDerivative,
    projection: ProjectionDerivative,
}

impl HeldGroup {
    /// The derivative of [`HeldGroup::step`] with the same arguments. It means nothing where its outcome is not
    /// `solved`.
    pub fn step_derivative(
        self: &Arc<Self>,
        start: &[BodyState],
        s: f64,
        warm: Option<&[f64]>,
        workspace: &mut ContactWorkspace,
    ) -> StepDerivative {
        let prepared = self.prepare(start, s);
        let solution = solve(prepared.problem.clone(), warm, workspace);
        let outcome = self.lawful(start, s, &prepared, &solution);
        self.derivative(start, prepared, Source::Law(Box::new(solution)), outcome)
    }

    /// The derivative of [`HeldGroup::step_on_branch`], where sliding branches slide along the slips at the start.
    pub fn branch_derivative(
        self: &Arc<Self>,
        start: &[BodyState],
        s: f64,
        branches: &[Branch],
    ) -> Option<StepDerivative> {
        let prepared = self.prepare(start, s);
        let solution = self.branch_solution(&prepared, branches)?;
        let outcome = self.branched(start, s, &prepared, branches, &solution);
        let slips = SlipDerivative::new(self, start);
        let source = Source::Frozen { branches: branches.to_vec(), solution: Box::new(solution), slips };
        Some(self.derivative(start, prepared, source, outcome))
    }

    fn derivative(
        self: &Arc<Self>,
        start: &[BodyState],
        prepared: Prepared,
        source: Source,
        outcome: StepOutcome,
    ) -> StepDerivative {
        let s = outcome.length;
        let flight = |(member, q): (&Member, &BodyState)| {
            let flight = self.flown(member, q, s);
            (flight.derivative(s), flight.rate(s))
        };
        let (middle, middle_geometry) = self.middle(start, s, &prepared);
        let (states, rows, lambda) = (outcome.end.clone(), outcome.closed.clone(), outcome.lambda.clone());
        let projection = Projection { states, rows, lambda };
        StepDerivative {
            group: self.clone(),
            start: start.to_vec(),
            prepared,
            source,
            flights: self.members.iter().zip(start).map(flight).collect(),
            at_end: self.geometry_derivative(&Self::drifted(start, s), Some(start)),
            at_middle: self.geometry_derivative(&middle, Some(start)),
            middle,
            middle_geometry,
            projection: self.projection_derivative(&outcome.unprojected, &projection),
            outcome,
        }
    }
}

impl StepDerivative {
    /// The change of the step for a direction.
    pub fn tangent(&self, direction: &StepDirection) -> StepTangent {
        let dfree = self.dfree(direction);
        let at_end = self.drift(direction, 1.0);
        let start = pose_tangents(&direction.bodies);
        let dcontacts = self.at_end.tangent(&self.group, &at_end, &start, &direction.masses);
        let impulse = self.dimpulse(direction, &at_end, &dcontacts, &dfree);
        let unprojected = self.dunprojected(direction, &dcontacts, &dfree, &impulse);
        let end = self.projection.tangent(&unprojected, &direction.masses);
        StepTangent { end, unprojected, impulse }
    }

    /// δ of q ⊕ (part·s)·v, one per member.
    fn drift(&self, direction: &StepDirection, share: f64) -> Vec<PoseTangent> {
        let (x, dx) = (share * self.outcome.length, share * direction.dlength);
        let drift = |(q, dq): (&BodyState, &StateTangent)| {
            let (dshift, dturn) = (part(dq, 2) * x + q.velocity * dx, part(dq, 3) * x + q.spin * dx);
            displaced_tangent(&(q.spin * x), &(part(dq, 0), part(dq, 1)), &dshift, &dturn)
        };
        self.start.iter().zip(&direction.bodies).map(drift).collect()
    }

    /// δv_f of (1), one per member.
    fn dfree(&self, direction: &StepDirection) -> Vec<Motion> {
        let change = |(k, (flight, rate)): (usize, &(FlightDerivative, StateTangent))| {
            let mut dq = flight.dq_dq0 * direction.bodies[k] + flight.dq_dgravity * direction.dgravity;
            dq += rate * direction.dlength;
            if self.group.members[k].is_pushed() {
                dq += flight.dq_dinertia * direction.masses[k].dinertia;
            }
            (part(&dq, 2), part(&dq, 3))
        };
        self.flights.iter().enumerate().map(change).collect()
    }

    /// δp of (2).
    fn dimpulse(
        &self,
        direction: &StepDirection,
        poses: &[PoseTangent],
        dcontacts: &[ContactTangent],
        dfree: &[Motion],
    ) -> DVector<f64> {
        let at_end = HeldGroup::drifted(&self.start, self.outcome.length);
        let body = |(k, member): (usize, &Member)| {
            let (dinverse_mass, dinverse_inertia) = direction.masses[k].inverse(member, &at_end[k]);
            let (dposition, drotation) = poses[k];
            let (dvelocity, dspin) = dfree[k];
            BodyDirection { dposition, drotation, dvelocity, dspin, dinverse_mass, dinverse_inertia }
        };
        let bodies: Vec<_> = self.group.members.iter().enumerate().map(body).collect();
        let contact =
            |d: &ContactTangent| ContactDirection { dpoint: d.dpoint, dnormal: d.dnormal, ..Default::default() };
        let contacts: Vec<_> = dcontacts.iter().map(contact).collect();
        let tangent = GroupTangent::new(&self.prepared.group, &bodies, &contacts);
        let (dvelocity, dmean_traces) = (&tangent.contact_velocity(dfree), tangent.mean_traces());
        let dresponse = |p: &DVector<f64>| tangent.response_times(p);
        match &self.source {
            Source::Law(solution) => solution.tangent(&ContactProblemDirection {
                dvelocity: &|p| dvelocity + dresponse(p),
                dmean_traces,
                dcoefficients: &self.prepared.group.coefficient_changes(&direction.dfriction, &direction.drolling),
                dgiven_normal: &[],
            }),
            Source::Frozen { branches, solution, slips } => {
                let dslips = slips.tangent(&self.group, &self.start, &direction.bodies, &direction.masses);
                let ddirections = slide_directions(branches, &slips.slips, &dslips);
                let dslides: Vec<_> = ddirections.into_iter().zip(dcontacts.iter().map(|d| d.dnormal)).collect();
                let (dfriction, dslides) = (&direction.dfriction[..], &dslides[..]);
                let dresponse = &dresponse;
                let change = BranchDirection { dvelocity, dresponse, dmean_traces, dfriction, dslides };
                solution.tangent(&self.group, &self.prepared, &change)
            }
        }
    }

    /// j of (3) and its change: impulse and turning impulse on every member.
    fn changes(
        &self,
        poses: &[PoseTangent],
        at_middle: &[ContactTangent],
        at_end: &[ContactTangent],
        dimpulse: &DVector<f64>,
    ) -> Vec<[Motion; 2]> {
        let (impulse, contacts) = (self.outcome.impulse(), &self.prepared.group.contacts);
        let mut sums = vec![[(Vec3::zeros(), Vec3::zeros()); 2]; self.start.len()];
        for (i, contact) in self.group.contacts.iter().enumerate() {
            let triple = |p: &DVector<f64>| Vec3::from(p.fixed_rows::<3>(3 * i));
            let (normal, dnormal, axes) = (&contacts[i].normal, &at_end[i].dnormal, frame(&contacts[i].normal));
            let push = axes.tr_mul(&triple(impulse));
            let dpush = frame_tangent(normal, dnormal).tr_mul(&triple(impulse)) + axes.tr_mul(&triple(dimpulse));
            let (at, d) = (&self.middle_geometry[i], &at_middle[i]);
            let p = carried(normal, &at.normal, &push);
            let dp = carried_tangent([normal, dnormal], [&at.normal, &d.dnormal], [&push, &dpush]);
            for (member, sign) in [(contact.first, 1.0), (contact.second, -1.0)] {
                let (arm, darm) = (at.point - self.middle[member].position, d.dpoint - poses[member].0);
                let [sum, dsum] = &mut sums[member];
                *sum = (sum.0 + p * sign, sum.1 + arm.cross(&p) * sign);
                *dsum = (dsum.0 + dp * sign, dsum.1 + (darm.cross(&p) + arm.cross(&dp)) * sign);
            }
        }
        // Rows against rolling do not change.
        let group = &self.prepared.group;
        for block in contacts.len()..group.laws.len() {
            let pushes = [impulse, dimpulse].map(|p| group.push_of(block, &p.fixed_rows::<3>(3 * block).into()));
            for ((member, push), (_, dpush)) in pushes[0].into_iter().zip(pushes[1]) {
                let [sum, dsum] = &mut sums[member];
                *sum = (sum.0 + push.0, sum.1 + push.1);
                *dsum = (dsum.0 + dpush.0, dsum.1 + dpush.1);
            }
        }
        sums
    }

    /// (3) and (4), without the projection.
    fn dunprojected(
        &self,
        direction: &StepDirection,
        at_end: &[ContactTangent],
        dfree: &[Motion],
        dimpulse: &DVector<f64>,
    ) -> Vec<StateTangent> {
        let poses = self.drift(direction, 0.5);
        let start = pose_tangents(&direction.bodies);
        let at_middle = self.at_middle.tangent(&self.group, &poses, &start, &direction.masses);
        let changes = self.changes(&poses, &at_middle, at_end, dimpulse);
        let (s, ds) = (self.outcome.length, direction.dlength);
        let one = |k: usize| {
            let (member, middle, start, dstart) =
                (&self.group.members[k], &self.middle[k], &self.start[k], &direction.bodies[k]);
            let body = member.at(middle);
            let (dinverse_mass, mut dinverse_inertia) = direction.masses[k].inverse(member, middle);
            dinverse_inertia += turned_inertia(&body.inverse_inertia, &poses[k].1);
            let [(push, twist), (dpush, dtwist)] = changes[k];
            let dvelocity = dfree[k].0 + push * dinverse_mass + dpush * body.inverse_mass;
            let dspin = dfree[k].1 + dinverse_inertia * twist + body.inverse_inertia * dtwist;
            let after = &self.outcome.unprojected[k];
            let (twice_velocity, twice_spin) = (start.velocity + after.velocity, start.spin + after.spin);
            let dshift = ((part(dstart, 2) + dvelocity) * s + twice_velocity * ds) * 0.5;
            let dturn = ((part(dstart, 3) + dspin) * s + twice_spin * ds) * 0.5;
            let turn = twice_spin * (0.5 * s);
            let pose = displaced_tangent(&turn, &(part(dstart, 0), part(dstart, 1)), &dshift, &dturn);
            stacked(pose, dvelocity, dspin)
        };
        (0..self.start.len()).map(one).collect()
    }
}
