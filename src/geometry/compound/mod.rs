//! Bodies of several convex pieces.

pub(super) mod bounds;
pub(super) mod covering;
pub(super) mod numbering;
pub(super) mod pairs;

pub use pairs::{PiecePair, each_piece_pair};

#[cfg(test)]
mod tests;
