//! The table of parameters: what each field of a body, of an impact, of the scene, of a joint, force, key or variable is.
//!
//! ```text
//! a parameter = (subject, field, member),    such as (mug, spin, x), (mug/floor#3, friction, –), (scene, gravity, y)
//! ```
//!
//! One row says all that holds of a field whatever its value does: its word in names and files, its members, which subjects
//! have it, whether the solver may change it unasked, its bounds, what a change of it costs, and how a person reads it. The
//! rows of a subject stand in the order of the control vector.
//!
//! What a value does is said in two places that stand side by side: `world` applies it, `world_derivative` has the
//! derivative. Where its first value comes from is `body`; reading names is `name`.

use super::subject::Subject;
use crate::geometry::Shape;
use crate::scene::{CHANGING_TIE, Drive};

/// What is said of a subject by a number, or by a few numbers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Centre of mass at the start, m.
    Position,
    /// World-frame exponential map about the file's rotation, rad.
    Rotation,
    /// Velocity at the start, m/s.
    Velocity,
    /// Angular velocity at the start, world frame, rad/s.
    Spin,
    /// kg; inertia follows it.
    Mass,
    /// Principal moments, kg·m².
    Inertia,
    /// Of all lengths, at constant density.
    Scale,
    /// Of a body, whose pairs have the mean; of an impact, instead of the mean.
    Restitution,
    /// Of a body, whose pairs have the mean; of an impact, instead of the mean.
    Friction,
    /// m; a pair has the mean.
    RollingResistance,
    /// Tilt of the normal, for all contacts of a half-space or for one impact.
    Normal,
    /// m/s².
    Gravity,
    /// Of the first body, in its frame, m.
    Point,
    /// Of the second body, in its frame, m.
    Second,
    /// A place of the world, m.
    To,
    /// Of a tie or spring, m.
    Length,
    /// τ of a joint, s.
    TimeConstant,
    /// Least and greatest angle of a hinge, rad.
    Limit,
    /// Least and greatest travel of a slider, m.
    Travel,
    /// Begin and end of each time at which a joint holds, s; two members for each.
    Active,
    /// Of a spring: N/m, or N·m/rad.
    Stiffness,
    /// Of a spring: N·s/m, or N·m·s/rad.
    Damping,
    /// c₁ of a drag, N·s/m.
    Linear,
    /// c₂ of a drag, N·s²/m².
    Quadratic,
    /// c₃ of a drag, N·m·s/rad.
    Angular,
    /// Of the air, m/s.
    Wind,
    /// Of a push, N.
    Force,
    /// Of a push, N·m.
    Torque,
    /// A motor's torque, N·m; along a slider, N.
    Drive,
    /// Of a motor, rad/s; along a slider, m/s.
    Speed,
    /// Of a motor.
    Gain,
    /// Of a motor, N·m; along a slider, N.
    MaxTorque,
    /// Of a key, s.
    Time,
    /// Of a key of a track of numbers.
    Value,
    /// Of a key of a track of vectors.
    Vector,
    /// A variable itself.
    Itself,
}

/// The kinds of subjects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Body,
    Impact,
    Scene,
    Joint,
    Force,
    Key,
    Variable,
}

/// What a body must be to have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// No track says where it is.
    HasPlace,
    /// No track says how it is turned.
    HasTurn,
    Moves,
    Turns,
    IsBounded,
    IsHalfSpace,
}

/// What is physical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounds {
    None,
    /// From 0 to 1.
    Share,
    NotNegative,
    /// Above 0.
    Positive,
    /// Above 0, however small the value in the file is.
    PositivePart,
    /// Long enough for a tie that changes, or as short as in the file.
    Tie,
}

/// What a unit of it moves, roughly: s of `parameter`'s (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// As much as its value says: metres, metres per second, parts.
    One,
    /// As far as the body's radius of gyration.
    Gyration,
    /// What counts is its change relative to its value.
    Relative,
    /// The same, of what may be zero: values below a thousandth count as that.
    RelativeAbove,
}

/// Where the scene file has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saved {
    /// In the subject's field of this word, as it is.
    InField,
    /// In that field too, but not as it is, or not alone: `session` says how it is written.
    WithOthers,
    /// Only in a `[[control]]`.
    InControl,
}

/// One row of the table.
#[derive(Debug)]
pub(super) struct Row {
    pub owner: Owner,
    pub field: Field,
    /// In names and in files.
    pub word: &'static str,
    /// None for a field that is one number.
    pub members: &'static [&'static str],
    /// The first that does not hold says why the field is absent.
    pub needs: &'static [Condition],
    /// Whether that of a moving body is free unless a control locks it.
    pub is_free: bool,
    pub bounds: Bounds,
    pub reach: Reach,
    pub saved: Saved,
    /// Empty where it has none.
    pub unit: &'static str,
    /// What a person calls it, where that is not the word.
    pub label: &'static str,
    /// What a person should know of it.
    pub note: &'static str,
}

const AXES: &[&str] = &["x", "y", "z"];
const TILTS: &[&str] = &["1", "2"];
const LIMITS: &[&str] = &["low", "high"];
/// Of each of the times at which a joint holds; names have its number before them.
const BORDERS: &[&str] = &["start", "end"];
/// What a turn is measured from.
const TURN: &str =
    "An exponential map in the axes of the world, on top of the rotation in the file; saving folds it in.";

/// A field of which nothing is known; the rows say in what they differ.
const PLAIN: Row = Row {
    owner: Owner::Body,
    field: Field::Position,
    word: "",
    members: &[],
    needs: &[],
    is_free: false,
    bounds: Bounds::None,
    reach: Reach::One,
    saved: Saved::InControl,
    unit: "",
    label: "",
    note: "",
};

const BODY: Row = Row { owner: Owner::Body, saved: Saved::InField, ..PLAIN };
const IMPACT: Row = Row { owner: Owner::Impact, saved: Saved::InControl, ..PLAIN };
const SCENE: Row = Row { owner: Owner::Scene, saved: Saved::InField, ..PLAIN };
const JOINT: Row = Row { owner: Owner::Joint, saved: Saved::InField, ..PLAIN };
const FORCE: Row = Row { owner: Owner::Force, saved: Saved::InField, reach: Reach::RelativeAbove, ..PLAIN };
const KEY: Row = Row { owner: Owner::Key, saved: Saved::InField, ..PLAIN };
const VARIABLE: Row = Row { owner: Owner::Variable, saved: Saved::InField, reach: Reach::RelativeAbove, ..PLAIN };

/// A body's `inertia` field in the file also says that its principal axes are its own, so that the moments of a turned frame
/// stand in a `[[control]]`.
///
/// Which fields of the table a joint or force has depends on its kind (`machine`). Two fields may have one word where no
/// subject has both. What a change of a track's value costs depends on what follows it (`machine`).
static TABLE: [Row; 45] = {
    use Bounds::{NotNegative, Positive, PositivePart, Share};
    use Condition::{HasPlace, HasTurn, IsBounded, IsHalfSpace, Moves, Turns};
    use Field::*;
    use Reach::{Gyration, One, Relative};
    use Saved::{InControl, WithOthers};
    [
        Row { field: Position, word: "position", members: AXES, needs: &[HasPlace], unit: "m", ..BODY },
        Row {
            field: Rotation,
            word: "rotation",
            members: AXES,
            needs: &[Turns, HasTurn],
            is_free: true,
            reach: Gyration,
            saved: WithOthers,
            unit: "rad",
            label: "turn",
            note: TURN,
            ..BODY
        },
        Row { field: Velocity, word: "velocity", members: AXES, needs: &[Moves], is_free: true, unit: "m/s", ..BODY },
        Row {
            field: Spin,
            word: "spin",
            members: AXES,
            needs: &[Turns, Moves],
            is_free: true,
            reach: Gyration,
            unit: "rad/s",
            ..BODY
        },
        Row {
            field: Mass,
            word: "mass",
            needs: &[Moves],
            bounds: PositivePart,
            reach: Relative,
            saved: WithOthers,
            unit: "kg",
            ..BODY
        },
        Row {
            field: Inertia,
            word: "inertia",
            members: AXES,
            needs: &[Turns, Moves],
            bounds: PositivePart,
            reach: Relative,
            saved: InControl,
            unit: "kg·m²",
            ..BODY
        },
        Row { field: Scale, word: "scale", needs: &[Turns, IsBounded], bounds: Positive, saved: InControl, ..BODY },
        Row { field: Restitution, word: "restitution", bounds: Share, ..BODY },
        Row { field: Friction, word: "friction", bounds: NotNegative, ..BODY },
        Row {
            field: RollingResistance,
            word: "rolling_resistance",
            bounds: NotNegative,
            unit: "m",
            label: "rolling resistance",
            ..BODY
        },
        Row {
            field: Normal,
            word: "normal",
            members: TILTS,
            needs: &[IsHalfSpace],
            saved: InControl,
            label: "tilt of the normal",
            ..BODY
        },
        Row { field: Normal, word: "normal", members: TILTS, ..IMPACT },
        Row { field: Restitution, word: "restitution", bounds: Share, ..IMPACT },
        Row { field: Friction, word: "friction", bounds: NotNegative, ..IMPACT },
        Row { field: Gravity, word: "gravity", members: AXES, unit: "m/s²", ..SCENE },
        Row { field: Point, word: "point", members: AXES, unit: "m", ..JOINT },
        Row { field: Second, word: "second", members: AXES, unit: "m", label: "second point", ..JOINT },
        Row { field: To, word: "to", members: AXES, unit: "m", ..JOINT },
        Row { field: Rotation, word: "rotation", members: AXES, reach: Gyration, unit: "rad", ..JOINT },
        Row { field: Length, word: "length", bounds: Bounds::Tie, unit: "m", ..JOINT },
        Row {
            field: TimeConstant,
            word: "time_constant",
            bounds: PositivePart,
            unit: "s",
            label: "time constant",
            ..JOINT
        },
        Row { field: Limit, word: "limit", members: LIMITS, reach: Gyration, unit: "rad", ..JOINT },
        Row { field: Travel, word: "limit", members: LIMITS, unit: "m", ..JOINT },
        Row { field: Active, word: "active", members: BORDERS, bounds: NotNegative, unit: "s", ..JOINT },
        Row { field: Point, word: "point", members: AXES, reach: One, unit: "m", ..FORCE },
        Row { field: Second, word: "second", members: AXES, reach: One, unit: "m", label: "second point", ..FORCE },
        Row { field: To, word: "to", members: AXES, reach: One, unit: "m", ..FORCE },
        Row { field: Stiffness, word: "stiffness", bounds: NotNegative, ..FORCE },
        Row { field: Damping, word: "damping", bounds: NotNegative, ..FORCE },
        Row { field: Length, word: "length", bounds: PositivePart, reach: One, unit: "m", ..FORCE },
        Row { field: Rotation, word: "rotation", members: AXES, reach: Gyration, unit: "rad", ..FORCE },
        Row { field: Linear, word: "linear", bounds: NotNegative, unit: "N·s/m", ..FORCE },
        Row { field: Quadratic, word: "quadratic", bounds: NotNegative, unit: "N·s²/m²", ..FORCE },
        Row { field: Angular, word: "angular", bounds: NotNegative, unit: "N·m·s/rad", ..FORCE },
        Row { field: Wind, word: "wind", members: AXES, unit: "m/s", ..FORCE },
        Row { field: Force, word: "force", members: AXES, unit: "N", ..FORCE },
        Row { field: Torque, word: "torque", members: AXES, unit: "N·m", ..FORCE },
        Row { field: Drive, word: "torque", ..FORCE },
        Row { field: Speed, word: "speed", ..FORCE },
        Row { field: Gain, word: "gain", bounds: NotNegative, ..FORCE },
        Row { field: MaxTorque, word: "max_torque", bounds: NotNegative, label: "greatest torque", ..FORCE },
        Row { field: Value, word: "value", ..KEY },
        Row { field: Vector, word: "value", members: AXES, ..KEY },
        Row { field: Time, word: "time", bounds: NotNegative, unit: "s", ..KEY },
        Row { field: Itself, ..VARIABLE },
    ]
};

/// Where each field of each owner stands in the table.
const PLACES: [[u8; FIELDS]; OWNERS] = places();
const FIELDS: usize = Field::Itself as usize + 1;
const OWNERS: usize = Owner::Variable as usize + 1;

const fn places() -> [[u8; FIELDS]; OWNERS] {
    let mut places = [[u8::MAX; FIELDS]; OWNERS];
    let mut place = 0;
    while place < TABLE.len() {
        let row = &TABLE[place];
        places[row.owner as usize][row.field as usize] = place as u8;
        place += 1;
    }
    places
}

impl Owner {
    pub fn of(subject: Subject) -> Owner {
        match subject {
            Subject::Body(_) => Owner::Body,
            Subject::Impact { .. } => Owner::Impact,
            Subject::Scene => Owner::Scene,
            Subject::Joint(_) => Owner::Joint,
            Subject::Force(_) => Owner::Force,
            Subject::Key(_) => Owner::Key,
            Subject::Variable(_) => Owner::Variable,
        }
    }

    /// Its fields, in the order of the control vector.
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        TABLE.iter().filter(move |row| row.owner == self)
    }

    /// The field of a word.
    pub fn row(self, word: &str) -> Option<&'static Row> {
        self.rows().find(|row| row.word == word)
    }

    /// All its words.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.rows().map(|row| row.word)
    }
}

impl Field {
    /// Its place in the table, for one owner; after all others where it has none.
    pub(super) fn place(self, owner: Owner) -> u8 {
        PLACES[owner as usize][self as usize]
    }

    /// What is known of it, for one owner.
    pub(super) fn row(self, owner: Owner) -> &'static Row {
        /// No subject has such a parameter: nothing makes its role.
        static UNKNOWN: Row = PLAIN;
        TABLE.get(usize::from(self.place(owner))).unwrap_or(&UNKNOWN)
    }
}

impl Row {
    /// What a body lacks that has it not: what moves it, and its shape, say that.
    pub fn missing(&self, drive: Drive, shape: &Shape) -> Option<Condition> {
        self.needs.iter().copied().find(|condition| !condition.holds(drive, shape))
    }

    /// How many numbers it is.
    pub fn count(&self) -> u8 {
        self.members.len().max(1) as u8
    }
}

impl Condition {
    fn holds(self, drive: Drive, shape: &Shape) -> bool {
        match self {
            Condition::HasPlace => drive.guide().is_none_or(|guide| guide.position.is_none()),
            Condition::HasTurn => drive.guide().is_none_or(|guide| guide.rotation.is_none()),
            Condition::Moves => drive.is_pushed(),
            Condition::Turns => *shape != Shape::Particle,
            Condition::IsBounded => !matches!(shape, Shape::HalfSpace { .. }),
            Condition::IsHalfSpace => matches!(shape, Shape::HalfSpace { .. }),
        }
    }

    /// What a body is of which it does not hold, as in "a fixed body has no velocity".
    pub fn kind_without(self, drive: Drive) -> &'static str {
        match self {
            Condition::HasPlace | Condition::HasTurn => "a body that a track moves",
            Condition::Moves if drive.never_moves() => "a fixed body",
            Condition::Moves => "a body moved by tracks",
            Condition::Turns => "a particle",
            Condition::IsBounded => "a half_space",
            Condition::IsHalfSpace => "a body that is no half_space",
        }
    }
}

/// Values that may be zero count as no smaller than this.
const SMALLEST: f64 = 1e-3;

/// "Above 0" as a bound the solver can stand on: this part of the value in the file.
const LEAST_PART: f64 = 1e-12;

impl Bounds {
    /// Least and greatest value; `value` is the one in the file.
    pub fn of(self, value: f64) -> (f64, f64) {
        match self {
            Bounds::None => (f64::NEG_INFINITY, f64::INFINITY),
            Bounds::Share => (0.0, 1.0),
            Bounds::NotNegative => (0.0, f64::INFINITY),
            Bounds::Positive => (LEAST_PART, f64::INFINITY),
            Bounds::PositivePart => (LEAST_PART * value, f64::INFINITY),
            Bounds::Tie => (CHANGING_TIE.from.min(value), f64::INFINITY),
        }
    }
}

impl Reach {
    /// s of a parameter of this value, of a body with this radius of gyration.
    pub fn of(self, value: f64, gyration: f64) -> f64 {
        match self {
            Reach::Gyration => gyration,
            // Doubling a mass or a moment costs the same whatever it is: the motion depends on ratios of them.
            Reach::Relative if value != 0.0 => 1.0 / value.abs(),
            Reach::RelativeAbove => 1.0 / value.abs().max(SMALLEST),
            Reach::One | Reach::Relative => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_owner_and_field() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(usize::from(row.field.place(row.owner)), place, "{row:?}");
            assert!(std::ptr::eq(row.field.row(row.owner), row), "{row:?}");
            // Of two fields of one word, a subject has one.
            let named = row.owner.rows().filter(|other| other.word == row.word).count();
            let shared = ["limit", "torque", "value"].contains(&row.word);
            assert_eq!(named, if shared { 2 } else { 1 }, "{row:?}");
        }
    }

    #[test]
    fn rows_of_an_owner_stand_side_by_side() {
        let owners: Vec<usize> = TABLE.iter().map(|row| row.owner as usize).collect();
        assert!(owners.is_sorted(), "{owners:?}");
    }
}
