//! What can be wrong with joints, forces, tracks, labels and variables, said as advice.

use thiserror::Error;

use super::TrackSize;
use crate::scene::error::known_keys;
use crate::scene::limits::{Allowed, Short};

/// The kinds of faults, with their evidence.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "each variant's message says what its fields are")]
pub enum MachineProblem {
    /// A joint or force nobody knows.
    #[error("unknown {what} {kind:?}; {}", known_keys(.nearest, .known))]
    UnknownKind { what: &'static str, kind: String, nearest: Option<&'static str>, known: &'static [&'static str] },
    /// A word nobody knows.
    #[error("{field} is {word:?}; {}", known_keys(.nearest, .known))]
    UnknownWord { field: &'static str, word: String, nearest: Option<&'static str>, known: &'static [&'static str] },
    /// Described, read and checked, and not followed by the simulation.
    #[error("{what} are not simulated yet: remove this {part}")]
    NotSimulated { what: &'static str, part: &'static str },
    /// Something of a name that nothing has.
    #[error("no {what} is called {name:?}; {}", meant(.nearest, .what))]
    Unknown { what: &'static str, name: String, nearest: Option<String> },
    /// Two bodies where one is meant, and the other way round.
    #[error("{kind} needs {expected}")]
    WrongCount { kind: &'static str, expected: &'static str },
    /// Both ends in one place.
    #[error("both ends are on {body:?}; write two different bodies")]
    SameBody { body: String },
    /// Nothing that could give way.
    #[error("{bodies} cannot move; write a body that is not fixed")]
    CannotMove { bodies: String },
    /// A turn of what does not turn.
    #[error(
        "{body:?} is a particle and does not turn; write a point_to_point, pin, distance or spring, or a ball as its shape"
    )]
    NoTurn { body: String },
    /// Balls are meant.
    #[error("{body:?} is no ball; sphere_to_sphere keeps two balls touching")]
    NoBall { body: String },
    /// A point given twice.
    #[error("{label:?} is a label, which has a point of its own; remove {field}, or write the body's name")]
    LabelHasPoint { label: String, field: &'static str },
    /// Axes that point away from each other.
    #[error("the two axes point opposite ways at the start; write {field} the other way round, or turn a body")]
    Antiparallel { field: &'static str },
    /// Axes of an ellipse that are not at right angles.
    #[error(
        "the axes of the ellipse are not perpendicular: their angle is {degrees:.4}°; write two vectors at right angles"
    )]
    NotPerpendicular { degrees: f64 },
    /// A curve through too few points.
    #[error("the spline has {found} points; write at least {least}")]
    FewPoints { found: usize, least: usize },
    /// A curve that stands still.
    #[error("points {index} and {} of the spline are one; write different points", .index + 1)]
    SamePoints { index: usize },
    /// Keys that run backwards.
    #[error("key {} is at {t} s, not after the one before, at {before} s; write times that grow", .index + 1)]
    Backwards { index: usize, t: f64, before: f64 },
    /// A track without a value.
    #[error("a track needs at least one key; write `keys = [{{ t = 0, value = 1 }}]`")]
    NoKeys,
    /// Numbers among vectors.
    #[error("key {} is {found}, and the first is {expected}; write {expected} everywhere", .index + 1)]
    MixedKeys { index: usize, found: TrackSize, expected: TrackSize },
    /// A track of the wrong size.
    #[error("{field} needs a track of {}; the values of {track:?} are {}", .expected.plural(), .found.plural())]
    TrackSize { field: String, track: String, expected: TrackSize, found: TrackSize },
    /// Values that a number may not have.
    #[error("{field} follows {track:?}, which has the value {}; write values {allowed}", Short(*.value))]
    TrackValue { field: String, track: String, value: f64, allowed: Allowed },
    /// A jump where a body is moved.
    #[error("{track:?} jumps at key {}: `hold` would move the body in no time; write another ease", .index + 1)]
    JumpMoves { track: String, index: usize },
    /// A place given beside the track that says it.
    #[error("moved says where the body is: its {field} follows a track; remove this {field}")]
    TrackSaysWhere { field: &'static str },
    /// A body that stays and is moved.
    #[error("a fixed body stays where it is, and moved would move it; remove one of the two")]
    FixedAndMoved,
    /// A number that is none by itself.
    #[error("{field} cannot follow a track; write {expected}")]
    NoTrackHere { field: String, expected: &'static str },
    /// Times that run backwards.
    #[error("{field} begins at {begin} s and ends at {end} s; write a later end")]
    EmptyInterval { field: String, begin: f64, end: f64 },
    /// Times that overlap.
    #[error(
        "{field} begins at {begin} s, not after the one before, which ends at {before} s; write times apart from each other"
    )]
    Overlapping { field: String, begin: f64, before: f64 },
    /// No times at all.
    #[error("active is empty; write begin and end, such as [[0.0, 1.5]], or leave it out")]
    NeverActive,
    /// Limits the wrong way round.
    #[error("limits are [{low}, {high}]; write the lower one first")]
    ReversedLimits { low: f64, high: f64 },
    /// Limits that leave out nothing.
    #[error("limits are {} rad apart; write less than 2π, or leave them out", Short(*.span))]
    WideLimits { span: f64 },
    /// A stop that is passed before time begins.
    #[error("limits are [{low}, {high}], and the joint starts at 0; write limits around 0")]
    OutsideLimits { low: f64, high: f64 },
    /// A motor on something that has no axis.
    #[error("{joint:?} has no axis to drive; write the name of a hinge or slider")]
    NoAxis { joint: String },
    /// A motor that does nothing, or several things.
    #[error("a motor needs one of torque, speed and angle; {advice}")]
    OneDrive { advice: &'static str },
    /// A push that does nothing.
    #[error("a push needs a force or a torque; add `force = [0, 0, 1]`")]
    NoPush,
}

fn meant(nearest: &Option<String>, what: &str) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => format!("write the name of a [[{what}]]"),
    }
}
