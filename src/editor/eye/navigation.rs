//! Moving the eye: mouse buttons and modifiers as in Blender or as in Maya, wheel, trackpad and keys.
//!
//! ```text
//!            Blender                     Maya                        both
//! turn       middle                      Alt + left                  right; two fingers on a trackpad
//! move       Shift + middle              Alt + middle                Shift + right; Shift + two fingers
//! nearer     Ctrl + middle               Alt + right                 wheel; pinch
//! ```
//!
//! The left button alone never moves the eye: it belongs to the hands.

use crate::math::elementary::exp;
use eframe::egui::{self, Key, PointerButton, Rect, Response};

use super::camera::Camera;
use super::view::View;

/// Whose habits the mouse follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Habit {
    /// The middle button moves the eye.
    #[default]
    Blender,
    /// Alt and a button move the eye.
    Maya,
}

/// What a dragged button does to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Orbit,
    Pan,
    Zoom,
}

/// Whether a press of the left button now would move the eye.
pub fn left_moves_eye(habit: Habit, modifiers: egui::Modifiers) -> bool {
    habit == Habit::Maya && modifiers.alt
}

fn turn(habit: Habit, button: PointerButton, modifiers: egui::Modifiers) -> Option<Turn> {
    let alt = habit == Habit::Maya && modifiers.alt;
    match button {
        PointerButton::Primary => alt.then_some(Turn::Orbit),
        PointerButton::Middle if alt => Some(Turn::Pan),
        PointerButton::Middle if modifiers.shift => Some(Turn::Pan),
        PointerButton::Middle if modifiers.ctrl => Some(Turn::Zoom),
        PointerButton::Middle => Some(Turn::Orbit),
        PointerButton::Secondary if alt => Some(Turn::Zoom),
        PointerButton::Secondary if modifiers.shift => Some(Turn::Pan),
        PointerButton::Secondary => Some(Turn::Orbit),
        _ => None,
    }
}

/// Moves the eye as the mouse and trackpad ask.
pub fn navigate(view: &mut View, habit: Habit, response: &Response, rect: Rect, ctx: &egui::Context) {
    let camera_before = view.camera;
    let modifiers = ctx.input(|input| input.modifiers);
    for button in [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary] {
        if response.dragged_by(button)
            && let Some(turn) = turn(habit, button, modifiers)
        {
            let delta = response.drag_delta();
            apply(&mut view.camera, turn, rect, f64::from(delta.x), f64::from(delta.y));
        }
    }
    if response.hovered() {
        scroll(&mut view.camera, rect, ctx, modifiers);
    }
    if view.camera != camera_before {
        view.camera_goal = None;
    }
}

fn apply(camera: &mut Camera, turn: Turn, rect: Rect, dx: f64, dy: f64) {
    match turn {
        Turn::Orbit => camera.orbit(dx, dy),
        Turn::Pan => camera.pan(rect, dx, dy),
        Turn::Zoom => camera.zoom(exp(0.008 * (dy - dx))),
    }
}

/// A wheel brings nearer; two fingers on a trackpad turn.
fn scroll(camera: &mut Camera, rect: Rect, ctx: &egui::Context, modifiers: egui::Modifiers) {
    let (delta, pinch, from_trackpad) = ctx.input(|input| {
        let source = input.scroll_source();
        let fingers = matches!(source, Some(egui::MouseWheelSource::Trackpad | egui::MouseWheelSource::Momentum));
        (input.smooth_scroll_delta(), f64::from(input.zoom_delta()), fingers)
    });
    if pinch != 1.0 {
        camera.zoom(1.0 / pinch);
    } else if from_trackpad && modifiers.shift {
        camera.pan(rect, f64::from(delta.x + delta.y), 0.0);
    } else if from_trackpad {
        camera.orbit(f64::from(delta.x), f64::from(delta.y));
    } else {
        camera.zoom(exp(-0.0025 * f64::from(delta.y)));
    }
}

/// Views along the axes by number keys, as Blender's number pad.
pub fn axis_view(camera: &Camera, key: Key) -> Option<Camera> {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (yaw, pitch) = match key {
        Key::Num1 => (0.0, 0.0),
        Key::Num2 => (PI, 0.0),
        Key::Num3 => (FRAC_PI_2, 0.0),
        Key::Num4 => (-FRAC_PI_2, 0.0),
        Key::Num7 => (camera.yaw, 1.5),
        Key::Num0 => (Camera::default().yaw, Camera::default().pitch),
        _ => return None,
    };
    Some(Camera { yaw, pitch, ..*camera })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Modifiers;

    #[test]
    fn the_left_button_alone_never_moves_the_eye() {
        for habit in [Habit::Blender, Habit::Maya] {
            for modifiers in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::CTRL] {
                assert_eq!(turn(habit, PointerButton::Primary, modifiers), None);
            }
        }
        assert_eq!(turn(Habit::Blender, PointerButton::Primary, Modifiers::ALT), None);
        assert_eq!(turn(Habit::Maya, PointerButton::Primary, Modifiers::ALT), Some(Turn::Orbit));
    }

    #[test]
    fn both_habits_turn_move_and_come_nearer() {
        let blender = |modifiers| turn(Habit::Blender, PointerButton::Middle, modifiers);
        assert_eq!(blender(Modifiers::NONE), Some(Turn::Orbit));
        assert_eq!(blender(Modifiers::SHIFT), Some(Turn::Pan));
        assert_eq!(blender(Modifiers::CTRL), Some(Turn::Zoom));
        assert_eq!(turn(Habit::Maya, PointerButton::Middle, Modifiers::ALT), Some(Turn::Pan));
        assert_eq!(turn(Habit::Maya, PointerButton::Secondary, Modifiers::ALT), Some(Turn::Zoom));
    }
}
