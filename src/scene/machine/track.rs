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
