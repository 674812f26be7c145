//! Events of held contact: what is told of pairs that begin to be held, stop sliding, part, or fall asleep.

use std::collections::BTreeSet;

use super::super::meeting::TouchingPoint;
use super::super::trajectory::{EventContact, EventKind};
use super::holding::Connected;
use super::state::Engine;
use super::state::Instant;
use crate::math::Vec3;
use crate::model::Pair;

impl Engine<'_> {
    /// Tells which pairs begin to be held and which are released.
    pub fn announce(&mut self, t: f64, instant: &Instant, held: &BTreeSet<Pair>, contacts: &Connected) {
        let concerned = |pair: &Pair| instant.contains_key(&pair.first) || instant.contains_key(&pair.second);
        let released: Vec<Pair> =
            self.encounters.held().filter(|pair| concerned(pair) && !held.contains(pair)).collect();
        for pair in released {
            self.encounters.release(pair);
            self.tell(t, EventKind::Release, pair, Vec::new());
        }
        for &pair in held {
            if self.encounters.hold(pair) && !self.record.take_back_release(t, pair) {
                let contact = |point: &TouchingPoint| EventContact {
                    feature: point.feature,
                    point: point.point,
                    normal: point.normal,
                    impulse: Vec3::zeros(),
                };
                let points = contacts[&pair].iter().map(contact).collect();
                self.tell(t, EventKind::Hold, pair, points);
            }
            self.encounters.touch(pair, contacts[&pair][0].normal);
        }
    }

    /// Tells what happened to a pair.
    pub fn tell(&mut self, t: f64, kind: EventKind, pair: Pair, contacts: Vec<EventContact>) {
        self.record.tell(t, kind, pair, self.encounters.impacts(pair), contacts);
    }
}
