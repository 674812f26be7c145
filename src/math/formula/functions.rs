//! The functions any formula may use, by name.

use super::Shape;

/// A function of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Function {
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

/// Their names, in order, and that of π.
pub const FUNCTIONS: &[&str] = &["dot", "cross", "norm", "angle", "abs", "sqrt", "sin", "cos", "min", "max", "pi"];

impl Function {
    /// The function of a name.
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

    /// Its name.
    pub fn name(self) -> &'static str {
        FUNCTIONS[self as usize]
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
