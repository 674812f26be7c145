//! The kinds of rows, and a number for each: rows of different kinds have different units.

use std::ops::{Index, IndexMut};

/// What a block of rows is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A contact: velocities of a point.
    Contact,
    /// Resistance against rolling: a relative spin.
    Rolling,
    /// What is held together.
    Equality,
}

/// How many kinds there are.
pub const KINDS: usize = 3;

/// ε of each kind as a part of that of contacts. What is held together may be nearly singular, as a straightened arm is: with
/// as much as contacts have it would give way. Contacts that are redundant lose digits with less.
pub(in crate::contact) const STIFFNESS: [f64; KINDS] = [1.0, 1.0, 0.01];

/// A number for each kind of rows, as a compliance, which is a velocity per impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PerKind(pub [f64; KINDS]);

impl Index<Kind> for PerKind {
    type Output = f64;

    fn index(&self, kind: Kind) -> &f64 {
        &self.0[kind as usize]
    }
}

impl IndexMut<Kind> for PerKind {
    fn index_mut(&mut self, kind: Kind) -> &mut f64 {
        &mut self.0[kind as usize]
    }
}

impl PerKind {
    /// ε̂ of all kinds, where these are mean traces and ε is that of contacts.
    pub fn compliances(self, compliance: f64) -> Self {
        Self(std::array::from_fn(|kind| compliance * STIFFNESS[kind] * self.0[kind]))
    }

    /// For each kind the sum of what the rows of its blocks have, over the number of its blocks; zero where it has none.
    ///
    /// `kinds` has one entry per block, three rows each.
    pub fn mean(kinds: impl Iterator<Item = Kind>, entry: impl Fn(usize) -> f64) -> Self {
        let (mut sums, mut counts) = (Self::default(), [0usize; KINDS]);
        for (block, kind) in kinds.enumerate() {
            counts[kind as usize] += 1;
            for row in 3 * block..3 * block + 3 {
                sums[kind] += entry(row);
            }
        }
        sums.0.iter_mut().zip(counts).for_each(|(sum, count)| *sum /= count.max(1) as f64);
        sums
    }
}
