//! Bodies that touch at one instant: their contact velocities w and response K, and how both change.
//!
//! With the frame F of a contact (rows n, T1, T2), its arm r = point − position of a body, and the sign s = +1 for
//! the first body, −1 for the second, the contact's rows of J for that body are
//!
//! ```text
//! s·F (velocity),    s·B (spin),    B = −F·[r]                                   (1)
//! w = J·v,    Δv = W·Jᵀ·p,    K = J·W·Jᵀ                                         (2)
//! ```
//!
//! A contact with rolling resistance has three rows more, the relative spin of its bodies in world axes: F = 0, B = 1
//! in (1). Vectors over the rows (w, p) hold the triples (normal, T1, T2) of all contacts first and below them the
//! triples (x, y, z) of the contacts that resist rolling, in the order of the contacts; then those of other blocks, as they
//! are handed in (`block`).
//!
//! W holds the inverse mass and the inverse inertia in the world of every body. How all this changes is `tangent`,
//! one direction at a time, and `cotangent`, one covector at a time.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::block::{RowBlock, Rows};
use super::bodies::{GroupBody, GroupContact, Motion};
use super::frame::{frame, hat};
use crate::contact::law::row_law::RowLaw;
use crate::contact::linear::body_rows::{BodyRows, SideRows};
use crate::contact::linear::response::Response;
use crate::math::{Mat3, Vec3};

/// Rows from which on K is not formed: eight contacts. There both forms take about the same time (for a box on a box,
/// 3.0 µs and 2.4 µs a Newton step); for ten boxes it is 78 µs and 14 µs.
const LARGE: usize = 24;

/// A group with the rows of its contacts.
#[derive(Clone, Debug)]
pub struct Group {
    /// The bodies.
    pub bodies: Vec<GroupBody>,
    /// The contacts between them.
    pub contacts: Vec<GroupContact>,
    /// The law of every block of rows: of the contacts, below them of those that resist rolling, then of the other blocks.
    pub laws: Arc<[RowLaw]>,
    /// In the same order.
    pub(in crate::contact) rows: Vec<Rows>,
    /// What the velocities of the other blocks count from.
    pub(in crate::contact) targets: Vec<Vec3>,
}

impl Group {
    /// Computes the rows (1) of contacts.
    pub fn new(bodies: &[GroupBody], contacts: &[GroupContact]) -> Self {
        Self::with_blocks(bodies, contacts, &[])
    }

    /// The same with more rows between its bodies.
    pub fn with_blocks(bodies: &[GroupBody], contacts: &[GroupContact], others: &[RowBlock]) -> Self {
        let contact_rows = |contact: &GroupContact| {
            let axes = frame(&contact.normal);
            let turn = |body: usize| -axes * hat(&(contact.point - bodies[body].position));
            let (first, second) = (contact.first, contact.second);
            let rows = Rows { first, second, push: axes, first_turn: turn(first), second_turn: turn(second) };
            (rows, RowLaw::Contact { friction: contact.friction })
        };
        // What cannot turn needs no resistance, and would leave rows of zeros in K.
        let turns = |body: usize| bodies[body].inverse_inertia != Mat3::zeros();
        let resists = |(_, contact): &(usize, &GroupContact)| {
            contact.rolling > 0.0 && (turns(contact.first) || turns(contact.second))
        };
        let rolling_rows = |(i, contact): (usize, &GroupContact)| {
            let (first, second, one) = (contact.first, contact.second, Mat3::identity());
            let rows = Rows { first, second, push: Mat3::zeros(), first_turn: one, second_turn: one };
            (rows, RowLaw::Rolling { contact: i, coefficient: contact.rolling })
        };
        let rolling = contacts.iter().enumerate().filter(resists).map(rolling_rows);
        let others_rows = others.iter().map(|block| (block.rows, block.law));
        let (rows, laws): (Vec<Rows>, Vec<RowLaw>) =
            contacts.iter().map(contact_rows).chain(rolling).chain(others_rows).unzip();
        let targets = others.iter().map(|block| block.target).collect();
        Self { bodies: bodies.to_vec(), contacts: contacts.to_vec(), laws: laws.into(), rows, targets }
    }

    /// The change of the coefficient of every block's law for those of friction and rolling resistance of every contact.
    pub fn coefficient_changes(&self, dfriction: &[f64], drolling: &[f64]) -> Vec<f64> {
        self.laws.iter().enumerate().map(|(i, law)| law.dcoefficient(i, dfriction, drolling)).collect()
    }

    /// Place of the first block that is not of a contact.
    pub(in crate::contact) fn first_other(&self) -> usize {
        self.rows.len() - self.targets.len()
    }

    /// Takes the targets from velocities of the rows.
    pub(in crate::contact) fn subtract_targets(&self, velocity: &mut [f64]) {
        let others = velocity.as_chunks_mut::<3>().0.iter_mut().skip(self.first_other());
        for (velocity, target) in others.zip(&self.targets) {
            velocity.iter_mut().zip(target.iter()).for_each(|(velocity, target)| *velocity -= target);
        }
    }

    /// The velocities of the bodies before anything happens.
    pub fn motions(&self) -> Vec<Motion> {
        self.bodies.iter().map(|body| (body.velocity, body.spin)).collect()
    }

    /// w of (2), one number per row, for the given velocity and spin of each body.
    pub fn contact_velocity(&self, motion: impl Fn(usize) -> Motion) -> DVector<f64> {
        self.project(&self.rows, motion)
    }

    /// Adds w of (2) for the velocity and spin of one body alone.
    pub(in crate::contact) fn add_contact_velocity(&self, body: usize, motion: &Motion, velocity: &mut [f64]) {
        for (rows, velocity) in self.rows.iter().zip(velocity.as_chunks_mut::<3>().0) {
            for (sign, _, turn) in rows.sides().into_iter().filter(|side| side.1 == body) {
                let change = sign * (rows.push * motion.0 + turn * motion.1);
                velocity.iter_mut().zip(change.iter()).for_each(|(sum, change)| *sum += change);
            }
        }
    }

    /// J·v with the given rows.
    pub(in crate::contact) fn project(&self, rows: &[Rows], motion: impl Fn(usize) -> Motion) -> DVector<f64> {
        let mut velocity = DVector::zeros(3 * rows.len());
        for (i, rows) in rows.iter().enumerate() {
            let mut sum = Vec3::zeros();
            for (sign, body, turn) in rows.sides() {
                let (linear, spin) = motion(body);
                sum += sign * (rows.push * linear + turn * spin);
            }
            velocity.fixed_rows_mut::<3>(3 * i).copy_from(&sum);
        }
        velocity
    }

    /// K of (2), rows × rows.
    pub fn response(&self) -> DMatrix<f64> {
        let left = |i: usize, body: usize, turn: &Mat3| {
            let body = &self.bodies[body];
            (body.inverse_mass * self.rows[i].push, turn * body.inverse_inertia)
        };
        let mut response = self.multiply(&self.rows, left, true);
        mirror(&mut response);
        response
    }

    /// Rows of w, p and K.
    pub fn row_count(&self) -> usize {
        3 * self.rows.len()
    }

    /// K of (2) in the form that suits the size of the group.
    pub fn response_in_form(&self) -> Response {
        if self.row_count() < LARGE { Response::Matrix(self.response()) } else { Response::Bodies(self.body_rows()) }
    }

    /// What K of (2) is the product of.
    pub(in crate::contact) fn body_rows(&self) -> BodyRows {
        let bodies: Vec<(f64, Mat3)> =
            self.bodies.iter().map(|body| (body.inverse_mass, body.inverse_inertia)).collect();
        let sides = |rows: &Rows| {
            rows.sides().map(|(sign, body, turn)| SideRows { body, push: sign * rows.push, turn: sign * turn })
        };
        BodyRows::new(&bodies, self.rows.iter().map(sides))
    }

    /// L·Jᵀ for rows L of the same pattern as J: `left` says what they are for a contact and a body, given that body's
    /// B in `rows`. Blocks above the diagonal stay zero where only the `lower` ones are asked for.
    pub(in crate::contact) fn multiply(
        &self,
        rows: &[Rows],
        left: impl Fn(usize, usize, &Mat3) -> (Mat3, Mat3),
        lower: bool,
    ) -> DMatrix<f64> {
        let count = rows.len();
        let mut product = DMatrix::zeros(3 * count, 3 * count);
        for (i, row) in rows.iter().enumerate() {
            for (sign, body, turn) in row.sides() {
                if !self.bodies[body].is_pushed() {
                    continue;
                }
                let (push, twist) = left(i, body, turn);
                for j in 0..if lower { i + 1 } else { count } {
                    let other = &self.rows[j];
                    for (other_sign, other_body, other_turn) in other.sides() {
                        if other_body == body {
                            let block = push * other.push.transpose() + twist * other_turn.transpose();
                            let mut view = product.fixed_view_mut::<3, 3>(3 * i, 3 * j);
                            view += sign * other_sign * block;
                        }
                    }
                }
            }
        }
        product
    }

    /// Δv of (2) for impulses p, one number per row.
    pub fn motion_change(&self, impulse: &DVector<f64>) -> Vec<Motion> {
        let mut change = self.collect(&self.rows, impulse);
        for (body, (velocity, spin)) in self.bodies.iter().zip(&mut change) {
            *velocity *= body.inverse_mass;
            *spin = body.inverse_inertia * *spin;
        }
        change
    }

    /// Jᵀ·p with the given rows: impulse and turning impulse on every body.
    pub(in crate::contact) fn collect(&self, rows: &[Rows], impulse: &DVector<f64>) -> Vec<Motion> {
        let mut sums = vec![(Vec3::zeros(), Vec3::zeros()); self.bodies.len()];
        for (i, rows) in rows.iter().enumerate() {
            let p = Vec3::from(impulse.fixed_rows::<3>(3 * i));
            for (sign, body, turn) in rows.sides() {
                sums[body].0 += sign * rows.push.tr_mul(&p);
                sums[body].1 += sign * turn.tr_mul(&p);
            }
        }
        sums
    }

    /// Impulse and turning impulse of a block on both of its bodies, in the world, for the impulse in its rows.
    pub fn push_of(&self, block: usize, p: &Vec3) -> [(usize, Motion); 2] {
        let rows = &self.rows[block];
        rows.sides().map(|(sign, body, turn)| (body, (sign * rows.push.tr_mul(p), sign * turn.tr_mul(p))))
    }

    /// The turning impulse of contact `i` on its first body against rolling, in the world.
    pub fn world_turning_impulse(&self, i: usize, impulse: &DVector<f64>) -> Vec3 {
        let resists = |law: &RowLaw| matches!(law, RowLaw::Rolling { contact, .. } if *contact == i);
        let block = self.laws.iter().position(resists);
        block.map_or(Vec3::zeros(), |block| impulse.fixed_rows::<3>(3 * block).into())
    }

    /// The impulse of contact `i` on its first body, in the world.
    pub fn world_impulse(&self, i: usize, impulse: &DVector<f64>) -> Vec3 {
        self.rows[i].push.tr_mul(&Vec3::from(impulse.fixed_rows::<3>(3 * i)))
    }
}

/// Copies the lower triangle to the upper, and makes the diagonal blocks symmetric to the last bit.
fn mirror(matrix: &mut DMatrix<f64>) {
    for column in 0..matrix.ncols() {
        for row in column + 1..matrix.nrows() {
            matrix[(column, row)] = matrix[(row, column)];
        }
    }
}
