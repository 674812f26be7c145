//! Symmetric positive definite systems whose rows reach no further than a profile.
//!
//! ```text
//! A = L·Lᵀ,   L_ij = (A_ij − Σ_k L_ik·L_jk)/L_jj,   L_ii = √(A_ii − Σ_k L_ik²)                     (1)
//! ```
//!
//! Row i is kept from its first entry on, and (1) fills nothing before it. With rows in a good order ([`order`]) a chain costs as
//! much as it is long.

/// A matrix in its profile, or its factor L.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Column of the first entry of each row.
    first: Vec<usize>,
    /// Where each row begins among the entries.
    start: Vec<usize>,
    entries: Vec<f64>,
}

impl Profile {
    /// All zero, with these first columns; a row reaches its diagonal at least.
    pub fn new(first: Vec<usize>) -> Profile {
        let mut start = Vec::with_capacity(first.len() + 1);
        start.push(0);
        for (row, &first) in first.iter().enumerate() {
            start.push(start[row] + row + 1 - first);
        }
        let entries = vec![0.0; start[first.len()]];
        Profile { first, start, entries }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Makes all entries zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// The entry of a row and a column not after it, within the profile.
    pub fn entry_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[self.start[row] + column - self.first[row]]
    }

    /// The entry on the diagonal.
    pub fn diagonal(&self, row: usize) -> f64 {
        self.entries[self.start[row + 1] - 1]
    }

    /// L of (1) in place of A; whether A is positive definite.
    pub fn factor(&mut self) -> bool {
        for row in 0..self.len() {
            let first = self.first[row];
            for column in first..row {
                let from = first.max(self.first[column]);
                let sum = self.dot([row, column], from..column);
                let pivot = self.diagonal(column);
                let entry = self.entry_mut(row, column);
                *entry = (*entry - sum) / pivot;
            }
            let square = self.diagonal(row) - self.dot([row, row], first..row);
            // Also where it is not a number.
            if square.is_nan() || square <= 0.0 {
                return false;
            }
            *self.entry_mut(row, row) = square.sqrt();
        }
        true
    }

    fn dot(&self, [a, b]: [usize; 2], columns: std::ops::Range<usize>) -> f64 {
        let part = |row: usize| {
            let start = self.start[row] - self.first[row];
            &self.entries[start + columns.start..start + columns.end]
        };
        part(a).iter().zip(part(b)).map(|(a, b)| a * b).sum()
    }

    /// x of L·Lᵀ·x = b, in place of b.
    pub fn solve(&self, x: &mut [f64]) {
        for row in 0..self.len() {
            let (first, start) = (self.first[row], self.start[row]);
            let sum: f64 =
                self.entries[start..start + row - first].iter().zip(&x[first..row]).map(|(l, x)| l * x).sum();
            x[row] = (x[row] - sum) / self.diagonal(row);
        }
        for row in (0..self.len()).rev() {
            let (first, start) = (self.first[row], self.start[row]);
            let value = x[row] / self.diagonal(row);
            x[row] = value;
            let entries = &self.entries[start..start + row - first];
            entries.iter().zip(&mut x[first..row]).for_each(|(l, x)| *x -= l * value);
        }
    }
}

impl Profile {
    /// X of L·Lᵀ·X = B for several columns at once, in place of B, which stands row by row.
    pub fn solve_rows(&self, x: &mut [f64], columns: usize) {
        let below = |x: &mut [f64], row: usize, from: usize, factor: f64| {
            let (before, after) = x.split_at_mut(row * columns);
            let source = &before[from * columns..(from + 1) * columns];
            after[..columns].iter_mut().zip(source).for_each(|(x, y)| *x -= factor * y);
        };
        let above = |x: &mut [f64], row: usize, to: usize, factor: f64| {
            let (before, after) = x.split_at_mut(row * columns);
            let target = &mut before[to * columns..(to + 1) * columns];
            target.iter_mut().zip(&after[..columns]).for_each(|(x, y)| *x -= factor * y);
        };
        for row in 0..self.len() {
            let (first, start) = (self.first[row], self.start[row]);
            (first..row).for_each(|column| below(x, row, column, self.entries[start + column - first]));
            let pivot = self.diagonal(row);
            x[row * columns..(row + 1) * columns].iter_mut().for_each(|x| *x /= pivot);
        }
        for row in (0..self.len()).rev() {
            let (first, start, pivot) = (self.first[row], self.start[row], self.diagonal(row));
            x[row * columns..(row + 1) * columns].iter_mut().for_each(|x| *x /= pivot);
            (first..row).for_each(|column| above(x, row, column, self.entries[start + column - first]));
        }
    }
}

/// An order of things in which neighbours stand close together: from one end of what hangs together to the other, by breadth,
/// backwards (Cuthill and McKee). Neighbours are given both ways.
pub fn order(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(neighbours.len());
    let mut placed = vec![false; neighbours.len()];
    let by_degree = |list: &mut Vec<usize>| list.sort_by_key(|&thing| (neighbours[thing].len(), thing));
    let mut starts: Vec<usize> = (0..neighbours.len()).collect();
    by_degree(&mut starts);
    for start in starts {
        if placed[start] {
            continue;
        }
        let mut next = order.len();
        placed[start] = true;
        order.push(start);
        while next < order.len() {
            let mut fresh: Vec<usize> =
                neighbours[order[next]].iter().copied().filter(|&thing| !placed[thing]).collect();
            by_degree(&mut fresh);
            fresh.dedup();
            for thing in fresh {
                placed[thing] = true;
                order.push(thing);
            }
            next += 1;
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_solves_what_it_was_made_of() {
        let first = vec![0, 0, 1, 0, 3, 2];
        let mut matrix = Profile::new(first.clone());
        let entry = |i: usize, j: usize| if i == j { 4.0 + i as f64 } else { 1.0 / (1 + i + 2 * j) as f64 };
        for (row, &first) in first.iter().enumerate() {
            (first..=row).for_each(|column| *matrix.entry_mut(row, column) = entry(row, column));
        }
        let within = |i: usize, j: usize| j.min(i) >= first[i.max(j)];
        let full = |i: usize, j: usize| if within(i, j) { entry(i.max(j), i.min(j)) } else { 0.0 };
        let x: Vec<f64> = (0..6).map(|k| 0.3 * k as f64 - 1.0).collect();
        let mut b: Vec<f64> = (0..6).map(|i| (0..6).map(|j| full(i, j) * x[j]).sum()).collect();
        let twice: Vec<f64> = b.iter().flat_map(|entry| [*entry, -2.0 * entry]).collect();
        assert!(matrix.factor());
        let mut columns = twice;
        matrix.solve_rows(&mut columns, 2);
        let apart = columns.chunks(2).zip(&x).map(|(two, x)| (two[0] - x).abs() + (two[1] + 2.0 * x).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-14);
        matrix.solve(&mut b);
        let error = b.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-15, "{error:e}");
    }

    #[test]
    fn what_is_not_positive_definite_is_told() {
        let mut matrix = Profile::new(vec![0, 0]);
        *matrix.entry_mut(0, 0) = 1.0;
        *matrix.entry_mut(1, 0) = 2.0;
        *matrix.entry_mut(1, 1) = 1.0;
        assert!(!matrix.factor());
    }

    #[test]
    fn a_shuffled_chain_is_put_in_a_row() {
        let places = [3, 0, 6, 1, 5, 2, 4];
        let mut neighbours = vec![Vec::new(); 7];
        for pair in places.windows(2) {
            neighbours[pair[0]].push(pair[1]);
            neighbours[pair[1]].push(pair[0]);
        }
        let order = order(&neighbours);
        let place = |thing: usize| order.iter().position(|&other| other == thing).unwrap();
        assert!(places.windows(2).all(|pair| place(pair[0]).abs_diff(place(pair[1])) == 1), "{order:?}");
    }
}
