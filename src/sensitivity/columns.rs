//! Derivatives by all parameters asked for, of which few are not zero: runs of columns.
//!
//! Before bodies meet each depends on its own parameters alone, which stand side by side. A change is therefore kept for
//! one run of parameters, from the first to the last that have an effect:
//!
//! ```text
//! dy/du = (0 … 0  y_first … y_last  0 … 0)
//! ```
//!
//! What is multiplied with columns is `linear`.

use std::ops::Range;

use nalgebra::{DMatrixView, Dyn, U1};

/// Rows × a run of parameters; zero for all others.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    rows: usize,
    /// The first parameter of the run.
    first: usize,
    /// Column by column.
    entries: Vec<f64>,
}

/// Some rows of columns.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    source: &'a Columns,
    row: usize,
    pub count: usize,
}

/// Storage of columns that are no longer needed: a chain makes many of the same size.
#[derive(Debug, Default)]
pub(super) struct Spare(Vec<Vec<f64>>);

impl Columns {
    /// Zeros for a run of parameters.
    pub fn zeros(rows: usize, run: Range<usize>, spare: &mut Spare) -> Self {
        Columns { rows, first: run.start, entries: spare.zeros(rows * run.len()) }
    }

    /// The parameters that have an effect.
    pub fn run(&self) -> Range<usize> {
        self.first..self.first + self.entries.len() / self.rows.max(1)
    }

    /// The column of a parameter of the run.
    pub fn column_mut(&mut self, parameter: usize) -> &mut [f64] {
        &mut self.entries[(parameter - self.first) * self.rows..][..self.rows]
    }

    /// Columns of a run that is part of this one.
    pub fn columns_mut(&mut self, run: Range<usize>) -> impl Iterator<Item = &mut [f64]> {
        let (rows, first) = (self.rows, self.first);
        self.entries[(run.start - first) * rows..(run.end - first) * rows].chunks_exact_mut(rows)
    }

    /// All rows.
    pub fn all(&self) -> Part<'_> {
        self.part(0, self.rows)
    }

    /// Some rows.
    pub fn part(&self, row: usize, count: usize) -> Part<'_> {
        Part { source: self, row, count }
    }
}

impl<'a> Part<'a> {
    /// The parameters that have an effect.
    pub fn run(self) -> Range<usize> {
        self.source.run()
    }

    /// The rows of one column after the other.
    pub fn columns(self) -> impl Iterator<Item = &'a [f64]> {
        let columns = self.source.entries.chunks_exact(self.source.rows);
        columns.map(move |column| &column[self.row..self.row + self.count])
    }

    /// The rows of the column of a parameter, if it has an effect.
    pub fn column(self, parameter: usize) -> Option<&'a [f64]> {
        let column = parameter.checked_sub(self.source.first)? * self.source.rows;
        self.source.entries.get(column + self.row..column + self.row + self.count)
    }

    /// The same as a matrix.
    pub fn view(self) -> DMatrixView<'a, f64> {
        let Columns { rows, entries, .. } = self.source;
        let (count, columns) = (Dyn(self.count), Dyn(entries.len() / rows));
        DMatrixView::from_slice_with_strides_generic(&entries[self.row..], count, columns, U1, Dyn(*rows))
    }

    /// The rows alone.
    pub fn to_columns(self, spare: &mut Spare) -> Columns {
        let mut columns = Columns::zeros(self.count, self.run(), spare);
        for (to, from) in columns.columns_mut(self.run()).zip(self.columns()) {
            to.copy_from_slice(from);
        }
        columns
    }
}

impl Spare {
    /// So many zeros, in storage that has room for them if there is any.
    fn zeros(&mut self, count: usize) -> Vec<f64> {
        let Some(place) = self.0.iter().rposition(|entries| entries.len() >= count) else {
            return vec![0.0; count];
        };
        let mut entries = self.0.swap_remove(place);
        entries.truncate(count);
        entries.fill(0.0);
        entries
    }

    /// Keeps the storage of columns.
    pub fn keep(&mut self, columns: impl IntoIterator<Item = Columns>) {
        self.0.extend(columns.into_iter().map(|columns| columns.entries));
    }
}

/// The least run that has both.
pub(super) fn covering(a: Option<Range<usize>>, b: Range<usize>) -> Range<usize> {
    a.map_or(b.clone(), |a| a.start.min(b.start)..a.end.max(b.end))
}
