//! What happens when a pair meets: the group around it, its impulses, and the events that tell of them.

use super::super::grouping::{group_body, impact_contacts};
use super::super::linkage::Linkage;
use super::super::meeting::{PairContacts, TouchingPoint, add_seen, gather, members, seated};
use super::super::tape::Source;
use super::super::trajectory::{End, Event, EventContact, EventKind};
use super::agenda::{Closing, Next};
use super::cut::GroupCut;
use super::state::{Engine, Instant};
use crate::contact::{GroupContact, Impact, joined_impact};
use crate::dynamics::BodyState;
use crate::geometry::{Feature, TOUCHING};
use crate::math::Vec3;
use crate::math::root::falling_root;
use crate::model::{BodyId, Pair};
use crate::simulation::settings::{DEEP, DIP, GRAZING, MAX_IMPACTS_IN_CELL, ROOT_WIDTH, SIMULTANEOUS};

/// How often features are looked for that others hid.
const MAX_HIDDEN_ROUNDS: usize = 4;

impl Engine<'_> {
    /// When a pair that closes at t without approach has sunk by `DIP`: where its search happened to look, in what follows it,
    /// would be no function of where it is. At the end of a search it may not have sunk so far.
    fn sunk(&self, t: f64, closing: &Closing) -> f64 {
        let gap = |t: f64| {
            let states = [self.state(closing.pair.first, t), self.state(closing.pair.second, t)];
            self.separation(closing.pair, [&states[0], &states[1]], Some(closing.normal)).gap
        };
        let level = gap(t) - DIP;
        let end = gap(closing.below) - level;
        if end < 0.0 { falling_root(|t| gap(t) - level, t, closing.below, DIP, end, ROOT_WIDTH) } else { closing.below }
    }

    /// Everything that happens because a pair closes.
    pub fn meet(&mut self, t: f64, closing: &Closing) -> Result<(), End> {
        if closing.below > t && !self.approaches(t, closing) {
            // What closes is not among the features that touch yet, or too slow to be told from rest: it is met
            // where it shows.
            let below = self.sunk(t, closing);
            self.agenda.push(below, Next::Meeting(Closing { below, ..*closing }));
            return Ok(());
        }
        let timing = self.timing(t, closing);
        self.record.tape.open(t, timing);
        let seen = self.seen_features(t, closing);
        let instant = self.cut_steps_of_pair(t, closing, &seen)?;
        self.collide_around(t, closing, &seen, instant, false)
    }

    /// The impact of all that touches around a closing pair, with restitution or without.
    pub fn collide_around(
        &mut self,
        t: f64,
        closing: &Closing,
        seen: &[Feature],
        mut instant: Instant,
        without_restitution: bool,
    ) -> Result<(), End> {
        let pair = closing.pair;
        let mut group = self.group_around(t, closing, seen, &instant);
        // Members of other steps take part at where their step has them now.
        while let Some(body) = self.stepping_member(&group, &instant) {
            self.join_instant(t, body, &mut instant);
            group = self.group_around(t, closing, seen, &instant);
        }
        if !group.iter().any(|contacts| contacts.pair == pair) {
            self.budget.work.meetings_without_feature += 1;
        }
        // Impacts that change nothing are no events, but must not go on for ever either.
        if self.record.event_count() + group.len() > self.world.max_events as usize
            || self.record.group_count() > self.world.max_events
        {
            return Err(End::EventLimit { t, first: pair.first, second: pair.second });
        }
        let often = self.count_impact(t, &members(&group)) > MAX_IMPACTS_IN_CELL;
        self.collide(t, closing, &group, instant, without_restitution || often)
    }

    /// All that touches at once around a closing pair.
    fn group_around(&self, t: f64, closing: &Closing, seen: &[Feature], instant: &Instant) -> Vec<PairContacts> {
        let pair = closing.pair;
        let touches = |other: Pair| {
            if self.machines.are_exempt(other) {
                return Vec::new();
            }
            let states = [self.now(instant, other.first, t), self.now(instant, other.second, t)];
            let hint = (other == pair).then_some(closing.normal);
            let mut points = self.touching_points(other, [&states[0], &states[1]], hint, SIMULTANEOUS);
            if other == pair {
                add_seen(&mut points, seen, self.solids(pair), [&states[0], &states[1]], TOUCHING);
            }
            points
        };
        gather(&self.world, pair, touches, |body| self.runners.neighbors(body), |body| self.linked_to(&[body]))
    }

    /// A body of the group that is still inside a step.
    fn stepping_member(&self, group: &[PairContacts], instant: &Instant) -> Option<BodyId> {
        let stepping = |body: &BodyId| self.runners.step(*body).is_some() && !instant.contains_key(body);
        members(group).into_iter().find(stepping)
    }

    /// The features of a closing pair that touch on the motions as they are.
    fn seen_points(&self, t: f64, closing: &Closing) -> Vec<TouchingPoint> {
        let states = [self.state(closing.pair.first, t), self.state(closing.pair.second, t)];
        self.touching_points(closing.pair, [&states[0], &states[1]], Some(closing.normal), SIMULTANEOUS)
    }

    /// Whether some feature of a closing pair really approaches.
    fn approaches(&self, t: f64, closing: &Closing) -> bool {
        self.seen_points(t, closing).iter().any(|point| point.rate < -GRAZING)
    }

    /// Those features, where a step is cut: the projection can hide them by less than a tolerance.
    fn seen_features(&self, t: f64, closing: &Closing) -> Vec<Feature> {
        let stepping = |body: BodyId| self.runners.step(body).is_some();
        if !stepping(closing.pair.first) && !stepping(closing.pair.second) {
            return Vec::new();
        }
        self.seen_points(t, closing).iter().map(|point| point.feature).collect()
    }

    /// Ends the steps that the pair's bodies are in, with positions projected onto what presses there and onto
    /// the features that close.
    fn cut_steps_of_pair(&mut self, t: f64, closing: &Closing, seen: &[Feature]) -> Result<Instant, End> {
        let pair = closing.pair;
        let steps = [pair.first, pair.second].map(|body| self.runners.step(body));
        if steps == [None, None] {
            return Ok(Instant::new());
        }
        let mut together = GroupCut::new(self.world.gravity);
        let distinct = if steps[0] == steps[1] { 1 } else { 2 };
        let mut cut = Vec::with_capacity(2);
        for id in steps.into_iter().take(distinct).flatten() {
            if let Some(step) = self.steps.take(id) {
                together.add_step(t, &step);
                cut.push(id);
            }
        }
        for body in [pair.first, pair.second] {
            self.add_standing(t, body, &mut together);
        }
        self.add_closing_features(closing, seen, &mut together);
        let projected = self.project_together(pair, &mut together);
        self.record_group_cut(cut, &together);
        let mut instant = Instant::new();
        for (k, member) in together.group.members.iter().enumerate() {
            if self.is_pushed(member.body) {
                self.record.shorten_path(member.body, t, &together.unprojected[k], &projected[k]);
                instant.insert(member.body, projected[k]);
            }
        }
        Ok(instant)
    }

    /// Adds a body that is in none of the steps; one that sleeps comes with all that it touches, and stays on it. Without that
    /// it would be pushed off by more than counts as touching.
    fn add_standing(&self, t: f64, body: BodyId, together: &mut GroupCut) {
        let mut found = vec![body];
        while let Some(body) = found.pop() {
            if together.group.place(body).is_some() {
                continue;
            }
            together.add_body(self.member(body), self.state(body, t));
            if !self.is_pushed(body) || !self.runners.motion(body).is_still() {
                continue;
            }
            let neighbors = self.runners.neighbors(body).iter().copied();
            for other in neighbors.filter(|other| self.runners.motion(*other).is_still()) {
                let pair = self.world.ordered(body, other);
                let states = [self.state(pair.first, t), self.state(pair.second, t)];
                let points = self.touching_points(pair, [&states[0], &states[1]], None, TOUCHING);
                if points.is_empty() {
                    continue;
                }
                if !self.is_pushed(other) && together.group.place(other).is_none() {
                    together.add_body(self.member(other), self.state(other, t));
                }
                match [pair.first, pair.second].map(|body| together.group.place(body)) {
                    [Some(first), Some(second)] => {
                        together.add_features(pair, [first, second], features_of(&points), true);
                    }
                    // They are added from the other side.
                    _ => found.push(other),
                }
            }
        }
    }

    /// The states of a cut, projected. What the features that close hid may then be deeper: it is held apart too.
    fn project_together(&self, pair: Pair, together: &mut GroupCut) -> Vec<BodyState> {
        let mut projected = together.group.projected(&together.states, &together.active);
        let places = [pair.first, pair.second].map(|body| together.group.place(body));
        let [Some(first), Some(second)] = places else { return projected };
        for _ in 0..MAX_HIDDEN_ROUNDS {
            let states = [&projected[first], &projected[second]];
            let apart = self.separation(pair, states, None);
            if apart.gap >= -DEEP {
                break;
            }
            let points = self.touching_points(pair, states, Some(apart.normal), TOUCHING);
            if !together.add_features(pair, [first, second], features_of(&points), false) {
                break;
            }
            projected = together.group.projected(&together.states, &together.active);
        }
        projected
    }

    fn add_closing_features(&self, closing: &Closing, seen: &[Feature], together: &mut GroupCut) {
        let pair = closing.pair;
        let places = [pair.first, pair.second].map(|body| together.group.place(body));
        let [Some(first), Some(second)] = places else { return };
        let states = [&together.states[first], &together.states[second]];
        let apart = self.separation(pair, states, Some(closing.normal));
        // The projection may have moved the pair apart by a little.
        let tolerance = TOUCHING.max(apart.gap + SIMULTANEOUS);
        let mut points = self.touching_points(pair, states, Some(apart.normal), tolerance);
        add_seen(&mut points, seen, self.solids(pair), states, tolerance);
        together.keep_only(pair, &points);
        together.add_features(pair, [first, second], features_of(&points), true);
    }

    /// Whether the pair has not parted since it last touched.
    fn touches_still(&self, closing: &Closing) -> bool {
        self.encounters.normal(closing.pair).is_some() && closing.widest_gap <= TOUCHING
    }

    fn collide(
        &mut self,
        t: f64,
        closing: &Closing,
        group: &[PairContacts],
        mut instant: Instant,
        without_restitution: bool,
    ) -> Result<(), End> {
        let (bodies, places) = seated(group, self.linked_to(&members(group)));
        let states: Vec<BodyState> = bodies.iter().map(|&body| self.now(&instant, body, t)).collect();
        let numbers: Vec<Option<u32>> = group.iter().map(|contacts| self.number(contacts.pair, closing)).collect();
        let contacts = impact_contacts(&self.world, group, &places, &numbers, without_restitution);
        let mass = |body: BodyId| &self.world.bodies[body.index()].mass;
        let mut members: Vec<_> =
            bodies.iter().zip(&states).map(|(&body, state)| group_body(mass(body), state)).collect();
        let linked = self.linked_flights(&bodies);
        let blocks = Linkage::new(&linked, |flight| self.machines.flight(flight), &states, &mut members, t).blocks();
        let result = joined_impact(&members, &contacts, &blocks, self.world.rest_speed);
        let iterations = result.phases.iter().map(|phase| phase.iterations).sum();
        self.budget.count_iterations(iterations, contacts.len() + blocks.len());
        self.budget.work.unsolved += u64::from(!result.solved);
        if result.impulses.iter().any(|impulse| impulse.total.iter().any(|entry| !entry.is_finite())) {
            return Err(End::NonFinite { t, body: closing.pair.first });
        }
        self.record_impact(
            (&bodies, &places),
            &states,
            group,
            &numbers,
            linked,
            &result,
            without_restitution,
            &instant,
        );
        self.record_impacts(t, group, &numbers, &contacts, &result);
        for ((&body, state), &(velocity, spin)) in bodies.iter().zip(&states).zip(&result.velocities) {
            if self.is_pushed(body) {
                let state = BodyState { velocity, spin, ..*state };
                if !state.is_finite() {
                    return Err(End::NonFinite { t, body });
                }
                instant.insert(body, state);
            }
        }
        self.forget_slip(&instant);
        // A meeting at which nothing was found to touch must not be forgotten: its bodies go on from here.
        for body in [closing.pair.first, closing.pair.second] {
            if self.is_pushed(body) && !instant.contains_key(&body) {
                instant.insert(body, self.state(body, t));
                self.record.tape.source(Source::Motion(body));
            }
        }
        self.resume(t, instant)
    }

    /// The number of the pair's impact, if it counts: only pairs that were apart do.
    fn number(&self, pair: Pair, closing: &Closing) -> Option<u32> {
        let apart =
            if pair == closing.pair { !self.touches_still(closing) } else { self.encounters.normal(pair).is_none() };
        apart.then(|| self.encounters.impacts(pair) + 1)
    }

    /// Counts an impact of each moving body within the present cell of the grid; the largest count.
    fn count_impact(&mut self, t: f64, bodies: &[BodyId]) -> u32 {
        let cell = (t / self.world.step).floor() as u64;
        let world = &self.world;
        let pushed = bodies.iter().filter(|body| world.bodies[body.index()].drive.is_pushed());
        pushed.map(|body| self.runners.count_impact(*body, cell)).max().unwrap_or(0)
    }

    fn record_impacts(
        &mut self,
        t: f64,
        group: &[PairContacts],
        numbers: &[Option<u32>],
        solved: &[GroupContact],
        result: &Impact,
    ) {
        let mut k = 0;
        for (of_pair, number) in group.iter().zip(numbers) {
            let range = k..k + of_pair.contacts.len();
            k = range.end;
            let contact = |(point, k): (&TouchingPoint, usize)| EventContact {
                feature: point.feature,
                point: point.point,
                normal: solved[k].normal,
                impulse: result.impulses[k].total,
            };
            let contacts: Vec<EventContact> = of_pair.contacts.iter().zip(range).map(contact).collect();
            let pair = of_pair.pair;
            self.encounters.touch(pair, of_pair.contacts[0].normal);
            // A neighbour that touches but takes no part is not an event.
            if (number.is_none() || !of_pair.meets()) && contacts.iter().all(|contact| contact.impulse == Vec3::zeros())
            {
                continue;
            }
            let count = number.unwrap_or(self.encounters.impacts(pair));
            self.encounters.set_impacts(pair, count);
            let kind = if number.is_some() { EventKind::Impact } else { EventKind::Strike };
            let (grazing, unsolved) = (of_pair.approach_speed() < GRAZING, !result.solved);
            let event = Event {
                t,
                kind,
                first: pair.first,
                second: pair.second,
                number: count,
                grazing,
                unsolved,
                group: self.record.group_count(),
                node: self.record.tape.present(),
                contacts,
            };
            self.record.add_event(event);
        }
        self.record.end_group();
    }
}

fn features_of(points: &[TouchingPoint]) -> impl Iterator<Item = Feature> {
    points.iter().map(|point| point.feature)
}
