//! Rotations: exponential map, logarithm, and how both change with their argument.
//!
//! With \[v\] the cross-product matrix of v and θ = |v|:
//!
//! ```text
//! exp(v)      = 1 + (sin θ/θ)·[v] + ((1 − cos θ)/θ²)·[v]²                       (1)
//! exp(v + δ)  = exp(dexp(v)·δ)·exp(v)              to first order in δ          (2)
//! dexp(v)     = 1 + ((1 − cos θ)/θ²)·[v] + ((θ − sin θ)/θ³)·[v]²                (3)
//! dlog(v)     = dexp(v)⁻¹ = 1 − ½[v] + ((1 − (θ/2)·cot(θ/2))/θ²)·[v]²           (4)
//! ∂(dexp(v)·c)/∂v·δ = A·δ × c + B·(δ × (v × c) + v × (δ × c)) + 2(v·δ)·(A′·v × c + B′·v × (v × c))      (5)
//! ```
//!
//! with A and B the coefficients of (3), and A′, B′ their derivatives by θ².
//!
//! (2) is the left Jacobian: it measures the change of a rotation as a world-frame tangent. All four
//! are accurate to rounding at every angle at which they exist; (4) does not exist at θ = 2π, 4π, ….
//!
//! Rotations here know nothing of time; how a body turns is `dynamics`.

use super::{Mat3, Rotation, Vec3};
use crate::math::elementary::{atan2, sin, sin_cos};
use nalgebra::Quaternion;

/// Below this angle the coefficients of (3) and (4) come from their series. The cancellation in the
/// closed forms is harmless for the matrices, whose terms shrink with θ; it would show in the
/// coefficients alone, and at θ = 0 they are 0/0.
const SERIES_ANGLE: f64 = 0.1;

/// Unit vectors whose sum is shorter than this are opposite: of a shorter one rounding decides the direction.
const OPPOSITE: f64 = 1e-8;

/// The matrix \[v\] with \[v\]·a = v × a.
pub fn hat(v: Vec3) -> Mat3 {
    v.cross_matrix()
}

/// The rotation by |v| radians about v: equation (1), as a unit quaternion.
///
/// ```text
/// exp(v) = (cos θ/2, (sin(θ/2)/θ)·v)
/// ```
pub fn exp(v: Vec3) -> Rotation {
    let square = v.norm_squared();
    // 1/48 of θ² and 1/8 of θ² are the first terms dropped here: below rounding at 1e-8.
    if square < 1e-16 {
        let imaginary = 0.5 * v;
        let real = 1.0 - square / 8.0;
        return Rotation::new_unchecked(Quaternion::from_parts(real, imaginary));
    }
    let angle = square.sqrt();
    let (sine, cosine) = sin_cos(0.5 * angle);
    Rotation::new_unchecked(Quaternion::from_parts(cosine, v * (sine / angle)))
}

/// The shortest v with exp(v) = `rotation`; its length is in [0, π].
///
/// ```text
/// v = 2·atan2(|b|, |a|)·b/|b|·sign(a)      for the unit quaternion (a, b)
/// ```
///
/// The arctangent of two arguments keeps its digits at both ends: b carries them near 0, a near π.
pub fn log(rotation: &Rotation) -> Vec3 {
    let (a, b) = (rotation.w, rotation.imag());
    let sine = b.norm();
    // atan(y) = y to rounding for |y| < 1e-8; the quotient by |b| would fail at b = 0.
    let factor = if sine < 1e-8 { 2.0 / a.abs() } else { 2.0 * atan2(sine, a.abs()) / sine };
    b * factor.copysign(a)
}

/// The rotation a part of the way from one to another, the short way round: exp(part·log(to·from⁻¹))·from.
pub fn between(from: &Rotation, to: &Rotation, part: f64) -> Rotation {
    exp(part * log(&(to * from.inverse()))) * from
}

/// The angle of the turn from one rotation to another, rad in [0, π].
pub fn angle_between(from: &Rotation, to: &Rotation) -> f64 {
    log(&(to * from.inverse())).norm()
}

/// The least turn that takes one unit vector to another; none where they are opposite, and all half turns across serve.
///
/// ```text
/// (1 + a·b, a × b), made unit
/// ```
pub fn shortest(from: &Vec3, to: &Vec3) -> Option<Rotation> {
    let turn = Quaternion::from_parts(1.0 + from.dot(to), from.cross(to));
    let length = turn.norm();
    (length > OPPOSITE).then(|| Rotation::new_unchecked(turn / length))
}

/// Left Jacobian of the exponential map, 3 × 3: equations (2) and (3).
pub fn dexp(v: Vec3) -> Mat3 {
    let square = v.norm_squared();
    let angle = square.sqrt();
    let (first, second) = if angle < SERIES_ANGLE {
        let s = square;
        let first = 0.5 - s / 24.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0 * (1.0 - s / 90.0)));
        let second = (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))) / 6.0;
        (first, second)
    } else {
        // 1 − cos θ = 2·sin²(θ/2) avoids the cancellation.
        let half_sine = sin(0.5 * angle);
        (2.0 * half_sine * half_sine / square, (angle - sin(angle)) / (square * angle))
    };
    let cross = hat(v);
    Mat3::identity() + first * cross + second * (cross * cross)
}

/// How [`dexp`] times a constant vector changes with v, 3 × 3: equation (5).
pub fn ddexp(v: Vec3, c: Vec3) -> Mat3 {
    let square = v.norm_squared();
    let angle = square.sqrt();
    let [first, second, dfirst, dsecond] = if angle < SERIES_ANGLE {
        let s = square;
        [
            0.5 - s / 24.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0 * (1.0 - s / 90.0))),
            (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))) / 6.0,
            -1.0 / 24.0 + s / 360.0 - s * s / 13440.0,
            -1.0 / 120.0 + s / 2520.0 - s * s / 120960.0,
        ]
    } else {
        let ((sine, cosine), half_sine) = (sin_cos(angle), sin(0.5 * angle));
        // 1 − cos θ = 2·sin²(θ/2) avoids the cancellation.
        let lowered = 2.0 * half_sine * half_sine;
        let cube = square * angle;
        [
            lowered / square,
            (angle - sine) / cube,
            (0.5 * angle * sine - lowered) / (square * square),
            (3.0 * sine - angle * (2.0 + cosine)) / (2.0 * square * cube),
        ]
    };
    let (across, twice) = (v.cross(&c), v.cross(&v.cross(&c)));
    let by_terms = -first * hat(c) - second * (hat(across) + hat(v) * hat(c));
    by_terms + (2.0 * (dfirst * across + dsecond * twice)) * v.transpose()
}

/// Inverse of [`dexp`], 3 × 3: equation (4). How log(exp(δ)·exp(v)) changes with δ at δ = 0.
pub fn dlog(v: Vec3) -> Mat3 {
    let square = v.norm_squared();
    let angle = square.sqrt();
    let second = if angle < SERIES_ANGLE {
        // x·cot x = 1 − x²/3 − x⁴/45 − 2x⁶/945 − x⁸/4725 − …, with x² = θ²/4.
        let s = 0.25 * square;
        0.25 * (1.0 / 3.0 + s * (1.0 / 45.0 + s * (2.0 / 945.0 + s / 4725.0)))
    } else {
        let (sine, cosine) = sin_cos(0.5 * angle);
        (1.0 - 0.5 * angle * cosine / sine) / square
    };
    let cross = hat(v);
    Mat3::identity() - 0.5 * cross + second * (cross * cross)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::difference::check_jacobian;
    use crate::math::elementary::square;
    use std::f64::consts::PI;

    /// Rotation vectors at and around every place where a formula changes or degenerates.
    fn awkward_vectors() -> Vec<Vec3> {
        let axes = [Vec3::x(), Vec3::new(0.6, 0.0, -0.8), Vec3::new(1.0, -2.0, 2.0) / 3.0];
        let edge = SERIES_ANGLE;
        let angles = [0.0, 1e-200, 1e-9, 0.9e-8, 1.1e-8, 1e-4, edge - 1e-9, edge, 1.0, 3.0, PI - 1e-9];
        axes.iter().flat_map(|axis| angles.map(|angle| axis * angle)).collect()
    }

    fn vector(x: &[f64]) -> Vec3 {
        Vec3::from_column_slice(x)
    }

    #[test]
    fn the_left_jacobian_of_a_vector_changes_as_differences_say() {
        for v in awkward_vectors() {
            for c in [Vec3::new(0.3, -1.2, 0.7), Vec3::x(), Vec3::zeros()] {
                let exact = ddexp(v, c);
                let map = |x: &[f64]| (dexp(vector(x)) * c).as_slice().to_vec();
                check_jacobian(map, v.as_slice(), |row, column| exact[(row, column)]);
            }
        }
    }

    #[test]
    fn exponential_matches_closed_form_and_is_unit() {
        for v in awkward_vectors() {
            let rotation = exp(v);
            assert!((rotation.norm() - 1.0).abs() < 4e-16, "norm {} at {v}", rotation.norm());
            let angle = v.norm();
            let axis = if angle > 0.0 { v / angle } else { Vec3::x() };
            let cross = hat(axis);
            let closed = Mat3::identity() + sin(angle) * cross + 2.0 * square(sin(0.5 * angle)) * (cross * cross);
            let error = (rotation.to_rotation_matrix().into_inner() - closed).norm();
            assert!(error < 2e-15, "error {error:e} at {v}");
        }
    }

    #[test]
    fn logarithm_inverts_the_exponential() {
        for v in awkward_vectors() {
            let error = (log(&exp(v)) - v).norm();
            assert!(error <= 1e-15 * v.norm(), "error {error:e} at {v}");
            // The opposite quaternion is the same rotation.
            let opposite = Rotation::new_unchecked(-exp(v).into_inner());
            let error = (log(&opposite) - v).norm();
            assert!(error <= 1e-15 * v.norm(), "error {error:e} at {v}");
        }
    }

    #[test]
    fn logarithm_takes_the_short_way() {
        let back = log(&exp(Vec3::y() * (2.0 * PI - 0.25)));
        assert!((back + Vec3::y() * 0.25).norm() < 1e-14, "{back}");
        let half_turn = log(&Rotation::new_unchecked(Quaternion::new(0.0, 0.0, 0.0, 1.0)));
        assert!((half_turn.norm() - PI).abs() < 1e-15, "{half_turn}");
    }

    #[test]
    fn a_turn_has_a_middle_and_an_angle() {
        let (from, v) = (exp(Vec3::new(0.4, -1.0, 2.0)), Vec3::new(0.3, 0.2, -0.5));
        let to = exp(v) * from;
        assert!((angle_between(&from, &to) - v.norm()).abs() < 1e-15);
        for (part, expected) in [(0.0, from), (0.25, exp(0.25 * v) * from), (1.0, to)] {
            assert!(angle_between(&between(&from, &to, part), &expected) < 1e-15, "{part}");
        }
    }

    #[test]
    fn the_shortest_turn_takes_one_vector_to_the_other() {
        for v in awkward_vectors() {
            let (from, to) = (Vec3::new(0.48, 0.6, -0.64), exp(v) * Vec3::new(0.48, 0.6, -0.64));
            let turn = shortest(&from, &to).expect("not opposite");
            assert!((turn * from - to).norm() < 1e-9, "{v}");
            assert!(log(&turn).dot(&from).abs() < 1e-9, "{v}: the axis is at right angles");
        }
        assert_eq!(shortest(&Vec3::y(), &-Vec3::y()), None);
    }

    #[test]
    fn dexp_is_the_derivative_of_exp() {
        for v in awkward_vectors() {
            let base = exp(v).inverse();
            let map = |x: &[f64]| log(&(exp(vector(x)) * base)).as_slice().to_vec();
            let exact = dexp(v);
            check_jacobian(map, v.as_slice(), |row, column| exact[(row, column)]);
        }
    }

    #[test]
    fn dlog_is_the_derivative_of_log() {
        // At PI − 1e-9 the difference would step over the half turn, where log jumps.
        for v in awkward_vectors().into_iter().filter(|v| v.norm() < 3.1) {
            let map = |x: &[f64]| log(&(exp(vector(x)) * exp(v))).as_slice().to_vec();
            let exact = dlog(v);
            check_jacobian(map, &[0.0; 3], |row, column| exact[(row, column)]);
        }
    }

    #[test]
    fn dlog_inverts_dexp() {
        let far = [Vec3::new(0.0, PI, 0.0), Vec3::new(2.0, 3.0, -1.0), Vec3::new(-4.0, 0.0, 4.0)];
        for v in awkward_vectors().into_iter().chain(far) {
            let error = (dlog(v) * dexp(v) - Mat3::identity()).norm();
            assert!(error < 1e-14, "error {error:e} at {v}");
        }
    }

    #[test]
    fn a_half_turn_about_x_has_the_jacobian_on_paper() {
        // (3) at θ = π about x: 2/π² · [v] + (1/π²) · [v]², with [v] = π·[ex].
        let expected = Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -2.0 / PI, 0.0, 2.0 / PI, 0.0);
        let error = (dexp(Vec3::x() * PI) - expected).norm();
        assert!(error < 1e-15, "error {error:e}");
    }
}
