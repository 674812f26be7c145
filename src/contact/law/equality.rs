//! What rows that hold demand: that the velocity is what it must be, whatever impulse that takes.
//!
//! ```text
//! held row     G = r·w                                                                              (1)
//! unused row   G = p
//! ```
//!
//! w counts from the velocity that is asked for, so G = 0 is w⁺ = target. A block has one to three held rows, its first
//! ones, as a distance, a point on a line or a pin has; more rows are more blocks. Which rows of which bodies they are is
//! said in `group::block`. Rows that are not used are zero.

use super::block::{Law, Mode};
use crate::contact::linear::relaxation::Relaxation;
use crate::math::Vec3;

/// The value of (1).
pub(in crate::contact) fn equality_value(rows: usize, impulse: &Vec3, velocity: &Vec3, scale: f64) -> Vec3 {
    Vec3::from_fn(|row, _| if row < rows { scale * velocity[row] } else { impulse[row] })
}

/// (1) and its derivatives.
pub(in crate::contact) fn equality_law(rows: usize, impulse: &Vec3, velocity: &Vec3, scale: f64) -> Law {
    let mut law = Law::open(equality_value(rows, impulse, velocity, scale));
    law.mode = Mode::Stick;
    for row in 0..rows {
        law.dlaw_dimpulse[(row, row)] = 0.0;
        law.dlaw_dvelocity[(row, row)] = scale;
    }
    law
}

/// p ← p − w⁺/k of one held row after the other, k being the row's own response.
pub(in crate::contact) fn relax_equality(rows: usize, block: usize, at: &mut Relaxation) {
    for row in 3 * block..3 * block + rows {
        at.set(row, at.impulse(row) - at.after(row) / at.entry(row, row).max(f64::MIN_POSITIVE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::difference::check_jacobian;

    #[test]
    fn derivatives_agree_with_differences() {
        for rows in 1..=3 {
            let x = [0.3, -0.7, 1.2, 0.5, 0.1, -2.0];
            let split = |x: &[f64]| (Vec3::from_column_slice(&x[..3]), Vec3::from_column_slice(&x[3..]));
            let map = |x: &[f64]| equality_value(rows, &split(x).0, &split(x).1, 0.7).as_slice().to_vec();
            let law = equality_law(rows, &split(&x).0, &split(&x).1, 0.7);
            check_jacobian(map, &x, |row, column| match column {
                0..3 => law.dlaw_dimpulse[(row, column)],
                _ => law.dlaw_dvelocity[(row, column - 3)],
            });
        }
    }
}
