//! Over a discontinuity: samples around the suggested δu, and the best of them.
//!
//! ```text
//! u_i = u + part·δu + σ·√M⁻¹·ξ,      ξ normal,  σ ∝ |δu|_M·widening/√n,  less its share along the nails' rows    (1)
//! u_i = u₀ + σ·√M⁻¹·ξ,               u₀ where the solve began: answers near it are the ones that are wished      (2)
//! score = missing events, then total·(1 + ½·(1 − likeness)) + 0.02·distance from the nearer of u and u₀          (3)
//! ```
//!
//! likeness = shared prefix of the sequence of impacts, by pairs, over its length. A sample hits the right sequence of events and
//! not the target, and steps find the best motion of a sequence from any sample of it: so the best sample of each new sequence is
//! improved by steps, and then one is chosen. Where an event is missing samples shake every body; those that the chosen motion does
//! not need go back to where they were. Every sample has a random stream of its own, so that the
//! choice does not depend on threads.

use std::cmp::Ordering;

use nalgebra::DVector;
use rayon::prelude::*;

use super::point::{Merit, Point, Wishes};
use super::purse::Purse;
use super::random::Stream;
use super::report::Report;
use super::settings::{Ask, Settings, Unwanted};
use super::step::{Stride, Try};
use super::suggestion::{Suggestion, Whose, is_own, suggest};
use crate::math::elementary::{powf, powi, square};
use crate::model::{BodyId, Parameter, ParameterId};
use crate::simulation::{EventKind, Signature, Trajectory};

/// How many samples are improved.
const CHOSEN: usize = 8;
/// Steps by which each is improved, at most.
const STEPS: usize = 20;
/// Lengths tried in each, and the part of the longest step they begin with.
const LENGTHS: u32 = 5;
const FIRST: f64 = 0.25;
/// A jump must win at least this part of the error.
const WIN: f64 = 0.1;
/// What a change of u costs beside the error it leaves, both roughly in metres.
const FAR: f64 = 0.02;
/// At most so many bodies are put back after a jump, one motion each.
const PUT_BACK: usize = 16;
/// A motion that misses no more than this is as good without them.
const STILL: f64 = 1e-9;
/// The narrowest spread in the metric, roughly metres: rows that vanish suggest no length at all.
const NARROW: f64 = 0.05;
/// Samples come in groups of so many, of different widths.
const GROUP: usize = 8;
/// The centre of each group: this part of δu, or where the solve began.
const CENTRES: [Option<f64>; 6] = [Some(1.0), None, Some(0.3), None, None, None];

/// One round of samples: around a point, and around where the solve began.
pub(super) struct Search<'a> {
    pub point: &'a Point,
    pub origin: &'a Point,
    /// How far the rows saw the answer from there, in the metric.
    pub reach: f64,
    pub wishes: Wishes<'a>,
    pub settings: &'a Settings,
    /// From 1.
    pub round: u32,
}

/// What came of a round.
pub(super) enum Jumped {
    /// A better motion.
    To(Box<Point>),
    /// None was better; the best of the samples that lost an event.
    Nowhere(Vec<Point>),
}

/// A sample with its score, or one that was improved.
struct Candidate {
    point: Point,
    score: Score,
    index: u32,
}

/// (3).
#[derive(Clone, Copy)]
struct Score(usize, f64);

impl Score {
    fn order(&self, other: &Score) -> Ordering {
        self.0.cmp(&other.0).then(self.1.total_cmp(&other.1))
    }
}

impl Search<'_> {
    /// The best sample of the round, improved, if it is better than where we are.
    pub fn jump(
        &self,
        suggestion: &Suggestion,
        tried: &mut Vec<Signature>,
        purse: &mut Purse,
        report: &mut Report,
    ) -> Result<Jumped, Unwanted> {
        let seed = self.settings.seed.wrapping_add(u64::from(report.iterations) << 32);
        let centre = suggestion.within(self.settings.longest_step, &mut report.kkt);
        // Half of what is left is for what comes of the samples.
        let share = purse.share(2 * self.settings.samples as usize);
        let draw = |index| {
            let stream = Stream::new(seed, u64::from(self.round), u64::from(index));
            self.sample(suggestion, &centre, stream, index, share)
        };
        let drawn: Vec<(Option<Candidate>, Purse)> =
            (0..self.settings.samples).into_par_iter().map(draw).collect::<Result<_, _>>()?;
        let mut samples = paid(drawn, share, purse);
        samples.sort_by(|a, b| a.score.order(&b.score).then(a.index.cmp(&b.index)));
        let merit = self.point.merit(self.wishes);
        let lost = |sample: &&Candidate| sample.point.merit(self.wishes).missing > merit.missing;
        let lost: Vec<Point> = samples.iter().filter(lost).take(CHOSEN).map(|sample| sample.point.clone()).collect();
        let chosen = self.choose(samples, tried);
        let share = purse.share(chosen.len());
        let improved: Vec<(Option<Candidate>, Purse)> =
            chosen.into_par_iter().map(|sample| self.improve(sample, share)).collect::<Result<_, _>>()?;
        let improved = paid(improved, share, purse);
        let better = |candidate: &Merit| candidate.improves(&merit, WIN) && candidate.keeps_nails_of(&merit);
        let helps = improved.into_iter().filter(|candidate| better(&candidate.point.merit(self.wishes)));
        let best = helps.min_by(|a, b| a.score.order(&b.score));
        Ok(match best {
            Some(candidate) => {
                Jumped::To(Box::new(self.put_back(candidate.point, self.shakes_all(suggestion), purse)?))
            }
            None => Jumped::Nowhere(lost),
        })
    }

    /// What no wish feels stays, unless an event is missing and nothing can be told of what would bring it about.
    fn shakes_all(&self, suggestion: &Suggestion) -> bool {
        self.point.merit(self.wishes).missing > 0 || !suggestion.felt.contains(&true)
    }

    /// Bodies that were shaken and that no wish needs go back to where they were: all, or those without wishes of their own.
    fn put_back(&self, mut found: Point, all: bool, purse: &mut Purse) -> Result<Point, Unwanted> {
        for body in self.shaken(&found, all) {
            let mut u = found.u.clone();
            // What joints hold together goes back together.
            let joined = found.model.joined_with(&[body]);
            let is_own =
                |(parameter, _): &(&Parameter, u32)| parameter.role.body().is_some_and(|body| joined.contains(&body));
            for (parameter, k) in found.model.parameters().iter().zip(0..).filter(is_own) {
                if let Some(id) = self.point.model.find(&parameter.role) {
                    u[ParameterId(k)] = self.point.u[id];
                }
            }
            let Some(back) = purse.point(&found.model, &u, self.wishes)? else { continue };
            let (before, after) = (found.merit(self.wishes), back.merit(self.wishes));
            if after.missing < before.missing
                || (after.missing == before.missing && after.total() <= before.total().max(STILL))
            {
                found = back;
            }
        }
        Ok(found)
    }

    /// The bodies whose parameters differ, each once.
    fn shaken(&self, found: &Point, all: bool) -> Vec<BodyId> {
        let own = self.wishes.bodies(&found.model);
        let differs = |(parameter, value): (&Parameter, &f64)| {
            let id = self.point.model.find(&parameter.role)?;
            (self.point.u[id] != *value && (all || !is_own(parameter, &own))).then(|| parameter.role.body()).flatten()
        };
        let mut bodies: Vec<BodyId> =
            found.model.parameters().iter().zip(found.u.values()).filter_map(differs).collect();
        bodies.dedup();
        bodies.truncate(PUT_BACK);
        bodies
    }

    /// The best sample of each kind of motion that was not tried before; steps lead to the best of a kind from any of them.
    fn choose(&self, samples: Vec<Candidate>, tried: &mut Vec<Signature>) -> Vec<Candidate> {
        let (mut chosen, mut others) = (Vec::new(), Vec::new());
        for sample in samples {
            let signature = sample.point.trajectory.signature();
            if chosen.len() < CHOSEN && !tried.contains(&signature) {
                tried.push(signature);
                chosen.push(sample);
            } else {
                others.push(sample);
            }
        }
        let room = CHOSEN - chosen.len();
        chosen.extend(others.into_iter().take(room));
        chosen
    }

    /// (1) around the point, or (2) around where the solve began.
    fn sample<'p>(
        &self,
        suggestion: &Suggestion,
        centre: &[f64],
        mut stream: Stream,
        index: u32,
        mut purse: Purse<'p>,
    ) -> Result<(Option<Candidate>, Purse<'p>), Unwanted> {
        if !purse.goes_on(Ask::Sample) {
            return Err(Unwanted);
        }
        let Search { point, origin, .. } = *self;
        let group = index as usize / GROUP % CENTRES.len();
        let spread = self.spread(suggestion, CENTRES[group].is_none(), index) / (centre.len() as f64).sqrt();
        let mut noise = DVector::from_fn(centre.len(), |_, _| spread * stream.normal());
        let all = self.shakes_all(suggestion);
        noise.iter_mut().zip(&suggestion.felt).filter(|(_, felt)| !all && !**felt).for_each(|(entry, _)| *entry = 0.0);
        if self.wishes.drag.is_some() {
            let rows = &suggestion.plain.first_level;
            noise -= rows * (rows.transpose() * &noise);
        }
        let metric = |k: usize| point.model.parameters()[suggestion.parameters[k].index()].metric.sqrt();
        let part = CENTRES[group].unwrap_or(0.0);
        let du: Vec<f64> = (0..centre.len()).map(|k| part * centre[k] + noise[k] / metric(k)).collect();
        let from = if CENTRES[group].is_none() { &point.model.adopt(&origin.model, &origin.u) } else { &point.u };
        let u = point.moved_from(from, &suggestion.parameters, &du);
        let sample = purse.point(&point.model, &u, self.wishes)?;
        Ok((sample.map(|point| Candidate { score: self.score(&point), point, index }), purse))
    }

    /// σ·√n of (1) or (2). Samples of one group spread over a decade or two, so that narrow and wide ways are both tried.
    fn spread(&self, suggestion: &Suggestion, at_home: bool, index: u32) -> f64 {
        let share = (index as usize % GROUP) as f64 / (GROUP - 1) as f64;
        if at_home {
            let least = 0.1 * self.reach.min(0.1);
            return least * powf(self.reach / least, share);
        }
        // Wider from round to round, and after four of them narrow again with other numbers.
        let widening = 0.5 * powi(2f64, (self.round as i32 - 1) % 4);
        suggestion.plain.length.clamp(NARROW, self.settings.longest_step) * widening * powf(10f64, share - 0.5)
    }

    /// (3).
    fn score(&self, candidate: &Point) -> Score {
        let merit = candidate.merit(self.wishes);
        let unlike = 1.0 - likeness(&self.point.trajectory, &candidate.trajectory);
        let far = distance(self.point, candidate).min(distance(self.origin, candidate));
        Score(merit.missing, merit.total() * (1.0 + 0.5 * unlike) + FAR * far)
    }

    /// Plain steps from a sample, while they help.
    fn improve<'p>(&self, sample: Candidate, purse: Purse<'p>) -> Result<(Option<Candidate>, Purse<'p>), Unwanted> {
        let Candidate { mut point, index, .. } = sample;
        let mut stride = Stride::new(FIRST * self.settings.longest_step, LENGTHS, purse);
        for _ in 0..STEPS {
            if !stride.purse.goes_on(Ask::Sample) {
                return Err(Unwanted);
            }
            let merit = point.merit(self.wishes);
            let suggestion = suggest(&point, self.wishes, 0.0, Whose::Needed, &mut stride.purse, &mut stride.kkt)?;
            if suggestion.plain.length == 0.0 || (merit.missing == 0 && merit.total() < 1e-9) {
                break;
            }
            let Try::Better(next) = stride.step(&point, &suggestion, self.wishes)? else { break };
            point = next;
        }
        Ok((Some(Candidate { score: self.score(&point), point, index }), stride.purse))
    }
}

/// What came of equal shares, paid for.
fn paid(candidates: Vec<(Option<Candidate>, Purse)>, share: Purse, purse: &mut Purse) -> Vec<Candidate> {
    let pay = |(candidate, rest): (Option<Candidate>, Purse)| {
        purse.pay(&share, &rest);
        candidate
    };
    candidates.into_iter().filter_map(pay).collect()
}

/// How much of the sequence of impacts two motions share, from 0 to 1.
fn likeness(one: &Trajectory, other: &Trajectory) -> f64 {
    let pairs = |motion: &Trajectory| {
        let impacts = motion.events.iter().filter(|event| event.kind == EventKind::Impact);
        impacts.map(|event| event.pair()).collect::<Vec<_>>()
    };
    let (a, b) = (pairs(one), pairs(other));
    let shared = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let longest = a.len().max(b.len());
    if longest == 0 { 1.0 } else { shared as f64 / longest as f64 }
}

/// √(δuᵀMδu) between two points; a candidate may have parameters for impacts that the other has not.
fn distance(point: &Point, candidate: &Point) -> f64 {
    let square = |(parameter, &before): (&Parameter, &f64)| {
        let after = candidate.model.find(&parameter.role).map_or(before, |id| candidate.u[id]);
        parameter.metric * square(after - before)
    };
    point.model.parameters().iter().zip(point.u.values()).map(square).sum::<f64>().sqrt()
}
