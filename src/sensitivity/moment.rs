//! Which numbers of a motion are differentiated: where they are taken, and how they weigh states and times.

use crate::dynamics::StateTangent;
use crate::model::BodyId;
use crate::simulation::EventId;

/// One side of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Just before.
    Before,
    /// Just after.
    After,
}

/// When a row is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// At a fixed time, s.
    Time(f64),
    /// At an event, whose time moves with u.
    Event {
        /// Which.
        event: EventId,
        /// On which side of it.
        side: Side,
    },
}

/// A scalar of the motion: Σ weights·δq(body) at the moment, and dtime·δt_c where it is an event. There δq is the total
/// derivative at the moving time.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub moment: Moment,
    /// Weights on the tangents of bodies.
    pub bodies: Vec<(BodyId, StateTangent)>,
    /// Weight of the event's time.
    pub dtime: f64,
}
