//! What is asked at one instant: velocities without impulse, how impulses change them, and the coefficients.
//!
//! Vectors over the rows hold three numbers (normal, T1, T2) per contact, and below them three (x, y, z) per contact
//! that resists rolling, in the order of [`ContactProblem::rolling`].

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use crate::contact::group::bodies::Group;
use crate::contact::linear::rows::{BodyRows, BodyVector};
use crate::math::Mat3;

/// Rows from which on K is not formed: eight contacts. There both forms take about the same time (for a box on a box,
/// 3.0 µs and 2.4 µs a Newton step); for ten boxes it is 78 µs and 14 µs.
const LARGE: usize = 24;

/// A contact that resists rolling: the turning impulse is at most `coefficient` times the normal impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingContact {
    /// Place among the contacts.
    pub contact: usize,
    /// m, above zero.
    pub coefficient: f64,
}

/// K, symmetric, rows × rows, in one of two forms.
#[derive(Clone, Debug)]
pub enum Response {
    /// Every entry: best for few contacts.
    Matrix(DMatrix<f64>),
    /// The rows it is the product of: best for many.
    Bodies(BodyRows),
}

impl Response {
    /// K of a group in the form that suits its size.
    pub fn new(group: &Group) -> Self {
        if group.row_count() < LARGE { Self::Matrix(group.response()) } else { Self::Bodies(group.body_rows()) }
    }

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

    fn is_finite(&self) -> bool {
        match self {
            Self::Matrix(matrix) => matrix.iter().all(|entry| entry.is_finite()),
            Self::Bodies(rows) => rows.is_finite(),
        }
    }
}

/// What is asked at one instant.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    /// K: velocity per impulse.
    pub response: Arc<Response>,
    /// w, one number per row: velocity without impulse.
    pub velocity: DVector<f64>,
    /// μ, one per contact.
    pub friction: Arc<[f64]>,
    /// The contacts that resist rolling, in the order of the contacts.
    pub rolling: Arc<[RollingContact]>,
    /// Normal impulses where they are given, one per contact.
    pub given_normal: Option<Vec<f64>>,
}

impl ContactProblem {
    /// The problem of a group that has the contact velocities `velocity`, with no normal impulse given.
    pub fn new(group: &Group, velocity: DVector<f64>) -> Self {
        let rolling = |&contact: &usize| RollingContact { contact, coefficient: group.contacts[contact].rolling };
        Self {
            response: Arc::new(Response::new(group)),
            velocity,
            friction: group.contacts.iter().map(|contact| contact.friction).collect(),
            rolling: group.rolling.iter().map(rolling).collect(),
            given_normal: None,
        }
    }

    /// 3·contacts.
    pub(in crate::contact) fn contact_rows(&self) -> usize {
        3 * self.friction.len()
    }

    pub(in crate::contact) fn is_finite(&self) -> bool {
        let given = self.given_normal.as_deref().unwrap_or(&[]);
        let mut numbers = self.velocity.iter().chain(self.friction.iter()).chain(given);
        numbers.all(|number| number.is_finite())
            && self.response.is_finite()
            && self.rolling.iter().all(|rolling| rolling.coefficient.is_finite())
    }

    /// The mean traces of K's diagonal blocks, of contacts and of those that resist rolling; zero where there are none.
    pub(in crate::contact) fn mean_traces(&self) -> [f64; 2] {
        mean_traces_of(self.velocity.len(), self.contact_rows(), |row| self.response.diagonal(row))
    }
}

/// Sums of diagonal entries over the first `contact_rows` of `size` rows and over the others, for each three of them; zero
/// where there are none.
pub(crate) fn mean_traces_of(size: usize, contact_rows: usize, entry: impl Fn(usize) -> f64) -> [f64; 2] {
    let mean = |rows: std::ops::Range<usize>| {
        let count = (rows.len() / 3).max(1) as f64;
        rows.map(&entry).sum::<f64>() / count
    };
    [mean(0..contact_rows), mean(contact_rows..size)]
}
