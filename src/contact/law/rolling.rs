//! What a contact that resists rolling demands of its turning impulse, as a root of a piecewise smooth function.
//!
//! With the turning impulse τ, the relative spin ω after it, both in world axes, the coefficient c in metres, the
//! pressure y of `law` (p_n − r·w_n, or the given normal impulse), a scale r_τ and x = τ − r_τ·ω:
//!
//! ```text
//! open    y ≤ 0             G = τ
//! stick   |x| ≤ c·y         G = r_τ·ω                                                      (1)
//! slide   |x| > c·y         G = τ − c·y·x/|x|                                              (2)
//! ```
//!
//! G = 0 exactly where |τ| ≤ c·p_n and either nothing turns or τ = −c·p_n·ω/|ω|: rolling and drilling alike. Beside the
//! value stand its derivatives with the mode fixed.

use super::friction::{Mode, Trial};
use crate::math::{Mat3, Vec3};

/// One contact that resists rolling, at a trial turning impulse.
#[derive(Clone, Copy, Debug)]
pub struct RollingTrial {
    /// τ, N·m·s.
    pub impulse: Vec3,
    /// ω after the impulse, rad/s.
    pub velocity: Vec3,
    /// c, m.
    pub coefficient: f64,
    /// r_τ: turning impulse per spin, kg·m².
    pub scale: f64,
}

/// The law at a trial and its derivatives with the mode fixed.
#[derive(Clone, Copy, Debug)]
pub struct RollingLaw {
    /// G.
    pub value: Vec3,
    /// `Stick` where nothing turns, `Slide` where it turns.
    pub mode: Mode,
    /// ∂G/∂τ, 3 × 3.
    pub dlaw_dimpulse: Mat3,
    /// ∂G/∂ω, 3 × 3.
    pub dlaw_dvelocity: Mat3,
    /// ∂G/∂p_n of the contact.
    pub dlaw_dnormal_impulse: Vec3,
    /// ∂G/∂w_n of the contact.
    pub dlaw_dnormal_velocity: Vec3,
    /// ∂G/∂c.
    pub dlaw_dcoefficient: Vec3,
    /// ∂G/∂g; zero where the normal impulse is not given.
    pub dlaw_dgiven: Vec3,
}

impl RollingLaw {
    /// The derivatives of a contact that does not turn: G = r_τ·ω.
    pub(in crate::contact) fn stick(&mut self, scale: f64) {
        self.mode = Mode::Stick;
        self.dlaw_dimpulse = Mat3::zeros();
        self.dlaw_dvelocity = Mat3::identity() * scale;
        self.dlaw_dnormal_impulse = Vec3::zeros();
        self.dlaw_dnormal_velocity = Vec3::zeros();
    }
}

/// The value of G alone; `contact` is the contact whose pressure it feels.
pub fn rolling_value(trial: &RollingTrial, contact: &Trial) -> Vec3 {
    let radius = trial.coefficient * contact.pressure();
    let x = trial.impulse - trial.scale * trial.velocity;
    let length = x.norm();
    if radius.is_nan() || radius <= 0.0 {
        trial.impulse
    } else if length <= radius {
        trial.scale * trial.velocity
    } else {
        trial.impulse - radius / length * x
    }
}

/// G and its derivatives.
///
/// In (2), with d = x/|x|, the derivative of c·y·d is d·d(c·y) + (c·y/|x|)·(1 − d·dᵀ)·(dτ − r_τ·dω).
pub fn rolling_law(trial: &RollingTrial, contact: &Trial) -> RollingLaw {
    let pressure = contact.pressure();
    let radius = trial.coefficient * pressure;
    let mut law = RollingLaw {
        value: rolling_value(trial, contact),
        mode: Mode::Open,
        dlaw_dimpulse: Mat3::identity(),
        dlaw_dvelocity: Mat3::zeros(),
        dlaw_dnormal_impulse: Vec3::zeros(),
        dlaw_dnormal_velocity: Vec3::zeros(),
        dlaw_dcoefficient: Vec3::zeros(),
        dlaw_dgiven: Vec3::zeros(),
    };
    if radius.is_nan() || radius <= 0.0 {
        return law;
    }
    let x = trial.impulse - trial.scale * trial.velocity;
    let length = x.norm();
    if length <= radius {
        law.mode = Mode::Stick;
        law.dlaw_dimpulse = Mat3::zeros();
        law.dlaw_dvelocity = Mat3::identity() * trial.scale;
        return law;
    }
    law.mode = Mode::Slide;
    let direction = x / length;
    let across = (Mat3::identity() - direction * direction.transpose()) * (radius / length);
    law.dlaw_dimpulse -= across;
    law.dlaw_dvelocity = across * trial.scale;
    law.dlaw_dcoefficient = -pressure * direction;
    let dlaw_dpressure = -trial.coefficient * direction;
    if contact.given_normal.is_some() {
        law.dlaw_dgiven = dlaw_dpressure;
    } else {
        law.dlaw_dnormal_impulse = dlaw_dpressure;
        law.dlaw_dnormal_velocity = -contact.scale * dlaw_dpressure;
    }
    law
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 6e-6;
    const TOLERANCE: f64 = 1e-8;

    fn check(trial: (RollingTrial, Trial), exact: Vec3, change: impl Fn(&mut (RollingTrial, Trial), f64)) {
        let (mut ahead, mut behind) = (trial, trial);
        change(&mut ahead, STEP);
        change(&mut behind, -STEP);
        let value = |trial: &(RollingTrial, Trial)| rolling_value(&trial.0, &trial.1);
        let numeric = (value(&ahead) - value(&behind)) / (2.0 * STEP);
        assert!((numeric - exact).norm() < TOLERANCE, "{trial:?}: exact {exact}, numeric {numeric}");
    }

    #[test]
    fn derivatives_agree_with_differences_in_every_mode() {
        for given_normal in [None, Some(1.7)] {
            for (normal, spin, mode) in [(2.0, 2.0, Mode::Slide), (2.0, 0.02, Mode::Stick), (-1.0, 2.0, Mode::Open)] {
                let contact = Trial {
                    impulse: Vec3::new(normal, 0.3, 0.1),
                    velocity: Vec3::new(0.4, 0.2, -0.3),
                    friction: 0.5,
                    given_normal: given_normal.map(|given: f64| given * normal.signum()),
                    scale: 0.7,
                };
                let (impulse, velocity) = (Vec3::new(0.02, -0.03, 0.01), Vec3::new(0.5, -0.8, 0.3) * spin);
                let trial = (RollingTrial { impulse, velocity, coefficient: 0.1, scale: 0.3 }, contact);
                let law = rolling_law(&trial.0, &trial.1);
                assert_eq!(law.mode, mode);
                for axis in 0..3 {
                    check(trial, law.dlaw_dimpulse.column(axis).into(), |t, h| t.0.impulse[axis] += h);
                    check(trial, law.dlaw_dvelocity.column(axis).into(), |t, h| t.0.velocity[axis] += h);
                }
                check(trial, law.dlaw_dnormal_impulse, |t, h| t.1.impulse.x += h);
                check(trial, law.dlaw_dnormal_velocity, |t, h| t.1.velocity.x += h);
                check(trial, law.dlaw_dcoefficient, |t, h| t.0.coefficient += h);
                check(trial, law.dlaw_dgiven, |t, h| t.1.given_normal = t.1.given_normal.map(|g| g + h));
            }
        }
    }
}
