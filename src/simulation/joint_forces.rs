//! What joints do at a time of a motion.
//!
//! ```text
//! side 0 pushed    force = F,     torque about P = τ − (P − x_A) × F               P = x_A + R_A·point       (1)
//! side 1 alone     force = −F,    torque about P = −(τ + (x_B − P) × F)                                      (2)
//! ```
//!
//! F and τ, about a centre of mass, are those of `dynamics::joined::Reaction`. Where joints contradict each other none of them
//! has a force. How all this changes with u is read by `goal`.

use std::sync::Arc;

use super::trajectory::Trajectory;
use crate::dynamics::joined::{JoinedFlight, Owner, Reaction};
use crate::math::Vec3;
use crate::model::BodyId;

/// What a joint does to its first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointForce {
    /// The joint, by its place in the scene.
    pub joint: usize,
    /// The force, N, and the torque about the joint's point, N·m; none where the joint contradicts others.
    pub wrench: Option<[Vec3; 2]>,
    /// |D|.
    pub off: f64,
}

impl Trajectory {
    /// What the joints do that hold bodies in flight just after t, in the order of the file.
    pub fn joint_forces(&self, t: f64) -> Vec<JointForce> {
        let mut forces = Vec::new();
        for flight in self.flights_after(t) {
            let conflicting = flight.soundness(t).conflicting;
            for (joint, reaction) in flight.reactions(t) {
                let has_force = !conflicting.iter().flatten().any(|owner| *owner == Owner::Joint(joint));
                let wrench = has_force.then(|| self.wrench(joint, &reaction, t));
                forces.push(JointForce { joint, wrench, off: reaction.off });
            }
        }
        forces.sort_by_key(|force| force.joint);
        forces
    }

    /// The machines in flight just after t, each once.
    fn flights_after(&self, t: f64) -> Vec<Arc<JoinedFlight>> {
        let mut flights: Vec<Arc<JoinedFlight>> = Vec::new();
        for body in 0..self.world().bodies.len() as u32 {
            let flight = self.curve(BodyId(body)).machine_after(t).cloned();
            flights.extend(flight.filter(|flight| !flights.iter().any(|own| Arc::ptr_eq(own, flight))));
        }
        flights
    }

    /// (1) and (2).
    fn wrench(&self, joint: usize, reaction: &Reaction, t: f64) -> [Vec3; 2] {
        let joint = &self.world().machine.joints[joint];
        let state = |body: usize| self.body_at(BodyId(body as u32), t);
        let first = state(joint.first);
        let point = first.position + first.rotation * joint.point();
        let body = if reaction.side == 0 { Some(joint.first) } else { joint.second };
        let center = body.map_or(point, |body| state(body).position);
        let about_point = reaction.torque + (center - point).cross(&reaction.force);
        if reaction.side == 0 { [reaction.force, about_point] } else { [-reaction.force, -about_point] }
    }
}
