//! What is done behind the window: the document, its autosave and journal, the thread that simulates and solves, exports.
//!
//! Nothing here draws in the window or reads the mouse. What a person asks for comes from `app` as an order, and goes back
//! to it as a motion made ready for looking at.

pub mod autosave;
pub mod bench;
pub mod bodies_text;
pub mod desk;
pub mod document;
pub mod examples;
pub mod exporting;
pub mod files;
pub mod finisher;
pub mod meshes;
pub mod motion;
pub mod order;
pub mod record;
pub mod thumbnails;
pub mod worker;
