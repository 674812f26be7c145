//! What can be wrong with a scene file, said as advice.

use std::fmt;

use thiserror::Error;

use super::limits::{Allowed, HULL_POINTS, Short};
use super::machine::{MachineProblem, UnknownVariable};
use super::mesh::MeshProblem;
use super::reader::Finding;
use super::source::{Place, Source};
use crate::math::formula;

/// More faults than this have one cause; the rest are only counted.
const MOST_ERRORS: usize = 100;

/// The faults found in one scene file, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneFileError {
    /// The file, as messages show it.
    pub path: String,
    /// At least one, at most 100.
    pub errors: Vec<SceneError>,
    /// How many more there are.
    pub left_out: usize,
}

/// One fault.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// Absent where the file as a whole is at fault.
    pub place: Option<Place>,
    /// The field at fault, such as `body[0].shape.radius`; empty for the file as a whole.
    pub key: String,
    /// What the field belongs to, such as `body "egg"`; may be empty.
    pub subject: String,
    /// What is wrong.
    pub problem: Problem,
}

/// The kinds of faults, with their evidence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum Problem {
    /// The operating system refused.
    #[error("cannot read the file: {reason}")]
    Unreadable { reason: String },
    /// Longer than any scene.
    #[error("the file is too long; write a scene of at most {limit} bytes")]
    TooLarge { limit: u64 },
    /// Bytes that are no text.
    #[error("this is not text; save the file as UTF-8")]
    NotText,
    /// Not TOML.
    #[error("this is not TOML: {message}")]
    Syntax { message: String },
    /// A file of another program or version.
    #[error("format is {found}; write `format = 1`, the only one this program reads")]
    UnknownFormat { found: String },
    /// A field that has no default.
    #[error("{field} is missing; add `{example}`")]
    Missing { field: String, example: &'static str },
    /// A field nobody reads.
    #[error("unknown key `{key}`; {}", known_keys(.nearest, .known))]
    UnknownKey { key: String, nearest: Option<&'static str>, known: &'static [&'static str] },
    /// Described by the design, absent from the program.
    #[error("{what} are not supported yet: remove this {part}")]
    Unsupported { what: &'static str, part: &'static str },
    /// Text where a number should be, and the like.
    #[error("{field} is {found}; write {expected}")]
    WrongType { field: String, found: &'static str, expected: &'static str },
    /// A vector with too few or too many entries.
    #[error("{field} has {found} entries; write {expected}")]
    WrongLength { field: String, found: usize, expected: usize },
    /// NaN or infinity.
    #[error("{field} is not a finite number; write a number {allowed}")]
    NotFinite { field: String, allowed: Allowed },
    /// A number no scene can mean.
    #[error("{field} is {}{}; write a number {allowed}", Short(*.value), unit(.allowed))]
    OutOfRange { field: String, value: f64, allowed: Allowed },
    /// More tables or points than any scene.
    #[error("{field} has {found} entries; write at most {limit}")]
    TooMany { field: String, found: usize, limit: usize },
    /// A name that cannot be part of a parameter's name.
    #[error("name is {name:?}; {rule}")]
    BadName { name: String, rule: NameRule },
    /// Two things of one name.
    #[error("the name {name:?} is taken by {first}; write another")]
    DuplicateName { name: String, first: String },
    /// A shape nobody knows.
    #[error("unknown shape {kind:?}; {}", known_keys(.nearest, .known))]
    UnknownShape { kind: String, nearest: Option<&'static str>, known: &'static [&'static str] },
    /// A shape of a name that no `[[shape]]` has.
    #[error("no [[shape]] is called {name:?}; {}", named_shape(.nearest))]
    NoSuchShape { name: String, nearest: Option<String> },
    /// Two named shapes of one name.
    #[error("another [[shape]] is called {name:?}; write another name")]
    DuplicateShape { name: String },
    /// A shape that cannot be fixed to others.
    #[error("{kind} cannot be a part of a compound; write its parts, or a ball, cuboid, capsule, hull…")]
    NoPart { kind: &'static str },
    /// A compound of nothing.
    #[error("a compound needs at least one part; write `{example}`")]
    NoParts { example: &'static str },
    /// Parts without an inside.
    #[error("the parts have no volume that could be told from rounding")]
    NoVolume,
    /// A wall that leaves no hole.
    #[error("thickness is {thickness} m; write less than the radius, {radius} m")]
    ThickWall { thickness: f64, radius: f64 },
    /// A wall that turns back or around more than once.
    #[error(
        "arc is not a part of a circle; write two angles, the larger one second, at most 2π apart and a third of a circle for each segment"
    )]
    BadArc,
    /// A file of triangles that cannot be used.
    #[error("{0}")]
    Mesh(MeshProblem),
    /// Two fields that exclude each other.
    #[error("both mass and density are given; keep one of them")]
    MassAndDensity,
    /// Moments that no solid has.
    #[error(
        "inertia has {} > {} + {}, which no solid has; write moments of which none exceeds the sum of the others",
        Short(*.largest), Short(.others[0]), Short(.others[1])
    )]
    ImpossibleInertia { largest: f64, others: [f64; 2] },
    /// A hull without an inside.
    #[error(
        "the {count} points span no volume, or a very thin one; write 4 to {HULL_POINTS} points that do not lie in one plane"
    )]
    FlatHull { count: usize },
    /// A direction that is none.
    #[error("{field} is zero; write a direction such as [0, 1, 0]")]
    ZeroDirection { field: String },
    /// A half-space that would fall.
    #[error("a half_space must be fixed = true")]
    MovingHalfSpace,
    /// A wish about nobody.
    #[error("{wish} needs a body; add `body = \"box\"`")]
    NailWithoutBody { wish: &'static str },
    /// A body that is not in the scene.
    #[error("no body is called {name:?}; {}", nearest_body(.nearest))]
    UnknownBody { name: String, nearest: Option<String> },
    /// A side of an impact nobody knows.
    #[error("side is {word:?}; write \"before\" or \"after\"")]
    UnknownSide { word: String },
    /// A region nobody knows.
    #[error("unknown region {kind:?}; {}", known_keys(.nearest, .known))]
    UnknownRegion { kind: String, nearest: Option<&'static str>, known: &'static [&'static str] },
    /// A field that this kind of body, joint or force has no use for.
    #[error("{kind} has no {field}; remove it")]
    Meaningless { kind: &'static str, field: &'static str },
    /// A text that is no formula of the scene's variables.
    #[error("{field}, character {column}: {problem}")]
    Formula { field: String, column: usize, problem: formula::Problem<UnknownVariable> },
    /// What is wrong with a joint, force, track or variable.
    #[error(transparent)]
    Machine(#[from] MachineProblem),
}

/// What makes a name fit to be part of a parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameRule {
    /// No letters at all.
    #[error("write at least one letter")]
    NotEmpty,
    /// A sign with a meaning in parameter names, or one that cannot be seen.
    #[error("leave out {0:?}: parameter names give it a meaning")]
    Without(char),
    /// Blanks at the ends.
    #[error("leave out the blanks at its ends")]
    Trimmed,
    /// The name of something else.
    #[error("write another: it would be confused with the scene's gravity")]
    NotGravity,
    /// A variable that expressions could not name.
    #[error("write a letter, then letters, digits and _: expressions name it")]
    Identifier,
    /// A variable of the name of a function.
    #[error("write another: expressions know it as a function or number")]
    NotFunction,
}

impl SceneFileError {
    /// The files it names that lead out of its folder, which a person may allow.
    pub fn outside(&self) -> Vec<&str> {
        let problems = self.errors.iter().map(|error| &error.problem);
        let outside = problems.filter_map(|problem| match problem {
            Problem::Mesh(MeshProblem::LeadsOutside { file }) => Some(file.as_str()),
            _ => None,
        });
        outside.collect()
    }

    pub(super) fn of_file(path: &str, problem: Problem) -> SceneFileError {
        let error = SceneError { place: None, key: String::new(), subject: String::new(), problem };
        SceneFileError { path: path.to_owned(), errors: vec![error], left_out: 0 }
    }

    pub(super) fn not_text(path: &str, bytes: &[u8], offset: usize) -> SceneFileError {
        let text = String::from_utf8_lossy(&bytes[..offset]);
        SceneFileError::at(&Source::new(path, &text), offset, Problem::NotText)
    }

    pub(super) fn at(source: &Source, offset: usize, problem: Problem) -> SceneFileError {
        let finding = Finding { offset, key: String::new(), subject: String::new(), problem };
        SceneFileError::of_findings(source, vec![finding])
    }

    pub(super) fn of_findings(source: &Source, mut findings: Vec<Finding>) -> SceneFileError {
        findings.sort_by_key(|finding| finding.offset);
        let left_out = findings.len().saturating_sub(MOST_ERRORS);
        findings.truncate(MOST_ERRORS);
        let place = |offset| Some(Place::of(source.text(), offset));
        let errors = findings
            .into_iter()
            .map(|Finding { offset, key, subject, problem }| SceneError { place: place(offset), key, subject, problem })
            .collect();
        SceneFileError { path: source.path().to_owned(), errors, left_out }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if !self.subject.is_empty() {
            write!(formatter, "{}: ", self.subject)?;
        }
        write!(formatter, "{}", self.problem)
    }
}

impl fmt::Display for SceneFileError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{}:", self.path)?;
            if let Some(Place { line, column }) = error.place {
                write!(formatter, "{line}:{column}:")?;
            }
            write!(formatter, " {error}")?;
        }
        if self.left_out > 0 {
            write!(formatter, "\n{}: and {} more", self.path, self.left_out)?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneFileError {}

pub(super) fn known_keys(nearest: &Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("write one of {}", known.join(", ")),
    }
}

fn named_shape(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => "write a [[shape]] table with that name, or a table here".to_owned(),
    }
}

pub(super) fn nearest_body(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => "write the name of a [[body]]".to_owned(),
    }
}

fn unit(allowed: &Allowed) -> String {
    if allowed.unit.is_empty() { String::new() } else { format!(" {}", allowed.unit) }
}
