//! The handles of the selected body: the tips of its velocity and spin arrows, and the ring that turns it.
//!
//! ```text
//! velocity   tip = x + v·τ           v = (tip − x)/τ               τ = 0.12 s                  (1)
//! spin       tip = x + ω·k           ω = (tip − x)/k               k = reach/(5 rad/s)         (2)
//! rotation   R = exp(angle·view axis)·R₀                                                       (3)
//! ```

use eframe::egui::{Pos2, Rect};

use crate::editor::eye::camera::Camera;
use crate::editor::eye::view::View;
use crate::editor::work::motion::Motion;
use crate::math::{Vec3, rotation};
use crate::model::BodyId;
use crate::session::Quantity;

/// τ of (1), s.
pub const VELOCITY_SCALE: f64 = 0.12;
/// Where a spin's arrow is as long as the body reaches, rad/s.
const SPIN_OF_REACH: f64 = 5.0;
/// How near the pointer must be to a handle, points.
const NEAR: f32 = 9.0;

/// A handle under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Whose.
    pub body: BodyId,
    /// What it changes.
    pub what: Quantity,
    /// Where it is in the world.
    pub place: Vec3,
    /// The value it stands for.
    pub value: Vec3,
}

/// k of (2), s·m/rad.
pub fn spin_scale(motion: &Motion, body: BodyId) -> f64 {
    motion.reach(body) / SPIN_OF_REACH
}

/// Radius of the ring on the screen, points.
pub fn ring_radius(motion: &Motion, camera: &Camera, rect: Rect, body: BodyId, center: Vec3) -> f32 {
    let scale = camera.metres_per_point(rect, center);
    (1.5 * motion.reach(body) / scale).clamp(26.0, 160.0) as f32
}

/// The arrows of the selected body at the playhead: velocity and spin.
pub fn arrows(motion: &Motion, view: &View) -> Vec<Grip> {
    let Some(body) = view.selection.filter(|body| motion.model.bodies()[body.index()].drive.is_pushed()) else {
        return Vec::new();
    };
    if !view.layers.arrows {
        return Vec::new();
    }
    let state = motion.body_at(body, view.playhead);
    let grip = |what, value: Vec3, scale: f64| Grip { body, what, place: state.position + value * scale, value };
    let mut grips = vec![grip(Quantity::Velocity, state.velocity, VELOCITY_SCALE)];
    if motion.trajectory.world().bodies[body.index()].mass.inertia != Vec3::zeros() {
        grips.push(grip(Quantity::Spin, state.spin, spin_scale(motion, body)));
    }
    grips
}

/// Whether the selected body can be turned: it moves and is no particle.
pub fn turns(motion: &Motion, view: &View) -> bool {
    let body = view.selection.map(|body| &motion.model.bodies()[body.index()]);
    body.is_some_and(|body| body.drive.is_pushed() && body.mass.inertia != Vec3::zeros())
}

/// The handle under a point of the screen.
pub fn at(motion: &Motion, view: &View, rect: Rect, pos: Pos2) -> Option<Grip> {
    let body = view.selection?;
    let state = motion.body_at(body, view.playhead);
    let center = view.camera.project(rect, state.position)?;
    let near = |grip: &Grip| {
        let tip = view.camera.project(rect, grip.place)?;
        // An arrow too short to be told from the body has no tip to take.
        ((tip - center).length() > 14.0 && (tip - pos).length() < NEAR).then_some((tip - pos).length())
    };
    let arrows = arrows(motion, view);
    let nearest = arrows.iter().filter_map(|grip| near(grip).map(|distance| (distance, *grip)));
    if let Some((_, grip)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) {
        return Some(grip);
    }
    let turns = arrows.iter().any(|grip| grip.what == Quantity::Spin);
    let radius = ring_radius(motion, &view.camera, rect, body, state.position);
    let on_ring = turns && ((pos - center).length() - radius).abs() < 5.0;
    on_ring.then(|| Grip {
        body,
        what: Quantity::Rotation,
        place: state.position,
        value: rotation::log(&state.rotation),
    })
}

/// How far the pointer went round a centre, rad, counter-clockwise on the screen.
pub fn turned(camera: &Camera, rect: Rect, center: Vec3, origin: Pos2, now: Pos2) -> f64 {
    let Some(middle) = camera.project(rect, center) else { return 0.0 };
    let angle = |pos: Pos2| f64::from((middle.y - pos.y).atan2(pos.x - middle.x));
    let turn = angle(now) - angle(origin);
    (turn + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

    #[test]
    fn going_round_is_an_angle() {
        let camera = Camera::default();
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        let middle = camera.project(rect, camera.target).expect("in view");
        let right = middle + vec2(50.0, 0.0);
        let up = middle - vec2(0.0, 70.0);
        let angle = turned(&camera, rect, camera.target, right, up);
        assert!((angle - std::f64::consts::FRAC_PI_2).abs() < 1e-5, "{angle}");
    }
}
