//! What an impact does to a group of touching bodies: Poisson's hypothesis with Coulomb friction.
//!
//! ```text
//! compression   w_c = w⁻ + K·p_c       the contact law decides p_c                                   (1)
//! expansion     w_e = w_c + K·p_e      normal impulses p_en = e·p_cn given, friction by the law      (2)
//! correction    w⁺  = w_e + K·p_r      the law once more, where a contact still approaches           (3)
//! v⁺ = v⁻ + W·Jᵀ·(p_c + p_e + p_r)                                                                   (4)
//! e  = restitution·s((V/rest_speed − ¼)/¾),  s(y) = y²·(3 − 2y) on [0, 1],  V = −w⁻_n or 0           (5)
//! ```
//!
//! The fade (5) ends bouncing: unchanged from `rest_speed` up, exactly 0 from a quarter of it down.
//!
//! With one e for all contacts, e·p_c is a choice of p_e that friction may only better, so that expansion returns at
//! most e² of the energy that compression took. With different e it can return more, and correction need not take it
//! back: a body pinched between a lively and a dead contact would be shot out of the wedge. There all p_en are reduced by
//! one factor λ, the largest found by halving at which the energy has not grown. Such an impact offers no derivative.
//!
//! The derivative
//! goes through the same phases in the same order. When an impact happens, and the motion of t_c with u, are
//! `simulation` and `sensitivity`; the contact problem itself is `solver`.

use std::sync::Arc;

use nalgebra::DVector;

use super::group::{BodyDirection, ContactDirection, Group, GroupBody, GroupContact, GroupTangent, Motion};
use super::solution::{ContactProblemDirection, ContactSolution};
use super::solver::{ContactProblem, ContactWorkspace, solve};
use crate::math::Vec3;

/// Approach speed after expansion that calls for a correction, relative to the fastest contact velocity before.
const APPROACH_TOLERANCE: f64 = 1e-12;

/// Part of the energy taken by compression that the later phases may return in excess of it; round-off is less.
const ENERGY_TOLERANCE: f64 = 1e-11;
/// Halvings in the search for the factor on the expansion.
const HALVINGS: usize = 20;

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
    /// Whether every phase was solved, with the whole expansion. Where false, velocities are the best found and have no derivative.
    pub solved: bool,
    /// The contact problems solved: compression, and where they took place expansion and correction.
    pub phases: Vec<ContactSolution>,
    /// Whether the second of `phases` is an expansion.
    expands: bool,
    /// e of (5), one per contact.
    restitution: Vec<f64>,
    rest_speed: f64,
    group: Group,
}

/// A change of everything an impact depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactDirection {
    /// One per body.
    pub bodies: Vec<BodyDirection>,
    /// One per contact.
    pub contacts: Vec<ContactDirection>,
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

/// Solves (1) to (5) for one connected group at one instant.
pub fn impact(bodies: &[GroupBody], contacts: &[GroupContact], rest_speed: f64) -> Impact {
    let group = Group::new(bodies, contacts);
    let mut workspace = ContactWorkspace::default();
    let velocity = group.contact_velocity(&group.motions());
    let friction: Vec<f64> = contacts.iter().map(|contact| contact.friction).collect();
    let response = Arc::new(group.response());
    let mut ask = |velocity: DVector<f64>, given_normal| {
        let problem = ContactProblem { response: response.clone(), velocity, friction: friction.clone(), given_normal };
        solve(problem, None, &mut workspace)
    };
    let effective = |(i, contact): (usize, &GroupContact)| contact.restitution * fade(-velocity[3 * i], rest_speed).0;
    let restitution: Vec<f64> = contacts.iter().enumerate().map(effective).collect();
    let fastest = velocity.amax();

    let compression = ask(velocity, None);
    let expands = restitution.iter().any(|&e| e > 0.0);
    let mut rebound = |factor: f64| {
        let given = restitution.iter().enumerate().map(|(i, e)| factor * e * compression.impulse[3 * i]).collect();
        let mut later = vec![ask(after(&compression), Some(given))];
        let velocity = after(&later[0]);
        if (0..contacts.len()).any(|i| velocity[3 * i] < -APPROACH_TOLERANCE * fastest) {
            later.push(ask(velocity, None));
        }
        later
    };
    let taken = -work(&compression);
    let grows = |later: &[ContactSolution]| later.iter().map(work).sum::<f64>() > taken * (1.0 + ENERGY_TOLERANCE);
    let mut later = if expands { rebound(1.0) } else { Vec::new() };
    let limited = grows(&later);
    if limited {
        let (mut low, mut high) = (0.0, 1.0);
        later = rebound(low);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let tried = rebound(middle);
            if grows(&tried) {
                high = middle;
            } else {
                (low, later) = (middle, tried);
            }
        }
    }
    let mut phases = vec![compression];
    phases.extend(later);
    let outcome = Impact::of(group, phases, expands, restitution, rest_speed);
    Impact { solved: outcome.solved && !limited, ..outcome }
}

/// Energy that a solved phase adds, J: p·(w + ½K·p).
fn work(phase: &ContactSolution) -> f64 {
    0.5 * (phase.impulse.dot(&phase.problem.velocity) + phase.impulse.dot(&after(phase)))
}

/// w + K·p of a solved phase.
fn after(phase: &ContactSolution) -> DVector<f64> {
    let mut velocity = phase.problem.velocity.clone();
    velocity.gemv(1.0, &phase.problem.response, &phase.impulse, 1.0);
    velocity
}

impl Impact {
    /// Adds up the phases, (4).
    fn of(group: Group, phases: Vec<ContactSolution>, expands: bool, restitution: Vec<f64>, rest_speed: f64) -> Self {
        let mut total = phases[0].impulse.clone();
        phases[1..].iter().for_each(|phase| total += &phase.impulse);
        let world = |i: usize| ImpactImpulse {
            total: group.world_impulse(i, &total),
            compression: group.world_impulse(i, &phases[0].impulse),
            expansion: if expands { group.world_impulse(i, &phases[1].impulse) } else { Vec3::zeros() },
        };
        let impulses = (0..group.contacts.len()).map(world).collect();
        let velocities = sum(&group.motions(), &group.motion_change(&total));
        let solved = phases.iter().all(|phase| phase.solved);
        Self { velocities, impulses, solved, phases, expands, restitution, rest_speed, group }
    }

    /// The bodies and contacts, as they were before.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// δv⁺ and δω⁺ of every body.
    ///
    /// Every phase sees w = J·(v⁻ + W·Jᵀ·P) with P the impulses before it, so that its change with its own impulse p
    /// held is δ(J·(v⁻ + W·Jᵀ·(P + p))). The expansion also sees δp_en = δe·p_cn + e·δp_cn. It means nothing where the
    /// impact was not solved.
    pub fn tangent(&self, direction: &ImpactDirection) -> Vec<Motion> {
        let tangent = GroupTangent::new(&self.group, &direction.bodies, &direction.contacts);
        let motions = self.group.motions();
        let dmotions: Vec<Motion> = direction.bodies.iter().map(|body| (body.dvelocity, body.dspin)).collect();
        let dfriction: Vec<f64> = direction.contacts.iter().map(|contact| contact.dfriction).collect();
        let largest = self.phases[0].largest_diagonal;
        let many = self.group.contacts.len() > 1;
        let dlargest_diagonal = if many { tangent.response_diagonal(largest) } else { 0.0 };

        let mut total = DVector::zeros(3 * self.group.contacts.len());
        let mut dtotal = total.clone();
        for (k, phase) in self.phases.iter().enumerate() {
            let dgiven_normal = match k {
                1 if self.expands => self.dexpansion(&tangent, direction, &motions, &dmotions, &dtotal),
                _ => Vec::new(),
            };
            let dvelocity = |p: &DVector<f64>| {
                let sum_of_impulses = &total + p;
                let now = sum(&motions, &self.group.motion_change(&sum_of_impulses));
                let dnow = sum(&dmotions, &tangent.motion_change(&sum_of_impulses, &dtotal));
                tangent.contact_velocity(&now, &dnow)
            };
            let dimpulse = phase.tangent(&ContactProblemDirection {
                dvelocity: &dvelocity,
                dlargest_diagonal,
                dfriction: &dfriction,
                dgiven_normal: &dgiven_normal,
            });
            total += &phase.impulse;
            dtotal += dimpulse;
        }
        sum(&dmotions, &tangent.motion_change(&total, &dtotal))
    }

    /// δp_en of the expansion, one per contact, with (5) differentiated.
    fn dexpansion(
        &self,
        tangent: &GroupTangent,
        direction: &ImpactDirection,
        motions: &[Motion],
        dmotions: &[Motion],
        dcompression: &DVector<f64>,
    ) -> Vec<f64> {
        let compression = &self.phases[0];
        let dvelocity = tangent.contact_velocity(motions, dmotions);
        let one = |(i, contact): (usize, &GroupContact)| {
            let n = 3 * i;
            let (factor, dfactor_dspeed) = fade(-compression.problem.velocity[n], self.rest_speed);
            let drestitution =
                direction.contacts[i].drestitution * factor - contact.restitution * dfactor_dspeed * dvelocity[n];
            drestitution * compression.impulse[n] + self.restitution[i] * dcompression[n]
        };
        self.group.contacts.iter().enumerate().map(one).collect()
    }
}

fn sum(a: &[Motion], b: &[Motion]) -> Vec<Motion> {
    a.iter().zip(b).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect()
}

#[cfg(test)]
mod tests;
