//! Products of matrices whose sizes are known at run time.
//!
//! nalgebra hands such products to code that takes fused multiply-add where the processor has it: other bits on another
//! machine. Here every entry is the sum of its terms in order, on every machine.
//!
//! Products of matrices of known sizes, and of a matrix and a vector, are nalgebra's.

use nalgebra::DMatrix;

/// A·B.
pub fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    let mut product = DMatrix::zeros(a.nrows(), b.ncols());
    for (mut sum, column) in product.column_iter_mut().zip(b.column_iter()) {
        sum.gemv(1.0, a, &column, 0.0);
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_the_sum_of_its_terms_in_order() {
        let entry = |i: usize, j: usize| 1.0 / (1 + i + 3 * j * j) as f64;
        let (a, b) = (DMatrix::from_fn(7, 9, entry), DMatrix::from_fn(9, 8, |i, j| entry(j, i) - 0.2));
        let product = product(&a, &b);
        for (i, j) in (0..7).flat_map(|i| (0..8).map(move |j| (i, j))) {
            let sum = (0..9).fold(0.0, |sum, k| sum + a[(i, k)] * b[(k, j)]);
            assert_eq!(product[(i, j)], sum, "entry {i}, {j}");
        }
    }

    #[test]
    fn empty_matrices_have_products() {
        assert_eq!(product(&DMatrix::zeros(3, 0), &DMatrix::zeros(0, 2)), DMatrix::zeros(3, 2));
    }
}
