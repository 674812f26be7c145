//! What an impact does to a group of touching bodies: Poisson's hypothesis with Coulomb friction.
//!
//! ```text
//! compression   w_c = w⁻ + K·p_c       the contact law decides p_c                                   (1)
//! expansion     w_e = w_c + K·p_e      normal impulses p_en = e·p_cn given, friction by the law      (2)
//! correction    w⁺  = w_e + K·p_r      the law once more, where a contact still approaches           (3)
//! v⁺ = v⁻ + W·Jᵀ·(p_c + θ·(p_e + p_r))                                                               (4)
//! e  = restitution·s((V/rest_speed − ¼)/¾),  s(y) = y²·(3 − 2y) on [0, 1],  V = −w⁻_n or 0           (5)
//! ```
//!
//! θ is 1 except where contacts that wedge each other with friction would leave with more energy than they came: there
//! it is the largest factor that does not (`energy`). The fade (5) ends bouncing: unchanged from `rest_speed` up,
//! exactly 0 from a quarter of it down.
//!
//! Rows that hold, as those of a joint, hold in every phase: w counts from their targets, and so does the energy of `energy`.
//! The derivative of all this is `derivative`. When an impact happens, and how t_c moves with u, are `simulation`
//! and `sensitivity`; the contact problem itself is `solver`.

use nalgebra::DVector;

use super::energy::retained;
use crate::contact::group::block::{RowBlock, RowBlockDirection};
use crate::contact::group::bodies::{BodyDirection, ContactDirection, GroupBody, GroupContact, Motion};
use crate::contact::group::rows::Group;
use crate::contact::problem::ContactProblem;
use crate::contact::settings::APPROACH_TOLERANCE;
use crate::contact::solve::solution::ContactSolution;
use crate::contact::solve::solver::{ContactWorkspace, solve};
use crate::math::Vec3;

/// Impulses of one contact on its first body, in the world, N·s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactImpulse {
    /// All phases together.
    pub total: Vec3,
    /// Of phase (1).
    pub compression: Vec3,
    /// Of phase (2).
    pub expansion: Vec3,
}

/// The outcome of an impact, and what its derivative needs.
#[derive(Clone, Debug)]
pub struct Impact {
    /// Velocity and spin of every body afterwards.
    pub velocities: Vec<Motion>,
    /// One per contact.
    pub impulses: Vec<ImpactImpulse>,
    /// Whether every phase was solved. Where false, velocities are the best found and have no derivative.
    pub solved: bool,
    /// The contact problems solved: compression, and where they took place expansion and correction.
    pub phases: Vec<ContactSolution>,
    /// θ of (4).
    pub retained: f64,
    pub(in crate::contact) rest_speed: f64,
    pub(in crate::contact) group: Group,
}

/// A change of everything an impact depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactDirection {
    /// One per body.
    pub bodies: Vec<BodyDirection>,
    /// One per contact.
    pub contacts: Vec<ContactDirection>,
    /// One per block that is not of a contact.
    pub blocks: Vec<RowBlockDirection>,
}

/// The factor of (5) on the restitution at approach speed V, and its derivative by V.
pub fn fade(approach_speed: f64, rest_speed: f64) -> (f64, f64) {
    let y = (approach_speed / rest_speed - 0.25) / 0.75;
    if y.is_nan() || y <= 0.0 {
        return (0.0, 0.0);
    }
    if y >= 1.0 {
        return (1.0, 0.0);
    }
    (y * y * (3.0 - 2.0 * y), 6.0 * y * (1.0 - y) / (0.75 * rest_speed))
}

/// Solves (1) to (5) for one connected group at one instant. Rolling resistance is a matter of lasting contact, and
/// ignored.
pub fn impact(bodies: &[GroupBody], contacts: &[GroupContact], rest_speed: f64) -> Impact {
    joined_impact(bodies, contacts, &[], rest_speed)
}

/// The same for a group that has more rows than those of its contacts: they hold in every phase, and impulses go through
/// them at once.
pub fn joined_impact(bodies: &[GroupBody], contacts: &[GroupContact], blocks: &[RowBlock], rest_speed: f64) -> Impact {
    let contacts: Vec<_> = contacts.iter().map(|contact| GroupContact { rolling: 0.0, ..*contact }).collect();
    let group = Group::with_blocks(bodies, &contacts, blocks);
    let mut workspace = ContactWorkspace::default();
    let velocity = group.contact_velocity(|body| (bodies[body].velocity, bodies[body].spin));
    let first = ContactProblem::new(&group, velocity);
    let mut ask = |velocity: DVector<f64>, given_normal| {
        let problem = ContactProblem { velocity, given_normal, ..first.clone() };
        solve(problem, None, &mut workspace)
    };
    let mut phases = Vec::with_capacity(3);
    phases.push(ask(first.velocity.clone(), None));
    let before = &phases[0].problem.velocity;
    let restitution = |i: usize| contacts[i].restitution * fade(-before[3 * i], rest_speed).0;
    let expands = (0..contacts.len()).any(|i| restitution(i) > 0.0);
    let mut end = after(&phases[0]);
    if expands {
        let approach = -APPROACH_TOLERANCE * before.rows(0, 3 * contacts.len()).amax();
        let given = (0..contacts.len()).map(|i| restitution(i) * phases[0].impulse()[3 * i]).collect();
        phases.push(ask(end, Some(given)));
        end = after(&phases[1]);
        if (0..contacts.len()).any(|i| end[3 * i] < approach) {
            phases.push(ask(end, None));
            end = after(&phases[2]);
        }
    }
    Impact::of(group, phases, &end, rest_speed)
}

/// w + K·p of a solved phase.
fn after(phase: &ContactSolution) -> DVector<f64> {
    &phase.problem.velocity + phase.problem.response.times(phase.impulse())
}

impl Impact {
    /// Adds up the phases, (4); `end` is the contact velocity after the last of them.
    fn of(group: Group, phases: Vec<ContactSolution>, end: &DVector<f64>, rest_speed: f64) -> Self {
        let compression = phases[0].impulse();
        let mut total = compression.clone();
        phases[1..].iter().for_each(|phase| total += phase.impulse());
        let mut theta = 1.0;
        if let Some(expansion) = phases.get(1) {
            theta = retained(&phases[0].problem.velocity, &expansion.problem.velocity, end, compression, &total);
            if theta < 1.0 {
                total.axpy(1.0 - theta, compression, theta);
            }
        }
        let world = |i: usize| ImpactImpulse {
            total: group.world_impulse(i, &total),
            compression: group.world_impulse(i, compression),
            expansion: phases.get(1).map_or(Vec3::zeros(), |phase| theta * group.world_impulse(i, phase.impulse())),
        };
        let impulses = (0..group.contacts.len()).map(world).collect();
        let mut velocities = group.motion_change(&total);
        for (motion, body) in velocities.iter_mut().zip(&group.bodies) {
            *motion = (motion.0 + body.velocity, motion.1 + body.spin);
        }
        let solved = phases.iter().all(|phase| phase.solved);
        Self { velocities, impulses, solved, phases, retained: theta, rest_speed, group }
    }

    /// The bodies and contacts, as they were before.
    pub fn group(&self) -> &Group {
        &self.group
    }
}

#[cfg(test)]
mod tests;
