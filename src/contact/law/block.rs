//! The law of one block of rows at one point: a value G, zero where the law holds, and its derivatives.
//!
//! A block is three rows. With its impulse p and the velocity w after it,
//!
//! ```text
//! δG = P·δp + C·δw + P_n·δp_n + C_n·δw_n + G_c·δc + G_g·δg                                          (1)
//! ```
//!
//! where p_n and w_n are those of the first row of another block, for a law that is coupled to one; c is the law's own
//! coefficient and g a normal impulse that is given. This is all that linear algebra and derivatives know of a law.

use crate::math::{Mat3, Vec3};

/// Which branch of its law a block is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// No impulse.
    Open,
    /// A normal impulse and no friction.
    Frictionless,
    /// No tangential velocity.
    Stick,
    /// The tangential impulse is as large as friction allows, against the velocity.
    Slide,
}

/// The law at a point and its derivatives with the mode fixed, equation (1).
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// G.
    pub value: Vec3,
    /// The branch taken.
    pub mode: Mode,
    /// P = ∂G/∂p, 3 × 3.
    pub dlaw_dimpulse: Mat3,
    /// C = ∂G/∂w, 3 × 3.
    pub dlaw_dvelocity: Mat3,
    /// To the first row of a block that stands before this one.
    pub coupling: Option<Coupling>,
    /// ∂G/∂c, of the friction of a contact or of its rolling resistance.
    pub dlaw_dcoefficient: Vec3,
    /// ∂G/∂g; zero where the normal impulse is not given.
    pub dlaw_dgiven: Vec3,
}

/// How a law depends on the first row of another block.
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// Place of that block.
    pub block: usize,
    /// P_n = ∂G/∂p_n.
    pub dlaw_dimpulse: Vec3,
    /// C_n = ∂G/∂w_n.
    pub dlaw_dvelocity: Vec3,
}

impl Coupling {
    /// To a block on which nothing depends at this point.
    pub fn idle(block: usize) -> Self {
        Self { block, dlaw_dimpulse: Vec3::zeros(), dlaw_dvelocity: Vec3::zeros() }
    }
}

impl Law {
    /// A block without impulse: G = p.
    pub fn open(impulse: Vec3) -> Self {
        Self {
            value: impulse,
            mode: Mode::Open,
            dlaw_dimpulse: Mat3::identity(),
            dlaw_dvelocity: Mat3::zeros(),
            coupling: None,
            dlaw_dcoefficient: Vec3::zeros(),
            dlaw_dgiven: Vec3::zeros(),
        }
    }

    /// The derivatives of a block in which nothing moves: G = r·w.
    pub fn stick(&mut self, scale: f64) {
        self.mode = Mode::Stick;
        self.dlaw_dimpulse = Mat3::zeros();
        self.dlaw_dvelocity = Mat3::identity() * scale;
        self.coupling = self.coupling.map(|coupling| Coupling::idle(coupling.block));
    }

    /// The block whose given normal impulse this law feels, for the block at a place.
    pub fn normal_of(&self, own: usize) -> usize {
        self.coupling.map_or(own, |coupling| coupling.block)
    }
}
