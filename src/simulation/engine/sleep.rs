//! Rest: groups that do not move fall asleep and cost nothing until something touches them.

use std::collections::BTreeMap;

use super::super::motion::Motion;
use super::super::trajectory::{End, EventContact, EventKind};
use super::state::Engine;
use super::state::Instant;
use super::steps::ActiveStep;
use crate::dynamics::BodyState;
use crate::math::Vec3;
use crate::model::{BodyId, Pair};
use crate::simulation::settings::{QUIET, QUIET_STEPS};

impl Engine<'_> {
    /// Counts steps without motion; true once the group may sleep.
    pub fn is_quiet(&mut self, instant: &Instant) -> bool {
        let still = instant.iter().all(|(body, state)| {
            let reach = self.world.bodies[body.index()].solid.reach();
            state.velocity.norm() <= QUIET && state.spin.norm() * reach <= QUIET
        });
        let mut asleep = still;
        for body in instant.keys() {
            asleep &= self.runners.note_quiet(*body, still) >= QUIET_STEPS;
        }
        asleep
    }

    pub fn sleep(&mut self, t: f64, step: &ActiveStep, instant: &Instant) -> Result<(), End> {
        // A contact that came late and presses may still be a little open: what sleeps lies on all that carries it.
        let pressing: Vec<bool> = (0..step.group.contacts.len()).map(|i| step.outcome.presses(i)).collect();
        let states = step.group.projected(&step.outcome.end, &pressing);
        for (member, state) in step.group.members.iter().zip(&states) {
            if instant.contains_key(&member.body) {
                let state = BodyState { velocity: Vec3::zeros(), spin: Vec3::zeros(), ..*state };
                self.set_motion(member.body, t, Motion::Rest(state), None);
            }
        }
        let geometry = step.group.contact_geometry(&states);
        let mut points: BTreeMap<Pair, Vec<EventContact>> = BTreeMap::new();
        for (contact, geometry) in step.group.contacts.iter().zip(&geometry) {
            let Some(geometry) = geometry else { continue };
            let (feature, point, normal) = (contact.feature, geometry.point, geometry.normal);
            let impulse = Vec3::zeros();
            points.entry(contact.pair).or_default().push(EventContact { feature, point, normal, impulse });
        }
        for (pair, points) in points {
            self.tell(t, EventKind::Rest, pair, points);
        }
        let changed: Vec<BodyId> = instant.keys().copied().collect();
        self.search_again(&changed, t)
    }
}
