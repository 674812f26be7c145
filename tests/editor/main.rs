//! The editor through its real widgets: what a person does with mouse and keys, and what they then see.
//!
//! Nothing here opens a window: `egui_kittest` runs the same code with invented input. Where there is a graphics
//! driver, pictures are drawn too and left in the target folder for looking at.

#![allow(clippy::disallowed_methods, reason = "closed forms may take the platform's functions")]

mod asked;
mod crash;
mod editing;
mod files;
mod hands;
mod looking;
mod newcomer;
mod pictures;
mod quick;
mod real_window;
mod screen;
mod soak;
mod support;
