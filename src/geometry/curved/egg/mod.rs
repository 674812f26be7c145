//! Eggs: two half ellipsoids of revolution that meet in their widest circle.
//!
//! The whole surface is one element, which touches anything at one point; `search` finds the normal there.

pub mod body;
mod contact;
mod search;
pub(in crate::geometry) mod separation;
mod touching;

#[cfg(test)]
mod tests;
