//! Joints and forces as things that other programs can show: meshes, carried by bodies or stretched between points.
//!
//! ```text
//! of one side of a joint (an axle, a rail, a ring)   a mesh in the frame of the body, below it in the file; of the world: below the root
//! from point to point (a string, a coil, a band)     a mesh from the origin to z = L, placed by     P,  R·z = d/|d|,  (1, 1, |d|/L),
//!                                                    d = Q − P: a coil is stretched, as springs are                             (1)
//! what follows a track (a hand)                      a mesh that is moved alone
//! ```
//!
//! L is the greatest length that it has. R turns from key to key as little as it can (`course`). Marks are as large as in
//! pictures, and look out of the bodies that hold them where that is possible (`solid`, `build`). A joint that holds for a part of
//! the time is seen for that part. Everything has the name of its joint or force and a word for what it is: `string, rod`.

mod build;
pub mod compare;
pub mod course;
mod reach;
pub mod solid;

use super::Motion;
use crate::dynamics::BodyState;
use crate::geometry::Surface;
use crate::math::Vec3;
use crate::picture::Tone;
use crate::scene::Frame;

pub use build::parts;

/// The marks that a file has.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// In the order of joints and then of forces.
    pub parts: Vec<Part>,
    /// Whether there are some, but nobody wants them.
    pub left_out: bool,
}

/// One mark, or a part of one.
#[derive(Clone, Debug)]
pub struct Part {
    /// Unique among marks: the name of what it belongs to, and what it is.
    pub name: String,
    /// The name of the joint or force.
    pub of: String,
    /// The word of files for its kind.
    pub kind: &'static str,
    /// For its colour.
    pub tone: Tone,
    /// About its origin.
    pub surface: Surface,
    /// Where that is.
    pub carrier: Carrier,
    /// Begin and end of the times at which it is there, s; none: always.
    pub active: Vec<[f64; 2]>,
}

/// What a part goes with. Its axes are those of the world or of the body.
#[derive(Clone, Debug)]
pub enum Carrier {
    /// Nothing: it stays at a place.
    World(Vec3),
    /// A body, by its place in the scene's list, at a point of it.
    Body(usize, Vec3),
    /// Two points, or one.
    Rig(Rig),
}

/// What is placed by (1).
#[derive(Clone, Debug)]
pub struct Rig {
    /// P.
    pub from: End,
    /// Q; none for what is moved alone.
    pub to: Option<End>,
    /// L, m.
    pub length: f64,
}

/// A point that may move.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// A place of the world.
    Place(Vec3),
    /// A point of a body.
    Point(usize, Vec3),
    /// A track of places.
    Track(usize),
    /// Where a push with this track points from a point of a body, so many metres for a newton.
    #[allow(missing_docs, reason = "the names say it")]
    Push { body: usize, point: Vec3, track: usize, frame: Frame, scale: f64 },
    /// Half way between two bodies.
    Middle([usize; 2]),
}

impl Marks {
    /// Of a motion, if they are wanted.
    pub fn new(motion: &Motion, wanted: bool) -> Marks {
        let parts = parts(motion);
        if wanted { Marks { parts, left_out: false } } else { Marks { left_out: !parts.is_empty(), parts: Vec::new() } }
    }

    /// Those that a body carries.
    pub fn of_body(&self, body: usize) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| matches!(part.carrier, Carrier::Body(index, _) if index == body))
    }

    /// Those that no body carries.
    pub fn of_world(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| !matches!(part.carrier, Carrier::Body(..)))
    }
}

impl Part {
    /// Times of the motion at which it appears and vanishes, with what follows, from the start on; nothing where it is always there.
    pub fn switches(&self, t_end: f64) -> Vec<(f64, bool)> {
        let shown = |t: f64| self.active.iter().any(|[begin, end]| *begin <= t && t < *end);
        if self.active.is_empty() {
            return Vec::new();
        }
        let borders = self.active.iter().flatten().copied().filter(|t| 0.0 < *t && *t <= t_end);
        let mut switches = vec![(0.0, shown(0.0))];
        for t in borders {
            if switches.last().is_some_and(|(_, before)| *before != shown(t)) {
                switches.push((t, shown(t)));
            }
        }
        if let [(_, true)] = switches[..] { Vec::new() } else { switches }
    }
}

impl End {
    /// Where it is.
    pub fn at(&self, motion: &Motion, t: f64) -> Vec3 {
        let tracks = &motion.trajectory.world().machine.tracks;
        match self {
            End::Place(place) => *place,
            End::Point(body, point) => on(&state(motion, *body, t), point),
            End::Track(track) => tracks[*track].value_at(t),
            End::Push { body, point, track, frame, scale } => {
                let state = state(motion, *body, t);
                let push = tracks[*track].value_at(t) * *scale;
                on(&state, point) + if *frame == Frame::Body { state.rotation * push } else { push }
            }
            End::Middle(pair) => pair.iter().map(|body| state(motion, *body, t).position).sum::<Vec3>() / 2.0,
        }
    }

    /// The bodies it goes with.
    pub fn bodies(&self) -> Vec<usize> {
        match self {
            End::Place(_) | End::Track(_) => Vec::new(),
            End::Point(body, _) | End::Push { body, .. } => vec![*body],
            End::Middle(pair) => pair.to_vec(),
        }
    }

    /// The track it follows.
    pub fn track(&self) -> Option<usize> {
        match self {
            End::Track(track) | End::Push { track, .. } => Some(*track),
            End::Place(_) | End::Point(..) | End::Middle(_) => None,
        }
    }
}

impl Rig {
    /// Its ends.
    pub fn ends(&self) -> impl Iterator<Item = &End> {
        [&self.from].into_iter().chain(&self.to)
    }
}

fn state(motion: &Motion, body: usize, t: f64) -> BodyState {
    motion.paths[body].after(t)
}

fn on(state: &BodyState, point: &Vec3) -> Vec3 {
    state.position + state.rotation * point
}
