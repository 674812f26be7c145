//! The loop: windows of time, and the queue of what comes next.
//!
//! Which pairs meet next is `watching`; what happens at a meeting is `impacts`; what touches lastingly is `holding`.

use std::sync::OnceLock;

use super::super::limits::{BrokenOff, Limits};
use super::super::motion::Motion;
use super::super::search::candidates::meeting_pairs;
use super::super::tape::{Source, Timing};
use super::super::trajectory::{End, Trajectory};
use super::agenda::Next;
use super::state::{Engine, Instant};
use crate::model::{BodyId, World};
use crate::simulation::settings::WINDOW;

/// Bytes that the record of a motion may fill. The window keeps several motions at once; with less, minutes of a few rolling
/// bodies end early.
const MOST_BYTES: u64 = 512_000_000;
/// What each beginning of a series in a flight fills, on its own and as a phase.
const FLIGHT_NODE_BYTES: u64 = 312;

/// The motion of a world, in its units, unless it costs more than it may, or nobody waits for it any more.
pub fn run(world: World, limits: Limits) -> Result<Trajectory, BrokenOff> {
    let mut engine = Engine::new(world, limits);
    let end = engine.run_windows();
    match engine.budget.broken_off() {
        Some(why) => Err(why),
        None => Ok(engine.finish(end)),
    }
}

impl Engine<'_> {
    /// What is told of a run that has ended.
    fn finish(mut self, end: End) -> Trajectory {
        let t_end = match end {
            End::Horizon => self.world.duration,
            End::EventLimit { t, .. }
            | End::WorkLimit { t, .. }
            | End::MemoryLimit { t, .. }
            | End::StepLimit { t, .. }
            | End::MachineTouched { t, .. }
            | End::NonFinite { t, .. } => t,
        };
        for body in self.runners.bodies() {
            self.record.add_nodes(body, self.runners.motion(body), t_end);
        }
        let Engine { world, record, budget, machines, .. } = self;
        let (phases, events, tape) = record.into_parts();
        let flights = machines.into_flights();
        Trajectory {
            world,
            phases,
            flights,
            events,
            tape,
            end,
            t_end,
            work: budget.work,
            own: None,
            troubles: OnceLock::new(),
        }
    }

    fn run_windows(&mut self) -> End {
        let mut window = 0u64;
        while self.window_end < self.world.duration {
            let start = self.window_end;
            window += 1;
            self.window_end = (window as f64 * WINDOW).min(self.world.duration);
            let done = self.open_window(start).and_then(|()| self.run_queue());
            // Also in the last window, which no other follows.
            if let Err(end) = done.and_then(|()| self.within_memory(self.window_end)) {
                return end;
            }
        }
        End::Horizon
    }

    /// Lists the pairs that could meet in the window and searches each.
    fn open_window(&mut self, start: f64) -> Result<(), End> {
        if start == 0.0 {
            self.take_off();
        }
        for body in self.runners.bodies() {
            self.sweep(body, start);
            // A volume that is not a number would meet nothing, and its body fall through everything.
            let until = self.runners.motion(body).valid_until(self.window_end).max(start);
            if !self.state(body, until).is_finite() {
                return Err(End::NonFinite { t: start, body });
            }
            self.runners.clear_neighbors(body);
            self.budget.goes_on(start)?;
        }
        self.flights_within_memory(start)?;
        self.let_parted_meet(start);
        let mut pairs = Vec::new();
        for (a, b) in meeting_pairs(self.runners.all_swept()) {
            let (a, b) = (BodyId(a), BodyId(b));
            if self.may_meet(a, b) {
                self.runners.pair_up(a, b);
                pairs.push(self.world.ordered(a, b));
            }
        }
        if start == 0.0 {
            let pushed = self.runners.bodies().filter(|body| self.is_pushed(*body));
            let states: Instant = pushed.map(|body| (body, self.world.bodies[body.index()].initial)).collect();
            self.record.tape.open(0.0, Timing::Start);
            states.keys().for_each(|&body| self.record.tape.source(Source::Start(body)));
            self.runners.bodies().for_each(|body| self.follow_tracks(0.0, body));
            return self.resume(0.0, states);
        }
        pairs.into_iter().try_for_each(|pair| self.search(pair, start))
    }

    /// Gives every moving body a first motion, so that it can be swept; `resume` decides what it really does.
    fn take_off(&mut self) {
        for body in self.runners.bodies() {
            if self.is_pushed(body) {
                let initial = self.world.bodies[body.index()].initial;
                self.runners.begin(body, Motion::Flight(self.world.flight(body, 0.0, initial)));
            } else if let Some(guided) = self.world.guided(body, 0.0) {
                self.runners.begin(body, Motion::Guided(guided, 0.0));
            }
        }
        self.expect_switches();
    }

    fn run_queue(&mut self) -> Result<(), End> {
        while let Some(entry) = self.agenda.pop_until(self.window_end) {
            match entry.next {
                Next::Watch(_, watch) => self.watch_on(watch)?,
                Next::StepEnd(step, _) => self.end_step(step, entry.t)?,
                Next::Switch(place) => self.switch(entry.t, place)?,
                Next::Meeting(closing) => {
                    if self.versions(closing.pair) == closing.versions {
                        self.meet(entry.t, &closing)?;
                    }
                }
            }
            self.within_memory(entry.t)?;
            self.budget.goes_on(entry.t)?;
        }
        Ok(())
    }

    /// Ends a run whose record grows beyond what is kept of a motion, or one of whose flights cannot be followed further.
    fn within_memory(&self, t: f64) -> Result<(), End> {
        if self.endless.is_none() && self.record.bytes() <= MOST_BYTES {
            return Ok(());
        }
        if let Some(end) = self.endless.and_then(|body| self.end_of_steps(t, body)) {
            return Err(end);
        }
        let body = self.endless.unwrap_or_else(|| self.longest());
        Err(End::MemoryLimit { t, bytes: self.bytes(), body })
    }

    /// The end of a run where the flight of a joined body ends, at t or before.
    fn end_of_steps(&self, t: f64, body: BodyId) -> Option<End> {
        let Motion::Joined(joined) = self.runners.motion(body) else { return None };
        let flight = &joined.flight;
        Some(End::StepLimit { t: t.min(flight.known_until()), steps: flight.step_count(), body })
    }

    /// The same where flights have become longer.
    fn flights_within_memory(&self, t: f64) -> Result<(), End> {
        let bytes = self.bytes();
        if bytes > MOST_BYTES {
            return Err(End::MemoryLimit { t, bytes, body: self.longest() });
        }
        self.within_memory(t)
    }

    /// Bytes that the record fills, with the flights under way.
    fn bytes(&self) -> u64 {
        let flights = self.runners.bodies().map(|body| self.runners.motion(body).node_count() as u64);
        self.record.bytes() + flights.sum::<u64>() * FLIGHT_NODE_BYTES + self.machines.bytes()
    }

    /// The body with the longest record.
    fn longest(&self) -> BodyId {
        let length = |body: &BodyId| self.record.phase_count(*body) + self.runners.motion(*body).node_count();
        self.runners.bodies().max_by_key(length).unwrap_or(BodyId(0))
    }
}
