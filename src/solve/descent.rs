//! The way to the wishes: Gauss–Newton steps while they help, jumps where they do not, and when to stop.
//!
//! ```text
//! u ← u + δu(r)      total = 10·|nails| + |drag| falls                                                          (1)
//! ```
//!
//! While a drag is on, nails may be missed by the curvature of a step and are brought back by the next. At the end only a
//! motion that holds them as well as the start did is given back. Where no α helps, `jump` looks for another way.
//!
//! Motions are followed only as far as the wishes look. Where a step or a sample loses an event, it may have moved past that time: if so,
//! they are followed further.

use std::sync::Arc;

use rayon::prelude::*;

use super::jump::{Jumped, Search};
use super::point::{Merit, Point, Wishes};
use super::report::{Report, SequenceChange, Verdict};
use super::settings::{Ask, GoOn, MET, Settings};
use super::step::{Stride, Try};
use super::suggestion::{Suggestion, suggest};
use crate::simulation::Signature;

/// Wishes this close are left alone: two orders above the round-off of a motion of some seconds.
const CLOSE: f64 = 1e-11;
/// A step that is also pulled to rest values must win this part, or the pull is left out: wishes come first.
const PULLED_WIN: f64 = 0.9;
/// Lengths of one step; 2⁻⁷ of a step that does not help says that the rows do not describe this place.
const LENGTHS: u32 = 8;
/// Steps that win less than this part are slow, and this many of them in a row are no progress.
const SLOW: (f64, u32) = (0.02, 4);
/// Where an event is lost, motions are followed so many times as far, and at least for this part of the whole.
const FURTHER: (f64, f64) = (2.0, 0.2);

/// Changes u from `start` until the wishes are met, nothing helps, or the budget is used up; `go_on` may stop it early.
pub fn solve(start: Point, wishes: Wishes, settings: &Settings, go_on: GoOn) -> (Point, Report) {
    let (mut before, duration) = (start.trajectory.clone(), start.model.duration());
    let mut report = Report::default();
    let start = until_horizon(start, wishes, &mut report);
    let stride = Stride::new(settings.longest_step, LENGTHS);
    let (kept, origin) = (start.clone(), start.clone());
    let mut run = Run {
        wishes,
        settings,
        duration,
        kept,
        origin,
        reach: None,
        point: start,
        stride,
        stuck: None,
        tried: Vec::new(),
        slow: 0,
        way: None,
        rounds: 0,
        go_on,
        broken_off: false,
    };
    while report.iterations < settings.iterations && go_on(Ask::Step(report.iterations)) {
        report.iterations += 1;
        let ended = run.step(&mut report);
        if run.broken_off {
            report.iterations -= 1;
            break;
        }
        if let Some(verdict) = ended {
            report.verdict = verdict;
            break;
        }
    }
    run.bring_back_nails(&mut report);
    report.simulations += run.stride.simulations;
    report.kkt = report.kkt.max(run.stride.kkt);
    let mut point = run.best();
    if point.model.duration() != duration {
        let model = Arc::new(point.model.with_duration(duration));
        if settings.whole {
            report.simulations += 1;
            point = Point::new(&model, &point.u, wishes);
        } else {
            point.model = model;
        }
    }
    if !settings.whole {
        // Two motions are compared as far as both are known.
        before = run.origin.trajectory.clone();
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
    let (known, duration) = (start.trajectory.is_whole(&start.model), start.model.duration());
    let t = start.horizon(wishes).filter(|t| *t < 0.8 * duration);
    let model = Arc::new(start.model.with_duration(t.unwrap_or(duration)));
    match t {
        // A drag before this one has left it there.
        Some(t) if start.trajectory.t_end == t && !known => Point { model, ..start },
        None if known => start,
        _ => {
            report.simulations += 1;
            Point::new(&model, &start.u, wishes)
        }
    }
}

/// Where no step helps, and what was in the way.
struct Stuck {
    suggestion: Suggestion,
    way: Option<SequenceChange>,
}

struct Run<'a> {
    wishes: Wishes<'a>,
    settings: &'a Settings,
    /// Of the whole motion, s.
    duration: f64,
    point: Point,
    /// The best motion so far that holds the nails as well as the start did.
    kept: Point,
    /// Where it began.
    origin: Point,
    /// How far the rows saw the answer from there, in the metric.
    reach: Option<f64>,
    stride: Stride,
    stuck: Option<Stuck>,
    /// Kinds of motion that samples led to and steps did not improve enough.
    tried: Vec<Signature>,
    slow: u32,
    /// What was in the way of steps since one of them won much.
    way: Option<SequenceChange>,
    rounds: u32,
    go_on: GoOn<'a>,
    /// Whether a step or a round of samples was not wanted to its end. Nothing of it stays, so that a replay with the iterations
    /// before it ends in the same bits.
    broken_off: bool,
}

impl Run<'_> {
    /// One iteration: a step, or a round of samples where steps do not help; a verdict where there is nothing left to do.
    fn step(&mut self, report: &mut Report) -> Option<Verdict> {
        match self.stuck.take() {
            Some(stuck) => self.jump(stuck, report),
            None => self.walk(report),
        }
    }

    fn walk(&mut self, report: &mut Report) -> Option<Verdict> {
        let merit = self.point.merit(self.wishes);
        if merit.missing == 0 && merit.total() <= CLOSE {
            return Some(Verdict::Met);
        }
        let suggestion = suggest(&self.point, self.wishes, self.settings.pull, &mut report.kkt);
        if suggestion.parameters.is_empty() {
            return Some(Verdict::Powerless);
        }
        let longest = self.settings.longest_step;
        self.reach.get_or_insert(suggestion.plain.length.clamp(0.02, longest));
        if self.slow == SLOW.1 {
            self.slow = 0;
            return self.jump(Stuck { suggestion, way: self.way }, report);
        }
        let nothing = suggestion.plain.length == 0.0;
        let tried = if nothing { Try::Worse } else { self.follow(&suggestion, &merit) };
        let lost: Vec<Point> = self.stride.lost.take().into_iter().collect();
        let later = !matches!(tried, Try::BrokenOff) && self.comes_later(&lost, report);
        match tried {
            Try::Better(next) => {
                let won = 1.0 - next.merit(self.wishes).total() / merit.total();
                (self.slow, self.way) =
                    if won < SLOW.0 { (self.slow + 1, self.stride.way.or(self.way)) } else { (0, None) };
                self.point = next;
                self.keep();
                if later {
                    self.look_further(report);
                }
                None
            }
            // What is met counts as met, though round-off keeps it from being closer.
            Try::Worse if merit.missing == 0 && merit.nails <= MET * 1e-3 && merit.drag <= MET * 1e-3 => {
                Some(Verdict::Met)
            }
            Try::BrokenOff => {
                self.broken_off = true;
                None
            }
            Try::Worse if later => {
                self.look_further(report);
                None
            }
            Try::Worse => {
                let way = if nothing { None } else { self.stride.way.or(self.way) };
                self.jump(Stuck { suggestion, way }, report)
            }
        }
    }

    /// Whether an event that was lost comes after the time at which motions are cut.
    fn comes_later(&self, lost: &[Point], report: &mut Report) -> bool {
        let t = self.further();
        if self.point.model.duration() >= t || !self.point.floats(self.wishes) {
            return false;
        }
        report.simulations += lost.len() as u32;
        let found = |point: &Point| {
            let longer = Point::new(&Arc::new(point.model.with_duration(t)), &point.u, self.wishes);
            longer.merit(self.wishes).missing < point.merit(self.wishes).missing
        };
        lost.par_iter().any(found)
    }

    /// How far motions are followed next, s.
    fn further(&self) -> f64 {
        (FURTHER.0 * self.point.model.duration()).max(FURTHER.1 * self.duration).min(self.duration)
    }

    /// Follows all motions further.
    fn look_further(&mut self, report: &mut Report) {
        let t = self.further();
        for point in [&mut self.point, &mut self.kept, &mut self.origin] {
            *point = Point::new(&Arc::new(point.model.with_duration(t)), &point.u, self.wishes);
        }
        report.simulations += 3;
        self.stride.forget();
    }

    /// First with the pull to rest values, where the whole way is in reach, then without it.
    fn follow(&mut self, suggestion: &Suggestion, merit: &Merit) -> Try {
        let Suggestion { plain, pulled, .. } = suggestion;
        if pulled.length <= self.stride.radius && pulled.du != plain.du {
            let pulled = self.stride.at(&self.point, suggestion, &pulled.du, self.wishes);
            if pulled.merit(self.wishes).improves(merit, PULLED_WIN) {
                return Try::Better(pulled);
            }
        }
        self.stride.step(&self.point, suggestion, self.wishes, self.go_on)
    }

    /// Looks for another way by samples, and says what it is if there is none.
    fn jump(&mut self, stuck: Stuck, report: &mut Report) -> Option<Verdict> {
        if self.rounds < self.settings.rounds {
            self.rounds += 1;
            let (wishes, settings, round) = (self.wishes, self.settings, self.rounds);
            let search = Search {
                point: &self.point,
                origin: &self.origin,
                reach: self.reach.unwrap_or(1.0),
                wishes,
                settings,
                round,
            };
            match search.jump(&stuck.suggestion, &mut self.tried, report, self.go_on) {
                Jumped::To(found) => {
                    report.jumps.extend(SequenceChange::between(&self.point.trajectory, &found.trajectory));
                    self.point = *found;
                    self.rounds = 0;
                    self.way = None;
                    self.stride.forget();
                    self.tried.clear();
                    self.keep();
                }
                Jumped::Nowhere(lost) if self.comes_later(&lost, report) => self.look_further(report),
                Jumped::Nowhere(_) => self.stuck = Some(stuck),
                Jumped::BrokenOff => self.broken_off = true,
            }
            return None;
        }
        let merit = self.point.merit(self.wishes);
        let influence = stuck.suggestion.felt.contains(&true);
        Some(match stuck.way {
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
        self.stride.forget();
        for _ in 0..6 {
            let suggestion = suggest(&point, alone, 0.0, &mut report.kkt);
            if point.merit(alone).nails <= CLOSE || suggestion.plain.length == 0.0 {
                break;
            }
            let Try::Better(next) = self.stride.step(&point, &suggestion, alone, &|_| true) else { break };
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
