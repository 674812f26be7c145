//! When two moving bodies of one piece each next meet: conservative advancement, then a bracketed root.
//!
//! `clearance` says how long the pair surely stays apart, so that no contact can happen earlier. The search steps there,
//! measures the true separation, and goes on until that is below the level by more than `DIP`: then the root is
//! bracketed. What a search may overlook is a dip of less than two depths.
//!
//! Where the bodies touch at the root is `geometry::touching`; what happens there is `impact`.

use super::super::limits::SearchLimit;
use super::clearance::{Mover, MovingPair, Scratch, separation_of};
use crate::geometry::Separation;
use crate::geometry::compound::PiecePair;
use crate::math::Vec3;
use crate::math::root::falling_root;
use crate::simulation::settings::{DIP, DIP_AT_END, ROOT_WIDTH};

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// The pair closes.
    Closing {
        /// When.
        t: f64,
        /// The pair's axis then.
        normal: Vec3,
        /// A later time at which the pair was seen below its level.
        below: f64,
    },
    /// Not within the time asked.
    Apart,
    /// The motion is not a number.
    NonFinite,
}

/// A search on its way: how far it came, and what it saw.
#[derive(Clone, Copy, Debug)]
pub struct Pursuit {
    /// The start of the search.
    from: f64,
    /// The pair does not close before this time.
    pub t: f64,
    /// The gap at the start, m.
    pub start_gap: f64,
    /// The axis at the start.
    pub start_normal: Vec3,
    /// The widest gap seen, m.
    pub widest_gap: f64,
    /// Steps taken.
    pub steps: u64,
    current: Separation,
    level: f64,
    /// The last time at which the gap was not below the level.
    above: (f64, Separation),
}

/// Reusable buffers of a search.
#[derive(Default)]
pub struct Workspace {
    pub pieces: Vec<(f64, PiecePair)>,
    scratch: Scratch,
}

/// What a search found, and what it saw on the way.
#[derive(Clone, Copy, Debug)]
pub struct SearchReport {
    /// The outcome.
    pub outcome: Search,
    /// The gap at the start, m.
    pub start_gap: f64,
    /// The axis at the start.
    pub start_normal: Vec3,
    /// The widest gap seen, m.
    pub widest_gap: f64,
    /// Steps taken.
    pub steps: u64,
}

/// The first time in (from, until] at which a pair of single pieces closes. `hint` is a recent axis of the pair, `limit`
/// bounds the work.
pub fn pursue(
    movers: [Mover; 2],
    from: f64,
    until: f64,
    hint: Option<Vec3>,
    limit: SearchLimit,
    workspace: &mut Workspace,
) -> SearchReport {
    let mut pursuit = Pursuit::new(movers, from, hint);
    let outcome = pursuit.advance(movers, until, f64::INFINITY, limit, workspace).unwrap_or(Search::Apart);
    let Pursuit { start_gap, start_normal, widest_gap, steps, .. } = pursuit;
    SearchReport { outcome, start_gap, start_normal, widest_gap, steps }
}

impl Pursuit {
    /// A search that starts at `from`. `hint` is a recent axis of the pair.
    pub fn new(movers: [Mover; 2], from: f64, hint: Option<Vec3>) -> Self {
        let current = separation_of(movers, &movers.map(|mover| mover.motion.at(from)), hint);
        Pursuit {
            from,
            t: from,
            start_gap: current.gap,
            start_normal: current.normal,
            widest_gap: current.gap,
            steps: 0,
            current,
            level: current.gap.min(0.0),
            above: (from, current),
        }
    }

    /// Goes on until the pair closes or the time `until`; or, with no outcome, past the time `patience`: whoever asks
    /// may have no use for what is later. It can go on from there. `limit` bounds the work.
    pub fn advance(
        &mut self,
        movers: [Mover; 2],
        until: f64,
        patience: f64,
        limit: SearchLimit,
        workspace: &mut Workspace,
    ) -> Option<Search> {
        let pair = MovingPair::new(movers, self.t, until);
        let most = self.steps.saturating_add(limit.steps);
        let mut states = pair.states(self.t);
        while self.t < until && self.steps < most && limit.goes_on(self.steps) {
            self.steps += 1;
            let target = self.level - 2.0 * DIP;
            let advance = pair.safe_advance(&states, until - self.t, &self.current, target, &mut workspace.scratch);
            let next = (self.t + advance).max(self.t.next_up()).min(until);
            states = pair.states(next);
            let met = pair.separation_at(&states, Some(self.current.normal));
            if !met.gap.is_finite() {
                return Some(Search::NonFinite);
            }
            let depth = if next < until { DIP } else { DIP_AT_END };
            if met.gap < self.level - depth {
                return Some(pair.refine(self.level, self.above, (next, met), self.from, &mut self.widest_gap));
            }
            (self.t, self.current) = (next, met);
            self.widest_gap = self.widest_gap.max(met.gap);
            if met.gap >= self.level {
                self.above = (next, met);
                self.level = met.gap.min(0.0);
                // Only here: a pair that has dipped a little may have closed earlier than now.
                if next > patience && next < until {
                    return None;
                }
            }
        }
        Some(Search::Apart)
    }
}

impl MovingPair<'_> {
    /// The crossing between a time above the level and one below it.
    fn refine(
        &self,
        level: f64,
        above: (f64, Separation),
        below: (f64, Separation),
        from: f64,
        widest: &mut f64,
    ) -> Search {
        let (below_t, normal) = (below.0, below.1.normal);
        let gap = |t: f64| self.separation(t, Some(normal)).gap - level;
        // Only at the start of a search may the pair touch by what an impact left; later a height, however small, is one.
        let left = (above.0 > from).then_some((above.0, above.1.gap - level)).filter(|(_, height)| *height > 0.0);
        let Some((start, height)) = rise(gap, above, below.0, level).or(left) else {
            return Search::Closing { t: above.0, normal, below: below_t };
        };
        *widest = widest.max(height + level);
        let t = falling_root(gap, start, below.0, height, below.1.gap - level, ROOT_WIDTH);
        Search::Closing { t, normal, below: below_t }
    }
}

/// A time between `above` and `until` at which the gap is clearly over the level: `above` itself, or, where
/// that only touches the level (just after an impact), the first found by halving. None if it never rises.
fn rise(gap: impl Fn(f64) -> f64, above: (f64, Separation), until: f64, level: f64) -> Option<(f64, f64)> {
    const CLEARLY: f64 = 1e-12;
    const HALVINGS: usize = 40;
    let height = above.1.gap - level;
    if height > CLEARLY {
        return Some((above.0, height));
    }
    let mut x = until - above.0;
    for _ in 0..HALVINGS {
        x *= 0.5;
        let height = gap(above.0 + x);
        if height > CLEARLY {
            return Some((above.0 + x, height));
        }
    }
    None
}
