//! Gauss–Seidel sweeps over the blocks: slow, but never lost.
//!
//! Each block in turn takes the impulse that its law asks for while all others keep theirs; the laws say how (`law`). They
//! give `newton` a start from which its first pieces are mostly the right ones.

use crate::contact::law::kind::PerKind;
use crate::contact::linear::relaxation::Relaxation;
use crate::contact::problem::ContactProblem;

/// `count` sweeps over `p` with velocity `velocity` and response K + `shift`.
pub(in crate::contact) fn sweep(
    problem: &ContactProblem,
    velocity: &[f64],
    shift: PerKind,
    p: &mut [f64],
    count: usize,
) {
    let mut at = Relaxation::new(&problem.response, velocity, p);
    for _ in 0..count {
        for (block, law) in problem.laws.iter().enumerate() {
            at.shift = shift[law.kind()];
            law.relax(block, problem.given(block), &mut at);
        }
    }
}
