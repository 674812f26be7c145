//! What a solve may still spend: it simulates, and keeps count.
//!
//! ```text
//! left ← left − (EACH + effort of the motion)        a motion may cost min(left, dearest)                       (1)
//! ```
//!
//! Effort is counted (`simulation::limits`), so that a solve that ends here ends here on every machine, and in every replay. What is
//! done side by side gets equal shares beforehand, whoever comes first. Whether anybody still waits is asked in the midst of
//! every motion; what is broken off so counts as never begun. A start that overlaps deeper than the one it all began with is not
//! simulated at all.

use std::sync::Arc;

use super::point::{Point, Wishes};
use super::settings::{Ask, GoOn};
use super::start;
use crate::model::{ControlVector, Model};
use crate::simulation::{BrokenOff, Limits};

/// What any motion costs beside its own effort, its derivatives and the next suggestion included.
const EACH: u64 = 100;
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

/// Nobody waits for it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unwanted;

impl<'a> Purse<'a> {
    /// So much effort, for motions not much dearer than the one of the start.
    pub fn new(effort: u64, start: &Point, go_on: GoOn<'a>) -> Purse<'a> {
        let dearest = CHEAP.max(DEAREST.saturating_mul(start.trajectory.work.effort()));
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

    /// The motion of u (1); none where it is too dear, or begins with an overlap.
    pub fn point(&mut self, model: &Arc<Model>, u: &ControlVector, wishes: Wishes) -> Result<Option<Point>, Unwanted> {
        if start::depth(model, u) > self.deepest {
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
