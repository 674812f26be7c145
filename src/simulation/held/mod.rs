//! Contact that lasts: a group of touching bodies moves in steps on the global time grid.
//!
//! ```text
//! v_f = free-flight velocity after s,   q_m = q ⊕ (s/2)·v,   q₁ = q ⊕ s·v                           (1)
//! contact problem without restitution at q₁:   K = J₁W₁J₁ᵀ,  w = J₁v_f,  w_n⁺ ≥ 0                  (2)
//! v⁺ = v_f + W_m·J(q_m)ᵀ·p,    q⁺ = q ⊕ s·(v + v⁺)/2, projected                                     (3)
//! path inside the step:   q ⊕ (x·v + x²·(v⁺ − v)/2s),   x from 0 to s                              (4)
//! ```
//!
//! It is of second order, also while contacts turn. Everything here is a function of a group, the states of its bodies and
//! the length of a step; `group` says what a group is, `grid` when its steps end: the time grid of lasting contact. `step`
//! is the map (1) to (3), from what is `prepared` to its `outcome`. `projection` moves positions back onto the contacts,
//! `slip` ends a step where sliding ends; `branch`, `carry`, `geometry`, `path`, `inside` and `displacement` are their parts.
//! Each has its derivative beside it, by the `direction` in which a step is changed, and `derivative` puts that of the step
//! together.
//!
//! What the contact problem holds at velocity zero, as the rows of a pin together, comes with the group's list of row blocks
//! (`contact::law::equality`). Which contacts are held, and when a step is cut short by an impact, is decided outside:
//! `holding` and `cut` in `simulation`. Nothing here knows the engine.

mod branch;
mod carry;
mod derivative;
mod direction;
mod displacement;
mod geometry;
mod grid;
mod group;
mod inside;
mod outcome;
mod path;
mod prepared;
mod projection;
mod projection_derivative;
mod slip;
mod slip_derivative;
mod split_derivative;
mod step;

pub use branch::Branch;
pub use derivative::StepDerivative;
pub use direction::{MassDirection, StepDirection, StepTangent};
pub use grid::{halved, next_time};
pub use group::{HeldContact, HeldGroup, Member};
pub use inside::InsideDerivative;
pub use outcome::{Frozen, StepOutcome};
pub use path::{Bend, PathDirection, StepPath};
pub use projection_derivative::ProjectionDerivative;
pub use slip::{SlipMemory, split_step};
pub use split_derivative::{SplitDerivative, SplitTangent};

#[cfg(test)]
mod tests;
