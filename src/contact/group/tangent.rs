//! How a group changes in one direction: δ(J·v), δ(W·Jᵀ·p) and δK of `group`.
//!
//! ```text
//! δB = −δF·[r] − F·[δr],   δr = δpoint − δx,   δW = [δθ]·W − W·[δθ] + by parameters                 (1)
//! ```
//!
//! The same for covectors is `cotangent`.

use nalgebra::{DMatrix, DVector};

use super::block::{RowBlockDirection, Rows};
use super::bodies::{BodyDirection, ContactDirection, GroupBody, GroupContact, Motion};
use super::frame::{frame_tangent, hat};
use super::rows::Group;
use crate::contact::law::kind::PerKind;
use crate::contact::law::row_law::RowLaw;
use crate::math::{Mat3, Vec3};

/// One direction in which a group changes.
pub struct GroupTangent<'a> {
    group: &'a Group,
    drows: Vec<Rows>,
    dtargets: Vec<Vec3>,
    dinverse_mass: Vec<f64>,
    dinverse_inertia: Vec<Mat3>,
}

impl<'a> GroupTangent<'a> {
    /// The change (1) of the rows and of W for the given changes of bodies and contacts.
    pub fn new(group: &'a Group, bodies: &[BodyDirection], contacts: &[ContactDirection]) -> Self {
        let drow = |(contact, (direction, rows)): (&GroupContact, (&ContactDirection, &Rows))| {
            let dframe = frame_tangent(&contact.normal, &direction.dnormal);
            let dturn = |body: usize| {
                let arm = contact.point - group.bodies[body].position;
                let darm = direction.dpoint - bodies[body].dposition;
                -dframe * hat(&arm) - rows.push * hat(&darm)
            };
            let (first, second) = (contact.first, contact.second);
            Rows { first, second, push: dframe, first_turn: dturn(first), second_turn: dturn(second) }
        };
        // Rows of relative spin do not change.
        let drows = group.contacts.iter().zip(contacts.iter().zip(&group.rows)).map(drow);
        let drows = drows.chain(group.rows[contacts.len()..].iter().map(Rows::empty)).collect();
        let dinverse_inertia = |(body, direction): (&GroupBody, &BodyDirection)| {
            let turn = hat(&direction.drotation);
            turn * body.inverse_inertia - body.inverse_inertia * turn + direction.dinverse_inertia
        };
        Self {
            group,
            drows,
            dtargets: vec![Vec3::zeros(); group.targets.len()],
            dinverse_mass: bodies.iter().map(|direction| direction.dinverse_mass).collect(),
            dinverse_inertia: group.bodies.iter().zip(bodies).map(dinverse_inertia).collect(),
        }
    }

    /// The same with changes of the blocks that are not of contacts.
    pub fn with_blocks(mut self, blocks: &[RowBlockDirection]) -> Self {
        let first = self.group.first_other();
        for (rows, block) in self.drows[first..].iter_mut().zip(blocks) {
            (rows.push, rows.first_turn, rows.second_turn) = (block.dpush, block.dfirst_turn, block.dsecond_turn);
        }
        self.dtargets = blocks.iter().map(|block| block.dtarget).collect();
        self
    }

    /// δw = δJ·v + J·δv less that of the targets, one number per row, for the velocities that the bodies have and their
    /// changes.
    pub fn contact_velocity(&self, dmotions: &[Motion]) -> DVector<f64> {
        let bodies = &self.group.bodies;
        let mut dvelocity = self.group.project(&self.drows, |body| (bodies[body].velocity, bodies[body].spin));
        dvelocity += self.group.contact_velocity(|body| dmotions[body]);
        let others = dvelocity.as_mut_slice().as_chunks_mut::<3>().0.iter_mut().skip(self.group.first_other());
        for (change, target) in others.zip(&self.dtargets) {
            change.iter_mut().zip(target.iter()).for_each(|(change, target)| *change -= target);
        }
        dvelocity
    }

    /// δ(W·Jᵀ·p) = δW·Jᵀ·p + W·(δJᵀ·p + Jᵀ·δp), per body.
    pub fn motion_change(&self, impulse: &DVector<f64>, dimpulse: &DVector<f64>) -> Vec<Motion> {
        let sums = self.group.collect(&self.group.rows, impulse);
        let mut change = self.group.collect(&self.drows, impulse);
        let more = self.group.collect(&self.group.rows, dimpulse);
        for (b, body) in self.group.bodies.iter().enumerate() {
            let (push, twist) = (change[b].0 + more[b].0, change[b].1 + more[b].1);
            change[b].0 = self.dinverse_mass[b] * sums[b].0 + body.inverse_mass * push;
            change[b].1 = self.dinverse_inertia[b] * sums[b].1 + body.inverse_inertia * twist;
        }
        change
    }

    /// δK·p = δJ·(W·Jᵀ·p) + J·δ(W·Jᵀ)·p, in time proportional to the rows.
    pub fn response_times(&self, impulse: &DVector<f64>) -> DVector<f64> {
        let group = self.group;
        let change = group.motion_change(impulse);
        let dchange = self.motion_change(impulse, &DVector::zeros(impulse.len()));
        group.project(&self.drows, |body| change[body]) + group.project(&group.rows, |body| dchange[body])
    }

    /// δ of the mean traces of K's diagonal blocks of each kind; zero where there are none.
    pub fn mean_traces(&self) -> PerKind {
        PerKind::mean(self.group.laws.iter().map(RowLaw::kind), |row| self.response_diagonal(row))
    }

    /// δ of K's diagonal entry of a row.
    fn response_diagonal(&self, row: usize) -> f64 {
        let (group, i) = (self.group, row / 3);
        let (rows, drows) = (&group.rows[i], &self.drows[i]);
        let mut sum = 0.0;
        for ((_, body, turn), (_, _, dturn)) in rows.sides().into_iter().zip(drows.sides()) {
            let line = |matrix: &Mat3| Vec3::from(matrix.row(row % 3).transpose());
            let (push, twist) = (line(&rows.push), line(turn));
            let data = &group.bodies[body];
            sum += 2.0 * data.inverse_mass * push.dot(&line(&drows.push));
            sum += self.dinverse_mass[body] * push.norm_squared();
            sum += 2.0 * line(dturn).dot(&(data.inverse_inertia * twist));
            sum += twist.dot(&(self.dinverse_inertia[body] * twist));
        }
        sum
    }

    /// δK, rows × rows: S + Sᵀ with S = (δJ·W + ½·J·δW)·Jᵀ.
    pub fn response(&self) -> DMatrix<f64> {
        let group = self.group;
        let left = |i: usize, body: usize, dturn: &Mat3| {
            let rows = &group.rows[i];
            let turn = if body == rows.first { &rows.first_turn } else { &rows.second_turn };
            let data = &group.bodies[body];
            let push = data.inverse_mass * self.drows[i].push + 0.5 * self.dinverse_mass[body] * rows.push;
            let twist = dturn * data.inverse_inertia + 0.5 * turn * self.dinverse_inertia[body];
            (push, twist)
        };
        let half = group.multiply(&self.drows, left, false);
        &half + half.transpose()
    }
}
