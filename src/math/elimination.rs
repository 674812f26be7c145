//! Linear systems without symmetry: Gaussian elimination with the largest pivot of each column.
//!
//! ```text
//! A·X = B
//! ```
//!
//! Sums run in order, so that the bits are the same on every machine. Systems with structure are solved by `profile`.

use nalgebra::DMatrix;

/// X, in the place of B; false where a pivot is zero or not a number.
pub fn solve(mut a: DMatrix<f64>, b: &mut DMatrix<f64>) -> bool {
    let size = a.nrows();
    for k in 0..size {
        let largest = (k..size).max_by(|&i, &j| a[(i, k)].abs().total_cmp(&a[(j, k)].abs())).unwrap_or(k);
        if !(a[(largest, k)].abs() > 0.0 && a[(largest, k)].is_finite()) {
            return false;
        }
        a.swap_rows(k, largest);
        b.swap_rows(k, largest);
        let pivot = a[(k, k)];
        for row in k + 1..size {
            let factor = a[(row, k)] / pivot;
            if factor == 0.0 {
                continue;
            }
            for column in k + 1..size {
                a[(row, column)] -= factor * a[(k, column)];
            }
            for column in 0..b.ncols() {
                b[(row, column)] -= factor * b[(k, column)];
            }
        }
    }
    for column in 0..b.ncols() {
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| a[(row, k)] * b[(k, column)]).sum();
            b[(row, column)] = (b[(row, column)] - known) / a[(row, row)];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::matrix::product;

    #[test]
    fn a_system_that_needs_its_rows_exchanged_is_solved() {
        let a = DMatrix::from_row_slice(3, 3, &[0.0, 2.0, -1.0, 3.0, 0.0, 1.0, 1.0, 1.0, 1e-3]);
        let exact = DMatrix::from_row_slice(3, 2, &[1.0, -2.0, 0.5, 4.0, -3.0, 0.25]);
        let mut x = product(&a, &exact);
        assert!(solve(a, &mut x));
        assert!((x - exact).amax() < 1e-14);
    }

    #[test]
    fn a_system_without_an_answer_is_told() {
        assert!(!solve(DMatrix::zeros(2, 2), &mut DMatrix::zeros(2, 1)));
        assert!(!solve(DMatrix::from_element(2, 2, f64::NAN), &mut DMatrix::zeros(2, 1)));
    }
}
