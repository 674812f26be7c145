//! The axes of one contact, the tilt of its normal, and how both turn with the normal.
//!
//! ```text
//! T1 = normalize(n × e),  T2 = n × T1,     e = ex, or ey where |n·ex| ≥ 0.9            (1)
//! tilt(n, a, b) = m/|m|,  m = n + a·T1 + b·T2                                          (2)
//! ```
//!
//! Nothing here knows about bodies. The choice of e jumps where |n·ex| = 0.9, which turns T1 and T2 about n:
//! impulses and velocities do not notice, but the meaning of a and b does.

use crate::math::{Mat3, Vec3};

/// The helper axis e of (1).
fn helper_axis(normal: &Vec3) -> Vec3 {
    if normal.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() }
}

/// The matrix that takes a vector b to a × b.
pub(in crate::contact) fn hat(a: &Vec3) -> Mat3 {
    a.cross_matrix()
}

/// Contact from world: a 3 × 3 matrix with rows n, T1, T2 of (1).
pub fn frame(normal: &Vec3) -> Mat3 {
    let first = normal.cross(&helper_axis(normal)).normalize();
    let second = normal.cross(&first);
    Mat3::from_rows(&[normal.transpose(), first.transpose(), second.transpose()])
}

/// The derivatives ∂T1/∂n and ∂T2/∂n, each 3 × 3.
///
/// ```text
/// ∂T1/∂n = −(1 − T1·T1ᵀ)·[e]/|n × e|,   ∂T2/∂n = [n]·∂T1/∂n − [T1]
/// ```
pub fn dframe_dn(normal: &Vec3) -> (Mat3, Mat3) {
    let axis = helper_axis(normal);
    let cross = normal.cross(&axis);
    let length = cross.norm();
    let first = cross / length;
    let across = Mat3::identity() - first * first.transpose();
    let dfirst_dn = -across * hat(&axis) / length;
    let dsecond_dn = hat(normal) * dfirst_dn - hat(&first);
    (dfirst_dn, dsecond_dn)
}

/// How the rows of [`frame`] change when the normal moves by `dnormal`.
pub fn frame_tangent(normal: &Vec3, dnormal: &Vec3) -> Mat3 {
    if *dnormal == Vec3::zeros() {
        return Mat3::zeros();
    }
    let (dfirst_dn, dsecond_dn) = dframe_dn(normal);
    let (dfirst, dsecond) = (dfirst_dn * dnormal, dsecond_dn * dnormal);
    Mat3::from_rows(&[dnormal.transpose(), dfirst.transpose(), dsecond.transpose()])
}

/// The normal turned by `a` towards T1 and `b` towards T2, equation (2).
pub fn tilt(normal: &Vec3, a: f64, b: f64) -> Vec3 {
    let axes = frame(normal);
    (normal + a * axes.row(1).transpose() + b * axes.row(2).transpose()).normalize()
}

/// Derivatives of [`tilt`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TiltDerivative {
    /// By the untilted normal, 3 × 3.
    pub dtilt_dnormal: Mat3,
    /// By the amount towards T1.
    pub dtilt_da: Vec3,
    /// By the amount towards T2.
    pub dtilt_db: Vec3,
}

/// The derivatives of (2): with m as there and N = m/|m|,
///
/// ```text
/// dN = (1 − N·Nᵀ)/|m| · ((1 + a·∂T1/∂n + b·∂T2/∂n)·dn + T1·da + T2·db)
/// ```
pub fn dtilt(normal: &Vec3, a: f64, b: f64) -> TiltDerivative {
    let axes = frame(normal);
    let (first, second) = (axes.row(1).transpose(), axes.row(2).transpose());
    if a == 0.0 && b == 0.0 {
        let dtilt_dnormal = Mat3::identity() - normal * normal.transpose();
        return TiltDerivative { dtilt_dnormal, dtilt_da: first, dtilt_db: second };
    }
    let (dfirst_dn, dsecond_dn) = dframe_dn(normal);
    let sum = normal + a * first + b * second;
    let length = sum.norm();
    let tilted = sum / length;
    let project = (Mat3::identity() - tilted * tilted.transpose()) / length;
    TiltDerivative {
        dtilt_dnormal: project * (Mat3::identity() + a * dfirst_dn + b * dsecond_dn),
        dtilt_da: project * first,
        dtilt_db: project * second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 6e-6;
    /// Rounding over the step, with a margin.
    const TOLERANCE: f64 = 1e-9;

    fn normals() -> Vec<Vec3> {
        vec![
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(0.0, 0.0, -1.0),
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(-0.95, 0.2, -0.24).normalize(),
            Vec3::new(0.3, -0.5, 0.7).normalize(),
        ]
    }

    #[test]
    fn axes_are_orthonormal_and_right_handed() {
        for normal in normals() {
            let axes = frame(&normal);
            assert!((axes * axes.transpose() - Mat3::identity()).norm() < 1e-15);
            assert!((axes.determinant() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn axes_turn_as_differences_say() {
        for normal in normals() {
            for axis in 0..3 {
                let mut step = Vec3::zeros();
                step[axis] = STEP;
                let numeric = (frame(&(normal + step)) - frame(&(normal - step))) / (2.0 * STEP);
                let exact = frame_tangent(&normal, &(step / STEP));
                assert!((numeric - exact).norm() < TOLERANCE, "{numeric} {exact}");
            }
        }
    }

    #[test]
    fn tilt_changes_as_differences_say() {
        for (normal, (a, b)) in normals().into_iter().flat_map(|normal| [(normal, (0.2, -0.3)), (normal, (0.0, 0.0))]) {
            let exact = dtilt(&normal, a, b);
            let numeric_a = (tilt(&normal, a + STEP, b) - tilt(&normal, a - STEP, b)) / (2.0 * STEP);
            let numeric_b = (tilt(&normal, a, b + STEP) - tilt(&normal, a, b - STEP)) / (2.0 * STEP);
            assert!((numeric_a - exact.dtilt_da).norm() < TOLERANCE);
            assert!((numeric_b - exact.dtilt_db).norm() < TOLERANCE);
            for axis in 0..3 {
                let mut step = Vec3::zeros();
                step[axis] = STEP;
                let numeric = (tilt(&(normal + step), a, b) - tilt(&(normal - step), a, b)) / (2.0 * STEP);
                assert!((numeric - exact.dtilt_dnormal.column(axis)).norm() < TOLERANCE);
            }
        }
    }
}
