//! A sparse matrix of 6 × 6 blocks, one row and column of blocks per body, factorised in the order of `elimination`.
//!
//! ```text
//! N = L·U,    step k:   L_jk = N_jk·N_kk⁻¹,   N_jl ← N_jl − L_jk·N_kl      for all later j, l coupled to k
//! ```
//!
//! Rows are exchanged within a block, never across blocks: the pattern stays as it was foreseen. Where that is not
//! good enough the caller sees it in the residual.

use super::body_rows::BodyVector;
use super::elimination::Elimination;

/// A 6 × 6 block by columns.
pub(in crate::contact) type Block = [[f64; 6]; 6];

/// The blocks in the order that `elimination` describes, factorised in place.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct BlockMatrix {
    pub(in crate::contact) blocks: Vec<Block>,
}

impl BlockMatrix {
    /// The identity.
    pub(in crate::contact) fn reset(&mut self, elimination: &Elimination) {
        self.blocks.clear();
        self.blocks.resize(elimination.block_count(), [[0.0; 6]; 6]);
        for block in &mut self.blocks[..elimination.step_of.len()] {
            (0..6).for_each(|k| block[k][k] = 1.0);
        }
    }

    /// Replaces the matrix by its factors, diagonal blocks by their inverses; false where one is singular.
    pub(in crate::contact) fn factorise(&mut self, elimination: &Elimination) -> bool {
        let count = elimination.step_of.len();
        let mut targets = elimination.targets.as_slice();
        for k in 0..count {
            let Some(inverse) = inverse(self.blocks[k]) else { return false };
            self.blocks[k] = inverse;
            let entries = elimination.starts[k]..elimination.starts[k + 1];
            for e in entries.clone() {
                let lower = product(&self.blocks[count + 2 * e], &inverse);
                self.blocks[count + 2 * e] = lower;
                let (row_targets, rest) = targets.split_at(entries.len());
                targets = rest;
                for (&target, other) in row_targets.iter().zip(entries.clone()) {
                    let upper = self.blocks[count + 2 * other + 1];
                    subtract_product(&mut self.blocks[target], &lower, &upper);
                }
            }
        }
        true
    }

    /// Replaces y by N⁻¹·y; `work` is a buffer.
    pub(in crate::contact) fn solve(
        &self,
        elimination: &Elimination,
        y: &mut [BodyVector],
        work: &mut Vec<BodyVector>,
    ) {
        let count = y.len();
        let work = to_steps(work, elimination, y);
        for k in 0..count {
            let value = work[k];
            for e in elimination.starts[k]..elimination.starts[k + 1] {
                subtract(&mut work[elimination.couplings[e]], &self.blocks[count + 2 * e], &value);
            }
        }
        for k in (0..count).rev() {
            let mut value = work[k];
            for e in elimination.starts[k]..elimination.starts[k + 1] {
                subtract(&mut value, &self.blocks[count + 2 * e + 1], &work[elimination.couplings[e]]);
            }
            work[k] = times(&self.blocks[k], &value);
        }
        from_steps(work, elimination, y);
    }

    /// Replaces y by N⁻ᵀ·y; `work` is a buffer.
    pub(in crate::contact) fn solve_transposed(
        &self,
        elimination: &Elimination,
        y: &mut [BodyVector],
        work: &mut Vec<BodyVector>,
    ) {
        let count = y.len();
        let work = to_steps(work, elimination, y);
        for k in 0..count {
            let value = transposed_times(&self.blocks[k], &work[k]);
            work[k] = value;
            for e in elimination.starts[k]..elimination.starts[k + 1] {
                let change = transposed_times(&self.blocks[count + 2 * e + 1], &value);
                let entry = &mut work[elimination.couplings[e]];
                entry.iter_mut().zip(change).for_each(|(entry, change)| *entry -= change);
            }
        }
        for k in (0..count).rev() {
            for e in elimination.starts[k]..elimination.starts[k + 1] {
                let change = transposed_times(&self.blocks[count + 2 * e], &work[elimination.couplings[e]]);
                work[k].iter_mut().zip(change).for_each(|(entry, change)| *entry -= change);
            }
        }
        from_steps(work, elimination, y);
    }
}

/// y in the order of elimination.
fn to_steps<'a>(work: &'a mut Vec<BodyVector>, elimination: &Elimination, y: &[BodyVector]) -> &'a mut [BodyVector] {
    work.clear();
    work.resize(y.len(), [0.0; 6]);
    y.iter().zip(&elimination.step_of).for_each(|(value, &step)| work[step] = *value);
    work
}

fn from_steps(work: &[BodyVector], elimination: &Elimination, y: &mut [BodyVector]) {
    y.iter_mut().zip(&elimination.step_of).for_each(|(value, &step)| *value = work[step]);
}

/// A⁻¹ by Gauss–Jordan with row exchanges.
fn inverse(mut a: Block) -> Option<Block> {
    let mut inverse = [[0.0; 6]; 6];
    (0..6).for_each(|k| inverse[k][k] = 1.0);
    for k in 0..6 {
        let mut pivot = k;
        for row in k + 1..6 {
            if a[k][row].abs() > a[k][pivot].abs() {
                pivot = row;
            }
        }
        if a[k][pivot] == 0.0 || !a[k][pivot].is_finite() {
            return None;
        }
        let scale = 1.0 / a[k][pivot];
        // The rows' multiples are those of column k after the exchange.
        let mut multiples = a[k];
        multiples.swap(k, pivot);
        multiples[k] = 0.0;
        // Columns up to this one are not looked at again.
        for column in a[k + 1..].iter_mut().chain(inverse.iter_mut()) {
            column.swap(k, pivot);
            column[k] *= scale;
            let value = column[k];
            (0..6).for_each(|row| column[row] -= multiples[row] * value);
        }
    }
    Some(inverse)
}

fn product(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|column| times(a, &b[column]))
}

fn subtract_product(target: &mut Block, a: &Block, b: &Block) {
    for (target, b) in target.iter_mut().zip(b) {
        subtract(target, a, b);
    }
}

fn times(a: &Block, x: &BodyVector) -> BodyVector {
    let mut sum = [0.0; 6];
    for (column, x) in a.iter().zip(x) {
        (0..6).for_each(|row| sum[row] += column[row] * x);
    }
    sum
}

fn transposed_times(a: &Block, x: &BodyVector) -> BodyVector {
    std::array::from_fn(|column| a[column].iter().zip(x).map(|(a, x)| a * x).sum())
}

/// y ← y − A·x.
fn subtract(y: &mut BodyVector, a: &Block, x: &BodyVector) {
    for (column, x) in a.iter().zip(x) {
        (0..6).for_each(|row| y[row] -= column[row] * x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_solves_undo_a_ring_of_blocks() {
        let elimination = Elimination::new(5, (0..5).map(|k| [k, (k + 1) % 5]));
        let mut matrix = BlockMatrix::default();
        matrix.reset(&elimination);
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let pairs: Vec<[usize; 2]> = (0..5).flat_map(|k| [[k, k], [k, (k + 1) % 5], [(k + 1) % 5, k]]).collect();
        for &[a, b] in &pairs {
            let block = &mut matrix.blocks[elimination.block(a, b)];
            block.iter_mut().flatten().for_each(|entry| *entry += random());
        }
        let x: Vec<BodyVector> = (0..5).map(|_| std::array::from_fn(|_| random())).collect();
        let (mut straight, mut transposed) = (vec![[0.0; 6]; 5], vec![[0.0; 6]; 5]);
        for &[a, b] in &pairs {
            let block = &matrix.blocks[elimination.block(a, b)];
            let minus = |y: &mut BodyVector, change: BodyVector| (0..6).for_each(|k| y[k] += change[k]);
            minus(&mut straight[a], times(block, &x[b]));
            minus(&mut transposed[b], transposed_times(block, &x[a]));
        }
        assert!(matrix.factorise(&elimination));
        matrix.solve(&elimination, &mut straight, &mut Vec::new());
        matrix.solve_transposed(&elimination, &mut transposed, &mut Vec::new());
        for k in 0..5 {
            for entry in 0..6 {
                assert!((straight[k][entry] - x[k][entry]).abs() < 1e-12);
                assert!((transposed[k][entry] - x[k][entry]).abs() < 1e-12);
            }
        }
    }
}
