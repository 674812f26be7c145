//! Which rows of a positive semidefinite system are made of others, and of which.
//!
//! ```text
//! A = S·Sᵀ, rows of S of length 1.     p_r² = A_rr − a_rᵀ·A_kept⁻¹·a_r = the part of row r, squared, that no kept row has      (1)
//! row r = Σ_kept c_k·row k + p_r,      c = A_kept⁻¹·a_r,      circuit z = (1 at r, −c)                                       (2)
//! ```
//!
//! Rows are taken one after the other, in the order of a profile, so that a chain costs as much as it is long. A row with little of
//! its own is put off: what it has beside *all* others is asked at the end, largest first, so that two strong rows decide
//! rather than two that are nearly one. Which rows repeat others, or nearly do, then no longer hangs on the order.

/// A row with less than this of its own, squared, is put off.
const PUT_OFF: f64 = 1e-2;
/// Coefficients smaller than this, relative to the largest, are rounding.
const ROUNDING: f64 = 1e-6;

/// A row that is made of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    /// p² of (1).
    pub own: f64,
    /// z of (2), where it is more than rounding and than the part that stays: rows and coefficients.
    pub rows: Vec<(usize, f64)>,
}

/// The system in the profile of its rows: row i from column `first[i]` to i.
struct Kept<'a> {
    first: &'a [usize],
    rows: Vec<Vec<f64>>,
    is_kept: Vec<bool>,
}

/// Rows of which less than `limit`, squared, is their own, with what they are made of. `row(i)` gives the entries of row i from
/// column `first[i]` to i. None where that takes more than so many multiplications.
pub fn circuits(
    first: &[usize],
    row: impl Fn(usize) -> Vec<f64>,
    limit: f64,
    most_work: usize,
) -> Option<Vec<Circuit>> {
    let count = first.len();
    let mut kept = Kept { first, rows: Vec::with_capacity(count), is_kept: vec![true; count] };
    let matrix: Vec<Vec<f64>> = (0..count).map(row).collect();
    let profile: usize = matrix.iter().map(|row| row.len() * row.len()).sum();
    if profile > most_work {
        return None;
    }
    let mut put_off = Vec::new();
    for (i, entries) in matrix.iter().enumerate() {
        if !kept.take(i, entries) {
            put_off.push(i);
        }
    }
    let widths: usize = matrix.iter().map(Vec::len).sum();
    if put_off.len().saturating_mul(widths + put_off.len().saturating_mul(count)) > most_work {
        return None;
    }
    let entry = |i: usize, j: usize| {
        let (low, high) = (i.min(j), i.max(j));
        if low < first[high] { 0.0 } else { matrix[high][low - first[high]] }
    };
    let mut late = Late::new(&kept, &put_off, &entry);
    let mut circuits = Vec::new();
    while let Some((place, own)) = late.strongest() {
        if own < limit {
            circuits.push(late.circuit(&kept, place, own));
        }
        late.take(place, own);
    }
    Some(circuits)
}

impl Kept<'_> {
    /// L of a row, whose entries these are; whether it is kept.
    fn take(&mut self, i: usize, entries: &[f64]) -> bool {
        let begin = self.first[i];
        let mut row = entries.to_vec();
        for j in begin..i {
            row[j - begin] = if self.is_kept[j] {
                let from = begin.max(self.first[j]);
                let sum: f64 = (from..j).map(|k| row[k - begin] * self.rows[j][k - self.first[j]]).sum();
                (row[j - begin] - sum) / self.diagonal(j)
            } else {
                0.0
            };
        }
        let own = row[i - begin] - row[..i - begin].iter().map(|entry| entry * entry).sum::<f64>();
        self.is_kept[i] = own >= PUT_OFF;
        row[i - begin] = own.max(0.0).sqrt();
        self.rows.push(row);
        self.is_kept[i]
    }

    fn diagonal(&self, i: usize) -> f64 {
        self.rows[i][i - self.first[i]]
    }

    fn places(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.rows.len()).filter(|&i| self.is_kept[i])
    }

    /// L⁻¹·b, zero in the places of rows that are not kept.
    fn forward(&self, b: &mut [f64]) {
        (0..b.len()).filter(|&i| !self.is_kept[i]).for_each(|i| b[i] = 0.0);
        for i in self.places() {
            let begin = self.first[i];
            let sum: f64 = (begin..i).map(|k| self.rows[i][k - begin] * b[k]).sum();
            b[i] = (b[i] - sum) / self.diagonal(i);
        }
    }

    /// L⁻ᵀ·b.
    fn backward(&self, b: &mut [f64]) {
        for i in self.places().rev() {
            let begin = self.first[i];
            b[i] /= self.diagonal(i);
            let value = b[i];
            (begin..i).for_each(|k| b[k] -= self.rows[i][k - begin] * value);
            (begin..i).filter(|&k| !self.is_kept[k]).for_each(|k| b[k] = 0.0);
        }
    }
}

/// Rows that were put off, beside all that are kept.
struct Late {
    rows: Vec<usize>,
    /// L⁻¹·a of each.
    solved: Vec<Vec<f64>>,
    /// What is left of their products, row by row.
    rest: Vec<Vec<f64>>,
    /// Columns of their factor, by the order in which they were taken.
    taken: Vec<(usize, Vec<f64>)>,
    open: Vec<bool>,
}

impl Late {
    fn new(kept: &Kept, put_off: &[usize], entry: &impl Fn(usize, usize) -> f64) -> Late {
        let count = kept.rows.len();
        let solve = |&row: &usize| {
            let mut b: Vec<f64> = (0..count).map(|k| entry(row, k)).collect();
            kept.forward(&mut b);
            b
        };
        let solved: Vec<Vec<f64>> = put_off.iter().map(solve).collect();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let rest = |(i, &row): (usize, &usize)| {
            let others = put_off.iter().enumerate();
            others.map(|(j, &other)| entry(row, other) - product(&solved[i], &solved[j])).collect()
        };
        let rest = put_off.iter().enumerate().map(rest).collect();
        Late { rows: put_off.to_vec(), rest, taken: Vec::new(), open: vec![true; put_off.len()], solved }
    }

    /// The open row with most of its own, and how much that is, squared.
    fn strongest(&self) -> Option<(usize, f64)> {
        let open = (0..self.rows.len()).filter(|&i| self.open[i]).map(|i| (i, self.rest[i][i]));
        // The first of equals, so that the order of rows decides.
        open.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// Takes a row; the others keep what it does not have.
    fn take(&mut self, place: usize, own: f64) {
        self.open[place] = false;
        // What is made of others alone takes nothing away.
        if own <= ROUNDING * ROUNDING {
            return;
        }
        let column: Vec<f64> = self.rest.iter().map(|row| row[place] / own.sqrt()).collect();
        for (i, row) in self.rest.iter_mut().enumerate() {
            row.iter_mut().zip(&column).for_each(|(entry, other)| *entry -= column[i] * other);
        }
        self.taken.push((place, column));
    }

    /// (2) of an open row.
    fn circuit(&self, kept: &Kept, place: usize, own: f64) -> Circuit {
        let mut among: Vec<f64> = self.taken.iter().map(|(_, column)| column[place]).collect();
        for (k, (row, column)) in self.taken.iter().enumerate().rev() {
            among[k] /= column[*row];
            let value = among[k];
            self.taken[..k].iter().zip(&mut among).for_each(|((_, column), entry)| *entry -= column[*row] * value);
        }
        let mut rest = self.solved[place].clone();
        for ((row, _), factor) in self.taken.iter().zip(&among) {
            rest.iter_mut().zip(&self.solved[*row]).for_each(|(entry, other)| *entry -= factor * other);
        }
        kept.backward(&mut rest);
        let mut z: Vec<f64> = rest.into_iter().map(|entry| -entry).collect();
        self.taken.iter().zip(&among).for_each(|((row, _), factor)| z[self.rows[*row]] = -factor);
        z[self.rows[place]] = 1.0;
        let largest = z.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        let least = largest * own.max(0.0).sqrt().max(ROUNDING);
        Circuit { own, rows: z.into_iter().enumerate().filter(|(_, entry)| entry.abs() > least).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Circuits of a full matrix of the products of rows.
    fn of_rows(rows: &[Vec<f64>], limit: f64) -> Vec<Circuit> {
        let first = vec![0; rows.len()];
        let unit: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                row.iter().map(|x| x / length).collect()
            })
            .collect();
        let product = |i: usize, j: usize| unit[i].iter().zip(&unit[j]).map(|(a, b)| a * b).sum::<f64>();
        circuits(&first, |i| (0..=i).map(|j| product(i, j)).collect(), limit, usize::MAX).unwrap()
    }

    #[test]
    fn independent_rows_have_no_circuit() {
        let rows = vec![vec![1.0, 0.2, 0.0], vec![0.3, 1.0, 0.0], vec![0.0, 0.5, -2.0]];
        assert_eq!(of_rows(&rows, 1e-4), []);
    }

    #[test]
    fn a_sum_of_two_rows_is_told_with_both() {
        let rows = vec![
            vec![1.0, 0.0, 0.0, 0.0],
            vec![0.0, 1.0, 0.0, 0.0],
            vec![0.0, 0.0, 1.0, 0.3],
            vec![3.0, 4.0, 0.0, 0.0],
        ];
        let found = of_rows(&rows, 1e-4);
        assert_eq!(found.len(), 1);
        assert!(found[0].own.abs() < 1e-15, "{:e}", found[0].own);
        let places: Vec<usize> = found[0].rows.iter().map(|(row, _)| *row).collect();
        assert_eq!(places, [0, 1, 3]);
        let values: Vec<f64> = found[0].rows.iter().map(|(_, value)| *value).collect();
        let error = values.iter().zip([-0.6, -0.8, 1.0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-15, "{values:?}");
    }

    #[test]
    fn rows_that_are_nearly_one_do_not_hide_a_strong_one() {
        // The first two are nearly one; the third and fourth say what sets them apart, strongly and twice.
        let rows = vec![vec![1.0, 0.0, 0.0], vec![1.0, 1e-4, 0.0], vec![0.0, 1.0, 0.0], vec![0.1, 1.0, 0.0]];
        let found = of_rows(&rows, 1e-4);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|circuit| circuit.own.abs() < 1e-15), "{found:?}");
    }

    #[test]
    fn what_is_nearly_made_of_others_has_the_rest() {
        let rows = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![1.0, 1.0, 1e-3]];
        let found = of_rows(&rows, 1e-4);
        assert_eq!(found.len(), 1);
        assert!((found[0].own / 5e-7 - 1.0).abs() < 1e-5, "{:e}", found[0].own);
        assert_eq!(found[0].rows.len(), 3);
    }

    #[test]
    fn too_much_work_is_not_begun() {
        assert_eq!(circuits(&[0, 0, 0], |i| vec![1.0; i + 1], 1e-4, 5), None);
    }
}
