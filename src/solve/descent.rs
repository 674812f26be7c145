//! Steps towards the wishes: Gauss–Newton with the least-norm δu, shortened until the true error falls.
//!
//! ```text
//! u ← u + α·δu      α = 1, ½, ¼, …      the first with total(u + α·δu) < (1 − 10⁻⁴·α)·total(u)                  (1)
//! total = 10·|nails| + |drag|                                                                                   (2)
//! ```
//!
//! While a drag is on, nails may be missed by the curvature of a step and are brought back by the next. At the end only a
//! motion that holds them as well as the start did is given back. Where no α helps, `jump` looks for another way.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::jump::jump;
use super::least_norm::{Change, LeastNorm, LinearWish};
use super::point::{Merit, Point, Wishes};
use super::report::{MET, Report, SequenceChange, Verdict};
use super::rows::{Linear, linearize};
use super::settings::Settings;
use crate::model::{ControlVector, Model, Parameter, ParameterId};

/// Wishes this close are left alone: two orders above the round-off of a motion of some seconds.
const CLOSE: f64 = 1e-11;
/// A step must win at least this part of what it promises.
const PROMISE: f64 = 1e-4;
/// A step that is also pulled to rest values must win this part, or the pull is left out: wishes come first.
const PULLED_WIN: f64 = 0.9;
/// Halvings of one step; 2⁻⁷ of a step that does not help says that the rows do not describe this place.
const HALVINGS: i32 = 7;
/// Steps that win less than this part are slow, and this many of them in a row are no progress.
const SLOW: (f64, u32) = (0.02, 4);

/// How far past the last wish a motion is followed, s, so that the wish itself is not its end.
const BEYOND: f64 = 1e-6;

/// A suggested change of u and where it came from.
pub(super) struct Suggestion {
    pub parameters: Vec<ParameterId>,
    pub change: Change,
    /// Without the pull to rest values.
    pub plain: Vec<f64>,
    /// Which parameters move anything that is wished.
    pub felt: Vec<bool>,
}

/// One try: where it led, or the last of those that did not help.
enum Try {
    Better(Point),
    Worse(Option<Point>),
}

/// Changes u from `start` until the wishes are met, nothing helps, or the budget is used up; `go_on` may stop it early.
pub fn solve(start: Point, wishes: Wishes, settings: &Settings, go_on: &dyn Fn(u32) -> bool) -> (Point, Report) {
    let (before, duration) = (start.trajectory.clone(), start.model.duration());
    let mut report = Report::default();
    let start = until_horizon(start, wishes, &mut report);
    let mut run = Run { wishes, settings, kept: start.clone(), point: start, slow: 0, rounds: 0 };
    while report.iterations < settings.iterations && go_on(report.iterations) {
        report.iterations += 1;
        if let Some(verdict) = run.step(&mut report) {
            report.verdict = verdict;
            break;
        }
    }
    run.bring_back_nails(&mut report);
    let mut point = run.best();
    if point.model.duration() != duration {
        report.simulations += 1;
        point = Point::new(&Arc::new(point.model.with_duration(duration)), &point.u, wishes);
    }
    let merit = point.merit(wishes);
    let met = merit.missing == 0 && merit.nails <= MET && merit.drag <= MET;
    if met {
        report.verdict = Verdict::Met;
    }
    report.finish(&before, &point, wishes);
    (point, report)
}

/// The motion only as far as the wishes look: what settles afterwards costs most and says nothing.
fn until_horizon(start: Point, wishes: Wishes, report: &mut Report) -> Point {
    match wishes.horizon() {
        Some(t) if t + BEYOND < 0.8 * start.model.duration() => {
            report.simulations += 1;
            Point::new(&Arc::new(start.model.with_duration(t + BEYOND)), &start.u, wishes)
        }
        _ => start,
    }
}

struct Run<'a> {
    wishes: Wishes<'a>,
    settings: &'a Settings,
    point: Point,
    /// The best motion so far that holds the nails as well as the start did.
    kept: Point,
    slow: u32,
    rounds: u32,
}

impl Run<'_> {
    /// One iteration; a verdict where there is nothing left to do.
    fn step(&mut self, report: &mut Report) -> Option<Verdict> {
        let merit = self.point.merit(self.wishes);
        if merit.missing == 0 && merit.total() <= CLOSE {
            return Some(Verdict::Met);
        }
        let suggestion = suggest(&self.point, self.wishes, self.settings.pull, &mut report.kkt);
        let nothing = suggestion.change.length == 0.0;
        let tried = if nothing { Try::Worse(None) } else { self.follow(&suggestion, &merit, report) };
        match tried {
            Try::Better(next) => {
                let won = 1.0 - next.merit(self.wishes).total() / merit.total();
                self.slow = if won < SLOW.0 { self.slow + 1 } else { 0 };
                self.point = next;
                self.keep();
                if self.slow < SLOW.1 {
                    return None;
                }
                self.slow = 0;
                self.jump(&suggestion, None, report)
            }
            // What is met counts as met, though round-off keeps it from being closer.
            Try::Worse(_) if merit.missing == 0 && merit.nails <= MET * 1e-3 && merit.drag <= MET * 1e-3 => {
                Some(Verdict::Met)
            }
            Try::Worse(last) => {
                let way = last.and_then(|last| SequenceChange::between(&self.point.trajectory, &last.trajectory));
                self.jump(&suggestion, way, report)
            }
        }
    }

    /// (1), first with the pull to rest values, then without it.
    fn follow(&self, suggestion: &Suggestion, merit: &Merit, report: &mut Report) -> Try {
        let pulled = self.at(suggestion, &suggestion.change.du, 1.0, report);
        if pulled.merit(self.wishes).improves(merit, PULLED_WIN) {
            return Try::Better(pulled);
        }
        let longest = length(&self.point.model, &suggestion.parameters, &suggestion.plain);
        let first = (self.settings.longest_step / longest).min(1.0);
        let mut last = pulled;
        for halving in 0..=HALVINGS {
            let part = first * 0.5f64.powi(halving);
            last = self.at(suggestion, &suggestion.plain, part, report);
            if last.merit(self.wishes).improves(merit, PROMISE * part) {
                return Try::Better(last);
            }
        }
        Try::Worse(Some(last))
    }

    fn at(&self, suggestion: &Suggestion, du: &[f64], part: f64, report: &mut Report) -> Point {
        report.simulations += 1;
        let u = moved(&self.point, &suggestion.parameters, du, part);
        Point::new(&self.point.model, &u, self.wishes)
    }

    /// Looks for another way by samples, and says what it is if there is none.
    fn jump(&mut self, suggestion: &Suggestion, way: Option<SequenceChange>, report: &mut Report) -> Option<Verdict> {
        let merit = self.point.merit(self.wishes);
        if self.rounds < self.settings.rounds {
            self.rounds += 1;
            if let Some(found) = jump(&self.point, suggestion, self.wishes, self.settings, self.rounds, report) {
                report.jumps.extend(SequenceChange::between(&self.point.trajectory, &found.trajectory));
                self.point = found;
                self.rounds = 0;
                self.keep();
            }
            return None;
        }
        let influence = suggestion.felt.contains(&true);
        Some(match way {
            _ if merit.missing == 0 && merit.nails <= MET && merit.drag <= MET => Verdict::Met,
            Some(SequenceChange { pair, t }) => Verdict::Blocked { pair, t },
            None if influence || merit.missing > 0 => Verdict::Short,
            None => Verdict::Powerless,
        })
    }

    /// Remembers the point if it holds the nails and is nearer to the drag.
    fn keep(&mut self) {
        let (kept, point) = (self.kept.merit(self.wishes), self.point.merit(self.wishes));
        let holds = point.nails <= kept.nails.max(MET);
        if point.missing < kept.missing || (point.missing == kept.missing && holds && point.total() < kept.total()) {
            self.kept = self.point.clone();
        }
    }

    /// Nails that a drag missed by the curvature of its last step are brought back without it.
    fn bring_back_nails(&mut self, report: &mut Report) {
        let merit = self.point.merit(self.wishes);
        if self.wishes.drag.is_none() || merit.nails <= CLOSE || merit.missing > 0 {
            return;
        }
        let alone = Wishes { drag: None, ..self.wishes };
        let mut point = Point { drag: None, ..self.point.clone() };
        for _ in 0..6 {
            let merit = point.merit(alone);
            let suggestion = suggest(&point, alone, 0.0, &mut report.kkt);
            if merit.nails <= CLOSE || suggestion.change.length == 0.0 {
                break;
            }
            report.simulations += 1;
            let next = Point::new(&point.model, &moved(&point, &suggestion.parameters, &suggestion.plain, 1.0), alone);
            if !next.merit(alone).improves(&merit, PROMISE) {
                break;
            }
            point = next;
        }
        self.point = Point::of(point.model, point.u, point.trajectory, self.wishes);
        self.keep();
    }

    fn best(&self) -> Point {
        let (kept, point) = (self.kept.merit(self.wishes), self.point.merit(self.wishes));
        let broken = point.nails > kept.nails.max(MET) || point.missing > kept.missing;
        if broken || point.total() > kept.total() { self.kept.clone() } else { self.point.clone() }
    }
}

/// The least-norm change at a point.
pub(super) fn suggest(point: &Point, wishes: Wishes, pull: f64, kkt: &mut f64) -> Suggestion {
    let parameters: Vec<ParameterId> = point.model.free_parameters().collect();
    let Linear { nails, drag } = linearize(point, wishes.nails, &parameters);
    let of = |id: ParameterId| &point.model.parameters()[id.index()];
    // Only what the drag can feel is pulled to rest: a drag leaves alone what is outside its causal past.
    let moves = |wishes: &[LinearWish], k: usize| wishes.iter().any(|wish| wish.row[k] != 0.0);
    let felt_by_any = (0..parameters.len()).map(|k| moves(&nails, k) || moves(&drag, k)).collect();
    let felt = if drag.is_empty() { &nails } else { &drag };
    let feels: Vec<bool> = (0..parameters.len()).map(|k| moves(felt, k)).collect();
    let bounds = |id: &ParameterId| {
        let Parameter { bounds, .. } = of(*id);
        ((bounds.0 - point.u[*id]).min(0.0), (bounds.1 - point.u[*id]).max(0.0))
    };
    let rest = |(k, id): (usize, &ParameterId)| if feels[k] { pull * (of(*id).rest - point.u[*id]) } else { 0.0 };
    let mut problem = LeastNorm {
        levels: vec![nails, drag],
        metric: parameters.iter().map(|id| of(*id).metric).collect(),
        pull: vec![0.0; parameters.len()],
        bounds: parameters.iter().map(bounds).collect(),
    };
    let plain = problem.solve();
    *kkt = kkt.max(plain.kkt);
    let change = if pull == 0.0 || plain.length == 0.0 {
        plain.clone()
    } else {
        problem.pull = parameters.iter().enumerate().map(rest).collect();
        problem.solve()
    };
    *kkt = kkt.max(change.kkt);
    Suggestion { parameters, plain: plain.du, change, felt: felt_by_any }
}

/// u + part·δu within its bounds.
pub(super) fn moved(point: &Point, parameters: &[ParameterId], du: &[f64], part: f64) -> ControlVector {
    let mut u = point.u.clone();
    for (id, change) in parameters.iter().zip(du).filter(|(_, change)| **change != 0.0) {
        let (low, high) = point.model.parameters()[id.index()].bounds;
        u[*id] = (u[*id] + part * change).clamp(low, high);
    }
    u
}

/// √(δuᵀMδu).
pub(super) fn length(model: &Arc<Model>, parameters: &[ParameterId], du: &[f64]) -> f64 {
    let square = |(id, change): (&ParameterId, &f64)| model.parameters()[id.index()].metric * change * change;
    parameters.iter().zip(du).map(square).sum::<f64>().sqrt()
}

/// What a sample must avoid to leave the nails met: rows of level 1 in √M·δu.
pub(super) fn nail_rows<'a>(suggestion: &'a Suggestion, wishes: Wishes) -> Option<&'a DMatrix<f64>> {
    let nails = wishes.drag.is_some() && wishes.nails.iter().any(|goal| goal.enabled);
    nails.then_some(&suggestion.change.first_level)
}
