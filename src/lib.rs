//! Hattrick.

pub mod cli;
pub mod contact;
pub mod dynamics;
pub mod geometry;
pub mod math;
pub mod model;
pub mod scene;
pub mod simulation;
