//! A drag as the window follows it: what was before, how the solver fares, and what is left when the hand lets go.

use std::sync::Arc;

use super::hands::Held;
use super::obstacle::Obstacle;
use crate::editor::work::motion::{Mark, Motion};
use crate::scene::{Side, When};
use crate::session::{Edit, Quantity};
use crate::simulation::EventKind;
use crate::solve::{GoalReport, Report, Verdict};

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

/// A wish that was not met when the hand let go.
#[derive(Clone, Debug)]
pub struct Unmet {
    /// What was held.
    pub held: Held,
    /// When.
    pub at: When,
    /// How far it is off, and why.
    pub report: Report,
    /// Locked parameters that would let it be met, if they were free.
    pub freeing: Option<String>,
    /// What stands where it was wished.
    pub obstacle: Option<Obstacle>,
    /// How often the wish was moved out of what is in the way.
    pub aims: u32,
    /// Whether trying changed the motion, which is then a step to undo.
    pub stepped: bool,
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
        let goes_on = report.verdict == Verdict::Unfinished && self.idle < MOST_IDLE;
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

/// How far off a wish is, in words.
pub fn short_by(report: &GoalReport) -> String {
    match report.error {
        Some(error) if report.unit == "m" && error < 1.0 => {
            format!("short by {} cm", rough(100.0 * error))
        }
        Some(error) => format!("short by {} {}", rough(error), report.unit),
        None => report.missing.clone().unwrap_or_default(),
    }
}

/// Two digits that say something: how far off one is needs no more.
pub fn rough(value: f64) -> String {
    let digits = if value >= 10.0 {
        0
    } else if value >= 1.0 {
        1
    } else {
        2
    };
    if value > 0.0 && value < 0.01 { format!("{value:.0e}") } else { format!("{value:.digits$}") }
}

impl Unmet {
    /// What is said about it.
    pub fn words(&self, motion: &Motion) -> String {
        let far = self.report.drag.as_ref().map(short_by).unwrap_or_default();
        let why = match (&self.obstacle, &self.report.verdict) {
            (Some(obstacle), _) => obstacle.words(&self.held, motion),
            (None, Verdict::Powerless) => self.powerless(motion),
            (None, verdict) => verdict.shown(&motion.model),
        };
        let freeing = self.freeing.as_ref().map(|group| format!("; free, {group} would let it"));
        format!("{far}: {why}{}", freeing.unwrap_or_default())
    }

    /// Groups of locked parameters that might let it be met, the likeliest first.
    pub fn locked(&self, motion: &Motion) -> Vec<String> {
        let name = motion.name(self.held.body);
        let mut groups: Vec<String> =
            ["velocity", "position", "rotation", "spin"].map(|field| format!("{name}.{field}")).into();
        if let Verdict::Blocked { pair, .. } = self.report.verdict {
            let other = if pair.first == self.held.body { pair.second } else { pair.first };
            groups.push(format!("{}.position", motion.name(other)));
        }
        groups.push(format!("{name}.restitution"));
        let locked = |group: &String| {
            let members = motion.model.group(group).unwrap_or_default();
            members.iter().any(|id| !motion.model.parameters()[id.index()].free)
        };
        groups.retain(locked);
        groups
    }

    /// Why nothing helps, and what decides instead.
    fn powerless(&self, motion: &Motion) -> String {
        let name = motion.name(self.held.body);
        match motion.last_partner(self.held.body, self.held.t) {
            Some(other) => format!("{} decides where {name} is by then", motion.name(other)),
            None => format!("nothing that is free moves {name} there"),
        }
    }

    /// The time of the last impact before, where a grab could help.
    pub fn better_time(&self, motion: &Motion) -> Option<f64> {
        let powerless = self.report.verdict == Verdict::Powerless && self.held.what == Quantity::Position;
        let impacts = motion.marks.iter().filter(|mark| mark.kind == EventKind::Impact);
        let own = impacts.filter(|mark| mark.bodies.contains(&self.held.body) && mark.t < self.held.t - 1e-6);
        own.map(|mark| mark.t).next_back().filter(|_| powerless)
    }
}
