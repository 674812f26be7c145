//! The start is free of overlaps: a bound of every change of u.
//!
//! ```text
//! E_ij(u) ≥ 0 at t = 0        rows of pairs that touch:   −∇E·δu ≤ E                                              (1)
//! pushed out:                 minimise |δu|²_M  subject to  −∇E·δu ≤ E  at what overlaps, a few times              (2)
//! else as far as it is clear: the largest part of the way without an overlap                                      (3)
//! ```
//!
//! A scene that starts with overlaps cannot be opened, so a motion that begins with one is no answer, however well it meets
//! the wishes. Where a start overlaps already it may not overlap deeper.

use nalgebra::DVector;

use super::joints;
use super::least_norm::{LeastNorm, LinearWish};
use crate::geometry::{PlaceRow, PlacedPair, separation, touching};
use crate::goal::Relation;
use crate::math::Vec3;
use crate::math::rotation::dexp;
use crate::model::{Axis, BodyId, ControlVector, Field, Model, Pair, Parameter, ParameterId, World};

/// Deeper (m) than this is an overlap: half of what a scene may be opened with, so that it can be saved.
const CLEAR: f64 = 5e-7;
/// Pairs nearer (m) than this have rows: who is pushed out of another stands within it.
const NEAR: f64 = 1e-6;
/// Rows of so many contacts at most; what others do shows by (2) and (3).
const MOST_ROWS: usize = 64;
/// Times (2) is tried.
const PUSHES: usize = 4;
/// Halvings of (3).
const HALVINGS: usize = 30;

/// The deepest overlap at the start, m; `CLEAR` where there is none to speak of.
pub(super) fn depth(model: &Model, u: &ControlVector) -> f64 {
    let overlaps = World::new(model, u).nearer_at_start(-CLEAR);
    overlaps.iter().map(|(_, _, gap)| -gap).fold(CLEAR, f64::max)
}

/// A control vector that is no deeper than another one from which it came, by (2) or (3).
pub(super) fn clear(
    model: &Model,
    from: &ControlVector,
    to: ControlVector,
    parameters: &[ParameterId],
) -> ControlVector {
    let to = joints::retract(model, from, to, parameters);
    if depth(model, &to) <= CLEAR {
        return to;
    }
    let allowed = depth(model, from);
    let mut pushed = to.clone();
    for _ in 0..PUSHES {
        if depth(model, &pushed) <= allowed {
            return pushed;
        }
        push_out(model, &mut pushed, parameters);
        pushed = joints::retract(model, from, pushed, parameters);
    }
    if depth(model, &pushed) <= allowed {
        return pushed;
    }
    let mut best = from.clone();
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let part = 0.5 * (low + high);
        let mut tried = from.clone();
        for id in parameters {
            tried[*id] = from[*id] + part * (to[*id] - from[*id]);
        }
        let tried = joints::retract(model, from, tried, parameters);
        if depth(model, &tried) <= allowed {
            (low, best) = (part, tried);
        } else {
            high = part;
        }
    }
    best
}

/// (1) over the given parameters, at a start that is clear.
pub(super) fn limits(model: &Model, u: &ControlVector, parameters: &[ParameterId]) -> Vec<LinearWish> {
    let mut rows = contact_rows(model, u, parameters);
    rows.iter_mut().for_each(|row| row.change = row.change.max(0.0));
    rows
}

/// One step of (2).
fn push_out(model: &Model, u: &mut ControlVector, parameters: &[ParameterId]) {
    let of = |id: &ParameterId| &model.parameters()[id.index()];
    let bounds = |id: &ParameterId| {
        let Parameter { bounds, .. } = of(id);
        ((bounds.0 - u[*id]).min(0.0), (bounds.1 - u[*id]).max(0.0))
    };
    let problem = LeastNorm {
        limits: joints::rows(model, u, parameters),
        levels: vec![contact_rows(model, u, parameters)],
        metric: parameters.iter().map(|id| of(id).metric).collect(),
        pull: vec![0.0; parameters.len()],
        bounds: parameters.iter().map(bounds).collect(),
    };
    for (id, change) in parameters.iter().zip(problem.solve().du) {
        let (low, high) = of(id).bounds;
        u[*id] = (u[*id] + change).clamp(low, high);
    }
}

/// −∇E·δu ≤ E for each contact of what is near, over the given parameters.
fn contact_rows(model: &Model, u: &ControlVector, parameters: &[ParameterId]) -> Vec<LinearWish> {
    let is_place = |id: &ParameterId| {
        let field = model.parameters()[id.index()].role.field;
        field == Field::Position || field == Field::Rotation
    };
    let mut rows = Vec::new();
    if !parameters.iter().any(is_place) {
        return rows;
    }
    let world = World::new(model, u);
    for (one, other, _) in world.nearer_at_start(NEAR) {
        let pair = world.ordered(one, other);
        let [first, second] = [pair.first, pair.second].map(|body| &world.bodies[body.index()]);
        let [at, second_at] = [first.initial.pose(), second.initial.pose()];
        let apart = separation(&first.solid, &at, &second.solid, &second_at, None);
        let placed = PlacedPair { first: (&first.solid, &at), second: (&second.solid, &second_at) };
        for feature in touching(&placed, &apart, NEAR) {
            let (contact, derivative) = (placed.contact(&feature), placed.contact_derivative(&feature));
            let Some((contact, derivative)) = contact.zip(derivative) else { continue };
            let mut row: DVector<f64> = DVector::zeros(parameters.len());
            for (id, rate) in rates(model, u, pair, &derivative.dgap) {
                parameters.binary_search(&id).into_iter().for_each(|k| row[k] -= rate);
            }
            if row.iter().all(|entry| entry.is_finite()) && row.iter().any(|entry| *entry != 0.0) {
                rows.push(LinearWish { row, change: contact.gap, relation: Relation::AtMost });
            }
            if rows.len() == MOST_ROWS {
                return rows;
            }
        }
    }
    rows
}

/// dE by the positions and rotations of a pair; rotations are offsets, δθ = dexp(offset)·δoffset.
fn rates(model: &Model, u: &ControlVector, pair: Pair, dgap: &PlaceRow) -> Vec<(ParameterId, f64)> {
    let mut rates = Vec::new();
    for (body, column) in [(pair.first, 0), (pair.second, 6)] {
        let find = |field: Field, axis: Axis| model.find(&field.of(body).along(axis));
        let by = |column: usize| Vec3::new(dgap[column], dgap[column + 1], dgap[column + 2]);
        let by_turn = dexp(offset(model, u, body)).transpose() * by(column + 3);
        for axis in Axis::ALL {
            rates.extend(find(Field::Position, axis).map(|id| (id, by(column)[axis.index()])));
            rates.extend(find(Field::Rotation, axis).map(|id| (id, by_turn[axis.index()])));
        }
    }
    rates
}

/// The rotation parameters of a body.
fn offset(model: &Model, u: &ControlVector, body: BodyId) -> Vec3 {
    let find = |axis: Axis| model.find(&Field::Rotation.of(body).along(axis));
    Vec3::from(Axis::ALL.map(|axis| find(axis).map_or(0.0, |id| u[id])))
}
