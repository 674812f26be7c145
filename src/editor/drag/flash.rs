//! An event that a jump of the solver has changed, to be pointed at for a moment.

use crate::editor::work::motion::Mark;
use crate::editor::work::order::Done;
use crate::math::Vec3;

/// An event that has just changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Flash {
    /// Where it is, if it still is.
    pub place: Vec3,
    /// What happened.
    pub words: String,
    /// When it began, in seconds of the window's clock.
    pub since: f64,
}

/// Seconds for which a changed event is pointed at.
pub const FLASH_TIME: f64 = 1.4;

impl Flash {
    /// Where samples led over a discontinuity, the event that changed.
    pub fn of(done: &Done, now: f64) -> Option<Flash> {
        let report = done.outcome.as_ref().and_then(|outcome| outcome.report.as_ref());
        let jump = report.and_then(|report| report.jumps.last())?;
        let model = &done.motion.model;
        let of_pair = |mark: &&Mark| mark.bodies == [jump.pair.first, jump.pair.second];
        let near = |mark: &Mark| (mark.t - jump.t).abs();
        let mark = done.motion.marks.iter().filter(of_pair).min_by(|a, b| near(a).total_cmp(&near(b)));
        // An impact that is gone is pointed at where it would be.
        let gone = || done.motion.body_at(jump.pair.first, jump.t).position;
        let place = mark.and_then(|mark| mark.place).unwrap_or_else(gone);
        Some(Flash { place, words: format!("jumped at {}", jump.shown(model)), since: now })
    }
}
