//! Motions to both sides of one, and what can be told from them: step by step smaller, until every body at every time has
//! settled.

use super::Agreement;
use super::table::{Found, Tables};
use crate::dynamics::{BodyState, StateTangent};
use crate::math::elementary::powi;
use crate::model::{BodyId, ControlVector, Field, Model, ParameterId, Role};
use crate::simulation::{Trajectory, simulate};

/// First step, relative to the size of the parameter.
const FIRST_STEP: f64 = 1e-3;
/// Steps tried. The last is 1.5e-8: seven digits of a number of ordinary size do not survive a smaller one.
const LEVELS: usize = 9;
/// δ with which noise is measured, relative to values above 1, and how many parameters, of all bodies, it is measured with.
const TINY: f64 = 1e-13;
const NOISY: usize = 3;
/// Each step is this part of the one before.
const RATIO: f64 = 4.0;

/// Differences of one parameter, level by level.
pub(super) struct Differences<'a> {
    model: &'a Model,
    u: &'a ControlVector,
    base: &'a Trajectory,
    parameter: ParameterId,
    times: &'a [f64],
    /// States of the motion in the middle at the times.
    states: Vec<Vec<BodyState>>,
    /// The sides on which motions are possible.
    sides: &'static [f64],
    column: Column,
}

/// What was found for one parameter: tables for each time and body.
#[derive(Clone, Debug)]
pub struct Column {
    /// Of the parameter.
    pub(super) size: f64,
    tables: Vec<Vec<Tables>>,
}

impl Column {
    /// The difference of an entry, if any is known.
    pub(super) fn value(&self, time: usize, (body, entry): (BodyId, usize)) -> Option<f64> {
        self.tables[time][body.index()].value(entry)
    }

    /// What is known of an entry, where it can be compared; see [`Tables::entry`].
    pub(super) fn entry(&self, time: usize, (body, entry): (BodyId, usize), growth: f64) -> Option<Found> {
        self.tables[time][body.index()].entry(entry, self.largest(time), growth)
    }

    /// The largest entry of the column at a time.
    fn largest(&self, time: usize) -> f64 {
        self.tables[time].iter().map(Tables::largest).fold(0.0, f64::max)
    }
}

impl<'a> Differences<'a> {
    pub fn new(
        model: &'a Model,
        u: &'a ControlVector,
        base: &'a Trajectory,
        parameter: ParameterId,
        times: &'a [f64],
        noise: &[Vec<StateTangent>],
    ) -> Self {
        let value = u[parameter];
        let role = model.parameters()[parameter.index()].role;
        let size = match role.field {
            Field::RollingResistance => value.abs().max(1e-2),
            _ if role.is_positive() => value.abs(),
            _ => 1.0,
        };
        let (low, high) = possible(&role);
        let reach = FIRST_STEP * size;
        let sides: &[f64] = match (value - reach < low, value + reach > high) {
            (true, _) => &[1.0],
            (false, true) => &[-1.0],
            (false, false) => &[1.0, -1.0],
        };
        let tables = |noise: &Vec<StateTangent>| noise.iter().map(|noise| Tables::new(size, *noise)).collect();
        let column = Column { size, tables: noise.iter().map(tables).collect() };
        let states = times.iter().map(|&t| base.at(t)).collect();
        Differences { model, u, base, parameter, times, states, sides, column }
    }

    /// All levels.
    pub fn settle(mut self) -> Column {
        for level in 0..LEVELS {
            self.level(FIRST_STEP * self.column.size / powi(RATIO, level as i32));
            if (0..self.times.len()).all(|time| self.is_settled(time, LEVELS - 1 - level)) {
                break;
            }
        }
        self.column
    }

    /// Whether the levels that are left cannot help.
    fn is_settled(&self, time: usize, left: usize) -> bool {
        let largest = self.column.largest(time);
        self.moving().all(|body| self.column.tables[time][body.index()].is_settled(largest, left))
    }

    fn moving(&self) -> impl Iterator<Item = BodyId> + use<'a> {
        let bodies = self.model.bodies().iter().enumerate();
        bodies.filter(|(_, body)| body.drive.is_pushed()).map(|(k, _)| BodyId(k as u32))
    }

    fn moved(&self, h: f64) -> (Trajectory, f64) {
        let mut u = self.u.clone();
        u[self.parameter] += h;
        (simulate(self.model, &u), u[self.parameter] - self.u[self.parameter])
    }

    /// One step h at all times.
    fn level(&mut self, h: f64) {
        let sides: Vec<(Trajectory, f64)> = self.sides.iter().map(|side| self.moved(side * h)).collect();
        let agreements: Vec<Agreement> = sides.iter().map(|(other, _)| Agreement::new(self.base, other)).collect();
        for (k, &t) in self.times.iter().enumerate() {
            for body in self.moving() {
                let from = &self.states[k][body.index()];
                let sample = |((other, h), agreement): (&(Trajectory, f64), &Agreement)| {
                    let difference = || from.tangent_to(&other.body_at(body, t)) / *h;
                    (*h, agreement.holds(body, t).then(difference))
                };
                let samples: Vec<_> = sides.iter().zip(&agreements).map(sample).collect();
                self.column.tables[k][body.index()].add(&samples, RATIO);
            }
        }
    }
}

/// What the states of a motion owe to rounding, for each time and body, from motions so near that nothing else tells them
/// apart: with steps ±δ of a few parameters,
///
/// ```text
/// |S(u + δ) + S(u − δ) − 2·S(u)|                                                                    (1)
/// ```
///
/// Redundant contacts multiply what their solver leaves by a thousand and more.
pub(super) fn noise(model: &Model, u: &ControlVector, base: &Trajectory, times: &[f64]) -> Vec<Vec<StateTangent>> {
    let mut noise = vec![vec![StateTangent::zeros(); model.bodies().len()]; times.len()];
    let inside = |parameter: &ParameterId| {
        let (low, high) = possible(&model.parameters()[parameter.index()].role);
        u[*parameter] - TINY > low && u[*parameter] + TINY < high
    };
    let inside: Vec<ParameterId> = model.free_parameters().filter(inside).collect();
    for &parameter in inside.iter().step_by(inside.len().div_ceil(NOISY).max(1)) {
        let sides = [TINY, -TINY].map(|h| {
            let mut beside = u.clone();
            beside[parameter] += h * u[parameter].abs().max(1.0);
            simulate(model, &beside)
        });
        let agreements = [0, 1].map(|k| Agreement::new(base, &sides[k]));
        for (&t, noise) in times.iter().zip(&mut noise) {
            for (k, noise) in noise.iter_mut().enumerate() {
                let body = BodyId(k as u32);
                if agreements.iter().all(|agreement| agreement.holds(body, t)) {
                    let from = base.body_at(body, t);
                    let [ahead, behind] = [0, 1].map(|side| from.tangent_to(&sides[side].body_at(body, t)));
                    *noise = noise.sup(&(ahead + behind).abs()); // (1)
                }
            }
        }
    }
    noise
}

/// Values that a parameter can have without its laws losing their meaning. Steps of what stays above 0 are small parts of it.
fn possible(role: &Role) -> (f64, f64) {
    if role.is_positive() { (f64::NEG_INFINITY, f64::INFINITY) } else { role.implied_bounds(0.0) }
}
