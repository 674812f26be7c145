//! The motion of one body as a list of states close enough together to draw.

use crate::dynamics::BodyState;
use crate::math::{Vec3, rotation};
use crate::model::BodyId;
use crate::simulation::{EventKind, Spacing, Trajectory};

/// Between two samples a body turns at most this far, rad: chords of a circle then look round.
const TURN: f64 = 0.12;
/// And flies at most this long, s.
const LONGEST: f64 = 1.0 / 60.0;
/// Samples of one body, at most; what spins too fast for them is a blur anyway.
const MOST_SAMPLES: f64 = 6000.0;
/// A body turning farther than this between samples has no path of a surface point worth drawing, rad.
const BLUR: f64 = 0.6;

/// One body's motion.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub body: BodyId,
    pub samples: Vec<(f64, BodyState)>,
    /// Length of the centre's path, m.
    pub length: f64,
    /// How far it turned in all, rad.
    pub turned: f64,
    /// Whether it spins too fast for its samples.
    pub blurred: bool,
}

impl Track {
    pub fn new(trajectory: &Trajectory, body: BodyId) -> Track {
        let shortest_time = trajectory.t_end / MOST_SAMPLES;
        let spacing = Spacing { largest_turn: TURN, longest_time: LONGEST, shortest_time, step_time: 0.0 };
        let samples = trajectory.curve(body).samples(&spacing);
        let mut track = Track { body, samples, length: 0.0, turned: 0.0, blurred: false };
        for pair in track.samples.windows(2) {
            let ((t, a), (next, b)) = (&pair[0], &pair[1]);
            let turned = a.spin.norm().max(b.spin.norm()) * (next - t);
            track.length += (b.position - a.position).norm();
            track.turned += turned;
            track.blurred |= turned > BLUR;
        }
        track
    }

    pub fn first(&self) -> Option<&BodyState> {
        self.samples.first().map(|(_, state)| state)
    }

    pub fn last(&self) -> Option<&BodyState> {
        self.samples.last().map(|(_, state)| state)
    }

    /// When the body has come to where it ends.
    pub fn moving_time(&self) -> f64 {
        let Some((end, last)) = self.samples.last() else { return 0.0 };
        let far = |(_, state): &(f64, BodyState)| (state.position - last.position).norm() > 1e-3 * self.length;
        let index = self.samples.iter().rposition(far).unwrap_or(self.samples.len() - 1);
        self.samples.get(index + 1).map_or(*end, |(t, _)| *t)
    }
}

/// Whether two poses look different for a body of this size: moved by a part of it, or turned by as much.
fn differs(a: &BodyState, b: &BodyState, size: f64, part: f64) -> bool {
    let moved = (a.position - b.position).norm() / size;
    let turned = 0.35 * rotation::angle_between(&a.rotation, &b.rotation);
    moved + turned > part
}

/// A pose to be drawn between the start and the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ghost {
    pub t: f64,
    pub state: BodyState,
    /// At an event, or only at a moment between.
    pub at_event: bool,
}

/// How many poses of one body are drawn between its start and its end, and how far apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density {
    pub most_events: usize,
    pub most_moments: usize,
    /// Distance of two poses, in sizes of the body.
    pub apart: f64,
}

/// Poses at a body's impacts, those that look different, and at even moments where there is room between.
pub(super) fn ghosts(trajectory: &Trajectory, track: &Track, size: f64, density: Density) -> Vec<Ghost> {
    let (Some(first), Some(last)) = (track.first(), track.last()) else { return Vec::new() };
    let mut kept: Vec<Ghost> = Vec::new();
    let far = |kept: &[Ghost], state: &BodyState, part: f64| {
        let others = kept.iter().map(|ghost| &ghost.state).chain([first, last]);
        others.into_iter().all(|other| differs(other, state, size, part))
    };
    let takes_part = |event: &&crate::simulation::Event| {
        event.kind == EventKind::Impact && (event.first == track.body || event.second == track.body)
    };
    for event in trajectory.events.iter().filter(takes_part) {
        let state = trajectory.body_at(track.body, event.t);
        if kept.len() < density.most_events && state.is_finite() && far(&kept, &state, 0.6) {
            kept.push(Ghost { t: event.t, state, at_event: true });
        }
    }
    let moments = (track.length / (density.apart * size)).min(density.most_moments as f64) as u32;
    for k in 1..moments {
        let t = track.moving_time() * f64::from(k) / f64::from(moments);
        let state = trajectory.body_at(track.body, t);
        if state.is_finite() && far(&kept, &state, 1.7) {
            kept.push(Ghost { t, state, at_event: false });
        }
    }
    kept.sort_by(|a, b| a.t.total_cmp(&b.t));
    kept
}

/// The vertex whose path shows the turning best: far from the centre, and from the axis it first spins about.
pub(super) fn telling_point(points: impl Iterator<Item = Vec3>, start: &BodyState) -> Option<Vec3> {
    let axis = start.rotation.inverse() * start.spin;
    let axis = axis.try_normalize(1e-6).unwrap_or_default();
    let score = |point: &Vec3| point.norm_squared() + 0.5 * point.cross(&axis).norm_squared();
    points.max_by(|a, b| score(a).total_cmp(&score(b)))
}
