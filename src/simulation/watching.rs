//! Which pairs are watched, and how far ahead: the next meeting of every pair that could have one.
//!
//! A search (`closing`) goes forward in steps before which the pair surely stays apart. Most searches are in vain,
//! because one of the bodies is struck by something else first. So a search takes its next step only when everything
//! earlier has happened: until then it waits in the queue at the time up to which the pair is known to be apart, and is
//! dropped when one of its bodies has changed its motion meanwhile.

use std::cmp::Reverse;

use super::clearance::Mover;
use super::closing::{Pursuit, Search, first_closing};
use super::engine::{Closing, Engine, Entry, Next};
use super::trajectory::End;
use crate::geometry::TOUCHING;
use crate::math::Vec3;
use crate::model::{BodyId, Pair};

/// Steps of search allowed for each event of the budget.
const SEARCH_STEPS_PER_EVENT: u64 = 1000;

/// A search that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WatchId(u32);

/// Searches that wait; places are used again.
#[derive(Default)]
pub(super) struct Watches {
    places: Vec<Watch>,
    free: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Watch {
    pair: Pair,
    versions: [u32; 2],
    pursuit: Pursuit,
}

impl Watches {
    fn keep(&mut self, watch: Watch) -> WatchId {
        match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = watch;
                WatchId(place)
            }
            None => {
                self.places.push(watch);
                WatchId(self.places.len() as u32 - 1)
            }
        }
    }

    fn take(&mut self, id: WatchId) -> Watch {
        self.free.push(id.0);
        self.places[id.0 as usize]
    }
}

impl Engine {
    /// Starts the search for the next meeting of a pair within the window, with the pair's touching state kept up to
    /// date.
    pub fn search(&mut self, pair: Pair, from: f64) -> Result<(), End> {
        let still = [pair.first, pair.second].iter().all(|body| self.runners[body.index()].motion.is_still());
        if still || from >= self.watched_until(pair) || self.is_within_step(pair) {
            return Ok(());
        }
        self.work.searches += 1;
        let (movers, hint) = (self.movers(pair), self.touching.get(&pair).copied());
        if movers.iter().any(|mover| mover.solid.piece_count() > 1) {
            return self.search_pieces(pair, from);
        }
        let pursuit = Pursuit::new(movers, from, hint);
        self.note_start(pair, from, pursuit.start_gap, pursuit.start_normal);
        self.pursue(pair, pursuit)
    }

    /// The search for bodies of several pieces, at once as far as it is asked.
    fn search_pieces(&mut self, pair: Pair, from: f64) -> Result<(), End> {
        let max_steps = self.search_budget(pair, from)?;
        let (until, hint) = (self.watched_until(pair), self.touching.get(&pair).copied());
        let mut workspace = std::mem::take(&mut self.workspace);
        let report = first_closing(self.movers(pair), from, until, hint, max_steps, &mut workspace);
        self.workspace = workspace;
        self.work.search_steps += report.steps;
        self.note_start(pair, from, report.start_gap, report.start_normal);
        match report.outcome {
            Search::NonFinite => return Err(End::NonFinite { t: from, body: pair.first }),
            Search::Apart => {}
            Search::Closing { t, normal, below } => self.expect(pair, t, normal, below, report.widest_gap),
        }
        Ok(())
    }

    /// Keeps the pair's touching state up to date.
    fn note_start(&mut self, pair: Pair, from: f64, gap: f64, normal: Vec3) {
        if gap > TOUCHING {
            self.touching.remove(&pair);
        } else if from == 0.0 {
            self.touching.entry(pair).or_insert(normal);
        }
    }

    /// Steps of search that are left.
    fn search_budget(&self, pair: Pair, t: f64) -> Result<u64, End> {
        let budget = u64::from(self.world.max_events) * SEARCH_STEPS_PER_EVENT;
        match budget.saturating_sub(self.work.search_steps) {
            0 => Err(End::EventLimit { t, first: pair.first, second: pair.second }),
            left => Ok(left),
        }
    }

    /// Goes on with a search that waited, unless one of its bodies has changed its motion.
    pub fn watch_on(&mut self, id: WatchId) -> Result<(), End> {
        let watch = self.watches.take(id);
        if self.versions(watch.pair) == watch.versions { self.pursue(watch.pair, watch.pursuit) } else { Ok(()) }
    }

    /// Takes a search as far as the next entry of the queue, and queues what it finds or the search itself.
    fn pursue(&mut self, pair: Pair, mut pursuit: Pursuit) -> Result<(), End> {
        let max_steps = self.search_budget(pair, pursuit.t)?;
        let (until, before) = (self.watched_until(pair), pursuit.steps);
        let patience = self.queue.peek().map_or(f64::INFINITY, |Reverse(entry)| entry.t);
        let mut workspace = std::mem::take(&mut self.workspace);
        let outcome = pursuit.advance(self.movers(pair), until, patience, max_steps, &mut workspace);
        self.workspace = workspace;
        self.work.search_steps += pursuit.steps - before;
        match outcome {
            Some(Search::NonFinite) => return Err(End::NonFinite { t: pursuit.t, body: pair.first }),
            Some(Search::Apart) => {}
            Some(Search::Closing { t, normal, below }) => self.expect(pair, t, normal, below, pursuit.widest_gap),
            None => {
                let watch = self.watches.keep(Watch { pair, versions: self.versions(pair), pursuit });
                self.queue.push(Reverse(Entry { t: pursuit.t, next: Next::Watch(pair, watch) }));
            }
        }
        Ok(())
    }

    /// Queues a meeting that a search found.
    fn expect(&mut self, pair: Pair, t: f64, normal: Vec3, below: f64, widest_gap: f64) {
        let closing = Closing { pair, versions: self.versions(pair), normal, widest_gap, below, urgent: false };
        self.queue.push(Reverse(Entry { t, next: Next::Meeting(closing) }));
    }

    /// How often the bodies of a pair have changed their motion.
    pub fn versions(&self, pair: Pair) -> [u32; 2] {
        [pair.first, pair.second].map(|body| self.runners[body.index()].version)
    }

    fn movers(&self, pair: Pair) -> [Mover<'_>; 2] {
        [pair.first, pair.second].map(|body| Mover {
            solid: &self.world.bodies[body.index()].solid,
            motion: &self.runners[body.index()].motion,
        })
    }

    /// The end of the window, or of the step that one of the bodies is in.
    fn watched_until(&self, pair: Pair) -> f64 {
        let bodies = [pair.first, pair.second].map(|body| &self.runners[body.index()]);
        bodies.iter().fold(self.window_end, |until, runner| runner.motion.valid_until(until))
    }

    /// Whether a step of a held group watches the pair itself: both are members, or the other is fixed.
    fn is_within_step(&self, pair: Pair) -> bool {
        let step = |body: BodyId| self.runners[body.index()].step;
        step(pair.first).is_some()
            && (step(pair.first) == step(pair.second) || !self.world.bodies[pair.second.index()].drive.is_pushed())
    }

    /// Searches every pair of the changed bodies once.
    pub fn search_again(&mut self, changed: &[BodyId], t: f64) -> Result<(), End> {
        for &body in changed {
            let swept = self.runners[body.index()].swept;
            let meets = |&other: &BodyId| {
                other != body && self.may_meet(body, other) && swept.meets(&self.runners[other.index()].swept)
            };
            let neighbors: Vec<BodyId> = (0..self.runners.len() as u32).map(BodyId).filter(meets).collect();
            for &other in &neighbors {
                let list = &mut self.runners[other.index()].neighbors;
                if !list.contains(&body) {
                    list.push(body);
                }
                // A pair of two changed bodies is searched by the lower one.
                if other > body || !changed.contains(&other) {
                    self.search(self.world.ordered(body, other), t)?;
                }
            }
            self.runners[body.index()].neighbors = neighbors;
        }
        Ok(())
    }
}
