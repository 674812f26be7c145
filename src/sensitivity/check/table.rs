//! The limit of differences for one body at one time: (1) and (2) of this room, entry by entry.

use crate::dynamics::StateTangent;
use crate::math::elementary::powi;

/// A difference whose table settles to this, relative to its scale, can be compared: a tenth of what six digits need.
const TRUSTED: f64 = 1e-7;
/// No smaller step is tried once all entries settle to this, or have passed their best step.
const SETTLED: f64 = 1e-9;
/// Entries smaller than this part of the largest of their column are measured against that part.
pub(super) const SMALL: f64 = 1e-2;
/// Entries smaller than this, per size of the parameter, are measured against it: in metres, seconds and radians that is
/// next to nothing.
const SMALLEST: f64 = 1e-3;
/// Rounding of a state, some units of the last place of a metre.
const ROUNDING: f64 = 1e-15;
/// Levels in less doubt than this, relative, must agree with each other ...
const CREDIBLE: f64 = 1e-5;
/// ... to this: a motion that has one slope over large steps and another over small ones is not smooth, be it by a
/// tolerance of the search for events.
const CONSISTENT: f64 = 1e-6;
/// Levels that a table needs.
const ENOUGH_LEVELS: usize = 3;
/// Where both sides lead to one slope, what is between them falls with the step: less than this part of it is left at the next level.
/// Where more is left, and more than `CONSISTENT`, the motion has a kink, and the mean of its two slopes is that of neither.
const STAYING: f64 = 0.7;
/// A level that is worse by this factor than the best has passed the best step.
const WORSE: f64 = 2.0;

/// The table (2): extrapolations of the last level, its doubts, and the best of each entry so far.
#[derive(Clone, Debug)]
struct Table {
    /// Of the parameter.
    size: f64,
    /// Of the states, measured.
    noise: StateTangent,
    last: Vec<StateTangent>,
    doubts: Option<StateTangent>,
    best: Option<[Best; 12]>,
    /// Whether all motions left the body as it was, to the bit: no change reached it, and rounding neither.
    is_untouched: bool,
}

/// The best place for one entry.
#[derive(Clone, Copy, Debug)]
struct Best {
    value: f64,
    doubt: f64,
    /// Distance between the motions that it was taken from.
    width: f64,
    /// Smaller steps made it worse.
    passed: bool,
    /// Least and greatest of what levels in little doubt say.
    range: (f64, f64),
}

/// What is known of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub difference: f64,
    /// What errors are measured against.
    pub scale: f64,
    /// Whether no change reached the body.
    pub is_untouched: bool,
}

/// Tables of one body at one time: from both sides at once, and from each alone. A side alone counts only where the other
/// once agreed too, so that the motion in the middle is known not to stand at the border of its own kind.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    central: Table,
    sides: [Table; 2],
    is_inside: bool,
    /// What was between the two sides at the last level.
    apart: Option<StateTangent>,
    /// The same where the difference of both was best, where it stayed.
    staying: StateTangent,
}

impl Tables {
    /// Of a parameter of a size, for states with some noise.
    pub fn new(size: f64, noise: StateTangent) -> Self {
        let table = Table::new(size, noise);
        Tables {
            central: table.clone(),
            sides: [table.clone(), table],
            is_inside: false,
            apart: None,
            staying: StateTangent::zeros(),
        }
    }

    /// Adds a level, each step being `ratio` times the next: h and D(h) of one side or two, none where that motion took
    /// other decisions.
    pub fn add(&mut self, samples: &[(f64, Option<StateTangent>)], ratio: f64) {
        let nought = StateTangent::zeros();
        for (table, (h, difference)) in self.sides.iter_mut().zip(samples) {
            table.is_untouched &= difference.is_none_or(|difference| difference == nought);
            table.add(*difference, ratio, h.abs());
        }
        if let [(a, ahead), (b, behind)] = samples {
            // A mean of the two, weighted for what rounding does to h.
            let mean = ahead.zip(*behind).map(|(ahead, behind)| (ahead * *a - behind * *b) / (a - b));
            self.is_inside |= mean.is_some();
            self.central.is_untouched = self.sides.iter().all(|side| side.is_untouched);
            self.central.add(mean, ratio * ratio, a - b);
            let apart = ahead.zip(*behind).map(|(ahead, behind)| (ahead - behind).abs());
            self.note_staying(apart, a - b);
        } else {
            self.is_inside = true;
        }
    }

    /// Where this level is the best so far: what is between its sides, if it stays.
    fn note_staying(&mut self, apart: Option<StateTangent>, width: f64) {
        if let (Some(apart), Some(before), Some(best)) = (apart, self.apart, &self.central.best) {
            for (entry, _) in best.iter().enumerate().filter(|(_, best)| best.width == width) {
                let stays = apart[entry] > STAYING * before[entry];
                self.staying[entry] = if stays { apart[entry] } else { 0.0 };
            }
        }
        self.apart = apart;
    }

    fn all(&self) -> impl Iterator<Item = &Table> {
        std::iter::once(&self.central).chain(&self.sides)
    }

    /// The largest entry of the table that knows most.
    pub fn largest(&self) -> f64 {
        self.all().find(|table| table.best.is_some()).map_or(0.0, Table::largest)
    }

    /// Whether smaller steps, of which so many are `left`, would not help.
    pub fn is_settled(&self, largest: f64, left: usize) -> bool {
        self.all().any(|table| table.is_settled(largest))
            || self.all().all(|table| table.levels() + left < ENOUGH_LEVELS)
    }

    /// The difference of an entry, if any is known.
    pub fn value(&self, entry: usize) -> Option<f64> {
        let known = |table: &Table| table.best.map(|best| best[entry]).filter(|best| best.doubt.is_finite());
        self.all().find_map(known).map(|best| best.value)
    }

    /// What is known of an entry, where it can be compared. `growth` is by how much its row multiplies what rounding does
    /// on the way.
    pub fn entry(&self, entry: usize, largest: f64, growth: f64) -> Option<Found> {
        let alone = || self.sides.iter().filter(|_| self.is_inside).find_map(|side| side.entry(entry, largest, growth));
        match self.central.entry(entry, largest, growth) {
            Some(found) if self.staying[entry] > CONSISTENT * found.scale => None,
            Some(found) => Some(found),
            None => alone(),
        }
    }
}

const UNKNOWN: Best =
    Best { value: 0.0, doubt: f64::INFINITY, width: 0.0, passed: false, range: (f64::INFINITY, f64::NEG_INFINITY) };

impl Table {
    pub fn new(size: f64, noise: StateTangent) -> Self {
        Table { size, noise, last: Vec::new(), doubts: None, best: None, is_untouched: true }
    }

    /// Levels in a row so far.
    pub fn levels(&self) -> usize {
        self.last.len()
    }

    /// Adds a level (2) of motions that are `width` apart, or forgets what was found where there is none: what is further
    /// out is then of another kind.
    pub fn add(&mut self, difference: Option<StateTangent>, ratio: f64, width: f64) {
        match difference {
            None => *self = Table::new(self.size, self.noise),
            Some(difference) => self.extend(difference, ratio, width),
        }
    }

    fn extend(&mut self, difference: StateTangent, ratio: f64, width: f64) {
        let mut line = vec![difference];
        for (j, before) in self.last.iter().enumerate() {
            let here = &line[j];
            line.push(here + (here - before) / (powi(ratio, j as i32 + 1) - 1.0));
        }
        let floor = SMALLEST / self.size;
        let noises = self.noise.map(|noise| if self.is_untouched { 0.0 } else { (ROUNDING + noise) / width });
        let found: [(f64, f64); 12] = std::array::from_fn(|entry| least_doubt(&self.last, &line, entry));
        if let Some(doubts) = &self.doubts {
            // Two levels in a row must agree: one may do so by chance.
            let best = self.best.get_or_insert([UNKNOWN; 12]);
            for (((best, &(value, doubt)), before), noise) in best.iter_mut().zip(&found).zip(doubts).zip(&noises) {
                if doubt + noise <= CREDIBLE * value.abs().max(floor) && !best.passed {
                    best.range = (best.range.0.min(value), best.range.1.max(value));
                }
                let doubt = doubt.max(*before) + noise;
                if doubt < best.doubt && !best.passed {
                    (best.value, best.doubt, best.width) = (value, doubt, width);
                }
                best.passed |= doubt > WORSE * best.doubt;
            }
        }
        self.doubts = (!self.last.is_empty()).then(|| StateTangent::from_fn(|entry, _| found[entry].1));
        self.last = line;
    }

    /// The largest entry.
    fn largest(&self) -> f64 {
        self.best.iter().flatten().map(|best| best.value.abs()).fold(0.0, f64::max)
    }

    /// What an entry is measured against, (3), where `largest` is the largest of its column.
    fn scale(&self, best: &Best, largest: f64) -> f64 {
        best.value.abs().max(SMALL * largest).max(SMALLEST / self.size)
    }

    /// Whether smaller steps would not help.
    fn is_settled(&self, largest: f64) -> bool {
        let settled = |best: &Best| best.passed || best.doubt <= SETTLED * self.scale(best, largest);
        self.best.is_some_and(|best| best.iter().all(settled))
    }

    fn entry(&self, entry: usize, largest: f64, growth: f64) -> Option<Found> {
        let best = &self.best?[entry];
        let scale = self.scale(best, largest);
        let consistent = best.range.1 - best.range.0 <= CONSISTENT * scale;
        let growth = if self.is_untouched { 0.0 } else { growth };
        let doubt = best.doubt + ROUNDING * growth / best.width;
        let found = Found { difference: best.value, scale, is_untouched: self.is_untouched };
        (doubt <= TRUSTED * scale && consistent).then_some(found)
    }
}

/// The place of a line that differs least from its neighbours in it and in the line before, and by how much.
fn least_doubt(last: &[StateTangent], line: &[StateTangent], entry: usize) -> (f64, f64) {
    let candidate = |j: usize| {
        let value = line[j + 1][entry];
        (value, (value - line[j][entry]).abs().max((value - last[j][entry]).abs()))
    };
    let nothing = (line[0][entry], f64::INFINITY);
    (0..last.len()).map(candidate).fold(nothing, |best, next| if next.1 < best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a table says of the first entry after four levels in which motions move the body by `slope`.
    fn found(slope: f64) -> Option<Found> {
        let loud = StateTangent::from_element(1e-6);
        let mut tables = Tables::new(1.0, loud);
        for level in 0..4 {
            let h = 1e-3 / powi(4.0, level);
            let moved = Some(StateTangent::from_element(slope));
            tables.add(&[(h, moved), (-h, moved)], 4.0);
        }
        tables.entry(0, 0.0, 1.0)
    }

    #[test]
    fn noise_hides_what_moves_and_not_what_is_untouched() {
        assert_eq!(found(1.0), None, "1e-6 of noise leaves no seven digits of a step of 1e-3");
        assert_eq!(found(0.0).map(|found| (found.difference, found.is_untouched)), Some((0.0, true)));
    }
}
