//! The left button: from presses and moves to selecting, grabbing, reaching and letting go.
//!
//! ```text
//! press ──(released within 4 points)──▶ select body and time, or deselect
//!   └──(moved farther)──▶ grab ──▶ reach … reach ──▶ let go
//!   │                                    └──(Esc)──▶ cancel
//!   └──(on a pin, moved farther)──▶ the nail follows ──▶ its new place is met
//! R ──▶ the selection turns with the pointer, no button pressed ──(click, Enter)──▶ let go
//! ```
//!
//! Events are taken one by one in the order they came, each at its own place: press, move and release may all arrive in
//! one slow frame. Where a reach leads to is `aim`; meeting the wish is the session's.

use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, Rect};

use super::aim::{Rail, aim};
use super::grip::{self, Grip};
use super::pin::{HeldPin, pin_at};
use crate::editor::action::Action;
use crate::editor::eye::camera::Camera;
use crate::editor::eye::navigation::{Habit, left_moves_eye};
use crate::editor::eye::pick::{hit_depth, pick};
use crate::editor::eye::view::{Pick, View};
use crate::editor::look::theme::DRAG_DISTANCE;
use crate::editor::work::motion::Motion;
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
    /// The nail that is held.
    pub pin: Option<HeldPin>,
    /// Where the pointer was last.
    pointer: Option<Pos2>,
    /// Whether the hand holds without a button, until a click.
    hands_free: bool,
}

/// A press that may become a click or a drag.
#[derive(Clone, Copy, Debug)]
struct Press {
    pick: Option<Pick>,
    grip: Option<Grip>,
    pin: Option<HeldPin>,
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

impl Hands {
    /// Lets go of everything without a word, as when the scene changes.
    pub fn forget(&mut self) {
        *self = Hands::default();
    }

    /// Whether a body or a nail is in the hand.
    pub fn is_holding(&self) -> bool {
        self.held.is_some() || self.pin.is_some()
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
        self.pointer = Some(pos);
        if self.hands_free || !reach.rect.contains(pos) || !(reach.owns)(pos) || left_moves_eye(reach.habit, modifiers)
        {
            return;
        }
        let view = reach.view;
        let grip = grip::at(reach.motion, view, reach.rect, pos);
        let pick = pick(reach.motion, &view.camera, reach.rect, pos, view.playhead, view.layers.paths);
        let pin = if grip.is_none() { pin_at(reach.motion, view, reach.rect, pos) } else { None };
        self.press = Some(Press { pick, grip, pin, origin: pos });
    }

    fn moved(&mut self, pos: Pos2, modifiers: Modifiers, reach: &Reach, wishes: &mut Vec<Action>) {
        self.pointer = Some(pos);
        if self.held.is_none()
            && self.pin.is_none()
            && let Some(press) = self.press
            && (pos - press.origin).length() > DRAG_DISTANCE
        {
            self.pin = press.pin;
            if press.pin.is_none()
                && let Some(held) = grab(&press, modifiers, reach)
            {
                self.held = Some(held);
                wishes.push(Action::Grab(held));
            }
        }
        if let Some(pin) = &mut self.pin {
            pin.follow(pos, Rail::Free, modifiers, reach.view, reach.rect);
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
        self.hands_free = false;
        if let Some(pin) = self.pin.take() {
            wishes.push(Action::MoveNail(pin.index, pin.place));
            return;
        }
        match (self.held.take(), press) {
            (Some(_), _) => wishes.push(Action::LetGo),
            (None, Some(press)) => wishes.push(press.pick.map_or(Action::Select(None), Action::SelectPick)),
            (None, None) => {}
        }
    }

    fn key(&mut self, key: Key, reach: &Reach, wishes: &mut Vec<Action>) {
        if key == Key::Escape && self.pin.is_some() {
            self.forget();
            return;
        }
        if key == Key::R && self.held.is_none() && self.pin.is_none() && !reach.typing {
            self.turn(reach, wishes);
            return;
        }
        let Some(held) = &mut self.held else { return };
        let axis = match key {
            Key::Enter if self.hands_free => return self.released(wishes),
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

impl Hands {
    /// Begins to turn the selection with the pointer alone.
    fn turn(&mut self, reach: &Reach, wishes: &mut Vec<Action>) {
        let (motion, view) = (reach.motion, reach.view);
        let Some(body) = view.selection.filter(|_| grip::turns(motion, view)) else { return };
        let Some(origin) = self.pointer.filter(|pos| reach.rect.contains(*pos)) else { return };
        let state = motion.body_at(body, view.playhead);
        let grip =
            Grip { body, what: Quantity::Rotation, place: state.position, value: rotation::log(&state.rotation) };
        let press = Press { pick: None, grip: Some(grip), pin: None, origin };
        self.held = grab(&press, Modifiers::NONE, reach);
        self.hands_free = self.held.is_some();
        wishes.extend(self.held.map(Action::Grab));
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

impl Held {
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

/// The events of this frame, copied out of the context.
pub fn events(ctx: &egui::Context) -> (Vec<Event>, Modifiers) {
    ctx.input(|input| (input.events.clone(), input.modifiers))
}
