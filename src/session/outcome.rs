//! What an edit did: how the solver fared, how the nails stand, which parameters changed.

use super::error::EditError;
use crate::model::{ControlVector, Model};
use crate::solve::{GoalReport, Report};

/// What applying an edit gives.
pub type Result = std::result::Result<Outcome, EditError>;

/// The answer to one edit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Of a grab: when, s, and the value that is held.
    pub grabbed: Option<(f64, [f64; 3])>,
    /// Of a move or solve.
    pub report: Option<Report>,
    /// How every nail stands after it.
    pub nails: Vec<GoalReport>,
    /// Parameters whose value changed.
    pub changes: Vec<ParameterChange>,
}

/// A change that moves less than this (roughly m, by the parameter's metric without its weight) is not seen.
const VISIBLE: f64 = 1e-6;

/// One line of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterChange {
    /// Such as `egg.spin.x`.
    pub name: String,
    /// Its value before.
    pub before: f64,
    /// Its value after.
    pub after: f64,
    /// The value it would like to keep.
    pub rest: f64,
    /// Least and greatest value.
    pub bounds: (f64, f64),
}

impl ParameterChange {
    /// What visibly differs between two control vectors of one scene; parameters that are new started at their rest.
    pub fn between(before: (&Model, &ControlVector), after: (&Model, &ControlVector)) -> Vec<ParameterChange> {
        let (old, old_u) = before;
        let (new, new_u) = after;
        let change = |(parameter, &after): (&crate::model::Parameter, &f64)| {
            let before = old.find(&parameter.role).map_or(parameter.value, |id| old_u[id]);
            let (name, rest, bounds) = (parameter.name.clone(), parameter.rest, parameter.bounds);
            let moved = (parameter.metric / parameter.weight).sqrt() * (after - before).abs();
            (moved > VISIBLE).then_some(ParameterChange { name, before, after, rest, bounds })
        };
        new.parameters().iter().zip(new_u.values()).filter_map(change).collect()
    }
}
