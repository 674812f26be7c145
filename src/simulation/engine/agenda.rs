//! What comes next: a queue by time, and the searches that wait in it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::super::search::pursuit::Pursuit;
use super::super::tape::StepId;
use crate::math::Vec3;
use crate::model::{BodyId, Pair};

/// A pair expected to meet.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    pub pair: Pair,
    pub versions: [u32; 2],
    pub normal: Vec3,
    pub widest_gap: f64,
    /// A time at which the pair surely is closer than it may be.
    pub below: f64,
    /// It touches and approaches already: nothing else may happen first.
    pub urgent: bool,
}

/// What the queue holds.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// A pair surely is apart until now: its search goes on.
    Watch(Pair, WatchId),
    /// A pair meets.
    Meeting(Closing),
    /// A step of a held group is over; the body names the group.
    StepEnd(StepId, BodyId),
    /// Machines change, by the place among the switches.
    Switch(u32),
}

/// Something, and when, s.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub t: f64,
    pub next: Next,
}

/// A search that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchId(u32);

/// The search of a pair, for its bodies' motions of those versions.
#[derive(Clone, Copy)]
pub struct Watch {
    pub pair: Pair,
    pub versions: [u32; 2],
    pub pursuit: Pursuit,
}

/// The queue of what comes next.
#[derive(Default)]
pub struct Agenda {
    queue: BinaryHeap<Reverse<Entry>>,
    /// Searches that wait; places are used again.
    watches: Vec<Watch>,
    free: Vec<u32>,
}

impl Agenda {
    /// Expects something at t.
    pub fn push(&mut self, t: f64, next: Next) {
        self.queue.push(Reverse(Entry { t, next }));
    }

    /// When something comes next; infinity where nothing does.
    pub fn next_time(&self) -> f64 {
        self.queue.peek().map_or(f64::INFINITY, |Reverse(entry)| entry.t)
    }

    /// What comes next, if it comes by t.
    pub fn pop_until(&mut self, t: f64) -> Option<Entry> {
        if self.queue.peek()?.0.t > t {
            return None;
        }
        self.queue.pop().map(|Reverse(entry)| entry)
    }

    /// Lets a search wait until everything earlier has happened.
    pub fn wait(&mut self, watch: Watch) {
        let (t, pair) = (watch.pursuit.t, watch.pair);
        let id = match self.free.pop() {
            Some(place) => {
                self.watches[place as usize] = watch;
                WatchId(place)
            }
            None => {
                self.watches.push(watch);
                WatchId(self.watches.len() as u32 - 1)
            }
        };
        self.push(t, Next::Watch(pair, id));
    }

    /// A search that waited.
    pub fn take(&mut self, id: WatchId) -> Watch {
        self.free.push(id.0);
        self.watches[id.0 as usize]
    }
}

impl Entry {
    /// By time; at one instant searches (which may find a meeting), urgent meetings, other meetings, ends of steps,
    /// switches, and each by the bodies' names or in its own order.
    fn order(&self, other: &Entry) -> Ordering {
        let rank = |next: &Next| match next {
            Next::Watch(pair, _) => (0, pair.first, pair.second),
            Next::Meeting(closing) => (if closing.urgent { 1 } else { 2 }, closing.pair.first, closing.pair.second),
            Next::StepEnd(_, body) => (3, *body, *body),
            Next::Switch(place) => (4, BodyId(*place), BodyId(*place)),
        };
        self.t.total_cmp(&other.t).then(rank(&self.next).cmp(&rank(&other.next)))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}
