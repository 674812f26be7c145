//! The window's end of the work: the worker of the scene on the screen, the one that is set aside while another scene is
//! being opened, which answers are still wanted, and the export that goes on beside.
//!
//! ```text
//! open ──▶ a fresh worker, the other set aside ──(opened)──▶ the other is let go
//!                                              └─(refused)─▶ the other is gone on with
//! ```
//!
//! What the window does with answers is `app::receive`.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eframe::egui;

use super::autosave;
use super::exporting::{Exporting, Wishes};
use super::motion::Motion;
use super::order::{Answer, Order};
use super::worker::Worker;
use crate::export::{ExportError, Format, Summary};

/// Where a scene came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A file, which saving writes again.
    File(PathBuf),
    /// An example, which saving asks a path for.
    Example(usize),
    /// What a crash left behind.
    Recovered,
    /// Nowhere yet.
    New,
}

/// What orders go to and answers come from.
#[derive(Debug)]
pub struct Desk {
    worker: Worker,
    /// The worker of the scene on the screen while another scene is being opened.
    set_aside: Option<Worker>,
    /// Of the scene on the screen.
    origin: Option<Origin>,
    /// Of the scene that is being opened; taken over once the worker has answered.
    opening: Option<Origin>,
    /// Revisions of a drag that was cancelled: answers to them are no longer wanted.
    stale: Range<u64>,
    /// How many moves of the hand have been followed, and how long the solver worked on the newest.
    followed: (u64, Duration),
    exporting: Option<Exporting>,
    /// Where records for recovery go.
    folder: Option<PathBuf>,
    /// Added to every solve.
    slowness: Duration,
}

impl Desk {
    /// Begins with nothing open. Records for recovery go under `folder`; `slowness` is added to every solve.
    pub fn new(ctx: &egui::Context, folder: Option<PathBuf>, slowness: Duration) -> Desk {
        Desk {
            worker: Worker::start(ctx, folder.clone(), slowness),
            set_aside: None,
            origin: None,
            opening: None,
            stale: 0..0,
            followed: (0, Duration::ZERO),
            exporting: None,
            folder,
            slowness,
        }
    }

    /// Hands over an order and returns its revision.
    pub fn order(&mut self, order: Order) -> u64 {
        self.worker.order(order)
    }

    /// Ends the solves that are under way or wait, each with the best it has.
    pub fn stop(&self) {
        self.stop_since(1);
    }

    /// The same of what was ordered since.
    pub fn stop_since(&self, first: u64) {
        self.worker.stop_since(first);
    }

    /// Whether an order waits for its answer.
    pub fn is_busy(&self) -> bool {
        self.worker.is_busy()
    }

    /// Opens a scene with a worker of its own.
    pub fn open(&mut self, origin: Origin, order: Order, ctx: &egui::Context) {
        let fresh = Worker::start(ctx, self.folder.clone(), self.slowness);
        let before = std::mem::replace(&mut self.worker, fresh);
        // One that has opened nothing yet is no place to go back to.
        if self.opening.is_none() {
            self.set_aside = Some(before);
        }
        self.stale = 0..0;
        self.opening = Some(origin);
        self.worker.order(order);
    }

    /// Whether the first scene is on its way, so that there is none to show meanwhile.
    pub fn opens_first(&self) -> bool {
        self.opening.is_some() && self.origin.is_none()
    }

    /// Whether the scene that was being opened is there: the one before is let go.
    pub fn has_opened(&mut self) -> bool {
        let Some(origin) = self.opening.take() else { return false };
        self.set_aside = None;
        self.origin = Some(origin);
        true
    }

    /// Where another scene could not be opened, the one before is gone on with.
    pub fn stay(&mut self) {
        if self.opening.take().is_some()
            && let Some(before) = self.set_aside.take()
        {
            self.worker = before;
        }
    }

    /// Where the scene on the screen came from, or was saved to since.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// The scene on the screen is in a file.
    pub fn saved(&mut self, path: &Path) {
        self.origin = Some(Origin::File(path.to_owned()));
    }

    /// Answers to these orders are no longer wanted.
    pub fn disregard(&mut self, revisions: Range<u64>) {
        self.stale = revisions;
    }

    /// The answers that have come in and are wanted, in order; a fault of the program always is.
    pub fn answers(&mut self) -> Vec<Answer> {
        let mut answers = self.worker.answers();
        answers.retain(|answer| answer.broke || !self.stale.contains(&answer.revision));
        for answer in &answers {
            if let Ok(done) = &answer.result
                && answer.follows
            {
                self.followed = (self.followed.0 + 1, done.solving);
            }
        }
        answers
    }

    /// How many moves of the hand have been followed, and how long the solver worked on the newest.
    pub fn followed(&self) -> (u64, Duration) {
        self.followed
    }

    /// Begins to write a motion for other programs.
    pub fn export(
        &mut self,
        motion: Arc<Motion>,
        path: PathBuf,
        wishes: Wishes,
        ctx: &egui::Context,
    ) -> Result<(), ExportError> {
        let format = Format::of(&path)?;
        self.exporting = Some(Exporting::start(motion, path, wishes.options(format), ctx));
        Ok(())
    }

    /// The export that is under way.
    pub fn exporting(&self) -> Option<&Exporting> {
        self.exporting.as_ref()
    }

    /// What came of an export, once it has ended.
    pub fn exported(&mut self) -> Option<Result<Summary, ExportError>> {
        let result = self.exporting.as_ref()?.ended()?;
        self.exporting = None;
        Some(result)
    }

    /// Removes the records for recovery: the window closes in peace.
    pub fn close(&self) {
        // A thread that has ended saved nothing more: its records are what is left.
        if let Some(folder) = self.folder.as_ref().filter(|_| !self.worker.is_gone()) {
            autosave::forget_own(folder);
        }
    }
}
