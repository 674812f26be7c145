//! Bodies of several convex pieces.
//!
//! Two bodies are as far apart as their nearest pieces, and touch where any two pieces touch. Vertices, edges and
//! faces are numbered through all pieces of a body (`numbering`), so that a feature names its pieces; formulas are those of
//! the two convex pieces. Pairs of pieces that are surely farther apart than asked are left out (`bounds`, `pairs`), and so
//! are features on seams between flush pieces (`covering`).

pub(super) mod bounds;
pub(super) mod covering;
pub(super) mod numbering;
pub(super) mod pairs;

pub use pairs::{PiecePair, each_piece_pair};

#[cfg(test)]
mod tests;
