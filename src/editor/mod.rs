//! The window in which a motion is seen and directed by hand: the only room with egui and `f32` state.
//!
//! ```text
//! panels ──Action──▶ App::apply ──Order──▶ worker: Document { Session } ──Motion──▶ App ──▶ panels
//!                        └──▶ View (camera, playhead, selection)
//! ```
//!
//! Panels are functions that read and return what was asked; one place carries it out. Reading, simulating and
//! preparing a motion happens in the worker, so that the window never waits. Colours and sizes are in `theme`.

mod action;
mod aim;
mod app;
mod apply;
mod banner;
mod bench;
mod bodies_text;
mod camera;
mod document;
mod drag;
mod dragging;
mod export_dialog;
mod exporting;
mod finisher;
mod gallery;
mod gpu;
mod grip;
mod hands;
mod icons;
mod inspector;
mod ledger;
mod menu;
mod messages;
mod motion;
mod nails;
mod navigation;
mod obstacle;
mod open_dialog;
mod padlocks;
mod parameters;
mod pick;
mod pin;
mod plots;
mod questions;
mod receive;
mod record;
mod recovery;
mod settings;
mod shape_fields;
mod shortcuts;
mod stage;
mod start;
mod theme;
mod thumbnails;
mod timeline;
mod tour;
mod view;
mod viewport;
mod widgets;
mod worker;

#[cfg(test)]
mod tests;

pub use app::{App, Origin, Start};
pub use camera::{Camera, Ray};
pub use gallery::{EXAMPLES, Example};
pub use motion::{Mark, Motion, Path};
pub use navigation::Habit;
pub use start::{StartError, has_display, open};
pub use view::{Layers, Pick, View};
