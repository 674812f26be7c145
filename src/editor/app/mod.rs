//! The window as a whole: what it holds, how panels are laid out, and the one place where wishes are carried out.
//!
//! What panels show is in `panels` and `dialogs`; what takes time is done in `work`.

mod apply;
mod dragging;
mod receive;
pub mod settings;
pub mod start;
#[cfg(test)]
mod tests;
pub mod window;
