//! Numbers that follow the keys of a track, between two of them.
//!
//! ```text
//! s = (t − t₀)/(t₁ − t₀),      value = v₀ + (v₁ − v₀)·e(s),      rate = (v₁ − v₀)·e′(s)/(t₁ − t₀)            (1)
//! e = s  (linear),  s²  (slow in),  s(2 − s)  (slow out),  s²(3 − 2s)  (slow in and out),  0  (hold)           (2)
//! ```
//!
//! The times and values of the keys are numbers like others: how everything changes with them follows by itself.

use super::number::Number;
use super::sketch::{Seed, Sketch, Term};
use crate::scene::Ease;

/// A number that changes with time, for as long as a flight lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// It stays.
    Still(Number),
    /// It goes from one key to the next.
    Between {
        /// Of the two keys, s.
        times: [Number; 2],
        /// At the two keys.
        values: [Number; 2],
        /// How it comes to the second.
        ease: Ease,
    },
}

impl Course {
    /// The numbers that parameters may change.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Number> {
        let numbers = match *self {
            Course::Still(number) => vec![number],
            Course::Between { times, values, .. } => times.into_iter().chain(values).collect(),
        };
        numbers.into_iter()
    }
}

impl From<Number> for Course {
    fn from(number: Number) -> Course {
        Course::Still(number)
    }
}

impl From<f64> for Course {
    fn from(number: f64) -> Course {
        Course::Still(number.into())
    }
}

impl Sketch<'_> {
    /// (1): the value and the rate.
    pub fn course(&mut self, course: &Course) -> [Term; 2] {
        let (times, values, ease) = match *course {
            Course::Still(number) => return [self.number(number), None],
            Course::Between { values, ease: Ease::Hold, .. } => return [self.number(values[0]), None],
            Course::Between { times, values, ease } => (times, values, ease),
        };
        let ([t0, t1], [v0, v1]) = (times.map(|t| self.number(t)), values.map(|v| self.number(v)));
        let now = self.graph.time(self.scope);
        self.seeds.extend(self.clock.map(|number| Seed { node: now, number, derivative: 1.0 }));
        let now = Some(now);
        let (passed, whole, gain) = (self.difference(now, t0), self.difference(t1, t0), self.difference(v1, v0));
        let whole = whole.unwrap_or_else(|| self.graph.number(self.scope, 1.0));
        let part = passed.map(|passed| self.graph.quotient(self.scope, passed, whole));
        let [eased, slope] = self.eased(part, ease);
        let (risen, climb) = (self.product(gain, eased), self.product(gain, slope));
        let rate = climb.map(|climb| self.graph.quotient(self.scope, climb, whole));
        [self.sum(v0, risen), rate]
    }

    /// (2): e and e′.
    fn eased(&mut self, part: Term, ease: Ease) -> [Term; 2] {
        let one = self.number(1.0.into());
        let square = self.product(part, part);
        let double = self.scaled(2.0, part);
        match ease {
            Ease::Hold => [None; 2],
            Ease::Linear => [part, one],
            Ease::SlowIn => [square, double],
            Ease::SlowOut => {
                let two = self.scaled(2.0, one);
                [self.difference(double, square), self.difference(two, double)]
            }
            Ease::SlowInOut => {
                let three = self.scaled(3.0, one);
                let left = self.difference(three, double);
                let rest = self.difference(part, square);
                [self.product(square, left), self.scaled(6.0, rest)]
            }
        }
    }

    /// Three courses side by side: values and rates.
    pub fn courses(&mut self, courses: &[Course; 3]) -> [[Term; 3]; 2] {
        let pairs = [0, 1, 2].map(|k| self.course(&courses[k]));
        [pairs.map(|pair| pair[0]), pairs.map(|pair| pair[1])]
    }
}
