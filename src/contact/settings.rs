//! The tolerances of contact problems, all relative: of residuals to the largest impulse, of compliances to the response K.
//!
//! What a solve counts (its steps, sweeps and corrections) stands where it is counted.

// Residuals.

/// At which a problem counts as solved. Impulses of redundant contacts are a million times as uncertain; with more, stacks would
/// creep; with less, rounding would leave problems unsolved.
pub const TOLERANCE: f64 = 3e-13;
/// At which only rounding is left, so that no further step can help.
pub(super) const ROUNDING: f64 = 1e-16;
/// The same of a single contact, whose root is found in one unknown.
pub(super) const SINGLE_ROUNDING: f64 = 10.0 * ROUNDING;
/// At which a softened problem is near enough to its root to start the next one, and above which an answer to less friction is
/// better than the best point of the problem itself.
pub(super) const ROUGH: f64 = 1e-6;
/// The first of these as a part of its compliance: redundant contacts that share a load all wrong leave a residual of a compliance,
/// not of 1.
pub(super) const ROUGH_SHARE: f64 = 1e-3;
/// Of the first solve of a factor in bodies, above which it is made again with exchanges.
pub(super) const POOR: f64 = ROUGH_SHARE;
/// Up to which an answer of a similar problem is worth more than sweeps.
pub(super) const NEARLY: f64 = 0.1;
/// How near a border counts as on it, relative to the largest impulse.
pub(super) const BORDER: f64 = 1e-9;
/// Approach speed after expansion that calls for a correction, relative to the fastest contact velocity before.
pub(super) const APPROACH_TOLERANCE: f64 = 1e-12;
/// Gain of energy, relative to what compression took, that is left alone: elastic impacts gain and lose rounding.
pub(super) const GAIN_TOLERANCE: f64 = 1e-10;

// Compliances.

/// ε: compliance that decides between equivalent impulses, as a part of the mean trace of K's blocks. Larger biases the
/// answer (ε⁴ after the passes, over K's relative eigenvalues); smaller leaves it to rounding.
pub const COMPLIANCE: f64 = 1e-6;
/// With which the continuation starts, in place of ε.
pub(super) const SOFTEST: f64 = 0.1;
/// Factor from one compliance to the next.
pub(super) const HARDENING: f64 = 0.1;
/// One at which the next is looked for along the curve instead.
pub(super) const SLOWEST_HARDENING: f64 = 5.0 * HARDENING;
/// At which a curve that turned back is given up: problems so soft have one root.
pub(super) const SOFT: f64 = 10.0 * SOFTEST;
