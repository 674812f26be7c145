//! The window as a whole: what it holds, how panels are laid out, and the one place where wishes are carried out.
//!
//! ```text
//! window: panels ──Action──▶ apply ──Order──▶ desk … desk ──Answer──▶ receive ──▶ motion, grasp, ledger, messages
//! ```
//!
//! Each part has its own state and keeps it to itself; a part that needs another is handed it. What panels show is in
//! `panels` and `dialogs`; what takes time is done in `work`.

mod apply;
mod receive;
mod replaying;
mod settings;
pub mod start;
#[cfg(test)]
mod tests;
pub mod window;

use std::sync::Arc;
use std::time::Duration;

use replaying::Replaying;
use settings::Kept;

use super::dialogs::asking::Asking;
use super::dialogs::tour::Guide;
use super::drag::grasp::Grasp;
use super::eye::view::View;
use super::panels::inspector::Drafts;
use super::panels::ledger::Ledger;
use super::panels::messages::Messages;
use super::work::desk::Desk;
use super::work::motion::Motion;
use super::work::order::Order;
use super::work::thumbnails::Thumbnails;
use crate::session::Edit;

/// The editor.
pub struct App {
    kept: Kept,
    /// The motion on the screen; `None` in the gallery.
    motion: Option<Arc<Motion>>,
    view: View,
    grasp: Grasp,
    desk: Desk,
    replaying: Replaying,
    messages: Messages,
    drafts: Drafts,
    ledger: Ledger,
    asking: Asking,
    /// Why a crash would lose what is done, as it was said last.
    unkept: Option<String>,
    guide: Guide,
    /// Whether the sheet of keys is open.
    shortcuts: bool,
    /// Pictures of the gallery, where they are wished for.
    thumbnails: Option<Thumbnails>,
}

impl App {
    /// The motion on the screen; `None` in the gallery.
    pub fn motion(&self) -> Option<&Motion> {
        self.motion.as_deref()
    }

    /// How it is looked at.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The messages on the screen, oldest first.
    pub fn messages(&self) -> Vec<String> {
        self.messages.texts().map(str::to_owned).collect()
    }

    /// Whether the worker has something to do.
    pub fn is_busy(&self) -> bool {
        self.desk.is_busy() || self.replaying.is_under_way() || self.desk.exporting().is_some()
    }

    /// Whether a body is in the hand.
    pub fn is_dragging(&self) -> bool {
        self.grasp.drag().is_some()
    }

    /// How many moves of the hand have been followed, and how long the solver worked on the newest.
    pub fn newest_solve(&self) -> (u64, Duration) {
        self.desk.followed()
    }

    /// The event that is being pointed at because a jump has changed it, in words.
    pub fn flash(&self) -> Option<&str> {
        self.grasp.flash().map(|flash| flash.words.as_str())
    }

    /// The wish that was left unmet, in words.
    pub fn unmet(&self) -> Option<String> {
        self.grasp.unmet().zip(self.motion()).map(|(unmet, motion)| unmet.words(motion))
    }

    /// Whether something would be lost with the scene on the screen.
    fn is_changed(&self) -> bool {
        self.motion.as_ref().is_some_and(|motion| motion.is_changed)
    }

    /// Asks for an edit of the document.
    fn edit(&mut self, edit: Edit) {
        self.grasp.dismiss();
        self.desk.order(Order::Edit(edit));
    }

    /// Says what is wrong with a file where its path was asked for, or else in a message.
    fn complain(&mut self, message: String) {
        if let Some(message) = self.asking.complain(message) {
            self.messages.wrong(message);
        }
    }
}
