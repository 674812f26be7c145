//! Where a rig is at any time, as keys of place, orientation and length.
//!
//! ```text
//! file between keys a and b:   P = (1 − s)·P_a + s·P_b,   d̂ = the great arc from d̂_a to d̂_b,   |d| = (1 − s)·|d|_a + s·|d|_b
//! keys                         frames, instants of its bodies, keys of its tracks, and halves of steps until
//!                              P and Q = P + d are within ε of the motion, and no step turns by more than 20°                   (1)
//! R_b = shortest(d̂_a, d̂_b)·R_a,   R_0 = shortest(z, d̂_0)                                                                       (2)
//! ```
//!
//! By (2) the great arc of R from key to key is that of d̂, so a coil does not spin about itself. Keys of place, orientation and length
//! stand at the same times. Where a track jumps a key stands just before.

use nalgebra::SVector;

use super::{Motion, Rig};
use crate::export::curve::{Curve, Joining, Knot, Place, Turn};
use crate::export::keys::{LARGEST_TURN, Sampling};
use crate::math::{Rotation, Vec3, rotation};
use crate::scene::Ease;

/// Halvings of one step.
const DEEPEST: u32 = 12;
/// Where a step is compared with the motion, as shares of it.
const LOOKS: [f64; 5] = [0.125, 0.3, 0.5, 0.7, 0.875];
/// Times nearer to each other than this are one, s.
const ONE_TIME: f64 = 1e-12;
/// How long before a jump of a track the last key stands that does not know of it, in max(1, t) s: more than the rounding of
/// half-width times.
const BEFORE_JUMP: f64 = 2e-7;
/// Lengths that differ by less than this part of the tolerance do not change.
const STEADY: f64 = 0.1;

/// The keys of a rig.
#[derive(Clone, Debug)]
pub struct Course {
    /// P.
    pub place: Place,
    /// R.
    pub turn: Turn,
    /// (1, 1, |d|/L).
    pub scale: Curve<3>,
}

/// A rig at one time.
#[derive(Clone, Copy)]
struct Pose {
    t: f64,
    place: Vec3,
    /// d; nothing where there is no Q.
    reach: Vec3,
}

impl Pose {
    /// d̂; of what has no length that of another.
    fn direction(&self, other: &Vec3) -> Vec3 {
        self.reach.try_normalize(1e-12).unwrap_or(*other)
    }
}

/// Chooses keys. `narrow` says whether times are kept with half width.
pub fn course(motion: &Motion, rig: &Rig, sampling: &Sampling, narrow: bool) -> Course {
    let rounded = |t: f64| if narrow { f64::from(t as f32) } else { t };
    let pose = |t: f64| {
        let place = rig.from.at(motion, t);
        Pose { t, place, reach: rig.to.map_or(Vec3::zeros(), |to| to.at(motion, t) - place) }
    };
    let times = times(motion, rig, sampling, narrow).into_iter().map(rounded);
    let mut poses: Vec<Pose> = Vec::new();
    for t in times {
        let next = pose(t);
        match poses.last().copied() {
            Some(last) if last.t >= t => {}
            Some(last) => divide([last, next], sampling, &|t| pose(rounded(t)), DEEPEST, &mut poses),
            None => poses.push(next),
        }
    }
    joined(&poses, rig.length, sampling)
}

/// Times that must be keys.
fn times(motion: &Motion, rig: &Rig, sampling: &Sampling, narrow: bool) -> Vec<f64> {
    let t_end = motion.trajectory.t_end;
    let bodies = rig.ends().flat_map(|end| end.bodies());
    let mut instants: Vec<f64> = bodies.flat_map(|body| motion.paths[body].instants()).collect();
    let tracks = &motion.trajectory.world().machine.tracks;
    for key in rig.ends().filter_map(|end| end.track()).flat_map(|track| &tracks[track].keys) {
        let jumps = key.ease == Ease::Hold;
        instants.extend(jumps.then(|| key.t - BEFORE_JUMP * key.t.max(1.0)));
        // What follows a jump must be read after it.
        let nearest = key.t as f32;
        let up = if f64::from(nearest) < key.t { nearest.next_up() } else { nearest };
        instants.push(if narrow { f64::from(up) } else { key.t });
    }
    let inside = |t: &f64| 0.0 < *t && *t < t_end;
    instants.retain(inside);
    instants.sort_by(f64::total_cmp);
    instants.dedup_by(|later, earlier| *later - *earlier < ONE_TIME);
    // Frames too near to an instant are not needed: the step over them is looked at.
    let near = |t: f64| {
        let next = instants.partition_point(|instant| *instant < t);
        let [before, after] =
            [next.checked_sub(1), Some(next)].map(|index| index.and_then(|index| instants.get(index)));
        let least = sampling.spacing.max(ONE_TIME);
        before.is_some_and(|other| t - other < least) || after.is_some_and(|other| other - t < least)
    };
    let frames = sampling.frames(t_end).into_iter().filter(|t| !inside(t) || !near(*t));
    let mut times: Vec<f64> = frames.chain(instants.iter().copied()).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Appends the poses after a up to b.
fn divide([a, b]: [Pose; 2], sampling: &Sampling, pose: &impl Fn(f64) -> Pose, depth: u32, poses: &mut Vec<Pose>) {
    let middle = pose((a.t + b.t) / 2.0);
    if depth == 0 || middle.t <= a.t || b.t <= middle.t || suits([&a, &b], sampling, pose) {
        poses.push(b);
    } else {
        divide([a, middle], sampling, pose, depth - 1, poses);
        divide([middle, b], sampling, pose, depth - 1, poses);
    }
}

/// (1)
fn suits([a, b]: [&Pose; 2], sampling: &Sampling, pose: &impl Fn(f64) -> Pose) -> bool {
    let from = a.direction(&b.direction(&Vec3::z()));
    let to = b.direction(&from);
    let Some(turn) = rotation::shortest(&from, &to) else { return false };
    if turn.angle() > LARGEST_TURN * (1.0 + 1e-9) {
        return false;
    }
    LOOKS.iter().all(|share| {
        let truth = pose(a.t + (b.t - a.t) * share);
        let s = (truth.t - a.t) / (b.t - a.t);
        let place = a.place.lerp(&b.place, s);
        let length = a.reach.norm() * (1.0 - s) + b.reach.norm() * s;
        let end = place + rotation::between(&Rotation::identity(), &turn, s) * from * length;
        let off = (place - truth.place).norm().max((end - truth.place - truth.reach).norm());
        off <= sampling.tolerance
    })
}

/// (2)
fn joined(poses: &[Pose], length: f64, sampling: &Sampling) -> Course {
    let first = poses.iter().find_map(|pose| pose.reach.try_normalize(1e-12)).unwrap_or(Vec3::z());
    let half_turn = |about: Vec3| rotation::exp(about * std::f64::consts::PI);
    let mut direction = first;
    let mut turn = rotation::shortest(&Vec3::z(), &first).unwrap_or_else(|| half_turn(Vec3::x()));
    let steady = poses.iter().all(|pose| (pose.reach.norm() - length).abs() <= STEADY * sampling.tolerance);
    let (mut turns, mut scales) = (Vec::new(), Vec::new());
    for pose in poses {
        let next = pose.direction(&direction);
        let step = rotation::shortest(&direction, &next).unwrap_or_else(|| half_turn(turn * Vec3::x()));
        (turn, direction) = (step * turn, next);
        turns.push(Knot::still(pose.t, turn.coords));
        let stretch = if length > 0.0 && !steady { pose.reach.norm() / length } else { 1.0 };
        scales.push(Knot::still(pose.t, SVector::from([1.0, 1.0, stretch])));
    }
    let places = poses.iter().map(|pose| Knot::still(pose.t, pose.place)).collect();
    let linear = Joining::Linear;
    Course {
        place: Place { joining: linear, knots: places },
        turn: Turn::continuous(turns.into_iter(), crate::export::Interpolation::Linear),
        scale: Curve { joining: linear, knots: scales },
    }
}
