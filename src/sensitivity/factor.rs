//! What a change is multiplied with in a linear relation, in both directions.
//!
//! Most factors are not full: a flight does not mix places and turns,
//!
//! ```text
//! δx = δx₀ + τ·δv₀,   δv = δv₀,   (δθ, δω) = T·(δθ₀, δω₀)                                             (1)
//! ```
//!
//! a time moves a state along its rate, and a gap sees the poses of its bodies alone. Each kind is multiplied by as
//! many numbers as it has.

use nalgebra::{DMatrix, DMatrixViewMut, RowSVector};

use super::columns::{Columns, Part};
use crate::dynamics::StateTangent;
use crate::math::Mat3;

/// A of one operand, rows × rows of the operand.
#[derive(Clone, Debug)]
pub(super) enum Factor {
    /// 1.
    Identity,
    /// 1 on some rows: those of the operand are added from a row on.
    From(usize),
    /// The first rows only.
    First(usize),
    /// 12 × 1.
    Vector(StateTangent),
    /// 1 × 12, of which the last six are zero.
    Pose(RowSVector<f64, 6>),
    /// 12 × 12.
    Flight(Box<FlightFactor>),
    /// Any other.
    Matrix(DMatrix<f64>),
}

/// (1).
#[derive(Clone, Debug)]
pub(super) struct FlightFactor {
    /// τ, s.
    duration: f64,
    /// T, column by column: θ, then ω.
    turn: [[f64; 6]; 6],
}

impl FlightFactor {
    /// From the blocks of T.
    pub fn new(duration: f64, turn: &[[Mat3; 2]; 2]) -> Self {
        let entry = |row: usize, column: usize| turn[row / 3][column / 3][(row % 3, column % 3)];
        let turn = std::array::from_fn(|column| std::array::from_fn(|row| entry(row, column)));
        FlightFactor { duration, turn }
    }

    /// Adds A·x.
    fn add(&self, x: &[f64; 12], sum: &mut [f64; 12]) {
        let mut turned = [0.0; 6];
        for (column, k) in self.turn.iter().zip([3, 4, 5, 9, 10, 11]) {
            (0..6).for_each(|row| turned[row] += column[row] * x[k]);
        }
        for axis in 0..3 {
            sum[axis] += x[axis] + self.duration * x[6 + axis];
            sum[3 + axis] += turned[axis];
            sum[6 + axis] += x[6 + axis];
            sum[9 + axis] += turned[3 + axis];
        }
    }

    /// Adds Aᵀ·y.
    fn add_transposed(&self, y: &[f64; 12], sum: &mut [f64; 12]) {
        let turned = [y[3], y[4], y[5], y[9], y[10], y[11]];
        for (column, k) in self.turn.iter().zip([3, 4, 5, 9, 10, 11]) {
            sum[k] += column.iter().zip(turned).map(|(a, y)| a * y).sum::<f64>();
        }
        for axis in 0..3 {
            sum[axis] += y[axis];
            sum[6 + axis] += y[6 + axis] + self.duration * y[axis];
        }
    }
}

/// Twelve numbers, of a state.
fn state(entries: &[f64]) -> &[f64; 12] {
    entries.as_array().expect("states have twelve rows")
}

fn state_mut(entries: &mut [f64]) -> &mut [f64; 12] {
    entries.as_mut_array().expect("states have twelve rows")
}

/// Rows that are summed together, as a run of known length: half a state.
const SUMMED_TOGETHER: usize = 6;

/// Adds a multiple of all entries to as many of `sum`.
fn add(sum: &mut [f64], entries: &[f64], factor: f64) {
    let (sums, sums_left) = sum[..entries.len()].as_chunks_mut::<SUMMED_TOGETHER>();
    let (blocks, left) = entries.as_chunks::<SUMMED_TOGETHER>();
    for (sum, block) in sums.iter_mut().zip(blocks) {
        (0..SUMMED_TOGETHER).for_each(|row| sum[row] += factor * block[row]);
    }
    sums_left.iter_mut().zip(left).for_each(|(sum, entry)| *sum += factor * entry);
}

impl Factor {
    /// Adds A·x to columns that have its run.
    pub fn add_product(&self, x: Part, sum: &mut Columns) {
        let columns = sum.columns_mut(x.run()).zip(x.columns());
        match self {
            Factor::Identity => columns.for_each(|(sum, x)| add(sum, x, 1.0)),
            Factor::From(row) => columns.for_each(|(sum, x)| add(&mut sum[*row..], x, 1.0)),
            Factor::First(count) => columns.for_each(|(sum, x)| add(sum, &x[..*count], 1.0)),
            Factor::Vector(vector) => columns.for_each(|(sum, x)| add(state_mut(sum), vector.as_slice(), x[0])),
            Factor::Pose(row) => columns.for_each(|(sum, x)| sum[0] += dot(row.as_slice(), x)),
            Factor::Flight(flight) => columns.for_each(|(sum, x)| flight.add(state(x), state_mut(sum))),
            Factor::Matrix(matrix) => columns.for_each(|(sum, x)| add_matrix(matrix, x, sum)),
        }
    }

    /// Adds Aᵀ·y for columns y, to some rows of other columns.
    pub fn add_transposed(&self, y: &DMatrix<f64>, mut sum: DMatrixViewMut<f64>) {
        if let Factor::Matrix(matrix) = self {
            return sum.gemm_tr(1.0, matrix, y, 1.0);
        }
        for (mut sum, y) in sum.column_iter_mut().zip(y.as_slice().chunks_exact(y.nrows())) {
            let sum = sum.as_mut_slice();
            match self {
                Factor::Identity => add(sum, y, 1.0),
                Factor::From(row) => add(sum, &y[*row..*row + sum.len()], 1.0),
                Factor::First(count) => add(sum, &y[..*count], 1.0),
                Factor::Vector(vector) => sum[0] += dot(vector.as_slice(), y),
                Factor::Pose(row) => add(sum, row.as_slice(), y[0]),
                Factor::Flight(flight) => flight.add_transposed(state(y), state_mut(sum)),
                Factor::Matrix(_) => {}
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds A·x of one column.
fn add_matrix(matrix: &DMatrix<f64>, x: &[f64], sum: &mut [f64]) {
    let columns = || matrix.as_slice().chunks_exact(matrix.nrows()).zip(x);
    let (blocks, rest) = sum.as_chunks_mut::<SUMMED_TOGETHER>();
    for (block, sums) in blocks.iter_mut().enumerate() {
        for (column, x) in columns() {
            if let Some(column) = column[SUMMED_TOGETHER * block..].first_chunk::<SUMMED_TOGETHER>() {
                (0..SUMMED_TOGETHER).for_each(|row| sums[row] += column[row] * x);
            }
        }
    }
    let done = SUMMED_TOGETHER * blocks.len();
    if !rest.is_empty() {
        columns().for_each(|(column, x)| add(rest, &column[done..], *x));
    }
}
