//! A control vector with its motion, and how the wishes stand there.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::settings::MET;
use crate::goal::{Goal, Reading};
use crate::math::elementary::square;
use crate::model::{BodyId, ControlVector, Model, Pair};
use crate::simulation::{BrokenOff, EventKind, Limits, Trajectory, simulate, simulate_within};

/// The most impacts of one pair that get parameters of their own: settling has many, and the first ones decide.
const MOST_IMPACTS: u32 = 12;

/// How far past the last fixed time a motion is followed, s, so that the wish itself is not its end.
const BEYOND: f64 = 1e-6;
/// Events that come later by this factor are still seen.
const LATER: f64 = 1.25;

/// What the solver tries to meet: nails before the drag.
#[derive(Clone, Copy, Debug)]
pub struct Wishes<'a> {
    /// Met first.
    pub nails: &'a [Goal],
    /// The drag in hand.
    pub drag: Option<&'a Goal>,
}

/// u, its motion, and how every wish stands on it.
#[derive(Clone, Debug)]
pub struct Point {
    /// Parameters by name; has those of the motion's impacts.
    pub model: Arc<Model>,
    /// One value for each of them.
    pub u: ControlVector,
    /// The motion.
    pub trajectory: Arc<Trajectory>,
    /// One for each nail.
    pub nails: Vec<Reading>,
    /// Of the drag.
    pub drag: Option<Reading>,
}

/// How far a motion is from the wishes; smaller is better, entry by entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merit {
    /// Wishes whose event does not occur.
    pub missing: usize,
    /// Length of all violations of nails.
    pub nails: f64,
    /// Of the drag.
    pub drag: f64,
}

impl Wishes<'_> {
    /// The bodies that wishes are about, with all that joints hold together with them, each once.
    pub fn bodies(&self, model: &Model) -> Vec<BodyId> {
        let enabled = self.nails.iter().filter(|goal| goal.enabled);
        let bodies: Vec<BodyId> = enabled.chain(self.drag).flat_map(Goal::bodies).collect();
        model.joined_with(&bodies)
    }
}

impl Point {
    /// Simulates u. Where the model has rules for the impacts of a pair, the motion's impacts get parameters.
    pub fn new(model: &Arc<Model>, u: &ControlVector, wishes: Wishes) -> Point {
        let trajectory = simulate(model, u);
        let Some(grown) = grown(model, &trajectory) else {
            return Point::of(model.clone(), u.clone(), Arc::new(trajectory), wishes);
        };
        let u = grown.adopt(model, u);
        let trajectory = simulate(&grown, &u);
        Point::of(Arc::new(grown), u, Arc::new(trajectory), wishes)
    }

    /// The same, as far as it may cost.
    pub(super) fn within(
        model: &Arc<Model>,
        u: &ControlVector,
        wishes: Wishes,
        limits: Limits,
    ) -> Result<Point, BrokenOff> {
        let trajectory = simulate_within(model, u, limits)?;
        let Some(grown) = grown(model, &trajectory) else {
            return Ok(Point::of(model.clone(), u.clone(), Arc::new(trajectory), wishes));
        };
        let u = grown.adopt(model, u);
        let trajectory = simulate_within(&grown, &u, limits)?;
        Ok(Point::of(Arc::new(grown), u, Arc::new(trajectory), wishes))
    }

    /// Reads wishes off a motion that is known already.
    pub fn of(model: Arc<Model>, u: ControlVector, trajectory: Arc<Trajectory>, wishes: Wishes) -> Point {
        let read = |goal: &Goal| goal.read(&model, &u, &trajectory);
        let nails = wishes.nails.iter().map(read).collect();
        let drag = wishes.drag.map(read);
        Point { model, u, trajectory, nails, drag }
    }

    /// The time after which no wish looks at motions like this one; none where one waits for the end, for rest, or for an event
    /// that does not occur. Events may come later in other motions: there is some room for that.
    pub(super) fn horizon(&self, wishes: Wishes) -> Option<f64> {
        let time = |(t, floats): (f64, bool)| if floats { LATER * t } else { t + BEYOND };
        self.latest(wishes).try_fold(0.0, |horizon: f64, latest| Some(horizon.max(time(latest?))))
    }

    /// Whether a wish looks at a time that other motions may have later.
    pub(super) fn floats(&self, wishes: Wishes) -> bool {
        self.latest(wishes).any(|latest| latest.is_none_or(|(_, floats)| floats))
    }

    /// Until when each wish looks, and whether that time floats.
    fn latest<'a>(&'a self, wishes: Wishes<'a>) -> impl Iterator<Item = Option<(f64, bool)>> + 'a {
        let nails = wishes.nails.iter().zip(&self.nails).filter(|(goal, _)| goal.enabled);
        let all = nails.chain(wishes.drag.into_iter().zip(&self.drag));
        all.map(|(goal, reading)| goal.latest(reading))
    }

    /// How far it is from the wishes.
    pub fn merit(&self, wishes: Wishes) -> Merit {
        let (mut missing, mut nails) = (0, 0.0);
        for (_, reading) in wishes.nails.iter().zip(&self.nails).filter(|(goal, _)| goal.enabled) {
            match violations(reading) {
                Some(square) => nails += square,
                None => missing += 1,
            }
        }
        let mut drag = 0.0;
        if let Some(reading) = &self.drag {
            match violations(reading) {
                Some(square) => drag = square,
                None => missing += 1,
            }
        }
        Merit { missing, nails: nails.sqrt(), drag: drag.sqrt() }
    }
}

impl Merit {
    /// One number for the length of a step: nails weigh ten times as much.
    pub fn total(&self) -> f64 {
        10.0 * self.nails + self.drag
    }

    /// Whether it improves on another by at least this part of the other's total. An event that occurs at last is worth more
    /// than any error: a wish that waits has none, and has one as soon as its event is there.
    pub fn improves(&self, other: &Merit, part: f64) -> bool {
        self.missing < other.missing || (self.missing == other.missing && self.total() < other.total() * (1.0 - part))
    }

    /// The better one first: by missing events, then by the total.
    pub fn order(&self, other: &Merit) -> Ordering {
        self.missing.cmp(&other.missing).then(self.total().total_cmp(&other.total()))
    }

    /// Whether its nails hold as well as another's, where the same events occur: a drag must not break them.
    pub fn keeps_nails_of(&self, other: &Merit) -> bool {
        self.missing < other.missing || (self.missing == other.missing && self.nails <= other.nails.max(MET))
    }

    /// Whether it is met but for round-off, which may keep it from being closer.
    pub fn nearly_met(&self) -> bool {
        self.missing == 0 && self.nails <= 1e-3 * MET && self.drag <= 1e-3 * MET
    }

    /// Whether every wish is met.
    pub fn is_met(&self) -> bool {
        self.missing == 0 && self.nails <= MET && self.drag <= MET
    }
}

/// The sum of squared violations; none where the event is missing. A number that is not finite counts as very far.
fn violations(reading: &Reading) -> Option<f64> {
    let Reading::Read(_, residuals) = reading else { return None };
    let sum: f64 = residuals.iter().map(|residual| square(residual.violation())).sum();
    Some(if sum.is_finite() { sum } else { f64::MAX })
}

/// The model with parameters for the impacts of this motion, if it lacks some.
fn grown(model: &Model, trajectory: &Trajectory) -> Option<Model> {
    let pairs = model.pairs_followed();
    if pairs.is_empty() {
        return None;
    }
    let mut counts: BTreeMap<Pair, u32> = BTreeMap::new();
    for event in trajectory.events.iter().filter(|event| event.kind == EventKind::Impact) {
        if pairs.contains(&event.pair()) {
            counts.insert(event.pair(), event.number.min(MOST_IMPACTS));
        }
    }
    let grown = model.with_impacts(&counts.into_iter().collect::<Vec<_>>());
    (grown.parameters().len() > model.parameters().len()).then_some(grown)
}
