//! The numbers a scene may hold: beyond these limits is a slip of the pen, not a scene.
//!
//! They keep products such as mass · length² far from the ends of f64, and lengths above the
//! tolerances of contact (1e-6 m of overlap is allowed at the start).

use std::fmt;

/// The largest scene file, bytes.
pub(super) const FILE_BYTES: u64 = 64 << 20;
/// The most `[[body]]` tables.
pub(super) const BODIES: usize = 100_000;
/// The most `[[control]]` tables.
pub(super) const CONTROLS: usize = 1_000_000;
/// The most `[[nail]]` tables.
pub(super) const NAILS: usize = 100_000;
/// The most points of one hull.
pub(super) const HULL_POINTS: usize = 10_000;
/// The most `[[shape]]` tables.
pub(super) const SHAPES: usize = 10_000;
/// The most parts of one compound.
pub(super) const PARTS: usize = 1000;
/// The most flat sides of a round shape.
pub(super) const SEGMENTS: u32 = 256;
/// The largest file of triangles, bytes.
pub(super) const MESH_BYTES: u64 = 256_000_000;
/// The most triangles of one mesh.
pub(super) const TRIANGLES: usize = 1_000_000;
/// The most convex pieces that a mesh is cut into.
pub(super) const PIECES: u32 = 256;
/// The most events of one motion.
pub(super) const EVENTS: u32 = 10_000_000;

/// The most `[[joint]]` or `[[force]]` tables.
pub(super) const JOINTS: usize = 100_000;
/// The most `[[track]]` tables, and keys of one.
pub(super) const TRACKS: usize = 10_000;
/// The most `[[label]]` tables.
pub(super) const LABELS: usize = 100_000;
/// The most variables.
pub(super) const VARIABLES: usize = 1000;
/// The most times between which one joint holds.
pub(super) const INTERVALS: usize = 100;
/// The most points of a path.
pub(super) const PATH_POINTS: usize = 10_000;

/// Where a number may lie, and its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowed {
    /// Least value.
    pub from: f64,
    /// Greatest value.
    pub to: f64,
    /// Whether the least value itself is refused.
    pub above: bool,
    /// Empty for dimensionless numbers.
    pub unit: &'static str,
}

const fn between(from: f64, to: f64, unit: &'static str) -> Allowed {
    Allowed { from, to, above: false, unit }
}

const fn above_zero(to: f64, unit: &'static str) -> Allowed {
    Allowed { from: 0.0, to, above: true, unit }
}

pub(super) const DURATION: Allowed = above_zero(1e5, "s");
pub(super) const TIME: Allowed = between(0.0, 1e5, "s");
pub(super) const STEP: Allowed = between(1e-5, 1.0, "s");
pub(super) const REST_SPEED: Allowed = between(1e-9, 1e3, "m/s");
pub(super) const ACCELERATION: Allowed = between(-1e5, 1e5, "m/s²");
pub(super) const LENGTH: Allowed = between(-1e9, 1e9, "m");
pub(super) const EXTENT: Allowed = between(1e-6, 1e9, "m");
pub(super) const SCALE: Allowed = above_zero(1e6, "");
pub(super) const ANGLE: Allowed = between(-1e9, 1e9, "rad");
pub(super) const VELOCITY: Allowed = between(-1e9, 1e9, "m/s");
/// A turn at the limit takes 60 µs: beyond it following the tumbling would take minutes.
pub(super) const SPIN: Allowed = between(-1e5, 1e5, "rad/s");
pub(super) const DIRECTION: Allowed = between(-1e9, 1e9, "");
pub(super) const DENSITY: Allowed = between(1e-9, 1e15, "kg/m³");
pub(super) const INERTIA: Allowed = between(1e-40, 1e40, "kg·m²");
pub(super) const RESTITUTION: Allowed = between(0.0, 1.0, "");
pub(super) const FRICTION: Allowed = between(0.0, 1e6, "");
pub(super) const ROLLING_RESISTANCE: Allowed = between(0.0, 1e3, "m");
pub(super) const WEIGHT: Allowed = above_zero(1e15, "");
/// Counts events of one motion.
pub(super) const NUMBER: Allowed = between(1.0, EVENTS as f64, "");
pub(super) const TIME_CONSTANT: Allowed = above_zero(1e5, "s");
/// How long a tie between two points may be.
pub(super) const TIE: Allowed = above_zero(1e9, "m");
/// How long a tie may become that does not stay as it is: one reeled in to nothing spins without bound.
pub(crate) const CHANGING_TIE: Allowed = between(1e-3, 1e9, "m");
pub(super) const NOT_NEGATIVE: Allowed = between(0.0, 1e15, "");
pub(super) const SPRING_LENGTH: Allowed = between(0.0, 1e9, "m");
pub(super) const FORCE: Allowed = between(-1e15, 1e15, "N");
pub(super) const TORQUE: Allowed = between(-1e15, 1e15, "N·m");
pub(super) const TRACK_VALUE: Allowed = between(-1e15, 1e15, "");
pub(super) const PARAMETER: Allowed = between(-1e15, 1e15, "");
/// Also the limits of a mass that follows from a density.
pub(crate) const MASS: Allowed = between(1e-15, 1e15, "kg");

impl Allowed {
    /// Whether a number lies within.
    pub fn contains(&self, value: f64) -> bool {
        let high_enough = if self.above { value > self.from } else { value >= self.from };
        high_enough && value <= self.to
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Allowed { from, to, .. } = *self;
        let preposition = if self.above { ("above", "and at most") } else { ("from", "to") };
        write!(formatter, "{} {} {} {}", preposition.0, Short(from), preposition.1, Short(to))
    }
}

/// A number as a person would write it: 0.1, 100000, 1e9.
pub(crate) struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-4..1e6).contains(&size) {
            write!(formatter, "{}", self.0)
        } else {
            write!(formatter, "{:e}", self.0)
        }
    }
}
