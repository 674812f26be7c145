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
mod app;
mod dialogs;
mod drag;
mod eye;
mod look;
mod panels;
mod view;
mod work;

pub use app::start::{StartError, has_display, open};
pub use app::window::{App, Origin, Start};
pub use dialogs::gallery::{EXAMPLES, Example};
pub use eye::camera::{Camera, Ray};
pub use eye::navigation::Habit;
pub use eye::view::{Layers, Pick, View};
pub use work::motion::{Mark, Motion, Path};
