//! Coulomb friction and non-penetration: what one contact demands of its impulse and its velocity.
//!
//! With the impulse p and the velocity w after it, both as (normal, T1, T2), a positive scale r, y = p_n − r·w_n
//! and z = p_t − r·w_t, the function of Alart and Curnier (1991) is
//!
//! ```text
//! open         y ≤ 0           G = p
//! closed       y > 0           G_n = r·w_n,         radius ρ = μ·y                         (1)
//! given        p_n = g         G_n = p_n − g,       radius ρ = μ·g                         (2)
//!   stick        |z| ≤ ρ       G_t = r·w_t                                                 (3)
//!   slide        |z| > ρ       G_t = p_t − ρ·z/|z|                                         (4)
//!   frictionless ρ ≤ 0         G_t = p_t
//! ```
//!
//! G = 0 exactly where the contact law of this room holds, whatever r is. Beside the value stand its derivatives
//! with the mode fixed. Friction is isotropic: the cone of (4) is round, which `solve::single` and
//! `solve::branches` use as well. Finding the root is `solve`.

use super::block::{Law, Mode};
use crate::contact::linear::relaxation::Relaxation;
use crate::math::Vec3;

/// One contact at a trial impulse.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Impulse as (normal, T1, T2), N·s.
    pub impulse: Vec3,
    /// Relative velocity after the impulse, in the same axes, m/s.
    pub velocity: Vec3,
    /// Coefficient of friction.
    pub friction: f64,
    /// The normal impulse where it is given, else the law decides it.
    pub given_normal: Option<f64>,
    /// r: impulse per velocity, kg. Chosen near the inverse of the contact's own response.
    pub scale: f64,
}

/// The normal row of a contact at a trial impulse.
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    /// p_n, N·s.
    pub impulse: f64,
    /// w_n after the impulse, m/s.
    pub velocity: f64,
    /// g, where the impulse is given.
    pub given: Option<f64>,
    /// r, kg.
    pub scale: f64,
}

impl Normal {
    /// y of (1), or g of (2): what friction and rolling resistance are proportional to.
    pub(in crate::contact) fn pressure(&self) -> f64 {
        match self.given {
            None => self.impulse - self.scale * self.velocity,
            Some(given) => given,
        }
    }
}

impl Trial {
    /// The normal row.
    pub(in crate::contact) fn normal(&self) -> Normal {
        let (impulse, velocity) = (self.impulse.x, self.velocity.x);
        Normal { impulse, velocity, given: self.given_normal, scale: self.scale }
    }

    /// y of (1), or g of (2).
    pub(in crate::contact) fn pressure(&self) -> f64 {
        self.normal().pressure()
    }

    /// |z| and z.
    pub(in crate::contact) fn slip(&self) -> (f64, [f64; 2]) {
        let (p, w, r) = (&self.impulse, &self.velocity, self.scale);
        let (z1, z2) = (p.y - r * w.y, p.z - r * w.z);
        ((z1 * z1 + z2 * z2).sqrt(), [z1, z2])
    }
}

/// The radius ρ of (1) or (2), or none where the contact is open.
fn radius(trial: &Trial) -> Option<f64> {
    let pressure = trial.pressure();
    (pressure > 0.0).then_some(trial.friction * pressure)
}

/// The value of G alone.
pub fn law_value(trial: &Trial) -> Vec3 {
    let (p, w, r) = (&trial.impulse, &trial.velocity, trial.scale);
    let radius = radius(trial);
    let normal = match (trial.given_normal, radius) {
        (Some(given), _) => p.x - given,
        (None, Some(_)) => r * w.x,
        (None, None) => p.x,
    };
    let radius = radius.unwrap_or(0.0);
    let (length, [z1, z2]) = trial.slip();
    if radius <= 0.0 {
        Vec3::new(normal, p.y, p.z)
    } else if length <= radius {
        Vec3::new(normal, r * w.y, r * w.z)
    } else {
        let shrink = radius / length;
        Vec3::new(normal, p.y - shrink * z1, p.z - shrink * z2)
    }
}

/// G and its derivatives.
pub fn law(trial: &Trial) -> Law {
    law_on(trial, mode(trial))
}

/// The branch that the law takes.
fn mode(trial: &Trial) -> Mode {
    match radius(trial) {
        None => Mode::Open,
        Some(radius) if radius <= 0.0 => Mode::Frictionless,
        Some(radius) if trial.slip().0 <= radius => Mode::Stick,
        Some(_) => Mode::Slide,
    }
}

/// G and its derivatives on a given branch, whichever the law would take.
///
/// In (4), with d = z/|z|, the derivative of ρ·d is d·dρ + (ρ/|z|)·(1 − d·dᵀ)·(dp_t − r·dw_t).
pub(in crate::contact) fn law_on(trial: &Trial, mode: Mode) -> Law {
    let (w, r) = (&trial.velocity, trial.scale);
    let mut law = Law::open(trial.impulse);
    law.mode = mode;
    if let Some(given) = trial.given_normal {
        law.value.x -= given;
        law.dlaw_dgiven.x = -1.0;
    } else if mode != Mode::Open {
        law.value.x = r * w.x;
        (law.dlaw_dimpulse.m11, law.dlaw_dvelocity.m11) = (0.0, r);
    }
    match mode {
        Mode::Open => {}
        Mode::Stick => {
            (law.value.y, law.value.z) = (r * w.y, r * w.z);
            (law.dlaw_dimpulse.m22, law.dlaw_dimpulse.m33) = (0.0, 0.0);
            (law.dlaw_dvelocity.m22, law.dlaw_dvelocity.m33) = (r, r);
        }
        // Without friction the direction still says where friction would point if it appeared.
        Mode::Frictionless | Mode::Slide => {
            let (length, [z1, z2]) = trial.slip();
            if length > 0.0 {
                let ratio = trial.friction * trial.pressure() / length;
                (law.value.y, law.value.z) = (law.value.y - ratio * z1, law.value.z - ratio * z2);
                slide(&mut law, trial, z1 / length, z2 / length, ratio);
            }
        }
    }
    law
}

/// The derivatives of (4) into the tangential rows, for d = (d1, d2) and `ratio` = ρ/|z|.
fn slide(law: &mut Law, trial: &Trial, d1: f64, d2: f64, ratio: f64) {
    let (r, friction) = (trial.scale, trial.friction);
    let (q11, q12, q22) = (ratio * d2 * d2, -ratio * d1 * d2, ratio * d1 * d1);
    let p = &mut law.dlaw_dimpulse;
    (p.m22, p.m23, p.m32, p.m33) = (1.0 - q11, -q12, -q12, 1.0 - q22);
    let c = &mut law.dlaw_dvelocity;
    (c.m22, c.m23, c.m32, c.m33) = (r * q11, r * q12, r * q12, r * q22);
    let pressure = match trial.given_normal {
        None => {
            (law.dlaw_dimpulse.m21, law.dlaw_dimpulse.m31) = (-friction * d1, -friction * d2);
            (law.dlaw_dvelocity.m21, law.dlaw_dvelocity.m31) = (friction * r * d1, friction * r * d2);
            trial.impulse.x - r * trial.velocity.x
        }
        Some(given) => {
            (law.dlaw_dgiven.y, law.dlaw_dgiven.z) = (-friction * d1, -friction * d2);
            given
        }
    };
    (law.dlaw_dcoefficient.y, law.dlaw_dcoefficient.z) = (-pressure * d1, -pressure * d2);
}

/// One visit of a sweep to a contact, with k_n its own normal response and k_t the largest eigenvalue of its tangential one:
///
/// ```text
/// p_n ← max(0, p_n − w⁺_n/k_n)
/// p_t ← p_t − w⁺_t/k_t, shortened to μ·p_n where longer
/// ```
pub(in crate::contact) fn relax_contact(friction: f64, given_normal: Option<f64>, block: usize, at: &mut Relaxation) {
    let (n, t1, t2) = (3 * block, 3 * block + 1, 3 * block + 2);
    let normal = match given_normal {
        None => (at.impulse(n) - at.after(n) / at.entry(n, n).max(f64::MIN_POSITIVE)).max(0.0),
        Some(given) => given,
    };
    at.set(n, normal);
    let radius = friction * at.impulse(n);
    if radius.is_nan() || radius <= 0.0 {
        at.set(t1, 0.0);
        at.set(t2, 0.0);
        return;
    }
    let (a, b, c) = (at.entry(t1, t1), at.entry(t1, t2), at.entry(t2, t2));
    let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
    let scale = 1.0 / largest.max(f64::MIN_POSITIVE);
    let (z1, z2) = (at.impulse(t1) - scale * at.after(t1), at.impulse(t2) - scale * at.after(t2));
    let length = (z1 * z1 + z2 * z2).sqrt();
    let shrink = if length > radius { radius / length } else { 1.0 };
    at.set(t1, shrink * z1);
    at.set(t2, shrink * z2);
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 6e-6;
    const TOLERANCE: f64 = 1e-8;

    fn trials() -> Vec<(Trial, Mode)> {
        let trial = |impulse: [f64; 3], velocity: [f64; 3], friction, given_normal| Trial {
            impulse: impulse.into(),
            velocity: velocity.into(),
            friction,
            given_normal,
            scale: 0.7,
        };
        vec![
            (trial([0.1, 0.2, 0.3], [1.0, 0.5, -0.2], 0.4, None), Mode::Open),
            (trial([2.0, 0.2, 0.3], [1.0, 0.1, -0.2], 0.8, None), Mode::Stick),
            (trial([2.0, 0.2, 0.3], [1.0, 2.1, -3.2], 0.8, None), Mode::Slide),
            (trial([2.0, 0.2, 0.3], [1.0, 0.1, -0.2], 0.8, Some(1.5)), Mode::Stick),
            (trial([2.0, 0.2, 0.3], [1.0, 2.1, -3.2], 0.8, Some(1.5)), Mode::Slide),
            (trial([2.0, 0.2, 0.3], [1.0, 2.1, -3.2], 0.8, Some(-1.5)), Mode::Open),
        ]
    }

    fn check(trial: &Trial, exact: Vec3, change: impl Fn(&mut Trial, f64)) {
        let (mut ahead, mut behind) = (*trial, *trial);
        change(&mut ahead, STEP);
        change(&mut behind, -STEP);
        let numeric = (law_value(&ahead) - law_value(&behind)) / (2.0 * STEP);
        assert!((numeric - exact).norm() < TOLERANCE, "{trial:?}: exact {exact}, numeric {numeric}");
    }

    #[test]
    fn derivatives_agree_with_differences_in_every_mode() {
        for (trial, mode) in trials() {
            let law = law(&trial);
            assert_eq!(law.mode, mode);
            assert_eq!(law.value, law_value(&trial));
            for axis in 0..3 {
                check(&trial, law.dlaw_dimpulse.column(axis).into(), |t, h| t.impulse[axis] += h);
                check(&trial, law.dlaw_dvelocity.column(axis).into(), |t, h| t.velocity[axis] += h);
            }
            check(&trial, law.dlaw_dcoefficient, |t, h| t.friction += h);
            if trial.given_normal.is_some() {
                check(&trial, law.dlaw_dgiven, |t, h| t.given_normal = t.given_normal.map(|g| g + h));
            }
        }
    }

    #[test]
    fn friction_appears_against_the_velocity() {
        let trial = Trial {
            impulse: Vec3::new(2.0, 0.0, 0.0),
            velocity: Vec3::new(0.0, 3.0, 4.0),
            friction: 0.0,
            given_normal: None,
            scale: 0.5,
        };
        let law = law(&trial);
        assert_eq!(law.mode, Mode::Frictionless);
        // ∂p_t/∂μ = −p_n·w_t/|w_t|, and G_t = p_t − …
        assert!((law.dlaw_dcoefficient - 2.0 * Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
    }
}
