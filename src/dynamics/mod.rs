//! How bodies move between events: state, tangent, and free flight.

pub mod state;

pub use state::{BodyState, MassProperties, StateTangent};
