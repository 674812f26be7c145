//! Cutting steps short: where the members of held groups are when something happens inside their step.

use super::super::held::{HeldContact, HeldGroup, Member};
use super::super::meeting::TouchingPoint;
use super::super::tape::Source;
use super::state::Engine;
use super::state::Instant;
use super::steps::ActiveStep;
use crate::dynamics::BodyState;
use crate::geometry::Feature;
use crate::math::Vec3;
use crate::model::{BodyId, Pair};

/// Steps cut at one instant, as one group.
pub struct GroupCut {
    pub group: HeldGroup,
    /// Projected onto what presses in each step.
    pub states: Vec<BodyState>,
    pub unprojected: Vec<BodyState>,
    pub active: Vec<bool>,
}

impl GroupCut {
    pub fn new(gravity: Vec3) -> Self {
        let group = HeldGroup { members: Vec::new(), contacts: Vec::new(), gravity };
        GroupCut { group, states: Vec::new(), unprojected: Vec::new(), active: Vec::new() }
    }

    /// Adds a body; its place among the members.
    pub fn add_body(&mut self, member: Member, state: BodyState) -> usize {
        self.group.members.push(member);
        self.states.push(state);
        self.unprojected.push(state);
        self.states.len() - 1
    }

    /// Drops contacts of a pair that no longer touch: where one feature hands over to the next, both at once
    /// would draw the bodies to the border between them.
    pub fn keep_only(&mut self, pair: Pair, points: &[TouchingPoint]) {
        let touches = |contact: &HeldContact| {
            contact.pair != pair || points.iter().any(|point| point.feature.place() == contact.feature.place())
        };
        let kept: Vec<bool> = self.group.contacts.iter().map(touches).collect();
        let mut keep = kept.iter();
        self.group.contacts.retain(|_| *keep.next().unwrap_or(&true));
        let mut keep = kept.iter();
        self.active.retain(|_| *keep.next().unwrap_or(&true));
    }

    /// Adds features of a pair that are not listed, drawn to gap zero where `closes` and else only held apart; whether
    /// there were any.
    pub fn add_features(
        &mut self,
        pair: Pair,
        [first, second]: [usize; 2],
        features: impl Iterator<Item = Feature>,
        closes: bool,
    ) -> bool {
        let before = self.group.contacts.len();
        for feature in features {
            let known = |held: &HeldContact| held.pair == pair && held.feature.place() == feature.place();
            if !self.group.contacts.iter().any(known) {
                let (friction, rolling, late) = (0.0, 0.0, false);
                self.group.contacts.push(HeldContact { pair, first, second, feature, friction, rolling, late });
                self.active.push(closes);
            }
        }
        self.group.contacts.len() > before
    }

    /// Adds the members and contacts of a step as they are at t.
    pub fn add_step(&mut self, t: f64, step: &ActiveStep) {
        let x = (t - step.t).min(step.outcome.length);
        let unprojected = step.group.unprojected_inside(&step.start, &step.outcome, x);
        let active = step.group.pressing(step.outcome.impulse(), &step.outcome.decided);
        let states = step.group.projected(&unprojected, &active);
        let mut places = Vec::with_capacity(states.len());
        for (k, member) in step.group.members.iter().enumerate() {
            places.push(self.group.place(member.body).unwrap_or_else(|| {
                let place = self.add_body(member.clone(), states[k]);
                self.unprojected[place] = unprojected[k];
                place
            }));
        }
        for contact in &step.group.contacts {
            let (first, second) = (places[contact.first], places[contact.second]);
            self.group.contacts.push(HeldContact { first, second, ..*contact });
        }
        self.active.extend(active);
    }
}

impl Engine<'_> {
    /// Adds a body to the instant, with all members of the step it is in; the bodies added.
    pub fn join_instant(&mut self, t: f64, body: BodyId, instant: &mut Instant) -> Vec<BodyId> {
        let step = self.runners.step(body).and_then(|id| Some((id, self.steps.take(id)?)));
        let Some((id, step)) = step else {
            instant.insert(body, self.state(body, t));
            self.record.tape.source(Source::Motion(body));
            return vec![body];
        };
        let mut cut = GroupCut::new(self.world.gravity);
        cut.add_step(t, &step);
        self.record.tape.source(Source::Cut(id));
        let mut added = Vec::new();
        for (k, member) in cut.group.members.iter().enumerate() {
            if self.is_pushed(member.body) {
                self.record.shorten_path(member.body, t, &cut.unprojected[k], &cut.states[k]);
                instant.insert(member.body, cut.states[k]);
                added.push(member.body);
            }
        }
        added
    }
}
