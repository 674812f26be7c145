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

use super::block::{Coupling, Law, Mode};
use super::friction::Normal;
use crate::contact::linear::relaxation::Relaxation;
use crate::math::{Mat3, Vec3};

/// One contact that resists rolling, at a trial turning impulse.
#[derive(Clone, Copy, Debug)]
pub struct RollingTrial {
    /// τ, N·m·s.
    pub impulse: Vec3,
    /// ω after the impulse, rad/s.
    pub velocity: Vec3,
    /// Place of its contact among the blocks.
    pub contact: usize,
    /// The normal row of that contact, whose pressure it feels.
    pub normal: Normal,
    /// c, m.
    pub coefficient: f64,
    /// r_τ: turning impulse per spin, kg·m².
    pub scale: f64,
}

/// The value of G alone.
pub fn rolling_value(trial: &RollingTrial) -> Vec3 {
    let radius = trial.coefficient * trial.normal.pressure();
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
pub fn rolling_law(trial: &RollingTrial) -> Law {
    let pressure = trial.normal.pressure();
    let radius = trial.coefficient * pressure;
    let mut coupling = Coupling::idle(trial.contact);
    let mut law = Law { coupling: Some(coupling), ..Law::open(rolling_value(trial)) };
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
    if trial.normal.given.is_some() {
        law.dlaw_dgiven = dlaw_dpressure;
    } else {
        coupling.dlaw_dimpulse = dlaw_dpressure;
        coupling.dlaw_dvelocity = -trial.normal.scale * dlaw_dpressure;
        law.coupling = Some(coupling);
    }
    law
}

/// One visit of a sweep: τ like the tangential impulse of a contact, with the length c·p_n and a bound on its own response.
pub(in crate::contact) fn relax_rolling(contact: usize, coefficient: f64, block: usize, at: &mut Relaxation) {
    let rows = [0, 1, 2].map(|axis| 3 * block + axis);
    let radius = coefficient * at.impulse(3 * contact);
    if radius.is_nan() || radius <= 0.0 {
        rows.iter().for_each(|&row| at.set(row, 0.0));
        return;
    }
    let bound = |row: usize| rows.iter().map(|&column| at.entry(row, column).abs()).sum::<f64>();
    let scale = 1.0 / rows.iter().map(|&row| bound(row)).fold(f64::MIN_POSITIVE, f64::max);
    let x = Vec3::from(rows.map(|row| at.impulse(row) - scale * at.after(row)));
    let shrink = if x.norm() > radius { radius / x.norm() } else { 1.0 };
    rows.iter().zip(x.iter()).for_each(|(&row, x)| at.set(row, shrink * x));
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 6e-6;
    const TOLERANCE: f64 = 1e-8;

    fn check(trial: RollingTrial, exact: Vec3, change: impl Fn(&mut RollingTrial, f64)) {
        let (mut ahead, mut behind) = (trial, trial);
        change(&mut ahead, STEP);
        change(&mut behind, -STEP);
        let numeric = (rolling_value(&ahead) - rolling_value(&behind)) / (2.0 * STEP);
        assert!((numeric - exact).norm() < TOLERANCE, "{trial:?}: exact {exact}, numeric {numeric}");
    }

    #[test]
    fn derivatives_agree_with_differences_in_every_mode() {
        for given in [None, Some(1.7)] {
            for (normal, spin, mode) in [(2.0, 2.0, Mode::Slide), (2.0, 0.02, Mode::Stick), (-1.0, 2.0, Mode::Open)] {
                let given = given.map(|given: f64| f64::copysign(given, normal));
                let trial = RollingTrial {
                    impulse: Vec3::new(0.02, -0.03, 0.01),
                    velocity: Vec3::new(0.5, -0.8, 0.3) * spin,
                    contact: 0,
                    normal: Normal { impulse: normal, velocity: 0.4, given, scale: 0.7 },
                    coefficient: 0.1,
                    scale: 0.3,
                };
                let law = rolling_law(&trial);
                let coupling = law.coupling.expect("a rolling law is coupled to its contact");
                assert_eq!(law.mode, mode);
                for axis in 0..3 {
                    check(trial, law.dlaw_dimpulse.column(axis).into(), |t, h| t.impulse[axis] += h);
                    check(trial, law.dlaw_dvelocity.column(axis).into(), |t, h| t.velocity[axis] += h);
                }
                check(trial, coupling.dlaw_dimpulse, |t, h| t.normal.impulse += h);
                check(trial, coupling.dlaw_dvelocity, |t, h| t.normal.velocity += h);
                check(trial, law.dlaw_dcoefficient, |t, h| t.coefficient += h);
                check(trial, law.dlaw_dgiven, |t, h| t.normal.given = t.normal.given.map(|g| g + h));
            }
        }
    }
}
