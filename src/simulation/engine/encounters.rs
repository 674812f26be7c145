//! What pairs of bodies are to each other: apart or touching, held or not, and how often they have met.

use std::collections::{BTreeMap, BTreeSet};

use crate::math::Vec3;
use crate::model::Pair;

/// All pairs that ever touched.
#[derive(Default)]
pub struct Encounters {
    /// Pairs that have not parted since they touched, with their last normal.
    touching: BTreeMap<Pair, Vec3>,
    impacts: BTreeMap<Pair, u32>,
    held: BTreeSet<Pair>,
}

impl Encounters {
    /// The last normal of a pair that has not parted since it touched.
    pub fn normal(&self, pair: Pair) -> Option<Vec3> {
        self.touching.get(&pair).copied()
    }

    /// A pair touches, with this normal.
    pub fn touch(&mut self, pair: Pair, normal: Vec3) {
        self.touching.insert(pair, normal);
    }

    /// A pair has parted.
    pub fn part(&mut self, pair: Pair) {
        self.touching.remove(&pair);
    }

    /// How many impacts of a pair were counted.
    pub fn impacts(&self, pair: Pair) -> u32 {
        self.impacts.get(&pair).copied().unwrap_or(0)
    }

    /// Sets how many impacts of a pair were counted.
    pub fn set_impacts(&mut self, pair: Pair, count: u32) {
        self.impacts.insert(pair, count);
    }

    /// The pairs that are held, in order.
    pub fn held(&self) -> impl Iterator<Item = Pair> {
        self.held.iter().copied()
    }

    /// A pair is held; whether it was not before.
    pub fn hold(&mut self, pair: Pair) -> bool {
        self.held.insert(pair)
    }

    /// A pair is no longer held.
    pub fn release(&mut self, pair: Pair) {
        self.held.remove(&pair);
    }
}
