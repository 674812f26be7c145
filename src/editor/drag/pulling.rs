//! A drag as the window follows it: what was before, how the solver fares, and what is left when the hand lets go.

use std::sync::Arc;

use super::held::Held;
use super::obstacle::Obstacle;
use crate::editor::work::motion::{Mark, Motion};
use crate::scene::{Side, When};
use crate::session::Edit;
use crate::simulation::EventKind;
use crate::solve::{Report, Verdict};

/// Answers that bring nothing new, after which a hand that keeps still is left in peace.
const MOST_IDLE: u32 = 12;

/// A drag under way.
#[derive(Clone, Debug)]
pub struct Drag {
    /// What is held, and the newest wish.
    pub held: Held,
    /// When it is held.
    pub at: When,
    /// The motion before.
    pub before: Arc<Motion>,
    /// How the newest solve ended.
    pub report: Option<Report>,
    /// What stands where it is wished.
    pub obstacle: Option<Obstacle>,
    /// How often the wish was moved out of what is in the way.
    pub aims: u32,
    /// Whether it goes on with a wish that has made a step already.
    pub joins: bool,
    /// Revision of the order that grabs.
    pub begun: u64,
    /// Revision of the order that lets go, once it is given: until it is answered another drag may begin.
    pub ends: Option<u64>,
    idle: u32,
    best: f64,
}

impl Drag {
    /// Begins to follow a hand.
    pub fn new(held: Held, motion: &Arc<Motion>) -> Drag {
        let (at, before) = (when(&held, motion), motion.clone());
        let (report, obstacle, ends) = (None, None, None);
        Drag { held, at, before, report, obstacle, aims: 0, joins: false, begun: 0, ends, idle: 0, best: f64::INFINITY }
    }

    /// The edit that begins it.
    pub fn grab(&self) -> Edit {
        let point = (self.held.point != crate::math::Vec3::zeros()).then(|| self.held.point.into());
        let body = self.before.name(self.held.body).to_owned();
        Edit::Grab { body, at: self.at.clone(), point, what: self.held.what }
    }

    /// The edit that pulls toward the newest wish.
    pub fn pull(&self) -> Edit {
        Edit::Move { target: self.held.target.into(), iterations: 1, seed: 1 }
    }

    /// Follows the hand to another wish.
    pub fn reach(&mut self, held: Held, obstacle: Option<Obstacle>) {
        self.held = held;
        self.obstacle = obstacle;
        self.idle = 0;
        self.best = f64::INFINITY;
    }

    /// Takes an answer; true where going on from it may help.
    pub fn take(&mut self, report: Report) -> bool {
        let error = report.drag.as_ref().and_then(|drag| drag.error).unwrap_or(f64::INFINITY);
        if error < 0.999 * self.best {
            self.best = error;
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        let goes_on = matches!(report.verdict, Verdict::Unfinished(_)) && self.idle < MOST_IDLE;
        self.report = Some(report);
        goes_on
    }
}

/// The moment that is held: the time, or the event of the body that is nearest to it.
fn when(held: &Held, motion: &Motion) -> When {
    if !held.at_event {
        return When::Time(held.t);
    }
    let own = |mark: &&Mark| mark.kind == EventKind::Impact && mark.bodies.contains(&held.body);
    let away = |mark: &Mark| (mark.t - held.t).abs();
    let nearest = motion.marks.iter().filter(own).min_by(|a, b| away(a).total_cmp(&away(b)));
    match nearest {
        Some(mark) => When::Impact { impact: mark.name.clone(), side: Side::After },
        None => When::Time(held.t),
    }
}
