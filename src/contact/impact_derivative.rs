//! How velocities after an impact change with everything it depends on: one row of the derivative for each covector.
//!
//! A phase of `impact` that begins after impulses P sees w = J·v⁻ + K·P, so that a pass of it with the impulse p changes
//! with δ(J·V) at V = v⁻ + W·Jᵀ·(P + p), those impulses held, and with K·δP. Read backwards from a covector y of
//! v⁺, with P the impulses of all phases:
//!
//! ```text
//! P̄     = J·W·y,  beside y·δ(v⁻ + W·Jᵀ·P)                                                           (1)
//! p̄_k   = P̄ + K·Σ w̄_later,     (w̄_k, η_k of every pass) from p̄_k by `solution`                     (2)
//! ē_i   = fade·p_cn·ḡ_i,      p̄_c,n += e·ḡ_i,      w̄⁻_n −= restitution·fade′·p_cn·ḡ_i                  (3)
//! ```
//!
//! (3) is the expansion, whose normal impulses g_i = e·p_cn are given. What the η ask of bodies and contacts is
//! `group_cotangent`. Where θ < 1, P = p_c + θ·q and, from the energy ΔT = ½·P·(w⁻ + w⁺) = 0,
//!
//! ```text
//! δθ = −(δP·w⁺ + ½·P·(δ(J·v⁻) + δ(J·V)))/(q·w⁺),      δP at fixed θ,  V at P                         (4)
//! ```
//!
//! Where every e is exactly 0 there is no expansion, and a change of restitution changes nothing to first order: that is
//! the derivative from below, not from above. Rows mean nothing where the impact was not solved.

use nalgebra::{DMatrix, DVector, DVectorViewMut, SVector};

use super::frame::dframe_dn;
use super::group::{BodyDirection, ContactDirection, GroupContact};
use super::group_cotangent::{GroupCotangent, GroupRows, Pushed};
use super::impact::{Impact, ImpactDirection, fade};
use crate::math::{Mat3, Vec3};

/// Rows of one body: its velocity and spin.
const ROWS: usize = 6;

/// An impact and what all rows of its derivative share.
pub struct ImpactDerivative<'a> {
    impact: &'a Impact,
    /// Without impulses, and with those of all phases.
    ends: [Pushed; 2],
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

/// Rows of the derivative of an impact: covectors of everything it depends on, every number in the place of its change.
pub struct ImpactRows {
    rows: GroupRows,
    body_count: usize,
    contact_count: usize,
}

impl ImpactRows {
    /// Row by row the covectors of bodies and contacts.
    pub fn iter(&self) -> impl Iterator<Item = (&[BodyDirection], &[ContactDirection])> {
        let (bodies, contacts) = (&self.rows.bodies, &self.rows.contacts);
        (0..ROWS).map(|row| {
            (
                &bodies[row * self.body_count..][..self.body_count],
                &contacts[row * self.contact_count..][..self.contact_count],
            )
        })
    }

    /// The changes of the numbers that the rows are for.
    pub fn along(&self, direction: &ImpactDirection) -> impl Iterator<Item = f64> {
        let body = |(a, b): (&BodyDirection, &BodyDirection)| {
            a.dposition.dot(&b.dposition)
                + a.drotation.dot(&b.drotation)
                + a.dvelocity.dot(&b.dvelocity)
                + a.dspin.dot(&b.dspin)
                + a.dinverse_mass * b.dinverse_mass
                + a.dinverse_inertia.dot(&b.dinverse_inertia)
        };
        let contact = |(a, b): (&ContactDirection, &ContactDirection)| {
            a.dpoint.dot(&b.dpoint)
                + a.dnormal.dot(&b.dnormal)
                + a.drestitution * b.drestitution
                + a.dfriction * b.dfriction
        };
        self.iter().map(move |(bodies, contacts)| {
            bodies.iter().zip(&direction.bodies).map(body).sum::<f64>()
                + contacts.iter().zip(&direction.contacts).map(contact).sum::<f64>()
        })
    }
}

impl Impact {
    /// What its derivative needs.
    pub fn derivative(&self) -> ImpactDerivative<'_> {
        let pushed = |impulse: &DVector<f64>| Pushed::new(&self.group, impulse.as_slice());
        let (problem, compression) = (&self.phases[0].problem, self.phases[0].impulse());
        let mut before = DVector::zeros(compression.len());
        let none = pushed(&before);
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
        let expansion = self.group.contacts.iter().enumerate().map(expansion).collect();
        let dframes = self.group.contacts.iter().map(|contact| dframe_dn(&contact.normal)).collect();
        ImpactDerivative { impact: self, ends: [none, pushed(&total)], passes, expansion, dframes, energy }
    }
}

impl ImpactDerivative<'_> {
    /// The six rows of one body's velocity and spin afterwards.
    pub fn rows(&self, body: usize) -> ImpactRows {
        let mut pull = Pull::new(self);
        let total = pull.begin(body);
        for k in (0..self.passes.len()).rev() {
            pull.phase(k, &total);
        }
        pull.finish()
    }
}

/// Covectors of one body's motion on their way back.
struct Pull<'a> {
    derivative: &'a ImpactDerivative<'a>,
    group: GroupCotangent<'a>,
    /// Σ w̄ of the phases so far, contact rows × 6.
    later: DMatrix<f64>,
    /// Of the mean trace of K's blocks, 1 × 6.
    mean_trace: SVector<f64, ROWS>,
    /// μ̄ and ḡ, contacts × 6.
    friction: DMatrix<f64>,
    given_normal: DMatrix<f64>,
}

impl<'a> Pull<'a> {
    fn new(derivative: &'a ImpactDerivative<'a>) -> Self {
        let group = &derivative.impact.group;
        let per_contact = DMatrix::zeros(group.contacts.len(), ROWS);
        Self {
            derivative,
            group: GroupCotangent::new(group, ROWS),
            later: DMatrix::zeros(group.row_count(), ROWS),
            mean_trace: SVector::zeros(),
            friction: per_contact.clone(),
            given_normal: per_contact,
        }
    }

    /// (1): P̄, contact rows × 6, at fixed θ.
    fn begin(&mut self, body: usize) -> DMatrix<f64> {
        let group = &self.derivative.impact.group;
        let mass = &group.bodies[body];
        let mut total = DMatrix::zeros(group.row_count(), ROWS);
        let mut y = vec![(Vec3::zeros(), Vec3::zeros()); group.bodies.len()];
        for (row, mut total) in total.column_iter_mut().enumerate() {
            let unit = |first: usize| Vec3::from_fn(|axis, _| f64::from(u8::from(first + axis == row)));
            y[body] = (unit(0), unit(3));
            self.group.add_motions(row, &y, &self.derivative.ends[1]);
            let turned = (mass.inverse_mass * y[body].0, mass.inverse_inertia * y[body].1);
            group.add_contact_velocity(body, &turned, total.as_mut_slice());
            if let Some(energy) = &self.derivative.energy {
                energy.hold(row, total, &mut self.group, &self.derivative.ends);
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
                for row in 0..ROWS {
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
        self.mean_trace += back.mean_traces.row(0).transpose();
        self.friction += back.friction;
        if k == 1 {
            self.given_normal = back.given_normal;
        }
    }

    /// (3) for the approach speed and for restitution, and everything together.
    fn finish(mut self) -> ImpactRows {
        let (expansion, given) = (&self.derivative.expansion, &self.given_normal);
        let contact_count = expansion.len();
        for row in 0..ROWS {
            if self.mean_trace[row] != 0.0 {
                self.group.add_trace(row, self.mean_trace[row] / contact_count as f64);
            }
            if expansion.iter().any(|expansion| expansion.by_velocity != 0.0) {
                let mut eta = DVector::zeros(self.later.nrows());
                for (i, expansion) in expansion.iter().enumerate() {
                    eta[3 * i] = expansion.by_velocity * given[(i, row)];
                }
                self.group.add_velocity(row, eta.as_slice(), &self.derivative.ends[0]);
            }
        }
        let mut rows = self.group.finish(&self.derivative.dframes);
        for (k, contact) in rows.contacts.iter_mut().enumerate() {
            let at = (k % contact_count, k / contact_count);
            contact.dfriction = self.friction[at];
            contact.drestitution = expansion[at.0].by_restitution * given[at];
        }
        ImpactRows { rows, body_count: self.derivative.impact.group.bodies.len(), contact_count }
    }
}

impl Energy {
    /// (4): takes from P̄ what a change of θ gives back, and hands its own part on.
    fn hold(&self, row: usize, mut total: DVectorViewMut<f64>, group: &mut GroupCotangent, ends: &[Pushed; 2]) {
        let theta = self.rest.dot(&total) / self.rest.dot(&self.after);
        total.axpy(-theta, &self.after, 1.0);
        let eta: Vec<f64> = ends[1].impulse.iter().map(|impulse| -0.5 * theta * impulse).collect();
        ends.iter().for_each(|end| group.add_velocity(row, &eta, end));
    }
}
