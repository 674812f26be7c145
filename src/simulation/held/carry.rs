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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_shortest_turn() {
        let (a, b) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(1.0, 2.0, 2.0) / 3.0);
        let axis = a.cross(&b);
        assert!((carried(&a, &b, &a) - b).norm() < 1e-15);
        assert!((carried(&a, &b, &axis) - axis).norm() < 1e-15);
        assert_eq!(carried(&a, &a, &b), b);
    }
}
