//! Is ∂S/∂u right? Differences of whole motions, for the `check` command and for tests; nothing else calls them.
//!
//! For one parameter and steps h, h/4, h/16, …
//!
//! ```text
//! D(h) = (S(u + h) ⊖ S(u))/h = S_u + c·h + …,    (D(h) + D(−h))/2 = S_u + c·h² + …                               (1)
//! D_{k,j} = D_{k,j−1} + (D_{k,j−1} − D_{k−1,j−1})/(r^j − 1),   r = 16 from both sides, 4 from one                  (2)
//! ```
//!
//! (2) takes one power of h after the other out of (1). Every entry uses the place of the table where its neighbours
//! agree best, until smaller steps make it worse: beyond that rounding decides, and agrees only by chance. How well they
//! agree at two steps in a row, and what rounding does to (1), measured with motions a few bits beside, says how far the
//! difference can be trusted. Where all motions leave a body as it was, to the bit, nothing reached it, rounding neither,
//! and nought is trusted. A motion counts for a body at a time only where it took the same decisions as the one in the
//! middle, as far as they can have influenced that body (`agreement`); an entry is *comparable* where enough such motions
//! exist, the table settles to `TRUSTED`, and D(h) and D(−h) lead to one slope: where they stay apart as h falls there is a
//! kink, whatever their mean settles to. Digits agreed are
//!
//! ```text
//! −log₁₀(|exact − difference|/scale),    scale = max(|entry|, largest of its column/100, 1e-3 per size of u)       (3)
//! ```

mod agreement;
mod differences;
mod stillness;
mod table;

use nalgebra::DMatrix;

use super::{row_name, rows};
use crate::dynamics::StateTangent;
use crate::math::elementary::log10;
use crate::model::{BodyId, ControlVector, Model, ParameterId};
use crate::simulation::{Trajectory, simulate};

pub use agreement::{Agreement, Difference};
pub use differences::Column;
use differences::{Differences, noise};
use table::Found;

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
    /// Those of them that no change reaches: nought in the differences, to the bit.
    pub untouched: usize,
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

    /// The same of entries that changes reach.
    pub fn share_reached(&self) -> f64 {
        let untouched: usize = self.groups.iter().map(|group| group.untouched).sum();
        let (entries, comparable) = self.counts();
        if entries == untouched { 1.0 } else { (comparable - untouched) as f64 / (entries - untouched) as f64 }
    }

    /// Whether all comparable entries have enough digits, and enough are comparable.
    pub fn passes(&self) -> bool {
        self.worst.as_ref().is_none_or(|worst| worst.digits >= ENOUGH_DIGITS) && self.share() >= ENOUGH_COMPARABLE
    }

    fn group(&mut self, name: &str) -> &mut GroupReport {
        if self.groups.last().is_none_or(|group| group.name != name) {
            let report =
                GroupReport { name: name.to_owned(), entries: 0, comparable: 0, untouched: 0, digits: MOST_DIGITS };
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

/// A motion whose derivatives are compared at some times, column by column: columns know nothing of each other and may be
/// worked out at once.
pub struct Comparison<'a> {
    model: &'a Model,
    u: &'a ControlVector,
    times: &'a [f64],
    base: Trajectory,
    noise: Vec<Vec<StateTangent>>,
}

impl<'a> Comparison<'a> {
    /// Simulates the motion in the middle, and some so near that they tell its noise.
    pub fn new(model: &'a Model, u: &'a ControlVector, times: &'a [f64]) -> Self {
        let base = simulate(model, u);
        let noise = noise(model, u, &base, times);
        Comparison { model, u, times, base, noise }
    }

    /// The differences of one parameter.
    pub fn column(&self, parameter: ParameterId) -> Column {
        Differences::new(self.model, self.u, &self.base, parameter, self.times, &self.noise).settle()
    }

    /// Holds Jacobians, one for each time, against columns, one for each parameter.
    pub fn report(&self, parameters: &[ParameterId], columns: &[Column], jacobians: &[DMatrix<f64>]) -> Report {
        let mut report = Report::default();
        let rows: Vec<((BodyId, usize), String)> =
            rows(self.model).into_iter().map(|row| (row, row_name(self.model, row))).collect();
        let growths: Vec<Vec<f64>> = (jacobians.iter().enumerate())
            .map(|(moment, jacobian)| {
                let row = |(place, (row, _)): (usize, &((BodyId, usize), String))| {
                    growth(columns, |k| (jacobian[(place, k)], columns[k].value(moment, *row)))
                };
                rows.iter().enumerate().map(row).collect()
            })
            .collect();
        for (k, (&parameter, column)) in parameters.iter().zip(columns).enumerate() {
            let name = &self.model.parameters()[parameter.index()].name;
            for (moment, (&t, jacobian)) in self.times.iter().zip(jacobians).enumerate() {
                for (place, (row, row_name)) in rows.iter().enumerate() {
                    let found = column.entry(moment, *row, growths[moment][place]);
                    report.add(group_name(name), t, row_name, name, jacobian[(place, k)], found);
                }
            }
        }
        report
    }
}

/// By how much a row multiplies what rounding does on the way: its largest entry, in the sizes of the parameters. An entry
/// is a derivative beside its difference, if one is known, and the smaller counts: too large a derivative must not hide
/// its row.
fn growth(columns: &[Column], entry: impl Fn(usize) -> (f64, Option<f64>)) -> f64 {
    let size = |(k, column): (usize, &Column)| {
        let (exact, difference) = entry(k);
        exact.abs().min(difference.map_or(f64::INFINITY, f64::abs)) * column.size
    };
    columns.iter().enumerate().map(size).fold(0.0, f64::max)
}

impl Report {
    fn add(&mut self, group: &str, t: f64, row: &str, column: &str, exact: f64, found: Option<Found>) {
        let report = self.group(group);
        report.entries += 1;
        let Some(Found { difference, scale, is_untouched }) = found.or((!exact.is_finite()).then_some(UNKNOWN)) else {
            return;
        };
        report.comparable += 1;
        report.untouched += usize::from(is_untouched);
        let digits = digits(exact, difference, scale);
        report.digits = report.digits.min(digits);
        if self.worst.as_ref().is_none_or(|worst| digits < worst.digits) {
            let (row, column) = (row.to_owned(), column.to_owned());
            self.worst = Some(Entry { t, row, column, exact, difference, digits });
        }
    }
}

/// What a derivative that is no number is held against: it is wrong beside anything.
const UNKNOWN: Found = Found { difference: f64::NAN, scale: 1.0, is_untouched: false };

/// (3).
fn digits(exact: f64, difference: f64, scale: f64) -> f64 {
    let error = (exact - difference).abs() / scale.max(table::SMALL * exact.abs());
    if error == 0.0 {
        MOST_DIGITS
    } else if error.is_nan() || exact.is_infinite() {
        f64::NEG_INFINITY
    } else {
        (-log10(error)).min(MOST_DIGITS)
    }
}

/// A parameter's name without its member.
fn group_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((group, "x" | "y" | "z" | "1" | "2")) => group,
        _ => name,
    }
}
