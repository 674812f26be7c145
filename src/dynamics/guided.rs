//! The motion of a body that follows tracks of its own, between two keys, and how it changes with them.
//!
//! With p and θ the places and exponential maps that the tracks say, s the part of the time between two keys and e its ease:
//!
//! ```text
//! p = v₀ + g·e(s),    p′ = g·e′(s)/T,    p″ = g·e″(s)/T²,      g = v₁ − v₀,  T = t₁ − t₀,  s = (t − t₀)/T      (1)
//! x = p,  R = exp(θ)·R₀,  v = p′,  ω = dexp(θ)·θ′,  ω′ = dexp(θ)·θ″ + ∂(dexp(θ)·θ′)/∂θ·θ′                      (2)
//! δθ_world = dexp(θ)·δθ,      δω = ∂(dexp(θ)·θ′)/∂θ·δθ + dexp(θ)·δθ′                                            (3)
//! |ω| ≤ |θ′|,    |ω′| ≤ |θ″| + ½|θ′|²                                                                           (4)
//! ```
//!
//! (4) holds because dexp(θ) = ∫₀¹ exp(s·θ) ds is a mean of turns. What such a body pushes is `contact`'s business; at which keys
//! one stretch gives way to the next is `simulation`'s.

use super::{BodyState, StateTangent, stacked};
use crate::math::rotation::{ddexp, dexp, exp};
use crate::math::{Rotation, Vec3};
use crate::scene::{Ease, Track};

/// A vector that goes from one key of a track to the next, or stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// The track and its first key, where it follows one.
    of: Option<(usize, usize)>,
    times: [f64; 2],
    values: [Vec3; 2],
    /// None where it stays at the first value.
    ease: Option<Ease>,
}

/// A key of a track, and which of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyNumber {
    /// Its time.
    Time {
        /// The track's place.
        track: usize,
        /// From 0.
        key: usize,
    },
    /// A component of its value.
    Value {
        /// The track's place.
        track: usize,
        /// From 0.
        key: usize,
        /// From 0 to 2.
        axis: usize,
    },
}

/// Value, rate and rate of that.
type Jet = [Vec3; 3];

impl Stretch {
    /// A vector that no track changes.
    pub fn still(value: Vec3) -> Stretch {
        Stretch { of: None, times: [0.0; 2], values: [value; 2], ease: None }
    }

    /// The stretch of a track just after t.
    pub fn after(index: usize, track: &Track, t: f64) -> Stretch {
        let next = track.keys.partition_point(|key| key.t <= t);
        let last = next.saturating_sub(1);
        let (a, b) = (&track.keys[last], track.keys.get(next).filter(|_| next > 0));
        match b {
            Some(b) => Stretch {
                of: Some((index, last)),
                times: [a.t, b.t],
                values: [a.value, b.value],
                ease: Some(b.ease).filter(|ease| *ease != Ease::Hold),
            },
            None => Stretch { of: Some((index, last)), times: [a.t; 2], values: [a.value; 2], ease: None },
        }
    }

    /// (1)
    fn at(&self, t: f64) -> Jet {
        let Some(ease) = self.ease else { return [self.values[0], Vec3::zeros(), Vec3::zeros()] };
        let (gain, length, part) = self.parts(t);
        let value = self.values[0] + gain * ease.at(part);
        [value, gain * (ease.slope(part) / length), gain * (ease.bend(part) / (length * length))]
    }

    fn parts(&self, t: f64) -> (Vec3, f64, f64) {
        let length = self.times[1] - self.times[0];
        (self.values[1] - self.values[0], length, (t - self.times[0]) / length)
    }

    /// How value and rate of (1) change at a fixed time with each number of the two keys.
    ///
    /// ```text
    /// ∂p/∂v₀ = 1 − e,    ∂p/∂v₁ = e,    ∂p′/∂v₁ = e′/T = −∂p′/∂v₀
    /// ∂s/∂t₀ = (s − 1)/T,   ∂s/∂t₁ = −s/T,   ∂T/∂t₁ = 1 = −∂T/∂t₀
    /// ```
    fn derivative(&self, t: f64) -> Vec<(KeyNumber, [Vec3; 2])> {
        let Some((track, first)) = self.of else { return Vec::new() };
        let value = |key: usize, [share, rate]: [f64; 2]| {
            [0, 1, 2].map(|axis| {
                let unit = Vec3::ith(axis, 1.0);
                (KeyNumber::Value { track, key, axis }, [unit * share, unit * rate])
            })
        };
        let Some(ease) = self.ease else { return value(first, [1.0, 0.0]).to_vec() };
        let (gain, length, part) = self.parts(t);
        let (share, slope, bend) = (ease.at(part), ease.slope(part), ease.bend(part));
        let time = |key: usize, dpart: f64, dlength: f64| {
            let rate = bend * dpart / length - slope * dlength / (length * length);
            (KeyNumber::Time { track, key }, [gain * (slope * dpart), gain * rate])
        };
        let values = [value(first, [1.0 - share, -slope / length]), value(first + 1, [share, slope / length])];
        let times = [time(first, (part - 1.0) / length, -1.0), time(first + 1, -part / length, 1.0)];
        values.into_iter().flatten().chain(times).collect()
    }

    /// The largest rate between two times: all eases go fastest at an end or in the middle.
    fn fastest(&self, from: f64, until: f64) -> f64 {
        let Some(ease) = self.ease else { return 0.0 };
        let (gain, length, _) = self.parts(from);
        let [a, b] = [from, until].map(|t| self.parts(t).2);
        let inner = (a < 0.5 && b > 0.5).then_some(0.5);
        let slopes = [a, b].into_iter().chain(inner).map(|part| ease.slope(part).abs());
        gain.norm() * slopes.fold(0.0, f64::max) / length
    }

    fn is_still(&self) -> bool {
        self.ease.is_none() || self.values[0] == self.values[1]
    }
}

/// The motion of a guided body while its tracks come to no key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuidedMotion {
    /// Of the centre of mass, m.
    pub position: Stretch,
    /// Exponential maps.
    pub turn: Stretch,
    /// R₀ of (2).
    pub base: Rotation,
    /// The next key of one of its tracks, s.
    pub until: f64,
}

impl GuidedMotion {
    /// (2): the state.
    pub fn at(&self, t: f64) -> BodyState {
        let ([position, velocity, _], [turn, turning, _]) = (self.position.at(t), self.turn.at(t));
        BodyState { position, rotation: exp(turn) * self.base, velocity, spin: dexp(turn) * turning }
    }

    /// (2): how fast the state changes.
    pub fn rate(&self, t: f64) -> StateTangent {
        let ([_, velocity, acceleration], [turn, turning, bend]) = (self.position.at(t), self.turn.at(t));
        let jacobian = dexp(turn);
        stacked(velocity, jacobian * turning, acceleration, jacobian * bend + ddexp(turn, turning) * turning)
    }

    /// How the state at a fixed time changes with each number of the keys that it follows: (1) and (3).
    pub fn derivative(&self, t: f64) -> Vec<(KeyNumber, StateTangent)> {
        let zero = Vec3::zeros();
        let [turn, turning, _] = self.turn.at(t);
        let (jacobian, bent) = (dexp(turn), ddexp(turn, turning));
        let positions = self.position.derivative(t).into_iter();
        let turns = self.turn.derivative(t).into_iter();
        let mut all: Vec<(KeyNumber, StateTangent)> =
            positions.map(|(number, [value, rate])| (number, stacked(value, zero, rate, zero))).collect();
        all.extend(turns.map(|(number, [value, rate])| {
            (number, stacked(zero, jacobian * value, zero, bent * value + jacobian * rate))
        }));
        all
    }

    /// The acceleration half way between two times, and by how much it differs from that at most: it is linear in time.
    pub fn acceleration(&self, from: f64, until: f64) -> (Vec3, f64) {
        let [a, b] = [from, until].map(|t| self.position.at(t)[2]);
        (0.5 * (a + b), 0.5 * (b - a).norm())
    }

    /// (4) between two times: bounds of |ω| and |ω′|.
    pub fn spin_bounds(&self, from: f64, until: f64) -> [f64; 2] {
        let turning = self.turn.fastest(from, until);
        let bend = [from, until].map(|t| self.turn.at(t)[2].norm()).into_iter().fold(0.0, f64::max);
        [turning, bend + 0.5 * turning * turning]
    }

    /// Whether it does not move until its next key.
    pub fn is_still(&self) -> bool {
        self.position.is_still() && self.turn.is_still()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::difference::check_jacobian;
    use crate::math::rotation;
    use crate::scene::{Key, TrackSize};

    const EASES: [Ease; 4] = [Ease::Linear, Ease::SlowIn, Ease::SlowOut, Ease::SlowInOut];
    const TIMES: [f64; 3] = [0.4, 0.71, 1.05];

    fn track(numbers: &[f64], ease: Ease) -> Track {
        let key = |numbers: &[f64], ease| Key { t: numbers[0], value: Vec3::from_column_slice(&numbers[1..4]), ease };
        let keys = numbers.chunks(4).map(|numbers| key(numbers, ease)).collect();
        Track { name: "hand".to_owned(), size: TrackSize::Vector, keys }
    }

    const PLACES: [f64; 8] = [0.2, 0.1, -0.4, 1.0, 1.2, 0.9, 0.3, -0.7];
    const TURNS: [f64; 8] = [0.1, 0.2, 0.5, -0.3, 1.5, -1.1, 0.4, 2.0];

    fn motion(places: &[f64], turns: &[f64], eases: [Ease; 2]) -> GuidedMotion {
        let position = Stretch::after(0, &track(places, eases[0]), 0.3);
        let turn = Stretch::after(1, &track(turns, eases[1]), 0.3);
        GuidedMotion { position, turn, base: rotation::exp(Vec3::new(0.2, -0.1, 0.4)), until: 1.2 }
    }

    #[test]
    fn its_rate_is_that_of_its_state() {
        for ease in EASES {
            let moving = motion(&PLACES, &TURNS, [ease, ease]);
            for t in TIMES {
                let (state, rate) = (moving.at(t), moving.rate(t));
                let along = |x: &[f64]| state.tangent_to(&moving.at(x[0])).as_slice().to_vec();
                check_jacobian(along, &[t], |row, _| rate[row]);
                assert!((state.velocity - rate.fixed_rows::<3>(0)).norm() < 1e-15);
                assert!((state.spin - rate.fixed_rows::<3>(3)).norm() < 1e-15);
            }
        }
    }

    #[test]
    fn it_changes_with_its_keys_as_differences_say() {
        for (ease, other) in EASES.into_iter().zip([Ease::SlowInOut, Ease::Linear, Ease::SlowIn, Ease::SlowOut]) {
            for t in TIMES {
                let state = motion(&PLACES, &TURNS, [ease, other]).at(t);
                let derivative = motion(&PLACES, &TURNS, [ease, other]).derivative(t);
                let exact = |row: usize, column: usize| {
                    let (track, key, k) = (column / 8, column % 8 / 4, column % 4);
                    let number = match k.checked_sub(1) {
                        None => KeyNumber::Time { track, key },
                        Some(axis) => KeyNumber::Value { track, key, axis },
                    };
                    derivative.iter().find(|(own, _)| *own == number).expect("it is there").1[row]
                };
                let map = |x: &[f64]| {
                    let moved = motion(&x[..8], &x[8..], [ease, other]).at(t);
                    state.tangent_to(&moved).as_slice().to_vec()
                };
                check_jacobian(map, &[PLACES, TURNS].concat(), exact);
            }
        }
    }

    #[test]
    fn it_keeps_to_its_bounds() {
        for ease in EASES {
            let moving = motion(&PLACES, &TURNS, [ease, ease]);
            for (from, until) in [(0.2, 1.2), (0.3, 0.5), (0.6, 0.9), (1.0, 1.1)] {
                let ((acceleration, off), [spin, spin_rate]) =
                    (moving.acceleration(from, until), moving.spin_bounds(from, until));
                for k in 0..=50 {
                    let t = from + (until - from) * f64::from(k) / 50.0;
                    let rate = moving.rate(t);
                    let part = |at: usize| rate.fixed_rows::<3>(at).into_owned();
                    assert!((part(6) - acceleration).norm() <= off + 1e-13, "{ease:?} {t}");
                    assert!(part(3).norm() <= spin * (1.0 + 1e-13), "{ease:?} {t}");
                    assert!(part(9).norm() <= spin_rate * (1.0 + 1e-13), "{ease:?} {t}");
                }
            }
        }
    }

    #[test]
    fn before_its_keys_and_after_them_it_stays() {
        let hand = track(&PLACES, Ease::SlowIn);
        for (t, value) in [(0.1, &PLACES[1..4]), (1.2, &PLACES[5..8]), (3.0, &PLACES[5..8])] {
            let stretch = Stretch::after(0, &hand, t);
            assert!(stretch.is_still() && stretch.at(t)[0].as_slice() == value, "{t}");
        }
        assert!(!Stretch::after(0, &hand, 0.2).is_still());
    }
}
