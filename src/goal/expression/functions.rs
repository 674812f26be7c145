//! The functions an expression may use, by name.

use super::Shape;

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

/// A function of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Dot,
    Cross,
    Norm,
    Angle,
    Abs,
    Sqrt,
    Sin,
    Cos,
    Min,
    Max,
}

/// All names, for advice.
pub(super) const NAMES: &[&str] = &[
    "position", "velocity", "spin", "rotation", "up", "axis", "speed", "height", "kinetic", "energy", "distance",
    "dot", "cross", "norm", "angle", "abs", "sqrt", "sin", "cos", "min", "max", "t", "pi",
];

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
        NAMES[self as usize]
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

impl Function {
    pub fn named(name: &str) -> Option<Function> {
        Some(match name {
            "dot" => Function::Dot,
            "cross" => Function::Cross,
            "norm" => Function::Norm,
            "angle" => Function::Angle,
            "abs" => Function::Abs,
            "sqrt" => Function::Sqrt,
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "min" => Function::Min,
            "max" => Function::Max,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        NAMES[StateFunction::Energy as usize + 2 + self as usize]
    }

    /// What it takes and gives.
    pub fn signature(self) -> (&'static [Shape], Shape, &'static str) {
        use Shape::{Scalar, Vector};
        match self {
            Function::Dot | Function::Angle => (&[Vector, Vector], Scalar, "two vectors"),
            Function::Cross => (&[Vector, Vector], Vector, "two vectors"),
            Function::Norm => (&[Vector], Scalar, "one vector"),
            Function::Abs | Function::Sqrt | Function::Sin | Function::Cos => (&[Scalar], Scalar, "one number"),
            Function::Min | Function::Max => (&[Scalar, Scalar], Scalar, "two numbers"),
        }
    }
}
