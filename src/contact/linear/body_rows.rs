//! The rows of a group in a form that never needs K: products with K in time proportional to the contacts.
//!
//! With W = L·Lᵀ per body (L: the root of the inverse mass, the Cholesky factor of the inverse inertia) and R = J·L,
//!
//! ```text
//! K = R·Rᵀ,    K·p = R·y,    y = Rᵀ·p                                                       (1)
//! ```
//!
//! y has 6 numbers per body that moves; bodies that do not move drop out. R is all that the contact problem needs of
//! a group, and it is free of units that differ between mass and inertia. A triple of rows touches at most two bodies.

use super::elimination::Elimination;
use super::triple::{set_triple, triple};
use crate::math::{Mat3, Vec3};

/// 6 numbers of one body.
pub(in crate::contact) type BodyVector = [f64; 6];
/// Three rows of R for one body.
pub(in crate::contact) type Strip = [BodyVector; 3];

/// Three rows of R: strips for one or two bodies that move.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct RowTriple {
    /// How many of the next two are meant.
    pub(in crate::contact) count: usize,
    /// Places among the bodies that move.
    pub(in crate::contact) bodies: [usize; 2],
    /// Their strips.
    pub(in crate::contact) strips: [Strip; 2],
    /// Blocks of the elimination for (first, first), (first, second), (second, first), (second, second).
    pub(in crate::contact) blocks: [[usize; 2]; 2],
}

/// R by triples of rows.
#[derive(Clone, Debug)]
pub struct BodyRows {
    /// Of the contacts, and below them of the other blocks.
    pub(in crate::contact) triples: Vec<RowTriple>,
    /// Bodies that move.
    pub(in crate::contact) body_count: usize,
    /// The order in which bodies are eliminated.
    pub(in crate::contact) elimination: Elimination,
}

/// What [`BodyRows::new`] needs of one body of a triple: its number, and sign·F and sign·B of `group`.
pub(in crate::contact) struct SideRows {
    pub(in crate::contact) body: usize,
    pub(in crate::contact) push: Mat3,
    pub(in crate::contact) turn: Mat3,
}

/// L of (1) for one body.
struct Root {
    mass: f64,
    inertia: Mat3,
}

/// The lower Cholesky factor; columns without a positive pivot are zero, as those of a body that cannot turn.
fn cholesky(matrix: &Mat3) -> Mat3 {
    let mut lower = Mat3::zeros();
    for j in 0..3 {
        let pivot = matrix[(j, j)] - (0..j).map(|k| lower[(j, k)] * lower[(j, k)]).sum::<f64>();
        if pivot <= 0.0 {
            continue;
        }
        let root = pivot.sqrt();
        lower[(j, j)] = root;
        for i in j + 1..3 {
            let sum: f64 = (0..j).map(|k| lower[(i, k)] * lower[(j, k)]).sum();
            lower[(i, j)] = (matrix[(i, j)] - sum) / root;
        }
    }
    lower
}

impl BodyRows {
    /// R for bodies of the given inverse masses and inertias; `sides` has both bodies of every triple of rows.
    pub(in crate::contact) fn new(bodies: &[(f64, Mat3)], sides: impl Iterator<Item = [SideRows; 2]>) -> Self {
        let moves = |&(mass, inertia): &(f64, Mat3)| mass != 0.0 || inertia != Mat3::zeros();
        let mut body_count = 0;
        let mut places = Vec::with_capacity(bodies.len());
        let mut roots = Vec::with_capacity(bodies.len());
        for body in bodies {
            places.push(moves(body).then_some(body_count));
            body_count += usize::from(moves(body));
            roots.push(Root { mass: body.0.sqrt(), inertia: cholesky(&body.1) });
        }
        let mut triples: Vec<RowTriple> = Vec::new();
        for sides in sides {
            let mut rows = RowTriple { count: 0, bodies: [0; 2], strips: [[[0.0; 6]; 3]; 2], blocks: [[0; 2]; 2] };
            for side in &sides {
                let Some(place) = places[side.body] else { continue };
                rows.bodies[rows.count] = place;
                rows.strips[rows.count] = roots[side.body].strip(side);
                rows.count += 1;
            }
            triples.push(rows);
        }
        let pairs = triples.iter().filter(|rows| rows.count == 2).map(|rows| rows.bodies);
        let elimination = Elimination::new(body_count, pairs);
        for rows in &mut triples {
            let [a, b] = rows.bodies;
            rows.blocks[0][0] = if rows.count > 0 { elimination.block(a, a) } else { 0 };
            if rows.count == 2 {
                rows.blocks = [
                    [elimination.block(a, a), elimination.block(a, b)],
                    [elimination.block(b, a), elimination.block(b, b)],
                ];
            }
        }
        Self { triples, body_count, elimination }
    }

    pub(in crate::contact) fn is_finite(&self) -> bool {
        let finite = |strip: &Strip| strip.iter().flatten().all(|entry| entry.is_finite());
        self.triples.iter().all(|rows| rows.strips[..rows.count].iter().all(finite))
    }

    /// y of (1).
    pub(in crate::contact) fn gather(&self, p: &[f64], y: &mut Vec<BodyVector>) {
        y.clear();
        y.resize(self.body_count, [0.0; 6]);
        for (i, rows) in self.triples.iter().enumerate() {
            let p = triple(p, i);
            if p != Vec3::zeros() {
                rows.gather(&p, y);
            }
        }
    }

    /// R·y, triple by triple.
    pub(in crate::contact) fn project(&self, y: &[BodyVector], product: &mut [f64]) {
        for (i, rows) in self.triples.iter().enumerate() {
            set_triple(product, i, &rows.project(y));
        }
    }
}

impl Root {
    fn strip(&self, side: &SideRows) -> Strip {
        let turn = side.turn * self.inertia;
        std::array::from_fn(|row| {
            let entry = |column: usize| {
                if column < 3 { self.mass * side.push[(row, column)] } else { turn[(row, column - 3)] }
            };
            std::array::from_fn(entry)
        })
    }
}

impl RowTriple {
    /// Adds Rᵀ·p of these rows.
    pub(in crate::contact) fn gather(&self, p: &Vec3, y: &mut [BodyVector]) {
        for (strip, &body) in self.sides() {
            let sum = &mut y[body];
            for column in 0..6 {
                sum[column] += strip[0][column] * p.x + strip[1][column] * p.y + strip[2][column] * p.z;
            }
        }
    }

    /// R·y of these rows: the sums of [`RowTriple::row`], with the numbers of a body read once for all three.
    #[inline]
    pub(in crate::contact) fn project(&self, y: &[BodyVector]) -> Vec3 {
        let mut sums = [-0.0; 3];
        for (strip, &body) in self.sides() {
            let y = &y[body];
            sums.iter_mut().zip(strip).for_each(|(sum, row)| *sum += dot(row, y));
        }
        sums.into()
    }

    /// Strip and place of each body.
    #[inline]
    fn sides(&self) -> impl Iterator<Item = (&Strip, &usize)> {
        self.strips.iter().zip(&self.bodies).take(self.count)
    }

    /// R·y of one row.
    pub(in crate::contact) fn row(&self, row: usize, y: &[BodyVector]) -> f64 {
        self.sides().map(|(strip, &body)| dot(&strip[row], &y[body])).sum()
    }

    /// Adds Rᵀ·p for a change of one impulse.
    pub(in crate::contact) fn push(&self, row: usize, change: f64, y: &mut [BodyVector]) {
        for (strip, &body) in self.sides() {
            y[body].iter_mut().zip(&strip[row]).for_each(|(sum, entry)| *sum += entry * change);
        }
    }

    /// An entry of K between two of these rows.
    pub(in crate::contact) fn response(&self, row: usize, column: usize) -> f64 {
        self.strips[..self.count].iter().map(|strip| dot(&strip[row], &strip[column])).sum()
    }
}

#[inline]
fn dot(a: &BodyVector, b: &BodyVector) -> f64 {
    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}
