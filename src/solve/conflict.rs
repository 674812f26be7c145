//! Which nails stand against each other where not all of them can be met.
//!
//! With c_i what nail i misses and J_i its rows, in the metric M:
//!
//! ```text
//! g_i = √M⁻¹·J_iᵀ·c_i         the change that nail i asks for is −g_i                                          (1)
//! Σ g_i = 0                   where the error is shared and no change makes the sum smaller                    (2)
//! ```
//!
//! So a nail that is missed there, and that something could bring nearer (g_i ≠ 0), has others with g_i·g_j < 0: these are named. Nothing
//! of this is known of nails whose event does not occur.

use nalgebra::DVector;

use super::least_norm::LinearWish;
use super::point::{Point, Wishes};
use super::rows::linearize;
use super::settings::MET;
use crate::goal::{Reading, Relation};
use crate::model::ParameterId;

/// Two pulls are opposed where the cosine between them is below this; round-off is not.
const OPPOSED: f64 = -1e-6;

/// For each nail, the places of those it stands against.
pub(super) fn conflicts(point: &Point, wishes: Wishes) -> Vec<Vec<usize>> {
    let pulls = pulls(point, wishes);
    let opposed = |a: &DVector<f64>, b: &DVector<f64>| a.dot(b) < OPPOSED * a.norm() * b.norm();
    let against = |pull: &DVector<f64>| (0..pulls.len()).filter(|&k| opposed(pull, &pulls[k])).collect();
    pulls.iter().map(against).collect()
}

/// (1); zero for nails that hold, do not count, or wait for an event.
fn pulls(point: &Point, wishes: Wishes) -> Vec<DVector<f64>> {
    let parameters: Vec<ParameterId> = point.model.free_parameters().collect();
    let metric = |k: usize| point.model.parameters()[parameters[k].index()].metric.sqrt();
    let mut rows =
        linearize(point, wishes.nails, &parameters, &|| true).map_or(Vec::new(), |linear| linear.nails).into_iter();
    let mut pull = |(goal, reading): (&crate::goal::Goal, &Reading)| {
        let mut pull = DVector::zeros(parameters.len());
        let Reading::Read(_, residuals) = reading else { return pull };
        if !goal.enabled {
            return pull;
        }
        for LinearWish { row, change, relation } in rows.by_ref().take(residuals.len()) {
            let missed = if relation == Relation::AtMost { change.min(0.0) } else { change };
            if missed.abs() > MET {
                pull -= DVector::from_fn(row.len(), |k, _| row[k] / metric(k)) * missed;
            }
        }
        pull
    };
    wishes.nails.iter().zip(&point.nails).map(&mut pull).collect()
}
