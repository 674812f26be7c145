//! The laws of all contacts of a group at one point, and products with their derivatives.
//!
//! G stacks the laws of the contacts, 3 rows each, and below them those of the contacts that resist rolling, 3 rows
//! each. P = ∂G/∂p and C = ∂G/∂w couple only the rows of one contact:
//!
//! ```text
//!     contact i     rolling k of contact i
//! P = P_i           0                             the same pattern for C
//!     P_kn·nᵀ       P_k                           n picks the contact's normal row
//! ```

use super::friction::{Law, Mode};
use super::rolling::RollingLaw;
use crate::contact::linear::triple::{set_triple, triple};
use crate::math::Vec3;

/// The laws at a point.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Laws {
    /// One per contact.
    pub(in crate::contact) contacts: Vec<Law>,
    /// One per contact that resists rolling, with the place of that contact.
    pub(in crate::contact) rolling: Vec<(usize, RollingLaw)>,
}

/// A compliance of every contact row and one of every rolling row: the units differ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::contact) struct Compliance {
    /// m/s per N·s.
    pub(in crate::contact) contact: f64,
    /// rad/s per N·m·s.
    pub(in crate::contact) rolling: f64,
}

impl Compliance {
    /// Both times a factor.
    pub(in crate::contact) fn scaled(self, factor: f64) -> Self {
        Self { contact: factor * self.contact, rolling: factor * self.rolling }
    }

    /// The entries for `size` rows of which the first `contact_rows` belong to contacts.
    pub(in crate::contact) fn entries(self, contact_rows: usize, size: usize) -> impl Iterator<Item = f64> {
        (0..size).map(move |row| if row < contact_rows { self.contact } else { self.rolling })
    }
}

impl Laws {
    pub(in crate::contact) fn clear(&mut self) {
        self.contacts.clear();
        self.rolling.clear();
    }

    /// Rows of all laws together.
    pub(in crate::contact) fn size(&self) -> usize {
        3 * (self.contacts.len() + self.rolling.len())
    }

    /// C·v.
    pub(in crate::contact) fn times_dvelocity(&self, v: &[f64], product: &mut [f64]) {
        let count = self.contacts.len();
        for (i, law) in self.contacts.iter().enumerate() {
            let value = if law.mode == Mode::Open { Vec3::zeros() } else { law.dlaw_dvelocity * triple(v, i) };
            set_triple(product, i, &value);
        }
        for (k, (i, law)) in self.rolling.iter().enumerate() {
            let value = law.dlaw_dvelocity * triple(v, count + k) + law.dlaw_dnormal_velocity * v[3 * i];
            set_triple(product, count + k, &value);
        }
    }

    /// Adds P·x.
    pub(in crate::contact) fn add_dimpulse(&self, x: &[f64], sum: &mut [f64]) {
        let count = self.contacts.len();
        let mut add = |row: usize, value: Vec3| set_triple(sum, row, &(triple(sum, row) + value));
        for (i, law) in self.contacts.iter().enumerate() {
            add(i, law.dlaw_dimpulse * triple(x, i));
        }
        for (k, (i, law)) in self.rolling.iter().enumerate() {
            add(count + k, law.dlaw_dimpulse * triple(x, count + k) + law.dlaw_dnormal_impulse * x[3 * i]);
        }
    }

    /// Adds Pᵀ·λ.
    pub(in crate::contact) fn add_transposed_dimpulse(&self, lambda: &[f64], sum: &mut [f64]) {
        let count = self.contacts.len();
        let mut add = |row: usize, value: Vec3| set_triple(sum, row, &(triple(sum, row) + value));
        for (i, law) in self.contacts.iter().enumerate() {
            add(i, law.dlaw_dimpulse.tr_mul(&triple(lambda, i)));
        }
        for (k, (i, law)) in self.rolling.iter().enumerate() {
            let covector = triple(lambda, count + k);
            add(count + k, law.dlaw_dimpulse.tr_mul(&covector));
            add(*i, Vec3::new(law.dlaw_dnormal_impulse.dot(&covector), 0.0, 0.0));
        }
    }

    /// Cᵀ·λ.
    pub(in crate::contact) fn transposed_dvelocity(&self, lambda: &[f64], product: &mut [f64]) {
        let count = self.contacts.len();
        for (i, law) in self.contacts.iter().enumerate() {
            set_triple(product, i, &law.dlaw_dvelocity.tr_mul(&triple(lambda, i)));
        }
        for (k, (i, law)) in self.rolling.iter().enumerate() {
            let covector = triple(lambda, count + k);
            set_triple(product, count + k, &law.dlaw_dvelocity.tr_mul(&covector));
            product[3 * i] += law.dlaw_dnormal_velocity.dot(&covector);
        }
    }
}
