//! When two moving bodies next meet: pure functions of their motions.
//!
//! `candidates` lists the pairs whose swept volumes overlap; `pursuit` follows one pair of single pieces, with `clearance`
//! (and the `heights` of its shapes) saying how long it surely stays apart; `piece_closing` searches bodies of several pieces
//! piece by piece, and `closing` asks the one that fits. Who is searched, and how far ahead, is `engine::watching`.

pub(super) mod candidates;
pub(super) mod clearance;
pub(super) mod closing;
mod heights;
mod piece_closing;
pub(super) mod pursuit;
