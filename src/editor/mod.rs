//! The window in which a motion is seen and directed by hand: the only room with egui and `f32` state.
//!
//! ```text
//! panels ──Action──▶ App::apply ──Order──▶ worker: Document { Session } ──Motion──▶ App ──▶ panels
//!                        └──▶ View (camera, playhead, selection)
//! ```
//!
//! Panels are functions that read and return what was asked; one place carries it out. Reading, simulating and
//! preparing a motion happens in the worker, so that the window never waits.
//!
//! Folders, in order of dependency: a file uses only those before its own, and no two files need each other in a circle.
//!
//! | where | what |
//! |---|---|
//! | `look` | colours and sizes, signs, small controls, words for numbers |
//! | `work` | behind the window: document, autosave, journal, the worker's thread, the motion it prepares, exports |
//! | `eye` | from where the motion is looked at: camera, playhead, selection, what is under the pointer |
//! | `action` | what can be asked; it speaks of what is held (`drag::held`), and the rest of `drag` of it |
//! | `drag` | taking hold of bodies, handles and nails, until what is left unmet |
//! | `view` | the 3D view: what is drawn, on the graphics card and over it |
//! | `panels` | what stands around it: bar, time line, plots, inspector, messages |
//! | `dialogs` | what comes up and goes: gallery, tour, keys, questions, the form of an export |
//! | `app` | the window as a whole, settings, and the one place that carries out |

mod action;
mod app;
mod dialogs;
mod drag;
mod eye;
mod look;
mod panels;
mod view;
mod work;

pub use app::App;
pub use app::start::{StartError, has_display, open};
pub use app::window::Start;
pub use eye::camera::{Camera, Ray};
pub use eye::navigation::Habit;
pub use eye::view::{Layers, Pick, View};
pub use work::desk::Origin;
pub use work::examples::{EXAMPLES, Example};
pub use work::motion::{Mark, Motion, Path};
