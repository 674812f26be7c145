//! Is ∂S/∂u right? Differences of whole motions, for the `check` command and for tests; nothing else calls them.
//!
//! For one parameter and steps h, h/4, h/16, …
//!
//! ```text
//! D(h) = (S(u + h) ⊖ S(u − h))/2h = S_u + c·h² + …        or, at a bound, (S(u + h) ⊖ S(u))/h = S_u + c·h + …     (1)
//! D_{k,j} = D_{k,j−1} + (D_{k,j−1} − D_{k−1,j−1})/(r^j − 1),   r = 16, or 4 at a bound                             (2)
//! ```
//!
//! (2) takes one power of h after the other out of (1). Every entry uses the place of the table where its neighbours
//! agree best, until smaller steps make it worse: beyond that rounding decides, and agrees only by chance. How well they
//! agree at two steps in a row, and what rounding does to (1), says how far the difference can be trusted. It counts only where both
//! motions took the same decisions as the one in the middle, up to the time asked for; an entry is *comparable* where such
//! steps exist and the table settles to `TRUSTED`. Digits agreed are
//!
//! ```text
//! −log₁₀(|exact − difference|/scale),    scale = max(|entry|, largest of its column/100, 1e-3 per size of u)       (3)
//! ```

use nalgebra::{DMatrix, DVector};

use super::{row_name, rows};
use crate::model::{ControlVector, Model, ParameterId, Role};
use crate::simulation::{Trajectory, simulate};

/// First step, relative to the size of the parameter.
const FIRST_STEP: f64 = 1e-3;
/// Steps tried: the last is a quarter of a millionth of the first.
const LEVELS: usize = 10;
/// Each step is this part of the one before.
const RATIO: f64 = 4.0;
/// A difference whose table settles to this, relative to its scale, can be compared: a tenth of what six digits need.
const TRUSTED: f64 = 1e-7;
/// No smaller step is tried once all entries settle to this, or have passed their best step.
const SETTLED: f64 = 1e-9;
/// Entries smaller than this part of the largest of their column are measured against that part.
const SMALL: f64 = 1e-2;
/// Entries smaller than this, per size of the parameter, are measured against it: in metres, seconds and radians that is
/// next to nothing.
const SMALLEST: f64 = 1e-3;
/// Rounding of a state, some units of the last place of a metre.
const ROUNDING: f64 = 2e-15;
/// Levels in less doubt than this, relative, must agree with each other ...
const CREDIBLE: f64 = 1e-5;
/// ... to this: a motion that has one slope over large steps and another over small ones is not smooth, be it by a
/// tolerance of the search for events.
const CONSISTENT: f64 = 1e-6;
/// A level that is worse by this factor than the best has passed the best step.
const WORSE: f64 = 2.0;
/// Digits of an entry that agrees to the last bit.
const MOST_DIGITS: f64 = 15.0;
/// Digits that a comparable entry must have.
pub const ENOUGH_DIGITS: f64 = 6.0;
/// Share of entries that must be comparable.
pub const ENOUGH_COMPARABLE: f64 = 0.5;
/// Phases whose middle is checked by default.
const PHASES: usize = 10;

/// One entry of a Jacobian beside its difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// s.
    pub t: f64,
    /// As in `box.position.x`.
    pub row: String,
    /// The parameter's name.
    pub column: String,
    /// The derivative.
    pub exact: f64,
    /// The extrapolated difference.
    pub difference: f64,
    /// (3).
    pub digits: f64,
}

/// What was found for a group of parameters, as `box.velocity`.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupReport {
    /// The group's name.
    pub name: String,
    /// Entries at all times.
    pub entries: usize,
    /// Those that could be compared.
    pub comparable: usize,
    /// The least digits agreed among them.
    pub digits: f64,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// In the order of the parameters.
    pub groups: Vec<GroupReport>,
    /// The comparable entry with the fewest digits.
    pub worst: Option<Entry>,
}

impl Report {
    /// Entries, and those that could be compared.
    pub fn counts(&self) -> (usize, usize) {
        self.groups.iter().fold((0, 0), |(all, some), group| (all + group.entries, some + group.comparable))
    }

    /// The part of entries that could be compared; 1 where there are none.
    pub fn share(&self) -> f64 {
        let (entries, comparable) = self.counts();
        if entries == 0 { 1.0 } else { comparable as f64 / entries as f64 }
    }

    /// Whether all comparable entries have enough digits, and enough are comparable.
    pub fn passes(&self) -> bool {
        self.worst.as_ref().is_none_or(|worst| worst.digits >= ENOUGH_DIGITS) && self.share() >= ENOUGH_COMPARABLE
    }

    fn group(&mut self, name: &str) -> &mut GroupReport {
        if self.groups.last().is_none_or(|group| group.name != name) {
            let report = GroupReport { name: name.to_owned(), entries: 0, comparable: 0, digits: MOST_DIGITS };
            self.groups.push(report);
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }
}

/// The times at which a motion is checked unless others are asked for: the middle of each of its ten longest phases, and
/// its end.
pub fn default_times(trajectory: &Trajectory) -> Vec<f64> {
    let mut borders: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
    borders.extend([0.0, trajectory.t_end]);
    borders.sort_by(f64::total_cmp);
    let mut phases: Vec<(f64, f64)> = borders.windows(2).map(|pair| (pair[0], pair[1])).collect();
    phases.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
    let middles = phases.iter().take(PHASES).filter(|(begin, end)| end > begin).map(|(begin, end)| 0.5 * (begin + end));
    let mut times: Vec<f64> = middles.chain([trajectory.t_end]).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Compares Jacobians at some times, one each, with differences of `simulate`.
pub fn compare(
    model: &Model,
    u: &ControlVector,
    parameters: &[ParameterId],
    times: &[f64],
    jacobians: &[DMatrix<f64>],
) -> Report {
    let base = simulate(model, u);
    let (mut report, mut level) = (Report::default(), 0);
    let row_names: Vec<String> = rows(model).into_iter().map(|row| row_name(model, row)).collect();
    for (column, &parameter) in parameters.iter().enumerate() {
        let name = &model.parameters()[parameter.index()].name;
        let exact: Vec<DVector<f64>> = jacobians.iter().map(|jacobian| jacobian.column(column).into_owned()).collect();
        let differences = Differences::new(model, u, &base, parameter, times);
        // Where one parameter needed small steps to keep the decisions, others will.
        let (tables, first) = differences.settle(level);
        level = first.saturating_sub(1);
        for ((&t, exact), table) in times.iter().zip(&exact).zip(&tables) {
            for (row, row_name) in row_names.iter().enumerate() {
                report.add(group_name(name), t, row_name, name, exact[row], table.entry(row));
            }
        }
    }
    report
}

impl Report {
    fn add(&mut self, group: &str, t: f64, row: &str, column: &str, exact: f64, found: Option<(f64, f64)>) {
        let report = self.group(group);
        report.entries += 1;
        let Some((difference, scale)) = found else { return };
        report.comparable += 1;
        let error = (exact - difference).abs() / scale.max(SMALL * exact.abs());
        let digits = if error > 0.0 { (-error.log10()).min(MOST_DIGITS) } else { MOST_DIGITS };
        let digits = if digits.is_nan() { f64::NEG_INFINITY } else { digits };
        report.digits = report.digits.min(digits);
        if self.worst.as_ref().is_none_or(|worst| digits < worst.digits) {
            let (row, column) = (row.to_owned(), column.to_owned());
            self.worst = Some(Entry { t, row, column, exact, difference, digits });
        }
    }
}

/// A parameter's name without its member.
fn group_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((group, "x" | "y" | "z" | "1" | "2")) => group,
        _ => name,
    }
}

/// Differences of one parameter, level by level.
struct Differences<'a> {
    model: &'a Model,
    u: &'a ControlVector,
    base: &'a Trajectory,
    parameter: ParameterId,
    times: &'a [f64],
    /// The side on which motions are possible; none where both are.
    side: Option<f64>,
    size: f64,
    tables: Vec<Table>,
}

/// The table (2) of one time: extrapolations of the last level, its doubts, and the best of each entry so far.
#[derive(Clone, Debug, Default)]
struct Table {
    size: f64,
    last: Vec<DVector<f64>>,
    doubts: Vec<f64>,
    best: Vec<Best>,
}

/// The best place for one entry.
#[derive(Clone, Copy, Debug)]
struct Best {
    value: f64,
    doubt: f64,
    /// Smaller steps made it worse.
    passed: bool,
    /// Least and greatest of what levels in little doubt say.
    range: (f64, f64),
}

impl<'a> Differences<'a> {
    fn new(
        model: &'a Model,
        u: &'a ControlVector,
        base: &'a Trajectory,
        parameter: ParameterId,
        times: &'a [f64],
    ) -> Self {
        let value = u[parameter];
        let role = model.parameters()[parameter.index()].role;
        let size = match role {
            Role::Mass { .. } | Role::Inertia { .. } | Role::Scale { .. } => value.abs(),
            Role::RollingResistance { .. } => value.abs().max(1e-2),
            _ => 1.0,
        };
        let (low, high) = possible(&role);
        let reach = FIRST_STEP * size;
        let side = match (value - reach < low, value + reach > high) {
            (true, _) => Some(1.0),
            (false, true) => Some(-1.0),
            (false, false) => None,
        };
        let tables = vec![Table { size, ..Table::default() }; times.len()];
        Differences { model, u, base, parameter, times, side, size, tables }
    }

    /// The tables, and the first level at which all motions took the same decisions.
    fn settle(mut self, from: usize) -> (Vec<Table>, usize) {
        let mut first = LEVELS;
        for level in from..LEVELS {
            self.level(FIRST_STEP * self.size / RATIO.powi(level as i32));
            if self.tables.iter().all(|table| !table.last.is_empty()) {
                first = first.min(level);
            }
            if self.tables.iter().all(Table::is_settled) {
                break;
            }
        }
        (self.tables, if first == LEVELS { from + 1 } else { first })
    }

    fn moved(&self, h: f64) -> (Trajectory, f64) {
        let mut u = self.u.clone();
        u[self.parameter] += h;
        (simulate(self.model, &u), u[self.parameter] - self.u[self.parameter])
    }

    /// One step h at all times.
    fn level(&mut self, h: f64) {
        let (ahead, behind) = match self.side {
            None => (self.moved(h), Some(self.moved(-h))),
            Some(side) => (self.moved(side * h), None),
        };
        let ratio = if behind.is_some() { RATIO * RATIO } else { RATIO };
        for (k, &t) in self.times.iter().enumerate() {
            let agrees = |(other, _): &(Trajectory, f64)| other.tape().agrees_until(self.base.tape(), t);
            if !agrees(&ahead) || behind.as_ref().is_some_and(|behind| !agrees(behind)) {
                self.tables[k] = Table { size: self.size, ..Table::default() };
                continue;
            }
            let mut difference = self.tangents(&ahead.0, t);
            let mut width = ahead.1;
            if let Some(behind) = &behind {
                difference -= self.tangents(&behind.0, t);
                width -= behind.1;
            }
            self.tables[k].add(difference / width, ratio, ROUNDING / width.abs());
        }
    }

    /// How far a motion is from the one in the middle at t, all rows.
    fn tangents(&self, other: &Trajectory, t: f64) -> DVector<f64> {
        let (from, to) = (self.base.at(t), other.at(t));
        let tangents: Vec<_> = from.iter().zip(&to).map(|(from, to)| from.tangent_to(to)).collect();
        let entries = rows(self.model).into_iter().map(|(body, entry)| tangents[body.index()][entry]);
        DVector::from_vec(entries.collect())
    }
}

/// Values that a parameter can have without its laws losing their meaning.
fn possible(role: &Role) -> (f64, f64) {
    match role {
        Role::Restitution { .. } | Role::ImpactRestitution { .. } => (0.0, 1.0),
        Role::Friction { .. } | Role::ImpactFriction { .. } | Role::RollingResistance { .. } => (0.0, f64::INFINITY),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

impl Table {
    /// Adds a level, (2), to whose differences rounding does `noise`.
    fn add(&mut self, difference: DVector<f64>, ratio: f64, noise: f64) {
        let mut line = vec![difference];
        for (j, before) in self.last.iter().enumerate() {
            let here = &line[j];
            line.push(here + (here - before) / (ratio.powi(j as i32 + 1) - 1.0));
        }
        let found: Vec<(f64, f64)> = (0..line[0].len()).map(|row| self.least_doubt(&line, row)).collect();
        if self.best.is_empty() && !self.doubts.is_empty() {
            self.best =
                vec![
                    Best { value: 0.0, doubt: f64::INFINITY, passed: false, range: (f64::INFINITY, f64::NEG_INFINITY) };
                    found.len()
                ];
        }
        // Two levels in a row must agree: one may do so by chance.
        let floor = SMALLEST / self.size;
        for ((best, &(value, doubt)), before) in self.best.iter_mut().zip(&found).zip(&self.doubts) {
            if doubt + noise <= CREDIBLE * value.abs().max(floor) && !best.passed {
                best.range = (best.range.0.min(value), best.range.1.max(value));
            }
            let doubt = doubt.max(*before) + noise;
            if doubt < best.doubt && !best.passed {
                (best.value, best.doubt) = (value, doubt);
            }
            best.passed |= doubt > WORSE * best.doubt;
        }
        self.doubts = if self.last.is_empty() { Vec::new() } else { found.iter().map(|(_, doubt)| *doubt).collect() };
        self.last = line;
    }

    /// The extrapolation of an entry that differs least from its neighbours, and by how much.
    fn least_doubt(&self, line: &[DVector<f64>], row: usize) -> (f64, f64) {
        let candidate = |j: usize| {
            let value = line[j + 1][row];
            (value, (value - line[j][row]).abs().max((value - self.last[j][row]).abs()))
        };
        let nothing = (line[0][row], f64::INFINITY);
        (0..self.last.len()).map(candidate).fold(nothing, |best, next| if next.1 < best.1 { next } else { best })
    }

    /// What an entry is measured against, (3).
    fn scale(&self, best: &Best) -> f64 {
        let largest = self.best.iter().map(|best| best.value.abs()).fold(0.0, f64::max);
        best.value.abs().max(SMALL * largest).max(SMALLEST / self.size)
    }

    fn is_settled(&self) -> bool {
        let settled = |best: &Best| best.passed || best.doubt <= SETTLED * self.scale(best);
        !self.best.is_empty() && self.best.iter().all(settled)
    }

    /// The difference of an entry and its scale, where it can be compared.
    fn entry(&self, row: usize) -> Option<(f64, f64)> {
        let best = self.best.get(row)?;
        let scale = self.scale(best);
        let consistent = best.range.1 - best.range.0 <= CONSISTENT * scale;
        (best.doubt <= TRUSTED * scale && consistent).then_some((best.value, scale))
    }
}
