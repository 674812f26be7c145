//! How the impulse of an impact with a single contact changes: the short way of `derivative`.
//!
//! With one contact everything is three-dimensional. A phase k that ends with the impulses P_k sees, with the arms
//! r = point − x, signs s = ±1 of the two bodies and the impulse j_k = Fᵀ·P_k in the world,
//!
//! ```text
//! w = F·c,    c = Σ s·(V + Ω × r),    V = v + s·j_k/m,    Ω = ω + s·W·(r × j_k)                      (1)
//! ```
//!
//! For covectors of the impulse after all phases, one in each row of a 3 × 3 matrix and read backwards as there, with
//! H = ∂/∂w and C = H·F = ∂/∂c:
//!
//! ```text
//! P̄ = Fᵀ,    p̄_k = P̄ + Σ H_later·K + ḡ·e·nᵀ (k = 0),    Λ_k = p̄_k·A_k⁻¹,    H_k = −Λ_k·∂G/∂w            (2)
//! v: s·C,    ω: −s·C·[r] = s·Q,    1/m: C·j_k,    W: Q·δW·(r × j_k),    r: s·C·[Ω] − Q·W·[j_k]          (3)
//! n: H·δF·c + C·F⁻¹KF·δFᵀ·P_k,     beside δFᵀ·P of j itself                                        (4)
//! ```

use super::poisson::{Impact, fade};
use super::rows::upright;
use crate::contact::group::bodies::{BodyDirection, ContactDirection, GroupBody, Motion};
use crate::contact::group::cotangent::GroupRows;
use crate::contact::group::frame::{dframe_dn, hat};
use crate::math::{Mat3, Vec3};

/// Covectors of the impulse, one in each row: of both bodies and of the contact.
struct Sums {
    bodies: [[BodyDirection; 2]; 3],
    contacts: [ContactDirection; 3],
}

/// The contact and its two bodies.
struct Pair<'a> {
    bodies: [&'a GroupBody; 2],
    /// Where each stands in the group.
    places: [usize; 2],
    arms: [Vec3; 2],
    frame: Mat3,
    /// ∂F/∂n, row by row.
    dframe: [Mat3; 3],
    /// F⁻¹·K·F.
    response: Mat3,
}

const SIGNS: [f64; 2] = [1.0, -1.0];

impl Impact {
    /// j of the first body of the only contact, and j and k of both, in the order of the group's bodies; none where there
    /// are more contacts, or where more than the law decided.
    pub(in crate::contact) fn single_pushes(&self) -> Option<(GroupRows, [Motion; 2])> {
        let ([_, _], [contact]) = (&*self.group.bodies, &*self.group.contacts) else { return None };
        if self.retained < 1.0 || !self.phases.iter().all(|phase| phase.is_single()) {
            return None;
        }
        let pair = Pair::new(self);
        let compression: Vec3 = self.phases[0].impulse().fixed_rows::<3>(0).into();
        let approach = -self.phases[0].problem.velocity[0];
        let (factor, dfactor_dspeed) = fade(approach, self.rest_speed);
        let total: Vec3 = self.phases.iter().map(|phase| Vec3::from(phase.impulse().fixed_rows::<3>(0))).sum();
        let mut sums = Sums { bodies: Default::default(), contacts: Default::default() };
        sums.turn_normal(&pair.by_normal(&total));
        // (2), from the last phase to the first.
        let (mut later, mut given, mut until) = (Mat3::zeros(), Vec3::zeros(), total);
        for (k, phase) in self.phases.iter().enumerate().rev() {
            let mut bar = pair.frame.transpose() + later * phase.problem.response.block(0);
            if k == 0 {
                bar.column_mut(0).axpy(contact.restitution * factor, &given, 1.0);
            }
            let (velocity, friction, by_given) = phase.single_rows(&bar)?;
            if k == 1 {
                given = by_given;
            }
            for (contact, friction) in sums.contacts.iter_mut().zip(friction.iter()) {
                contact.dfriction += friction;
            }
            later += velocity;
            sums.add(&pair, &velocity, &until);
            until -= phase.impulse().fixed_rows::<3>(0);
        }
        for (contact, given) in sums.contacts.iter_mut().zip(given.iter()) {
            contact.drestitution = factor * compression.x * given;
        }
        if dfactor_dspeed != 0.0 {
            let by_speed = -contact.restitution * dfactor_dspeed * compression.x;
            let velocity = Mat3::from_columns(&[by_speed * given, Vec3::zeros(), Vec3::zeros()]);
            sums.add(&pair, &velocity, &Vec3::zeros());
        }
        Some((sums.finish(&pair), pair.pushes(&total)))
    }
}

impl<'a> Pair<'a> {
    fn new(impact: &'a Impact) -> Self {
        let (group, contact) = (&impact.group, &impact.group.contacts[0]);
        let places = [contact.first, contact.second];
        let bodies = places.map(|place| &group.bodies[place]);
        let arms = bodies.map(|body| contact.point - body.position);
        let frame = group.rows[0].push;
        let (dfirst_dn, dsecond_dn) = dframe_dn(&contact.normal);
        let response = frame.tr_mul(&impact.phases[0].problem.response.block(0)) * frame;
        Pair { bodies, places, arms, frame, dframe: [Mat3::identity(), dfirst_dn, dsecond_dn], response }
    }

    /// δFᵀ·p by n.
    fn by_normal(&self, impulse: &Vec3) -> Mat3 {
        self.dframe[0] * impulse.x + self.dframe[1] * impulse.y + self.dframe[2] * impulse.z
    }

    /// Impulse and turning impulse on each of the group's bodies.
    fn pushes(&self, impulse: &Vec3) -> [Motion; 2] {
        let push = self.frame.tr_mul(impulse);
        let mut pushes = [(Vec3::zeros(), Vec3::zeros()); 2];
        for (side, sign) in SIGNS.into_iter().enumerate() {
            let push = sign * push;
            pushes[self.places[side]] = (push, self.arms[side].cross(&push));
        }
        pushes
    }
}

impl Sums {
    fn turn_normal(&mut self, rows: &Mat3) {
        for (row, contact) in self.contacts.iter_mut().enumerate() {
            contact.dnormal += upright(rows, row);
        }
    }

    /// (3) and (4): covectors `velocity` of w under impulses that are held.
    fn add(&mut self, pair: &Pair, velocity: &Mat3, impulse: &Vec3) {
        let (push, by_point) = (pair.frame.tr_mul(impulse), velocity * pair.frame);
        let by_push = by_point * push;
        let mut closing = Vec3::zeros();
        for (side, sign) in SIGNS.into_iter().enumerate() {
            let (body, arm) = (pair.bodies[side], &pair.arms[side]);
            let (inertia, turning) = (&body.inverse_inertia, arm.cross(&push));
            let spin = body.spin + sign * (inertia * turning);
            closing += sign * (body.velocity + sign * body.inverse_mass * push + spin.cross(arm));
            let by_spin = -by_point * hat(arm);
            let by_turning = by_spin * inertia;
            let by_arm = by_point * hat(&(sign * spin)) - by_turning * hat(&push);
            let by_rotation = by_turning * hat(&turning) - by_spin * hat(&(inertia * turning));
            for row in 0..3 {
                let (sum, contact) = (&mut self.bodies[row][side], &mut self.contacts[row]);
                let by_arm = upright(&by_arm, row);
                sum.dposition -= by_arm;
                contact.dpoint += by_arm;
                sum.drotation += upright(&by_rotation, row);
                sum.dvelocity += sign * upright(&by_point, row);
                sum.dspin += sign * upright(&by_spin, row);
                sum.dinverse_mass += by_push[row];
                sum.dinverse_inertia += upright(&by_spin, row) * turning.transpose();
            }
        }
        let turned = Mat3::from_rows(&pair.dframe.each_ref().map(|dframe| closing.tr_mul(dframe)));
        self.turn_normal(&(velocity * turned + by_point * pair.response * pair.by_normal(impulse)));
    }

    /// In the order of the group's bodies.
    fn finish(self, pair: &Pair) -> GroupRows {
        let place = |place: usize| usize::from(pair.places[0] != place);
        let bodies = self.bodies.iter().flat_map(|sides| [sides[place(0)], sides[place(1)]]).collect();
        GroupRows { bodies, contacts: self.contacts.to_vec(), blocks: Vec::new() }
    }
}
