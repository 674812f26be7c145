//! Covectors of a group pulled back to its bodies and contacts: the transpose of `tangent`.
//!
//! Under impulses P that are held, bodies move with V = v + W·Jᵀ·P. Covectors y of V and η of the contact velocities J·V
//! ask for
//!
//! ```text
//! y·δV     = y·δv + y·δW·(Jᵀ·P) + P·δJ·(W·y)                                                      (1)
//! η·δ(J·V) = η·δJ·V + (Jᵀ·η)·δV                                                                   (2)
//! ```
//!
//! so that all that is left of any number of them are sums: v̄, W̄ = Σ y·(Jᵀ·P)ᵀ and J̄ = Σ η·Vᵀ + P·(W·y)ᵀ. From those,
//! with the parts F̄ and B̄ of J̄ and a·axial(G) = tr([a]·G),
//!
//! ```text
//! r̄ = −axial(B̄ᵀ·F),    F̄ ← F̄ + Σ B̄·[r],    n̄ = F̄ᵀ·∂F/∂n,    θ̄ = axial(W·W̄ᵀ − W̄ᵀ·W)                 (3)
//! ```

use super::block::{RowBlockDirection, Rows};
use super::bodies::{BodyDirection, ContactDirection, GroupBody, Motion};
use super::frame::hat;
use super::rows::Group;
use crate::contact::law::kind::PerKind;
use crate::contact::linear::triple::triple;
use crate::math::{Mat3, Vec3};

/// A group under impulses.
#[derive(Clone, Debug)]
pub(in crate::contact) struct Pushed {
    /// P, one number per row.
    pub(in crate::contact) impulse: Vec<f64>,
    /// Jᵀ·P, per body.
    pub(in crate::contact) sums: Vec<Motion>,
    /// V = v + W·Jᵀ·P, per body.
    motions: Vec<Motion>,
}

/// Sums of covectors, as (1) and (2) collect them, for several rows of a derivative.
#[derive(Clone, Debug)]
pub(in crate::contact) struct GroupCotangent<'a> {
    group: &'a Group,
    /// J̄: F̄ and both B̄ of every contact, one row of the derivative after the other.
    rows: Vec<Rows>,
    /// Of the targets of every block that is not of a contact.
    targets: Vec<Vec3>,
    /// v̄ and W̄ of every body, in the places of δv and δW.
    bodies: Vec<BodyDirection>,
    scratch: Scratch,
}

/// Covectors of all bodies and contacts of a group, one row of a derivative after the other.
#[derive(Clone, Debug)]
pub struct GroupRows {
    /// Bodies for each row.
    pub bodies: Vec<BodyDirection>,
    /// Contacts for each row.
    pub contacts: Vec<ContactDirection>,
    /// Blocks that are not of contacts, for each row.
    pub blocks: Vec<RowBlockDirection>,
}

/// Buffers: Jᵀ·η of (2) and W·y of (1), per body.
#[derive(Clone, Debug, Default)]
struct Scratch {
    collected: Vec<Motion>,
    turned: Vec<Motion>,
}

const STILL: Motion = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0));

impl Pushed {
    pub(in crate::contact) fn new(group: &Group, impulse: &[f64]) -> Self {
        let mut sums = vec![STILL; group.bodies.len()];
        collect(&group.rows, impulse, &mut sums);
        let motion = |(body, sum): (&GroupBody, &Motion)| {
            (body.velocity + body.inverse_mass * sum.0, body.spin + body.inverse_inertia * sum.1)
        };
        let motions = group.bodies.iter().zip(&sums).map(motion).collect();
        Self { impulse: impulse.to_vec(), sums, motions }
    }
}

/// Jᵀ·p into `sums`.
fn collect(rows: &[Rows], impulse: &[f64], sums: &mut [Motion]) {
    sums.fill(STILL);
    for (i, rows) in rows.iter().enumerate() {
        let p = triple(impulse, i);
        let push = rows.push.tr_mul(&p);
        for (sign, body, turn) in rows.sides() {
            sums[body].0 += sign * push;
            sums[body].1 += sign * turn.tr_mul(&p);
        }
    }
}

/// The vector with a·axial(G) = tr([a]·G) for all a.
fn axial(g: &Mat3) -> Vec3 {
    Vec3::new(g.m23 - g.m32, g.m31 - g.m13, g.m12 - g.m21)
}

impl<'a> GroupCotangent<'a> {
    /// No covector yet, for a number of rows.
    pub(in crate::contact) fn new(group: &'a Group, count: usize) -> Self {
        Self {
            group,
            rows: (0..count).flat_map(|_| group.rows.iter().map(Rows::empty)).collect(),
            targets: vec![Vec3::zeros(); count * group.targets.len()],
            bodies: vec![BodyDirection::default(); count * group.bodies.len()],
            scratch: Scratch::default(),
        }
    }

    /// Adds a covector η of J·V to a row, one number per contact row: (2).
    pub(in crate::contact) fn add_velocity(&mut self, row: usize, eta: &[f64], pushed: &Pushed) {
        let count = self.group.rows.len();
        add_rows(&mut self.rows[row * count..][..count], eta, &pushed.motions);
        let (first, others) = (self.group.first_other(), self.group.targets.len());
        for (k, target) in self.targets[row * others..][..others].iter_mut().enumerate() {
            *target -= triple(eta, first + k);
        }
        let mut y = std::mem::take(&mut self.scratch.collected);
        y.resize(self.group.bodies.len(), STILL);
        collect(&self.group.rows, eta, &mut y);
        self.add_motions(row, &y, pushed);
        self.scratch.collected = y;
    }

    /// Adds a covector y of one body's part of Jᵀ·P to a row: y·δJᵀ·P.
    pub(in crate::contact) fn add_push(&mut self, row: usize, body: usize, y: &Motion, pushed: &Pushed) {
        let (count, motions) = (self.group.rows.len(), &mut self.scratch.turned);
        motions.clear();
        motions.resize(self.group.bodies.len(), STILL);
        motions[body] = *y;
        add_rows(&mut self.rows[row * count..][..count], &pushed.impulse, motions);
    }

    /// Adds covectors y of V to a row, per body: (1).
    fn add_motions(&mut self, row: usize, y: &[Motion], pushed: &Pushed) {
        let group = self.group;
        let (count, turned) = (group.rows.len(), &mut self.scratch.turned);
        turned.clear();
        let sums = &mut self.bodies[row * group.bodies.len()..];
        for (k, (sum, body)) in sums.iter_mut().zip(&group.bodies).enumerate() {
            let ((push, twist), (pushes, twists)) = (&y[k], &pushed.sums[k]);
            sum.dvelocity += push;
            sum.dspin += twist;
            sum.dinverse_mass += push.dot(pushes);
            sum.dinverse_inertia += twist * twists.transpose();
            turned.push((body.inverse_mass * push, body.inverse_inertia * twist));
        }
        add_rows(&mut self.rows[row * count..][..count], &pushed.impulse, turned);
    }

    /// Adds covectors of the mean traces of K's blocks of each kind, Σ J_r·W·J_rᵀ over the rows r of the kind and over the
    /// number of its blocks.
    pub(in crate::contact) fn add_trace(&mut self, row: usize, covectors: PerKind) {
        let mut weights = covectors;
        for (kind, weight) in weights.0.iter_mut().enumerate() {
            *weight /= self.group.laws.iter().filter(|law| law.kind() as usize == kind).count().max(1) as f64;
        }
        let (group, first) = (self.group, row * self.group.bodies.len());
        for (sum, (rows, law)) in
            self.rows[row * group.rows.len()..].iter_mut().zip(group.rows.iter().zip(&*group.laws))
        {
            let weight = weights[law.kind()];
            if weight == 0.0 {
                continue;
            }
            let [a, b] = [&group.bodies[rows.first], &group.bodies[rows.second]];
            sum.push += 2.0 * weight * (a.inverse_mass + b.inverse_mass) * rows.push;
            sum.first_turn += 2.0 * weight * rows.first_turn * a.inverse_inertia;
            sum.second_turn += 2.0 * weight * rows.second_turn * b.inverse_inertia;
            for (_, body, turn) in rows.sides() {
                self.bodies[first + body].dinverse_mass += weight * rows.push.norm_squared();
                self.bodies[first + body].dinverse_inertia += weight * turn.tr_mul(turn);
            }
        }
    }

    /// The covectors of every number of bodies and contacts, each in the place of its change: (3), with
    /// [`dframe_dn`](super::frame::dframe_dn) of the contacts. Rows of rolling have none.
    pub(in crate::contact) fn finish(self, dframes: &[(Mat3, Mat3)]) -> GroupRows {
        let (group, mut bodies) = (self.group, self.bodies);
        let mut contacts = Vec::with_capacity(self.rows.len());
        let (mut blocks, mut targets) = (Vec::with_capacity(self.targets.len()), self.targets.iter());
        for (row, bodies) in bodies.chunks_exact_mut(group.bodies.len()).enumerate() {
            let bars = &self.rows[row * group.rows.len()..];
            for (sum, body) in bodies.iter_mut().zip(&group.bodies) {
                let (inertia, bar) = (&body.inverse_inertia, sum.dinverse_inertia.transpose());
                sum.drotation = axial(&(inertia * bar - bar * inertia));
            }
            let contact = |(i, dframe)| contact_covector(group, i, &bars[i], dframe, bodies);
            contacts.extend(dframes.iter().enumerate().map(contact));
            let others = bars[..group.rows.len()].iter().skip(group.first_other()).zip(&mut targets);
            blocks.extend(others.map(|(bar, &dtarget)| RowBlockDirection {
                dpush: bar.push,
                dfirst_turn: bar.first_turn,
                dsecond_turn: bar.second_turn,
                dtarget,
            }));
        }
        GroupRows { bodies, contacts, blocks }
    }
}

/// (3) of one contact; what moves its arms goes to the positions of the bodies too.
fn contact_covector(
    group: &Group,
    i: usize,
    bar: &Rows,
    (dfirst_dn, dsecond_dn): &(Mat3, Mat3),
    bodies: &mut [BodyDirection],
) -> ContactDirection {
    let (mut dpoint, mut frame) = (Vec3::zeros(), bar.push);
    for (_, body, turn) in bar.sides() {
        let darm = -axial(&turn.tr_mul(&group.rows[i].push));
        dpoint += darm;
        bodies[body].dposition -= darm;
        frame += turn * hat(&(group.contacts[i].point - group.bodies[body].position));
    }
    let row = |k: usize| Vec3::from(frame.row(k).transpose());
    let dnormal = row(0) + dfirst_dn.tr_mul(&row(1)) + dsecond_dn.tr_mul(&row(2));
    ContactDirection { dpoint, dnormal, ..Default::default() }
}

/// J̄ ← J̄ + η·Vᵀ.
fn add_rows(sums: &mut [Rows], eta: &[f64], motions: &[Motion]) {
    for (i, sum) in sums.iter_mut().enumerate() {
        let (eta, [first, second]) = (triple(eta, i), [&motions[sum.first], &motions[sum.second]]);
        sum.push += eta * (first.0 - second.0).transpose();
        sum.first_turn += eta * first.1.transpose();
        sum.second_turn -= eta * second.1.transpose();
    }
}
