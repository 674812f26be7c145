//! Singular values by one-sided Jacobi: slow for large matrices, and accurate to the last digits for small ones.
//!
//! ```text
//! A = Σ_k σ_k · left_k · right_kᵀ         turn pairs of columns of Aᵀ until all are at right angles           (1)
//! ```
//!
//! It cannot fail on finite numbers, of any rank: columns that vanish have σ = 0.

use crate::math::elementary::hypot;
use nalgebra::DMatrix;

/// A = left · diag(values) · rightᵀ, values falling.
#[derive(Clone, Debug)]
pub struct Svd {
    /// Rows of A × values, orthonormal columns where the value is not 0.
    pub left: DMatrix<f64>,
    /// σ, from the largest.
    pub values: Vec<f64>,
    /// Columns of A × values, orthonormal columns where the value is not 0.
    pub right: DMatrix<f64>,
}

/// More sweeps are never needed: convergence is quadratic.
const MOST_SWEEPS: usize = 60;
/// Two columns are at right angles when their cosine is below this.
const RIGHT_ANGLE: f64 = 1e-15;

impl Svd {
    /// The decomposition of a finite matrix.
    pub fn new(matrix: &DMatrix<f64>) -> Svd {
        if matrix.nrows() > matrix.ncols() {
            let Svd { left, values, right } = Svd::new(&matrix.transpose());
            return Svd { left: right, values, right: left };
        }
        let mut columns = matrix.transpose();
        let mut turns = DMatrix::identity(columns.ncols(), columns.ncols());
        for _ in 0..MOST_SWEEPS {
            if !sweep(&mut columns, &mut turns) {
                break;
            }
        }
        let lengths: Vec<f64> = columns.column_iter().map(|column| column.norm()).collect();
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.sort_by(|a, b| lengths[*b].total_cmp(&lengths[*a]));
        let unit = |row: usize, k: usize| if lengths[k] > 0.0 { columns[(row, k)] / lengths[k] } else { 0.0 };
        Svd {
            left: DMatrix::from_fn(turns.nrows(), order.len(), |row, k| turns[(row, order[k])]),
            values: order.iter().map(|k| lengths[*k]).collect(),
            right: DMatrix::from_fn(columns.nrows(), order.len(), |row, k| unit(row, order[k])),
        }
    }
}

/// Turns every pair of columns once; whether any was not at right angles.
fn sweep(columns: &mut DMatrix<f64>, turns: &mut DMatrix<f64>) -> bool {
    let mut turned = false;
    for i in 0..columns.ncols() {
        for j in i + 1..columns.ncols() {
            let (a, b) = (columns.column(i).norm_squared(), columns.column(j).norm_squared());
            let c = columns.column(i).dot(&columns.column(j));
            if c.abs() <= RIGHT_ANGLE * (a * b).sqrt() || c == 0.0 {
                continue;
            }
            turned = true;
            // tan 2φ = 2c/(a − b), the smaller root.
            let zeta = (b - a) / (2.0 * c);
            let tangent = zeta.signum() / (zeta.abs() + hypot(1.0f64, zeta));
            let cosine = 1.0 / hypot(1.0f64, tangent);
            rotate(columns, i, j, cosine, cosine * tangent);
            rotate(turns, i, j, cosine, cosine * tangent);
        }
    }
    turned
}

fn rotate(matrix: &mut DMatrix<f64>, i: usize, j: usize, cosine: f64, sine: f64) {
    for row in 0..matrix.nrows() {
        let (a, b) = (matrix[(row, i)], matrix[(row, j)]);
        matrix[(row, i)] = cosine * a - sine * b;
        matrix[(row, j)] = sine * a + cosine * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{powi, sin};

    fn check(matrix: &DMatrix<f64>, rank: usize) {
        let Svd { left, values, right } = Svd::new(matrix);
        let again = &left * DMatrix::from_diagonal(&values.clone().into()) * right.transpose();
        let scale = matrix.norm().max(1e-300);
        assert!((&again - matrix).norm() <= 1e-14 * scale, "{matrix}: {again}");
        assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        let found = values.iter().filter(|value| **value > 1e-13 * scale).count();
        assert_eq!(found, rank, "{values:?}");
        let (left, right) = (left.columns(0, rank), right.columns(0, rank));
        for basis in [left.transpose() * left, right.transpose() * right] {
            assert!((basis - DMatrix::identity(rank, rank)).norm() < 1e-13, "{matrix}");
        }
    }

    #[test]
    fn a_matrix_is_the_product_of_its_parts() {
        let wave = |i: usize, j: usize| sin((5 * i * i + 3 * i * j + 7 * j * j + 1) as f64);
        check(&DMatrix::from_fn(3, 12, wave), 3);
        check(&DMatrix::from_fn(12, 5, wave), 5);
        check(&DMatrix::from_fn(4, 9, |i, j| wave(i % 2, j)), 2);
        check(&DMatrix::from_fn(3, 6, |i, j| wave(i, j) * powi(10f64, -5 * i as i32)), 3);
        check(&DMatrix::zeros(3, 4), 0);
        check(&DMatrix::zeros(0, 4), 0);
        check(&DMatrix::from_element(1, 1, -2.0), 1);
    }
}
