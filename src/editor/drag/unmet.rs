//! What is left when the hand has let go: a wish that was not met, with what can be done about it, and a nail that is offered.

use super::held::Held;
use super::obstacle::Obstacle;
use crate::editor::look::words::rough;
use crate::editor::work::motion::Motion;
use crate::model::BodyId;
use crate::scene::When;
use crate::session::Quantity;
use crate::simulation::EventKind;
use crate::solve::{GoalReport, Report, Verdict};

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

/// A nail that is offered: this body inside that one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// Who was dropped.
    pub body: BodyId,
    /// What it was dropped on.
    pub container: BodyId,
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
