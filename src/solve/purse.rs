//! What a solve may still spend: it simulates, and keeps count.
//!
//! ```text
//! left ← left − (EACH + effort of the motion)        a motion may cost min(left, dearest)                       (1)
//! left ← left − DERIVATIVES·effort of the motion     where its wishes are linearised                            (2)
//! ```
//!
//! Effort is counted (`simulation::limits`), so that a solve that ends here ends here on every machine, and in every replay. What is
//! done side by side gets equal shares beforehand, whoever comes first. Whether anybody still waits is asked in the midst of
//! every motion; what is broken off so counts as never begun. A start that overlaps deeper than the one it all began with is not
//! simulated at all.

use std::sync::Arc;

use super::point::{Point, Wishes};
use super::rows::{Linear, linearize};
use super::settings::{Ask, GoOn, Unwanted};
use super::start;
use crate::model::{ControlVector, Model, ParameterId};
use crate::simulation::{BrokenOff, Limits};

/// What a solve may spend that is not told otherwise: too little leaves wishes unmet, too much makes a replay wait.
const USUAL: u64 = 10_000_000;
/// Slow scenes get so many motions like the start,
const MOTIONS: u64 = 200;
/// up to this.
const MOST: u64 = 60_000_000;
/// What any motion costs beside its own effort, its derivatives and the next suggestion included.
const EACH: u64 = 100;
/// Derivatives cost so many times what the motion costs.
const DERIVATIVES: u64 = 4;
/// No motion may cost more than so many times what the start costs: what takes so long is no way to go on,
const DEAREST: u64 = 50;
/// if it costs more than this.
const CHEAP: u64 = 200_000;

/// What is left to spend.
#[derive(Clone, Copy)]
pub(super) struct Purse<'a> {
    left: u64,
    dearest: u64,
    /// The deepest overlap of a start, m.
    deepest: f64,
    /// Motions computed.
    pub simulations: u32,
    go_on: GoOn<'a>,
    /// Whether what is under way is done to its end, as a replay does it.
    ends: bool,
}

impl<'a> Purse<'a> {
    /// So much effort, or the usual, for motions not much dearer than the one of the start.
    pub fn new(effort: Option<u64>, start: &Point, go_on: GoOn<'a>) -> Purse<'a> {
        let once = start.trajectory.work.effort();
        let effort = effort.unwrap_or(MOTIONS.saturating_mul(once).clamp(USUAL, MOST));
        let dearest = CHEAP.max(DEAREST.saturating_mul(once));
        let deepest = start::depth(&start.model, &start.u);
        Purse { left: effort, dearest, deepest, simulations: 0, go_on, ends: false }
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// One of several equal shares.
    pub fn share(&self, count: usize) -> Purse<'a> {
        Purse { left: self.left / count.max(1) as u64, simulations: 0, ..*self }
    }

    /// Pays what somebody spent of a share.
    pub fn pay(&mut self, share: &Purse, rest: &Purse) {
        self.left = self.left.saturating_sub(share.left - rest.left);
        self.simulations += rest.simulations;
    }

    /// From here on what is done is no iteration, and is done whenever iterations ended.
    pub fn end(&mut self) {
        self.ends = true;
    }

    /// Whether anybody still waits.
    pub fn goes_on(&self, ask: Ask) -> bool {
        (self.go_on)(if self.ends { Ask::Rest } else { ask })
    }

    /// The rows of the wishes on a motion (2).
    pub fn linearize(&mut self, point: &Point, wishes: Wishes, parameters: &[ParameterId]) -> Result<Linear, Unwanted> {
        self.left = self.left.saturating_sub(DERIVATIVES.saturating_mul(point.trajectory.work.effort()));
        linearize(point, wishes.nails, parameters, &|| self.goes_on(Ask::Motion))
    }

    /// The motion of u (1); none where it is too dear, or begins with an overlap.
    pub fn point(&mut self, model: &Arc<Model>, u: &ControlVector, wishes: Wishes) -> Result<Option<Point>, Unwanted> {
        if self.is_empty() || start::depth(model, u) > self.deepest {
            return Ok(None);
        }
        self.simulations += 1;
        let (purse, effort) = (*self, self.left.min(self.dearest));
        let wanted = move || purse.goes_on(Ask::Motion);
        match Point::within(model, u, wishes, Limits { effort, wanted: &wanted }) {
            Ok(point) => {
                self.left = self.left.saturating_sub(EACH + point.trajectory.work.effort());
                Ok(Some(point))
            }
            Err(BrokenOff::TooDear) => {
                self.left = self.left.saturating_sub(EACH + effort);
                Ok(None)
            }
            Err(BrokenOff::Unwanted) => Err(Unwanted),
        }
    }
}
