//! An impulse carried from one contact normal to another, as when a contact turns within a step.
//!
//! With c = a × b and d = a·b of the unit normals a and b, the shortest turn from a to b takes p to
//!
//! ```text
//! p + c × p + (c × (c × p))/(1 + d)                                                                (1)
//! ```
//!
//! It is smooth in all three, also where a = b, and has no cosine to invert, which would cost half the digits there.

use crate::math::Vec3;

/// Normals this near to opposite (1 + d) have no shortest turn; the impulse stays as it is.
const OPPOSITE: f64 = 1e-12;

/// (1).
pub(super) fn carried(a: &Vec3, b: &Vec3, impulse: &Vec3) -> Vec3 {
    let (c, share) = (a.cross(b), 1.0 + a.dot(b));
    if share <= OPPOSITE {
        return *impulse;
    }
    let once = c.cross(impulse);
    impulse + once + c.cross(&once) / share
}

/// The change of (1), product by product; each argument with its change.
pub(super) fn carried_tangent(a: [&Vec3; 2], b: [&Vec3; 2], impulse: [&Vec3; 2]) -> Vec3 {
    let ([a, da], [b, db], [p, dp]) = (a, b, impulse);
    let (c, share) = (a.cross(b), 1.0 + a.dot(b));
    if share <= OPPOSITE {
        return *dp;
    }
    let (dc, dshare) = (da.cross(b) + a.cross(db), da.dot(b) + a.dot(db));
    let (once, donce) = (c.cross(p), dc.cross(p) + c.cross(dp));
    let (twice, dtwice) = (c.cross(&once), dc.cross(&once) + c.cross(&donce));
    dp + donce + (dtwice - twice * (dshare / share)) / share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::difference::check_jacobian;

    fn vector(x: &[f64]) -> Vec3 {
        Vec3::from_column_slice(x)
    }

    #[test]
    fn it_is_the_shortest_turn() {
        let (a, b) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(1.0, 2.0, 2.0) / 3.0);
        let axis = a.cross(&b);
        assert!((carried(&a, &b, &a) - b).norm() < 1e-15);
        assert!((carried(&a, &b, &axis) - axis).norm() < 1e-15);
        assert_eq!(carried(&a, &a, &b), b);
    }

    #[test]
    fn it_changes_as_differences_say() {
        let b = Vec3::new(0.3, 0.9, -0.1).normalize();
        for a in [b, Vec3::new(0.31, 0.88, -0.12).normalize(), Vec3::new(-0.9, 0.1, 0.3).normalize()] {
            let x: Vec<f64> = a.iter().chain(&b).chain(&[0.4, -0.7, 1.1]).copied().collect();
            let map = |x: &[f64]| carried(&vector(&x[..3]), &vector(&x[3..6]), &vector(&x[6..])).as_slice().to_vec();
            check_jacobian(map, &x, |row, column| {
                let mut d = [0.0; 9];
                d[column] = 1.0;
                let [da, db, dp] = [vector(&d[..3]), vector(&d[3..6]), vector(&d[6..])];
                carried_tangent([&a, &da], [&b, &db], [&vector(&x[6..]), &dp])[row]
            });
        }
    }
}
