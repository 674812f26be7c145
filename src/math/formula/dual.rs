//! Numbers that carry their derivative along: a + ε·ȧ with ε² = 0.
//!
//! ```text
//! (a + ε·ȧ)·(b + ε·ḃ) = a·b + ε·(a·ḃ + b·ȧ)          f(a + ε·ȧ) = f(a) + ε·f′(a)·ȧ
//! ```
//!
//! What the infinitesimal part is over (states, times, variables) is said by whoever reads the formula.

/// An infinitesimal part: a linear form.
pub trait Linear: Clone + Default {
    /// Adds a multiple of another.
    fn add(&mut self, other: &Self, factor: f64);

    /// The same, times a factor.
    fn scaled(&self, factor: f64) -> Self {
        let mut scaled = Self::default();
        scaled.add(self, factor);
        scaled
    }
}

/// A scalar and its gradient.
#[derive(Clone, Debug, Default)]
pub struct Dual<G> {
    /// a.
    pub value: f64,
    /// ȧ.
    pub gradient: G,
}

/// A scalar or a vector.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Value<G> {
    Scalar(Dual<G>),
    Vector([Dual<G>; 3]),
}

impl<G: Linear> Dual<G> {
    /// ȧ = 0.
    pub fn constant(value: f64) -> Dual<G> {
        Dual { value, gradient: G::default() }
    }

    /// self + factor·other.
    pub fn plus(&self, other: &Dual<G>, factor: f64) -> Dual<G> {
        let mut gradient = self.gradient.clone();
        gradient.add(&other.gradient, factor);
        Dual { value: self.value + factor * other.value, gradient }
    }

    /// factor·self.
    pub fn times(&self, factor: f64) -> Dual<G> {
        Dual { value: self.value * factor, gradient: self.gradient.scaled(factor) }
    }

    /// self·other.
    pub fn product(&self, other: &Dual<G>) -> Dual<G> {
        let mut gradient = self.gradient.scaled(other.value);
        gradient.add(&other.gradient, self.value);
        Dual { value: self.value * other.value, gradient }
    }

    /// self/other.
    pub fn quotient(&self, other: &Dual<G>) -> Dual<G> {
        self.product(&other.map(1.0 / other.value, -1.0 / (other.value * other.value)))
    }

    /// f(self), given f and f′ there. Where f has no derivative, 0 stands for it: a kink is no reason to stop.
    pub fn map(&self, value: f64, derivative: f64) -> Dual<G> {
        let derivative = if derivative.is_finite() { derivative } else { 0.0 };
        Dual { value, gradient: self.gradient.scaled(derivative) }
    }
}

impl<G: Linear> Value<G> {
    /// ȧ = 0.
    pub fn constant(vector: [f64; 3]) -> Value<G> {
        Value::Vector(vector.map(Dual::constant))
    }

    /// The scalar; a vector's first component, which parsing has excluded.
    pub fn scalar(self) -> Dual<G> {
        match self {
            Value::Scalar(dual) => dual,
            Value::Vector([first, ..]) => first,
        }
    }

    /// The vector; a scalar stands for each of its components.
    pub fn vector(self) -> [Dual<G>; 3] {
        match self {
            Value::Scalar(dual) => [dual.clone(), dual.clone(), dual],
            Value::Vector(vector) => vector,
        }
    }

    /// One dual, or three.
    pub fn components(self) -> Vec<Dual<G>> {
        match self {
            Value::Scalar(dual) => vec![dual],
            Value::Vector(vector) => vector.into(),
        }
    }

    /// Component by component; a scalar goes with each.
    pub fn zip(&self, other: &Value<G>, f: impl Fn(&Dual<G>, &Dual<G>) -> Dual<G>) -> Value<G> {
        match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(f(a, b)),
            _ => {
                let (a, b) = (self.clone().vector(), other.clone().vector());
                Value::Vector([f(&a[0], &b[0]), f(&a[1], &b[1]), f(&a[2], &b[2])])
            }
        }
    }

    /// self − other.
    pub fn minus(&self, other: &Value<G>) -> Value<G> {
        self.zip(other, |a, b| a.plus(b, -1.0))
    }
}

/// a·b.
pub fn dot<G: Linear>(a: &[Dual<G>; 3], b: &[Dual<G>; 3]) -> Dual<G> {
    let sum = a[0].product(&b[0]).plus(&a[1].product(&b[1]), 1.0);
    sum.plus(&a[2].product(&b[2]), 1.0)
}

/// a × b.
pub fn cross<G: Linear>(a: &[Dual<G>; 3], b: &[Dual<G>; 3]) -> [Dual<G>; 3] {
    let minor = |i: usize, j: usize| a[i].product(&b[j]).plus(&a[j].product(&b[i]), -1.0);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// |a|; at a = 0 its derivative counts as 0.
pub fn norm<G: Linear>(a: &[Dual<G>; 3]) -> Dual<G> {
    let square = dot(a, a);
    let length = square.value.sqrt();
    square.map(length, 0.5 / length)
}
