//! Lengths that several files of geometry, or later rooms, go by; those that one file needs stand in it. Metres are those
//! of a scene of usual size: others are simulated in units of their own (`model::units`).

/// What is nearer than this (m) touches: bodies with such a gap between them, a point so far outside of a face, corners so much
/// higher than the lowest. It is a hundred million roundings of a metre and a hundredth of what anyone could see. With more,
/// bodies would be held apart from each other visibly; with less, rounding would let go of what lies on something.
pub const TOUCHING: f64 = 1e-8;

/// Sine of the angle below which two directions are parallel: edges so near to parallel do not cross and make no axis, and axes of
/// cylinders have no normal between them. With less, cross products would be made of rounding.
pub(super) const PARALLEL: f64 = 1e-6;

/// Curved bodies farther apart than this part of their size need not have the best axis: that between their nearest points will do.
pub(super) const FAR_APART: f64 = 1e-2;
