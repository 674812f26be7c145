//! A square matrix factorised once and solved many times, also transposed.
//!
//! ```text
//! Π·A = L·U     (rows exchanged so that every step divides by the largest entry of its column)
//! ```
//!
//! It exists beside the factorisations of nalgebra because it refills its storage in place, which the inner loop of
//! the contact solver needs, and because it solves with Aᵀ, which reverse derivatives need.

/// A matrix, n × n, stored by columns, that [`Factor::factorise`] turns into L and U.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Factor {
    size: usize,
    entries: Vec<f64>,
    exchanges: Vec<usize>,
}

impl Factor {
    /// Room for an n × n matrix; the entries are whatever was there.
    pub(in crate::contact) fn resize(&mut self, size: usize) {
        self.size = size;
        self.entries.resize(size * size, 0.0);
        self.exchanges.resize(size, 0);
    }

    /// Column `j`, to be filled before [`Factor::factorise`].
    pub(in crate::contact) fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.entries[j * self.size..(j + 1) * self.size]
    }

    /// Replaces the matrix by its factors; false where it is singular or not finite.
    pub(in crate::contact) fn factorise(&mut self) -> bool {
        let n = self.size;
        for k in 0..n {
            let column = &self.entries[k * n..(k + 1) * n];
            let mut pivot = k;
            for i in k + 1..n {
                if column[i].abs() > column[pivot].abs() {
                    pivot = i;
                }
            }
            let largest = column[pivot];
            if largest == 0.0 || !largest.is_finite() {
                return false;
            }
            self.exchanges[k] = pivot;
            if pivot != k {
                (0..n).for_each(|j| self.entries.swap(j * n + k, j * n + pivot));
            }
            self.eliminate(k);
        }
        true
    }

    /// Subtracts multiples of row `k` from the rows below it, column by column.
    fn eliminate(&mut self, k: usize) {
        let n = self.size;
        let (left, right) = self.entries.split_at_mut((k + 1) * n);
        let below = &mut left[k * n + k..];
        let inverse = 1.0 / below[0];
        let below = &mut below[1..];
        below.iter_mut().for_each(|entry| *entry *= inverse);
        for column in right.chunks_exact_mut(n) {
            let factor = column[k];
            if factor != 0.0 {
                for (entry, lower) in column[k + 1..].iter_mut().zip(below.iter()) {
                    *entry -= factor * lower;
                }
            }
        }
    }

    /// Replaces b by A⁻¹·b.
    pub(in crate::contact) fn solve(&self, b: &mut [f64]) {
        let n = self.size;
        (0..n).for_each(|k| b.swap(k, self.exchanges[k]));
        for k in 0..n {
            let value = b[k];
            let column = &self.entries[k * n..(k + 1) * n];
            for i in k + 1..n {
                b[i] -= value * column[i];
            }
        }
        for k in (0..n).rev() {
            let column = &self.entries[k * n..(k + 1) * n];
            b[k] /= column[k];
            let value = b[k];
            for i in 0..k {
                b[i] -= value * column[i];
            }
        }
    }

    /// Replaces b by A⁻ᵀ·b, for N columns b at once: `b` holds their rows.
    pub(in crate::contact) fn solve_transposed<const N: usize>(&self, b: &mut [[f64; N]]) {
        let n = self.size;
        let subtract = |row: &mut [f64; N], factors: &[f64], others: &[[f64; N]]| {
            for (factor, other) in factors.iter().zip(others) {
                (0..N).for_each(|lane| row[lane] -= factor * other[lane]);
            }
        };
        for k in 0..n {
            let column = &self.entries[k * n..(k + 1) * n];
            let (solved, rest) = b.split_at_mut(k);
            subtract(&mut rest[0], column, solved);
            rest[0].iter_mut().for_each(|entry| *entry /= column[k]);
        }
        for k in (0..n).rev() {
            let column = &self.entries[k * n..(k + 1) * n];
            let (rest, solved) = b.split_at_mut(k + 1);
            subtract(&mut rest[k], &column[k + 1..], solved);
        }
        (0..n).rev().for_each(|k| b.swap(k, self.exchanges[k]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATRIX: [[f64; 4]; 4] =
        [[0.0, 2.0, -1.0, 0.5], [3.0, 0.1, 0.0, 1.0], [-1.0, 4.0, 2.0, 0.3], [0.7, -0.2, 1.5, 0.0]];

    fn factor() -> Factor {
        let mut factor = Factor::default();
        factor.resize(4);
        for (i, row) in MATRIX.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, &entry)| factor.column_mut(j)[i] = entry);
        }
        assert!(factor.factorise());
        factor
    }

    #[test]
    fn both_solves_undo_the_matrix() {
        let x = [1.0, -2.0, 0.5, 3.0];
        let mut straight: Vec<f64> = (0..4).map(|i| (0..4).map(|j| MATRIX[i][j] * x[j]).sum()).collect();
        let mut transposed: Vec<f64> = (0..4).map(|i| (0..4).map(|j| MATRIX[j][i] * x[j]).sum()).collect();
        factor().solve(&mut straight);
        factor().solve_transposed::<1>(transposed.as_chunks_mut().0);
        for i in 0..4 {
            assert!((straight[i] - x[i]).abs() < 1e-14, "{straight:?}");
            assert!((transposed[i] - x[i]).abs() < 1e-14, "{transposed:?}");
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut factor = Factor::default();
        factor.resize(2);
        factor.column_mut(0).copy_from_slice(&[1.0, 2.0]);
        factor.column_mut(1).copy_from_slice(&[0.0, 0.0]);
        assert!(!factor.factorise());
    }
}
