//! Cylinders and cones.

pub mod body;
pub(in crate::geometry) mod contact;
pub(in crate::geometry) mod elements;
mod search;
pub(in crate::geometry) mod separation;
pub(in crate::geometry) mod touching;

#[cfg(test)]
mod tests;
