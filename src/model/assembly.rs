//! The start of a world on its joints, where the scene asks for it (`assemble`), and how it changes.
//!
//! ```text
//! u ──▶ start as given ──P──▶ start on its joints ──▶ S(t, P(u))
//!       ∂P/∂u = ∂P/∂start·dstart/du + Σ ∂P/∂number·dnumber/du                                      (1)
//! ```
//!
//! P is `dynamics::joined::Assembly`, group by group. What is "of the start" is that of the given start for P, and that of P's answer
//! for all that follows. A group that cannot be assembled stays as it is given; the door refuses a file in which there is one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::assembled::{Assembled, StartGroup};
use super::error::{ModelError, ModelProblem};
use super::overlap::{ALLOWED, MAX_REPORTS};
use super::{BodyId, BodyProperties, Quantity, World, WorldDirection};
use crate::dynamics::joined::{Assembly, Blueprint, BodyFacts, Column, StartTerm, start_terms};
use crate::dynamics::{BodyState, StateTangent};

impl World {
    /// Projects the start onto its joints.
    pub(super) fn assemble(&mut self) {
        let given = self.body_facts();
        let mut assembled = Assembled { given, ..Assembled::default() };
        for joints in self.start_groups() {
            match Assembly::new(&self.start_blueprint(
                &joints,
                &assembled.given,
                &states_of(&joints.members, &assembled.given),
            )) {
                Ok(group) => assembled.groups.push(group),
                Err(apart) => assembled.apart.extend(apart.joints),
            }
        }
        for group in &assembled.groups {
            for (&body, state) in group.members().iter().zip(group.assembled()) {
                if self.bodies[body].drive.is_pushed() {
                    self.bodies[body].initial = *state;
                }
            }
        }
        assembled.apart.sort_by_key(|(joint, _)| *joint);
        self.assembled = Some(Arc::new(assembled));
    }

    /// Joints that could not be assembled, by their places, and how far they stay apart, m or rad.
    pub fn not_assembled(&self) -> &[(usize, f64)] {
        self.assembled.as_ref().map_or(&[], |assembled| &assembled.apart)
    }

    /// What is wrong with a start that was assembled.
    pub(super) fn start_errors(&self) -> Vec<ModelError> {
        let named = |&(joint, by): &(usize, f64)| (self.machine.joints[joint].name.clone(), by);
        let joints: Vec<(String, f64)> = self.not_assembled().iter().map(named).collect();
        if !joints.is_empty() {
            return vec![ModelError { key: "assemble".to_owned(), problem: ModelProblem::NotAssembled { joints } }];
        }
        let name = |body: BodyId| self.bodies[body.index()].name.to_string();
        let error = |(first, second, gap): (BodyId, BodyId, f64)| ModelError {
            key: format!("body[{}].position", second.index()),
            problem: ModelProblem::Overlap { body: name(second), other: name(first), depth: -gap },
        };
        self.nearer_at_start(-ALLOWED).into_iter().take(MAX_REPORTS).map(error).collect()
    }

    /// What machines know of all bodies.
    pub fn body_facts(&self) -> Vec<BodyFacts> {
        let facts =
            |body: &BodyProperties| BodyFacts { mass: body.mass, initial: body.initial, radius: body.solid.reach() };
        self.bodies.iter().map(facts).collect()
    }

    /// Bodies connected by joints that hold from the start, with these joints.
    pub fn start_groups(&self) -> Vec<StartGroup> {
        self.machine.start_groups(self.bodies.len(), |body| self.bodies[body].drive.is_pushed())
    }

    /// The joints of a group at the start, with bodies in given states; what is "of the start" is of the facts.
    pub fn start_blueprint<'a>(
        &'a self,
        group: &'a StartGroup,
        facts: &'a [BodyFacts],
        states: &'a [BodyState],
    ) -> Blueprint<'a> {
        Blueprint {
            members: &group.members,
            bodies: facts,
            gravity: self.gravity,
            joints: &self.machine.joints,
            forces: &self.machine.forces,
            tracks: &self.machine.tracks,
            active_joints: &group.joints,
            active_forces: &[],
            t: 0.0,
            states,
        }
    }

    /// (1): what becomes of a change of the given start.
    pub(super) fn assembled_direction(&self, given: WorldDirection) -> WorldDirection {
        let Some(assembled) = &self.assembled else { return given };
        let mut starts: Vec<(BodyId, StateTangent)> = Vec::new();
        let touched: BTreeSet<usize> = assembled.groups.iter().flat_map(|group| group.members()).copied().collect();
        let stays = |body: &BodyId| !touched.contains(&body.index()) || !self.bodies[body.index()].drive.is_pushed();
        starts.extend(given.starts.iter().filter(|(body, _)| stays(body)).copied());
        for group in &assembled.groups {
            self.add_group(&mut starts, group, &assembled.given, &given);
        }
        WorldDirection { starts, quantities: given.quantities }
    }

    fn add_group(
        &self,
        starts: &mut Vec<(BodyId, StateTangent)>,
        group: &Assembly,
        facts: &[BodyFacts],
        given: &WorldDirection,
    ) {
        let start = |body: usize| given.starts.iter().find(|(own, _)| own.index() == body).map(|(_, change)| *change);
        let quantity =
            |wanted: Quantity| given.quantities.iter().find(|(own, _)| *own == wanted).map_or(0.0, |(_, rate)| *rate);
        let machine = &self.machine;
        let term = |term: &StartTerm| match term {
            StartTerm::Body(body, covector) => start(*body).map_or(0.0, |change| {
                covector.iter().zip(change.iter()).map(|(factor, entry)| factor * entry).sum::<f64>()
            }),
            StartTerm::Number(id, factor) => self.quantity_of(*id).map_or(0.0, |of| factor * quantity(of)),
        };
        let members = group.members();
        let rate = |column: &Column| match *column {
            Column::Gravity(_) => 0.0,
            Column::Mass(member) => quantity(Quantity::Mass(BodyId(members[member] as u32))),
            Column::Inertia(member, axis) => {
                quantity(Quantity::Inertia(BodyId(members[member] as u32), super::Axis::ALL[axis]))
            }
            Column::Number(id) => match self.quantity_of(id) {
                Some(of) => quantity(of),
                None => {
                    let lists = (&machine.joints[..], &machine.forces[..], &machine.tracks[..]);
                    start_terms(facts, lists, id).iter().map(term).sum()
                }
            },
        };
        let moves = members.iter().any(|&body| start(body).is_some());
        if !moves && given.quantities.is_empty() {
            return;
        }
        let (columns, change) = group.change();
        let rates: Vec<f64> = columns.iter().map(rate).collect();
        if !moves && rates.iter().all(|rate| *rate == 0.0) {
            return;
        }
        for (member, &body) in members.iter().enumerate().filter(|(_, body)| self.bodies[**body].drive.is_pushed()) {
            let mut sum = StateTangent::zeros();
            for (other, &of) in members.iter().enumerate() {
                sum += start(of).map_or_else(StateTangent::zeros, |given| change.by_start(member, other) * given);
            }
            for (place, rate) in rates.iter().enumerate().filter(|(_, rate)| **rate != 0.0) {
                sum += change.by_column(member, place) * *rate;
            }
            starts.push((BodyId(body as u32), sum));
        }
    }
}

fn states_of(members: &[usize], facts: &[BodyFacts]) -> Vec<BodyState> {
    members.iter().map(|&body| facts[body].initial).collect()
}
