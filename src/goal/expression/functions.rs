//! The functions of a body's state that an expression may use, by name.

use super::measure::MEASURES;
use crate::math::formula::{FUNCTIONS, Shape};

/// A function of one body's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateFunction {
    Position,
    Velocity,
    Spin,
    Rotation,
    Up,
    Axis,
    Speed,
    Height,
    Kinetic,
    Energy,
}

/// All names, for advice: those of states, and what any formula may use.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    STATES
        .iter()
        .copied()
        .chain(["distance"])
        .chain(MEASURES.iter().copied())
        .chain(FUNCTIONS.iter().copied())
        .chain(["t"])
}

const STATES: &[&str] =
    &["position", "velocity", "spin", "rotation", "up", "axis", "speed", "height", "kinetic", "energy"];

impl StateFunction {
    pub fn named(name: &str) -> Option<StateFunction> {
        Some(match name {
            "position" => StateFunction::Position,
            "velocity" => StateFunction::Velocity,
            "spin" => StateFunction::Spin,
            "rotation" => StateFunction::Rotation,
            "up" => StateFunction::Up,
            "axis" => StateFunction::Axis,
            "speed" => StateFunction::Speed,
            "height" => StateFunction::Height,
            "kinetic" => StateFunction::Kinetic,
            "energy" => StateFunction::Energy,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        STATES[self as usize]
    }

    pub fn shape(self) -> Shape {
        match self {
            StateFunction::Speed | StateFunction::Height | StateFunction::Kinetic | StateFunction::Energy => {
                Shape::Scalar
            }
            _ => Shape::Vector,
        }
    }

    /// Whether a vector may, or must, follow the body.
    pub fn takes_vector(self) -> (bool, bool) {
        match self {
            StateFunction::Position | StateFunction::Velocity => (true, false),
            StateFunction::Axis => (true, true),
            _ => (false, false),
        }
    }

    /// Whether it speaks of turning, which particles do not.
    pub fn turns(self) -> bool {
        matches!(self, StateFunction::Spin | StateFunction::Rotation | StateFunction::Up | StateFunction::Axis)
    }
}
