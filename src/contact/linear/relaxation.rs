//! One row at a time: the velocity after the impulses at hand, and what changing the impulse of a row costs.
//!
//! ```text
//! w⁺ = w + (K + ε̂)·p
//! ```
//!
//! The laws of `law` say what to set; `sweep` in `solve` visits the blocks.

use super::body_rows::BodyVector;
use super::response::Response;
use crate::math::Mat3;

/// Impulses while they are changed row by row.
pub struct Relaxation<'a> {
    response: &'a Response,
    velocity: &'a [f64],
    /// ε̂ of the block that is visited.
    pub shift: f64,
    /// The impulses; changed by [`Relaxation::set`] alone.
    p: &'a mut [f64],
    /// Rᵀ·p where K is in the form of bodies: a row then costs the same whatever the number of contacts.
    y: Vec<BodyVector>,
    /// K between the rows of each block in that form: every visit asks for some of it.
    blocks: Vec<Mat3>,
}

impl<'a> Relaxation<'a> {
    /// From the impulses `p`, for the velocity without impulse.
    pub fn new(response: &'a Response, velocity: &'a [f64], p: &'a mut [f64]) -> Self {
        let (mut y, mut blocks) = (Vec::new(), Vec::new());
        if let Response::Bodies(rows) = response {
            rows.gather(p, &mut y);
            blocks.extend((0..rows.triples.len()).map(|block| response.block(block)));
        }
        Self { response, velocity, shift: 0.0, p, y, blocks }
    }

    /// p of a row.
    pub fn impulse(&self, row: usize) -> f64 {
        self.p[row]
    }

    /// w⁺ of a row.
    pub fn after(&self, row: usize) -> f64 {
        let sum = match self.response {
            Response::Matrix(matrix) => {
                let size = self.p.len();
                // K is symmetric, so its rows are its contiguous columns.
                let column = &matrix.as_slice()[row * size..(row + 1) * size];
                column.iter().zip(self.p.iter()).map(|(k, p)| k * p).sum::<f64>()
            }
            Response::Bodies(rows) => rows.triples[row / 3].row(row % 3, &self.y),
        };
        self.velocity[row] + self.shift * self.p[row] + sum
    }

    /// Sets p of a row.
    pub fn set(&mut self, row: usize, value: f64) {
        if let Response::Bodies(rows) = self.response {
            rows.triples[row / 3].push(row % 3, value - self.p[row], &mut self.y);
        }
        self.p[row] = value;
    }

    /// K + ε̂ between rows of one block.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        let shift = if row == column { self.shift } else { 0.0 };
        let response = match self.response {
            Response::Matrix(matrix) => matrix.as_slice()[column * self.p.len() + row],
            Response::Bodies(_) => self.blocks[row / 3][(row % 3, column % 3)],
        };
        response + shift
    }
}
