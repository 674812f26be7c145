//! Where one body is inside a held step, and how that changes with the step.
//!
//! With y = x/s, the acceleration a = (v⁺ − v)/s, its turning twin α, and (c, γ) the displacement and turn by which
//! the projection moved the end:
//!
//! ```text
//! position   x₀ + x·v + x²·a/2 + b(y)·c                                                           (1)
//! rotation   exp(b(y)·γ)·exp(x·ω + x²·α/2)·R₀                                                     (2)
//! ```
//!
//! where the share b of the projection grows from 0 to 1, early or late ([`Bend`]).

use super::displacement::{displaced, displaced_tangent, part, stacked};
use crate::dynamics::{BodyState, StateTangent};
use crate::math::{Vec3, rotation};

/// How the projection's share grows along a step, with y = x/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// y²: the projection takes away what the step's own error has grown to.
    Late,
    /// y·(2 − y): a contact that came late, or parted a little at the start, comes to rest where it lands
    /// instead of sinking in on the way.
    Early,
}

impl Bend {
    /// b(y) and its derivative.
    fn share(self, y: f64) -> (f64, f64) {
        match self {
            Bend::Late => (y * y, 2.0 * y),
            Bend::Early => (y * (2.0 - y), 2.0 * (1.0 - y)),
        }
    }
}

/// The path of one body inside a step: (4) of this folder, bent to end at the projected end.
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
    /// How that is spread over the step.
    pub bend: Bend,
}

/// A change of a path and of the place on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathDirection {
    /// δ of the start.
    pub start: StateTangent,
    /// δ of the end before the projection.
    pub unprojected: StateTangent,
    /// δ of the end.
    pub end: StateTangent,
    /// δs.
    pub dlength: f64,
    /// δx, the time since the start. With all else zero and this 1 the change is the rate of the path.
    pub dx: f64,
}

impl StepPath {
    /// The path of one member through a step.
    pub fn new(t: f64, length: f64, start: &BodyState, [unprojected, end]: [&BodyState; 2], bend: Bend) -> Self {
        let turn = rotation::log(&(end.rotation * unprojected.rotation.inverse()));
        StepPath {
            t,
            length,
            start: *start,
            acceleration: (unprojected.velocity - start.velocity) / length,
            spin_rate: (unprojected.spin - start.spin) / length,
            correction: [end.position - unprojected.position, turn],
            bend,
        }
    }

    /// The state at a time of the step.
    pub fn at(&self, t: f64) -> BodyState {
        let x = t - self.t;
        let (share, _) = self.bend.share(x / self.length);
        let shift = self.start.velocity * x + self.acceleration * (0.5 * x * x) + self.correction[0] * share;
        let turned = displaced(&self.start, &shift, &(self.start.spin * x + self.spin_rate * (0.5 * x * x)));
        BodyState {
            rotation: rotation::exp(self.correction[1] * share) * turned.rotation,
            velocity: self.start.velocity + self.acceleration * x,
            spin: self.start.spin + self.spin_rate * x,
            ..turned
        }
    }

    /// The state with the velocities of the path itself, the share of the projection included.
    pub fn with_path_velocity(&self, t: f64) -> BodyState {
        let state = self.at(t);
        let rate = self.bend.share((t - self.t) / self.length).1 / self.length;
        BodyState {
            velocity: state.velocity + self.correction[0] * rate,
            spin: state.spin + self.correction[1] * rate,
            ..state
        }
    }

    /// F along the path, the share of the projection included: (3) of a change of x alone.
    ///
    /// ```text
    /// ẋ = v + x·a + b'·c/s        with φ = x·ω + x²·α/2
    /// θ̇ = b'·γ/s + exp(b·γ)·dexp(φ)·(ω + x·α)
    /// v̇ = a,   ω̇ = α
    /// ```
    pub fn rate(&self, t: f64) -> StateTangent {
        let still = StateTangent::zeros();
        self.tangent_at(t, &PathDirection { start: still, unprojected: still, end: still, dlength: 0.0, dx: 1.0 })
    }

    /// The change of [`StepPath::at`].
    ///
    /// ```text
    /// δa = (δv⁺ − δv − δs·a)/s,   δγ = dlog(γ)·(δθ_end − exp(γ)·δθ_unprojected)                    (3)
    /// ```
    pub fn tangent_at(&self, t: f64, direction: &PathDirection) -> StateTangent {
        let PathDirection { start, unprojected, end, dlength, dx } = direction;
        let (s, x) = (self.length, t - self.t);
        let rate = |index: usize, rate: &Vec3| (part(unprojected, index) - part(start, index) - rate * *dlength) / s;
        let (dacceleration, dspin_rate) = (rate(2, &self.acceleration), rate(3, &self.spin_rate));
        let turn = self.correction[1];
        let dturn = rotation::dlog(turn) * (part(end, 1) - rotation::exp(turn) * part(unprojected, 1));
        let dcorrection = [part(end, 0) - part(unprojected, 0), dturn];
        // The motion without the projection.
        let along = |dvelocity: &Vec3, velocity: &Vec3, drate: &Vec3, rate: &Vec3| {
            dvelocity * x + velocity * *dx + drate * (0.5 * x * x) + rate * (x * dx)
        };
        let (dvelocity, dspin) = (part(start, 2), part(start, 3));
        let dshift = along(&dvelocity, &self.start.velocity, &dacceleration, &self.acceleration);
        let turned = self.start.spin * x + self.spin_rate * (0.5 * x * x);
        let dturned = along(&dspin, &self.start.spin, &dspin_rate, &self.spin_rate);
        let pose = displaced_tangent(&turned, &(part(start, 0), part(start, 1)), &dshift, &dturned);
        // The share of the projection.
        let (y, dy) = (x / s, (dx - x / s * dlength) / s);
        let (share, slope) = self.bend.share(y);
        let dshare = slope * dy;
        let change = |k: usize| dcorrection[k] * share + self.correction[k] * dshare;
        let pose = displaced_tangent(&(turn * share), &pose, &change(0), &change(1));
        let velocity = dvelocity + dacceleration * x + self.acceleration * *dx;
        stacked(pose, velocity, dspin + dspin_rate * x + self.spin_rate * *dx)
    }

    /// Acceleration of the centre of mass along the path itself.
    pub fn path_acceleration(&self) -> Vec3 {
        let bending = self.correction[0] * (2.0 / (self.length * self.length));
        match self.bend {
            Bend::Late => self.acceleration + bending,
            Bend::Early => self.acceleration - bending,
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
