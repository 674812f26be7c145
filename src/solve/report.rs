//! How a solve ended: what is met, what is not and by how much, and what was in the way.

use std::fmt;

use super::conflict::conflicts;
use super::point::{Point, Wishes};
use super::settings::MET;
use crate::goal::{Goal, Reading};
use crate::model::{Model, Pair};
use crate::simulation::{EventKind, Trajectory};

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Every wish is met.
    Met,
    /// No small change of u helps any further: the wishes conflict, or are out of reach.
    Short,
    /// The sequence of events would have to change where no way was found.
    Blocked {
        /// Whose impact is in the way.
        pair: Pair,
        /// When, s.
        t: f64,
    },
    /// It was ended; going on may help.
    Unfinished(Stop),
    /// No free parameter has any influence on what is missed.
    Powerless,
}

/// Why a solve ended before it knew how it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All iterations were made.
    Iterations,
    /// All effort was spent ([`Settings::effort`](super::Settings::effort)).
    Effort,
    /// Whoever waited for it said so.
    Asked,
}

/// The first impact in which two motions differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequenceChange {
    /// Whose impact appeared, changed or vanished.
    pub pair: Pair,
    /// When, s.
    pub t: f64,
}

/// How one wish stands.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalReport {
    /// What messages call it.
    pub title: String,
    /// Whether it counts.
    pub enabled: bool,
    /// The largest violation; none where its event does not occur.
    pub error: Option<f64>,
    /// Unit of the largest violation.
    pub unit: &'static str,
    /// When it holds on this motion, s.
    pub t: Option<f64>,
    /// Why it has no value.
    pub missing: Option<String>,
    /// Titles of the nails it stands against, where a solve could not meet them all.
    pub against: Vec<String>,
    /// Why nothing that is free could change how it stands, with what could be done, where it is not met.
    pub powerless: Option<String>,
}

/// The outcome of one solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it stands.
    pub verdict: Verdict,
    /// Steps and rounds of samples.
    pub iterations: u32,
    /// Motions computed.
    pub simulations: u32,
    /// Each nail.
    pub nails: Vec<GoalReport>,
    /// The drag.
    pub drag: Option<GoalReport>,
    /// Bodies without a wish of their own that were changed because the wishes need them.
    pub needed: Vec<String>,
    /// Where samples led over a discontinuity.
    pub jumps: Vec<SequenceChange>,
    /// The first impact in which the motion differs from the one before.
    pub change: Option<SequenceChange>,
    /// The worst of the conditions of optimality of all δu.
    pub kkt: f64,
}

impl GoalReport {
    /// Reads off how a goal stands.
    pub fn with_advice(goal: &Goal, reading: &Reading, model: &Model) -> GoalReport {
        let mut report = GoalReport::new(goal, reading);
        let in_vain = goal.powerless(model).filter(|_| !report.is_met());
        report.powerless = in_vain.map(|why| why.to_string());
        report
    }

    /// The same without a word on what could be done.
    pub fn new(goal: &Goal, reading: &Reading) -> GoalReport {
        let (title, enabled) = (goal.title.clone(), goal.enabled);
        let (against, powerless) = (Vec::new(), None);
        match reading {
            Reading::Missing(missing) => {
                let missing = Some(missing.to_string());
                GoalReport { title, enabled, error: None, unit: "", t: None, missing, against, powerless }
            }
            Reading::Read(instant, residuals) => {
                let size = |k: &usize| residuals[*k].violation().abs();
                let worst = (0..residuals.len()).max_by(|a, b| size(a).total_cmp(&size(b)));
                let (error, unit) = worst.map_or((0.0, ""), |k| (size(&k), residuals[k].unit));
                let t = Some(instant.t());
                GoalReport { title, enabled, error: Some(error), unit, t, missing: None, against, powerless }
            }
        }
    }

    /// Whether the wish is met, or does not count.
    pub fn is_met(&self) -> bool {
        !self.enabled || self.error.is_some_and(|error| error <= MET)
    }
}

impl Report {
    /// Whether every nail is met.
    pub fn nails_are_met(&self) -> bool {
        self.nails.iter().all(GoalReport::is_met)
    }

    /// Fills in how the wishes stand at the end.
    pub(super) fn finish(&mut self, before: &Trajectory, end: &Point, wishes: Wishes) {
        self.tell(end, wishes);
        self.change = SequenceChange::between(before, &end.trajectory);
    }

    /// How the wishes stand.
    pub(super) fn tell(&mut self, end: &Point, wishes: Wishes) {
        self.nails = wishes
            .nails
            .iter()
            .zip(&end.nails)
            .map(|(goal, reading)| GoalReport::with_advice(goal, reading, &end.model))
            .collect();
        // Where it was ended before, what is missed may yet be met.
        let ended = !matches!(self.verdict, Verdict::Unfinished(_));
        if ended && self.nails.iter().filter(|nail| !nail.is_met()).count() > 1 {
            self.name_conflicts(end, wishes);
        }
        self.drag = wishes
            .drag
            .zip(end.drag.as_ref())
            .map(|(goal, reading)| GoalReport::with_advice(goal, reading, &end.model));
    }
}

impl Report {
    fn name_conflicts(&mut self, end: &Point, wishes: Wishes) {
        let titles: Vec<String> = self.nails.iter().map(|nail| nail.title.clone()).collect();
        for (nail, others) in self.nails.iter_mut().zip(conflicts(end, wishes)) {
            nail.against = others.into_iter().map(|other| titles[other].clone()).collect();
        }
    }
}

impl Default for Report {
    fn default() -> Report {
        Report {
            verdict: Verdict::Unfinished(Stop::Iterations),
            iterations: 0,
            simulations: 0,
            nails: Vec::new(),
            drag: None,
            needed: Vec::new(),
            jumps: Vec::new(),
            change: None,
            kkt: 0.0,
        }
    }
}

impl SequenceChange {
    /// The first impact in which two motions differ, if they do.
    pub fn between(one: &Trajectory, other: &Trajectory) -> Option<SequenceChange> {
        let (a, b) = (one.signature(), other.signature());
        if a == b {
            return None;
        }
        let place = a.shared_prefix(&b);
        let impact = |motion: &Trajectory| {
            let mut impacts = motion.events.iter().filter(|event| event.kind == EventKind::Impact);
            impacts.nth(place).map(|event| SequenceChange { pair: event.pair(), t: event.t })
        };
        // The earlier of the two is where they part.
        match (impact(one), impact(other)) {
            (Some(a), Some(b)) => Some(if a.t <= b.t { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// As people write it: `egg/floor at 0.31 s`.
    pub fn shown(&self, model: &Model) -> String {
        format!("{} at {:.3} s", pair_name(model, self.pair), self.t)
    }
}

impl Verdict {
    /// One sentence.
    pub fn shown(&self, model: &Model) -> String {
        match self {
            Verdict::Met => "met".to_owned(),
            Verdict::Short => "no small change helps any further".to_owned(),
            Verdict::Blocked { pair, t } => format!("blocked by {} at {t:.3} s", pair_name(model, *pair)),
            Verdict::Unfinished(Stop::Iterations) => "not there yet".to_owned(),
            Verdict::Unfinished(Stop::Effort) => {
                "not there yet, and as much was simulated as one solve may cost; solve again to go on".to_owned()
            }
            Verdict::Unfinished(Stop::Asked) => "stopped before it was there".to_owned(),
            Verdict::Powerless => "no free parameter has any influence".to_owned(),
        }
    }

    /// The word used in files.
    pub fn as_str(&self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::Short => "short",
            Verdict::Blocked { .. } => "blocked",
            Verdict::Unfinished(_) => "unfinished",
            Verdict::Powerless => "powerless",
        }
    }
}

impl fmt::Display for GoalReport {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let GoalReport { title, error, unit, missing, against, powerless, .. } = self;
        let why = powerless.as_ref().map_or(String::new(), |why| format!("; {why}"));
        match (error, missing) {
            (Some(error), _) => {
                let amount = match *error {
                    error if error <= MET => format!("met to {error:.1e}"),
                    error if error < 1e7 => format!("short by {error:.6}"),
                    error => format!("short by {error:.3e}"),
                };
                let against =
                    if against.is_empty() { String::new() } else { format!(", against {}", against.join(", ")) };
                write!(formatter, "{title}: {}{against}{why}", format!("{amount} {unit}").trim_end())
            }
            (None, Some(missing)) => write!(formatter, "{title}: {missing}{why}"),
            (None, None) => write!(formatter, "{title}"),
        }
    }
}

fn pair_name(model: &Model, pair: Pair) -> String {
    let name = |body: crate::model::BodyId| &model.bodies()[body.index()].name;
    format!("{}/{}", name(pair.first), name(pair.second))
}
