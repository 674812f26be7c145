//! The units in which a scene is simulated: its own, so that its size does not matter.
//!
//! Whoever makes a scene L times as large, and its times √L times as long, has the same motion seen from farther away: gravity
//! is the same, velocities grow by √L, spins fall by √L. The tolerances of `geometry`, `contact` and `simulation` are numbers
//! of metres and seconds that suit the usual step and bodies between a centimetre and a metre. So every scene is simulated in
//! units of its own, in which it is one of those, and told in metres and seconds:
//!
//! ```text
//! unit of time   = step/(1/240 s),    unit of length = (unit of time/1 s)² m                           (1)
//! but               size/(1 m) ≤ unit of length/(1 m) ≤ size/(0.01 m)
//! ```
//!
//! The size of a scene is the distance of the farthest point of its smallest moving body from that body's centre of mass, in the
//! file: it does not depend on u. Where no moving body has an extent (1) stands alone. So with the usual step and bodies of usual
//! size the units are the metre and the second; tolerances of length fall as the square of the step, as its error does; and a
//! scene of crumbs or of mountains, whose step stays as it was, has tolerances that suit its bodies. A crumb added to a scene of
//! other bodies changes the units of all of them, and so their last digits.
//!
//! What happens at the doors: `World::in_units` and `World::direction` on the way in, `simulation::scaled` and the ends of
//! `sensitivity` on the way out.

use super::ModelBody;
use crate::dynamics::{BodyState, StateTangent};
use crate::scene::DEFAULT_STEP;

/// What the smallest moving body measures at least and at most, in its unit of length. Tolerances would show on smaller ones, and
/// drown in the rounding of larger ones.
const USUAL_SIZES: [f64; 2] = [0.01, 1.0];

/// Units of length and time, by what they are in metres and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// m.
    pub length: f64,
    /// s.
    pub time: f64,
}

impl Units {
    /// Metres and seconds.
    pub const SI: Units = Units { length: 1.0, time: 1.0 };

    /// Those of a scene of these bodies. (1)
    pub(super) fn of(step: f64, bodies: &[ModelBody]) -> Units {
        let moving = bodies.iter().filter(|body| body.drive.is_pushed());
        let extents = moving.map(|body| body.solid.reach()).filter(|reach| *reach > 0.0 && reach.is_finite());
        Units::of_size(step, extents.reduce(f64::min))
    }

    fn of_size(step: f64, size: Option<f64>) -> Units {
        let time = step / DEFAULT_STEP;
        let [least, most] = USUAL_SIZES;
        let Some(size) = size else { return Units { length: time * time, time } };
        match size / (time * time) {
            measure if measure < least => Units::of_length(size / least),
            measure if measure > most => Units::of_length(size / most),
            _ => Units { length: time * time, time },
        }
    }

    fn of_length(length: f64) -> Units {
        Units { length, time: length.sqrt() }
    }

    /// Whether they are metres and seconds.
    pub fn is_si(self) -> bool {
        self == Units::SI
    }

    /// In these units, the last time that is told as `t` s or as an earlier one: what is asked for at the very time of an event
    /// comes after it.
    pub fn own_time(self, t: f64) -> f64 {
        let mut own = t / self.time;
        while own * self.time > t {
            own = own.next_down();
        }
        while own.next_up() * self.time <= t {
            own = own.next_up();
        }
        own
    }

    /// m/s.
    pub fn speed(self) -> f64 {
        self.length / self.time
    }

    /// In these units, a state that is in metres and seconds.
    pub fn own_state(self, state: &BodyState) -> BodyState {
        BodyState {
            position: state.position / self.length,
            rotation: state.rotation,
            velocity: state.velocity / self.speed(),
            spin: state.spin * self.time,
        }
    }

    /// In metres and seconds, a state that is in these units.
    pub fn state(self, state: &BodyState) -> BodyState {
        BodyState {
            position: state.position * self.length,
            rotation: state.rotation,
            velocity: state.velocity * self.speed(),
            spin: state.spin / self.time,
        }
    }

    /// In metres and seconds, the entry of a tangent that is 1 in these units.
    pub fn entry(self, entry: usize) -> f64 {
        [self.length, 1.0, self.speed(), self.time.recip()][entry / 3]
    }

    /// In metres and seconds, a tangent that is in these units.
    pub fn tangent(self, tangent: &StateTangent) -> StateTangent {
        StateTangent::from_fn(|entry, _| tangent[entry] * self.entry(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_step_and_bodies_of_usual_size_are_measured_in_metres() {
        for size in [Some(0.01), Some(0.2), Some(1.0), None] {
            assert!(Units::of_size(DEFAULT_STEP, size).is_si(), "{size:?}");
        }
    }

    #[test]
    fn units_grow_with_a_scene() {
        for size in [1e-4, 0.003, 0.2, 1.0, 7.0] {
            for step in [1e-3, DEFAULT_STEP, 0.02] {
                let units = Units::of_size(step, Some(size));
                assert!((1.0 - 1e-12..=100.0 + 1e-12).contains(&(size / units.length).recip()), "{size} {units:?}");
                for scale in [1e-3, 0.01, 100.0, 1e3] {
                    let scaled = Units::of_size(step * f64::sqrt(scale), Some(size * scale));
                    let off = (scaled.length / (units.length * scale) - 1.0).abs();
                    assert!(off < 1e-14, "{size} {step} {scale}: {off:e}");
                    assert!((scaled.length / (scaled.time * scaled.time) - 1.0).abs() < 1e-15, "gravity is the same");
                }
            }
        }
    }

    #[test]
    fn a_time_comes_just_after_what_happens_then() {
        let units = Units::of_size(3e-3, Some(0.07));
        for k in 0..1000 {
            let own = 0.01 * f64::from(k) + 1e-3;
            let [before, after] = [(own * units.time).next_down(), own * units.time].map(|t| units.own_time(t));
            assert!(before < own && own <= after && after < own + 1e-14 * (1.0 + own), "{own} {before} {after}");
        }
    }
}
