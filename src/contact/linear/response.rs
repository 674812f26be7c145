//! K, in one of two forms: every entry, or the rows that it is the product of.

use nalgebra::{DMatrix, DVector};

use super::body_rows::{BodyRows, BodyVector};
use crate::math::Mat3;

/// K, symmetric, rows × rows, in one of two forms.
#[derive(Clone, Debug)]
pub enum Response {
    /// Every entry: best for few contacts.
    Matrix(DMatrix<f64>),
    /// The rows it is the product of: best for many.
    Bodies(BodyRows),
}

impl Response {
    /// K·p.
    pub fn times(&self, p: &DVector<f64>) -> DVector<f64> {
        let mut product = DVector::zeros(p.len());
        match self {
            Self::Matrix(matrix) => product.gemv(1.0, matrix, p, 0.0),
            Self::Bodies(_) => self.apply(p.as_slice(), product.as_mut_slice(), &mut Vec::new()),
        }
        product
    }

    /// K·p for every column p.
    pub(in crate::contact) fn times_each(&self, p: &DMatrix<f64>) -> DMatrix<f64> {
        let (mut product, mut y) = (DMatrix::zeros(p.nrows(), p.ncols()), Vec::new());
        for (p, mut product) in p.column_iter().zip(product.column_iter_mut()) {
            self.apply(p.as_slice(), product.as_mut_slice(), &mut y);
        }
        product
    }

    /// K·p into `product`; `y` is a buffer.
    pub(in crate::contact) fn apply(&self, p: &[f64], product: &mut [f64], y: &mut Vec<BodyVector>) {
        match self {
            Self::Matrix(matrix) => {
                product.fill(0.0);
                for (p, column) in p.iter().zip(matrix.as_slice().chunks_exact(p.len())) {
                    product.iter_mut().zip(column).for_each(|(sum, entry)| *sum += p * entry);
                }
            }
            Self::Bodies(rows) => {
                rows.gather(p, y);
                rows.project(y, product);
            }
        }
    }

    /// The diagonal block of one triple of rows.
    pub fn block(&self, i: usize) -> Mat3 {
        match self {
            Self::Matrix(matrix) => matrix.fixed_view::<3, 3>(3 * i, 3 * i).into(),
            Self::Bodies(rows) => Mat3::from_fn(|row, column| rows.triples[i].response(row, column)),
        }
    }

    /// A diagonal entry.
    pub(in crate::contact) fn diagonal(&self, row: usize) -> f64 {
        match self {
            Self::Matrix(matrix) => matrix[(row, row)],
            Self::Bodies(rows) => rows.triples[row / 3].response(row % 3, row % 3),
        }
    }

    pub(in crate::contact) fn is_finite(&self) -> bool {
        match self {
            Self::Matrix(matrix) => matrix.iter().all(|entry| entry.is_finite()),
            Self::Bodies(rows) => rows.is_finite(),
        }
    }
}
