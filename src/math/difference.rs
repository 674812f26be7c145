//! Is a Jacobian right? Central differences as a check, for the unit tests of every room.
//!
//! ```text
//! ∂f_r/∂x_c ≈ (f_r(x + h·e_c) − f_r(x − h·e_c)) / 2h,     h = ∛ε · max(1, |x_c|)
//! ```
//!
//! At this h the truncation error h²·f‴/6 and the rounding error ε·f/h are both near 1e-11 for maps
//! of moderate size, so that 1e-7 leaves room for awkward points and none for a wrong term.
//!
//! The module exists in tests only: no derivative of the program is a difference.

/// ∛ε of `f64`: balances truncation against rounding.
const STEP: f64 = 6.055e-6;
/// Accepted error, relative to 1 + |exact|.
const TOLERANCE: f64 = 1e-7;

/// One entry of a Jacobian that its difference contradicts.
#[derive(Debug)]
pub(crate) struct Mismatch {
    row: usize,
    column: usize,
    exact: f64,
    numeric: f64,
}

/// Asserts that `exact(row, column)` is the derivative of `map` at `x`.
#[track_caller]
pub(crate) fn check_jacobian(map: impl Fn(&[f64]) -> Vec<f64>, x: &[f64], exact: impl Fn(usize, usize) -> f64) {
    if let Some(Mismatch { row, column, exact, numeric }) = first_mismatch(map, x, exact) {
        panic!("∂[{row}]/∂[{column}]: exact {exact:e}, numeric {numeric:e}, error {:e}", (exact - numeric).abs());
    }
}

/// The first entry, column by column, whose error exceeds the tolerance or is not a number.
fn first_mismatch(
    map: impl Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    exact: impl Fn(usize, usize) -> f64,
) -> Option<Mismatch> {
    for column in 0..x.len() {
        let h = STEP * x[column].abs().max(1.0);
        let (mut ahead, mut behind) = (x.to_vec(), x.to_vec());
        ahead[column] += h;
        behind[column] -= h;
        // The arguments are rounded; the distance between them is what was actually stepped.
        let width = ahead[column] - behind[column];
        for (row, (a, b)) in map(&ahead).iter().zip(map(&behind)).enumerate() {
            let (numeric, exact) = ((a - b) / width, exact(row, column));
            let within = (exact - numeric).abs() <= TOLERANCE * (1.0 + exact.abs());
            if !within {
                return Some(Mismatch { row, column, exact, numeric });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

    fn map(x: &[f64]) -> Vec<f64> {
        vec![x[0] * sin(x[1]), x[0] * x[0] * x[1]]
    }

    fn exact(x: [f64; 2], row: usize, column: usize) -> f64 {
        let rows = [[sin(x[1]), x[0] * cos(x[1])], [2.0 * x[0] * x[1], x[0] * x[0]]];
        rows[row][column]
    }

    #[test]
    fn a_right_jacobian_passes() {
        for x in [[0.3, -0.7], [0.0, 0.0], [40.0, 3.0]] {
            check_jacobian(map, &x, |row, column| exact(x, row, column));
        }
    }

    #[test]
    fn a_wrong_entry_zeros_and_nan_are_caught() {
        let x = [0.3, -0.7];
        let wrong = |row, column| exact(x, row, column) * if row == 1 { 1.000_01 } else { 1.0 };
        assert!(first_mismatch(map, &x, wrong).is_some());
        assert!(first_mismatch(map, &x, |_, _| 0.0).is_some());
        assert!(first_mismatch(map, &x, |_, _| f64::NAN).is_some());
    }
}
