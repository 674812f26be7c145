//! The smallest change of u that meets linear wishes: strict levels, bounds, least squares where they conflict.
//!
//! ```text
//! minimise  (δu − w)ᵀ·M·(δu − w)     subject to     J_k·δu = δc_k  or  J_k·δu ≤ δc_k,    low ≤ δu ≤ high        (1)
//! ```
//!
//! with w the pull towards rest values. Level 1 (nails) is met as well as it can be, in the sense of least squares; level 2 (the
//! drag) as well as it can be without disturbing level 1; what freedom is left brings δu nearest to w. In x = √M·δu and
//! A = J·√M⁻¹, with Q an orthonormal basis of the rows of all levels so far:
//!
//! ```text
//! B = A_k·(1 − Q·Qᵀ) = L·σ·Rᵀ,      x ← x + R·σ⁺·Lᵀ·(b_k − A_k·x),      Q ← [Q, R]                              (2)
//! σ⁺ = σ/(σ² + λ²)     λ = 0 unless σ is below 1e-7 of the level's largest: there it fades out                  (3)
//! ```
//!
//! Bounds, limits and inequalities by a working set, from δu = 0: walk towards (2) with the set held, and where something is met on the way
//! stop and take it in; at the end of a walk release one whose multiplier has the wrong sign. No walk makes any level worse. A
//! multiplier counts at the first level at which it is not zero: to give way to level 2 must not cost level 1.
//!
//! Where δc and J come from is `rows`; how far to follow δu is `descent`.

use crate::math::elementary::square;
use crate::math::matrix::product;
use nalgebra::{DMatrix, DVector};

use crate::goal::Relation;
use crate::math::svd::Svd;

/// One linear wish J·δu = δc or ≤ δc.
#[derive(Clone, Debug)]
pub struct LinearWish {
    /// J, one entry for each parameter.
    pub row: DVector<f64>,
    /// δc.
    pub change: f64,
    /// Equal or at most.
    pub relation: Relation,
}

/// Problem (1).
#[derive(Clone, Debug)]
pub struct LeastNorm {
    /// Inequalities that hold at δu = 0 and go on holding, whatever is wished.
    pub limits: Vec<LinearWish>,
    /// The first is met before all others.
    pub levels: Vec<Vec<LinearWish>>,
    /// M, one positive entry for each parameter.
    pub metric: Vec<f64>,
    /// w, the change that costs nothing.
    pub pull: Vec<f64>,
    /// Least and greatest δu; 0 lies between.
    pub bounds: Vec<(f64, f64)>,
}

/// The answer to (1).
#[derive(Clone, Debug)]
pub struct Change {
    /// δu.
    pub du: Vec<f64>,
    /// By how much the conditions of optimality are missed, relative to the size of the problem.
    pub kkt: f64,
    /// √(δuᵀMδu).
    pub length: f64,
    /// Orthonormal rows of level 1 in x, parameters × rank: what a change must avoid to leave it met.
    pub first_level: DMatrix<f64>,
}

/// Below this part of a level's largest singular value a direction is not followed in full.
const ILL_CONDITIONED: f64 = 1e-7;
/// A level that a change of unit cost moves by less than this is moved by rounding alone: followed, it would ask for changes of 1e27.
const INFLUENCE: f64 = 1e-14;
/// Multipliers and violations below this part of the problem's size are round-off.
const ROUND_OFF: f64 = 1e-11;

/// One level in x: A, b, and which rows are equations.
struct Level {
    a: DMatrix<f64>,
    b: DVector<f64>,
    equal: Vec<bool>,
    scale: f64,
}

/// What is held as an equality beside the equations.
#[derive(Clone, Default)]
struct Working {
    /// Value each parameter is held at, in x.
    clamped: Vec<Option<f64>>,
    /// Inequalities held as equations, by level.
    rows: Vec<Vec<bool>>,
}

struct Stage {
    x: DVector<f64>,
    /// Orthonormal, parameters × rank.
    basis: DMatrix<f64>,
    first_rank: usize,
    kkt: f64,
}

impl LeastNorm {
    /// Solves (1); entries must be finite.
    pub fn solve(&self) -> Change {
        let root: Vec<f64> = self.metric.iter().map(|m| m.sqrt()).collect();
        // Limits are a level before all others.
        let (limited, limits) = (!self.limits.is_empty(), std::iter::once(&self.limits));
        let all = limits.filter(|_| limited).chain(&self.levels);
        let levels: Vec<Level> = all.map(|wishes| Level::new(wishes, &root)).collect();
        let start = DVector::from_fn(root.len(), |k, _| self.pull[k] * root[k]);
        let bounds: Vec<(f64, f64)> = self.bounds.iter().zip(&root).map(|(b, r)| (b.0 * r, b.1 * r)).collect();
        let mut x = DVector::zeros(root.len());
        let mut working = Working {
            clamped: vec![None; root.len()],
            // What is broken at the start is an equation until it holds.
            rows: levels.iter().map(|level| level.residual(&x).iter().map(|r| *r > 0.0).collect()).collect(),
        };
        let limit = 4 * (root.len() + levels.iter().map(|level| level.equal.len()).sum::<usize>()) + 10;
        let first = usize::from(limited);
        let mut stage = meet(&levels, first, &working, &start);
        for _ in 0..limit {
            let walked = walk(&levels, &bounds, &mut x, &stage.x, &mut working);
            if walked && !release(&levels, &bounds, &x, &start, &mut working) {
                break;
            }
            stage = meet(&levels, first, &working, &start);
        }
        let du = x.iter().zip(&root).zip(&self.bounds).map(|((x, r), b)| (x / r).clamp(b.0, b.1)).collect();
        let length = x.norm();
        Change { du, kkt: stage.kkt, length, first_level: stage.basis.columns(0, stage.first_rank).into_owned() }
    }
}

impl Level {
    fn new(wishes: &[LinearWish], root: &[f64]) -> Level {
        let a = DMatrix::from_fn(wishes.len(), root.len(), |row, column| wishes[row].row[column] / root[column]);
        let scale = a.norm();
        Level {
            a,
            b: DVector::from_iterator(wishes.len(), wishes.iter().map(|wish| wish.change)),
            equal: wishes.iter().map(|wish| wish.relation == Relation::Equal).collect(),
            scale,
        }
    }

    /// The rows that are, or count as, equations.
    fn active(&self, held: &[bool]) -> (DMatrix<f64>, DVector<f64>) {
        let rows: Vec<usize> = (0..held.len()).filter(|&row| self.equal[row] || held[row]).collect();
        (self.a.select_rows(&rows), self.b.select_rows(&rows))
    }

    fn residual(&self, x: &DVector<f64>) -> DVector<f64> {
        &self.a * x - &self.b
    }
}

/// (2) over all levels, with the working set held; `first` is the place of level 1.
fn meet(levels: &[Level], first: usize, working: &Working, start: &DVector<f64>) -> Stage {
    let mut x = start.clone();
    let mut rank = 0;
    let mut basis = DMatrix::zeros(x.len(), x.len());
    for (k, clamped) in working.clamped.iter().enumerate() {
        x[k] = clamped.unwrap_or(x[k]);
    }
    let free = |k: usize| working.clamped[k].is_none();
    let (mut first_rank, mut kkt) = (0, 0.0f64);
    let mut damped: DVector<f64> = DVector::zeros(x.len());
    for (index, (level, held)) in levels.iter().zip(&working.rows).enumerate() {
        let (a, b) = level.active(held);
        let mut projected = DMatrix::from_fn(a.nrows(), a.ncols(), |row, k| if free(k) { a[(row, k)] } else { 0.0 });
        let q = basis.columns(0, rank).into_owned();
        // Twice is enough (Kahan): the second pass removes what round-off left.
        for _ in 0..2 {
            projected -= product(&product(&projected, &q), &q.transpose());
        }
        let Svd { left, values, right } = Svd::new(&projected);
        let residual = &b - &a * &x;
        let largest = values.first().copied().unwrap_or(0.0).max(level.scale * f64::EPSILON).max(INFLUENCE);
        let mut correction = DVector::zeros(x.len());
        for (k, &value) in values.iter().enumerate() {
            let part = value / largest;
            if value <= level.scale * 1e-13 || part < 1e-12 {
                break;
            }
            // (3): λ² grows from 0 at the threshold to the threshold squared.
            let fade = if part >= ILL_CONDITIONED {
                0.0
            } else {
                square(ILL_CONDITIONED) * (1.0 - square(part / ILL_CONDITIONED))
            };
            let inverse = part / ((part * part + fade) * largest);
            let along = right.column(k) * (inverse * left.column(k).dot(&residual));
            correction += &along;
            if part >= ILL_CONDITIONED {
                basis.set_column(rank, &right.column(k));
                rank += 1;
            } else {
                damped += along;
            }
        }
        x += &correction;
        // Where rows differ much in size the first answer misses by round-off of the largest; what it misses is met again.
        let missed = &b - &a * &x;
        let full = |value: f64| value > level.scale * 1e-13 && value >= largest * ILL_CONDITIONED;
        for (k, &value) in values.iter().enumerate().take_while(|(_, value)| full(**value)) {
            x += right.column(k) * (left.column(k).dot(&missed) / value);
        }
        kkt = kkt.max(stationarity(&projected, &(&b - &a * &x), &values, level.scale, x.norm()));
        if index <= first {
            first_rank = rank;
        }
    }
    let basis = basis.columns(0, rank).into_owned();
    // What is left of x − start beside the rows must be zero where nothing is clamped.
    let free_move = DVector::from_fn(x.len(), |k, _| if free(k) { x[k] - start[k] - damped[k] } else { 0.0 });
    let across = &free_move - &basis * (basis.transpose() * &free_move);
    kkt = kkt.max(across.norm() / (1.0 + free_move.norm()));
    Stage { x, basis, first_rank, kkt }
}

/// Least squares: the residual is at right angles to every direction that was followed in full. It is the difference of b and
/// A·x, which rounds by the size of these: a step of 1e8 along a direction that hardly counts leaves 1e-8 of it.
fn stationarity(projected: &DMatrix<f64>, residual: &DVector<f64>, values: &[f64], scale: f64, length: f64) -> f64 {
    // Nor does it count where nothing was followed.
    if scale < INFLUENCE || values.first().is_none_or(|largest| values.iter().any(|v| *v < largest * ILL_CONDITIONED)) {
        return 0.0;
    }
    (projected.transpose() * residual).norm() / (scale * (1.0 + residual.norm() + scale * length))
}

/// What stops a walk.
enum Obstacle {
    Bound(usize, f64),
    Row { level: usize, row: usize, held: bool },
}

/// Walks from x towards `end` until something is in the way, which joins the working set (or leaves it, where an inequality that
/// was broken begins to hold). Whether the end was reached.
fn walk(
    levels: &[Level],
    bounds: &[(f64, f64)],
    x: &mut DVector<f64>,
    end: &DVector<f64>,
    working: &mut Working,
) -> bool {
    let way = end - &*x;
    let mut nearest: (f64, Option<Obstacle>) = (1.0, None);
    let mut meets = |part: f64, obstacle: Obstacle| {
        if part < nearest.0 {
            nearest = (part.max(0.0), Some(obstacle));
        }
    };
    for k in (0..x.len()).filter(|&k| working.clamped[k].is_none()) {
        if end[k] > bounds[k].1 {
            meets((bounds[k].1 - x[k]) / way[k], Obstacle::Bound(k, bounds[k].1));
        } else if end[k] < bounds[k].0 {
            meets((bounds[k].0 - x[k]) / way[k], Obstacle::Bound(k, bounds[k].0));
        }
    }
    for (index, level) in levels.iter().enumerate() {
        let (now, then) = (level.residual(x), level.residual(end));
        let slack = ROUND_OFF * (1.0 + level.b.amax() + level.scale * end.norm());
        for row in (0..level.equal.len()).filter(|&row| !level.equal[row]) {
            let held = working.rows[index][row];
            // Broken and beginning to hold, or holding and about to break.
            let crosses = if held { now[row] > slack && then[row] < -slack } else { then[row] > slack };
            if crosses {
                let part = now[row] / (now[row] - then[row]);
                meets(part, Obstacle::Row { level: index, row, held: !held });
            }
        }
    }
    let (part, obstacle) = nearest;
    match obstacle {
        None => {
            x.copy_from(end);
            return true;
        }
        Some(Obstacle::Bound(k, bound)) => {
            *x += way * part;
            x[k] = bound;
            working.clamped[k] = Some(bound);
        }
        Some(Obstacle::Row { level, row, held }) => {
            *x += way * part;
            working.rows[level][row] = held;
        }
    }
    false
}

/// Releases one member of the working set that would rather move inward.
fn release(
    levels: &[Level],
    bounds: &[(f64, f64)],
    x: &DVector<f64>,
    start: &DVector<f64>,
    working: &mut Working,
) -> bool {
    let any_row = working.rows.iter().flatten().any(|held| *held);
    if !any_row && working.clamped.iter().all(Option::is_none) {
        return false;
    }
    let mut decided_bounds = vec![false; x.len()];
    let mut decided_rows: Vec<Vec<bool>> = working.rows.iter().map(|rows| vec![false; rows.len()]).collect();
    // The objective of each level is its own residual; last comes the distance from the start.
    for stage in 0..=levels.len() {
        let gradient = match levels.get(stage) {
            Some(level) => {
                let (a, b) = level.active(&working.rows[stage]);
                a.transpose() * (&a * x - b)
            }
            None => x - start,
        };
        let size = gradient.norm();
        if size <= ROUND_OFF {
            continue;
        }
        let multipliers = multipliers(&levels[..stage], working, &gradient);
        let (of_bounds, of_rows) = multipliers;
        for k in 0..x.len() {
            let Some(value) = working.clamped[k] else { continue };
            let rate = of_bounds[k];
            if decided_bounds[k] || rate.abs() <= 1e-9 * size {
                continue;
            }
            decided_bounds[k] = true;
            // The objective falls against its rate: inward is down from the upper bound, up from the lower.
            let (at_low, at_high) = (value <= bounds[k].0, value >= bounds[k].1);
            if (at_high && !at_low && rate > 0.0) || (at_low && !at_high && rate < 0.0) {
                working.clamped[k] = None;
                return true;
            }
        }
        for (level, rows) in of_rows.iter().enumerate() {
            for &(row, rate) in rows {
                if levels[level].equal[row]
                    || decided_rows[level][row]
                    || rate.abs() * levels[level].scale <= 1e-9 * size
                {
                    continue;
                }
                decided_rows[level][row] = true;
                if rate > 0.0 {
                    working.rows[level][row] = false;
                    return true;
                }
            }
        }
    }
    false
}

/// λ and μ with gradient = Σ Aᵀ·λ + μ on clamped parameters: least squares on the free ones.
#[allow(clippy::type_complexity, reason = "bounds and rows side by side")]
fn multipliers(levels: &[Level], working: &Working, gradient: &DVector<f64>) -> (DVector<f64>, Vec<Vec<(usize, f64)>>) {
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for (index, (level, held)) in levels.iter().zip(&working.rows).enumerate() {
        rows.extend((0..held.len()).filter(|&row| level.equal[row] || held[row]).map(|row| (index, row)));
    }
    let all = DMatrix::from_fn(rows.len(), gradient.len(), |k, column| levels[rows[k].0].a[(rows[k].1, column)]);
    let free = |k: usize| working.clamped[k].is_none();
    let on_free = DMatrix::from_fn(all.nrows(), all.ncols(), |row, k| if free(k) { all[(row, k)] } else { 0.0 });
    let Svd { left, values, right } = Svd::new(&on_free);
    let mut lambda = DVector::zeros(rows.len());
    for (k, &value) in values.iter().enumerate() {
        if value > 1e-10 * values[0] {
            lambda += left.column(k) * (right.column(k).dot(gradient) / value);
        }
    }
    let rest = gradient - all.transpose() * &lambda;
    let of_bounds = DVector::from_fn(rest.len(), |k, _| if free(k) { 0.0 } else { rest[k] });
    let mut of_rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); levels.len()];
    rows.iter().zip(lambda.iter()).for_each(|(&(level, row), &rate)| of_rows[level].push((row, rate)));
    (of_bounds, of_rows)
}

#[cfg(test)]
mod tests;
