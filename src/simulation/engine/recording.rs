//! What the engine tells the tape: why a meeting happens when it does, what is cut, solved and stepped.

use super::super::held::HeldContact;
use super::super::meeting::{PairContacts, TouchingPoint};
use super::super::tape::{
    GroupCut, ImpactContact, ImpactRecord, LinkedFlight, NodeId, Source, StepId, StepRecord, Timing,
};
use super::agenda::Closing;
use super::cut;
use super::state::Engine;
use super::state::Instant;
use super::steps::ActiveStep;
use crate::contact::Impact;
use crate::dynamics::BodyState;
use crate::geometry::{Feature, PlacedPair, TOUCHING};
use crate::model::{BodyId, Pair};
use crate::simulation::settings::{SAME_GAP, SIMULTANEOUS};

impl Engine<'_> {
    /// Why a closing happens when it does.
    pub fn timing(&self, t: f64, closing: &Closing) -> Timing {
        if let Some(node) = self.begun_at(t, closing.pair) {
            return Timing::Same(node);
        }
        let pair = closing.pair;
        let inside = self.watching_step(pair);
        let (states, tolerance) = match inside.and_then(|id| self.steps.get(id)) {
            Some(step) => (self.states_inside(t, step, pair), TOUCHING),
            None => ([self.state(pair.first, t), self.state(pair.second, t)], SIMULTANEOUS),
        };
        let mut points = self.touching_points(pair, [&states[0], &states[1]], Some(closing.normal), tolerance);
        if let Some(step) = inside.and_then(|id| self.steps.get(id)) {
            let held = |point: &TouchingPoint| {
                let same = |held: &HeldContact| held.pair == pair && held.feature.place() == point.feature.place();
                step.group.contacts.iter().any(same)
            };
            if !points.iter().all(held) {
                points.retain(|point| !held(point));
            }
        }
        let apart = self.separation(pair, [&states[0], &states[1]], Some(closing.normal));
        let level = inside.and_then(|id| self.steps.get(id)).map_or(Vec::new(), |step| self.level(step, pair));
        let features = self.lowest(pair, [&states[0], &states[1]], closest(&points, apart.gap));
        Timing::Closing { pair, features, inside, level }
    }

    /// The same features, but the rim of a cap in the place of corners that a tilted one touches with: the circle is lower than
    /// its corners are, and it is the circle that closes.
    fn lowest(&self, pair: Pair, states: [&BodyState; 2], features: Vec<Feature>) -> Vec<Feature> {
        let ([first, second], poses) = (self.solids(pair), states.map(BodyState::pose));
        let placed = PlacedPair { first: (first, &poses[0]), second: (second, &poses[1]) };
        let cap = |feature: &Feature| placed.cap_on_flat(feature).filter(|(_, leans)| !leans);
        let Some(found) = features.first().and_then(cap) else { return features };
        if !features.iter().all(|feature| cap(feature) == Some(found)) {
            return features;
        }
        match placed.lowest_of_cap(&features[0]) {
            Some((rim, drop)) if drop > SAME_GAP => vec![rim],
            _ => features,
        }
    }

    /// The features from whose gap at the start of a step a held pair is measured: those that overlap most, if any do.
    fn level(&self, step: &ActiveStep, pair: Pair) -> Vec<Feature> {
        let [Some(first), Some(second)] = [step.group.place(pair.first), step.group.place(pair.second)] else {
            return Vec::new();
        };
        let states = [&step.start[first], &step.start[second]];
        let apart = self.separation(pair, states, None);
        if apart.gap > -SAME_GAP {
            return Vec::new();
        }
        let mut points = self.touching_points(pair, states, Some(apart.normal), TOUCHING);
        // How fast they part is no question here.
        points.iter_mut().for_each(|point| point.rate = 0.0);
        self.lowest(pair, states, closest(&points, apart.gap))
    }

    /// The node at this very time that began the motion of one of the pair.
    fn begun_at(&self, t: f64, pair: Pair) -> Option<NodeId> {
        let begun = |body: BodyId| self.record.tape.latest(body).filter(|&node| self.record.tape.node(node).t == t);
        begun(pair.first).max(begun(pair.second))
    }

    /// The step that holds the pair and watches it on its projected path.
    fn watching_step(&self, pair: Pair) -> Option<StepId> {
        let id = self.runners.step(pair.first)?;
        let step = self.steps.get(id)?;
        step.group.contacts.iter().any(|contact| contact.pair == pair).then_some(id)
    }

    fn states_inside(&self, t: f64, step: &ActiveStep, pair: Pair) -> [BodyState; 2] {
        let states = step.group.inside(&step.start, &step.outcome, (t - step.t).min(step.outcome.length));
        [pair.first, pair.second].map(|body| step.group.place(body).map_or(self.state(body, t), |place| states[place]))
    }

    pub fn record_group_cut(&mut self, steps: Vec<StepId>, together: &cut::GroupCut) {
        let members = together.group.members.iter().map(|member| member.body).collect();
        let (contacts, active) = (together.group.contacts.clone(), together.active.clone());
        self.record.tape.source(Source::GroupCut(Box::new(GroupCut { steps, members, contacts, active })));
    }

    #[allow(clippy::too_many_arguments, reason = "all that makes one impact")]
    pub fn record_impact(
        &mut self,
        (bodies, places): (&[BodyId], &[[usize; 2]]),
        states: &[BodyState],
        group: &[PairContacts],
        numbers: &[Option<u32>],
        linked: Vec<LinkedFlight>,
        result: &Impact,
        without_restitution: bool,
        instant: &Instant,
    ) {
        for &body in bodies {
            if !self.world.bodies[body.index()].drive.never_moves() && !instant.contains_key(&body) {
                self.record.tape.source(Source::Motion(body));
            }
        }
        let mut contacts = Vec::with_capacity(result.impulses.len());
        for ((of_pair, &number), places) in group.iter().zip(numbers).zip(places) {
            let (pair, places) = (of_pair.pair, places.map(|place| place as u32));
            let contact = |point: &TouchingPoint| ImpactContact { pair, places, number, feature: point.feature };
            contacts.extend(of_pair.contacts.iter().map(contact));
        }
        let t = self.record.tape.node(self.record.tape.present()).t;
        self.record.tape.impact(ImpactRecord {
            t,
            bodies: bodies.to_vec(),
            states: states.to_vec(),
            contacts,
            linked,
            without_restitution,
            modes: result.phases.iter().flat_map(|phase| phase.all_modes()).collect(),
            scaled_back: result.retained < 1.0,
            solved: result.solved,
        });
    }

    pub fn record_step(&mut self, step: &ActiveStep) -> StepId {
        let ActiveStep { group, start, outcome, limit, part, warm, .. } = step;
        self.record.tape.step_begins(StepRecord {
            node: self.record.tape.present(),
            cut: None,
            members: group.members.iter().map(|member| member.body).collect(),
            start: start.clone(),
            contacts: group.contacts.clone(),
            limit: *limit,
            part: *part,
            length: outcome.length,
            warm: warm.clone(),
            frozen: outcome.frozen.clone(),
            modes: outcome.passes.clone(),
            closed: outcome.closed.clone(),
            bend: outcome.bend,
            solved: outcome.solved,
        })
    }
}

/// The features that close where the separation is φ: those of the approaching whose gap is φ.
///
/// Not the nearest: φ is the largest separation over all axes. Where an edge closes on the border of a face, face and
/// edges name gaps of their own, and the time is that at which the *last* of them closes.
fn closest(points: &[TouchingPoint], separation: f64) -> Vec<Feature> {
    let approaching = points.iter().any(|point| point.rate < 0.0);
    let counted = |point: &&TouchingPoint| point.rate < 0.0 || !approaching;
    let off = |point: &TouchingPoint| (point.gap - separation).abs();
    let least = points.iter().filter(counted).map(off).fold(f64::INFINITY, f64::min);
    let near = points.iter().filter(counted).filter(|point| off(point) <= least + SAME_GAP);
    near.map(|point| point.feature).collect()
}
