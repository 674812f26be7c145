//! Which pairs are watched, and how far ahead: the next meeting of every pair that could have one.
//!
//! A search (`search::pursuit`) goes forward in steps before which the pair surely stays apart. Most searches are in vain,
//! because one of the bodies is struck by something else first. So a search takes its next step only when everything
//! earlier has happened: until then it waits in the queue at the time up to which the pair is known to be apart, and is
//! dropped when one of its bodies has changed its motion meanwhile.

use super::super::search::clearance::Mover;
use super::super::search::closing::first_closing;
use super::super::search::pursuit::{Pursuit, Search};
use super::super::trajectory::End;
use super::agenda::{Closing, Next, Watch, WatchId};
use super::state::Engine;
use crate::geometry::TOUCHING;
use crate::math::Vec3;
use crate::model::{BodyId, Pair};

impl Engine<'_> {
    /// Starts the search for the next meeting of a pair within the window, with the pair's touching state kept up to
    /// date.
    pub fn search(&mut self, pair: Pair, from: f64) -> Result<(), End> {
        let still = [pair.first, pair.second].iter().all(|body| self.runners.motion(*body).is_still());
        if still || from >= self.watched_until(pair) || self.is_within_step(pair) {
            return Ok(());
        }
        self.budget.work.searches += 1;
        let (movers, hint) = (self.movers(pair), self.encounters.normal(pair));
        if movers.iter().any(|mover| mover.solid.piece_count() > 1) {
            return self.search_pieces(pair, from);
        }
        let pursuit = Pursuit::new(movers, from, hint);
        self.note_start(pair, from, pursuit.start_gap, pursuit.start_normal);
        self.pursue(pair, pursuit)
    }

    /// The search for bodies of several pieces, at once as far as it is asked.
    fn search_pieces(&mut self, pair: Pair, from: f64) -> Result<(), End> {
        let limit = self.budget.search_limit(&self.world, from, pair)?;
        let (until, hint) = (self.watched_until(pair), self.encounters.normal(pair));
        let mut workspace = std::mem::take(&mut self.workspace);
        let report = first_closing(self.movers(pair), from, until, hint, limit, &mut workspace);
        self.workspace = workspace;
        self.budget.searched(&self.world, pair, report.steps);
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
            self.encounters.part(pair);
        } else if from == 0.0 && self.encounters.normal(pair).is_none() {
            self.encounters.touch(pair, normal);
        }
    }

    /// Goes on with a search that waited, unless one of its bodies has changed its motion.
    pub fn watch_on(&mut self, id: WatchId) -> Result<(), End> {
        let watch = self.agenda.take(id);
        if self.versions(watch.pair) == watch.versions { self.pursue(watch.pair, watch.pursuit) } else { Ok(()) }
    }

    /// Takes a search as far as the next entry of the queue, and queues what it finds or the search itself.
    fn pursue(&mut self, pair: Pair, mut pursuit: Pursuit) -> Result<(), End> {
        let limit = self.budget.search_limit(&self.world, pursuit.t, pair)?;
        let (until, before) = (self.watched_until(pair), pursuit.steps);
        let patience = self.agenda.next_time();
        let mut workspace = std::mem::take(&mut self.workspace);
        let outcome = pursuit.advance(self.movers(pair), until, patience, limit, &mut workspace);
        self.workspace = workspace;
        self.budget.searched(&self.world, pair, pursuit.steps - before);
        match outcome {
            Some(Search::NonFinite) => return Err(End::NonFinite { t: pursuit.t, body: pair.first }),
            Some(Search::Apart) => {}
            Some(Search::Closing { t, normal, below }) => self.expect(pair, t, normal, below, pursuit.widest_gap),
            None => {
                let versions = self.versions(pair);
                self.agenda.wait(Watch { pair, versions, pursuit });
            }
        }
        Ok(())
    }

    /// Queues a meeting that a search found.
    fn expect(&mut self, pair: Pair, t: f64, normal: Vec3, below: f64, widest_gap: f64) {
        let closing = Closing { pair, versions: self.versions(pair), normal, widest_gap, below, urgent: false };
        self.agenda.push(t, Next::Meeting(closing));
    }

    fn movers(&self, pair: Pair) -> [Mover<'_>; 2] {
        [pair.first, pair.second]
            .map(|body| Mover { solid: &self.world.bodies[body.index()].solid, motion: self.runners.motion(body) })
    }

    /// The end of the window, or of the step that one of the bodies is in.
    fn watched_until(&self, pair: Pair) -> f64 {
        let motions = [pair.first, pair.second].map(|body| self.runners.motion(body));
        motions.iter().fold(self.window_end, |until, motion| motion.valid_until(until))
    }

    /// Whether a step of a held group watches the pair itself: both are members, or the other never moves.
    fn is_within_step(&self, pair: Pair) -> bool {
        let step = |body: BodyId| self.runners.step(body);
        let never_moves = || self.world.bodies[pair.second.index()].drive.never_moves();
        step(pair.first).is_some() && (step(pair.first) == step(pair.second) || never_moves())
    }

    /// Whether two bodies could ever meet: one has an extent, and one is pushed.
    pub fn may_meet(&self, a: BodyId, b: BodyId) -> bool {
        let extended = |body: BodyId| !self.world.bodies[body.index()].solid.is_particle();
        (extended(a) || extended(b))
            && (self.is_pushed(a) || self.is_pushed(b))
            && !self.machines.are_exempt(self.world.ordered(a, b))
    }

    /// Searches every pair of the changed bodies once.
    pub fn search_again(&mut self, changed: &[BodyId], t: f64) -> Result<(), End> {
        for &body in changed {
            let swept = self.runners.swept(body);
            let meets =
                |&other: &BodyId| other != body && swept.meets(self.runners.swept(other)) && self.may_meet(body, other);
            let neighbors: Vec<BodyId> = self.runners.bodies().filter(meets).collect();
            for &other in &neighbors {
                self.runners.add_neighbor(other, body);
                // A pair of two changed bodies is searched by the lower one.
                if other > body || !changed.contains(&other) {
                    self.search(self.world.ordered(body, other), t)?;
                }
            }
            self.runners.set_neighbors(body, neighbors);
        }
        Ok(())
    }
}
