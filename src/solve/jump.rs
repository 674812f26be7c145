//! Over a discontinuity: samples around the suggested δu, and the best of them.
//!
//! ```text
//! δu_i = part·δu + σ·√M⁻¹·ξ,      ξ normal,  σ ∝ |δu|_M·widening/√n,  less its share along the nails' rows        (1)
//! score = total·(1 + ½·(1 − likeness)) + 0.02·|δu_i|_M                                                           (2)
//! ```
//!
//! likeness = shared prefix of the sequence of impacts, by pairs, over its length. The best few are improved by plain steps before one is
//! chosen, since a sample hits the right sequence of events and not the target. Every sample has a random stream
//! of its own, so that the choice does not depend on threads.

use nalgebra::DVector;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::descent::{Suggestion, length, moved, nail_rows, suggest};
use super::point::{Merit, Point, Wishes};
use super::random::Stream;
use super::report::Report;
use super::settings::Settings;
use crate::model::Parameter;
use crate::simulation::{EventKind, Trajectory};

/// How many of the best samples are improved.
const CHOSEN: usize = 4;
/// Plain steps by which each is improved.
const STEPS: usize = 6;
/// A jump must win at least this part of the error.
const WIN: f64 = 0.1;
/// What a change of u costs beside the error it leaves, both roughly in metres.
const FAR: f64 = 0.02;
/// The narrowest spread in the metric, roughly metres: rows that vanish suggest no length at all.
const NARROW: f64 = 0.05;

/// The best sample of one round, improved, if it is better than where we are.
pub(super) fn jump(
    point: &Point,
    suggestion: &Suggestion,
    wishes: Wishes,
    settings: &Settings,
    round: u32,
    report: &mut Report,
) -> Option<Point> {
    let merit = point.merit(wishes);
    let seed = settings.seed.wrapping_add(u64::from(report.iterations) << 32);
    let mut samples: Vec<(f64, u32, Point)> = (0..settings.samples)
        .into_par_iter()
        .map(|index| {
            let du = sample(point, suggestion, wishes, settings, (seed, round, index));
            let sample = Point::new(&point.model, &moved(point, &suggestion.parameters, &du, 1.0), wishes);
            (score(point, &sample, suggestion, &du, wishes), index, sample)
        })
        .collect();
    report.simulations += settings.samples;
    samples.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    samples.truncate(CHOSEN);
    let improved: Vec<(f64, Point, u32)> = samples
        .into_par_iter()
        .map(|(_, _, sample)| {
            let (improved, simulations) = improve(sample, wishes);
            (improved.merit(wishes).total(), improved, simulations)
        })
        .collect();
    report.simulations += improved.iter().map(|(_, _, simulations)| simulations).sum::<u32>();
    let better = |candidate: &Merit| candidate.improves(&merit, WIN) && candidate.nails <= merit.nails.max(1e-6);
    // Among candidates that meet the wishes alike the nearest keeps the style best.
    let liked = |(total, candidate, _): &(f64, Point, u32)| {
        total * (1.5 - 0.5 * likeness(&point.trajectory, &candidate.trajectory)) + FAR * distance(point, candidate)
    };
    improved
        .into_iter()
        .filter(|(_, candidate, _)| better(&candidate.merit(wishes)))
        .min_by(|a, b| {
            let missing = |p: &Point| p.merit(wishes).missing;
            missing(&a.1).cmp(&missing(&b.1)).then(liked(a).total_cmp(&liked(b)))
        })
        .map(|(_, candidate, _)| candidate)
}

/// (1): δu of one sample.
fn sample(
    point: &Point,
    suggestion: &Suggestion,
    wishes: Wishes,
    settings: &Settings,
    (seed, round, index): (u64, u32, u32),
) -> Vec<f64> {
    let mut stream = Stream::new(seed, u64::from(round), u64::from(index));
    let count = suggestion.parameters.len();
    let suggested = length(&point.model, &suggestion.parameters, &suggestion.plain);
    let part = (settings.longest_step / suggested).min(1.0);
    // Wider from round to round, and after four of them narrow again with other numbers.
    let widening = 0.5 * 2f64.powi((round as i32 - 1) % 4);
    // Samples of one round spread over a decade, so that narrow and wide ways are both tried.
    let share = f64::from(index % 8) / 7.0;
    let spread = (suggested * part).max(NARROW) * widening * 10f64.powf(share - 0.5) / (count as f64).sqrt();
    let mut noise = DVector::from_fn(count, |_, _| {
        spread * <StandardNormal as Distribution<f64>>::sample(&StandardNormal, &mut stream)
    });
    // What no wish feels stays, unless an event is missing and nothing can be told of what would bring it about.
    let all = point.merit(wishes).missing > 0 || !suggestion.felt.contains(&true);
    noise.iter_mut().zip(&suggestion.felt).filter(|(_, felt)| !all && !**felt).for_each(|(entry, _)| *entry = 0.0);
    if let Some(rows) = nail_rows(suggestion, wishes) {
        noise -= rows * (rows.transpose() * &noise);
    }
    let metric = |k: usize| point.model.parameters()[suggestion.parameters[k].index()].metric.sqrt();
    // Where the rows do not describe the way, the answer may as well lie near the start as near their suggestion.
    let part = part * [1.0, 0.5, 0.25, 0.0][index as usize / 8 % 4];
    (0..count).map(|k| part * suggestion.plain[k] + noise[k] / metric(k)).collect()
}

/// (2); samples that lose an event come last.
fn score(point: &Point, sample: &Point, suggestion: &Suggestion, du: &[f64], wishes: Wishes) -> f64 {
    let merit = sample.merit(wishes);
    let unlike = 1.0 - likeness(&point.trajectory, &sample.trajectory);
    let far = length(&point.model, &suggestion.parameters, du);
    1e6 * merit.missing as f64 + merit.total() * (1.0 + 0.5 * unlike) + FAR * far
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
        parameter.metric * (after - before).powi(2)
    };
    point.model.parameters().iter().zip(point.u.values()).map(square).sum::<f64>().sqrt()
}

/// Plain steps from a sample, each taken if it helps; also how many motions that took.
fn improve(mut point: Point, wishes: Wishes) -> (Point, u32) {
    let mut simulations = 0;
    for _ in 0..STEPS {
        let merit = point.merit(wishes);
        let mut kkt = 0.0;
        let suggestion = suggest(&point, wishes, 0.0, &mut kkt);
        if suggestion.change.length == 0.0 || (merit.missing == 0 && merit.total() < 1e-9) {
            break;
        }
        let mut next = None;
        for halving in 0..4 {
            simulations += 1;
            let u = moved(&point, &suggestion.parameters, &suggestion.plain, 0.5f64.powi(halving));
            let candidate = Point::new(&point.model, &u, wishes);
            if candidate.merit(wishes).improves(&merit, 1e-3) {
                next = Some(candidate);
                break;
            }
        }
        match next {
            Some(next) => point = next,
            None => break,
        }
    }
    (point, simulations)
}
