//! One step towards the wishes, as long as the rows can be trusted.
//!
//! ```text
//! δu(r)  the best change within the radius r (`suggestion`)          r, r/2, r/4, … until
//! total(u + δu) < total(u) − 10⁻⁴·(total(u) − expected)                                                         (1)
//! ```
//!
//! The radius is remembered: it doubles after steps that won most of what the rows expected, and shrinks to the length that
//! helped where they did not. What to do where no length helps is `descent`'s business.

use super::point::{Point, Wishes};
use super::purse::Purse;
use super::report::SequenceChange;
use super::settings::{Ask, Unwanted};
use super::suggestion::Suggestion;

/// A step must win at least this part of what the rows expect.
const PROMISE: f64 = 1e-4;
/// Above this part of what was expected the radius grows, below the other it shrinks.
const TRUSTED: f64 = 0.75;
const DOUBTED: f64 = 0.25;
/// The radius never grows past this many times the longest first step.
const WIDEST: f64 = 10.0;

/// What came of the lengths of one step.
pub(super) enum Try {
    /// Where it led.
    Better(Point),
    /// None of them helped.
    Worse,
}

/// How far rows are trusted, and what finding out may cost.
pub(super) struct Stride<'a> {
    pub radius: f64,
    longest: f64,
    /// Lengths tried in one step.
    pub tries: u32,
    pub purse: Purse<'a>,
    /// A motion that was tried and had lost an event that a wish waits for: the nearest.
    pub lost: Option<Point>,
    /// Where the nearest of the last step's motions that did not help has another sequence of events.
    pub way: Option<SequenceChange>,
    /// The worst miss of the conditions of optimality.
    pub kkt: f64,
}

impl<'a> Stride<'a> {
    pub fn new(longest: f64, tries: u32, purse: Purse<'a>) -> Stride<'a> {
        Stride { radius: longest, longest, tries, purse, lost: None, way: None, kkt: 0.0 }
    }

    /// After a jump nothing is known of how far rows hold.
    pub fn forget(&mut self) {
        self.radius = self.longest;
    }

    /// (1).
    pub fn step(&mut self, point: &Point, suggestion: &Suggestion, wishes: Wishes) -> Result<Try, Unwanted> {
        let merit = point.merit(wishes);
        let mut reach = self.radius.min(suggestion.plain.length);
        self.way = None;
        for k in 0..self.tries {
            if k > 0 && !self.purse.goes_on(Ask::Length) {
                return Err(Unwanted);
            }
            let du = suggestion.within(reach, &mut self.kkt);
            let Some(next) = self.at(point, suggestion, &du, wishes)? else {
                reach *= 0.5;
                continue;
            };
            let now = next.merit(wishes);
            if now.missing > merit.missing {
                self.lost = Some(next.clone());
            }
            let expected = merit.total() - suggestion.left(&du);
            let won = if now.missing < merit.missing { expected } else { merit.total() - now.total() };
            if now.missing <= merit.missing && won > PROMISE * expected.max(0.0) {
                self.learn(reach, won / expected);
                return Ok(Try::Better(next));
            }
            self.way = SequenceChange::between(&point.trajectory, &next.trajectory).or(self.way);
            reach *= 0.5;
        }
        self.radius = reach.max(1e-6 * self.longest);
        Ok(Try::Worse)
    }

    /// The motion after a change; none where it is too dear.
    pub fn at(
        &mut self,
        point: &Point,
        suggestion: &Suggestion,
        du: &[f64],
        wishes: Wishes,
    ) -> Result<Option<Point>, Unwanted> {
        self.purse.point(&point.model, &point.moved(&suggestion.parameters, du), wishes)
    }

    fn learn(&mut self, reach: f64, part: f64) {
        if part > TRUSTED {
            self.radius = self.radius.max(2.0 * reach).min(WIDEST * self.longest);
        } else if part < DOUBTED {
            self.radius = 0.5 * reach;
        } else if reach < self.radius {
            self.radius = reach;
        }
    }
}
