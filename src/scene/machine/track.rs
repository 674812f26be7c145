//! Tracks: functions of time, given by keys.
//!
//! ```text
//! value(t) = a + (b − a)·ease(s),   s = (t − t_a)/(t_b − t_a)        between a key a and the next one, b
//! ```
//!
//! Before the first key and after the last one a track stays.

use std::fmt;

use crate::math::Vec3;

/// One `[[track]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Unique in the scene.
    pub name: String,
    /// What its values are.
    pub size: TrackSize,
    /// At least one; their times increase.
    pub keys: Vec<Key>,
}

/// What the values of a track are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum TrackSize {
    Number,
    Vector,
}

/// One key of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// s, at least 0.
    pub t: f64,
    /// Of a track of numbers, x holds it, and the others are 0.
    pub value: Vec3,
    /// How the value comes to this key from the one before; without meaning at the first.
    pub ease: Ease,
}

/// A course from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ease {
    /// s
    #[default]
    Linear,
    /// s²
    SlowIn,
    /// s·(2 − s)
    SlowOut,
    /// s²·(3 − 2s)
    SlowInOut,
    /// 0, and 1 at the key.
    Hold,
}

impl Track {
    /// Its value at a time; of a track of numbers, x holds it. At a key it is that of the key.
    pub fn value_at(&self, t: f64) -> Vec3 {
        let next = self.keys.partition_point(|key| key.t <= t);
        match (next.checked_sub(1).map(|last| &self.keys[last]), self.keys.get(next)) {
            (Some(a), Some(b)) => a.value + (b.value - a.value) * b.ease.at((t - a.t) / (b.t - a.t)),
            (Some(key), None) | (None, Some(key)) => key.value,
            (None, None) => Vec3::zeros(),
        }
    }
}

impl Ease {
    /// How far it has come at s, from 0 up to 1.
    pub fn at(self, s: f64) -> f64 {
        match self {
            Ease::Linear => s,
            Ease::SlowIn => s * s,
            Ease::SlowOut => s * (2.0 - s),
            Ease::SlowInOut => s * s * (3.0 - 2.0 * s),
            Ease::Hold => 0.0,
        }
    }

    /// How fast it goes at s: the derivative of [`Ease::at`].
    pub fn slope(self, s: f64) -> f64 {
        match self {
            Ease::Linear => 1.0,
            Ease::SlowIn => 2.0 * s,
            Ease::SlowOut => 2.0 * (1.0 - s),
            Ease::SlowInOut => 6.0 * s * (1.0 - s),
            Ease::Hold => 0.0,
        }
    }

    /// How its speed changes at s: the derivative of [`Ease::slope`].
    pub fn bend(self, s: f64) -> f64 {
        match self {
            Ease::Linear | Ease::Hold => 0.0,
            Ease::SlowIn => 2.0,
            Ease::SlowOut => -2.0,
            Ease::SlowInOut => 6.0 - 12.0 * s,
        }
    }
}

impl TrackSize {
    /// What several of its values are called.
    pub fn plural(self) -> &'static str {
        match self {
            TrackSize::Number => "numbers",
            TrackSize::Vector => "vectors",
        }
    }
}

impl fmt::Display for TrackSize {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            TrackSize::Number => "a number",
            TrackSize::Vector => "a vector",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(keys: &[(f64, f64, Ease)]) -> Track {
        let key = |&(t, value, ease): &(f64, f64, Ease)| Key { t, value: Vec3::new(value, 0.0, 0.0), ease };
        Track { name: "hand".to_owned(), size: TrackSize::Number, keys: keys.iter().map(key).collect() }
    }

    #[test]
    fn between_keys_a_value_goes_as_the_ease_of_the_later_one_says() {
        let eases = [
            (Ease::Linear, 0.25),
            (Ease::SlowIn, 0.0625),
            (Ease::SlowOut, 0.4375),
            (Ease::SlowInOut, 0.15625),
            (Ease::Hold, 0.0),
        ];
        for (ease, part) in eases {
            let track = track(&[(1.0, 2.0, Ease::Hold), (3.0, 10.0, ease)]);
            assert_eq!(track.value_at(1.5).x, 2.0 + 8.0 * part, "{ease:?}");
            assert_eq!([track.value_at(1.0).x, track.value_at(3.0).x], [2.0, 10.0], "{ease:?}");
        }
    }

    #[test]
    fn before_its_keys_and_after_them_a_track_stays() {
        let track = track(&[(1.0, 2.0, Ease::Linear), (3.0, 10.0, Ease::Linear), (4.0, -1.0, Ease::SlowIn)]);
        assert_eq!([0.0, 2.0, 4.0, 9.0].map(|t| track.value_at(t).x), [2.0, 6.0, -1.0, -1.0]);
    }
}
