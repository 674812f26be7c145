//! A block of rows between two bodies: which rows, and what law they obey.
//!
//! ```text
//! w = A·(v₁ − v₂) + B₁·ω₁ − B₂·ω₂ − target                                                          (1)
//! ```
//!
//! with 3 × 3 matrices A and B. Every block of a group is of this form: the rows of contacts are made from their point and
//! normal (`rows`), those of joints are handed in as they are. That both bodies have the same A says that rows do not
//! change when both are moved alike.

use crate::contact::law::row_law::RowLaw;
use crate::math::{Mat3, Vec3};

/// Three rows (1), without the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rows {
    /// Index of the first body.
    pub first: usize,
    /// Index of the second body.
    pub second: usize,
    /// A.
    pub push: Mat3,
    /// B₁.
    pub first_turn: Mat3,
    /// B₂.
    pub second_turn: Mat3,
}

/// Rows that a group has beside those of its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowBlock {
    /// The rows.
    pub rows: Rows,
    /// Their law.
    pub law: RowLaw,
    /// The velocity that counts as zero, one number per row.
    pub target: Vec3,
}

/// A change of a [`RowBlock`], or a covector of one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowBlockDirection {
    /// δA.
    pub dpush: Mat3,
    /// δB₁.
    pub dfirst_turn: Mat3,
    /// δB₂.
    pub dsecond_turn: Mat3,
    /// δ of the target.
    pub dtarget: Vec3,
}

impl Rows {
    /// Rows of zeros between the same bodies.
    pub(in crate::contact) fn empty(&self) -> Self {
        let zero = Mat3::zeros();
        Self { push: zero, first_turn: zero, second_turn: zero, ..*self }
    }

    /// Sign, body and B of (1) for both bodies.
    pub(in crate::contact) fn sides(&self) -> [(f64, usize, &Mat3); 2] {
        [(1.0, self.first, &self.first_turn), (-1.0, self.second, &self.second_turn)]
    }
}

impl RowBlockDirection {
    /// Adds a multiple of another.
    pub(in crate::contact) fn add(&mut self, factor: f64, other: &Self) {
        self.dpush += factor * other.dpush;
        self.dfirst_turn += factor * other.dfirst_turn;
        self.dsecond_turn += factor * other.dsecond_turn;
        self.dtarget += factor * other.dtarget;
    }

    /// The product of a covector and a change.
    pub(in crate::contact) fn dot(&self, change: &Self) -> f64 {
        self.dpush.dot(&change.dpush)
            + self.dfirst_turn.dot(&change.dfirst_turn)
            + self.dsecond_turn.dot(&change.dsecond_turn)
            + self.dtarget.dot(&change.dtarget)
    }
}
