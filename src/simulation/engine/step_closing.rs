//! What closes inside a step of a held group, among its members and with fixed bodies.
//!
//! A pair that is held is measured at the projected end of the step (and roughly on the way): if its separation φ fell below the level
//! ℓ = min(φ(0), 0) by more than `SIMULTANEOUS`, a feature that is not held closed on the way, and the time is found on
//! the projected path P(x). A pair that is not held is searched along the path like any other.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::super::held::{HeldContact, HeldGroup, StepOutcome};
use super::super::motion::Motion;
use super::super::search::candidates::Swept;
use super::super::search::clearance::Mover;
use super::super::search::closing::first_closing;
use super::super::search::pursuit::Search;
use super::super::trajectory::End;
use super::agenda::{Closing, Next};
use super::state::Engine;
use crate::dynamics::BodyState;
use crate::geometry::{Feature, TOUCHING};
use crate::math::Vec3;
use crate::math::root::falling_root;
use crate::model::{BodyId, Pair};
use crate::simulation::settings::{CLOSING_WIDTH, DEEPEST_PATH, SIMULTANEOUS, STOP_TOGETHER, SUSPECT};

/// Parts of a step at which a held pair is looked at before its end.
const SAMPLES: [f64; 3] = [0.25, 0.5, 0.75];
/// Part of a step over which the speed of a closing is measured.
const SPEED_INTERVAL: f64 = 1e-3;

/// Secants that are drawn before intervals are halved.
const MAX_SECANTS: usize = 16;
/// A gap that is still this part of an earlier one has not begun to fall.
const NOT_FALLING: f64 = 0.99;

/// The first closing inside a step.
pub struct StepClosing {
    pub pair: Pair,
    /// After the start of the step, s.
    pub x: f64,
    /// A later time at which the pair was seen below its level, after the start of the step, s.
    pub below: f64,
    /// Of approach, m/s.
    pub speed: f64,
    pub normal: Vec3,
    pub widest_gap: f64,
    /// What touches there and is not held. Empty for a held pair whose own features sink in: its step is too long.
    pub new_features: Vec<Feature>,
}

/// The projected states of a group at x after the start of its step.
struct Look {
    x: f64,
    states: Vec<BodyState>,
}

impl StepClosing {
    /// Whether a held pair sinks in without a feature that could be added.
    pub fn sinks(&self, group: &HeldGroup) -> bool {
        self.new_features.is_empty() && group.contacts.iter().any(|contact| contact.pair == self.pair)
    }
}

impl Engine<'_> {
    /// The first closing inside a step. Where it cannot be made shorter pairs may sink, and hide nothing that closes later.
    pub fn first_step_closing(
        &mut self,
        t: f64,
        group: &HeldGroup,
        start: &[BodyState],
        outcome: &StepOutcome,
        may_sink: bool,
    ) -> Result<Option<StepClosing>, End> {
        let held: BTreeSet<Pair> = group.contacts.iter().map(|contact| contact.pair).collect();
        let mut first: Option<StepClosing> = None;
        let mut last = Look { x: outcome.length, states: outcome.end.clone() };
        for &pair in &held {
            let found = self.held_pair_closing(pair, group, start, outcome, &last);
            if let Some((closing, look)) = found.filter(|(closing, _)| !(may_sink && closing.sinks(group))) {
                (first, last) = (Some(closing), look);
            }
        }
        let motions: Vec<Motion> = (0..start.len())
            .map(|k| {
                let path = outcome.path(t, &start[k], k);
                let member = &group.members[k];
                if !member.is_pushed() { self.runners.motion(member.body).clone() } else { Motion::Step(path) }
            })
            .collect();
        for (pair, movers) in self.other_pairs(t, group, &motions, &held, outcome.length) {
            let limit = first.as_ref().map_or(outcome.length, |closing| closing.x);
            if let Some(closing) = self.free_pair_closing(t, pair, group, movers, limit)? {
                first = Some(closing);
            }
        }
        Ok(first)
    }

    /// The first closing of a held pair up to the look `last`, and the look at it.
    fn held_pair_closing(
        &self,
        pair: Pair,
        group: &HeldGroup,
        start: &[BodyState],
        outcome: &StepOutcome,
        last: &Look,
    ) -> Option<(StepClosing, Look)> {
        let places = [group.place(pair.first)?, group.place(pair.second)?];
        let separation = |states: [&BodyState; 2], hint| self.separation(pair, states, hint);
        let measure = |states: &[BodyState], hint| separation(places.map(|k| &states[k]), hint);
        let begin = measure(start, None);
        let level = begin.gap.min(0.0) - SIMULTANEOUS;
        // The time that is found is one that was looked at last.
        let last_look = RefCell::new(Look { x: f64::NAN, states: Vec::new() });
        let inside = |x: f64| {
            let mut look = last_look.borrow_mut();
            if look.x != x {
                *look = Look { x, states: group.inside(start, outcome, x) };
            }
            look.states.clone()
        };
        let below = |x: f64, states: &[BodyState]| {
            Some((x, measure(states, Some(begin.normal)))).filter(|(_, found)| found.gap < level)
        };
        let suspect = |x: &f64| {
            let [a, b] = places.map(|k| group.unprojected_member(start, outcome, k, *x));
            separation([&a, &b], Some(begin.normal)).gap < level - SUSPECT
        };
        let paths = places.map(|k| outcome.path(0.0, &start[k], k));
        let samples = SAMPLES.map(|part| part * last.x).into_iter().filter(suspect);
        let sunk = samples.map(|x| below(x, &inside(x))).find_map(|found| found);
        let Some((limit, end)) = sunk.or_else(|| below(last.x, &last.states)) else {
            let sinks = |x: &f64| {
                let [a, b] = paths.map(|path| path.at(*x));
                *x < last.x && separation([&a, &b], Some(begin.normal)).gap < level - DEEPEST_PATH
            };
            let looks = path_looks(group, pair).iter().map(|part| part * outcome.length);
            return looks.into_iter().find(sinks).map(|x| {
                let (normal, new_features) = (begin.normal, Vec::new());
                let closing = StepClosing { pair, x, below: x, speed: 0.0, normal, widest_gap: 0.0, new_features };
                (closing, Look { x, states: inside(x) })
            });
        };
        let gap = |x: f64| measure(&inside(x), Some(end.normal)).gap - level;
        let rough = |x: f64| {
            let [a, b] = paths.map(|path| path.at(x));
            separation([&a, &b], Some(end.normal)).gap - level
        };
        // Where a pair is rounds its gap. Half-spaces reach infinitely far; what touches them does not.
        let size = |k: usize| start[k].position.amax() + group.members[k].solid.reach();
        let fineness = f64::EPSILON * places.map(size).into_iter().fold(f64::INFINITY, f64::min);
        let x = closing_time(gap, rough, limit, [begin.gap - level, end.gap - level], fineness);
        let states = inside(x);
        // Ahead of the root, because behind it what is held keeps φ at its level.
        let ahead = (x + SPEED_INTERVAL * outcome.length).min(limit);
        let fall = || measure(&states, Some(end.normal)).gap - level - gap(ahead);
        let speed = if ahead > x { fall() / (ahead - x) } else { f64::INFINITY };
        let touching = self.touching_points(pair, places.map(|k| &states[k]), Some(end.normal), TOUCHING);
        let new_features = unheld(group, pair, touching.iter().map(|point| point.feature));
        let closing = StepClosing { pair, x, below: x, speed, normal: end.normal, widest_gap: 0.0, new_features };
        Some((closing, Look { x, states }))
    }

    fn free_pair_closing(
        &mut self,
        t: f64,
        pair: Pair,
        group: &HeldGroup,
        motions: [Motion; 2],
        limit: f64,
    ) -> Result<Option<StepClosing>, End> {
        let solid = |body: BodyId| &*self.world.bodies[body.index()].solid;
        let movers = [
            Mover { solid: solid(pair.first), motion: &motions[0] },
            Mover { solid: solid(pair.second), motion: &motions[1] },
        ];
        let hint = self.encounters.normal(pair);
        let allowed = self.budget.search_limit(&self.world, t, pair)?;
        let report = first_closing(movers, t, t + limit, hint, allowed, &mut self.workspace);
        self.budget.work.searches += 1;
        self.budget.searched(&self.world, pair, report.steps);
        match report.outcome {
            Search::NonFinite => Err(End::NonFinite { t, body: pair.first }),
            Search::Apart => Ok(None),
            Search::Closing { t: met, normal, below } => {
                let states = [motions[0].at(met), motions[1].at(met)];
                let points = self.touching_points(pair, [&states[0], &states[1]], Some(normal), TOUCHING);
                let speed = points.iter().map(|point| -point.rate).fold(f64::NEG_INFINITY, f64::max);
                let new_features = unheld(group, pair, points.iter().map(|point| point.feature));
                let widest_gap = report.widest_gap;
                Ok(Some(StepClosing { pair, x: met - t, below: below - t, speed, normal, widest_gap, new_features }))
            }
        }
    }

    /// Pairs among the members, and of members with fixed bodies, that are not held but could meet.
    fn other_pairs(
        &self,
        t: f64,
        group: &HeldGroup,
        motions: &[Motion],
        held: &BTreeSet<Pair>,
        length: f64,
    ) -> Vec<(Pair, [Motion; 2])> {
        let solid = |body: BodyId| &*self.world.bodies[body.index()].solid;
        let mut others: Vec<(BodyId, &Motion, Swept)> = Vec::new();
        for (member, motion) in group.members.iter().zip(motions) {
            others.push((member.body, motion, Swept::new(solid(member.body), motion, t, t + length)));
        }
        for (k, body) in self.world.bodies.iter().enumerate() {
            let body_id = BodyId(k as u32);
            if body.drive.never_moves() && group.place(body_id).is_none() {
                let motion = self.runners.motion(body_id);
                let swept = Swept::new(&body.solid, motion, t, t + length);
                others.push((body_id, motion, swept));
            }
        }
        let mut pairs = Vec::new();
        for (k, member) in group.members.iter().enumerate().filter(|(_, member)| member.is_pushed()) {
            for (j, (other, motion, swept)) in others.iter().enumerate() {
                let counted_twice = j < group.members.len() && group.members[j].is_pushed() && j <= k;
                if counted_twice || *other == member.body || !swept.meets(&others[k].2) {
                    continue;
                }
                let pair = self.world.ordered(member.body, *other);
                if held.contains(&pair) {
                    continue;
                }
                let both = if pair.first == member.body { [&motions[k], motion] } else { [motion, &motions[k]] };
                pairs.push((pair, both.map(Motion::clone)));
            }
        }
        pairs
    }

    /// Queues a closing inside a step that is too fast to join it.
    pub fn queue_step_closing(&mut self, t: f64, closing: &StepClosing) {
        let versions = self.versions(closing.pair);
        let StepClosing { pair, normal, widest_gap, .. } = *closing;
        let below = t + closing.below;
        let next = Next::Meeting(Closing { pair, versions, normal, widest_gap, below, urgent: false });
        self.agenda.push(t + closing.x, next);
    }

    /// Queues a meeting of a pair that touches and approaches right now.
    pub fn meet_at_once(&mut self, t: f64, pair: Pair, normal: Vec3) {
        let versions = self.versions(pair);
        let next = Next::Meeting(Closing { pair, versions, normal, widest_gap: 0.0, below: t, urgent: true });
        self.agenda.push(t, next);
    }
}

/// Parts of a step at which the depth of a held pair along its path is measured. A point that runs along a rim can bend the path
/// below its contact before the middle and above it behind, or the other way round.
fn path_looks(group: &HeldGroup, pair: Pair) -> &'static [f64] {
    let round = |contact: &HeldContact| contact.pair == pair && contact.feature.is_curved();
    if group.contacts.iter().any(round) { &SAMPLES } else { &[0.5] }
}

/// The features of a pair that a group does not hold yet.
fn unheld(group: &HeldGroup, pair: Pair, features: impl Iterator<Item = Feature>) -> Vec<Feature> {
    let known = |feature: &Feature| {
        group.contacts.iter().any(|held| held.pair == pair && held.feature.place() == feature.place())
    };
    features.filter(|feature| !known(feature)).collect()
}

/// Where `gap` falls through zero between 0 and `limit`, at which it is as given, to the `fineness` (m) of its rounding. It
/// costs a projection of the whole group; `rough`, on the path as it is, costs little and shows where to look.
fn closing_time(
    gap: impl Fn(f64) -> f64,
    rough: impl Fn(f64) -> f64,
    limit: f64,
    ends: [f64; 2],
    fineness: f64,
) -> f64 {
    let ([mut a, mut b], [mut at_a, mut at_b]) = ([0.0, limit], ends);
    let (mut x, mut speed) = rough_closing(rough, limit).unwrap_or_else(|| {
        let speed = (at_a - at_b) / limit;
        (at_a / speed, speed)
    });
    // The last point, the last one below zero, and whether two of those say where to look.
    let (mut last, mut below, mut aimed) = (None, None, false);
    for _ in 0..MAX_SECANTS {
        if !(x > a && x < b) {
            x = 0.5 * (a + b);
        }
        let at_x = gap(x);
        if at_x.abs() <= fineness || at_x.abs() <= CLOSING_WIDTH * speed {
            return x;
        }
        let slope = |(before, at_before): (f64, f64)| (at_before - at_x) / (x - before);
        if at_x > NOT_FALLING * at_a {
            // A held pair keeps its gap until something closes: the slope says nothing yet.
            (a, at_a) = (x, at_x);
            x = a + if aimed { 0.2 } else { 0.5 } * (b - a);
        } else {
            aimed = at_x < 0.0 && below.is_some();
            let before = if at_x < 0.0 { below.or(last) } else { last };
            speed = before.map_or(speed, slope);
            if at_x < 0.0 {
                below = Some((x, at_x));
                (b, at_b) = (x, at_x);
            } else {
                (a, at_a) = (x, at_x);
            }
            last = Some((x, at_x));
            x += at_x / speed;
        }
    }
    falling_root(&gap, a, b, at_a, at_b, CLOSING_WIDTH)
}

/// Where the path as it is closes, and how fast.
fn rough_closing(rough: impl Fn(f64) -> f64, limit: f64) -> Option<(f64, f64)> {
    let (at_start, at_end) = (rough(0.0), rough(limit));
    if !(at_start > 0.0 && at_end < 0.0) {
        return None;
    }
    let x = falling_root(&rough, 0.0, limit, at_start, at_end, STOP_TOGETHER * limit);
    let step = SPEED_INTERVAL * limit;
    let (before, after) = ((x - step).max(0.0), (x + step).min(limit));
    Some((x, (rough(before) - rough(after)) / (after - before)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_gap_that_falls_from_a_level_is_placed_with_few_projections() {
        let limit = 1.0 / 240.0;
        // The level ends at k; the path as it is says so a little too early or too late, or not at all.
        for (k, shift) in [(1e-3, 0.0), (1e-3, 2e-5), (1e-3, -2e-5), (3.9e-3, 1e-4), (2e-5, -1e-5), (2e-3, 1.0)] {
            for (speed, bend) in [(0.01, 0.1), (0.5, 0.0), (0.5, -20.0), (2.0, 9.81)] {
                let fall = |x: f64| SIMULTANEOUS - if x > 0.0 { speed * x + 0.5 * bend * x * x } else { 0.0 };
                let count = Cell::new(0);
                let gap = |x: f64| {
                    count.set(count.get() + 1);
                    fall(x - k)
                };
                let x = closing_time(gap, |x| fall(x - k - shift), limit, [SIMULTANEOUS, fall(limit - k)], 1e-16);
                let exact = k + 2.0 * SIMULTANEOUS / (speed + (speed * speed + 2.0 * bend * SIMULTANEOUS).sqrt());
                assert!((x - exact).abs() <= 1e-15 + 2e-16 / speed, "{x:e} for {exact:e}");
                assert!(count.get() <= 16, "{} projections for k = {k}, shift {shift}, {speed} m/s", count.get());
            }
        }
    }
}
