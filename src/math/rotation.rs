//! Rotations: exponential map, logarithm, cross-product matrices.
