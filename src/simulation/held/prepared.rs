//! What a step knows before its impulses: free flight, and bodies and contacts where its rows are taken.

use nalgebra::DVector;

use super::displacement::displaced;
use super::group::{HeldGroup, Member};
use crate::contact::ContactProblem;
use crate::contact::group::Group;
use crate::dynamics::{BodyState, Flight};
use crate::geometry::ContactGeometry;

/// What a step knows before its contact problem is solved.
pub(super) struct Prepared {
    /// At q₁, with the velocities v_f.
    pub(super) group: Group,
    pub(super) velocity: DVector<f64>,
    /// (2) of these.
    pub(super) problem: ContactProblem,
    pub(super) free: Vec<BodyState>,
    /// The contacts at the start.
    pub(super) start_geometry: Vec<ContactGeometry>,
}

impl HeldGroup {
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
        let geometry = self.geometry(&middle, &prepared.start_geometry);
        (middle, geometry)
    }

    /// (1), and K and w of (2).
    pub(super) fn prepare(&self, start: &[BodyState], s: f64) -> Prepared {
        let ahead = Self::drifted(start, s);
        let free: Vec<BodyState> =
            self.members.iter().zip(start).map(|(member, q)| self.flown(member, q, s).at(s)).collect();
        let start_geometry = self.start_geometry(start);
        let geometry = self.geometry(&ahead, &start_geometry);
        let moving: Vec<BodyState> =
            ahead.iter().zip(&free).map(|(q, f)| BodyState { velocity: f.velocity, spin: f.spin, ..*q }).collect();
        let group = self.contact_group(&moving, &geometry);
        let velocity = group.contact_velocity(|k| (moving[k].velocity, moving[k].spin));
        let problem = ContactProblem::new(&group, velocity.clone());
        Prepared { group, velocity, problem, free, start_geometry }
    }

    /// A member in free flight for s.
    pub(super) fn flown(&self, member: &Member, q: &BodyState, s: f64) -> Flight {
        let mut flight = Flight::new(&member.mass, self.gravity, 0.0, *q);
        flight.extend_to(s);
        flight
    }
}
