//! What a run cost so far, and where that ends it: a scene that rattles without end must not run without end.

use super::super::trajectory::{End, Work};
use crate::model::{Pair, World};

/// Steps of search allowed for each event of the budget.
const SEARCH_STEPS_PER_EVENT: u64 = 1000;
/// Steps that the work budget allows for each moving body and point of the time grid.
const STEPS_PER_GRID_POINT: f64 = 20.0;
/// What a step counts at least of that, where the grid is halved for rims: a whirl may take 320 of them.
const LEAST_EFFORT: f64 = 1.0 / 16.0;

/// Counts of work, and what is left.
#[derive(Default)]
pub struct Budget {
    /// What is told of it.
    pub work: Work,
    /// Steps tried, shorter ones of a halved grid counted for less.
    effort: f64,
}

impl Budget {
    /// Counts a try of a step on a grid halved so often; ends a run whose held groups take many more steps than the grid
    /// has points.
    pub fn try_step(&mut self, world: &World, halvings: u32, t: f64, pair: Pair) -> Result<(), End> {
        self.effort += f64::from(1 << halvings).recip().max(LEAST_EFFORT);
        let pushed = world.bodies.iter().filter(|body| body.drive.is_pushed()).count() as f64;
        let grid = world.duration / world.step + 1.0;
        let budget = STEPS_PER_GRID_POINT * grid * pushed + f64::from(world.max_events);
        if self.effort > budget {
            return Err(End::WorkLimit { t, first: pair.first, second: pair.second });
        }
        Ok(())
    }

    /// Steps of search that are left.
    pub fn search_steps(&self, world: &World, t: f64, pair: Pair) -> Result<u64, End> {
        let budget = u64::from(world.max_events) * SEARCH_STEPS_PER_EVENT;
        match budget.saturating_sub(self.work.search_steps) {
            0 => Err(End::WorkLimit { t, first: pair.first, second: pair.second }),
            left => Ok(left),
        }
    }
}
