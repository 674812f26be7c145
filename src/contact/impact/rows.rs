//! How velocity and spin of one body after an impact change, from how the impulses on it do.
//!
//! With j the sum of all impulses on a body and k that of their turning impulses about its centre x,
//!
//! ```text
//! v⁺ = v + j/m,    δv⁺ = δv + j·δ(1/m) + δj/m                                                        (1)
//! ω⁺ = ω + W·k,    δω⁺ = δω + δW·k + [δθ]·W·k − W·[δθ]·k + W·δk                                      (2)
//! ```
//!
//! δW being by the body's own parameters. Not every body needs rows of its own: of a single contact j is enough, and of
//! two bodies that touch nothing else those of one,
//!
//! ```text
//! k = (point − x) × j,       δk = (δpoint − δx) × j + (point − x) × δj          one contact          (3)
//! j₂ = −j₁,   k₂ = −k₁ + (x₁ − x₂) × j₂                                         two bodies           (4)
//! ```
//!
//! Rows of j and k are `derivative`, of j alone `single_derivative`.

use super::poisson::ImpactDirection;
use crate::contact::group::block::RowBlockDirection;
use crate::contact::group::bodies::{BodyDirection, ContactDirection, Motion};
use crate::contact::group::cotangent::GroupRows;
use crate::contact::group::frame::hat;
use crate::contact::group::rows::Group;
use crate::math::{Mat3, Vec3};

/// Rows of the motion of one body: its velocity and spin. As many as of j and k.
pub(in crate::contact) const MOTION: usize = 6;

/// Whose j and k are known.
#[derive(Clone, Copy)]
pub(in crate::contact) enum Sharing {
    /// j of the first body of the only contact, (3).
    Contact,
    /// j and k of one of two bodies, (4), or of the body itself.
    Body(usize),
}

impl Sharing {
    /// The factor of the known δj and δk for a body, and the arm with which δj adds to δk.
    fn sign_and_arm(self, group: &Group, body: usize) -> (f64, Vec3) {
        let (of, point) = match self {
            Sharing::Contact => (group.contacts[0].first, group.contacts[0].point),
            Sharing::Body(of) => (of, group.bodies[of].position),
        };
        (if of == body { 1.0 } else { -1.0 }, point - group.bodies[body].position)
    }
}

/// Rows of the derivative of an impact: covectors of everything it depends on, every number in the place of its change.
pub struct ImpactRows {
    bodies: Vec<BodyDirection>,
    contacts: Vec<ContactDirection>,
    blocks: Vec<RowBlockDirection>,
    body_count: usize,
    contact_count: usize,
    block_count: usize,
}

impl ImpactRows {
    /// Row by row the covectors of bodies and contacts; those of other blocks are in [`ImpactRows::blocks`].
    pub fn iter(&self) -> impl Iterator<Item = (&[BodyDirection], &[ContactDirection])> {
        let (bodies, contacts) = (&self.bodies, &self.contacts);
        (0..MOTION).map(|row| {
            (
                &bodies[row * self.body_count..][..self.body_count],
                &contacts[row * self.contact_count..][..self.contact_count],
            )
        })
    }

    /// The covectors in a row of the blocks that are not of contacts.
    pub fn blocks(&self, row: usize) -> &[RowBlockDirection] {
        &self.blocks[row * self.block_count..][..self.block_count]
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
        self.iter().enumerate().map(move |(row, (bodies, contacts))| {
            let known = bodies.iter().zip(&direction.bodies).map(body).sum::<f64>()
                + contacts.iter().zip(&direction.contacts).map(contact).sum::<f64>();
            self.blocks(row).iter().zip(&direction.blocks).fold(known, |sum, (a, b)| sum + a.dot(b))
        })
    }

    /// (1) and (2) of a body with its j and k, from rows of j or of j and k.
    pub(in crate::contact) fn new(
        group: &Group,
        (push, turn): &Motion,
        pushes: &GroupRows,
        sharing: Sharing,
        body: usize,
    ) -> Self {
        let (body_count, contact_count) = (group.bodies.len(), group.contacts.len());
        let block_count = group.targets.len();
        let mut rows = Self {
            bodies: vec![BodyDirection::default(); MOTION * body_count],
            contacts: vec![ContactDirection::default(); MOTION * contact_count],
            blocks: vec![RowBlockDirection::default(); MOTION * block_count],
            body_count,
            contact_count,
            block_count,
        };
        let own = &group.bodies[body];
        let (inertia, across) = (&own.inverse_inertia, own.inverse_inertia * hat(push));
        let rotation = inertia * hat(turn) - hat(&(inertia * turn)); // (2)
        let (sign, arm) = sharing.sign_and_arm(group, body);
        let by_push = sign * inertia * hat(&arm);
        for axis in 0..3 {
            rows.add(axis, pushes, axis, sign * own.inverse_mass);
            let direct = rows.body(axis, body);
            direct.dvelocity[axis] += 1.0;
            direct.dinverse_mass += push[axis];
            let spin = 3 + axis;
            for column in 0..3 {
                rows.add(spin, pushes, column, by_push[(axis, column)]);
                if let Sharing::Body(_) = sharing {
                    rows.add(spin, pushes, 3 + column, sign * inertia[(axis, column)]);
                }
            }
            let direct = rows.body(spin, body);
            direct.dspin[axis] += 1.0;
            direct.drotation += upright(&rotation, axis);
            direct.dinverse_inertia += Vec3::ith(axis, 1.0) * turn.transpose();
            // (3) and (4): the arm changes, too.
            let across = upright(&across, axis);
            match sharing {
                Sharing::Contact => rows.contacts[spin * contact_count].dpoint -= across,
                Sharing::Body(of) => rows.body(spin, of).dposition -= across,
            }
            rows.body(spin, body).dposition += across;
        }
        rows
    }

    /// The covectors of a body in a row.
    fn body(&mut self, row: usize, body: usize) -> &mut BodyDirection {
        &mut self.bodies[row * self.body_count + body]
    }

    /// Adds a multiple of a row of `pushes`.
    fn add(&mut self, row: usize, pushes: &GroupRows, from: usize, factor: f64) {
        let bodies = pushes.bodies[from * self.body_count..].iter();
        for (sum, body) in self.bodies[row * self.body_count..][..self.body_count].iter_mut().zip(bodies) {
            sum.dposition += factor * body.dposition;
            sum.drotation += factor * body.drotation;
            sum.dvelocity += factor * body.dvelocity;
            sum.dspin += factor * body.dspin;
            sum.dinverse_mass += factor * body.dinverse_mass;
            sum.dinverse_inertia += factor * body.dinverse_inertia;
        }
        let contacts = pushes.contacts[from * self.contact_count..].iter();
        for (sum, contact) in self.contacts[row * self.contact_count..][..self.contact_count].iter_mut().zip(contacts) {
            sum.dpoint += factor * contact.dpoint;
            sum.dnormal += factor * contact.dnormal;
            sum.drestitution += factor * contact.drestitution;
            sum.dfriction += factor * contact.dfriction;
        }
        let blocks = pushes.blocks[from * self.block_count..].iter();
        for (sum, block) in self.blocks[row * self.block_count..][..self.block_count].iter_mut().zip(blocks) {
            sum.add(factor, block);
        }
    }
}

/// A row of a matrix, upright.
pub(in crate::contact) fn upright(matrix: &Mat3, row: usize) -> Vec3 {
    matrix.row(row).transpose()
}
