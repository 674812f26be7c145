//! The functions of one number whose last bit depends on the platform, computed by the same code everywhere.
//!
//! `+ − × ÷ √` are rounded as IEEE 754 says, on every machine. `sin`, `exp` or `powf` of the standard library are those
//! of the platform, and differ in the last bit from one to the next; a motion that passes a thousand of them would then
//! differ in its events. Here all of them come from the crate `libm`, and whole powers are products in a fixed order.
//! `clippy.toml` refuses the platform's ones.
//!
//! Rotations are `rotation`; products of matrices, which nalgebra would hand to code picked at run time, are `matrix`.

/// Sine of an angle, rad.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle, rad.
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of an angle, rad.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Tangent of an angle, rad.
#[inline]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Arctangent, rad.
#[inline]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// The angle of the point (x, y), rad in (−π, π].
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// eˣ.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// 2ˣ.
#[inline]
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Logarithm to base 2.
#[inline]
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Logarithm to base 10.
#[inline]
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// xʸ.
#[inline]
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// ∛x.
#[inline]
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// √(x² + y²) without overflow between.
#[inline]
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// x².
#[inline]
pub fn square(x: f64) -> f64 {
    x * x
}

/// xⁿ, by squaring.
#[inline]
pub fn powi(x: f64, n: i32) -> f64 {
    let (mut base, mut left, mut product) = (x, n.unsigned_abs(), 1.0);
    while left > 0 {
        if left & 1 == 1 {
            product *= base;
        }
        base *= base;
        left >>= 1;
    }
    if n < 0 { 1.0 / product } else { product }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_3, FRAC_PI_6, LN_2, PI};

    /// Values on paper, each to within 2 of its last places.
    #[test]
    fn values_on_paper() {
        for (found, expected) in [
            (sin(FRAC_PI_6), 0.5),
            (cos(FRAC_PI_3), 0.5),
            (sin_cos(2.0).0, sin(2.0)),
            (sin_cos(2.0).1, cos(2.0)),
            (tan(FRAC_PI_6), 1.0 / 3f64.sqrt()),
            (atan(1.0), PI / 4.0),
            (atan2(1.0, -1.0), 0.75 * PI),
            (exp(-LN_2), 0.5),
            (exp2(0.5), 2f64.sqrt()),
            (ln(2.0), LN_2),
            (log2(8.0), 3.0),
            (log10(1e-3), -3.0),
            (powf(2.0, -0.5), 0.5f64.sqrt()),
            (cbrt(27.0), 3.0),
            (hypot(3e200, 4e200), 5e200),
            (square(-1.5), 2.25),
        ] {
            assert!((found - expected).abs() <= 2.0 * f64::EPSILON * expected.abs(), "{found} instead of {expected}");
        }
    }

    #[test]
    fn whole_powers_are_products() {
        assert_eq!([0, 1, 2, 3, 7, -1, -2].map(|n| powi(2.0, n)), [1.0, 2.0, 4.0, 8.0, 128.0, 0.5, 0.25]);
        assert_eq!(powi(-3.0, 3), -27.0);
        assert_eq!(powi(0.0, 0), 1.0);
    }
}
