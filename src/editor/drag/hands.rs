//! The left button: from presses and moves to selecting, grabbing, reaching and letting go.
//!
//! ```text
//! press ──(released within 4 points)──▶ select body and time, or deselect
//!   └──(moved farther)──▶ grab ──▶ reach … reach ──▶ let go
//!   │                                    └──(Esc)──▶ cancel
//!   └──(on a nail mark, moved farther)──▶ the nail follows ──▶ its new place is met
//! R ──▶ the selection turns with the pointer, no button pressed ──(click, Enter)──▶ let go
//! ```
//!
//! Events are taken one by one in the order they came, each at its own place: press, move and release may all arrive in
//! one slow frame. What is held, and where a reach leads to, is `held`;
//! meeting the wish is the session's.

use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2};

use super::aim::Rail;
use super::grip::{self, Grip};
use super::held::{Held, Press, Reach};
use super::nail_mark::{HeldNailMark, nail_mark_at};
use crate::editor::action::Action;
use crate::editor::eye::navigation::left_moves_eye;
use crate::editor::eye::pick::pick;
use crate::editor::look::theme::DRAG_DISTANCE;
use crate::math::rotation;
use crate::model::Axis;
use crate::session::Quantity;

/// What the left button is doing.
#[derive(Clone, Debug, Default)]
pub struct Hands {
    press: Option<Press>,
    /// What is held.
    pub held: Option<Held>,
    /// The nail that is held.
    pub nail_mark: Option<HeldNailMark>,
    /// Where the pointer was last.
    pointer: Option<Pos2>,
    /// Whether the hand holds without a button, until a click.
    hands_free: bool,
}

impl Hands {
    /// Lets go of everything without a word, as when the scene changes.
    pub fn forget(&mut self) {
        *self = Hands::default();
    }

    /// Whether a body or a nail is in the hand.
    pub fn is_holding(&self) -> bool {
        self.held.is_some() || self.nail_mark.is_some()
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
        let nail_mark = if grip.is_none() { nail_mark_at(reach.motion, view, reach.rect, pos) } else { None };
        self.press = Some(Press { pick, grip, nail_mark, origin: pos });
    }

    fn moved(&mut self, pos: Pos2, modifiers: Modifiers, reach: &Reach, wishes: &mut Vec<Action>) {
        self.pointer = Some(pos);
        if self.held.is_none()
            && self.nail_mark.is_none()
            && let Some(press) = self.press
            && (pos - press.origin).length() > DRAG_DISTANCE
        {
            self.nail_mark = press.nail_mark;
            if press.nail_mark.is_none()
                && let Some(held) = Held::grab(&press, modifiers, reach)
            {
                self.held = Some(held);
                wishes.push(Action::Grab(held));
            }
        }
        if let Some(nail_mark) = &mut self.nail_mark {
            nail_mark.follow(pos, Rail::Free, modifiers, reach.view, reach.rect);
        }
        if let Some(held) = &mut self.held
            && held.take(pos, modifiers, reach)
        {
            wishes.push(Action::Reach(*held));
        }
    }

    fn released(&mut self, wishes: &mut Vec<Action>) {
        let press = self.press.take();
        self.hands_free = false;
        if let Some(nail_mark) = self.nail_mark.take() {
            wishes.push(Action::MoveNail(nail_mark.index, nail_mark.place));
            return;
        }
        match (self.held.take(), press) {
            (Some(_), _) => wishes.push(Action::LetGo),
            (None, Some(press)) => wishes.push(press.pick.map_or(Action::Select(None), Action::SelectPick)),
            (None, None) => {}
        }
    }

    fn key(&mut self, key: Key, reach: &Reach, wishes: &mut Vec<Action>) {
        if key == Key::Escape && self.nail_mark.is_some() {
            self.forget();
            return;
        }
        if key == Key::R && self.held.is_none() && self.nail_mark.is_none() && !reach.typing {
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
        held.keep_to(axis, reach);
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
        let press = Press { pick: None, grip: Some(grip), nail_mark: None, origin };
        self.held = Held::grab(&press, Modifiers::NONE, reach);
        self.hands_free = self.held.is_some();
        wishes.extend(self.held.map(Action::Grab));
    }
}

/// The events of this frame, copied out of the context.
pub fn events(ctx: &egui::Context) -> (Vec<Event>, Modifiers) {
    ctx.input(|input| (input.events.clone(), input.modifiers))
}
