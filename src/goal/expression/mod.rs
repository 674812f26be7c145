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
//! | `position(tip)`, `velocity(tip)`, `distance(tip, b)` | of a label's point |
//!
//! | of a joint, a spring | |
//! |---|---|
//! | `force(j)`, `torque(j)`, `off(j)` | what the joint does to its first body, about its point; how far it is from holding |
//! | `angle(hinge)`, `travel(slider)` | since the start |
//! | `length(j)` | of a distance, a rope or a spring |
//!
//! | of anything | |
//! |---|---|
//! | `dot(u, v)`, `cross(u, v)`, `norm(u)`, `angle(u, v)` | of vectors |
//! | `abs`, `sqrt`, `sin`, `cos`, `min`, `max` | of numbers |
//! | `t(a/b#2)`, `t(a#1)`, `t(apex a#1)` | times of impacts and tops |
//!
//! A vector may be compared with a number: each component is. Derivatives are exact: values carry theirs along (`math::formula`).

mod evaluate;
mod explicit;
mod functions;
mod machine;
mod measure;
mod parse;
mod unit;

use thiserror::Error;

use super::timing::{Instant, Missing, Timing};
use super::{Relation, Residual};
use crate::math::formula::{self, FormulaError};
use crate::model::{BodyId, ControlVector, Model};
use crate::simulation::Trajectory;
use functions::StateFunction;
use measure::{Measure, Part};

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
type Node = formula::Node<Leaf>;

/// What an expression reads off a motion.
#[derive(Clone, Debug, PartialEq)]
enum Leaf {
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
    /// With the bodies of the joint or spring, and the unit.
    Machine {
        measure: Measure,
        part: Part,
        bodies: [Option<BodyId>; 2],
        unit: &'static str,
    },
}

/// Where and why a text is no equation.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("expression, character {column}: {problem}")]
pub struct ExpressionError {
    /// Counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: formula::Problem<ExpressionFault>,
}

/// What can be wrong with a name, with the evidence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum ExpressionFault {
    #[error("no function is called {name:?}; {}", advice(.nearest))]
    UnknownFunction { name: String, nearest: Option<&'static str> },
    #[error("no body is called {name:?}; {}", body_advice(.nearest))]
    UnknownBody { name: String, nearest: Option<String> },
    #[error("{takes} is expected here, and none is called {name:?}; {}", part_advice(.nearest))]
    UnknownPart { name: String, nearest: Option<String>, takes: &'static str },
    #[error("{name:?} is a {kind}, which has no {function}; {function}(…) takes {takes}")]
    NotOf { name: String, kind: String, function: &'static str, takes: &'static str },
    #[error("{reason}")]
    Moment { reason: String },
    #[error("a particle does not turn: it has no {name}")]
    DoesNotTurn { name: &'static str },
    #[error(
        "{name} takes no label here; position, velocity and distance know a label's point, write a body for others"
    )]
    Label { name: &'static str },
}

impl From<FormulaError<ExpressionFault>> for ExpressionError {
    fn from(error: FormulaError<ExpressionFault>) -> ExpressionError {
        ExpressionError { column: error.column, problem: error.problem }
    }
}

impl Expression {
    /// Reads an expression about the bodies of a model.
    pub fn new(model: &Model, text: &str) -> Result<Expression, ExpressionError> {
        Ok(parse::parse(model, text)?)
    }

    /// Whether it asks how bodies stand at its instant; otherwise it is about times of events only.
    pub(super) fn asks_for_states(&self) -> bool {
        !self.bodies().is_empty()
    }

    /// Whose states it asks for.
    pub(super) fn bodies(&self) -> Vec<BodyId> {
        self.gathered(|leaf| match leaf {
            Leaf::State { body, .. } => vec![*body],
            Leaf::Distance { one, other } => vec![*one, *other],
            Leaf::Machine { bodies, .. } => bodies.iter().flatten().copied().collect(),
            Leaf::Time(_) => Vec::new(),
        })
    }

    /// The events whose times it asks for.
    pub(super) fn timings(&self) -> Vec<Timing> {
        self.gathered(|leaf| if let Leaf::Time(timing) = leaf { vec![*timing] } else { Vec::new() })
    }

    fn gathered<T>(&self, of: impl Fn(&Leaf) -> Vec<T>) -> Vec<T> {
        let mut found = Vec::new();
        for side in [&self.left, &self.right] {
            gather(side, &mut |leaf| found.extend(of(leaf)));
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

fn part_advice(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => "write the name of one, as the file has it".to_owned(),
    }
}

/// Goes through all leaves, those too within what others are asked for.
fn gather(node: &Node, each: &mut dyn FnMut(&Leaf)) {
    let mut inner = Vec::new();
    node.visit(&mut |leaf| {
        each(leaf);
        if let Leaf::State { argument: Some(argument), .. } = leaf {
            inner.push(argument);
        }
    });
    inner.into_iter().for_each(|argument| gather(argument, each));
}
