//! Numbers and vectors that formulas are written in: plain ones give values, carried ones their derivatives as well.
//!
//! A formula written once for both cannot have a derivative that belongs to another formula. A number that solves an
//! equation f(x; places) = 0 is found as a plain one, and gets its derivative from the equation:
//!
//! ```text
//! dx = −(∂f/∂places)/(∂f/∂x)                                                                        (1)
//! ```

use super::carried::{Carried, Scalar};
use super::feature::Side;
use super::pose::Pose;
use crate::math::Vec3;
use crate::math::elementary::sin_cos;

/// A number that may carry its derivative.
pub(super) trait Quantity: Copy {
    /// Without its derivative.
    fn value(self) -> f64;
    /// A length of a body's shape.
    fn of_body(side: Side, value: f64) -> Self;
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn root(self) -> Self;
    fn cos_sin(self) -> (Self, Self);
    /// (1): the solution x of an equation, with f at x for all places and its slope in x.
    fn solution(x: f64, f: Self, slope: f64) -> Self;
    /// The same for two equations in two numbers; rows of the matrix are the equations.
    fn solutions(x: [f64; 2], f: [Self; 2], slopes: [[f64; 2]; 2]) -> [Self; 2];

    fn by(self, factor: f64) -> Self {
        self.times(Self::constant(factor))
    }
}

/// A vector that may carry its derivative.
pub(super) trait Arrow: Copy {
    /// Its numbers.
    type Number: Quantity;
    /// Without its derivative.
    fn value(self) -> Vec3;
    /// A point of a body.
    fn point(side: Side, pose: &Pose, p: Vec3) -> Self;
    /// A direction in a body.
    fn direction(side: Side, u: Vec3) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn by(self, factor: f64) -> Self;
    fn scaled(self, by: Self::Number) -> Self;
    fn dot(self, other: Self) -> Self::Number;
    fn cross(self, other: Self) -> Self;

    fn length(self) -> Self::Number {
        self.dot(self).root()
    }

    fn normalized(self) -> Self {
        self.scaled(Self::Number::constant(1.0).over(self.length()))
    }

    /// The part across a unit vector.
    fn across(self, axis: Self) -> Self {
        self.minus(axis.scaled(axis.dot(self)))
    }
}

impl Quantity for f64 {
    fn value(self) -> f64 {
        self
    }

    fn of_body(_: Side, value: f64) -> Self {
        value
    }

    fn constant(value: f64) -> Self {
        value
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, other: Self) -> Self {
        self / other
    }

    fn root(self) -> Self {
        self.sqrt()
    }

    fn cos_sin(self) -> (Self, Self) {
        let (sin, cos) = sin_cos(self);
        (cos, sin)
    }

    fn solution(x: f64, _: Self, _: f64) -> Self {
        x
    }

    fn solutions(x: [f64; 2], _: [Self; 2], _: [[f64; 2]; 2]) -> [Self; 2] {
        x
    }
}

impl Quantity for Scalar {
    fn value(self) -> f64 {
        self.value
    }

    fn of_body(side: Side, value: f64) -> Self {
        Scalar::length(side, value)
    }

    fn constant(value: f64) -> Self {
        Scalar { value, d: Default::default() }
    }

    fn plus(self, other: Self) -> Self {
        Scalar { value: self.value + other.value, d: self.d + other.d }
    }

    fn minus(self, other: Self) -> Self {
        Scalar::minus(self, other)
    }

    fn times(self, other: Self) -> Self {
        Scalar { value: self.value * other.value, d: self.d * other.value + other.d * self.value }
    }

    fn over(self, other: Self) -> Self {
        Scalar::over(self, other)
    }

    fn root(self) -> Self {
        let value = self.value.sqrt();
        Scalar { value, d: self.d * (0.5 / value) }
    }

    fn cos_sin(self) -> (Self, Self) {
        let (sin, cos) = sin_cos(self.value);
        (Scalar { value: cos, d: self.d * -sin }, Scalar { value: sin, d: self.d * cos })
    }

    fn solution(x: f64, f: Self, slope: f64) -> Self {
        Scalar { value: x, d: f.d * (-1.0 / slope) }
    }

    fn solutions(x: [f64; 2], f: [Self; 2], slopes: [[f64; 2]; 2]) -> [Self; 2] {
        let [[a, b], [c, d]] = slopes;
        let det = a * d - b * c;
        [
            Scalar { value: x[0], d: (f[0].d * d - f[1].d * b) * (-1.0 / det) },
            Scalar { value: x[1], d: (f[1].d * a - f[0].d * c) * (-1.0 / det) },
        ]
    }
}

impl Arrow for Vec3 {
    type Number = f64;

    fn value(self) -> Vec3 {
        self
    }

    fn point(_: Side, _: &Pose, p: Vec3) -> Self {
        p
    }

    fn direction(_: Side, u: Vec3) -> Self {
        u
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn by(self, factor: f64) -> Self {
        self * factor
    }

    fn scaled(self, by: f64) -> Self {
        self * by
    }

    fn dot(self, other: Self) -> f64 {
        Vec3::dot(&self, &other)
    }

    fn cross(self, other: Self) -> Self {
        Vec3::cross(&self, &other)
    }
}

impl Arrow for Carried {
    type Number = Scalar;

    fn value(self) -> Vec3 {
        self.value
    }

    fn point(side: Side, pose: &Pose, p: Vec3) -> Self {
        Carried::point(side, pose, p)
    }

    fn direction(side: Side, u: Vec3) -> Self {
        Carried::direction(side, u)
    }

    fn plus(self, other: Self) -> Self {
        Carried::plus(self, other)
    }

    fn minus(self, other: Self) -> Self {
        Carried::minus(self, other)
    }

    fn by(self, factor: f64) -> Self {
        Carried::times(self, factor)
    }

    fn scaled(self, by: Scalar) -> Self {
        Carried::scaled(self, by)
    }

    fn dot(self, other: Self) -> Scalar {
        Carried::dot(self, other)
    }

    fn cross(self, other: Self) -> Self {
        Carried::cross(self, other)
    }
}
