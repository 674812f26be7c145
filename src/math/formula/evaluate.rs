//! The value of a formula, with its exact derivative.

use super::dual::{Dual, Linear, Value, cross, dot, norm};
use super::functions::Function;
use super::{Factor, Node};
use crate::math::elementary::{atan2, cos, hypot, powi, sin, square};

impl<L> Node<L> {
    /// Its value, given those of its leaves; the first leaf that has none ends it.
    pub fn evaluate<G: Linear, E>(&self, leaf: &impl Fn(&L) -> Result<Value<G>, E>) -> Result<Value<G>, E> {
        Ok(match self {
            Node::Number(number) => Value::Scalar(Dual::constant(*number)),
            Node::Vector(entries) => {
                let entry = |k: usize| Ok(entries[k].evaluate(leaf)?.scalar());
                Value::Vector([entry(0)?, entry(1)?, entry(2)?])
            }
            Node::Leaf(own) => leaf(own)?,
            Node::Call { function, arguments } => {
                let arguments: Vec<Value<G>> =
                    arguments.iter().map(|node| node.evaluate(leaf)).collect::<Result<_, _>>()?;
                call(*function, arguments)
            }
            Node::Negative(node) => node.evaluate(leaf)?.zip(&Value::Scalar(Dual::constant(-1.0)), Dual::product),
            Node::Sum(first, rest) => rest.iter().try_fold(first.evaluate(leaf)?, |sum, (sign, node)| {
                Ok(sum.zip(&node.evaluate(leaf)?, |a, b| a.plus(b, *sign)))
            })?,
            Node::Product(first, rest) => rest.iter().try_fold(first.evaluate(leaf)?, |product, (factor, node)| {
                let node = node.evaluate(leaf)?;
                Ok(match factor {
                    Factor::Times => product.zip(&node, Dual::product),
                    Factor::Over => product.zip(&node, Dual::quotient),
                })
            })?,
            Node::Power(base, exponent) => {
                let base = base.evaluate(leaf)?.scalar();
                let (x, n) = (base.value, *exponent);
                Value::Scalar(base.map(powi(x, n), f64::from(n) * powi(x, n - 1)))
            }
            Node::Component(node, axis) => {
                let vector = node.evaluate(leaf)?.vector();
                Value::Scalar(vector[*axis].clone())
            }
        })
    }
}

fn call<G: Linear>(function: Function, arguments: Vec<Value<G>>) -> Value<G> {
    let mut arguments = arguments.into_iter();
    let mut next = || arguments.next().unwrap_or(Value::constant([0.0; 3]));
    let first = next();
    Value::Scalar(match function {
        Function::Cross => return Value::Vector(cross(&first.vector(), &next().vector())),
        Function::Dot => dot(&first.vector(), &next().vector()),
        Function::Norm => norm(&first.vector()),
        Function::Angle => angle(&first.vector(), &next().vector()),
        Function::Abs => map(&first.scalar(), |x| (x.abs(), x.signum())),
        // Round-off below zero is zero; what is further below has no root.
        Function::Sqrt => {
            map(&first.scalar(), |x| (if x.abs() < 1e-12 { x.max(0.0) } else { x }.sqrt(), 0.5 / x.sqrt()))
        }
        Function::Sin => map(&first.scalar(), |x| (sin(x), cos(x))),
        Function::Cos => map(&first.scalar(), |x| (cos(x), -sin(x))),
        Function::Min | Function::Max => {
            let (a, b) = (first.scalar(), next().scalar());
            if (a.value <= b.value) == (function == Function::Min) { a } else { b }
        }
    })
}

fn map<G: Linear>(x: &Dual<G>, f: impl Fn(f64) -> (f64, f64)) -> Dual<G> {
    let (value, derivative) = f(x.value);
    x.map(value, derivative)
}

/// The angle between two vectors, by the arctangent that keeps its digits everywhere.
///
/// ```text
/// φ = atan2(|a × b|, a·b)       δφ = (c·δs − s·δc)/(s² + c²)
/// ```
fn angle<G: Linear>(a: &[Dual<G>; 3], b: &[Dual<G>; 3]) -> Dual<G> {
    let (sine, cosine) = (norm(&cross(a, b)), dot(a, b));
    let size = square(hypot(sine.value, cosine.value));
    let mut turned = sine.map(atan2(sine.value, cosine.value), cosine.value / size);
    turned.gradient.add(&cosine.gradient, if size > 0.0 { -sine.value / size } else { 0.0 });
    turned
}
