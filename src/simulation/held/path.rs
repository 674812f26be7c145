//! Where one body is inside a held step.

use super::displaced;
use crate::dynamics::BodyState;
use crate::math::Vec3;

/// The path of one body inside a step: (4) of this room, bent to end at the projected end. The projection's share
/// grows as y·(2 − y), y = x/s: a contact that joined the step then comes to rest where it lands instead of
/// sinking in on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepPath {
    /// When the step starts, s.
    pub t: f64,
    /// How long it is, s.
    pub length: f64,
    /// The state it starts from.
    pub start: BodyState,
    /// (v⁺ − v)/s.
    pub acceleration: Vec3,
    /// (ω⁺ − ω)/s.
    pub spin_rate: Vec3,
    /// By how much the projection moved the end.
    pub correction: [Vec3; 2],
}

impl StepPath {
    /// The path of one member through a step.
    pub fn new(t: f64, length: f64, start: &BodyState, unprojected: &BodyState, end: &BodyState) -> Self {
        let turn = crate::math::rotation::log(&(end.rotation * unprojected.rotation.inverse()));
        StepPath {
            t,
            length,
            start: *start,
            acceleration: (unprojected.velocity - start.velocity) / length,
            spin_rate: (unprojected.spin - start.spin) / length,
            correction: [end.position - unprojected.position, turn],
        }
    }

    /// The state at a time of the step.
    pub fn at(&self, t: f64) -> BodyState {
        let x = t - self.t;
        let share = (x / self.length) * (2.0 - x / self.length);
        let shift = self.start.velocity * x + self.acceleration * (0.5 * x * x) + self.correction[0] * share;
        let turned = displaced(&self.start, &shift, &(self.start.spin * x + self.spin_rate * (0.5 * x * x)));
        BodyState {
            rotation: crate::math::rotation::exp(self.correction[1] * share) * turned.rotation,
            velocity: self.start.velocity + self.acceleration * x,
            spin: self.start.spin + self.spin_rate * x,
            ..turned
        }
    }

    /// The state with the velocities of the path itself, the share of the projection included.
    pub fn with_path_velocity(&self, t: f64) -> BodyState {
        let state = self.at(t);
        let rate = 2.0 * (1.0 - (t - self.t) / self.length) / self.length;
        BodyState {
            velocity: state.velocity + self.correction[0] * rate,
            spin: state.spin + self.correction[1] * rate,
            ..state
        }
    }

    /// At least |ω| inside the step: the derivative of the rotation vector bounds it.
    pub fn spin_bound(&self) -> f64 {
        self.start.spin.norm() + self.spin_rate.norm() * self.length + 2.0 * self.correction[1].norm() / self.length
    }

    /// At least |dω/dt| inside the step: that of the rotation vector, and its turning by the exponential map.
    pub fn spin_rate_bound(&self) -> f64 {
        let bound = self.spin_bound();
        self.spin_rate.norm() + 2.0 * self.correction[1].norm() / (self.length * self.length) + bound * bound
    }
}
