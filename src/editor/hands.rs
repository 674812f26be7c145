//! The left button: from presses and moves to selecting, grabbing, reaching and letting go.
//!
//! ```text
//! press ──(released within 4 points)──▶ select body and time, or deselect
//!   └──(moved farther)──▶ grab ──▶ reach … reach ──▶ let go
//!                                        └──(Esc)──▶ cancel
//! ```
//!
//! Events are taken one by one in the order they came, each at its own place: press, move and release may all arrive in
//! one slow frame. Where a reach leads to is `aim`; meeting the wish is the session's.

use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, Rect};

use super::action::Action;
use super::aim::{Rail, aim};
use super::camera::Camera;
use super::grip::{self, Grip};
use super::motion::Motion;
use super::navigation::{Habit, left_moves_eye};
use super::pick::pick;
use super::theme::DRAG_DISTANCE;
use super::view::{Pick, View};
use crate::math::{Rotation, Vec3, rotation};
use crate::model::{Axis, BodyId};
use crate::session::Quantity;

/// How near on the screen another body draws the wish onto itself, points.
const SNAP: f32 = 12.0;

/// What the left button is doing.
#[derive(Clone, Debug, Default)]
pub struct Hands {
    press: Option<Press>,
    /// What is held.
    pub held: Option<Held>,
}

/// A press that may become a click or a drag.
#[derive(Clone, Copy, Debug)]
struct Press {
    pick: Option<Pick>,
    grip: Option<Grip>,
    origin: Pos2,
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
}

impl Hands {
    /// Lets go of everything without a word, as when the scene changes.
    pub fn forget(&mut self) {
        *self = Hands::default();
    }

    /// Takes the events of one frame and returns what they ask for, in order.
    pub fn take(&mut self, events: &[Event], modifiers: Modifiers, reach: &Reach) -> Vec<Action> {
        let mut wishes = Vec::new();
        for event in events {
            match event {
                Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, modifiers } => {
                    self.press(*pos, *modifiers, reach);
                }
                Event::PointerMoved(pos) => self.moved(*pos, modifiers, reach, &mut wishes),
                Event::PointerButton { pos, button: PointerButton::Primary, pressed: false, .. } => {
                    self.moved(*pos, modifiers, reach, &mut wishes);
                    self.released(&mut wishes);
                }
                Event::Key { key, pressed: true, repeat: false, .. } => self.key(*key, reach, &mut wishes),
                _ => {}
            }
        }
        wishes
    }

    fn press(&mut self, pos: Pos2, modifiers: Modifiers, reach: &Reach) {
        if !reach.rect.contains(pos) || !(reach.owns)(pos) || left_moves_eye(reach.habit, modifiers) {
            return;
        }
        let view = reach.view;
        let grip = grip::at(reach.motion, view, reach.rect, pos);
        let pick = pick(reach.motion, &view.camera, reach.rect, pos, view.playhead, view.layers.paths);
        self.press = Some(Press { pick, grip, origin: pos });
    }

    fn moved(&mut self, pos: Pos2, modifiers: Modifiers, reach: &Reach, wishes: &mut Vec<Action>) {
        if self.held.is_none()
            && let Some(press) = self.press
            && (pos - press.origin).length() > DRAG_DISTANCE
            && let Some(held) = grab(&press, modifiers, reach)
        {
            self.held = Some(held);
            wishes.push(Action::Grab(held));
        }
        if let Some(held) = &mut self.held
            && held.pointer != pos
        {
            held.pointer = pos;
            held.follow(modifiers, reach);
            wishes.push(Action::Reach(*held));
        }
    }

    fn released(&mut self, wishes: &mut Vec<Action>) {
        let press = self.press.take();
        match (self.held.take(), press) {
            (Some(_), _) => wishes.push(Action::LetGo),
            (None, Some(press)) => wishes.push(press.pick.map_or(Action::Select(None), Action::SelectPick)),
            (None, None) => {}
        }
    }

    fn key(&mut self, key: Key, reach: &Reach, wishes: &mut Vec<Action>) {
        let Some(held) = &mut self.held else { return };
        let axis = match key {
            Key::Escape => {
                self.forget();
                wishes.push(Action::CancelGrab);
                return;
            }
            Key::X => Axis::X,
            Key::Y => Axis::Y,
            Key::Z => Axis::Z,
            _ => return,
        };
        held.rail = if held.rail == Rail::Along(axis) { Rail::Free } else { Rail::Along(axis) };
        held.follow(Modifiers::NONE, reach);
        wishes.push(Action::Reach(*held));
    }
}

/// What a press takes hold of: a handle of the selection, or a body that moves.
fn grab(press: &Press, modifiers: Modifiers, reach: &Reach) -> Option<Held> {
    let motion = reach.motion;
    let (body, t) = match (&press.grip, &press.pick) {
        (Some(grip), _) => (grip.body, reach.view.playhead),
        (None, Some(pick)) if !motion.model.bodies()[pick.body.index()].fixed => (pick.body, pick.t),
        _ => return None,
    };
    let state = motion.trajectory.body_at(body, t);
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
        rail: Rail::Free,
        origin: press.origin,
        pointer: press.origin,
    })
}

impl Held {
    /// Puts the wish where the pointer says.
    fn follow(&mut self, modifiers: Modifiers, reach: &Reach) {
        let rail = if modifiers.shift && self.rail == Rail::Free { Rail::Depth } else { self.rail };
        let camera = &reach.view.camera;
        self.place = aim(camera, reach.rect, self.grabbed, self.origin, self.pointer, rail);
        self.snapped = None;
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
                self.target = rotation::log(&(rotation::exp(-camera.forward() * angle) * orientation));
            }
        }
    }
}

/// Another body whose middle is under the pointer at the held time.
fn snap(motion: &Motion, camera: &Camera, rect: Rect, held: &Held) -> Option<(BodyId, Vec3)> {
    let others = motion.bodies().filter(|body| *body != held.body && motion.reach_is_finite(*body));
    let near = others.filter_map(|body| {
        let place = motion.trajectory.body_at(body, held.t).position;
        let distance = (camera.project(rect, place)? - held.pointer).length();
        (distance < SNAP).then_some((distance, body, place))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, body, place)| (body, place))
}

/// The events of this frame, copied out of the context.
pub fn events(ctx: &egui::Context) -> (Vec<Event>, Modifiers) {
    ctx.input(|input| (input.events.clone(), input.modifiers))
}
