//! Bodies of several convex pieces.

pub(super) mod numbering;
pub(super) mod pairs;

pub use pairs::{Compound, Piece, PiecePair, each_piece_pair};

#[cfg(test)]
mod tests;
