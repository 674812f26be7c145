//! Where the eye is, what it sees of a point in the world, and which ray belongs to a point on the screen.
//!
//! ```text
//! eye = target + distance·(cos p·sin y, sin p, cos p·cos y)          yaw y, pitch p, y up      (1)
//! clip = P·V·(x, 1),  depth from 0 (near) to 1 (far)                                           (2)
//! ```
//!
//! Moving it by mouse and keys is `navigation`.

use eframe::egui::{Pos2, Rect, pos2};
use nalgebra::{Matrix4, Vector4};

use crate::math::Vec3;
use crate::math::elementary::{cos, exp, ln, powf, sin, sin_cos, tan};

/// Half of the vertical field of view, rad.
pub const HALF_VIEW: f64 = 0.35;
/// Pitch stays within this, so that up stays up.
const MOST_PITCH: f64 = 1.55;
/// Seconds in which a jump of the camera is mostly over.
const EASE: f64 = 0.07;

/// An eye that looks at a target from a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What it looks at, m.
    pub target: Vec3,
    /// About the vertical, rad; 0 looks along −z.
    pub yaw: f64,
    /// Above the horizon, rad.
    pub pitch: f64,
    /// From the target, m.
    pub distance: f64,
}

/// A straight line from the eye.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// The eye.
    pub origin: Vec3,
    /// Unit.
    pub direction: Vec3,
}

impl Default for Camera {
    fn default() -> Camera {
        Camera { target: Vec3::new(0.0, 0.5, 0.0), yaw: 0.55, pitch: 0.32, distance: 4.0 }
    }
}

impl Camera {
    /// The eye: equation (1).
    pub fn eye(&self) -> Vec3 {
        self.target - self.forward() * self.distance
    }

    /// Unit, from the eye to the target.
    pub fn forward(&self) -> Vec3 {
        let (sine, cosine) = sin_cos(self.pitch);
        -Vec3::new(cosine * sin(self.yaw), sine, cosine * cos(self.yaw))
    }

    /// Unit, to the right of the picture.
    pub fn right(&self) -> Vec3 {
        Vec3::new(cos(self.yaw), 0.0, -sin(self.yaw))
    }

    /// Unit, up in the picture.
    pub fn up(&self) -> Vec3 {
        self.right().cross(&self.forward())
    }

    /// P·V of equation (2), 4 × 4.
    pub fn clip_from_world(&self, aspect: f64) -> Matrix4<f64> {
        let (right, up, back, eye) = (self.right(), self.up(), -self.forward(), self.eye());
        let row = |axis: Vec3| [axis.x, axis.y, axis.z, -axis.dot(&eye)];
        let (r, u, b) = (row(right), row(up), row(back));
        let view = Matrix4::from_rows(&[r.into(), u.into(), b.into(), [0.0, 0.0, 0.0, 1.0].into()]);
        let (near, far) = (0.02 * self.distance, 60.0 * self.distance + 100.0);
        let scale = 1.0 / tan(HALF_VIEW);
        let depth = far / (near - far);
        #[rustfmt::skip]
        let projection = Matrix4::new(
            scale / aspect, 0.0, 0.0, 0.0,
            0.0, scale, 0.0, 0.0,
            0.0, 0.0, depth, near * depth,
            0.0, 0.0, -1.0, 0.0,
        );
        projection * view
    }

    /// Where a point of the world is on the screen; `None` behind the eye.
    pub fn project(&self, rect: Rect, point: Vec3) -> Option<Pos2> {
        let clip = self.clip_from_world(f64::from(rect.aspect_ratio())) * Vector4::new(point.x, point.y, point.z, 1.0);
        if clip.w <= 0.02 * self.distance {
            return None;
        }
        let (x, y) = ((clip.x / clip.w) as f32, (clip.y / clip.w) as f32);
        let place = pos2(rect.center().x + 0.5 * x * rect.width(), rect.center().y - 0.5 * y * rect.height());
        (place.x.is_finite() && place.y.is_finite()).then_some(place)
    }

    /// The ray through a point of the screen.
    pub fn ray(&self, rect: Rect, place: Pos2) -> Ray {
        let half = tan(HALF_VIEW);
        let aspect = f64::from(rect.aspect_ratio());
        let x = 2.0 * f64::from((place.x - rect.center().x) / rect.width()) * half * aspect;
        let y = -2.0 * f64::from((place.y - rect.center().y) / rect.height()) * half;
        let direction = self.forward() + self.right() * x + self.up() * y;
        Ray { origin: self.eye(), direction: direction.normalize() }
    }

    /// Metres that one point of the screen covers at the depth of a place.
    pub fn metres_per_point(&self, rect: Rect, place: Vec3) -> f64 {
        let depth = (place - self.eye()).dot(&self.forward()).max(0.02 * self.distance);
        2.0 * depth * tan(HALF_VIEW) / f64::from(rect.height())
    }

    /// Turns about the target by screen points.
    pub fn orbit(&mut self, dx: f64, dy: f64) {
        self.yaw -= 0.008 * dx;
        self.pitch = (self.pitch + 0.008 * dy).clamp(-MOST_PITCH, MOST_PITCH);
    }

    /// Moves in its plane, so that what is at the target's depth follows the pointer.
    pub fn pan(&mut self, rect: Rect, dx: f64, dy: f64) {
        let scale = self.metres_per_point(rect, self.target);
        self.target += (self.up() * dy - self.right() * dx) * scale;
    }

    /// Comes nearer by a factor below 1, or goes away.
    pub fn zoom(&mut self, factor: f64) {
        self.distance = (self.distance * factor).clamp(1e-3, 1e5);
    }

    /// The same direction, looking at a ball that then fills most of the picture.
    pub fn framing(&self, center: Vec3, radius: f64) -> Camera {
        Camera { target: center, distance: (0.98 * radius / sin(HALF_VIEW)).clamp(0.05, 1e5), ..*self }
    }

    /// The same direction, as near as it can be with all these balls (centre, radius) in a picture of this aspect. With x, y across
    /// the picture and z toward the eye from the target:
    ///
    /// ```text
    /// (|x| + r)/(d − z − r) ≤ 0.92·aspect·tan(half view)        and the same for y without the aspect
    /// ```
    pub fn fitting(&self, target: Vec3, balls: &[(Vec3, f64)], aspect: f64) -> Camera {
        let (right, up, forward) = (self.right(), self.up(), self.forward());
        let tangent = 0.92 * tan(HALF_VIEW);
        let needed = balls.iter().map(|(center, radius)| {
            let from = center - target;
            let across = (from.dot(&right).abs() + radius) / (tangent * aspect);
            let upward = (from.dot(&up).abs() + radius) / tangent;
            across.max(upward) + radius - from.dot(&forward)
        });
        let distance = needed.fold(0.0, f64::max);
        if distance <= 0.0 {
            return Camera { target, ..*self };
        }
        Camera { target, distance: distance.clamp(0.05, 1e5), ..*self }
    }

    /// Glides toward a goal; true once it is there.
    pub fn approach(&mut self, goal: &Camera, dt: f64) -> bool {
        let part = 1.0 - exp(-dt / EASE);
        // The shorter way round.
        let turn =
            (goal.yaw - self.yaw + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        self.target += (goal.target - self.target) * part;
        self.yaw += turn * part;
        self.pitch += (goal.pitch - self.pitch) * part;
        self.distance *= powf(goal.distance / self.distance, part);
        let far = (goal.target - self.target).norm() / goal.distance
            + turn.abs() * (1.0 - part)
            + (goal.pitch - self.pitch).abs()
            + ln(goal.distance / self.distance).abs();
        if far < 2e-3 {
            *self = *goal;
        }
        far < 2e-3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cameras() -> [Camera; 3] {
        let base = Camera::default();
        [base, Camera { yaw: 2.9, pitch: -0.4, ..base }, Camera { yaw: -1.1, pitch: 1.2, distance: 40.0, ..base }]
    }

    #[test]
    fn a_ray_passes_through_what_is_seen_there() {
        let rect = Rect::from_min_max(pos2(100.0, 50.0), pos2(1060.0, 590.0));
        for camera in cameras() {
            for point in [Vec3::new(0.2, 0.4, -0.3), Vec3::new(-0.5, 1.0, 0.6)] {
                let place = camera.project(rect, point).expect("in front of the eye");
                let ray = camera.ray(rect, place);
                let to_point = point - ray.origin;
                let miss = (to_point - ray.direction * to_point.dot(&ray.direction)).norm();
                // Screen places are f32: a thousandth of a point, at this depth.
                assert!(miss < 1e-5 * camera.distance, "missed by {miss}");
            }
        }
    }

    #[test]
    fn panning_carries_the_target_with_the_pointer() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        for camera in cameras() {
            let mut moved = camera;
            moved.pan(rect, 30.0, -12.0);
            let place = moved.project(rect, camera.target).expect("in front of the eye");
            assert!((place - pos2(430.0, 288.0)).length() < 0.05, "{place:?}");
        }
    }

    #[test]
    fn gliding_ends_at_the_goal() {
        let [mut camera, _, goal] = cameras();
        let steps = (0..400).take_while(|_| !camera.approach(&goal, 1.0 / 60.0)).count();
        assert!(steps < 60, "took {steps} frames");
        assert_eq!(camera, goal);
    }
}
