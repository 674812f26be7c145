//! How bodies move between events: state, tangent, and free flight.
//!
//! ```text
//! q = (x, R, v, ω),    q̇ = F = (v, ω, g, ω̇),    R ← exp([δθ])·R
//! ```
//!
//! Besides the notation of the crate, Λ_i are principal moments of inertia, σ is the spin in the
//! principal frame, L the angular momentum and T the energy of turning.
//!
//! `state` has q, its tangent and the mass that resists it; `flight` the motion under gravity alone
//! and its derivatives, for which `turn` chooses between `symmetric` (closed form) and `tumble`
//! (series, by steps of `taylor`); `guided` that of a body that follows tracks. When a flight ends is `simulation`; what an impact does to q is
//! `contact`.

pub mod flight;
pub mod guided;
pub mod joined;
pub mod state;
mod symmetric;
mod taylor;
mod tumble;
mod turn;

pub use flight::{Flight, FlightDerivative};
pub use guided::{GuidedMotion, KeyNumber, Stretch};
pub(crate) use state::stacked;
pub use state::{BodyState, MassProperties, StateTangent};
