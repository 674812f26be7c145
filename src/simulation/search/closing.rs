//! When two moving bodies next meet, of whatever pieces they are.

use super::super::limits::SearchLimit;
use super::clearance::Mover;
use super::piece_closing::first_closing_of_pieces;
use super::pursuit::{SearchReport, Workspace, pursue};
use crate::math::Vec3;

/// The first time in (from, until] at which the pair closes. `hint` is a recent axis of the pair, `limit`
/// bounds the work.
pub fn first_closing(
    movers: [Mover; 2],
    from: f64,
    until: f64,
    hint: Option<Vec3>,
    limit: SearchLimit,
    workspace: &mut Workspace,
) -> SearchReport {
    if movers.iter().any(|mover| mover.solid.piece_count() > 1) {
        return first_closing_of_pieces(movers, from, until, hint, limit, workspace);
    }
    pursue(movers, from, until, hint, limit, workspace)
}
