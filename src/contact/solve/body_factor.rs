//! Newton's matrix of a large group, factorised with 6 unknowns per body instead of 3 per contact.
//!
//! With K = R·Rᵀ of `rows`, P and C of `laws` and the compliance ε̂, A·x = b reads P·x + C·(ε̂·x + R·y) = b, y = Rᵀ·x:
//!
//! ```text
//! D = (P + ε̂·C)⁻¹,   E = D·C            blocks of one contact                                (1)
//! N = 1 + Rᵀ·E·R,    N·y = Rᵀ·D·b,      x = D·b − E·R·y                                      (2)
//! Nᵀ·η = Rᵀ·Eᵀ·c,    λ = Dᵀ·(c − R·η)   where Aᵀ·λ = c                                       (3)
//! ```
//!
//! D is large where a contact is closed (1/ε̂), so (2) and (3) lose digits that one refinement with A itself gives back
//! (`system`). N is not symmetric where contacts slide; if the factor without exchanges across bodies is poor, the
//! same N is factorised with them.

use crate::contact::law::friction::Mode;
use crate::contact::law::list::{Compliance, Laws};
use crate::contact::linear::block_matrix::{Block, BlockMatrix};
use crate::contact::linear::body_rows::{BodyRows, BodyVector, Strip};
use crate::contact::linear::factor::Factor;
use crate::contact::linear::triple::{set_triple, triple};
use crate::math::{Mat3, Vec3};

/// D and E of (1) for one contact.
#[derive(Clone, Copy, Debug)]
struct ContactBlocks {
    open: bool,
    d: Mat3,
    e: Mat3,
}

/// D and E of (1) for the rolling rows of a contact: by the contact's own rows, and by the rolling rows.
#[derive(Clone, Copy, Debug)]
struct RollingBlocks {
    contact: usize,
    open: bool,
    d_contact: Mat3,
    d: Mat3,
    e_contact: Mat3,
    e: Mat3,
}

/// N of (2), factorised, with what surrounds it.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct BodyFactor {
    contacts: Vec<ContactBlocks>,
    rolling: Vec<RollingBlocks>,
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
    pub(in crate::contact) fn assemble(&mut self, rows: &BodyRows, shift: Compliance, laws: &Laws) -> bool {
        self.exchanged = None;
        self.make_blocks(shift, laws) && {
            self.fill(rows);
            self.matrix.factorise(&rows.elimination)
        }
    }

    /// (1); false where a block does not invert.
    fn make_blocks(&mut self, shift: Compliance, laws: &Laws) -> bool {
        self.contacts.clear();
        self.rolling.clear();
        for law in &laws.contacts {
            let Some(d) = (law.dlaw_dimpulse + shift.contact * law.dlaw_dvelocity).try_inverse() else {
                return false;
            };
            self.contacts.push(ContactBlocks { open: law.mode == Mode::Open, d, e: d * law.dlaw_dvelocity });
        }
        for &(contact, law) in &laws.rolling {
            let Some(d) = (law.dlaw_dimpulse + shift.rolling * law.dlaw_dvelocity).try_inverse() else {
                return false;
            };
            let coupling = d * (law.dlaw_dnormal_impulse + shift.contact * law.dlaw_dnormal_velocity);
            let own = &self.contacts[contact];
            let mut e_contact = -coupling * own.e.row(0);
            e_contact.set_column(0, &(e_contact.column(0) + d * law.dlaw_dnormal_velocity));
            self.rolling.push(RollingBlocks {
                contact,
                open: law.mode == Mode::Open,
                d_contact: -coupling * own.d.row(0),
                d,
                e_contact,
                e: d * law.dlaw_dvelocity,
            });
        }
        true
    }

    /// N into the blocks.
    fn fill(&mut self, rows: &BodyRows) {
        self.matrix.reset(&rows.elimination);
        for (rows, block) in rows.triples.iter().zip(&self.contacts).filter(|(_, block)| !block.open) {
            for b in 0..rows.count {
                let right = times(&block.e, &rows.strips[b]);
                for a in 0..rows.count {
                    add_product(&mut self.matrix.blocks[rows.blocks[a][b]], &rows.strips[a], &right);
                }
            }
        }
        let turning = rows.triples[self.contacts.len()..].iter().zip(&self.rolling);
        for (turn, block) in turning.filter(|(_, block)| !block.open) {
            let contact = &rows.triples[block.contact];
            for b in 0..turn.count {
                let (own, other) = (times(&block.e, &turn.strips[b]), times(&block.e_contact, &contact.strips[b]));
                let right: Strip = std::array::from_fn(|k| std::array::from_fn(|c| own[k][c] + other[k][c]));
                for a in 0..turn.count {
                    add_product(&mut self.matrix.blocks[turn.blocks[a][b]], &turn.strips[a], &right);
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
        let count = self.contacts.len();
        for (k, block) in self.rolling.iter().enumerate() {
            let value = block.d_contact * triple(b, block.contact) + block.d * triple(b, count + k);
            set_triple(b, count + k, &value);
        }
        for (i, block) in self.contacts.iter().enumerate().filter(|(_, block)| !block.open) {
            set_triple(b, i, &(block.d * triple(b, i)));
        }
        rows.gather(b, &mut scratch.y);
        self.solve_bodies(rows, scratch, false);
        let mut take = |i: usize, value: Vec3| set_triple(b, i, &(triple(b, i) - value));
        for (i, block) in self.contacts.iter().enumerate().filter(|(_, block)| !block.open) {
            take(i, block.e * rows.triples[i].project(&scratch.y));
        }
        for (k, block) in self.rolling.iter().enumerate().filter(|(_, block)| !block.open) {
            let turn = block.e * rows.triples[count + k].project(&scratch.y);
            take(count + k, turn + block.e_contact * rows.triples[block.contact].project(&scratch.y));
        }
    }

    /// Replaces c by A⁻ᵀ·c, equation (3).
    pub(in crate::contact) fn solve_transposed(&self, rows: &BodyRows, c: &mut [f64], scratch: &mut BodyScratch) {
        let count = self.contacts.len();
        scratch.y.clear();
        scratch.y.resize(rows.body_count, [0.0; 6]);
        for (i, block) in self.contacts.iter().enumerate() {
            rows.triples[i].gather(&block.e.tr_mul(&triple(c, i)), &mut scratch.y);
        }
        for (k, block) in self.rolling.iter().enumerate() {
            let covector = triple(c, count + k);
            rows.triples[block.contact].gather(&block.e_contact.tr_mul(&covector), &mut scratch.y);
            rows.triples[count + k].gather(&block.e.tr_mul(&covector), &mut scratch.y);
        }
        self.solve_bodies(rows, scratch, true);
        let rest = |i: usize, c: &[f64]| triple(c, i) - rows.triples[i].project(&scratch.y);
        for (i, block) in self.contacts.iter().enumerate() {
            let value = block.d.tr_mul(&rest(i, c));
            set_triple(c, i, &value);
        }
        for (k, block) in self.rolling.iter().enumerate() {
            let remaining = rest(count + k, c);
            let value = triple(c, block.contact) + block.d_contact.tr_mul(&remaining);
            set_triple(c, block.contact, &value);
            set_triple(c, count + k, &block.d.tr_mul(&remaining));
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
