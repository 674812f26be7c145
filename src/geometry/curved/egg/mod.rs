//! Eggs.

pub mod body;
mod contact;
mod search;
pub(in crate::geometry) mod separation;
mod touching;

#[cfg(test)]
mod tests;
