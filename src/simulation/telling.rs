//! Events of held contact: what is told of pairs that begin to be held, stop sliding, part, or fall asleep.

use std::collections::BTreeSet;

use super::engine::Engine;
use super::holding::Connected;
use super::impacts::Instant;
use super::meeting::TouchingPoint;
use super::trajectory::{Event, EventContact, EventKind};
use crate::math::Vec3;
use crate::model::Pair;

impl Engine {
    /// Tells which pairs begin to be held and which are released.
    pub(super) fn announce(&mut self, t: f64, instant: &Instant, held: &BTreeSet<Pair>, contacts: &Connected) {
        let concerned = |pair: &Pair| instant.contains_key(&pair.first) || instant.contains_key(&pair.second);
        let released: Vec<Pair> =
            self.held_pairs.iter().copied().filter(|pair| concerned(pair) && !held.contains(pair)).collect();
        for pair in released {
            self.held_pairs.remove(&pair);
            self.tell(t, EventKind::Release, pair, Vec::new());
        }
        for &pair in held {
            if self.held_pairs.insert(pair) && !self.was_just_released(t, pair) {
                let contact = |point: &TouchingPoint| EventContact {
                    feature: point.feature,
                    point: point.point,
                    normal: point.normal,
                    impulse: Vec3::zeros(),
                };
                let points = contacts[&pair].iter().map(contact).collect();
                self.tell(t, EventKind::Hold, pair, points);
            }
            self.touching.insert(pair, contacts[&pair][0].normal);
        }
    }

    /// Takes back the release of a pair that is held again at the same instant.
    pub(super) fn was_just_released(&mut self, t: f64, pair: Pair) -> bool {
        let release = |event: &Event| event.kind == EventKind::Release && event.pair() == pair;
        let now = self.events.iter().rposition(|event| event.t < t).map_or(0, |last| last + 1);
        let found = self.events[now..].iter().position(release);
        if let Some(k) = found {
            self.events.remove(now + k);
        }
        found.is_some()
    }

    pub(super) fn tell(&mut self, t: f64, kind: EventKind, pair: Pair, contacts: Vec<EventContact>) {
        let number = self.impact_counts.get(&pair).copied().unwrap_or(0);
        let (first, second) = (pair.first, pair.second);
        let (group, node) = (self.groups, self.tape.present());
        self.groups += 1;
        self.events.push(Event {
            t,
            kind,
            first,
            second,
            number,
            grazing: false,
            unsolved: false,
            group,
            node,
            contacts,
        });
    }
}
