//! Gauss–Seidel sweeps over the contacts: slow, but never lost.
//!
//! ```text
//! p_n ← max(0, p_n − w⁺_n/k_n)                                 k_n: the contact's own normal response
//! p_t ← p_t − w⁺_t/k_t, shortened to μ·p_n where longer        k_t: the largest eigenvalue of its tangential one
//! ```
//!
//! and where a contact resists rolling its τ like p_t, with the length c·p_n and a bound on its own response.
//! They give `newton` a start from which its first pieces are mostly the right ones.

use crate::contact::law::list::Compliance;
use crate::contact::linear::body_rows::BodyVector;
use crate::contact::linear::response::Response;
use crate::contact::problem::ContactProblem;
use crate::math::Vec3;

/// The impulses while they are swept, with what changes them.
struct Sweep<'a> {
    problem: &'a ContactProblem,
    velocity: &'a [f64],
    shift: Compliance,
    p: &'a mut [f64],
    /// Rᵀ·p where K is in the form of bodies: a row then costs the same whatever the number of contacts.
    y: Vec<BodyVector>,
}

/// `count` sweeps over `p` with velocity `velocity` and response K + `shift`.
pub(in crate::contact) fn sweep(
    problem: &ContactProblem,
    velocity: &[f64],
    shift: Compliance,
    p: &mut [f64],
    count: usize,
) {
    let mut y = Vec::new();
    if let Response::Bodies(rows) = &*problem.response {
        rows.gather(p, &mut y);
    }
    let mut sweep = Sweep { problem, velocity, shift, p, y };
    for _ in 0..count {
        (0..problem.friction.len()).for_each(|i| sweep.contact(i));
        (0..problem.rolling.len()).for_each(|k| sweep.rolling(k));
    }
}

impl Sweep<'_> {
    fn shift(&self, row: usize) -> f64 {
        if row < self.problem.contact_rows() { self.shift.contact } else { self.shift.rolling }
    }

    /// w⁺ of a row.
    fn after(&self, row: usize) -> f64 {
        let sum = match &*self.problem.response {
            Response::Matrix(matrix) => {
                let size = self.p.len();
                // K is symmetric, so its rows are its contiguous columns.
                let column = &matrix.as_slice()[row * size..(row + 1) * size];
                column.iter().zip(self.p.iter()).map(|(k, p)| k * p).sum::<f64>()
            }
            Response::Bodies(rows) => rows.triples[row / 3].row(row % 3, &self.y),
        };
        self.velocity[row] + self.shift(row) * self.p[row] + sum
    }

    /// Sets p of a row.
    fn set(&mut self, row: usize, value: f64) {
        if let Response::Bodies(rows) = &*self.problem.response {
            rows.triples[row / 3].push(row % 3, value - self.p[row], &mut self.y);
        }
        self.p[row] = value;
    }

    /// K + ε̂ between rows of one triple.
    fn entry(&self, row: usize, column: usize) -> f64 {
        let shift = if row == column { self.shift(row) } else { 0.0 };
        let response = match &*self.problem.response {
            Response::Matrix(matrix) => matrix.as_slice()[column * self.p.len() + row],
            Response::Bodies(rows) => rows.triples[row / 3].response(row % 3, column % 3),
        };
        response + shift
    }

    fn contact(&mut self, i: usize) {
        let (n, t1, t2) = (3 * i, 3 * i + 1, 3 * i + 2);
        let normal = match &self.problem.given_normal {
            None => (self.p[n] - self.after(n) / self.entry(n, n).max(f64::MIN_POSITIVE)).max(0.0),
            Some(given) => given[i],
        };
        self.set(n, normal);
        let radius = self.problem.friction[i] * self.p[n];
        if radius.is_nan() || radius <= 0.0 {
            self.set(t1, 0.0);
            self.set(t2, 0.0);
            return;
        }
        let (a, b, c) = (self.entry(t1, t1), self.entry(t1, t2), self.entry(t2, t2));
        let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
        let scale = 1.0 / largest.max(f64::MIN_POSITIVE);
        let (z1, z2) = (self.p[t1] - scale * self.after(t1), self.p[t2] - scale * self.after(t2));
        let length = (z1 * z1 + z2 * z2).sqrt();
        let shrink = if length > radius { radius / length } else { 1.0 };
        self.set(t1, shrink * z1);
        self.set(t2, shrink * z2);
    }

    fn rolling(&mut self, k: usize) {
        let rolling = &self.problem.rolling[k];
        let rows = [0, 1, 2].map(|axis| self.problem.contact_rows() + 3 * k + axis);
        let radius = rolling.coefficient * self.p[3 * rolling.contact];
        if radius.is_nan() || radius <= 0.0 {
            rows.iter().for_each(|&row| self.set(row, 0.0));
            return;
        }
        let bound = |row: usize| rows.iter().map(|&column| self.entry(row, column).abs()).sum::<f64>();
        let scale = 1.0 / rows.iter().map(|&row| bound(row)).fold(f64::MIN_POSITIVE, f64::max);
        let x = Vec3::from(rows.map(|row| self.p[row] - scale * self.after(row)));
        let shrink = if x.norm() > radius { radius / x.norm() } else { 1.0 };
        rows.iter().zip(x.iter()).for_each(|(&row, x)| self.set(row, shrink * x));
    }
}
