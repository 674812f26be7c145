//! Which times of a motion a file keeps, so that what another program draws between them is still the motion.
//!
//! ```text
//! linear   keys at the frames k/fps, at each instant where something happens to the body, and between them
//!          where the chord would leave the path by more than the tolerance: |x − chord| ≤ ε, angle ≤ ε_θ       (1)
//! cubic    keys at the instants; between them where the cubic with the true velocities leaves the path         (2)
//! both     no step turns the body by more than 20°                                                             (3)
//! ```
//!
//! A flight under gravity is a parabola, so (2) needs no key between its ends. For a parabola the chord's error falls as
//! the square of the step: n = ⌈√(error/ε)⌉ steps meet (1), and each is looked at again. (3) is for programs that turn
//! the short way round or interpolate the four numbers of a quaternion one by one: at 20° those are 1e-4 rad off at most.
//!
//! Places and orientations get their keys apart: a ball in flight needs many of one and few of the other.

use super::curve::{Joining, Knot, place_between, turn_between};
use crate::dynamics::BodyState;
use crate::math::rotation;
use crate::simulation::BodyCurve;

/// No step between keys turns a body further, rad.
pub const LARGEST_TURN: f64 = 20.0 * std::f64::consts::PI / 180.0;
/// Divisions of one step one after another: 2¹² parts and more. Where that is not enough the path itself is rough.
const DEEPEST: u32 = 12;
/// Parts that one division makes at most; those that are still too long are divided again.
const MOST_PARTS: f64 = 1024.0;
/// A frame that is nearer than this to an instant, s, is that instant: times that differ by rounding alone are one in files
/// that count in frames.
const ONE_TIME: f64 = 1e-12;
/// Where a step is compared with the path, as shares of it.
const LOOKS: [f64; 5] = [0.125, 0.3, 0.5, 0.7, 0.875];

/// How a reader goes from key to key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight for places, along the great arc for orientations.
    Linear,
    /// By cubics with the velocity at each end.
    Cubic,
}

/// What decides where keys are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Frames a second.
    pub fps: f64,
    /// How a reader will go from key to key.
    pub interpolation: Interpolation,
    /// Furthest that an interpolated place may be from the true one, m; usually 5e-5. Larger values make smaller
    /// files, in which fast bodies cut corners between frames.
    pub tolerance: f64,
    /// Furthest that an interpolated orientation may be from the true one, rad; usually 5e-4.
    pub angle_tolerance: f64,
    /// Frames nearer than this to an instant of the body are left out, s; 0 where readers keep keys however close.
    pub spacing: f64,
}

/// Why a key is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A frame, the start or the end.
    Frame,
    /// Something happens to the body.
    Instant,
    /// The step would be too long.
    Between,
}

/// One time that is kept, with both sides of it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// s.
    pub t: f64,
    /// Why it is kept.
    pub reason: Reason,
    /// Just before.
    pub before: BodyState,
    /// Just after; differs in the velocities where the body was struck.
    pub after: BodyState,
}

/// The keys of one body.
#[derive(Clone, Debug)]
pub struct BodyKeys {
    /// For its place.
    pub places: Vec<Key>,
    /// For its orientation.
    pub turns: Vec<Key>,
}

impl Sampling {
    /// The times k/fps of a motion, and its end.
    pub fn frames(&self, t_end: f64) -> Vec<f64> {
        frames(self.fps, t_end)
    }
}

/// The times k/fps of a motion, and its end.
pub fn frames(fps: f64, t_end: f64) -> Vec<f64> {
    // A last frame that rounding puts a hair behind the end is the end.
    let count = (t_end * fps + 1e-9).floor() as u64;
    let mut frames: Vec<f64> = (0..=count).map(|k| (k as f64 / fps).min(t_end)).collect();
    if frames.last().is_some_and(|last| *last < t_end) {
        frames.push(t_end);
    }
    frames
}

/// Chooses the keys of one body, for its place and its orientation apart. A body that never moves has one.
pub fn select(path: &BodyCurve, sampling: &Sampling) -> BodyKeys {
    let anchors = match sampling.interpolation {
        Interpolation::Linear => spaced(anchors(path, sampling.frames(path.t_end())), sampling.spacing),
        // A cubic is a whole flight; where the body is held, its motion is the sum of many steps.
        Interpolation::Cubic => {
            let held = sampling.frames(path.t_end()).into_iter().filter(|t| path.is_held(*t));
            anchors(path, held.chain(path.changes_of_course()).chain([path.t_end()]).collect())
        }
    };
    let joining = sampling.interpolation.into();
    BodyKeys {
        places: refine(path, &anchors, |a, b| place_parts(path, sampling, joining, [a, b])),
        turns: refine(path, &anchors, |a, b| turn_parts(path, sampling, joining, [a, b])),
    }
}

/// Chooses rows of whole states: frames, instants, and times between where (2) and (3) ask for them.
pub fn select_states(path: &BodyCurve, sampling: &Sampling) -> Vec<Key> {
    let anchors = anchors(path, sampling.frames(path.t_end()));
    let cubic = Joining::Cubic;
    refine(path, &anchors, |a, b| {
        place_parts(path, sampling, cubic, [a, b]).max(turn_parts(path, sampling, cubic, [a, b]))
    })
}

/// Keys that must be there: at the start, at the given times, and at the body's instants.
fn anchors(path: &BodyCurve, times: Vec<f64>) -> Vec<Key> {
    let start = Key { before: path.after(0.0), ..key(path, 0.0, Reason::Frame) };
    if !path.moves() {
        return vec![start];
    }
    let mut keys: Vec<(f64, Reason)> = times.into_iter().map(|t| (t, Reason::Frame)).collect();
    keys.extend(path.instants().into_iter().map(|t| (t, Reason::Instant)));
    keys.retain(|(t, _)| *t > 0.0);
    // An instant on a frame is one key, and an instant.
    keys.sort_by(|(a, why), (b, other)| a.total_cmp(b).then((*why == Reason::Frame).cmp(&(*other == Reason::Frame))));
    keys.dedup_by(|later, earlier| later.0 == earlier.0);
    spaced([start].into_iter().chain(keys.into_iter().map(|(t, reason)| key(path, t, reason))).collect(), ONE_TIME)
}

/// Leaves out frames that stand too near to an instant, the start and the end excepted.
fn spaced(keys: Vec<Key>, spacing: f64) -> Vec<Key> {
    let instant = |key: Option<&Key>| key.filter(|key| key.reason == Reason::Instant).map(|key| key.t);
    let near = |index: usize| {
        let t = keys[index].t;
        // Frames lie further apart than this: only neighbours can be so near.
        let [before, after] = [index.checked_sub(1).and_then(|k| keys.get(k)), keys.get(index + 1)].map(instant);
        before.is_some_and(|other| t - other < spacing) || after.is_some_and(|other| other - t < spacing)
    };
    let inner = |index: usize| index > 0 && index + 1 < keys.len() && keys[index].reason == Reason::Frame;
    (0..keys.len()).filter(|index| !(inner(*index) && near(*index))).map(|index| keys[index]).collect()
}

fn key(path: &BodyCurve, t: f64, reason: Reason) -> Key {
    Key { t, reason, before: path.before(t), after: path.after(t) }
}

/// Puts keys between anchors until every step is one part.
fn refine(path: &BodyCurve, anchors: &[Key], parts: impl Fn(&Key, &Key) -> u32) -> Vec<Key> {
    let mut keys: Vec<Key> = anchors.first().copied().into_iter().collect();
    for pair in anchors.windows(2) {
        divide(path, [&pair[0], &pair[1]], &parts, DEEPEST, &mut keys);
    }
    keys
}

/// Appends the keys after `a` up to `b`.
fn divide(path: &BodyCurve, [a, b]: [&Key; 2], parts: &impl Fn(&Key, &Key) -> u32, depth: u32, keys: &mut Vec<Key>) {
    let count = if depth == 0 { 1 } else { parts(a, b) };
    let mut left = *a;
    for part in 1..count {
        let t = a.t + (b.t - a.t) * f64::from(part) / f64::from(count);
        let middle = key(path, t, Reason::Between);
        // Two neighbouring numbers have nothing between them.
        if left.t < t && t < b.t {
            divide(path, [&left, &middle], parts, depth - 1, keys);
            left = middle;
        }
    }
    if count == 1 || left.t == a.t {
        keys.push(*b);
    } else {
        divide(path, [&left, b], parts, depth - 1, keys);
    }
}

/// Into how many parts the step from a to b falls so that its places meet the tolerance.
fn place_parts(path: &BodyCurve, sampling: &Sampling, joining: Joining, [a, b]: [&Key; 2]) -> u32 {
    let (from, to) = (Knot::place(a), Knot::place(b));
    let error = |t: f64| (place_between(joining, &from, &to, t) - path.after(t).position).norm();
    parts(joining, looks(a, b).map(error).fold(0.0, f64::max) / sampling.tolerance)
}

/// The same for orientations, which must also turn by no more than 20°. (3)
fn turn_parts(path: &BodyCurve, sampling: &Sampling, joining: Joining, [a, b]: [&Key; 2]) -> u32 {
    let spins = looks(a, b).map(|t| path.after(t).spin.norm());
    let fastest = spins.fold(a.after.spin.norm().max(b.before.spin.norm()), f64::max);
    let turn = fastest * (b.t - a.t) / LARGEST_TURN;
    // A step of 20° to the last digit is not two.
    let least = (turn * (1.0 - 1e-9)).ceil().clamp(1.0, MOST_PARTS) as u32;
    if least > 1 {
        return least;
    }
    let (from, to) = (Knot::turn(a), Knot::turn(b).beside(&a.after.rotation.coords));
    let error = |t: f64| rotation::angle_between(&turn_between(joining, &from, &to, t), &path.after(t).rotation);
    parts(joining, looks(a, b).map(error).fold(0.0, f64::max) / sampling.angle_tolerance)
}

fn looks(a: &Key, b: &Key) -> impl Iterator<Item = f64> {
    let (start, length) = (a.t, b.t - a.t);
    LOOKS.into_iter().map(move |share| start + length * share)
}

/// Parts for an error that is so many times what is allowed: a chord's falls with the square of the step.
fn parts(joining: Joining, excess: f64) -> u32 {
    match joining {
        _ if excess <= 1.0 || excess.is_nan() => 1,
        Joining::Linear => excess.sqrt().ceil().min(MOST_PARTS) as u32,
        Joining::Cubic | Joining::Step => 2,
    }
}
