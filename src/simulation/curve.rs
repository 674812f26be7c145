//! Where one body is at any time of a motion, on either side of an instant, and how fast its state changes there.
//!
//! ```text
//! before(t) = the phase that ends at t, at its end        after(t) = the phase that begins at t, at its start     (1)
//! rate      = F along the path that is evaluated: q̇ of a flight, ∂Φ/∂x inside a held step, 0 at rest              (2)
//! ```
//!
//! Whoever wants to know how a body moves asks here: goals, pictures, files and the window alike, so that a new way to
//! move is taught once. A trajectory keeps how each phase begins; a curve makes a phase ready when it is asked, or all
//! of them beforehand ([`BodyCurve::prepared`]). How q(t) depends on u is `sensitivity`.

use std::mem::discriminant;
use std::sync::Arc;

use super::motion::Motion;
use super::trajectory::{Course, Event, EventKind, Phase, Trajectory};
use crate::dynamics::joined::JoinedFlight;
use crate::dynamics::{BodyState, StateTangent};
use crate::math::root::falling_root;
use crate::model::BodyId;
use crate::simulation::settings::{GRAZING, LEAST_SPIN};

/// Parts of a step of a machine's flight, in each of which it has one top at most: a step is a small part of any swing.
const PIECES_OF_STEP: u32 = 4;

/// The motion of one body from the start to the end.
#[derive(Clone, Debug)]
pub struct BodyCurve<'a> {
    trajectory: &'a Trajectory,
    body: BodyId,
    phases: &'a [Phase],
    /// Of phases whose motion is dear to make ready; empty unless prepared.
    motions: Vec<Option<Box<Motion>>>,
}

/// How close the samples of a drawing lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// From one to the next a body turns at most so far, rad,
    pub largest_turn: f64,
    /// and no more time passes than this, s;
    pub longest_time: f64,
    /// but no turn asks for samples nearer than this, s.
    pub shortest_time: f64,
    /// Steps of held groups that begin sooner than this after a sample have none, s: several make one piece.
    pub step_time: f64,
}

impl Trajectory {
    /// The motion of one body.
    pub fn curve(&self, body: BodyId) -> BodyCurve<'_> {
        BodyCurve { trajectory: self, body, phases: self.phases(body), motions: Vec::new() }
    }
}

impl<'a> BodyCurve<'a> {
    /// The flight of the machine that it is in just after t.
    pub fn machine_after(&self, t: f64) -> Option<&'a Arc<JoinedFlight>> {
        self.machine(self.place_after(t))
    }

    /// The flight of the machine that it is in just before t.
    pub fn machine_before(&self, t: f64) -> Option<&'a Arc<JoinedFlight>> {
        self.machine(self.place_before(t))
    }

    fn machine(&self, place: usize) -> Option<&'a Arc<JoinedFlight>> {
        match self.phases.get(place)?.course {
            Course::Joined { flight, .. } => Some(self.trajectory.flight(flight)),
            Course::Flight(_) | Course::Step(_) | Course::Rest(_) | Course::Guided(_) => None,
        }
    }
}

impl BodyCurve<'_> {
    /// The same, to be read at many times.
    pub fn prepared(mut self) -> Self {
        let ready = |(phase, end): (&Phase, f64)| {
            let flies = matches!(phase.course, Course::Flight(_));
            flies.then(|| Box::new(self.motion(phase, end)))
        };
        self.motions = self.pieces().map(ready).collect();
        self
    }

    /// When the motion ends, s.
    pub fn t_end(&self) -> f64 {
        self.trajectory.t_end
    }

    /// The state at t, just after what happens then. Before the start it is the start, after the end the end.
    pub fn after(&self, t: f64) -> BodyState {
        self.state(self.place_after(t), t)
    }

    /// The state at t, just before what happens then.
    pub fn before(&self, t: f64) -> BodyState {
        self.state(self.place_before(t), t)
    }

    /// (2) at t, just after what happens then.
    pub fn rate_after(&self, t: f64) -> StateTangent {
        self.rate(self.place_after(t), t)
    }

    /// (2) at t, just before what happens then.
    pub fn rate_before(&self, t: f64) -> StateTangent {
        self.rate(self.place_before(t), t)
    }

    /// Whether it is in a step of a held group just after t.
    pub fn is_held(&self, t: f64) -> bool {
        self.phases.get(self.place_after(t)).is_some_and(|phase| matches!(phase.course, Course::Step(_)))
    }

    /// Whether it lies still when the motion ends, and has done so since its last event.
    pub fn rests_at_end(&self) -> bool {
        self.phases.last().is_some_and(|phase| matches!(phase.course, Course::Rest(_)))
    }

    /// Whether it is ever anywhere but where it began.
    pub fn moves(&self) -> bool {
        let initial = &self.initial();
        self.phases.iter().any(|phase| match &phase.course {
            Course::Rest(state) => state.position != initial.position || state.rotation != initial.rotation,
            Course::Flight(_) | Course::Step(_) | Course::Joined { .. } | Course::Guided(_) => true,
        })
    }

    /// Times at which the body starts or stops flying, resting or being held.
    pub fn changes_of_course(&self) -> impl Iterator<Item = f64> {
        let changes = |pair: &&[Phase]| discriminant(&pair[0].course) != discriminant(&pair[1].course);
        self.phases.windows(2).filter(changes).map(|pair| pair[1].t)
    }

    /// Times at which something happens to the body, in order, each once: its events, and jumps of its velocity.
    pub fn instants(&self) -> Vec<f64> {
        let own = |event: &&Event| {
            let happens = !matches!(event.kind, EventKind::Rest) && event.t <= self.t_end();
            happens && (event.first == self.body || event.second == self.body)
        };
        let units = self.trajectory.in_own_units().world().units();
        let jumps = |t: &f64| {
            let [before, after] = [self.before(*t), self.after(*t)].map(|state| units.own_state(&state));
            (after.velocity - before.velocity).amax().max((after.spin - before.spin).amax()) > GRAZING
        };
        let mut instants: Vec<f64> = self.phases.iter().skip(1).map(|phase| phase.t).filter(jumps).collect();
        instants.extend(self.trajectory.events.iter().filter(own).map(|event| event.t));
        instants.sort_by(f64::total_cmp);
        instants.dedup();
        instants
    }

    /// Times at which the body is at the top of a flight, in order.
    pub fn apexes(&self) -> Vec<f64> {
        self.pieces().flat_map(|(phase, end)| self.tops(phase, end)).collect()
    }

    /// The states that a drawing joins by straight lines, in order of time; an instant between flights stands twice, with
    /// the states before and after it. States that are no numbers are left out.
    pub fn samples(&self, spacing: &Spacing) -> Vec<(f64, BodyState)> {
        let mut samples = Vec::new();
        for (phase, end) in self.pieces() {
            self.sample(phase, end, spacing, &mut samples);
        }
        samples.push((self.t_end(), self.after(self.t_end())));
        samples.retain(|(_, state)| state.is_finite());
        samples
    }

    fn sample(&self, phase: &Phase, end: f64, spacing: &Spacing, samples: &mut Vec<(f64, BodyState)>) {
        let start = (phase.t, *phase.start());
        match &phase.course {
            Course::Rest(_) => samples.push(start),
            Course::Step(_) => {
                if samples.last().is_none_or(|(last, _)| phase.t - last >= spacing.step_time) {
                    samples.push(start);
                }
            }
            Course::Flight(_) | Course::Joined { .. } | Course::Guided(_) => {
                samples.push(start);
                let motion = self.motion(phase, end);
                let turning = spacing.largest_turn / motion.bounds(phase.t, end).spin.max(LEAST_SPIN);
                let length = turning.min(spacing.longest_time).max(spacing.shortest_time);
                // None where the phase has no length.
                let count = ((end - phase.t) / length).ceil() as u32;
                let times = (1..=count).map(|k| phase.t + (end - phase.t) * f64::from(k) / f64::from(count));
                samples.extend(times.map(|t| (t, motion.at(t))));
            }
        }
    }

    /// The tops of a phase: one of a flight, as many as there are of a body that is joined.
    fn tops(&self, phase: &Phase, end: f64) -> Vec<f64> {
        match &phase.course {
            Course::Flight(_) => self.apex(phase, end).into_iter().collect(),
            Course::Joined { flight, .. } => self.piecewise_tops(phase, end, self.trajectory.flight(*flight).nodes()),
            Course::Guided(_) => self.piecewise_tops(phase, end, Vec::new()),
            Course::Step(_) | Course::Rest(_) => Vec::new(),
        }
    }

    /// Where the velocity stops rising, looked for in pieces between some times.
    fn piecewise_tops(&self, phase: &Phase, end: f64, nodes: Vec<f64>) -> Vec<f64> {
        let (motion, gravity) = (self.motion(phase, end), self.trajectory.world().gravity);
        let rising = |t: f64| -motion.at(t).velocity.dot(&gravity);
        let inner = nodes.into_iter().filter(|t| *t > phase.t && *t < end);
        let borders: Vec<f64> = [phase.t].into_iter().chain(inner).chain([end]).collect();
        let mut tops = Vec::new();
        for step in borders.windows(2) {
            for piece in 0..PIECES_OF_STEP {
                let at = |k: u32| step[0] + (step[1] - step[0]) * f64::from(k) / f64::from(PIECES_OF_STEP);
                let (a, b) = (at(piece), at(piece + 1));
                let (at_a, at_b) = (rising(a), rising(b));
                if at_a > 0.0 && at_b < 0.0 {
                    tops.push(falling_root(rising, a, b, at_a, at_b, f64::EPSILON * b));
                }
            }
        }
        tops
    }

    /// Rising at the start: v·g < 0, until v·g + (t − t₀)·g·g = 0.
    fn apex(&self, phase: &Phase, end: f64) -> Option<f64> {
        let Course::Flight(state) = &phase.course else { return None };
        let gravity = self.trajectory.world().gravity;
        let rise = -state.velocity.dot(&gravity);
        let t = phase.t + rise / gravity.norm_squared();
        (rise > 0.0 && t.is_finite() && t < end).then_some(t)
    }

    /// The phases, each with its end.
    fn pieces(&self) -> impl Iterator<Item = (&Phase, f64)> {
        let ends = self.phases.iter().skip(1).map(|phase| phase.t).chain([self.t_end()]);
        self.phases.iter().zip(ends)
    }

    fn motion(&self, phase: &Phase, until: f64) -> Motion {
        phase.motion(self.trajectory, self.body, until)
    }

    fn place_after(&self, t: f64) -> usize {
        self.phases.partition_point(|phase| phase.t <= t).saturating_sub(1)
    }

    fn place_before(&self, t: f64) -> usize {
        self.phases.partition_point(|phase| phase.t < t).saturating_sub(1)
    }

    fn state(&self, place: usize, t: f64) -> BodyState {
        self.read(place, t, Motion::at).unwrap_or_else(|| self.initial())
    }

    fn rate(&self, place: usize, t: f64) -> StateTangent {
        self.read(place, t, Motion::rate).unwrap_or_else(StateTangent::zeros)
    }

    /// Reads a phase; a run that ended before it began has none.
    fn read<T>(&self, place: usize, t: f64, read: impl Fn(&Motion, f64) -> T) -> Option<T> {
        let (phase, t) = (self.phases.get(place)?, t.clamp(0.0, self.t_end()));
        match self.motions.get(place) {
            Some(Some(motion)) => Some(read(motion, t)),
            _ => Some(read(&self.motion(phase, t), t)),
        }
    }

    fn initial(&self) -> BodyState {
        self.trajectory.world().bodies[self.body.index()].initial
    }
}
