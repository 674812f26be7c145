//! Newton's matrix of a large group, factorised with 6 unknowns per body instead of 3 per block of rows.
//!
//! With K = R·Rᵀ of `body_rows`, P and C of `list` and the compliance ε̂, A·x = b reads P·x + C·(ε̂·x + R·y) = b, y = Rᵀ·x:
//!
//! ```text
//! D = (P + ε̂·C)⁻¹,   E = D·C            blocks of three rows                                 (1)
//! N = 1 + Rᵀ·E·R,    N·y = Rᵀ·D·b,      x = D·b − E·R·y                                      (2)
//! Nᵀ·η = Rᵀ·Eᵀ·c,    λ = Dᵀ·(c − R·η)   where Aᵀ·λ = c                                       (3)
//! ```
//!
//! where a block that is coupled to another has a part of D and E by the rows of that one, too. D is large where a block is
//! closed (1/ε̂), so (2) and (3) lose digits that one refinement with A itself gives back (`system`). N is not symmetric where contacts slide; if the factor without exchanges across bodies is poor, the
//! same N is factorised with them.

use crate::contact::law::block::Mode;
use crate::contact::law::kind::PerKind;
use crate::contact::law::list::Laws;
use crate::contact::law::row_law::RowLaw;
use crate::contact::linear::block_matrix::{Block, BlockMatrix};
use crate::contact::linear::body_rows::{BodyRows, BodyVector, Strip};
use crate::contact::linear::factor::Factor;
use crate::contact::linear::triple::{set_triple, triple};
use crate::math::Mat3;

/// D and E of (1) for one block of rows.
#[derive(Clone, Copy, Debug)]
struct Inverse {
    open: bool,
    d: Mat3,
    e: Mat3,
    /// Place among the couplings.
    coupling: Option<usize>,
}

/// What a block that is coupled to another has of D and E by the rows of that one.
#[derive(Clone, Copy, Debug)]
struct CoupledInverse {
    /// The block itself.
    block: usize,
    /// The block to which it is coupled.
    to: usize,
    d: Mat3,
    e: Mat3,
}

/// N of (2), factorised, with what surrounds it.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct BodyFactor {
    inverses: Vec<Inverse>,
    couplings: Vec<CoupledInverse>,
    matrix: BlockMatrix,
    /// N with exchanges across bodies, where it was needed.
    exchanged: Option<Factor>,
}

/// Buffers of a solve.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct BodyScratch {
    pub(in crate::contact) y: Vec<BodyVector>,
    work: Vec<BodyVector>,
}

impl BodyFactor {
    /// Makes (1) and factorises N; false where that fails.
    pub(in crate::contact) fn assemble(
        &mut self,
        rows: &BodyRows,
        row_laws: &[RowLaw],
        shift: PerKind,
        laws: &Laws,
    ) -> bool {
        self.exchanged = None;
        self.invert(row_laws, shift, laws) && {
            self.fill(rows);
            self.matrix.factorise(&rows.elimination)
        }
    }

    /// (1); false where a block does not invert.
    fn invert(&mut self, row_laws: &[RowLaw], shift: PerKind, laws: &Laws) -> bool {
        self.inverses.clear();
        self.couplings.clear();
        for (block, (law, row_law)) in laws.blocks.iter().zip(row_laws).enumerate() {
            let Some(d) = (law.dlaw_dimpulse + shift[row_law.kind()] * law.dlaw_dvelocity).try_inverse() else {
                return false;
            };
            if let Some(to) = &law.coupling {
                let shift = shift[row_laws[to.block].kind()];
                let coupling = d * (to.dlaw_dimpulse + shift * to.dlaw_dvelocity);
                let other = &self.inverses[to.block];
                let mut e = -coupling * other.e.row(0);
                e.set_column(0, &(e.column(0) + d * to.dlaw_dvelocity));
                self.couplings.push(CoupledInverse { block, to: to.block, d: -coupling * other.d.row(0), e });
            }
            self.inverses.push(Inverse {
                open: law.mode == Mode::Open,
                d,
                e: d * law.dlaw_dvelocity,
                coupling: law.coupling.is_some().then(|| self.couplings.len() - 1),
            });
        }
        true
    }

    /// N into the blocks.
    fn fill(&mut self, rows: &BodyRows) {
        self.matrix.reset(&rows.elimination);
        for (own, inverse) in rows.triples.iter().zip(&self.inverses).filter(|(_, inverse)| !inverse.open) {
            let coupling = inverse.coupling.map(|place| &self.couplings[place]);
            for b in 0..own.count {
                let mut right = times(&inverse.e, &own.strips[b]);
                if let Some(coupling) = coupling {
                    let other = times(&coupling.e, &rows.triples[coupling.to].strips[b]);
                    right = std::array::from_fn(|k| std::array::from_fn(|c| right[k][c] + other[k][c]));
                }
                for a in 0..own.count {
                    add_product(&mut self.matrix.blocks[own.blocks[a][b]], &own.strips[a], &right);
                }
            }
        }
    }

    /// Factorises N again with exchanges across bodies; false where it is singular.
    pub(in crate::contact) fn exchange(&mut self, rows: &BodyRows) -> bool {
        self.fill(rows);
        let mut factor = Factor::default();
        factor.resize(6 * rows.body_count);
        for column in 0..6 * rows.body_count {
            factor.column_mut(column).fill(0.0);
        }
        let mut copy = |a: usize, b: usize, block: &Block| {
            for (k, column) in block.iter().enumerate() {
                factor.column_mut(6 * b + k)[6 * a..6 * a + 6].copy_from_slice(column);
            }
        };
        for body in 0..rows.body_count {
            copy(body, body, &self.matrix.blocks[rows.elimination.block(body, body)]);
        }
        for triple in rows.triples.iter().filter(|triple| triple.count == 2) {
            let [a, b] = triple.bodies;
            copy(a, b, &self.matrix.blocks[triple.blocks[0][1]]);
            copy(b, a, &self.matrix.blocks[triple.blocks[1][0]]);
        }
        let regular = factor.factorise();
        self.exchanged = Some(factor);
        regular
    }

    fn solve_bodies(&self, rows: &BodyRows, scratch: &mut BodyScratch, transposed: bool) {
        let (y, work) = (&mut scratch.y, &mut scratch.work);
        match (&self.exchanged, transposed) {
            (None, false) => self.matrix.solve(&rows.elimination, y, work),
            (None, true) => self.matrix.solve_transposed(&rows.elimination, y, work),
            (Some(factor), false) => factor.solve(y.as_flattened_mut()),
            (Some(factor), true) => factor.solve_transposed::<1>(y.as_flattened_mut().as_chunks_mut().0),
        }
    }

    /// Replaces b by A⁻¹·b, equation (2).
    pub(in crate::contact) fn solve(&self, rows: &BodyRows, b: &mut [f64], scratch: &mut BodyScratch) {
        for coupling in &self.couplings {
            let own = &self.inverses[coupling.block];
            let value = coupling.d * triple(b, coupling.to) + own.d * triple(b, coupling.block);
            set_triple(b, coupling.block, &value);
        }
        for (i, inverse) in self.inverses.iter().enumerate() {
            if !inverse.open && inverse.coupling.is_none() {
                set_triple(b, i, &(inverse.d * triple(b, i)));
            }
        }
        rows.gather(b, &mut scratch.y);
        self.solve_bodies(rows, scratch, false);
        for (i, inverse) in self.inverses.iter().enumerate().filter(|(_, inverse)| !inverse.open) {
            let mut change = inverse.e * rows.triples[i].project(&scratch.y);
            if let Some(coupling) = inverse.coupling.map(|place| &self.couplings[place]) {
                change += coupling.e * rows.triples[coupling.to].project(&scratch.y);
            }
            set_triple(b, i, &(triple(b, i) - change));
        }
    }

    /// Replaces c by A⁻ᵀ·c, equation (3).
    pub(in crate::contact) fn solve_transposed(&self, rows: &BodyRows, c: &mut [f64], scratch: &mut BodyScratch) {
        scratch.y.clear();
        scratch.y.resize(rows.body_count, [0.0; 6]);
        for (i, inverse) in self.inverses.iter().enumerate() {
            let covector = triple(c, i);
            if let Some(coupling) = inverse.coupling.map(|place| &self.couplings[place]) {
                rows.triples[coupling.to].gather(&coupling.e.tr_mul(&covector), &mut scratch.y);
            }
            rows.triples[i].gather(&inverse.e.tr_mul(&covector), &mut scratch.y);
        }
        self.solve_bodies(rows, scratch, true);
        for (i, inverse) in self.inverses.iter().enumerate() {
            let rest = triple(c, i) - rows.triples[i].project(&scratch.y);
            if let Some(coupling) = inverse.coupling.map(|place| &self.couplings[place]) {
                let value = triple(c, coupling.to) + coupling.d.tr_mul(&rest);
                set_triple(c, coupling.to, &value);
            }
            set_triple(c, i, &inverse.d.tr_mul(&rest));
        }
    }
}

/// A 3 × 3 matrix times a strip.
fn times(matrix: &Mat3, strip: &Strip) -> Strip {
    std::array::from_fn(|row| {
        let [a, b, c] = [matrix[(row, 0)], matrix[(row, 1)], matrix[(row, 2)]];
        std::array::from_fn(|column| a * strip[0][column] + b * strip[1][column] + c * strip[2][column])
    })
}

/// Adds leftᵀ·right.
fn add_product(block: &mut Block, left: &Strip, right: &Strip) {
    for (column, entries) in block.iter_mut().enumerate() {
        let [a, b, c] = [right[0][column], right[1][column], right[2][column]];
        for (row, entry) in entries.iter_mut().enumerate() {
            *entry += left[0][row] * a + left[1][row] * b + left[2][row] * c;
        }
    }
}
