//! Cylinders and cones: bodies of revolution with straight sides.
//!
//! They touch with the circles around their caps (rims), with their side, with the tip of a cone, and with caps that lie
//! flat on something. `elements` has circles and straight lines in the world, which eggs meet too.

pub mod body;
pub(in crate::geometry) mod contact;
pub(in crate::geometry) mod elements;
mod search;
pub(in crate::geometry) mod separation;
pub(in crate::geometry) mod touching;

#[cfg(test)]
mod tests;
