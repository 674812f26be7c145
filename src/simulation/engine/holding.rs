//! Who is held: groups form from what touches, take their steps, let go, and fall asleep.
//!
//! After every event the bodies concerned *resume*: contacts within `TOUCHING` that do not part faster than a
//! quarter of the rest speed connect bodies into groups, each of which takes a step to the next point of the
//! global time grid. A group in which nothing presses flies. `cut` ends a step early, `sleep` ends the stepping of
//! what does not move, `telling` records it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::held::{HeldContact, HeldGroup, Member, StepOutcome, halved, next_time, split_step};
use super::super::meeting::TouchingPoint;
use super::super::motion::Motion;
use super::super::tape::{Source, StepId, StepLimit, Timing};
use super::super::trajectory::{End, EventContact, EventKind};
use super::agenda::Next;
use super::state::Engine;
use super::state::Instant;
use super::step_closing::StepClosing;
use super::steps::ActiveStep;
use crate::contact::law::Mode;
use crate::dynamics::BodyState;
use crate::geometry::{Feature, PlacedPair, Pose, TOUCHING};
use crate::math::elementary::powi;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyId, Material, Pair};
use crate::scene::DEFAULT_STEP;
use crate::simulation::settings::{
    CROWDED, DEEP, FARTHEST_OFF, LARGEST_GAIN, LARGEST_RUN, LARGEST_TURN, MAX_IMPACTS_IN_CELL, MAX_SLIP_SPLITS,
    MOST_HALVINGS, SHORTEST_PART, SHORTEST_RIM, SHORTEST_ROLL, SIMULTANEOUS, WEIGHT_SHARE,
};

/// Times a step is taken again because slow contacts come late.
const MAX_LATE: usize = 30;
/// Parts of a step tried where nothing presses over the whole of it.
const SHORTER_STEPS: [f64; 7] = [1.0, 0.25, 1.0 / 16.0, 1.0 / 64.0, 1.0 / 256.0, 1.0 / 1024.0, 1.0 / 4096.0];

/// The contacts that connect a group, by pair.
pub type Connected = BTreeMap<Pair, Vec<TouchingPoint>>;

impl Engine<'_> {
    /// Lets bodies go on from their states at t: held where they touch lastingly, else in flight.
    pub fn resume(&mut self, t: f64, mut instant: Instant) -> Result<(), End> {
        let contacts = self.settle(t, &mut instant);
        self.machines_are_free(t, &contacts)?;
        self.guided_are_free(t, &contacts)?;
        let mut held = BTreeSet::new();
        let mut urgent = Vec::new();
        for connected in self.components(&contacts) {
            let strikes = |(pair, points): (&Pair, &Vec<TouchingPoint>)| {
                points.iter().find(|point| self.strikes(point)).map(|point| (*pair, point.normal))
            };
            if let Some(strike) = connected.iter().find_map(strikes) {
                urgent.push(strike);
            } else if self.start_step(t, &connected, &instant)? {
                held.extend(connected.keys().copied());
            }
        }
        let joined = self.launch_machines(t, &instant);
        let flies = |body: &BodyId| !joined.contains(body) && !self.steps_from(t, *body);
        let flying: Vec<BodyId> = instant.keys().copied().filter(flies).collect();
        for body in flying {
            let flight = self.world.flight(body, t, instant[&body]);
            self.set_motion(body, t, Motion::Flight(flight), None);
        }
        self.announce(t, &instant, &held, &contacts);
        for (pair, normal) in urgent {
            self.meet_at_once(t, pair, normal);
        }
        let changed: Vec<BodyId> = instant.keys().copied().collect();
        self.search_again(&changed, t)
    }

    /// Whether a step of this body has just been started.
    fn steps_from(&self, t: f64, body: BodyId) -> bool {
        let step = self.runners.step(body).and_then(|step| self.steps.get(step));
        step.is_some_and(|step| step.t == t)
    }

    /// Everything that touches the bodies of the instant lastingly. Bodies found on the way join the instant:
    /// sleepers wake, steps are cut.
    fn settle(&mut self, t: f64, instant: &mut Instant) -> Connected {
        let mut contacts = Connected::new();
        let mut seen = BTreeSet::new();
        let mut frontier: Vec<BodyId> = instant.keys().copied().collect();
        while let Some(body) = frontier.pop() {
            for other in self.runners.neighbors(body).to_vec() {
                let pair = self.world.ordered(body, other);
                if !seen.insert(pair) {
                    continue;
                }
                let states = [self.now(instant, pair.first, t), self.now(instant, pair.second, t)];
                let mut points = self.touching_points(pair, [&states[0], &states[1]], None, TOUCHING);
                points.retain(|point| self.lasts(point) || self.strikes(point));
                if points.is_empty() {
                    continue;
                }
                contacts.insert(pair, points);
                if self.is_pushed(other) && !instant.contains_key(&other) {
                    frontier.extend(self.join_instant(t, other, instant));
                }
            }
        }
        contacts
    }

    /// Whether a contact is slow enough to be held.
    fn lasts(&self, point: &TouchingPoint) -> bool {
        point.rate.abs() <= 0.25 * self.world.rest_speed
    }

    /// Whether a contact approaches too fast to be held, right now. One that is a little apart is left to the
    /// search for meetings.
    pub fn strikes(&self, point: &TouchingPoint) -> bool {
        point.rate < -0.25 * self.world.rest_speed && point.gap <= SIMULTANEOUS
    }

    /// Contacts connected through moving bodies, one set for each group.
    fn components(&self, contacts: &Connected) -> Vec<Connected> {
        let mut groups: Vec<(BTreeSet<BodyId>, Connected)> = Vec::new();
        for (pair, points) in contacts {
            let pushed = |body: &BodyId| self.is_pushed(*body);
            let mut bodies: BTreeSet<BodyId> = [pair.first, pair.second].into_iter().filter(pushed).collect();
            let mut merged: Connected = BTreeMap::from([(*pair, points.clone())]);
            let (touched, rest): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|(others, _)| others.intersection(&bodies).next().is_some());
            for (others, contacts) in touched {
                bodies.extend(others);
                merged.extend(contacts);
            }
            groups = rest;
            groups.push((bodies, merged));
        }
        groups.sort_by(|a, b| a.0.first().cmp(&b.0.first()));
        groups.into_iter().map(|(_, contacts)| contacts).collect()
    }

    /// Starts a step of a group; false where nothing presses, so that it is not held.
    fn start_step(&mut self, t: f64, connected: &Connected, instant: &Instant) -> Result<bool, End> {
        let mut group = self.held_group(connected);
        let seen = |member: &Member| !member.looks_the_same_turned();
        let spin = |member: &Member| if seen(member) { self.now(instant, member.body, t).spin.norm() } else { 0.0 };
        let spins: Vec<f64> = group.members.iter().map(spin).collect();
        let fastest = (0..spins.len()).fold(0, |most, k| if spins[k] > spins[most] { k } else { most });
        let crowded = self.is_crowded(t, &group);
        let halvings = self.halvings(&group, t, instant);
        let grid = next_time(self.world.step, self.world.duration, t, halvings);
        let turn = LARGEST_TURN / spins[fastest];
        let (longest, limit) =
            if turn < grid - t { (turn, StepLimit::Turn(fastest)) } else { (grid - t, StepLimit::Grid(grid)) };
        // Of the whole cell: parts of what is left of it would never reach its end.
        let cell = turn.min(halved(self.world.step, halvings));
        let shortest = cell * if group.has_curves() && !crowded { SHORTEST_RIM } else { SHORTEST_PART };
        let shortest_roll = cell * if crowded { SHORTEST_PART } else { SHORTEST_ROLL };
        let mut full = longest;
        for late in 0.. {
            self.budget.try_step(&self.world, halvings, t, &group)?;
            let start: Vec<BodyState> = group.members.iter().map(|m| self.now(instant, m.body, t)).collect();
            let Some((outcome, warm)) = self.pressing_step(&group, &start, full) else { return Ok(false) };
            if let Some(k) = outcome.end.iter().position(|state| !state.is_finite()) {
                return Err(End::NonFinite { t, body: group.members[k].body });
            }
            if full > shortest
                && (group.deepest_inside(&start, &outcome) < -DEEP
                    || group.farthest_off(&outcome) > FARTHEST_OFF
                    || gain(&group, &start, &outcome)
                        > LARGEST_GAIN * powi((self.world.step / DEFAULT_STEP).max(1.0), 3))
            {
                full *= 0.5;
                continue;
            }
            if full > shortest_roll && group.strays(&outcome.end) {
                full *= 0.5;
                continue;
            }
            let closing = self.first_step_closing(t, &group, &start, &outcome, full <= shortest)?;
            if closing.as_ref().is_some_and(|closing| closing.sinks(&group)) {
                full *= 0.5;
                continue;
            }
            match closing {
                // Beyond the limit joining would have no end: what closes is met by an impact instead.
                Some(closing) if late < MAX_LATE && self.comes_late(t, &closing, &group, instant) => {
                    self.budget.work.late_contacts += 1;
                    self.join_contacts(&mut group, closing.pair, &closing.new_features);
                }
                closing => {
                    let whole = outcome.frozen.as_ref().map_or(outcome.length, |frozen| frozen.whole);
                    let part = whole / longest;
                    self.take_step(ActiveStep { t, group, start, outcome, limit, part, warm }, closing);
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Whether something in a group was struck so often within the present cell of the grid that steps must not follow all of it.
    pub fn is_crowded(&self, t: f64, group: &HeldGroup) -> bool {
        let cell = (t / self.world.step).floor() as u64;
        group.members.iter().any(|member| self.runners.impacts_in(member.body, cell) > CROWDED)
    }

    /// Whether a closing is so slow that its contact belongs to the step, though it comes late. Rounded bodies pass from one
    /// feature to the next instead, where both at once would hold them to the border: their step ends there. So it does where a
    /// feature says nothing at the start of the step, as edges that are parallel there.
    fn comes_late(&self, t: f64, closing: &StepClosing, group: &HeldGroup, instant: &Instant) -> bool {
        let StepClosing { pair, speed, new_features, .. } = closing;
        let slow = *speed < 0.25 * self.world.rest_speed;
        if !slow || new_features.is_empty() || self.passes_on(t, closing, group) {
            return false;
        }
        let ([first, second], bodies) = (self.solids(*pair), [pair.first, pair.second]);
        let poses = bodies.map(|body| self.now(instant, body, t).pose());
        let placed = PlacedPair { first: (first, &poses[0]), second: (second, &poses[1]) };
        new_features.iter().all(|feature| placed.contact(feature).is_some())
    }

    /// Whether what closes are rounded pieces that are held already, or the rim of a cap with a corner held, or the other way
    /// round. Two edges that cross a third do so at two places, like a capsule across a face: those are held together. A cap
    /// of a body that is struck again and again rattles between the two: both are held then.
    fn passes_on(&self, t: f64, closing: &StepClosing, group: &HeldGroup) -> bool {
        let [first, second] = [closing.pair.first, closing.pair.second];
        let (Some(k), Some(l)) = (group.place(first), group.place(second)) else { return false };
        let pose = Pose { position: Vec3::zeros(), turn: Mat3::identity() };
        let pair = PlacedPair { first: (&group.members[k].solid, &pose), second: (&group.members[l].solid, &pose) };
        let held = |feature: &Feature| {
            let pieces = pair.pieces_of(feature);
            let same = |contact: &HeldContact| {
                contact.pair == closing.pair
                    && pair.pieces_of(&contact.feature) == pieces
                    && !(is_crossing(&contact.feature) && is_crossing(feature))
            };
            group.contacts.iter().any(same)
        };
        let cell = (t / self.world.step).floor() as u64;
        let rattles = [first, second].iter().any(|body| self.runners.impacts_in(*body, cell) > MAX_IMPACTS_IN_CELL);
        let lies_down = |feature: &Feature| {
            let Some((cap, leans)) = pair.cap_on_flat(feature) else { return false };
            let other = |contact: &HeldContact| {
                contact.pair == closing.pair && pair.cap_on_flat(&contact.feature) == Some((cap, !leans))
            };
            group.contacts.iter().any(other)
        };
        let passes = |feature: &Feature| pair.is_rounded(feature) && held(feature) || !rattles && lies_down(feature);
        closing.new_features.iter().any(passes)
    }

    /// The longest of the tried steps in which something presses, and what its contact solver started from.
    fn pressing_step(
        &mut self,
        group: &HeldGroup,
        start: &[BodyState],
        full: f64,
    ) -> Option<(StepOutcome, Option<Vec<f64>>)> {
        let splits = group.members.iter().map(|member| self.runners.slip_splits(member.body)).max();
        let may_split = splits.unwrap_or(0) < MAX_SLIP_SPLITS;
        for part in SHORTER_STEPS {
            let length = part * full;
            let warm = self.steps.warm_start(group, length);
            let memory = self.steps.slip();
            let workspace = &mut self.contact_workspace;
            let outcome = split_step(group, start, length, memory, may_split, warm.as_deref(), workspace);
            self.budget.work.held_steps += 1;
            self.budget.count_iterations(outcome.iterations, group.contacts.len());
            self.budget.work.unsolved += u64::from(!outcome.solved);
            if !outcome.is_free() {
                return Some((outcome, warm));
            }
        }
        None
    }

    fn held_group(&self, connected: &Connected) -> HeldGroup {
        let bodies: BTreeSet<BodyId> = connected.keys().flat_map(|pair| [pair.first, pair.second]).collect();
        let members = bodies.into_iter().map(|body| self.member(body)).collect();
        let mut group = HeldGroup { members, contacts: Vec::new(), gravity: self.world.gravity };
        for (pair, points) in connected {
            let features: Vec<_> = points.iter().map(|point| point.feature).collect();
            self.join_contacts(&mut group, *pair, &features);
        }
        group.contacts.iter_mut().for_each(|contact| contact.late = false);
        group
    }

    fn join_contacts(&self, group: &mut HeldGroup, pair: Pair, features: &[Feature]) {
        for body in [pair.first, pair.second] {
            // Only fixed bodies can be new; they move nothing, so the order of members is theirs to break.
            if group.place(body).is_none() {
                group.members.push(self.member(body));
            }
        }
        let (Some(first), Some(second)) = (group.place(pair.first), group.place(pair.second)) else { return };
        let Material { friction, rolling, .. } = self.world.material(pair, None);
        let late = true;
        let contact = |&feature| HeldContact { pair, first, second, feature, friction, rolling, late };
        group.contacts.extend(features.iter().map(contact));
    }

    /// How often the cells of the grid are halved, so that no lowest point of a rim runs farther than `LARGEST_RUN`.
    fn halvings(&self, group: &HeldGroup, t: f64, instant: &Instant) -> u32 {
        let states: Vec<BodyState> = group.members.iter().map(|m| self.now(instant, m.body, t)).collect();
        let longest = group.longest_run(&states, LARGEST_RUN);
        (0..MOST_HALVINGS).find(|&k| halved(self.world.step, k) <= longest).unwrap_or(MOST_HALVINGS)
    }

    /// Sends the members of a group along their step.
    fn take_step(&mut self, step: ActiveStep, closing: Option<StepClosing>) {
        let id = self.record_step(&step);
        let ActiveStep { t, group, start, outcome, .. } = &step;
        for (k, member) in group.members.iter().enumerate() {
            if self.is_pushed(member.body) {
                let path = outcome.path(*t, &start[k], k);
                self.set_motion(member.body, *t, Motion::Step(path), Some(id));
            }
        }
        if let Some(closing) = closing {
            self.queue_step_closing(*t, &closing);
        }
        let name = group.members.iter().find(|member| self.is_pushed(member.body));
        let end = t + outcome.length;
        let next = Next::StepEnd(id, name.map_or(BodyId(0), |member| member.body));
        self.agenda.push(end, next);
        self.steps.insert(id, step);
    }

    /// What happens at the end of a step that nothing cut.
    pub fn end_step(&mut self, id: StepId, t: f64) -> Result<(), End> {
        let Some(step) = self.steps.take(id) else { return Ok(()) };
        if t >= self.world.duration {
            return Ok(());
        }
        self.record.tape.open(t, Timing::StepEnd(id));
        self.remember(t, &step);
        if let Some(lying) = self.lying(t, &step) {
            return self.lie_down(id, t, lying);
        }
        self.record.tape.source(Source::StepEnd(id));
        let moving =
            |(member, state): (&Member, &BodyState)| self.is_pushed(member.body).then_some((member.body, *state));
        let instant: Instant = step.group.members.iter().zip(&step.outcome.end).filter_map(moving).collect();
        if self.is_quiet(&instant) { self.sleep(t, &step, &instant) } else { self.resume(t, instant) }
    }

    /// Keeps what contacts did for the next step, and tells which stopped sliding.
    fn remember(&mut self, t: f64, step: &ActiveStep) {
        let ActiveStep { group, outcome, .. } = step;
        let slips = group.slip_speeds(&outcome.end);
        let mut stopped: BTreeMap<Pair, Vec<usize>> = BTreeMap::new();
        for (i, contact) in group.contacts.iter().enumerate() {
            let stops = outcome.split && outcome.decided[i] == Mode::Slide && slips[i] < 1e-3 * self.world.step;
            let mode = if stops { Mode::Stick } else { outcome.decided[i] };
            if stops {
                stopped.entry(contact.pair).or_default().push(i);
            }
            let force = Vec3::from(outcome.impulse().fixed_rows::<3>(3 * i)) / outcome.length;
            self.steps.remember(contact, mode, force);
        }
        group.members.iter().for_each(|member| self.runners.note_split(member.body, outcome.split));
        for (pair, contacts) in stopped {
            let geometry = group.contact_geometry(&outcome.end);
            let point = |&i: &usize| {
                let (feature, at) = (group.contacts[i].feature, geometry[i]?);
                Some(EventContact { feature, point: at.point, normal: at.normal, impulse: Vec3::zeros() })
            };
            let points = contacts.iter().filter_map(point).collect();
            self.tell(t, EventKind::Slip, pair, points);
        }
    }

    /// Forgets how contacts of these bodies slid: an impact changes it.
    pub fn forget_slip(&mut self, instant: &Instant) {
        let concerned = |pair: &Pair| instant.contains_key(&pair.first) || instant.contains_key(&pair.second);
        self.steps.forget_slip(concerned);
    }
}

fn is_crossing(feature: &Feature) -> bool {
    matches!(feature, Feature::EdgeEdge { .. })
}

/// What a step gains of energy, relative to its motion and `WEIGHT_SHARE` of its bodies' weight.
fn gain(group: &HeldGroup, start: &[BodyState], outcome: &StepOutcome) -> f64 {
    let (mut gain, mut scale) = (0.0, f64::MIN_POSITIVE);
    let states = start.iter().zip(&outcome.end);
    for (member, (before, after)) in group.members.iter().zip(states).filter(|(member, _)| member.is_pushed()) {
        let kinetic = [before, after].map(|state| state.kinetic_energy(&member.mass));
        let weight = group.gravity * member.mass.mass;
        gain += kinetic[1] - kinetic[0] - weight.dot(&(after.position - before.position));
        scale += kinetic[0].max(kinetic[1]) + WEIGHT_SHARE * weight.norm() * member.solid.reach();
    }
    gain / scale
}
