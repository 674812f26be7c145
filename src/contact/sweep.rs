//! Gauss–Seidel sweeps over the contacts: slow, but never lost.
//!
//! ```text
//! p_n ← max(0, p_n − w⁺_n/k_n)                                 k_n: the contact's own normal response
//! p_t ← p_t − w⁺_t/k_t, shortened to μ·p_n where longer        k_t: the largest eigenvalue of its tangential one
//! ```
//!
//! They give `newton` a start from which its first pieces are mostly the right ones.

use super::solver::ContactProblem;

/// `count` sweeps over `p` with velocity `velocity` and response K + `shift`.
pub(super) fn sweep(problem: &ContactProblem, velocity: &[f64], shift: f64, p: &mut [f64], count: usize) {
    let size = p.len();
    let response = problem.response.as_slice();
    // K is symmetric, so its rows are its contiguous columns.
    let after = |p: &[f64], row: usize| -> f64 {
        let column = &response[row * size..(row + 1) * size];
        velocity[row] + shift * p[row] + column.iter().zip(p).map(|(k, p)| k * p).sum::<f64>()
    };
    let entry = |row: usize, column: usize| response[column * size + row] + if row == column { shift } else { 0.0 };
    for _ in 0..count {
        for (i, &friction) in problem.friction.iter().enumerate() {
            let (n, t1, t2) = (3 * i, 3 * i + 1, 3 * i + 2);
            p[n] = match &problem.given_normal {
                None => (p[n] - after(p, n) / entry(n, n).max(f64::MIN_POSITIVE)).max(0.0),
                Some(given) => given[i],
            };
            let radius = friction * p[n];
            if radius.is_nan() || radius <= 0.0 {
                (p[t1], p[t2]) = (0.0, 0.0);
                continue;
            }
            let (a, b, c) = (entry(t1, t1), entry(t1, t2), entry(t2, t2));
            let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
            let scale = 1.0 / largest.max(f64::MIN_POSITIVE);
            let (z1, z2) = (p[t1] - scale * after(p, t1), p[t2] - scale * after(p, t2));
            let length = (z1 * z1 + z2 * z2).sqrt();
            let shrink = if length > radius { radius / length } else { 1.0 };
            (p[t1], p[t2]) = (shrink * z1, shrink * z2);
        }
    }
}
