//! What a run cost so far, and where that ends it: a scene that rattles without end must not run without end.

use super::super::held::HeldGroup;
use super::super::limits::{BrokenOff, Limits, SearchLimit};
use super::super::trajectory::{End, Work};
use crate::model::{BodyId, Pair, World};

/// Steps of search allowed for each event of the budget.
const SEARCH_STEPS_PER_EVENT: u64 = 1000;
/// Steps that the work budget allows for each moving body and point of the time grid.
const STEPS_PER_GRID_POINT: f64 = 20.0;
/// What a step counts at least of that, where the grid is halved for rims: a whirl may take 320 of them.
const LEAST_EFFORT: f64 = 1.0 / 16.0;
/// Vertices of a body from which on a step that it takes part in counts for two, and for one more for each as many again.
const EASY: usize = 64;

/// Counts of work, and what is left.
pub struct Budget<'a> {
    /// What is told of it.
    pub work: Work,
    /// Steps tried, shorter ones of a halved grid counted for less.
    effort: f64,
    /// Steps of search, those of bodies with many vertices counted for more.
    search_effort: u64,
    limits: Limits<'a>,
    broken_off: Option<BrokenOff>,
}

impl<'a> Budget<'a> {
    /// Nothing is used up.
    pub fn new(limits: Limits<'a>) -> Self {
        Budget { work: Work::default(), effort: 0.0, search_effort: 0, limits, broken_off: None }
    }

    /// Why there is no motion to tell of, if so.
    pub fn broken_off(&self) -> Option<BrokenOff> {
        self.broken_off
    }

    /// Ends a run that costs more than it may, or for which nobody waits.
    pub fn goes_on(&mut self, t: f64) -> Result<(), End> {
        if self.work.effort() > self.limits.effort {
            self.broken_off = Some(BrokenOff::TooDear);
        } else if !(self.limits.wanted)() {
            self.broken_off = Some(BrokenOff::Unwanted);
        }
        // What ends so is not told of: any end will do.
        self.broken_off.map_or(Ok(()), |_| Err(End::NonFinite { t, body: BodyId(0) }))
    }

    /// Counts what a contact problem took.
    pub fn count_iterations(&mut self, iterations: usize, contacts: usize) {
        self.work.solver_iterations += iterations as u64;
        self.work.contact_iterations += (iterations as u64 + 1) * contacts as u64;
    }

    /// Counts a try of a step on a grid halved so often; ends a run whose held groups take many more steps than the grid
    /// has points.
    pub fn try_step(&mut self, world: &World, halvings: u32, t: f64, group: &HeldGroup) -> Result<(), End> {
        self.goes_on(t)?;
        let pair = group.contacts[0].pair;
        let weight = weight(world, group.members.iter().map(|member| member.body)) as f64;
        self.effort += weight * f64::from(1 << halvings).recip().max(LEAST_EFFORT);
        let pushed = world.bodies.iter().filter(|body| body.drive.is_pushed()).count() as f64;
        let grid = world.duration / world.step + 1.0;
        let budget = STEPS_PER_GRID_POINT * grid * pushed + f64::from(world.max_events);
        if self.effort > budget {
            return Err(End::WorkLimit { t, first: pair.first, second: pair.second });
        }
        Ok(())
    }

    /// What the next search may cost.
    pub fn search_limit(&mut self, world: &World, t: f64, pair: Pair) -> Result<SearchLimit<'a>, End> {
        self.goes_on(t)?;
        let budget = u64::from(world.max_events) * SEARCH_STEPS_PER_EVENT;
        let left = budget.saturating_sub(self.search_effort).div_ceil(weight(world, [pair.first, pair.second]));
        if left == 0 {
            return Err(End::WorkLimit { t, first: pair.first, second: pair.second });
        }
        let dear = self.limits.effort.saturating_sub(self.work.effort()).saturating_add(1);
        Ok(SearchLimit { steps: left.min(dear), wanted: self.limits.wanted })
    }

    /// Counts steps of the search of a pair.
    pub fn searched(&mut self, world: &World, pair: Pair, steps: u64) {
        self.work.search_steps += steps;
        self.search_effort += steps * weight(world, [pair.first, pair.second]);
    }
}

/// What steps count for in which these bodies take part.
fn weight(world: &World, bodies: impl IntoIterator<Item = BodyId>) -> u64 {
    let vertices = |body: BodyId| world.bodies[body.index()].solid.most_vertices();
    1 + (bodies.into_iter().map(vertices).max().unwrap_or(0) / EASY) as u64
}
