//! How velocities after an impact change with everything it depends on: one row of the derivative for each covector.
//!
//! A phase of `impact` that begins after impulses P sees w = J·v⁻ + K·P, so that a pass of it with the impulse p changes
//! with δ(J·V) at V = v⁻ + W·Jᵀ·(P + p), those impulses held, and with K·δP. Read backwards from a covector y of what
//! the contacts do to a body, Jᵀ·P with P the impulses of all phases:
//!
//! ```text
//! P̄     = J·y,  beside y·δJᵀ·P                                                                      (1)
//! p̄_k   = P̄ + K·Σ w̄_later,     (w̄_k, η_k of every pass) from p̄_k by `solution`                     (2)
//! ē_i   = fade·p_cn·ḡ_i,      p̄_c,n += e·ḡ_i,      w̄⁻_n −= restitution·fade′·p_cn·ḡ_i                  (3)
//! ```
//!
//! (3) is the expansion, whose normal impulses g_i = e·p_cn are given. What the η ask of bodies and contacts is
//! `cotangent` in `group`; v⁺ and ω⁺ from Jᵀ·P are `rows`, and a single contact has its own way, `single_derivative`.
//! Where θ < 1, P = p_c + θ·q and, from the energy ΔT = ½·P·(w⁻ + w⁺) = 0,
//!
//! ```text
//! δθ = −(δP·w⁺ + ½·P·(δ(J·v⁻) + δ(J·V)))/(q·w⁺),      δP at fixed θ,  V at P                         (4)
//! ```
//!
//! Where every e is exactly 0 there is no expansion, and a change of restitution changes nothing to first order: that is
//! the derivative from below, not from above. Rows mean nothing where the impact was not solved.

use nalgebra::{DMatrix, DVector, DVectorViewMut};

use super::poisson::{Impact, fade};
use super::rows::{ImpactRows, MOTION, Sharing};
use crate::contact::group::bodies::GroupContact;
use crate::contact::group::cotangent::{GroupCotangent, GroupRows, Pushed};
use crate::contact::group::frame::dframe_dn;
use crate::contact::group::rows::Group;
use crate::contact::law::kind::PerKind;
use crate::math::{Mat3, Vec3};

/// An impact and what all rows of its derivative share.
struct ImpactDerivative<'a> {
    impact: &'a Impact,
    /// Without impulses, where that matters.
    before: Option<Pushed>,
    /// With the impulses of all phases.
    after: Pushed,
    /// V at every pass of every phase.
    passes: Vec<Vec<Pushed>>,
    /// Of every contact.
    expansion: Vec<Expansion>,
    dframes: Vec<(Mat3, Mat3)>,
    energy: Option<Energy>,
}

/// The derivatives of (3) of one contact.
struct Expansion {
    /// ∂g/∂p_cn = e.
    by_compression: f64,
    /// ∂g/∂restitution.
    by_restitution: f64,
    /// ∂g/∂w⁻_n.
    by_velocity: f64,
}

/// What (4) is made of.
struct Energy {
    /// q.
    rest: DVector<f64>,
    /// w⁺.
    after: DVector<f64>,
}

impl Impact {
    /// The six rows of velocity and spin afterwards, of each of some bodies.
    pub fn rows(&self, bodies: &[usize]) -> Vec<ImpactRows> {
        let group = &self.group;
        if let Some((pushes, sums)) = self.single_pushes() {
            let of = |&body: &usize| ImpactRows::new(group, &sums[body], &pushes, Sharing::Contact, body);
            return bodies.iter().map(of).collect();
        }
        let derivative = self.derivative();
        let sums = &derivative.after.sums;
        // Two bodies that do nothing but touch push each other alike.
        if let ([_, _], [contact, ..], []) = (&*group.bodies, &*group.contacts, &*group.targets) {
            let pushes = derivative.pushes(contact.first);
            let of = |&body: &usize| ImpactRows::new(group, &sums[body], &pushes, Sharing::Body(contact.first), body);
            return bodies.iter().map(of).collect();
        }
        let own =
            |&body: &usize| ImpactRows::new(group, &sums[body], &derivative.pushes(body), Sharing::Body(body), body);
        bodies.iter().map(own).collect()
    }

    /// What its derivative needs.
    fn derivative(&self) -> ImpactDerivative<'_> {
        let pushed = |impulse: &DVector<f64>| Pushed::new(&self.group, impulse.as_slice());
        let (problem, compression) = (&self.phases[0].problem, self.phases[0].impulse());
        let mut before = DVector::zeros(compression.len());
        let mut passes = Vec::with_capacity(self.phases.len());
        for phase in &self.phases {
            passes.push(phase.pass_impulses().map(|p| pushed(&(&before + p))).collect());
            before += phase.impulse();
        }
        let rest = before - compression;
        let total = compression + self.retained * &rest;
        let after = (self.retained < 1.0).then(|| &problem.velocity + problem.response.times(&total));
        let energy = after.map(|after| Energy { rest, after });
        let expansion = |(i, contact): (usize, &GroupContact)| {
            let (factor, dfactor_dspeed) = fade(-problem.velocity[3 * i], self.rest_speed);
            Expansion {
                by_compression: contact.restitution * factor,
                by_restitution: factor * compression[3 * i],
                by_velocity: -contact.restitution * dfactor_dspeed * compression[3 * i],
            }
        };
        let expansion: Vec<Expansion> = self.group.contacts.iter().enumerate().map(expansion).collect();
        let fades = expansion.iter().any(|expansion| expansion.by_velocity != 0.0);
        let none = (fades || energy.is_some()).then(|| pushed(&DVector::zeros(total.len())));
        let dframes = self.group.contacts.iter().map(|contact| dframe_dn(&contact.normal)).collect();
        ImpactDerivative { impact: self, before: none, after: pushed(&total), passes, expansion, dframes, energy }
    }
}

impl ImpactDerivative<'_> {
    /// Rows of the impulse on a body, and of the turning impulse about its centre.
    fn pushes(&self, body: usize) -> GroupRows {
        let mut pull = Pull::new(self);
        let total = pull.begin(body);
        for k in (0..self.passes.len()).rev() {
            pull.phase(k, &total);
        }
        pull.finish()
    }
}

/// Covectors of what one body is pushed with on their way back.
struct Pull<'a> {
    derivative: &'a ImpactDerivative<'a>,
    group: GroupCotangent<'a>,
    /// Σ w̄ of the phases so far, contact rows × 6.
    later: DMatrix<f64>,
    /// Of the mean traces of K's blocks of each kind.
    mean_traces: [PerKind; MOTION],
    /// Of the coefficients of all laws, blocks × 6, and ḡ, contacts × 6.
    coefficients: DMatrix<f64>,
    given_normal: DMatrix<f64>,
}

impl<'a> Pull<'a> {
    fn new(derivative: &'a ImpactDerivative<'a>) -> Self {
        let group = &derivative.impact.group;
        Self {
            derivative,
            group: GroupCotangent::new(group, MOTION),
            later: DMatrix::zeros(group.row_count(), MOTION),
            mean_traces: [PerKind::default(); MOTION],
            coefficients: DMatrix::zeros(group.laws.len(), MOTION),
            given_normal: DMatrix::zeros(group.contacts.len(), MOTION),
        }
    }

    /// (1): P̄, contact rows × 6, at fixed θ.
    fn begin(&mut self, body: usize) -> DMatrix<f64> {
        let group: &Group = &self.derivative.impact.group;
        let mut total = DMatrix::zeros(group.row_count(), MOTION);
        for (row, mut total) in total.column_iter_mut().enumerate() {
            let unit = |first: usize| Vec3::from_fn(|axis, _| f64::from(u8::from(first + axis == row)));
            let y = (unit(0), unit(3));
            self.group.add_push(row, body, &y, &self.derivative.after);
            group.add_contact_velocity(body, &y, total.as_mut_slice());
            if let Some(energy) = &self.derivative.energy {
                energy.hold(row, total, &mut self.group, self.derivative);
            }
        }
        total
    }

    /// (2) of one phase.
    fn phase(&mut self, k: usize, total: &DMatrix<f64>) {
        let impact = self.derivative.impact;
        let phase = &impact.phases[k];
        let mut covectors = if k == 0 { total.clone() } else { impact.retained * total };
        if k + 1 < impact.phases.len() {
            covectors += phase.problem.response.times_each(&self.later);
        }
        if k == 0 {
            for (i, expansion) in self.derivative.expansion.iter().enumerate() {
                for row in 0..MOTION {
                    covectors[(3 * i, row)] += expansion.by_compression * self.given_normal[(i, row)]; // (3)
                }
            }
        }
        let back = phase.cotangent(covectors);
        for (eta, pushed) in back.response.iter().zip(&self.derivative.passes[k]) {
            for (row, eta) in eta.column_iter().enumerate() {
                self.group.add_velocity(row, eta.as_slice(), pushed);
            }
        }
        self.later += back.velocity;
        for (sums, traces) in self.mean_traces.iter_mut().zip(back.mean_traces.column_iter()) {
            sums.0.iter_mut().zip(&traces).for_each(|(sum, trace)| *sum += trace);
        }
        self.coefficients += back.coefficients;
        if k == 1 {
            self.given_normal = back.given_normal;
        }
    }

    /// (3) for the approach speed and for restitution, and everything together.
    fn finish(mut self) -> GroupRows {
        let (expansion, given) = (&self.derivative.expansion, &self.given_normal);
        let contact_count = expansion.len();
        for row in 0..MOTION {
            if self.mean_traces[row] != PerKind::default() {
                self.group.add_trace(row, self.mean_traces[row]);
            }
            if let Some(before) = &self.derivative.before {
                let mut eta = DVector::zeros(self.later.nrows());
                for (i, expansion) in expansion.iter().enumerate() {
                    eta[3 * i] = expansion.by_velocity * given[(i, row)];
                }
                self.group.add_velocity(row, eta.as_slice(), before);
            }
        }
        let mut rows = self.group.finish(&self.derivative.dframes);
        for (k, contact) in rows.contacts.iter_mut().enumerate() {
            let at = (k % contact_count, k / contact_count);
            contact.dfriction = self.coefficients[at];
            contact.drestitution = expansion[at.0].by_restitution * given[at];
        }
        rows
    }
}

impl Energy {
    /// (4): takes from P̄ what a change of θ gives back, and hands its own part on.
    fn hold(&self, row: usize, mut total: DVectorViewMut<f64>, group: &mut GroupCotangent, of: &ImpactDerivative) {
        let theta = self.rest.dot(&total) / self.rest.dot(&self.after);
        total.axpy(-theta, &self.after, 1.0);
        let eta: Vec<f64> = of.after.impulse.iter().map(|impulse| -0.5 * theta * impulse).collect();
        of.before.iter().chain([&of.after]).for_each(|end| group.add_velocity(row, &eta, end));
    }
}
