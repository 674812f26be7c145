//! What changes: names of the small changes that relations join.

use crate::model::BodyId;
use crate::simulation::tape::NodeId;

/// A change that outlives its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    /// Of a body's initial state; for a fixed body, of its place.
    Start(BodyId),
    /// Of the state with which a body leaves a node: at the fixed time of the node where it flies, at the node's own
    /// moving time where it goes into a step.
    Launch(NodeId, BodyId),
    /// Of the time of a node.
    Time(NodeId),
}

/// What a relation reads: all or some rows of a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// One that another node made.
    Outer(Variable),
    /// Rows of an earlier relation.
    Local {
        /// Which relation.
        relation: usize,
        /// The first of its rows.
        row: usize,
        /// How many.
        count: usize,
    },
}
