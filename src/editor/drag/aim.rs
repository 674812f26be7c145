//! Where in the world a drag points to.
//!
//! ```text
//! free      the ray meets the plane through the grabbed place that faces the eye                (1)
//! axis      the point of the line through the grabbed place that is nearest to the ray          (2)
//! depth     along the eye's ray through the grabbed place, as far as the pointer went up        (3)
//! ```
//!
//! The grabbed place stays under the pointer: what is aimed at is the place plus the way from where the press was.

use eframe::egui::{Pos2, Rect};

use crate::editor::eye::camera::Camera;
use crate::math::Vec3;
use crate::model::Axis;

/// How the hand moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rail {
    /// In the plane of the picture.
    #[default]
    Free,
    /// Along an axis of the world.
    Along(Axis),
    /// Toward the eye and away from it.
    Depth,
}

/// The place a drag asks for, from the grabbed place and two points of the screen.
pub fn aim(camera: &Camera, rect: Rect, grabbed: Vec3, origin: Pos2, now: Pos2, rail: Rail) -> Vec3 {
    // Where the grabbed place is on the screen, so that a press beside it does not make it jump.
    let shown = camera.project(rect, grabbed).unwrap_or(origin);
    let pointed = shown + (now - origin);
    match rail {
        Rail::Free => on_plane(camera, rect, grabbed, pointed),
        Rail::Along(axis) => on_line(camera, rect, grabbed, pointed, axis),
        Rail::Depth => {
            let ray = (grabbed - camera.eye()).normalize();
            let scale = camera.metres_per_point(rect, grabbed);
            grabbed + ray * (f64::from(origin.y - now.y) * scale * 2.0)
        }
    }
}

/// (1); a ray that runs along the plane cannot occur, since the plane faces the eye.
fn on_plane(camera: &Camera, rect: Rect, grabbed: Vec3, pointed: Pos2) -> Vec3 {
    let ray = camera.ray(rect, pointed);
    let forward = camera.forward();
    let depth = (grabbed - ray.origin).dot(&forward) / ray.direction.dot(&forward).max(1e-3);
    ray.origin + ray.direction * depth
}

/// (2): s = ((d·e)(e·w) − (d·w)) / ((d·e)² − 1) for the line grabbed + s·d, the ray e, and w from ray to line.
fn on_line(camera: &Camera, rect: Rect, grabbed: Vec3, pointed: Pos2, axis: Axis) -> Vec3 {
    let mut along = Vec3::zeros();
    along[axis.index()] = 1.0;
    let ray = camera.ray(rect, pointed);
    let cosine = along.dot(&ray.direction);
    let slope = 1.0 - cosine * cosine;
    // Seen end-on the line has no nearest point worth following.
    if slope < 1e-3 {
        return grabbed;
    }
    let between = grabbed - ray.origin;
    grabbed + along * ((cosine * ray.direction.dot(&between) - along.dot(&between)) / slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

    fn view() -> (Camera, Rect) {
        (Camera::default(), Rect::from_min_max(pos2(0.0, 0.0), pos2(1000.0, 700.0)))
    }

    #[test]
    fn what_is_grabbed_stays_under_the_pointer() {
        let (camera, rect) = view();
        let grabbed = Vec3::new(0.3, 0.7, -0.2);
        let shown = camera.project(rect, grabbed).expect("in view");
        let target = aim(&camera, rect, grabbed, shown, shown + vec2(90.0, -40.0), Rail::Free);
        let moved = camera.project(rect, target).expect("in view");
        assert!((moved - (shown + vec2(90.0, -40.0))).length() < 0.05, "{moved:?}");
        assert!((target - grabbed).dot(&camera.forward()).abs() < 1e-6);
    }

    #[test]
    fn a_press_beside_it_does_not_make_it_jump() {
        let (camera, rect) = view();
        let grabbed = Vec3::new(0.3, 0.7, -0.2);
        let beside = camera.project(rect, grabbed).expect("in view") + vec2(7.0, 3.0);
        let target = aim(&camera, rect, grabbed, beside, beside, Rail::Free);
        assert!((target - grabbed).norm() < 1e-6, "{target:?}");
    }

    #[test]
    fn an_axis_holds_the_other_two() {
        let (camera, rect) = view();
        let grabbed = Vec3::new(0.3, 0.7, -0.2);
        let shown = camera.project(rect, grabbed).expect("in view");
        for axis in Axis::ALL {
            let mut ahead = grabbed;
            ahead[axis.index()] += 0.4;
            let there = camera.project(rect, ahead).expect("in view");
            let target = aim(&camera, rect, grabbed, shown, there, Rail::Along(axis));
            assert!((target - ahead).norm() < 1e-4, "{axis}: {target:?}");
        }
    }

    #[test]
    fn upward_is_away_from_the_eye() {
        let (camera, rect) = view();
        let grabbed = camera.target;
        let shown = camera.project(rect, grabbed).expect("in view");
        let target = aim(&camera, rect, grabbed, shown, shown - vec2(0.0, 50.0), Rail::Depth);
        assert!((target - camera.eye()).norm() > (grabbed - camera.eye()).norm());
        let there = camera.project(rect, target).expect("in view");
        assert!((there - shown).length() < 0.05, "stays where it is on the screen");
    }
}
