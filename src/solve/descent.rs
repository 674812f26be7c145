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

use super::joints;
use super::jump::{Jumped, Search};
use super::needed;
use super::point::{Merit, Point, Wishes};
use super::purse::Purse;
use super::report::{Report, SequenceChange, Stop, Verdict};
use super::settings::{Ask, GoOn, MET, Settings, Unwanted};
use super::step::{Stride, Try};
use super::suggestion::{Suggestion, Whose, suggest};
use crate::goal::{Goal, Reading};
use crate::model::Model;
use crate::simulation::{Limits, Signature};

/// Wishes this close are left alone: two orders above the round-off of a motion of some seconds.
const CLOSE: f64 = 1e-11;
/// A step that is also pulled to rest values must win this part, or the pull is left out: wishes come first.
const PULLED_WIN: f64 = 0.9;
/// Lengths of one step; 2⁻⁷ of a step that does not help says that the rows do not describe this place.
const LENGTHS: u32 = 8;
/// Steps that win less than this part are slow, and this many of them in a row are no progress.
const SLOW: (f64, u32) = (0.02, 4);
/// Steps by which the wishes' own bodies try to do without others.
const ALONE: u32 = 8;
/// Where an event is lost, motions are followed so many times as far, and at least for this part of the whole.
const FURTHER: (f64, f64) = (2.0, 0.2);

/// Changes u from `start` until the wishes are met, nothing helps, or the budget is used up; `go_on` may stop it early.
///
/// Wishes on which nothing that is free has any influence are left out, and told of.
pub fn solve(start: Point, wishes: Wishes, settings: &Settings, go_on: GoOn) -> (Point, Report) {
    let in_vain = |goal: &Goal, reading: &Reading| {
        goal.enabled && reading.error().is_none_or(|error| error > MET) && goal.powerless(&start.model).is_some()
    };
    let mut nails = wishes.nails.to_vec();
    nails.iter_mut().zip(&start.nails).for_each(|(goal, reading)| goal.enabled &= !in_vain(goal, reading));
    let left_out = (0..nails.len()).any(|k| nails[k].enabled != wishes.nails[k].enabled);
    let others = Wishes { nails: &nails, ..wishes };
    let vain_drag = wishes.drag.zip(start.drag.as_ref()).is_some_and(|(goal, reading)| in_vain(goal, reading));
    if vain_drag || (left_out && start.merit(others).is_met()) {
        let mut report = Report { verdict: Verdict::Powerless, ..Report::default() };
        report.finish(&start.trajectory.clone(), &start, wishes);
        return (start, report);
    }
    let (end, mut report) = solve_for(start, others, settings, go_on);
    if left_out {
        // The others may hold: those that were left out do not.
        if report.verdict == Verdict::Met {
            report.verdict = Verdict::Powerless;
        }
        report.tell(&end, wishes);
    }
    (end, report)
}

/// The same for wishes that something may have influence on.
fn solve_for(start: Point, wishes: Wishes, settings: &Settings, go_on: GoOn) -> (Point, Report) {
    let (mut before, duration) = (start.trajectory.clone(), start.model.duration());
    let mut report = Report::default();
    let start = match until_horizon(&start, wishes, &mut report, go_on) {
        Ok(start) => start,
        Err(Unwanted) => {
            report.verdict = Verdict::Unfinished(Stop::Asked);
            report.finish(&before, &start, wishes);
            return (start, report);
        }
    };
    let start = begun_on_joints(start, wishes, &mut report);
    let purse = Purse::new(settings.effort, &start, go_on);
    let stride = Stride::new(settings.longest_step, LENGTHS, purse);
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
        no_further: false,
        let_be: false,
    };
    report.verdict = run.follow_wishes(&mut report, go_on);
    run.bring_back_nails(&mut report);
    report.simulations += run.stride.purse.simulations;
    report.kkt = report.kkt.max(run.stride.kkt);
    let mut point = run.best();
    if point.model.duration() != duration {
        point = with_the_rest(point, duration, wishes, settings, &mut report, go_on);
    }
    if !point.trajectory.is_whole(&point.model) {
        // Two motions are compared as far as both are known.
        before = run.origin.trajectory.clone();
    }
    if point.merit(wishes).is_met() {
        report.verdict = Verdict::Met;
    }
    report.finish(&before, &point, wishes);
    report.needed = needed::names(&run.origin, &point, wishes);
    (point, report)
}

/// The same motion from a start that is assembled already, where there is something to do: steps move on joints.
fn begun_on_joints(start: Point, wishes: Wishes, report: &mut Report) -> Point {
    let merit = start.merit(wishes);
    if !start.model.assembles() || (merit.missing == 0 && merit.total() <= CLOSE) {
        return start;
    }
    let Some(u) = joints::assembled(&start.model, &start.u) else { return start };
    report.simulations += 1;
    Point::within(&start.model, &u, wishes, Limits::NONE).unwrap_or(start)
}

/// The motion only as far as the wishes look: what settles afterwards costs most and says nothing.
fn until_horizon(start: &Point, wishes: Wishes, report: &mut Report, go_on: GoOn) -> Result<Point, Unwanted> {
    let (known, duration) = (start.trajectory.is_whole(&start.model), start.model.duration());
    let t = start.horizon(wishes).filter(|t| *t < 0.8 * duration);
    let model = Arc::new(start.model.with_duration(t.unwrap_or(duration)));
    match t {
        // A drag before this one has left it there.
        Some(t) if start.trajectory.t_end == t && !known => Ok(Point { model, ..start.clone() }),
        None if known => Ok(start.clone()),
        _ => {
            report.simulations += 1;
            unless_unwanted(&model, start, wishes, Ask::Motion, go_on)
        }
    }
}

/// The motion after what wishes look at, where it is wanted.
fn with_the_rest(
    mut point: Point,
    duration: f64,
    wishes: Wishes,
    settings: &Settings,
    report: &mut Report,
    go_on: GoOn,
) -> Point {
    let model = Arc::new(point.model.with_duration(duration));
    if settings.whole
        && let Ok(whole) = unless_unwanted(&model, &point, wishes, Ask::Rest, go_on)
    {
        report.simulations += 1;
        return whole;
    }
    point.model = model;
    point
}

/// The motion of another model with the same u, whatever it costs, while somebody waits for it.
fn unless_unwanted(
    model: &Arc<Model>,
    point: &Point,
    wishes: Wishes,
    ask: Ask,
    go_on: GoOn,
) -> Result<Point, Unwanted> {
    let limits = Limits { wanted: &|| go_on(ask), ..Limits::NONE };
    Point::within(model, &point.u, wishes, limits).map_err(|_| Unwanted)
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
    stride: Stride<'a>,
    stuck: Option<Stuck>,
    /// Kinds of motion that samples led to and steps did not improve enough.
    tried: Vec<Signature>,
    slow: u32,
    /// What was in the way of steps since one of them won much.
    way: Option<SequenceChange>,
    rounds: u32,
    /// Motions further than now are too dear.
    no_further: bool,
    /// Whether it was tried to do without what has no wish of its own.
    let_be: bool,
}

/// What an iteration came to: a verdict where there is nothing left to do. One that was not wanted to its end leaves nothing
/// behind, so that a replay with the iterations before it ends in the same bits.
type Step = Result<Option<Verdict>, Unwanted>;

impl Run<'_> {
    /// Iterations until one of them, or the budget, says how it stands.
    fn follow_wishes(&mut self, report: &mut Report, go_on: GoOn) -> Verdict {
        while report.iterations < self.settings.iterations {
            if self.stride.purse.is_empty() {
                return Verdict::Unfinished(Stop::Effort);
            }
            if !go_on(Ask::Step(report.iterations)) {
                return Verdict::Unfinished(Stop::Asked);
            }
            report.iterations += 1;
            let before = (self.point.clone(), self.kept.clone(), self.stride.purse);
            match self.step(report) {
                Ok(None) => {}
                Ok(Some(verdict)) => return verdict,
                Err(Unwanted) => {
                    report.iterations -= 1;
                    (self.point, self.kept, self.stride.purse) = before;
                    return Verdict::Unfinished(Stop::Asked);
                }
            }
        }
        Verdict::Unfinished(Stop::Iterations)
    }

    /// One iteration: a step, or a round of samples where steps do not help.
    fn step(&mut self, report: &mut Report) -> Step {
        match self.stuck.take() {
            Some(stuck) => self.jump(stuck, report),
            None => self.walk(report),
        }
    }

    fn walk(&mut self, report: &mut Report) -> Step {
        let merit = self.point.merit(self.wishes);
        if merit.missing == 0 && merit.total() <= CLOSE {
            return self.met(report);
        }
        let mut suggestion = self.suggest(Whose::Needed, report)?;
        if suggestion.parameters.is_empty() {
            return Ok(Some(Verdict::Powerless));
        }
        let longest = self.settings.longest_step;
        self.reach.get_or_insert(suggestion.plain.length.clamp(0.02, longest));
        if self.slow == SLOW.1 {
            self.slow = 0;
            let suggestion = self.suggest(Whose::All, report)?;
            return self.jump(Stuck { suggestion, way: self.way }, report);
        }
        let nothing = suggestion.plain.length == 0.0;
        let mut tried = if nothing { Try::Worse } else { self.follow(&suggestion, &merit)? };
        if matches!(tried, Try::Worse) && !merit.nearly_met() {
            // Where the wishes' own bodies come no further, others may.
            let wide = self.suggest(Whose::All, report)?;
            if wide.parameters.len() > suggestion.parameters.len() {
                if wide.plain.length > 0.0 {
                    tried = self.stride.step(&self.point, &wide, self.wishes)?;
                }
                suggestion = wide;
            }
        }
        let lost: Vec<Point> = self.stride.lost.take().into_iter().collect();
        let later = self.comes_later(&lost)?;
        match tried {
            Try::Better(next) => {
                let slow = !next.merit(self.wishes).improves(&merit, SLOW.0);
                (self.slow, self.way) = if slow { (self.slow + 1, self.stride.way.or(self.way)) } else { (0, None) };
                self.point = next;
                self.keep();
                if later {
                    self.look_further()?;
                }
                Ok(None)
            }
            // What is met counts as met, though round-off keeps it from being closer.
            Try::Worse if merit.nearly_met() => self.met(report),
            Try::Worse if later => {
                self.look_further()?;
                Ok(None)
            }
            Try::Worse => {
                let way = if nothing { None } else { self.stride.way.or(self.way) };
                self.jump(Stuck { suggestion, way }, report)
            }
        }
    }

    /// The change that the rows suggest here.
    fn suggest(&mut self, whose: Whose, report: &mut Report) -> Result<Suggestion, Unwanted> {
        let Run { point, wishes, settings, stride, .. } = self;
        suggest(point, *wishes, settings.pull, whose, &mut stride.purse, &mut report.kkt)
    }

    /// The wishes are met: what has no wish of its own goes back to where it was, if they are met without it too.
    fn met(&mut self, report: &mut Report) -> Step {
        let changed = needed::others(&self.origin, &self.point, self.wishes);
        if self.let_be || changed.is_empty() {
            return Ok(Some(Verdict::Met));
        }
        self.let_be = true;
        let u = needed::put_back(&self.origin, &self.point, &changed);
        self.stride.forget();
        let mut back = self.stride.purse.point(&self.point.model, &u, self.wishes)?;
        for _ in 0..ALONE {
            let Some(point) = back.take_if(|point| !point.merit(self.wishes).nearly_met()) else { break };
            let suggestion = suggest(&point, self.wishes, 0.0, Whose::Own, &mut self.stride.purse, &mut report.kkt)?;
            if suggestion.plain.length > 0.0
                && let Try::Better(next) = self.stride.step(&point, &suggestion, self.wishes)?
            {
                back = Some(next);
            }
        }
        let Some(alone) = back.filter(|point| point.merit(self.wishes).nearly_met()) else {
            return Ok(Some(Verdict::Met));
        };
        (self.point, self.kept) = (alone.clone(), alone);
        Ok(None)
    }

    /// Whether an event that was lost comes after the time at which motions are cut.
    fn comes_later(&mut self, lost: &[Point]) -> Result<bool, Unwanted> {
        let t = self.further();
        if self.point.model.duration() >= t || !self.point.floats(self.wishes) {
            return Ok(false);
        }
        let (share, wishes) = (self.stride.purse.share(lost.len()), self.wishes);
        let found = |point: &Point| {
            let mut purse = share;
            let longer = purse.point(&Arc::new(point.model.with_duration(t)), &point.u, wishes)?;
            let fewer = |longer: Point| longer.merit(wishes).missing < point.merit(wishes).missing;
            Ok((longer.is_some_and(fewer), purse))
        };
        let found: Vec<(bool, Purse)> = lost.par_iter().map(found).collect::<Result<_, _>>()?;
        found.iter().for_each(|(_, purse)| self.stride.purse.pay(&share, purse));
        Ok(found.iter().any(|(later, _)| *later))
    }

    /// How far motions are followed next, s.
    fn further(&self) -> f64 {
        if self.no_further {
            return self.point.model.duration();
        }
        (FURTHER.0 * self.point.model.duration()).max(FURTHER.1 * self.duration).min(self.duration)
    }

    /// Follows all motions further, if that is not too dear.
    fn look_further(&mut self) -> Result<(), Unwanted> {
        let t = self.further();
        let mut longer = Vec::new();
        for point in [&self.point, &self.kept, &self.origin] {
            longer.extend(self.stride.purse.point(&Arc::new(point.model.with_duration(t)), &point.u, self.wishes)?);
        }
        match <[Point; 3]>::try_from(longer) {
            Ok(longer) => [self.point, self.kept, self.origin] = longer,
            Err(_) => self.no_further = true,
        }
        self.stride.forget();
        Ok(())
    }

    /// First with the pull to rest values, where the whole way is in reach, then without it.
    fn follow(&mut self, suggestion: &Suggestion, merit: &Merit) -> Result<Try, Unwanted> {
        let Suggestion { plain, pulled, .. } = suggestion;
        if pulled.length <= self.stride.radius && pulled.du != plain.du {
            let pulled = self.stride.at(&self.point, suggestion, &pulled.du, self.wishes)?;
            if let Some(pulled) = pulled.filter(|pulled| pulled.merit(self.wishes).improves(merit, PULLED_WIN)) {
                return Ok(Try::Better(pulled));
            }
        }
        self.stride.step(&self.point, suggestion, self.wishes)
    }

    /// Looks for another way by samples, and says what it is if there is none.
    fn jump(&mut self, stuck: Stuck, report: &mut Report) -> Step {
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
            match search.jump(&stuck.suggestion, &mut self.tried, &mut self.stride.purse, report)? {
                Jumped::To(found) => {
                    report.jumps.extend(SequenceChange::between(&self.point.trajectory, &found.trajectory));
                    self.point = *found;
                    self.rounds = 0;
                    self.way = None;
                    self.stride.forget();
                    self.tried.clear();
                    self.keep();
                }
                Jumped::Nowhere(lost) => {
                    if self.comes_later(&lost)? {
                        self.look_further()?;
                    } else {
                        self.stuck = Some(stuck);
                    }
                }
            }
            return Ok(None);
        }
        let merit = self.point.merit(self.wishes);
        let influence = stuck.suggestion.felt.contains(&true);
        Ok(Some(match stuck.way {
            _ if merit.is_met() => Verdict::Met,
            Some(SequenceChange { pair, t }) => Verdict::Blocked { pair, t },
            None if influence || merit.missing > 0 => Verdict::Short,
            None => Verdict::Powerless,
        }))
    }

    /// Remembers the point if it holds the nails and is nearer to the drag.
    fn keep(&mut self) {
        let (kept, point) = (self.kept.merit(self.wishes), self.point.merit(self.wishes));
        if point.keeps_nails_of(&kept) && point.order(&kept).is_lt() {
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
        self.stride.purse.end();
        for _ in 0..6 {
            let suggestion = suggest(&point, alone, 0.0, Whose::Needed, &mut self.stride.purse, &mut report.kkt);
            let Ok(suggestion) = suggestion else { break };
            if point.merit(alone).nails <= CLOSE || suggestion.plain.length == 0.0 {
                break;
            }
            let Ok(Try::Better(next)) = self.stride.step(&point, &suggestion, alone) else { break };
            point = next;
        }
        self.point = Point::of(point.model, point.u, point.trajectory, self.wishes);
        self.keep();
    }

    fn best(&self) -> Point {
        let (kept, point) = (self.kept.merit(self.wishes), self.point.merit(self.wishes));
        let better = point.keeps_nails_of(&kept) && point.order(&kept).is_le();
        if better { self.point.clone() } else { self.kept.clone() }
    }
}
