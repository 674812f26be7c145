//! The change of u that the rows suggest at a point: in full, or the best within a radius.
//!
//! In full it is the least-norm δu. The rows hold nearby only, and the first part of the full step is not the best step of its
//! length: it spends as much on what is dear as on what is cheap. With a slack s for every row of the level in work
//!
//! ```text
//! minimise |δu|²_M + |s|²   subject to   J·δu + λ·s = δc      ⇔      δu = M⁻¹·Jᵀ·(J·M⁻¹·Jᵀ + λ²)⁻¹·δc             (1)
//! ```
//!
//! is a problem of the same kind ([`LeastNorm`]), with strict levels and bounds, and λ sets its length. Nails that half the radius can
//! meet are met, and the drag gives way; while they are farther off they are the level in work, and the drag waits.

use super::least_norm::{Change, LeastNorm, LinearWish};
use super::point::{Point, Wishes};
use super::purse::Purse;
use super::rows::Linear;
use super::settings::Unwanted;
use super::{joints, start};
use crate::goal::Relation;
use crate::math::Vec3;
use crate::math::elementary::square;
use crate::math::rotation::{exp, log};
use crate::model::{Axis, BodyId, ControlVector, Field, Model, Parameter, ParameterId};

/// A step this part of the radius or longer is long enough.
const LONG_ENOUGH: f64 = 0.8;
/// Tries for λ; each halves its exponent's range, which begins with six decades.
const TRIES: u32 = 12;

/// Parameters that the wishes' own bodies can do without must leave less than this part of what they leave without them.
const NEEDED: f64 = 0.5;
/// What is left of the wishes by the rows is nothing, relative to what is missed.
const NOTHING: f64 = 1e-6;

/// Whose parameters are suggested to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Those of bodies that wishes are about, and what a person has freed.
    Own,
    /// Those, and all others where they leave much less of what is wished.
    Needed,
    /// All that are free.
    All,
}

/// A suggested change of u and where it came from.
pub(super) struct Suggestion {
    pub parameters: Vec<ParameterId>,
    /// In full, without the pull to rest values.
    pub plain: Change,
    /// In full, with it.
    pub pulled: Change,
    /// Which parameters move anything that is wished.
    pub felt: Vec<bool>,
    problem: LeastNorm,
    /// What nails alone ask for.
    nails_length: f64,
}

/// The least-norm change at a point.
pub(super) fn suggest(
    point: &Point,
    wishes: Wishes,
    pull: f64,
    whose: Whose,
    purse: &mut Purse,
    kkt: &mut f64,
) -> Result<Suggestion, Unwanted> {
    let all: Vec<ParameterId> = point.model.free_parameters().collect();
    let linear = purse.linearize(point, wishes, &all)?;
    let bodies = wishes.bodies(&point.model);
    let own = |k: &usize| is_own(&point.model.parameters()[all[*k].index()], &bodies);
    let own: Vec<usize> = (0..all.len()).filter(own).collect();
    let missing_own = own.is_empty() && whose != Whose::Own;
    if whose == Whose::All || own.len() == all.len() || missing_own {
        return Ok(over(point, all, linear, pull, kkt));
    }
    let narrow = over(point, own.iter().map(|k| all[*k]).collect(), linear.of_columns(&own), pull, kkt);
    let left = narrow.left(&narrow.plain.du);
    if whose == Whose::Own || left <= NOTHING * narrow.left(&vec![0.0; own.len()]) {
        return Ok(narrow);
    }
    let wide = over(point, all, linear, pull, kkt);
    Ok(if wide.left(&wide.plain.du) < NEEDED * left { wide } else { narrow })
}

/// Whether a parameter may change before others do: of a body that a wish is about, or freed by a person.
pub(super) fn is_own(parameter: &Parameter, bodies: &[BodyId]) -> bool {
    parameter.asked || parameter.role.body().is_none_or(|body| bodies.contains(&body))
}

/// The same over some parameters.
fn over(point: &Point, parameters: Vec<ParameterId>, linear: Linear, pull: f64, kkt: &mut f64) -> Suggestion {
    let Linear { nails, drag } = linear;
    let of = |id: ParameterId| &point.model.parameters()[id.index()];
    let moves = |wishes: &[LinearWish], k: usize| wishes.iter().any(|wish| wish.row[k] != 0.0);
    let felt = (0..parameters.len()).map(|k| moves(&nails, k) || moves(&drag, k)).collect();
    // Only what the drag can feel is pulled to rest: a drag leaves alone what is outside its causal past.
    let pulling = if drag.is_empty() { &nails } else { &drag };
    let rest = |(k, id): (usize, &ParameterId)| {
        if moves(pulling, k) { pull * (of(*id).rest - point.u[*id]) } else { 0.0 }
    };
    let pulls: Vec<f64> = parameters.iter().enumerate().map(rest).collect();
    let bounds = |id: &ParameterId| {
        let bounds = point.model.bounds_at(&point.u, *id);
        ((bounds.0 - point.u[*id]).min(0.0), (bounds.1 - point.u[*id]).max(0.0))
    };
    let levels = vec![nails, drag];
    let mut problem = LeastNorm {
        limits: [start::limits(&point.model, &point.u, &parameters), joints::rows(&point.model, &point.u, &parameters)]
            .concat(),
        metric: parameters.iter().map(|id| of(*id).metric).collect(),
        pull: vec![0.0; parameters.len()],
        bounds: parameters.iter().map(bounds).collect(),
        levels: levels[..1].to_vec(),
    };
    let nails_length = if levels.iter().any(Vec::is_empty) { 0.0 } else { problem.solve().length };
    problem.levels = levels;
    let plain = problem.solve();
    let pulled = if plain.length == 0.0 || pulls.iter().all(|pull| *pull == 0.0) {
        plain.clone()
    } else {
        problem.pull = pulls;
        let pulled = problem.solve();
        problem.pull.fill(0.0);
        pulled
    };
    *kkt = kkt.max(plain.kkt).max(pulled.kkt);
    Suggestion { parameters, plain, pulled, felt, problem, nails_length }
}

impl Suggestion {
    /// (1): the best change within a radius of the metric, roughly metres.
    pub fn within(&self, radius: f64, kkt: &mut f64) -> Vec<f64> {
        if self.plain.length <= radius {
            return self.plain.du.clone();
        }
        let count = self.parameters.len();
        let length = |du: &[f64]| length(&self.problem.metric, du);
        let work = self.level_in_work(radius);
        // σ/(σ² + λ²) ≤ 1/(2λ): from here on every step is short enough.
        let (mut high, mut low) = ((self.missed(work) / (2.0 * radius)).max(f64::MIN_POSITIVE), 0.0);
        let mut best = self.damped(work, high, kkt);
        for _ in 0..TRIES {
            if length(&best[..count]) >= LONG_ENOUGH * radius && length(&best[..count]) <= radius {
                break;
            }
            let middle = if low == 0.0 { high * 1e-3 } else { f64::sqrt(low * high) };
            let tried = self.damped(work, middle, kkt);
            if length(&tried[..count]) <= radius {
                (high, best) = (middle, tried);
            } else {
                low = middle;
            }
        }
        best.truncate(count);
        // Bounds or nails may leave no short step at all.
        let factor = (radius / length(&best)).min(1.0);
        best.iter().map(|change| change * factor).collect()
    }

    /// The weighted length of what the rows expect to be missed after a change; without one it is the total of the merit.
    pub fn left(&self, du: &[f64]) -> f64 {
        let missed = |wishes: &[LinearWish]| {
            let violation = |wish: &LinearWish| {
                let value = wish.row.iter().zip(du).map(|(rate, change)| rate * change).sum::<f64>() - wish.change;
                if wish.relation == Relation::AtMost { value.max(0.0) } else { value }
            };
            wishes.iter().map(|wish| square(violation(wish))).sum::<f64>().sqrt()
        };
        10.0 * missed(&self.problem.levels[0]) + missed(&self.problem.levels[1])
    }

    /// The level that gives way: nails while they are far, then the drag.
    fn level_in_work(&self, radius: f64) -> usize {
        usize::from(self.nails_length <= 0.5 * radius && !self.problem.levels[1].is_empty())
    }

    fn missed(&self, work: usize) -> f64 {
        let changes = self.problem.levels[work].iter().map(|wish| square(wish.change));
        changes.sum::<f64>().sqrt()
    }

    /// (1) for a λ; slacks stand behind the parameters.
    fn damped(&self, work: usize, lambda: f64, kkt: &mut f64) -> Vec<f64> {
        let (count, slacks) = (self.parameters.len(), self.problem.levels[work].len());
        let mut problem = self.problem.clone();
        problem.levels.truncate(work + 1);
        for (index, level) in problem.levels.iter_mut().enumerate() {
            for (row, wish) in level.iter_mut().enumerate() {
                wish.row.resize_vertically_mut(count + slacks, 0.0);
                if index == work {
                    wish.row[count + row] = lambda;
                }
            }
        }
        problem.limits.iter_mut().for_each(|limit| limit.row.resize_vertically_mut(count + slacks, 0.0));
        problem.metric.resize(count + slacks, 1.0);
        problem.pull.resize(count + slacks, 0.0);
        problem.bounds.resize(count + slacks, (f64::NEG_INFINITY, f64::INFINITY));
        let change = problem.solve();
        *kkt = kkt.max(change.kkt);
        change.du
    }
}

/// √(δuᵀMδu).
fn length(metric: &[f64], du: &[f64]) -> f64 {
    metric.iter().zip(du).map(|(metric, change)| metric * change * change).sum::<f64>().sqrt()
}

impl Point {
    /// u + δu within its bounds, with a start that keeps its joints and is free of overlaps.
    pub(super) fn moved(&self, parameters: &[ParameterId], du: &[f64]) -> ControlVector {
        self.moved_from(&self.u, parameters, du)
    }

    /// Another control vector of the same model, moved within its bounds.
    pub(super) fn moved_from(&self, from: &ControlVector, parameters: &[ParameterId], du: &[f64]) -> ControlVector {
        let mut u = from.clone();
        for (id, change) in parameters.iter().zip(du).filter(|(_, change)| **change != 0.0) {
            let (low, high) = self.model.bounds_at(from, *id);
            u[*id] = (u[*id] + change).clamp(low, high);
        }
        let mut u = start::clear(&self.model, from, u, parameters);
        unwind(&self.model, &mut u);
        u
    }
}

/// An offset of more than half a turn becomes the shorter one that turns the body to the same place.
fn unwind(model: &Model, u: &mut ControlVector) {
    for index in (0..model.bodies().len()).filter(|&index| model.bodies()[index].drive.is_pushed()) {
        let find = |axis: Axis| model.find(&Field::Rotation.of(BodyId(index as u32)).along(axis));
        let [Some(x), Some(y), Some(z)] = Axis::ALL.map(find) else { continue };
        let offset = Vec3::new(u[x], u[y], u[z]);
        if offset.norm() <= std::f64::consts::PI {
            continue;
        }
        let open = |id: &ParameterId| {
            let Parameter { free, bounds, .. } = &model.parameters()[id.index()];
            *free && *bounds == (f64::NEG_INFINITY, f64::INFINITY)
        };
        if [x, y, z].iter().all(open) {
            let short = log(&exp(offset));
            [x, y, z].into_iter().zip(short.iter()).for_each(|(id, value)| u[id] = *value);
        }
    }
}
