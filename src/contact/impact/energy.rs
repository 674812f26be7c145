//! How much of an expansion an impact may keep without gaining energy.
//!
//! With P = p_c + θ·q, where q are the impulses after compression, and w⁺ = w + K·P, the energy changes by
//!
//! ```text
//! ΔT(θ) = P·w + ½·P·K·P = ΔT(0) + θ·q·w_c + ½·θ²·q·K·q,      w_c = w + K·p_c                (1)
//! ```
//!
//! Compression never adds energy, ΔT(0) ≤ 0, so if ΔT(1) > 0 there is one θ in [0, 1) with ΔT(θ) = 0. The impulses and
//! velocities between those of compression and those of the whole impact keep the cones and do not approach, so they
//! obey the contact law as well. Poisson's hypothesis needs this only where several contacts of high restitution wedge
//! a body with friction. The derivative, which follows from ΔT = 0, is in `derivative`.

use crate::contact::settings::GAIN_TOLERANCE;
use nalgebra::DVector;

/// θ for the velocities w before, w_c after compression and w⁺(1) at the end, and the impulses p_c and p_c + q.
pub(in crate::contact) fn retained(
    before: &DVector<f64>,
    compressed: &DVector<f64>,
    end: &DVector<f64>,
    compression: &DVector<f64>,
    total: &DVector<f64>,
) -> f64 {
    let (mut taken, mut linear, mut quadratic) = (0.0, 0.0, 0.0);
    for k in 0..total.len() {
        let rest = total[k] - compression[k];
        taken += 0.5 * compression[k] * (before[k] + compressed[k]);
        linear += rest * compressed[k];
        quadratic += rest * (end[k] - compressed[k]);
    }
    if taken + linear + 0.5 * quadratic <= -GAIN_TOLERANCE * taken || taken >= 0.0 {
        return 1.0;
    }
    let root = (linear * linear - 2.0 * quadratic * taken).sqrt();
    // The form that does not cancel, for either sign of the linear term.
    let theta = if linear > 0.0 { -2.0 * taken / (linear + root) } else { (root - linear) / quadratic };
    if theta.is_finite() { theta.clamp(0.0, 1.0) } else { 1.0 }
}
