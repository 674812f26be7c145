//! What a person wishes: residuals of nails and drags over (q, t), and how they change with the state.
//!
//! ```text
//! c(q(t), t) = 0     or     c ≤ 0          at a fixed time, or at an event whose time floats            (1)
//! δc = Σ_bodies c_q·δq + Σ_events c_t·δt + Σ_parameters c_u·δu                                          (2)
//! ```
//!
//! A [`Goal`] is a nail made ready: names resolved, expressions parsed, faults reported by key (`nail[2].expression`). Reading
//! it off a trajectory gives its residuals with their [`Gradient`] (2). At a floating event δq is the total
//! derivative, the event's own motion included. An event that does not occur is a state of the goal ([`Missing`]), not an error.
//!
//! Pulling (2) back to u is `sensitivity`; choosing δu is `solve`.

mod error;
pub mod expression;
mod gradient;
mod influence;
mod posed;
mod region;
mod state;
mod timing;

use crate::math::{Rotation, Vec3, rotation};
use crate::model::{BodyId, ControlVector, Model};
use crate::scene::{Components, Inside, Nail, Region};
use crate::simulation::Trajectory;
use expression::Expression;
use state::Point;
use timing::Names;

pub use error::{GoalError, GoalErrors, GoalProblem};
pub use gradient::Gradient;
pub use influence::Powerless;
pub use timing::{Instant, Missing, Subject, Timing};

/// A nail, or the wish of a drag, made ready to be read off motions.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What messages call it.
    pub title: String,
    /// Whether it counts.
    pub enabled: bool,
    /// When it holds.
    pub timing: Timing,
    wishes: Vec<Wish>,
}

#[derive(Clone, Debug)]
enum Wish {
    Position {
        point: Point,
        wish: Components,
    },
    Velocity {
        point: Point,
        wish: Components,
    },
    Spin {
        body: BodyId,
        wish: Components,
    },
    /// All of an orientation.
    Rotation {
        body: BodyId,
        wish: Rotation,
    },
    /// Some components of the exponential map.
    RotationPart {
        body: BodyId,
        wish: Components,
    },
    Inside {
        point: Point,
        region: Region,
        of: Option<BodyId>,
    },
    Expression(Expression),
}

/// How a residual shall stand to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// c = 0.
    Equal,
    /// c ≤ 0.
    AtMost,
}

/// One scalar of a goal on one motion.
#[derive(Clone, Debug)]
pub struct Residual {
    /// What it is, as in `position.x`.
    pub label: &'static str,
    /// c of (1).
    pub value: f64,
    /// What is wished of it.
    pub relation: Relation,
    /// Of the value; empty where it has none or none is known.
    pub unit: &'static str,
    /// (2).
    pub gradient: Gradient,
}

/// A goal on one motion.
#[derive(Clone, Debug)]
pub enum Reading {
    /// When it holds there, and its residuals.
    Read(Instant, Vec<Residual>),
    /// The event it waits for does not occur.
    Missing(Missing),
}

impl Residual {
    /// By how much the wish is missed; 0 where an inequality holds.
    pub fn violation(&self) -> f64 {
        match self.relation {
            Relation::Equal => self.value,
            Relation::AtMost => self.value.max(0.0),
        }
    }
}

impl Reading {
    /// The largest violation; none where the event does not occur.
    pub fn error(&self) -> Option<f64> {
        match self {
            Reading::Read(_, residuals) => {
                Some(residuals.iter().fold(0.0, |worst, residual| residual.violation().abs().max(worst)))
            }
            Reading::Missing(_) => None,
        }
    }
}

impl Goal {
    /// Makes nails ready; every fault has its key.
    pub fn of_nails(model: &Model, nails: &[Nail]) -> Result<Vec<Goal>, GoalErrors> {
        let (mut goals, mut errors) = (Vec::with_capacity(nails.len()), Vec::new());
        for (index, nail) in nails.iter().enumerate() {
            match Goal::new(model, nail, index) {
                Ok(goal) => goals.push(goal),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(goals) } else { Err(GoalErrors { errors }) }
    }

    /// Makes one nail ready; `index` is its place, for names and keys.
    pub fn new(model: &Model, nail: &Nail, index: usize) -> Result<Goal, GoalError> {
        let fail = |field: &str, problem| GoalError { key: format!("nail[{index}].{field}"), problem };
        if let Some((field, value, allowed)) = nail.out_of_range() {
            return Err(fail(field, GoalProblem::OutOfRange { field, value, allowed }));
        }
        if let Some(field) = nail.empty_wish() {
            return Err(fail(field, GoalProblem::NoComponent { field }));
        }
        let names = Names { model };
        let timing = names.timing(&nail.at).map_err(|problem| fail("at", problem))?;
        let mut wishes = Vec::new();
        if let Some(body) = &nail.body {
            let label = model.label(body);
            if label.is_some() && nail.point.is_some() {
                return Err(fail("point", GoalProblem::LabelHasPoint { label: body.clone() }));
            }
            let (body, point) = match label {
                Some(label) => label,
                None => {
                    let point = nail.point.map_or(Vec3::zeros(), Vec3::from);
                    (names.body(body).map_err(|problem| fail("body", problem))?, point)
                }
            };
            wishes = state_wishes(model, nail, Point { body, in_body: point })
                .map_err(|(field, problem)| fail(field, problem))?;
        }
        if let Some(text) = &nail.expression {
            let expression = Expression::new(model, text).map_err(|error| fail("expression", error.into()))?;
            wishes.push(Wish::Expression(expression));
        }
        if wishes.is_empty() {
            return Err(fail("position", GoalProblem::NoWish));
        }
        Ok(Goal { title: nail.title(index), enabled: nail.enabled, timing, wishes })
    }

    /// Reads the goal off a motion.
    pub fn read(&self, model: &Model, u: &ControlVector, trajectory: &Trajectory) -> Reading {
        match self.read_or_missing(model, u, trajectory) {
            Ok((instant, residuals)) => Reading::Read(instant, residuals),
            Err(missing) => Reading::Missing(missing),
        }
    }

    /// The time after which the goal does not look at the motion it was read from; none where it looks at the end, at rest, or
    /// for an event in vain. The flag says whether that time floats.
    pub fn latest(&self, reading: &Reading) -> Option<(f64, bool)> {
        let Reading::Read(instant, residuals) = reading else { return None };
        let only_times = |wish: &Wish| matches!(wish, Wish::Expression(expression) if !expression.asks_for_states());
        let own = match self.timing {
            Timing::End | Timing::Rest { .. } if self.wishes.iter().all(only_times) => 0.0,
            Timing::End | Timing::Rest { .. } => return None,
            Timing::Time(_) | Timing::Impact { .. } | Timing::Apex { .. } => instant.t(),
        };
        let times = residuals.iter().flat_map(|residual| &residual.gradient.times).map(|(instant, _)| instant.t());
        let latest = times.fold(own, f64::max);
        let floats = latest > own || !matches!(self.timing, Timing::Time(_));
        Some((latest, floats))
    }

    fn read_or_missing(
        &self,
        model: &Model,
        u: &ControlVector,
        trajectory: &Trajectory,
    ) -> Result<(Instant, Vec<Residual>), Missing> {
        let instant = self.timing.find(model, trajectory)?;
        let mut residuals = Vec::new();
        for wish in &self.wishes {
            wish.read(model, u, trajectory, &instant, &mut residuals)?;
        }
        if residuals.iter().any(|residual| !residual.value.is_finite()) {
            return Err(Missing::NoValue { t: instant.t() });
        }
        Ok((instant, residuals))
    }
}

fn state_wishes(model: &Model, nail: &Nail, point: Point) -> Result<Vec<Wish>, (&'static str, GoalProblem)> {
    let body = point.body;
    let turns = !model.bodies()[body.index()].mass.inertia.iter().all(|moment| *moment == 0.0);
    for (field, written) in [("rotation", nail.rotation.is_some()), ("spin", nail.spin.is_some())] {
        if written && !turns {
            return Err((field, GoalProblem::DoesNotTurn { field }));
        }
    }
    let mut wishes = Vec::new();
    wishes.extend(nail.position.map(|wish| Wish::Position { point, wish }));
    wishes.extend(nail.rotation.map(|wish| match wish.vector() {
        Some(all) => Wish::Rotation { body, wish: rotation::exp(Vec3::from(all)) },
        None => Wish::RotationPart { body, wish },
    }));
    wishes.extend(nail.velocity.map(|wish| Wish::Velocity { point, wish }));
    wishes.extend(nail.spin.map(|wish| Wish::Spin { body, wish }));
    match &nail.inside {
        None => {}
        Some(Inside::World(region)) => wishes.push(Wish::Inside { point, region: *region, of: None }),
        Some(Inside::Body { body: name }) => {
            let of = (Names { model }).body(name).map_err(|problem| ("inside", problem))?;
            let Some(region) = model.bodies()[of.index()].region else {
                return Err(("inside", GoalProblem::NoRegion { body: name.clone() }));
            };
            wishes.push(Wish::Inside { point, region, of: Some(of) });
        }
    }
    Ok(wishes)
}

impl Wish {
    fn read(
        &self,
        model: &Model,
        u: &ControlVector,
        trajectory: &Trajectory,
        instant: &Instant,
        residuals: &mut Vec<Residual>,
    ) -> Result<(), Missing> {
        match self {
            Wish::Position { point, wish } => {
                state::position(*point, &instant.state(trajectory, point.body), wish, residuals)
            }
            Wish::Velocity { point, wish } => {
                state::velocity(*point, &instant.state(trajectory, point.body), wish, residuals)
            }
            Wish::Spin { body, wish } => state::spin(*body, &instant.state(trajectory, *body), wish, residuals),
            Wish::Rotation { body, wish } => state::rotation(*body, &instant.state(trajectory, *body), wish, residuals),
            Wish::RotationPart { body, wish } => {
                state::rotation_part(*body, &instant.state(trajectory, *body), wish, residuals);
            }
            Wish::Inside { point, region, of } => {
                let state = instant.state(trajectory, point.body);
                let frame = of.map(|body| (body, instant.state(trajectory, body)));
                region::inside(*point, &state, region, frame, residuals);
            }
            Wish::Expression(expression) => expression.read(model, u, trajectory, instant, residuals)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
