//! Where a picture is taken from, and where points of the world fall in it.
//!
//! ```text
//! r, u, f    right, up, forward: orthonormal
//! depth z = f·(p − eye)
//! pixel x = W/2 + F·(r·(p − eye))/z,   pixel y = H/2 − F·(u·(p − eye))/z,   F = H/(2·tan(fov/2))    (1)
//! ```
//!
//! Framing: with the directions fixed, the eye nearest to the points that still sees them all, in closed form.
//! Choosing the directions from the shape of a motion is `aim`.

use crate::math::Vec3;
use crate::math::elementary::tan;

/// Vertical field of view where nobody asks for another: long enough a lens to keep boxes square, rad.
pub const FIELD_OF_VIEW: f64 = 0.52;
/// Nothing nearer than this part of the distance to the target is drawn.
const NEAR: f64 = 1e-3;

/// A perspective camera; y of a pixel grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands, m.
    pub eye: Vec3,
    /// What is in the middle of the picture.
    pub target: Vec3,
    /// What is up in the picture; need not be square to the view.
    pub up: Vec3,
    /// Vertical, rad.
    pub field_of_view: f64,
}

/// A point of the world in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
    /// Metres in front of the eye, along the view.
    pub depth: f64,
}

/// The orthonormal axes of a camera.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// To the right of the picture.
    pub right: Vec3,
    /// To its top.
    pub up: Vec3,
    /// Into it.
    pub forward: Vec3,
}

/// Free borders of a picture, as parts of its width or height.
#[derive(Clone, Copy, Debug)]
pub struct Margins {
    /// Left and right.
    pub side: f64,
    /// Above.
    pub top: f64,
    /// Below.
    pub bottom: f64,
}

impl Camera {
    /// From an eye to a target.
    pub fn look_at(eye: Vec3, target: Vec3, up: Vec3) -> Camera {
        Camera { eye, target, up, field_of_view: FIELD_OF_VIEW }
    }

    /// Orthonormal axes, whatever the eye, target and up are.
    pub fn axes(&self) -> Axes {
        let forward = (self.target - self.eye).try_normalize(1e-12).unwrap_or(-Vec3::z());
        let side = |up: Vec3| forward.cross(&up).try_normalize(1e-6);
        let up = self.up.try_normalize(1e-12).unwrap_or(Vec3::y());
        // Looking along up, any other direction is as good.
        let right = side(up).or_else(|| side(-Vec3::z())).or_else(|| side(Vec3::x())).unwrap_or(Vec3::x());
        Axes { right, up: right.cross(&forward), forward }
    }

    /// How far away the target is, m.
    pub fn distance(&self) -> f64 {
        (self.target - self.eye).norm()
    }

    /// Nothing nearer than this is drawn, m.
    pub fn near(&self) -> f64 {
        NEAR * self.distance().max(f64::MIN_POSITIVE)
    }

    /// Pixels per unit of slope, F in (1).
    pub fn focal(&self, height: f64) -> f64 {
        height / (2.0 * tan(self.field_of_view / 2.0))
    }

    /// Where a point falls in a picture of this size; `None` behind the eye. (1)
    pub fn project(&self, point: &Vec3, size: [f64; 2]) -> Option<Projected> {
        let Axes { right, up, forward } = self.axes();
        let way = point - self.eye;
        let depth = forward.dot(&way);
        let focal = self.focal(size[1]);
        (depth > 0.0).then(|| Projected {
            x: size[0] / 2.0 + focal * right.dot(&way) / depth,
            y: size[1] / 2.0 - focal * up.dot(&way) / depth,
            depth,
        })
    }

    /// The direction (with depth 1) that a pixel looks in: the point at depth z is eye + z·direction.
    pub fn ray(&self, pixel: [f64; 2], size: [f64; 2]) -> Vec3 {
        let Axes { right, up, forward } = self.axes();
        let focal = self.focal(size[1]);
        forward + right * ((pixel[0] - size[0] / 2.0) / focal) - up * ((pixel[1] - size[1] / 2.0) / focal)
    }

    /// The point of the world at a pixel and a depth: the inverse of [`Camera::project`].
    pub fn unproject(&self, pixel: [f64; 2], depth: f64, size: [f64; 2]) -> Vec3 {
        self.eye + self.ray(pixel, size) * depth
    }

    /// The same directions, the eye moved so that all points lie inside the margins; unchanged where there are none.
    ///
    /// With slopes t of the four borders, a point (x, y, z) in the axes is inside where
    ///
    /// ```text
    /// x − t·z ≤ e_x − t·e_z,  −x − t·z ≤ −e_x − t·e_z,  and so for y                          (2)
    /// ⇒ e_z ≤ −(a + b)/(t_a + t_b),  a = max(x − t_a·z),  b = max(−x − t_b·z)
    /// ```
    pub fn framing(&self, points: impl IntoIterator<Item = Vec3>, aspect: f64, margins: Margins) -> Camera {
        let Axes { right, up, forward } = self.axes();
        let half = tan(self.field_of_view / 2.0);
        let across = half * aspect * (1.0 - 2.0 * margins.side);
        let slopes = [across, across, half * (1.0 - 2.0 * margins.top), half * (1.0 - 2.0 * margins.bottom)];
        let mut reach = [f64::NEG_INFINITY; 4];
        let (mut nearest, mut farthest) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in points {
            let (x, y, z) = (right.dot(&point), up.dot(&point), forward.dot(&point));
            for (most, (side, slope)) in reach.iter_mut().zip([x, -x, y, -y].into_iter().zip(slopes)) {
                *most = most.max(side - slope * z);
            }
            (nearest, farthest) = (nearest.min(z), farthest.max(z));
        }
        if !reach.iter().all(|most| most.is_finite()) {
            return *self;
        }
        let back = |k: usize| -(reach[k] + reach[k + 1]) / (slopes[k] + slopes[k + 1]);
        let size = (farthest - nearest).max(1e-3);
        let z = back(0).min(back(2)).min(nearest - 0.05 * size);
        let middle = |k: usize| ((reach[k] + slopes[k] * z) - (reach[k + 1] + slopes[k + 1] * z)) / 2.0;
        let eye = right * middle(0) + up * middle(2) + forward * z;
        let distance = ((nearest + farthest) / 2.0 - z).max(1e-6);
        Camera { eye, target: eye + forward * distance, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

    const SIZE: [f64; 2] = [1600.0, 1000.0];

    fn camera() -> Camera {
        Camera::look_at(Vec3::new(3.0, 2.0, 5.0), Vec3::new(0.5, 0.2, -0.1), Vec3::y())
    }

    #[test]
    fn the_target_is_in_the_middle_and_up_is_up() {
        let middle = camera().project(&camera().target, SIZE).unwrap();
        assert!((middle.x - 800.0).abs() < 1e-9 && (middle.y - 500.0).abs() < 1e-9, "{middle:?}");
        assert!((middle.depth - camera().distance()).abs() < 1e-12);
        let above = camera().project(&(camera().target + Vec3::y() * 0.1), SIZE).unwrap();
        assert!(above.y < 500.0 && (above.x - 800.0).abs() < 1e-9, "{above:?}");
        let right = camera().project(&(camera().target + camera().axes().right), SIZE).unwrap();
        assert!(right.x > 800.0);
    }

    #[test]
    fn unprojection_undoes_projection() {
        for point in [Vec3::new(0.3, 0.4, 0.5), Vec3::new(-1.0, 2.0, 0.0), Vec3::new(0.0, -1.0, -9.0)] {
            let Projected { x, y, depth } = camera().project(&point, SIZE).unwrap();
            let back = camera().unproject([x, y], depth, SIZE);
            assert!((back - point).norm() < 1e-12, "{point} became {back}");
        }
        assert_eq!(camera().project(&Vec3::new(6.0, 4.0, 12.0), SIZE), None, "behind the eye");
    }

    #[test]
    fn axes_are_orthonormal_for_absurd_cameras_too() {
        let (zero, up) = (Vec3::zeros(), Vec3::y());
        let absurd = [(zero, zero, up), (zero, up, up), (up, zero, zero), (zero, -Vec3::z(), -Vec3::z())];
        for (eye, target, up) in absurd {
            let Axes { right, up, forward } = Camera::look_at(eye, target, up).axes();
            for (a, b) in [(right, up), (up, forward), (forward, right)] {
                assert!(a.dot(&b).abs() < 1e-12 && (a.norm() - 1.0).abs() < 1e-12, "{eye} {target}");
            }
        }
    }

    #[test]
    fn framed_points_touch_the_margins_and_stay_inside() {
        let points: Vec<Vec3> = (0..60)
            .map(|k| Vec3::new(sin(k as f64 * 0.7) * 3.0, cos(k as f64 * 1.3), sin(k as f64 * 0.37) * 2.0))
            .collect();
        let margins = Margins { side: 0.05, top: 0.06, bottom: 0.2 };
        let framed = camera().framing(points.iter().copied(), 1.6, margins);
        let seen: Vec<Projected> = points.iter().map(|point| framed.project(point, SIZE).unwrap()).collect();
        let range = |of: fn(&Projected) -> f64| {
            let values = seen.iter().map(of);
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (top, bottom)) = (range(|p| p.x), range(|p| p.y));
        let slack = 1e-6;
        assert!(left >= 80.0 - slack && right <= 1520.0 + slack, "{left} to {right}");
        assert!(top >= 60.0 - slack && bottom <= 800.0 + slack, "{top} to {bottom}");
        let touches = (right - left) > 1440.0 - 1e-6 || (bottom - top) > 740.0 - 1e-6;
        assert!(touches, "{left} to {right}, {top} to {bottom}");
        assert_eq!(camera().framing([], 1.6, margins), camera(), "nothing to frame");
        let one = camera().framing([Vec3::x()], 1.6, margins);
        assert!(one.project(&Vec3::x(), SIZE).is_some_and(|p| (p.x - 800.0).abs() < 1e-6), "{one:?}");
    }
}
