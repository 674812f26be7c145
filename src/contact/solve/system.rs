//! Newton's matrix A = P + C·(K + ε̂), factorised: in impulses where the group is small, in bodies where it is large.
//!
//! The factor in bodies loses digits; refinement with A itself gives them back:
//!
//! ```text
//! x = A⁻¹·b,    x ← x + A⁻¹·(b − A·x)                                                              (1)
//! ```

use super::body_factor::{BodyFactor, BodyScratch};
use crate::contact::law::block::Mode;
use crate::contact::law::kind::PerKind;
use crate::contact::law::list::Laws;
use crate::contact::linear::factor::Factor;
use crate::contact::linear::response::Response;
use crate::contact::linear::triple::{set_triple, triple};
use crate::contact::problem::ContactProblem;
use crate::contact::settings::POOR;
use crate::math::Vec3;
use nalgebra::DMatrix;

/// Most repetitions of (1); one is enough except in large groups that slide.
const REFINEMENTS: usize = 3;

/// Columns that a dense factor solves together: the covectors of one body's motion.
const LANES: usize = 6;

/// A of one point, factorised.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct System {
    dense: Factor,
    pub(in crate::contact) bodies: BodyFactor,
}

/// Buffers of solves.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Scratch {
    bodies: BodyScratch,
    right: Vec<f64>,
    rest: Vec<f64>,
    product: Vec<f64>,
    lanes: Vec<[f64; LANES]>,
}

/// What A is made of, needed again by (1).
#[derive(Clone, Copy)]
pub(in crate::contact) struct Parts<'a> {
    pub(in crate::contact) problem: &'a ContactProblem,
    pub(in crate::contact) shift: PerKind,
    pub(in crate::contact) laws: &'a Laws,
}

impl System {
    /// Makes and factorises A; false where it is singular.
    pub(in crate::contact) fn assemble(&mut self, parts: Parts) -> bool {
        match &*parts.problem.response {
            Response::Matrix(response) => {
                fill_dense(&mut self.dense, response, parts);
                self.dense.factorise()
            }
            Response::Bodies(rows) => self.bodies.assemble(rows, &parts.problem.laws, parts.shift, parts.laws),
        }
    }

    /// Replaces b by A⁻¹·b without refinement.
    pub(in crate::contact) fn solve(&self, problem: &ContactProblem, b: &mut [f64], scratch: &mut Scratch) {
        match &*problem.response {
            Response::Matrix(_) => self.dense.solve(b),
            Response::Bodies(rows) => self.bodies.solve(rows, b, &mut scratch.bodies),
        }
    }

    /// Replaces b by A⁻ᵀ·b without refinement.
    fn solve_transposed(&self, problem: &ContactProblem, b: &mut [f64], scratch: &mut Scratch) {
        match &*problem.response {
            Response::Matrix(_) => self.dense.solve_transposed::<1>(b.as_chunks_mut().0),
            Response::Bodies(rows) => self.bodies.solve_transposed(rows, b, &mut scratch.bodies),
        }
    }

    /// Replaces b by A⁻¹·b, or A⁻ᵀ·b, with (1) where it is needed; returns the relative residual before (1).
    pub(in crate::contact) fn refine(
        &self,
        parts: Parts,
        b: &mut [f64],
        transposed: bool,
        scratch: &mut Scratch,
    ) -> f64 {
        let plain = |x: &mut [f64], scratch: &mut Scratch| match transposed {
            false => self.solve(parts.problem, x, scratch),
            true => self.solve_transposed(parts.problem, x, scratch),
        };
        if matches!(&*parts.problem.response, Response::Matrix(_)) {
            plain(b, scratch);
            return 0.0;
        }
        let mut right = std::mem::take(&mut scratch.right);
        let mut rest = std::mem::take(&mut scratch.rest);
        right.clear();
        right.extend_from_slice(b);
        rest.resize(b.len(), 0.0);
        plain(b, scratch);
        let mut first = None;
        for _ in 0..REFINEMENTS {
            parts.multiply(b, &mut rest, transposed, scratch);
            rest.iter_mut().zip(&right).for_each(|(rest, right)| *rest = right - *rest);
            let ratio = norm(&rest) / norm(&right).max(f64::MIN_POSITIVE);
            plain(&mut rest, scratch);
            b.iter_mut().zip(&rest).for_each(|(x, change)| *x += change);
            first = first.or(Some(ratio));
            // The next residual is about the square of this one.
            if ratio < 1e-7 || ratio.is_nan() {
                break;
            }
        }
        (scratch.right, scratch.rest) = (right, rest);
        first.unwrap_or(0.0)
    }

    /// Replaces every column b by A⁻ᵀ·b, with (1) where it is needed.
    pub(in crate::contact) fn refine_transposed(
        &self,
        parts: Parts,
        columns: &mut DMatrix<f64>,
        scratch: &mut Scratch,
    ) {
        if matches!(&*parts.problem.response, Response::Bodies(_)) {
            for mut column in columns.column_iter_mut() {
                self.refine(parts, column.as_mut_slice(), true, scratch);
            }
            return;
        }
        let size = columns.nrows();
        for columns in columns.as_mut_slice().chunks_mut(LANES * size) {
            scratch.lanes.clear();
            scratch.lanes.resize(size, [0.0; LANES]);
            for (lane, column) in columns.chunks_exact(size).enumerate() {
                scratch.lanes.iter_mut().zip(column).for_each(|(lanes, entry)| lanes[lane] = *entry);
            }
            self.dense.solve_transposed(&mut scratch.lanes);
            for (lane, column) in columns.chunks_exact_mut(size).enumerate() {
                scratch.lanes.iter().zip(column).for_each(|(lanes, entry)| *entry = lanes[lane]);
            }
        }
    }

    /// Whether the factor serves, after a better one was made where a first solve shows that it is poor.
    pub(in crate::contact) fn is_good(&mut self, parts: Parts, scratch: &mut Scratch) -> bool {
        let mut probe = match &*parts.problem.response {
            Response::Matrix(_) => return true,
            Response::Bodies(_) => vec![1.0; parts.problem.velocity.len()],
        };
        self.refine_or_exchange(parts, &mut probe, scratch)
    }

    /// As [`System::refine`], with a better factor where this one is poor; false where there is none.
    pub(in crate::contact) fn refine_or_exchange(
        &mut self,
        parts: Parts,
        b: &mut [f64],
        scratch: &mut Scratch,
    ) -> bool {
        let Response::Bodies(rows) = &*parts.problem.response else {
            self.dense.solve(b);
            return true;
        };
        let start = b.to_vec();
        if self.refine(parts, b, false, scratch) <= POOR {
            return true;
        }
        b.copy_from_slice(&start);
        self.bodies.exchange(rows) && self.refine(parts, b, false, scratch).is_finite()
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

impl Parts<'_> {
    /// A·x, or Aᵀ·x.
    pub(in crate::contact) fn multiply(self, x: &[f64], product: &mut [f64], transposed: bool, scratch: &mut Scratch) {
        let mut inner = std::mem::take(&mut scratch.product);
        inner.clear();
        inner.resize(x.len(), 0.0);
        if transposed {
            self.laws.transposed_dvelocity(x, &mut inner);
            self.problem.response.apply(&inner, product, &mut scratch.bodies.y);
            self.add_shift(&inner, product);
            self.laws.add_transposed_dimpulse(x, product);
        } else {
            self.problem.response.apply(x, &mut inner, &mut scratch.bodies.y);
            self.add_shift(x, &mut inner);
            self.laws.times_dvelocity(&inner, product);
            self.laws.add_dimpulse(x, product);
        }
        scratch.product = inner;
    }

    /// Adds ε̂·x.
    fn add_shift(self, x: &[f64], sum: &mut [f64]) {
        let blocks = sum.as_chunks_mut::<3>().0.iter_mut().zip(x.as_chunks::<3>().0);
        for ((sum, x), law) in blocks.zip(&*self.problem.laws) {
            let shift = self.shift[law.kind()];
            sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += shift * x);
        }
    }
}

/// A as a dense matrix into `factor`.
fn fill_dense(factor: &mut Factor, response: &DMatrix<f64>, Parts { problem, shift, laws }: Parts) {
    let size = 3 * laws.blocks.len();
    factor.resize(size);
    for j in 0..size {
        let response = &response.as_slice()[j * size..(j + 1) * size];
        let column = factor.column_mut(j);
        for (i, law) in laws.blocks.iter().enumerate() {
            let mut entry = match &law.coupling {
                None if law.mode == Mode::Open => Vec3::zeros(),
                None => law.dlaw_dvelocity * triple(response, i),
                Some(to) => law.dlaw_dvelocity * triple(response, i) + to.dlaw_dvelocity * response[3 * to.block],
            };
            if j / 3 == i {
                let shift = shift[problem.laws[i].kind()];
                entry += shift * law.dlaw_dvelocity.column(j % 3) + law.dlaw_dimpulse.column(j % 3);
            } else if let Some(to) = &law.coupling
                && j == 3 * to.block
            {
                entry += shift[problem.laws[to.block].kind()] * to.dlaw_dvelocity + to.dlaw_dimpulse;
            }
            set_triple(column, i, &entry);
        }
    }
}
