//! Residuals of position, velocity, spin and orientation, and how they change with the state.
//!
//! With r = R·point the arm of a point of the body, and d a direction of the world:
//!
//! ```text
//! d·δ(x + r)       = d·δx + (r × d)·δθ                                                      (1)
//! d·δ(v + ω × r)   = d·δv + (r × d)·δω + (r × (d × ω))·δθ                                   (2)
//! δ log(R·R_w⁻¹)   = dlog(log(R·R_w⁻¹))·δθ                                                  (3)
//! ```

use super::gradient::Gradient;
use super::{Relation, Residual};
use crate::dynamics::{BodyState, StateTangent};
use crate::math::{Rotation, Vec3, rotation};
use crate::model::BodyId;
use crate::scene::Components;

/// A point that moves with a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub body: BodyId,
    /// From the centre of mass, in the body's axes.
    pub in_body: Vec3,
}

impl Point {
    /// From the centre of mass, in the world.
    pub fn arm(&self, state: &BodyState) -> Vec3 {
        state.rotation * self.in_body
    }

    /// Where it is.
    pub fn place(&self, state: &BodyState) -> Vec3 {
        state.position + self.arm(state)
    }

    /// (1).
    pub fn dplace(&self, state: &BodyState, direction: Vec3) -> StateTangent {
        tangent(direction, self.arm(state).cross(&direction), Vec3::zeros(), Vec3::zeros())
    }

    /// (2).
    pub fn dvelocity(&self, state: &BodyState, direction: Vec3) -> StateTangent {
        let arm = self.arm(state);
        let turn = arm.cross(&direction.cross(&state.spin));
        tangent(Vec3::zeros(), turn, direction, arm.cross(&direction))
    }

    /// How it moves.
    pub fn velocity(&self, state: &BodyState) -> Vec3 {
        state.velocity + state.spin.cross(&self.arm(state))
    }
}

/// A row over δx, δθ, δv, δω.
pub(super) fn tangent(x: Vec3, turn: Vec3, v: Vec3, spin: Vec3) -> StateTangent {
    let mut row = StateTangent::zeros();
    for (index, part) in [x, turn, v, spin].iter().enumerate() {
        row.fixed_rows_mut::<3>(3 * index).copy_from(part);
    }
    row
}

/// The unit vector of an axis.
pub(super) fn unit(axis: usize) -> Vec3 {
    Vec3::from_fn(|row, _| if row == axis { 1.0 } else { 0.0 })
}

pub(super) fn position(point: Point, state: &BodyState, wish: &Components, residuals: &mut Vec<Residual>) {
    let labels = ["position.x", "position.y", "position.z"];
    components(point.body, point.place(state), wish, ("m", labels), residuals, |axis| point.dplace(state, unit(axis)));
}

pub(super) fn velocity(point: Point, state: &BodyState, wish: &Components, residuals: &mut Vec<Residual>) {
    let labels = ["velocity.x", "velocity.y", "velocity.z"];
    let row = |axis| point.dvelocity(state, unit(axis));
    components(point.body, point.velocity(state), wish, ("m/s", labels), residuals, row);
}

pub(super) fn spin(body: BodyId, state: &BodyState, wish: &Components, residuals: &mut Vec<Residual>) {
    let zero = Vec3::zeros();
    let labels = ["spin.x", "spin.y", "spin.z"];
    components(body, state.spin, wish, ("rad/s", labels), residuals, |axis| tangent(zero, zero, zero, unit(axis)));
}

/// The whole orientation: the residual is the turn that is too much. (3)
pub(super) fn rotation(body: BodyId, state: &BodyState, wish: &Rotation, residuals: &mut Vec<Residual>) {
    let excess = rotation::log(&(state.rotation * wish.inverse()));
    turned(body, excess, &Components::all([0.0; 3]), residuals);
}

/// Some components of the exponential map. (3) with R_w = 1.
pub(super) fn rotation_part(body: BodyId, state: &BodyState, wish: &Components, residuals: &mut Vec<Residual>) {
    turned(body, rotation::log(&state.rotation), wish, residuals);
}

fn turned(body: BodyId, turn: Vec3, wish: &Components, residuals: &mut Vec<Residual>) {
    let dturn = rotation::dlog(turn);
    let zero = Vec3::zeros();
    let labels = ["rotation.x", "rotation.y", "rotation.z"];
    let row = |axis: usize| tangent(zero, dturn.row(axis).transpose(), zero, zero);
    components(body, turn, wish, ("rad", labels), residuals, row);
}

fn components(
    body: BodyId,
    value: Vec3,
    wish: &Components,
    (unit, labels): (&'static str, [&'static str; 3]),
    residuals: &mut Vec<Residual>,
    row: impl Fn(usize) -> StateTangent,
) {
    for axis in 0..3 {
        if let Some(wished) = wish.0[axis] {
            let gradient = Gradient::of_body(body, row(axis));
            let value = value[axis] - wished;
            residuals.push(Residual { label: labels[axis], value, relation: Relation::Equal, unit, gradient });
        }
    }
}
