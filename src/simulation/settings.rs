//! The tolerances of the simulation, each a multiple of a few base quantities: [`TOUCHING`] for lengths, [`GRAZING`] for speeds,
//! a part of a step for times, and how far a step may go for its lengths.
//!
//! Metres and seconds are those of the scene's own units (`model::units`). What only one search goes by, and changes no answer,
//! stands beside it: how often it tries, and where it looks.

use crate::geometry::TOUCHING;

// Lengths, m.

/// Contacts with a gap of at most this happen at the same instant, and a held pair that falls this deep below its level has
/// closed. With more, blows that follow each other would be one; with less, faces that land flat would land corner by corner.
pub const SIMULTANEOUS: f64 = 0.1 * TOUCHING;
/// How deep a pair in flight must dip below its level to count as closing; smaller dips are noise, and overlooked. It is met there
/// where it closes without approach. With more, bodies would graze each other unseen; with less, rounding would close what touches.
pub(super) const DIP: f64 = 0.025 * TOUCHING;
/// The same at the end of a search, where waiting for more depth would misplace the root.
pub(super) const DIP_AT_END: f64 = 10.0 * CLOSED;
/// Vertices as low as the lowest within this belong to the edge that looks along an axis, and elements whose gap is within this
/// of the separation have its axis for their normal. Only the length of search steps depends on it.
pub(super) const SAME_HEIGHT: f64 = 0.01 * TOUCHING;
/// Gaps that differ by less than this close together, a gap above it is open, one below its negative violated: faces that land flat,
/// what rises after an impact, what a projection leaves. It is some thousand roundings of a metre.
pub(super) const SAME_GAP: f64 = 1e-4 * TOUCHING;
/// Gaps below this are as good as zero: what Newton's last step of a projection leaves.
pub(super) const CLOSED: f64 = 1e-6 * TOUCHING;
/// Overlap from which something is wrong, a fifth of what is allowed: a step whose path sinks deeper into its contacts is halved, and a
/// pair that is deeper after a cut hides another feature. Boxes of candidates are wider by as much, and bodies nearer than this
/// may touch within a search. With more, bodies would sink visibly; with less, points that run fast would ask for ever shorter steps.
pub(super) const DEEP: f64 = 100.0 * TOUCHING;
/// How deep a held pair must be on the way, on the path as it is, before the path is projected to be sure.
pub(super) const SUSPECT: f64 = 2.0 * DEEP;
/// How deep a held pair may be along the path that it takes, where the projection bends it.
pub(super) const DEEPEST_PATH: f64 = 3.0 * DEEP;
/// A projection that moves a point farther has rows that contradict each other: better a small gap than a jump. So a cap
/// lies down from at most this height of its highest corner.
pub(super) const FARTHEST: f64 = 1e4 * TOUCHING;
/// A step whose end must be moved by more than this to be on the rims, sides and eggs that press is halved: what a rim touches
/// turns with the body, and a step that is cut must be put back on its contacts.
pub(super) const FARTHEST_OFF: f64 = 2000.0 * TOUCHING;

// Speeds, m/s. The usual impact is a million times as fast as the slowest of note.

/// An approach slower than this has no usable time derivative: the time divides by the speed. A velocity that changes by more in no
/// time was struck. With more, slow impacts lose their derivative; with less, derivatives lose their digits.
pub const GRAZING: f64 = 1e-6;
/// Contacts slower than this along the surface do not slide. With less, rounding would split steps where sliding ends.
pub(super) const SLIDING: f64 = 0.1 * GRAZING;
/// Normal speed of a held contact from which it lands during the step.
pub(super) const LANDING: f64 = 1e-5;
/// A pair all of whose contacts part faster than this does not meet.
pub(super) const SEPARATING: f64 = 1e-3 * GRAZING;
/// Below this speed of every point a body is at rest: what rounding leaves of zero. With more, what creeps would stop.
pub(super) const QUIET: f64 = 1e-4 * GRAZING;
/// Spins below this, rad/s, ask for no samples.
pub(super) const LEAST_SPIN: f64 = 1e-3 * GRAZING;

// Times.

/// Width (s) to which roots in flight are bracketed, near the spacing of f64 at a second.
pub(super) const ROOT_WIDTH: f64 = 2.5e-16;
/// Width (s) to which a closing is found on the projected path of a step, where gaps are rounded more.
pub(super) const CLOSING_WIDTH: f64 = 4.0 * ROOT_WIDTH;
/// Ends of steps nearer than this part of a step are one: a cell that ends sooner is over, and sliding that ends so near to an end of
/// a step does not split it.
pub(super) const SAME_END: f64 = 1e-7;
/// Contacts that stop within this part of a step of each other stop together; and a closing is placed this finely on the path as
/// it is, before the projected one is asked.
pub(super) const STOP_TOGETHER: f64 = 0.01 * SAME_END;
/// Length (s) of the windows in which candidate pairs are listed. Shorter windows list fewer pairs more often.
pub(super) const WINDOW: f64 = 1.0 / 16.0;

// How far a step goes.

/// No body turns further (rad) than this in a held step, unless it looks the same however it turns. A step is of second order
/// in the turn; half of it costs twice the steps of fast spins.
pub(crate) const LARGEST_TURN: f64 = 0.05;
/// The lowest point of a rim runs no further (rad) around on something flat in a step: cells of the time grid are halved for it. What
/// it misses of a circle is of second order in this; with half of it the whirl of a coin takes twice the steps.
pub(super) const LARGEST_RUN: f64 = 2.0 * LARGEST_TURN;
/// How often at most, to a thousandth of a step. A coin of a few centimetres asks for seven before it lies down.
pub(super) const MOST_HALVINGS: u32 = 10;
/// A step that gains more energy than this, of the energy of its motion and [`WEIGHT_SHARE`] of what it takes to lift each
/// body by its own size, is halved: a step is of second order, and half of it gains an eighth. Small bodies that topple
/// within a few steps need it. Who asks for steps longer than suit the smallest body accepts what they gain, as their cube.
pub(super) const LARGEST_GAIN: f64 = 2e-5;
/// That part.
pub(super) const WEIGHT_SHARE: f64 = 0.05;
/// A step that sinks, gains or is off is not made shorter than this part of what it would be.
pub(super) const SHORTEST_PART: f64 = 1.0 / 32.0;
/// The same where a rim, a side or an egg touches: the nearer a rim is to level, the faster its lowest point runs around.
pub(super) const SHORTEST_RIM: f64 = 1.0 / 256.0;
/// The same where the point runs around even faster, so far that it would be looked for on the wrong side.
pub(super) const SHORTEST_ROLL: f64 = 1.0 / 4096.0;

// Counts, within one cell of the time grid.

/// Impacts of one body after which restitution is zero, and caps are held by rim and corners at once: it rattles.
pub(super) const MAX_IMPACTS_IN_CELL: u32 = 12;
/// Impacts of a body from which its steps are made no shorter than others, and its low rims lie down however fast they are: a thin
/// body that a heavy one squeezes goes around faster than any step could follow.
pub(super) const CROWDED: u32 = 5 * MAX_IMPACTS_IN_CELL;
/// Times that a step is split because sliding ends.
pub(super) const MAX_SLIP_SPLITS: u32 = 4;
/// Steps in a row that a group must be at rest before it sleeps.
pub(super) const QUIET_STEPS: u32 = 2;
