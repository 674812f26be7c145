//! Roots of one function of one variable, bracketed.
//!
//! The ITP method (Oliveira & Takahashi, *An Enhancement of the Bisection Method Average Performance
//! Preserving Minmax Optimality*, ACM TOMS 47, 2021): a truncated regula falsi step projected into the
//! interval that bisection would allow, so that it never needs more evaluations than bisection (plus one)
//! and usually converges superlinearly.

use crate::math::elementary::{exp2, log2};

/// A point where `f` changes sign within [a, b], given f(a) ≥ 0 > f(b), as finely as f64 resolves it:
/// the last point found with f ≥ 0 when the bracket is narrower than `width`.
pub fn falling_root(mut f: impl FnMut(f64) -> f64, a: f64, b: f64, at_a: f64, at_b: f64, width: f64) -> f64 {
    const MAX_STEPS: usize = 200;
    let (mut a, mut b, mut fa, mut fb) = (a, b, at_a, at_b);
    let half_steps = log2((b - a) / width).ceil().max(0.0);
    let kappa = 0.2 / (b - a);
    for step in 0..MAX_STEPS {
        // The next float up is as close as it gets.
        if b - a <= width || fa == 0.0 || a.next_up() >= b {
            break;
        }
        let middle = 0.5 * (a + b);
        let falsi = (fb * a - fa * b) / (fb - fa);
        // Truncate towards the middle, then project into the minmax interval.
        let towards = (middle - falsi).signum();
        let truncation = kappa * (b - a) * (b - a);
        let truncated = if truncation <= (middle - falsi).abs() { falsi + towards * truncation } else { middle };
        let radius = (0.5 * width * exp2(half_steps + 1.0 - step as f64) - 0.5 * (b - a)).max(0.0);
        let projected = if (truncated - middle).abs() <= radius { truncated } else { middle - towards * radius };
        let x = if projected > a && projected < b { projected } else { middle };
        let fx = f(x);
        if fx >= 0.0 {
            (a, fa) = (x, fx);
        } else if fx < 0.0 {
            (b, fb) = (x, fx);
        } else {
            // Not a number: nothing better can be said.
            return a;
        }
    }
    if fa.abs() <= fb.abs() { a } else { b }
}

/// Smallest x > 0 with c + b·x + a·x² = 0, for c > 0: infinity where there is none.
pub fn first_quadratic_root(a: f64, b: f64, c: f64) -> f64 {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 || (b >= 0.0 && a >= 0.0) {
        return f64::INFINITY;
    }
    // Without cancellation: the small root is 2c / (−b + √…) for falling b.
    let root = discriminant.sqrt();
    if b < 0.0 { 2.0 * c / (root - b) } else { (-b - root) / (2.0 * a) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cbrt, cos, powi};

    #[test]
    fn finds_roots_to_the_last_digits() {
        for (f, a, b, root) in [
            (Box::new(|x: f64| cos(x)) as Box<dyn Fn(f64) -> f64>, 0.0, 3.0, std::f64::consts::FRAC_PI_2),
            (Box::new(|x: f64| 2.0 - x * x * x), 0.0, 2.0, cbrt(2f64)),
            (Box::new(|x: f64| powi(0.3 - x, 9)), 0.0, 100.0, 0.3),
            (Box::new(|x: f64| if x < 0.7 { 1.0 } else { -1e-9 }), 0.0, 1.0, 0.7),
        ] {
            let mut count = 0;
            let counted = |x| {
                count += 1;
                f(x)
            };
            let found = falling_root(counted, a, b, f(a), f(b), 1e-15);
            let width = if root == 0.3 { 1e-3 } else { 4e-16 };
            assert!((found - root).abs() <= width, "found {found}, root {root}");
            assert!(count <= 70, "{count} evaluations for {root}");
        }
    }

    #[test]
    fn the_first_quadratic_root_is_the_smaller_positive_one() {
        assert_eq!(first_quadratic_root(1.0, -3.0, 2.0), 1.0);
        assert_eq!(first_quadratic_root(-1.0, 1.0, 2.0), 2.0);
        assert_eq!(first_quadratic_root(0.0, -2.0, 1.0), 0.5);
        assert_eq!(first_quadratic_root(0.0, 2.0, 1.0), f64::INFINITY);
        assert_eq!(first_quadratic_root(1.0, 1.0, 1.0), f64::INFINITY);
    }
}
