//! When two bodies of several pieces next meet: the earliest meeting of any two of their pieces.
//!
//! The time is taken in spans. In x seconds no point of one body comes nearer to the other than
//!
//! ```text
//! D(x) = |Δv|·x + ½·|Δg|·x² + (Ω₁·ρ₁ + Ω₂·ρ₂)·x                                                  (1)
//! ```
//!
//! with Δv, Δg the velocity and the largest acceleration between the centres, Ω bounds of the spins and ρ the reaches; a
//! half-space that turns reaches as far as the other body can be from its centre. So in each
//! span only pairs of pieces are searched whose bounds are nearer than D of its length; the others cannot meet in it.

use super::super::limits::SearchLimit;
use super::clearance::Mover;
use super::pursuit::{Search, SearchReport, Workspace, pursue};
use crate::geometry::compound::each_piece_pair;
use crate::geometry::{Pose, Separation, separation};
use crate::math::Vec3;
use crate::math::root::first_quadratic_root;
use crate::simulation::settings::{DEEP, SIMULTANEOUS};

/// D of a span, as a part of the smaller body's reach.
const SPAN: f64 = 0.2;
/// Most spans of one search.
const MAX_SPANS: f64 = 64.0;
/// Times at which it is.
const LOOKS: u32 = 16;

struct Bodies<'a> {
    movers: [Mover<'a>; 2],
    hint: Option<Vec3>,
}

/// The first time in (from, until] at which two pieces close.
pub fn first_closing_of_pieces(
    movers: [Mover; 2],
    from: f64,
    until: f64,
    hint: Option<Vec3>,
    limit: SearchLimit,
    workspace: &mut Workspace,
) -> SearchReport {
    let bodies = Bodies { movers, hint };
    let mut report = SearchReport {
        outcome: Search::Apart,
        start_gap: f64::INFINITY,
        start_normal: Vec3::y(),
        widest_gap: f64::INFINITY,
        steps: 0,
    };
    let mut t = from;
    let mut pairs = std::mem::take(&mut workspace.pieces);
    while t < until && report.steps < limit.steps && (limit.wanted)() && report.outcome == Search::Apart {
        let nearest = bodies.list(t, &mut pairs);
        if t == from {
            report.start_gap = nearest;
            if nearest <= DEEP {
                let start = bodies.separation(from);
                (report.start_gap, report.start_normal) = (start.gap, start.normal);
            }
        }
        let span = bodies.span(t, nearest, until - t).max((until - from) / MAX_SPANS);
        let end = if t + span < until { t + span } else { until };
        let near = bodies.approach(t, end - t) + SIMULTANEOUS;
        pairs.retain(|(apart, _)| *apart <= near);
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        report.steps += 1;
        bodies.search_span(t, end, &pairs, limit, &mut report, workspace);
        t = end;
    }
    workspace.pieces = pairs;
    report.widest_gap = report.start_gap;
    if let (Search::Closing { t, .. }, true) = (report.outcome, report.start_gap <= DEEP) {
        report.widest_gap = bodies.widest_gap(from, t);
    }
    report
}

impl Bodies<'_> {
    fn poses(&self, t: f64) -> [Pose; 2] {
        self.movers.map(|mover| mover.motion.at(t).pose())
    }

    /// All pairs of pieces with a lower bound of their distance; the least bound.
    fn list(&self, t: f64, pairs: &mut Vec<(f64, [usize; 2])>) -> f64 {
        pairs.clear();
        let ([first, second], poses) = (self.movers, self.poses(t));
        each_piece_pair(first.solid, &poses[0], second.solid, &poses[1], |pair, apart| pairs.push((apart, pair)));
        pairs.iter().map(|(apart, _)| *apart).fold(f64::INFINITY, f64::min)
    }

    fn separation(&self, t: f64) -> Separation {
        let ([first, second], poses) = (self.movers, self.poses(t));
        separation(first.solid, &poses[0], second.solid, &poses[1], self.hint)
    }

    /// The rates of (1), for the next `limit` seconds: of x and of ½x².
    fn rates(&self, t: f64, limit: f64) -> [f64; 2] {
        let states = self.movers.map(|mover| mover.motion.along_path(t));
        let [first, second] = self.movers.map(|mover| mover.motion.bounds(t, t + limit));
        let drift = (states[0].velocity - states[1].velocity).norm();
        let unsteadiness = first.unsteadiness + second.unsteadiness;
        let acceleration = (first.acceleration - second.acceleration).norm() + unsteadiness;
        let reach = |k: usize| match self.movers[k].solid.reach() {
            reach if reach.is_finite() => reach,
            _ => {
                let away = (states[0].position - states[1].position).norm();
                away + (drift + 0.5 * acceleration * limit) * limit + self.movers[1 - k].solid.reach()
            }
        };
        let turning = |k: usize, spin: f64| if spin > 0.0 { spin * reach(k) } else { 0.0 };
        [drift + turning(0, first.spin) + turning(1, second.spin), acceleration]
    }

    /// D(x) of (1).
    fn approach(&self, t: f64, x: f64) -> f64 {
        let [speed, acceleration] = self.rates(t, x);
        x * (speed + 0.5 * acceleration * x)
    }

    /// How long the next span is: D reaches somewhat beyond the nearest pieces.
    fn span(&self, t: f64, nearest: f64, limit: f64) -> f64 {
        let [speed, acceleration] = self.rates(t, limit);
        let size = self.movers.iter().map(|mover| mover.solid.reach()).fold(f64::INFINITY, f64::min);
        let target = nearest.max(0.0) + SPAN * size;
        first_quadratic_root(-0.5 * acceleration, -speed, target).min(limit)
    }

    /// Searches the listed pairs of pieces from t to `end`, and keeps the earliest closing.
    fn search_span(
        &self,
        t: f64,
        end: f64,
        pairs: &[(f64, [usize; 2])],
        limit: SearchLimit,
        report: &mut SearchReport,
        workspace: &mut Workspace,
    ) {
        let mut until = end;
        for &(_, [i, j]) in pairs {
            let [first, second] = self.movers;
            let pieces =
                [Mover { solid: first.solid.piece(i), ..first }, Mover { solid: second.solid.piece(j), ..second }];
            let left = SearchLimit { steps: limit.steps.saturating_sub(report.steps), ..limit };
            let found = pursue(pieces, t, until, self.hint, left, workspace);
            report.steps += found.steps;
            match found.outcome {
                Search::Apart => {}
                Search::NonFinite => {
                    report.outcome = Search::NonFinite;
                    return;
                }
                Search::Closing { t: met, .. } => {
                    let earlier = match report.outcome {
                        Search::Closing { t: known, .. } => met < known,
                        _ => true,
                    };
                    if earlier {
                        report.outcome = found.outcome;
                        until = met.max(t.next_up());
                    }
                }
            }
        }
    }

    /// The widest gap of the bodies between two times, as far as a few looks tell.
    fn widest_gap(&self, from: f64, until: f64) -> f64 {
        let time = |k: u32| from + (until - from) * f64::from(k) / f64::from(LOOKS);
        (0..LOOKS).map(|k| self.separation(time(k)).gap).fold(f64::NEG_INFINITY, f64::max)
    }
}
