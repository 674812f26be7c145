//! Equations and inequalities of the state, written as text: `speed(a) - speed(b) = 0`, `dot(up(mug), [0, 1, 0]) >= 0.99`.
//!
//! ```text
//! relation := sum ("=" | "<=" | ">=") sum         sum := product (("+" | "-") product)*
//! product  := power (("*" | "/") power)*          power := unary ("^" whole number)?
//! unary    := "-"? value (".x" | ".y" | ".z")?    value := number | pi | [sum, sum, sum] | (sum) | name(…)
//! ```
//!
//! | of a body, at the nail's moment | |
//! |---|---|
//! | `position(b)`, `velocity(b)` | of the centre of mass, or of a point: `position(b, [x, y, z])` |
//! | `spin(b)`, `rotation(b)` | angular velocity; exponential map |
//! | `up(b)`, `axis(b, [x, y, z])` | its own y axis, or another, in the world |
//! | `speed(b)`, `height(b)` | length of the velocity; position against gravity |
//! | `kinetic(b)`, `energy(b)` | energy of motion; with that of height |
//! | `distance(a, b)` | between centres of mass |
//!
//! | of anything | |
//! |---|---|
//! | `dot(u, v)`, `cross(u, v)`, `norm(u)`, `angle(u, v)` | of vectors |
//! | `abs`, `sqrt`, `sin`, `cos`, `min`, `max` | of numbers |
//! | `t(a/b#2)`, `t(a#1)`, `t(apex a#1)` | times of impacts and tops |
//!
//! Chains (`a + b − c`, `a·b/c`) are one part with all their members, so that nothing that walks an expression goes deeper than
//! its brackets, whose depth is limited; so is the number of parts. A vector may be compared with a number: each component is. Derivatives are exact: values carry theirs along (`dual`).

mod dual;
mod evaluate;
mod functions;
mod parse;
mod unit;

use thiserror::Error;

use super::timing::{Instant, Missing, Timing};
use super::{Relation, Residual};
use crate::model::{BodyId, ControlVector, Model};
use crate::simulation::Trajectory;
use functions::{Function, StateFunction};

/// A parsed equation or inequality.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    left: Node,
    right: Node,
    comparison: Comparison,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    AtMost,
    AtLeast,
}

/// One part of an expression; shapes were checked when it was parsed.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Vector(Box<[Node; 3]>),
    State {
        function: StateFunction,
        body: BodyId,
        argument: Option<Box<Node>>,
    },
    Distance {
        one: BodyId,
        other: BodyId,
    },
    Time(Timing),
    Call {
        function: Function,
        arguments: Vec<Node>,
    },
    Negative(Box<Node>),
    /// The first, and what follows it from left to right, each with 1 or −1 before it.
    Sum(Box<Node>, Vec<(f64, Node)>),
    /// The first, and what follows it from left to right.
    Product(Box<Node>, Vec<(Factor, Node)>),
    Power(Box<Node>, i32),
    Component(Box<Node>, usize),
}

/// What stands before a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Factor {
    Times,
    Over,
}

/// What a part of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Scalar,
    Vector,
}

/// Where and why a text is no equation.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("expression, character {column}: {problem}")]
pub struct ExpressionError {
    /// Counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: ExpressionProblem,
}

/// The kinds of faults, with their evidence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum ExpressionProblem {
    #[error("{expected} is expected here")]
    Expected { expected: &'static str },
    #[error("no function is called {name:?}; {}", advice(.nearest))]
    UnknownFunction { name: String, nearest: Option<&'static str> },
    #[error("no body is called {name:?}; {}", body_advice(.nearest))]
    UnknownBody { name: String, nearest: Option<String> },
    #[error("{name} takes {expected}")]
    Arguments { name: &'static str, expected: &'static str },
    #[error("{what} needs {expected}, not {found}")]
    Shape { what: &'static str, expected: &'static str, found: &'static str },
    #[error("{reason}")]
    Moment { reason: String },
    #[error("a particle does not turn: it has no {name}")]
    DoesNotTurn { name: &'static str },
    #[error("the expression is nested too deeply; write it in fewer brackets")]
    TooDeep,
    #[error("the expression has more than {most} parts; write it shorter, or as several nails")]
    TooLong { most: usize },
}

impl Shape {
    fn as_str(self) -> &'static str {
        match self {
            Shape::Scalar => "a number",
            Shape::Vector => "a vector",
        }
    }
}

impl Node {
    /// Goes through all of its parts.
    fn visit(&self, each: &mut dyn FnMut(&Node)) {
        each(self);
        match self {
            Node::Number(_) | Node::Time(_) | Node::Distance { .. } => {}
            Node::State { argument, .. } => argument.iter().for_each(|node| node.visit(each)),
            Node::Vector(entries) => entries.iter().for_each(|node| node.visit(each)),
            Node::Call { arguments, .. } => arguments.iter().for_each(|node| node.visit(each)),
            Node::Negative(node) | Node::Power(node, _) | Node::Component(node, _) => node.visit(each),
            Node::Sum(first, rest) => {
                first.visit(each);
                rest.iter().for_each(|(_, node)| node.visit(each));
            }
            Node::Product(first, rest) => {
                first.visit(each);
                rest.iter().for_each(|(_, node)| node.visit(each));
            }
        }
    }
}

impl Expression {
    /// Reads an expression about the bodies of a model.
    pub fn new(model: &Model, text: &str) -> Result<Expression, ExpressionError> {
        parse::parse(model, text)
    }

    /// Whether it asks how bodies stand at its instant; otherwise it is about times of events only.
    pub(super) fn asks_for_states(&self) -> bool {
        !self.bodies().is_empty()
    }

    /// Whose states it asks for.
    pub(super) fn bodies(&self) -> Vec<BodyId> {
        self.gathered(|node| match node {
            Node::State { body, .. } => vec![*body],
            Node::Distance { one, other } => vec![*one, *other],
            _ => Vec::new(),
        })
    }

    /// The events whose times it asks for.
    pub(super) fn timings(&self) -> Vec<Timing> {
        self.gathered(|node| if let Node::Time(timing) = node { vec![*timing] } else { Vec::new() })
    }

    fn gathered<T>(&self, of: impl Fn(&Node) -> Vec<T>) -> Vec<T> {
        let mut found = Vec::new();
        for side in [&self.left, &self.right] {
            side.visit(&mut |node| found.extend(of(node)));
        }
        found
    }

    /// Adds its residuals, one for each component: left − right, or right − left where it shall be at least.
    pub(super) fn read(
        &self,
        model: &Model,
        u: &ControlVector,
        trajectory: &Trajectory,
        instant: &Instant,
        residuals: &mut Vec<Residual>,
    ) -> Result<(), Missing> {
        let context = evaluate::Context { model, u, trajectory, instant };
        let (left, right) = (context.evaluate(&self.left)?, context.evaluate(&self.right)?);
        let difference = left.minus(&right);
        let (sign, relation) = match self.comparison {
            Comparison::Equal => (1.0, Relation::Equal),
            Comparison::AtMost => (1.0, Relation::AtMost),
            Comparison::AtLeast => (-1.0, Relation::AtMost),
        };
        let unit = unit::of_sides(&self.left, &self.right);
        for dual in difference.components() {
            let dual = dual.times(sign);
            residuals.push(Residual {
                label: "expression",
                value: dual.value,
                relation,
                unit,
                gradient: dual.gradient,
            });
        }
        Ok(())
    }
}

fn advice(nearest: &Option<&'static str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => {
            "there are position, velocity, spin, up, speed, height, energy, distance, dot, norm, angle, t and others"
                .to_owned()
        }
    }
}

fn body_advice(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => "write the name of a body".to_owned(),
    }
}
