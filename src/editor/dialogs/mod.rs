//! What comes up in place of the panels or over them, and goes again: the gallery, the tour, the sheet of keys, questions for
//! a path, for the form of an export, about unsaved changes and about what a crash left behind.
//!
//! What was chosen is carried out by `app`; files are read and written in `work`.

pub mod asking;
pub mod export_dialog;
pub mod gallery;
pub mod open_dialog;
pub mod questions;
pub mod shortcuts;
pub mod tour;
