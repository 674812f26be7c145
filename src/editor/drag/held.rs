//! A body in the hand: what of it is held and when, and what is wished as the pointer moves.
//!
//! Where in the world the pointer leads to is `aim`; which press takes hold of what is decided in `hands`.

use eframe::egui::{Modifiers, Pos2, Rect};

use super::aim::{Rail, aim};
use super::grip::{self, Grip};
use super::nail_mark::HeldNailMark;
use crate::editor::eye::camera::Camera;
use crate::editor::eye::navigation::Habit;
use crate::editor::eye::pick::hit_depth;
use crate::editor::eye::view::{Pick, View};
use crate::editor::work::motion::Motion;
use crate::math::{Rotation, Vec3, rotation};
use crate::model::{Axis, BodyId};
use crate::session::Quantity;

/// How near on the screen another body draws the wish onto itself, points.
const SNAP: f32 = 12.0;

/// A press that may become a click or a drag.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    /// What was under it.
    pub pick: Option<Pick>,
    /// The handle of the selection under it.
    pub grip: Option<Grip>,
    /// The nail under it.
    pub nail_mark: Option<HeldNailMark>,
    /// Where.
    pub origin: Pos2,
}

/// A body held in the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Whose.
    pub body: BodyId,
    /// The time at which it is held, s.
    pub t: f64,
    /// Whether the event at that time is held instead of the time.
    pub at_event: bool,
    /// What of it is held.
    pub what: Quantity,
    /// The held point in the body frame; zero is the centre of mass.
    pub point: Vec3,
    /// Where the hand was when it grabbed, in the world.
    pub grabbed: Vec3,
    /// Where the hand is, in the world.
    pub place: Vec3,
    /// What is wished: a place, an exponential map, a velocity or a spin.
    pub target: Vec3,
    /// The body's centre and orientation when it was grabbed.
    pub start: (Vec3, Rotation),
    /// The body that the wish was drawn onto.
    pub snapped: Option<BodyId>,
    /// The body with an inside that the pointer is over.
    pub over: Option<BodyId>,
    /// How the hand moves.
    pub rail: Rail,
    origin: Pos2,
    pointer: Pos2,
}

/// What hands need to know of the view.
pub struct Reach<'a> {
    /// The motion on the screen.
    pub motion: &'a Motion,
    /// How it is looked at.
    pub view: &'a View,
    /// Whose habits the mouse follows.
    pub habit: Habit,
    /// The view's rectangle.
    pub rect: Rect,
    /// Whether a press there belongs to the view and to nothing above it.
    pub owns: &'a dyn Fn(Pos2) -> bool,
    /// Whether a text field listens to the keys.
    pub typing: bool,
}

impl Held {
    /// What a press takes hold of: a handle of the selection, or a body that moves.
    pub fn grab(press: &Press, modifiers: Modifiers, reach: &Reach) -> Option<Held> {
        let motion = reach.motion;
        let (body, t) = match (&press.grip, &press.pick) {
            (Some(grip), _) => (grip.body, reach.view.playhead),
            (None, Some(pick)) if !motion.model.bodies()[pick.body.index()].drive.never_moves() => (pick.body, pick.t),
            _ => return None,
        };
        let state = motion.body_at(body, t);
        let (what, point, grabbed, target) = match (&press.grip, &press.pick) {
            (Some(grip), _) => (grip.what, Vec3::zeros(), grip.place, grip.value),
            (None, Some(pick)) if !pick.on_path => {
                let point = state.rotation.inverse() * (pick.place - state.position);
                (Quantity::Position, point, pick.place, pick.place)
            }
            _ => (Quantity::Position, Vec3::zeros(), state.position, state.position),
        };
        Some(Held {
            body,
            t,
            at_event: modifiers.alt,
            what,
            point,
            grabbed,
            place: grabbed,
            target,
            start: (state.position, state.rotation),
            snapped: None,
            over: None,
            rail: Rail::Free,
            origin: press.origin,
            pointer: press.origin,
        })
    }

    /// Follows the pointer; false where it has not moved.
    pub fn take(&mut self, pos: Pos2, modifiers: Modifiers, reach: &Reach) -> bool {
        let moves = self.pointer != pos;
        if moves {
            self.pointer = pos;
            self.follow(modifiers, reach);
        }
        moves
    }

    /// Lets the hand move along an axis of the world alone, or freely again.
    pub fn keep_to(&mut self, axis: Axis, reach: &Reach) {
        self.rail = if self.rail == Rail::Along(axis) { Rail::Free } else { Rail::Along(axis) };
        self.follow(Modifiers::NONE, reach);
    }

    /// Puts the wish where the pointer says.
    fn follow(&mut self, modifiers: Modifiers, reach: &Reach) {
        let rail = if modifiers.shift && self.rail == Rail::Free { Rail::Depth } else { self.rail };
        let camera = &reach.view.camera;
        self.place = aim(camera, reach.rect, self.grabbed, self.origin, self.pointer, rail);
        self.snapped = None;
        self.over = container(reach, self);
        let (center, orientation) = self.start;
        match self.what {
            Quantity::Position => {
                if rail == Rail::Free
                    && let Some((body, place)) = snap(reach.motion, camera, reach.rect, self)
                {
                    self.snapped = Some(body);
                    self.place = place;
                }
                self.target = self.place;
            }
            Quantity::Velocity => self.target = (self.place - center) / grip::VELOCITY_SCALE,
            Quantity::Spin => self.target = (self.place - center) / grip::spin_scale(reach.motion, self.body),
            Quantity::Rotation => {
                let angle = grip::turned(camera, reach.rect, center, self.origin, self.pointer);
                // About an axis of the world it turns as seen from where that axis points to the eye.
                let about = match rail {
                    Rail::Along(axis) => {
                        let along = Vec3::from_fn(|k, _| if k == axis.index() { 1.0 } else { 0.0 });
                        along * -along.dot(&camera.forward()).signum()
                    }
                    _ => -camera.forward(),
                };
                self.target = rotation::log(&(rotation::exp(about * angle) * orientation));
            }
        }
    }
}

/// A body with an inside that is under the pointer at the held time.
fn container(reach: &Reach, held: &Held) -> Option<BodyId> {
    if held.what != Quantity::Position {
        return None;
    }
    let (motion, ray) = (reach.motion, reach.view.camera.ray(reach.rect, held.pointer));
    let others = motion.bodies().filter(|body| *body != held.body);
    let containers = others.filter(|body| motion.model.bodies()[body.index()].region.is_some());
    let hit = containers.filter_map(|body| {
        let state = motion.body_at(body, held.t);
        Some((hit_depth(motion, body, &state, &ray)?, body))
    });
    hit.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, body)| body)
}

/// Another body whose middle is under the pointer at the held time.
fn snap(motion: &Motion, camera: &Camera, rect: Rect, held: &Held) -> Option<(BodyId, Vec3)> {
    let others = motion.bodies().filter(|body| *body != held.body && motion.reach_is_finite(*body));
    let near = others.filter_map(|body| {
        let place = motion.body_at(body, held.t).position;
        let distance = (camera.project(rect, place)? - held.pointer).length();
        (distance < SNAP).then_some((distance, body, place))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, body, place)| (body, place))
}
