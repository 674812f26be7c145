//! What can be wrong with a scene's bodies and controls, said as advice.

use std::fmt;

use thiserror::Error;

use crate::math::elementary::log10;
use crate::scene::{Allowed, CHANGING_TIE, Short, Source};

/// Every fault found while building a model; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelErrors {
    /// In the order of the file.
    pub errors: Vec<ModelError>,
}

/// One fault and the scene's field it stands in.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{problem}")]
pub struct ModelError {
    /// Such as `control[2].parameter`; [`Source::place`] turns it into a line.
    pub key: String,
    /// What is wrong.
    pub problem: ModelProblem,
}

/// The kinds of faults, with their evidence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum ModelProblem {
    /// A name that means nothing in this scene.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A value that belongs into a field of the scene.
    #[error("the value of {name} has a place of its own; write it in the {owner}'s `{field}` field")]
    HasField { name: String, owner: &'static str, field: &'static str },
    /// A weight that does not weigh.
    #[error("the weight of {name} is {weight}; write a number above 0")]
    BadWeight { name: String, weight: f64 },
    /// Bounds the wrong way round.
    #[error("the bounds of {name} are [{}, {}]; write the smaller one first", .bounds[0], .bounds[1])]
    ReversedBounds { name: String, bounds: [f64; 2] },
    /// Bounds outside what is physical.
    #[error("the bounds of {name} are [{}, {}]; write bounds that overlap {}", .bounds[0], .bounds[1], Interval(*.implied))]
    EmptyBounds { name: String, bounds: [f64; 2], implied: (f64, f64) },
    /// A value that its own bounds forbid.
    #[error("{name} is {value}; write bounds that include it, or a value {}", Interval(*.bounds))]
    OutsideBounds { name: String, value: f64, bounds: (f64, f64) },
    /// A variable on which more depends than a derivative can follow.
    #[error("{name} cannot be free: {key} is a formula of it and is the same in every motion; write a number there")]
    FixedVariable { name: String, key: String },
    /// A tie that would become nothing.
    #[error("{name} cannot be free: it is {value} m, and a tie that changes needs {} m; write a longer one", CHANGING_TIE.from)]
    ShortTie { name: String, value: f64 },
    /// Described and not simulated.
    #[error("{what} are not simulated yet: remove this")]
    NotSimulated { what: &'static str },
    /// Joints that contradict each other, or are too far from each other.
    #[error("the start cannot be assembled: {} however bodies are moved; move them nearer to where they belong, or remove a joint", apart(.joints))]
    NotAssembled { joints: Vec<(String, f64)> },
    /// Two bodies in one place.
    #[error("{body:?} and {other:?} overlap by {} m at the start; move one of them", Readable(*.depth))]
    Overlap { body: String, other: String, depth: f64 },
    /// A hull without an inside.
    #[error("the hull's points do not span a volume; write points that do not lie in one plane")]
    NoVolume,
    /// A density that makes no sense at this size.
    #[error("a density of {density} kg/m³ and a volume of {volume:e} m³ give {mass:e} kg; write a mass {allowed}")]
    ImpossibleMass { mass: f64, density: f64, volume: f64, allowed: Allowed },
}

/// Why a name is no parameter's.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum NameError {
    /// Nothing of that name.
    #[error("no parameter is called {name:?}; {}", advice(.nearest))]
    UnknownParameter { name: String, nearest: Option<String> },
    /// The body exists, the parameter does not.
    #[error("{name:?}: {kind} has no {field}")]
    Absent { name: String, kind: &'static str, field: String },
    /// An impact with anything.
    #[error("{name:?} means an impact with anything; name both bodies, as in `{body}/floor#{number}.normal`")]
    AnyPartner { name: String, body: String, number: String },
    /// A pair without an impact.
    #[error("{name:?} does not say which impact; write `{pair}#1` for the first, `{pair}#*` for all")]
    NoNumber { name: String, pair: String },
    /// A pair that cannot meet.
    #[error("{name:?}: {why}")]
    NoPair { name: String, why: &'static str },
    /// A group where one parameter is wanted.
    #[error("{name:?} is a group of {}; name one of them", .members.join(", "))]
    Group { name: String, members: Vec<String> },
    /// A number that something else gives.
    #[error("{name:?} is no parameter: {why}")]
    NotOwn { name: String, why: String },
    /// A parameter of an impact that no control mentions.
    #[error("{name:?} is not in the control vector; add a [[control]] with this parameter")]
    NotMentioned { name: String },
}

/// Why a value cannot be set.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum SetError {
    /// Not one parameter's name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A variable on which more depends than the motion.
    #[error("{name} cannot be changed here: {key} is a formula of it; write another value in the file")]
    Fixed { name: String, key: String },
    /// NaN, infinity or out of bounds.
    #[error("{name} cannot be {value}; write a number {}", Interval(*.bounds))]
    Value { name: String, value: f64, bounds: (f64, f64) },
}

impl ModelErrors {
    /// One line for each fault: `scenes/eggs.toml:12:9: …`.
    pub fn in_file(&self, source: &Source) -> String {
        let line = |error: &ModelError| source.message(&error.key, &error.problem);
        self.errors.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for ModelErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (index, ModelError { key, problem }) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{key}: {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ModelErrors {}

fn advice(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "names look like `box.spin.x`, `box/floor#1.normal` and `gravity.y`".to_owned(),
    }
}

/// `"pin" stays 0.100 apart`, of each joint.
fn apart(joints: &[(String, f64)]) -> String {
    let each = |(name, by): &(String, f64)| format!("{name:?} stays {} m or rad apart", Readable(*by));
    joints.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// A number to three digits where it can be written out, else as a power of ten: 1.00, 17.8, 3.2e-6.
struct Readable(f64);

impl fmt::Display for Readable {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if !(1e-3..1e6).contains(&self.0.abs()) {
            return write!(formatter, "{:.1e}", self.0);
        }
        let decimals = (2.0 - log10(self.0.abs()).floor()).max(0.0) as usize;
        write!(formatter, "{:.decimals$}", self.0)
    }
}

/// Bounds as a person would say them.
struct Interval((f64, f64));

impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let (low, high) = self.0;
        match (low.is_finite(), high.is_finite()) {
            (true, true) => write!(formatter, "from {} to {}", Short(low), Short(high)),
            (true, false) => write!(formatter, "from {} up", Short(low)),
            (false, true) => write!(formatter, "up to {}", Short(high)),
            (false, false) => write!(formatter, "that is finite"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_told_in_digits_a_person_reads() {
        for (depth, expected) in [
            (1.0, "1.00"),
            (17.81, "17.8"),
            (1234.5, "1234"),
            (0.0123, "0.0123"),
            (0.001, "0.00100"),
            (3.21e-6, "3.2e-6"),
        ] {
            let problem = ModelProblem::Overlap { body: "a".to_owned(), other: "b".to_owned(), depth };
            let expected = format!("\"a\" and \"b\" overlap by {expected} m at the start; move one of them");
            assert_eq!(problem.to_string(), expected);
        }
    }
}
