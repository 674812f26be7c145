//! ∂S/∂u: how the whole motion changes with its parameters, exactly.
//!
//! Every phase and every event has its own derivative, beside it in `dynamics`, `geometry`, `contact` and
//! `simulation::held`. This room multiplies them together along time, over the tape that `simulate` recorded:
//!
//! ```text
//! u ──World──▶ starts, masses, laws ──▶ node ──▶ node ──▶ … ──▶ q(t)
//!              seed                     chain: flight, event, held
//! ```
//!
//! Across an event with q⁺ = q⁻ + I(q⁻,u) at the time t_c where E(t,q,u) = 0, dq⁻/du taken at fixed time t_c,
//!
//! ```text
//! dt_c/du = −(E_q·dq⁻/du + E_u) / (E_q·F⁻ + E_t)                                                    (1)
//! dq⁺/du  =  (1 + I_q)·(dq⁻/du + F⁻·dt_c/du) + I_u − F⁺·dt_c/du                                     (2)
//! ```
//!
//! Where tracks move what is joined, an impact depends on time as well: I_t·dt_c/du is added (`struck`). Beside a step
//! Φ(q, s, u) of a held group F is ∂Φ/∂s, and the steps after an event have lengths that depend on u. Every
//! node is a handful of linear relations (`linear`, with what is multiplied in `factor`), which [`forward`] follows in order for all parameters at once and
//! [`reverse`] follows backwards for a few rows, visiting only what can have influenced them. Decisions — who
//! touches whom, what sticks, which steps are split — are held fixed; where one of them is about to change the derivative
//! is one-sided or does not exist, and a [`Mark`] says so.
//!
//! [`check`] compares all of it with differences, and is used by nothing but the command of that name and tests.

mod chain;
mod change;
pub mod check;
mod columns;
mod event;
mod factor;
mod forward;
mod held;
mod joined;
mod joined_change;
mod linear;
mod moment;
mod reverse;
mod seed;
mod step_columns;
mod step_relations;
mod struck;

pub use forward::{Forward, forward, forward_while};
pub use moment::{Moment, Row, Side};
pub use reverse::{Pullback, reverse, reverse_while};

use crate::model::{BodyId, Model};

/// Why a derivative cannot be trusted past a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A contact closes so slowly that its time has no derivative; the time is taken as fixed.
    Grazing,
    /// A contact problem missed its tolerance.
    Unsolved,
    /// The record does not tell where a body was: nothing is known of what comes through it.
    Untold,
    /// Several features close together: the derivative is that of their mean gap.
    OneSided,
    /// Several pairs meet at one instant: they are kept together, though a small change would make one the first.
    Simultaneous,
}

/// An instant on the way with no usable, or only a one-sided, derivative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mark {
    /// s.
    pub t: f64,
    /// Why.
    pub reason: Reason,
}

/// Rows of a Jacobian: the tangent entries of every body that moves, particles without rotation and spin.
pub fn rows(model: &Model) -> Vec<(BodyId, usize)> {
    let mut rows = Vec::new();
    for (k, body) in model.bodies().iter().enumerate().filter(|(_, body)| body.drive.is_pushed()) {
        let turns = !body.solid.is_particle();
        let entries = (0..12).filter(|entry| turns || matches!(entry, 0..3 | 6..9));
        rows.extend(entries.map(|entry| (BodyId(k as u32), entry)));
    }
    rows
}

/// The name of a row, as `box.rotation.x`.
pub fn row_name(model: &Model, (body, entry): (BodyId, usize)) -> String {
    let field = ["position", "rotation", "velocity", "spin"][entry / 3];
    let axis = ["x", "y", "z"][entry % 3];
    format!("{}.{field}.{axis}", model.bodies()[body.index()].name)
}

#[cfg(test)]
mod tests;
