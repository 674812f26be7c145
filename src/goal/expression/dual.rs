//! Numbers that carry their derivative along: a + ε·ȧ with ε² = 0.
//!
//! ```text
//! (a + ε·ȧ)·(b + ε·ḃ) = a·b + ε·(a·ḃ + b·ȧ)          f(a + ε·ȧ) = f(a) + ε·f′(a)·ȧ
//! ```
//!
//! The infinitesimal part is a [`Gradient`] over states, times and parameters.

use crate::goal::Gradient;

/// A scalar and its gradient.
#[derive(Clone, Debug, Default)]
pub(super) struct Dual {
    pub value: f64,
    pub gradient: Gradient,
}

/// A scalar or a vector.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(Dual),
    Vector([Dual; 3]),
}

impl Dual {
    pub fn constant(value: f64) -> Dual {
        Dual { value, gradient: Gradient::default() }
    }

    /// self + factor·other.
    pub fn plus(&self, other: &Dual, factor: f64) -> Dual {
        let mut gradient = self.gradient.clone();
        gradient.add(&other.gradient, factor);
        Dual { value: self.value + factor * other.value, gradient }
    }

    pub fn times(&self, factor: f64) -> Dual {
        Dual { value: self.value * factor, gradient: self.gradient.scaled(factor) }
    }

    pub fn product(&self, other: &Dual) -> Dual {
        let mut gradient = self.gradient.scaled(other.value);
        gradient.add(&other.gradient, self.value);
        Dual { value: self.value * other.value, gradient }
    }

    pub fn quotient(&self, other: &Dual) -> Dual {
        self.product(&other.map(1.0 / other.value, -1.0 / (other.value * other.value)))
    }

    /// f(self), given f and f′ there. Where f has no derivative, 0 stands for it: a kink is no reason to stop.
    pub fn map(&self, value: f64, derivative: f64) -> Dual {
        let derivative = if derivative.is_finite() { derivative } else { 0.0 };
        Dual { value, gradient: self.gradient.scaled(derivative) }
    }
}

impl Value {
    pub fn constant(vector: [f64; 3]) -> Value {
        Value::Vector(vector.map(Dual::constant))
    }

    /// The scalar; a vector's first component, which parsing has excluded.
    pub fn scalar(self) -> Dual {
        match self {
            Value::Scalar(dual) => dual,
            Value::Vector([first, ..]) => first,
        }
    }

    /// The vector; a scalar stands for each of its components.
    pub fn vector(self) -> [Dual; 3] {
        match self {
            Value::Scalar(dual) => [dual.clone(), dual.clone(), dual],
            Value::Vector(vector) => vector,
        }
    }

    pub fn components(self) -> Vec<Dual> {
        match self {
            Value::Scalar(dual) => vec![dual],
            Value::Vector(vector) => vector.into(),
        }
    }

    /// Component by component; a scalar goes with each.
    pub fn zip(&self, other: &Value, f: impl Fn(&Dual, &Dual) -> Dual) -> Value {
        match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(f(a, b)),
            _ => {
                let (a, b) = (self.clone().vector(), other.clone().vector());
                Value::Vector([f(&a[0], &b[0]), f(&a[1], &b[1]), f(&a[2], &b[2])])
            }
        }
    }

    pub fn minus(&self, other: &Value) -> Value {
        self.zip(other, |a, b| a.plus(b, -1.0))
    }
}

/// a·b.
pub(super) fn dot(a: &[Dual; 3], b: &[Dual; 3]) -> Dual {
    let sum = a[0].product(&b[0]).plus(&a[1].product(&b[1]), 1.0);
    sum.plus(&a[2].product(&b[2]), 1.0)
}

/// a × b.
pub(super) fn cross(a: &[Dual; 3], b: &[Dual; 3]) -> [Dual; 3] {
    let minor = |i: usize, j: usize| a[i].product(&b[j]).plus(&a[j].product(&b[i]), -1.0);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// |a|; at a = 0 its derivative counts as 0.
pub(super) fn norm(a: &[Dual; 3]) -> Dual {
    let square = dot(a, a);
    let length = square.value.sqrt();
    square.map(length, 0.5 / length)
}
