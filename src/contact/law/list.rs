//! The laws of all blocks of a group at one point, and products with their derivatives.
//!
//! G stacks the laws of the blocks, 3 rows each. P = ∂G/∂p and C = ∂G/∂w couple only the rows of one block, and a block k
//! that is coupled to a block i before it:
//!
//! ```text
//!     block i       block k, coupled to i
//! P = P_i           0                             the same pattern for C
//!     P_kn·nᵀ       P_k                           n picks the first row of i
//! ```

use super::block::{Law, Mode};
use crate::contact::linear::triple::{set_triple, triple};
use crate::math::Vec3;

/// The laws at a point, one per block.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Laws {
    /// In the order of the blocks.
    pub(in crate::contact) blocks: Vec<Law>,
}

impl Laws {
    /// C·v.
    pub(in crate::contact) fn times_dvelocity(&self, v: &[f64], product: &mut [f64]) {
        for (i, law) in self.blocks.iter().enumerate() {
            let value = match &law.coupling {
                None if law.mode == Mode::Open => Vec3::zeros(),
                None => law.dlaw_dvelocity * triple(v, i),
                Some(to) => law.dlaw_dvelocity * triple(v, i) + to.dlaw_dvelocity * v[3 * to.block],
            };
            set_triple(product, i, &value);
        }
    }

    /// Adds P·x.
    pub(in crate::contact) fn add_dimpulse(&self, x: &[f64], sum: &mut [f64]) {
        for (i, law) in self.blocks.iter().enumerate() {
            let own = law.dlaw_dimpulse * triple(x, i);
            let value = match &law.coupling {
                None => own,
                Some(to) => own + to.dlaw_dimpulse * x[3 * to.block],
            };
            set_triple(sum, i, &(triple(sum, i) + value));
        }
    }

    /// Adds Pᵀ·λ.
    pub(in crate::contact) fn add_transposed_dimpulse(&self, lambda: &[f64], sum: &mut [f64]) {
        for (i, law) in self.blocks.iter().enumerate() {
            let covector = triple(lambda, i);
            set_triple(sum, i, &(triple(sum, i) + law.dlaw_dimpulse.tr_mul(&covector)));
            if let Some(to) = &law.coupling {
                sum[3 * to.block] += to.dlaw_dimpulse.dot(&covector);
            }
        }
    }

    /// Cᵀ·λ.
    pub(in crate::contact) fn transposed_dvelocity(&self, lambda: &[f64], product: &mut [f64]) {
        for (i, law) in self.blocks.iter().enumerate() {
            let covector = triple(lambda, i);
            set_triple(product, i, &law.dlaw_dvelocity.tr_mul(&covector));
            if let Some(to) = &law.coupling {
                product[3 * to.block] += to.dlaw_dvelocity.dot(&covector);
            }
        }
    }
}
