//! The 3D view on the screen: bodies, paths, the motion before a drag, handles, padlocks, and the strip that speaks of a drag.
//!
//! Where the camera stands is `eye`; what the mouse does to bodies is `drag`; colours are in `look`.

pub mod banner;
pub mod gpu;
pub mod padlocks;
pub mod stage;
pub mod viewport;
