//! What can be wrong with a nail beyond its spelling, said as advice.

use std::fmt;

use thiserror::Error;

use super::expression::ExpressionError;
use crate::scene::{Allowed, Short, Source};

/// Every fault found in a scene's nails; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalErrors {
    /// In the order of the file.
    pub errors: Vec<GoalError>,
}

/// One fault and the scene's field it stands in.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{problem}")]
pub struct GoalError {
    /// Such as `nail[2].expression`; [`Source::place`] turns it into a line.
    pub key: String,
    /// What is wrong.
    pub problem: GoalProblem,
}

/// The kinds of faults, with their evidence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum GoalProblem {
    /// A number that no scene may hold.
    #[error("{field} is {}; write a number {allowed}", Short(*.value))]
    OutOfRange { field: &'static str, value: f64, allowed: Allowed },
    /// `{}` instead of a vector.
    #[error("{field} has no component; write three numbers, or some of x, y and z")]
    NoComponent { field: &'static str },
    /// A nail without a wish.
    #[error("the nail wishes nothing; give a body and its position, or an expression")]
    NoWish,
    /// A body that is not in the scene.
    #[error("no body is called {name:?}; {}", meant(.nearest))]
    UnknownBody { name: String, nearest: Option<String> },
    /// A name that is no impact's.
    #[error(
        "{name:?} is no impact; write a pair and a number as in `box/floor#2`, or `box#2` for an impact with anything"
    )]
    NoImpact { name: String },
    /// Two bodies that never meet.
    #[error("{name:?}: {why}")]
    NoPair { name: String, why: &'static str },
    /// A time after the end.
    #[error("the motion ends at {duration} s, before {t} s; write an earlier time, or a longer duration")]
    AfterTheEnd { t: f64, duration: f64 },
    /// An apex of a body that does not fly, or without gravity.
    #[error("{body:?} has no apex: {why}")]
    NoApex { body: String, why: &'static str },
    /// A wish about the rotation of a particle.
    #[error("a particle does not turn; remove {field}")]
    DoesNotTurn { field: &'static str },
    /// A point given twice.
    #[error("{label:?} is a label, which has a point of its own; remove point, or write the body's name")]
    LabelHasPoint { label: String },
    /// Inside a body that has no inside.
    #[error("{body:?} declares no region; add `region = {{ kind = \"cylinder\", … }}` to it, or write a region here")]
    NoRegion { body: String },
    /// A text that is no equation of the state.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
}

impl GoalErrors {
    /// One line for each fault: `scenes/eggs.toml:12:9: …`.
    pub fn in_file(&self, source: &Source) -> String {
        let line = |error: &GoalError| source.message(&error.key, &error.problem);
        self.errors.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for GoalErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (index, GoalError { key, problem }) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{key}: {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for GoalErrors {}

fn meant(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => "write the name of a body".to_owned(),
    }
}
