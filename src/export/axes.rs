//! Which way is up: the one rotation between a scene's axes and a format's.
//!
//! glTF and USD have Y up, Blender has Z up; a scene has gravity. The scene's axis nearest to "against gravity" becomes
//! the format's up by the shortest turn, on the root alone, so that bodies keep the numbers they have in the scene.
//! Gravity that is only tilted (a slope told by gravity) does not tilt the picture, and without gravity Y is up.

use crate::math::{Rotation, Vec3, rotation};

/// Turns a scene so that its own up is the format's.
pub fn root(gravity: &Vec3, up: Vec3) -> Rotation {
    let own = own_up(gravity);
    // Upside down, half a turn about any level axis serves: x is never up in a format.
    rotation::shortest(&own, &up).unwrap_or_else(|| rotation::exp(Vec3::x() * std::f64::consts::PI))
}

/// The scene's axis nearest to "against gravity".
pub fn own_up(gravity: &Vec3) -> Vec3 {
    let axis = gravity.iamax();
    if gravity[axis] == 0.0 {
        return Vec3::y();
    }
    let mut own = Vec3::zeros();
    own[axis] = -gravity[axis].signum();
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_up_in_the_scene_is_up_in_the_format() {
        for up in [Vec3::y(), Vec3::z()] {
            for axis in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut gravity = Vec3::new(0.1, 0.2, -0.3);
                    gravity[axis] = sign * 9.81;
                    let mut own = Vec3::zeros();
                    own[axis] = -sign;
                    assert!((root(&gravity, up) * own - up).norm() < 1e-15, "{gravity} to {up}");
                }
            }
        }
        assert_eq!(root(&Vec3::new(0.0, -9.81, 0.0), Vec3::y()), Rotation::identity());
        assert_eq!(root(&Vec3::zeros(), Vec3::y()), Rotation::identity());
    }
}
