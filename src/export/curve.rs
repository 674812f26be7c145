//! What a viewer draws between keys: the curves of a file, evaluated as other programs do.
//!
//! With s = (t − t₀)/h, h = t₁ − t₀:
//!
//! ```text
//! linear place   (1 − s)·x₀ + s·x₁                                                                        (1)
//! linear turn    slerp(R₀, R₁, s), the short way round                                                     (2)
//! cubic          (2s³−3s²+1)·x₀ + (s³−2s²+s)·h·ẋ₀⁺ + (3s²−2s³)·x₁ + (s³−s²)·h·ẋ₁⁻                           (3)
//! ```
//!
//! Each key of a cubic has two rates, ẋ⁻ on its left and ẋ⁺ on its right, which differ where a body was struck. A turn
//! is (3) in the four numbers of the quaternion, brought back to unit length; its rate is q̇ = ½·ω·q. These are the rules
//! of glTF; a Bézier curve with handles at thirds of the step is (3) too.

use nalgebra::{Quaternion, SVector, Unit};

use super::keys::{Interpolation, Key};
use crate::dynamics::BodyState;
use crate::math::{Rotation, Vec3, rotation};

/// How a file says its keys are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// Each value holds until the next key.
    Step,
    /// (1) and (2).
    Linear,
    /// (3).
    Cubic,
}

/// One key of a curve of N numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot<const N: usize> {
    /// s.
    pub t: f64,
    /// There.
    pub value: SVector<f64, N>,
    /// Rate of change just before and just after; unused unless cubic.
    pub rates: [SVector<f64, N>; 2],
}

/// A value over time, as a file keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<const N: usize> {
    /// Between knots.
    pub joining: Joining,
    /// In order of time.
    pub knots: Vec<Knot<N>>,
}

/// A place over time.
pub type Place = Curve<3>;
/// An orientation over time, as x, y, z, w.
pub type Turn = Curve<4>;

impl From<Interpolation> for Joining {
    fn from(interpolation: Interpolation) -> Joining {
        match interpolation {
            Interpolation::Linear => Joining::Linear,
            Interpolation::Cubic => Joining::Cubic,
        }
    }
}

impl<const N: usize> Knot<N> {
    /// A value that does not change.
    pub fn still(t: f64, value: SVector<f64, N>) -> Knot<N> {
        Knot { t, value, rates: [SVector::zeros(); 2] }
    }
}

impl Knot<3> {
    /// The place of a key.
    pub fn place(key: &Key) -> Knot<3> {
        Knot { t: key.t, value: key.after.position, rates: [key.before.velocity, key.after.velocity] }
    }
}

impl Knot<4> {
    /// The orientation of a key.
    pub fn turn(key: &Key) -> Knot<4> {
        let value = key.after.rotation.coords;
        Knot { t: key.t, value, rates: [quaternion_rate(&key.before), quaternion_rate(&key.after)] }
    }

    /// The same orientation by the quaternion that lies nearer to another: q and −q are one orientation, and curves must
    /// not jump between them.
    pub fn beside(mut self, other: &SVector<f64, 4>) -> Knot<4> {
        if self.value.dot(other) < 0.0 {
            self.value = -self.value;
            self.rates = self.rates.map(|rate| -rate);
        }
        self
    }
}

/// q̇ = ½·ω·q, as x, y, z, w.
fn quaternion_rate(state: &BodyState) -> SVector<f64, 4> {
    (Quaternion::from_imag(state.spin * 0.5) * state.rotation.quaternion()).coords
}

/// (3).
pub fn hermite<const N: usize>(a: &Knot<N>, b: &Knot<N>, t: f64) -> SVector<f64, N> {
    let h = b.t - a.t;
    let s = (t - a.t) / h;
    let (square, cube) = (s * s, s * s * s);
    a.value * (2.0 * cube - 3.0 * square + 1.0)
        + a.rates[1] * ((cube - 2.0 * square + s) * h)
        + b.value * (3.0 * square - 2.0 * cube)
        + b.rates[0] * ((cube - square) * h)
}

/// A place between two knots.
pub fn place_between(joining: Joining, a: &Knot<3>, b: &Knot<3>, t: f64) -> Vec3 {
    match joining {
        Joining::Step => a.value,
        Joining::Linear => a.value.lerp(&b.value, (t - a.t) / (b.t - a.t)),
        Joining::Cubic => hermite(a, b, t),
    }
}

/// An orientation between two knots.
pub fn turn_between(joining: Joining, a: &Knot<4>, b: &Knot<4>, t: f64) -> Rotation {
    match joining {
        Joining::Step => unit(a.value),
        Joining::Linear => rotation::between(&unit(a.value), &unit(b.value), (t - a.t) / (b.t - a.t)),
        Joining::Cubic => unit(hermite(a, b, t)),
    }
}

impl Curve<3> {
    /// The place that a viewer shows at t; a curve without keys stays at the origin.
    pub fn at(&self, t: f64) -> Vec3 {
        let [a, b] = self.around(t);
        let between = a.zip(b).map(|(a, b)| place_between(self.joining, a, b, t));
        between.or(a.or(b).map(|only| only.value)).unwrap_or_default()
    }
}

impl Curve<4> {
    /// A curve of orientations without jumps from q to −q.
    pub fn continuous(knots: impl Iterator<Item = Knot<4>>, interpolation: Interpolation) -> Turn {
        let mut last: Option<Knot<4>> = None;
        let beside = |knot: Knot<4>| *last.insert(last.map_or(knot, |last| knot.beside(&last.value)));
        Turn { joining: interpolation.into(), knots: knots.map(beside).collect() }
    }

    /// The orientation that a viewer shows at t; a curve without keys does not turn.
    pub fn at(&self, t: f64) -> Rotation {
        let [a, b] = self.around(t);
        let between = a.zip(b).map(|(a, b)| turn_between(self.joining, a, b, t));
        between.or(a.or(b).map(|only| unit(only.value))).unwrap_or_default()
    }
}

impl<const N: usize> Curve<N> {
    /// The last knot at or before t, and the first one after it.
    fn around(&self, t: f64) -> [Option<&Knot<N>>; 2] {
        let next = self.knots.partition_point(|knot| knot.t <= t);
        [next.checked_sub(1).and_then(|last| self.knots.get(last)), self.knots.get(next)]
    }
}

fn unit(coords: SVector<f64, 4>) -> Rotation {
    Unit::try_new(Quaternion::from(coords), 1e-30).unwrap_or_else(Rotation::identity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::vector;

    #[test]
    fn one_cubic_is_a_whole_parabola() {
        let (x, v, g) = (vector![0.3, 2.0, -1.0], vector![1.0, 4.0, 0.5], vector![0.0, -9.81, 0.0]);
        let knot = |t: f64| Knot { t, value: x + v * t + g * (0.5 * t * t), rates: [v + g * t; 2] };
        let (a, b) = (knot(0.25), knot(1.75));
        for k in 0..=20 {
            let t = 0.25 + 1.5 * f64::from(k) / 20.0;
            let error = (hermite(&a, &b, t) - knot(t).value).norm();
            assert!(error < 1e-14, "{error} m off at {t}");
        }
    }

    #[test]
    fn straight_turns_at_constant_spin_are_exact() {
        let spin = vector![0.2, -0.4, 0.1];
        let knot = |t: f64| Knot::<4>::still(t, rotation::exp(spin * t).coords);
        let curve = Turn { joining: Joining::Linear, knots: vec![knot(0.0), knot(1.0), knot(2.0)] };
        for t in [-1.0, 0.0, 0.3, 1.0, 1.9, 2.0, 5.0] {
            let true_turn = rotation::exp(spin * f64::clamp(t, 0.0, 2.0));
            assert!(rotation::angle_between(&curve.at(t), &true_turn) < 1e-7, "at {t}");
        }
    }

    #[test]
    fn a_struck_place_keeps_both_its_rates() {
        let rates = [vector![0.0, -4.0, 0.0], vector![0.0, 3.0, 0.0]];
        let still =
            |t: f64, y: f64, rate: f64| Knot { t, value: vector![0.0, y, 0.0], rates: [vector![0.0, rate, 0.0]; 2] };
        let middle = Knot { t: 1.0, value: Vec3::zeros(), rates };
        let curve = Place { joining: Joining::Cubic, knots: vec![still(0.0, 4.0, -4.0), middle, still(2.0, 3.0, 3.0)] };
        assert!((curve.at(0.5).y - 2.0).abs() < 1e-15 && (curve.at(1.5).y - 1.5).abs() < 1e-15);
    }
}
