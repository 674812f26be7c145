//! What the window asks of the worker, and what comes back.
//!
//! Each order has a revision, which its answers bear. Carrying orders out is `bench`, in the thread of `worker`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::document::Change;
use super::motion::Motion;
use crate::files::Reach;
use crate::scene::Nail;
use crate::session::{Edit, Outcome};

/// Something to do.
#[derive(Debug)]
pub enum Order {
    /// Read a scene file, and the files it names as far as they may be.
    OpenFile(PathBuf, Reach),
    /// The same from a text that has a name, and do again what was done to it.
    OpenText {
        /// For messages.
        name: String,
        /// TOML.
        text: String,
        /// Where the files that it names may be.
        reach: Reach,
        /// What was done.
        edits: Vec<Edit>,
    },
    /// Apply an edit; a move gets a frame's share of time.
    Edit(Edit),
    /// Pull on while the hand rests: samples, which take longer than a frame, are allowed until something else is wanted.
    Search(Edit),
    /// Apply an edit of a journal: as many iterations as it says.
    Exactly(Edit),
    /// Pull once more with time enough, and let go.
    Finish {
        /// The pull.
        pull: Edit,
        /// Whether it and the step before are one to a person.
        joins: bool,
    },
    /// Replace a nail and meet the nails, as one step.
    MoveNail(usize, Box<Nail>),
    /// Add a nail and meet the nails, as one step.
    AddNail(Box<Nail>),
    /// Try which of these groups of parameters, if free, would let a drag be met; changes nothing.
    TryLocks {
        /// Begins the drag.
        grab: Edit,
        /// Its wish.
        pull: Edit,
        /// In the order in which they are tried.
        groups: Vec<String>,
    },
    /// Change the scene's text.
    Change(Change),
    /// Write the scene to a file.
    Save(PathBuf),
    /// Write what was done as a journal.
    SaveJournal(PathBuf),
    /// Stumble over a fault of the program, to try how the window bears it.
    #[cfg(test)]
    Stumble,
}

/// What the window calls out to the thread that is at work: which order is the newest, and up to which all are to stop.
#[derive(Debug, Default)]
pub struct Calls {
    newest: AtomicU64,
    /// The first and the last of the orders that are to stop.
    stopped: [AtomicU64; 2],
}

/// What came of an order.
#[derive(Debug)]
pub struct Answer {
    /// The order's.
    pub revision: u64,
    /// The edit, where it was one.
    pub edit: Option<Edit>,
    /// Whether it is about a file at a path.
    pub about_file: bool,
    /// Whether it only completes the motion of an order that was answered.
    pub completes: bool,
    /// Whether it answers a move of the hand, rather than a search while it rests.
    pub follows: bool,
    /// Whether a fault of the program broke the order off; a refusal is none.
    pub broke: bool,
    /// Why what is done is not kept for the case of a crash.
    pub unkept: Option<String>,
    /// A motion, or why there is none.
    pub result: Result<Done, Refusal>,
}

/// Why an order was not carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refusal {
    /// In words.
    pub message: String,
    /// Files outside of its folder that the scene names, and nobody has allowed.
    pub outside: Vec<String>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal { message, outside: Vec::new() }
    }
}

/// What is on the table after an order.
#[derive(Clone, Debug)]
pub struct Done {
    /// The motion.
    pub motion: Arc<Motion>,
    /// What an edit did.
    pub outcome: Option<Outcome>,
    /// The edit.
    pub edit: Option<Edit>,
    /// A body that a change of the text made or named.
    pub body: Option<String>,
    /// Where it was saved.
    pub saved: Option<PathBuf>,
    /// Where the journal was written.
    pub journal: Option<PathBuf>,
    /// Locked parameters that would help, where that was asked.
    pub freeing: Option<String>,
    /// How long the solver worked.
    pub solving: Duration,
}

/// Meets the nails.
pub const MEET: Edit = Edit::Solve { iterations: 200, seed: 1 };

/// What is said when the thread has ended.
const GONE: &str = "The part of the program that edits and saves has ended. What was done is offered again at the next start; \
    close this window.";

impl Calls {
    /// The newest order there is.
    pub fn newest(&self) -> u64 {
        self.newest.load(Ordering::Relaxed)
    }

    /// There is a newer order.
    pub fn give(&self, revision: u64) {
        self.newest.store(revision, Ordering::Relaxed);
    }

    /// Whether the solves of an order are to stop, with the best so far.
    pub fn stops(&self, revision: u64) -> bool {
        let [first, last] = [0, 1].map(|end| self.stopped[end].load(Ordering::Relaxed));
        (first..=last).contains(&revision)
    }

    /// Stops those of some orders.
    pub fn stop(&self, first: u64, last: u64) {
        self.stopped[0].store(first, Ordering::Relaxed);
        self.stopped[1].store(last, Ordering::Relaxed);
    }
}

impl Done {
    /// A motion, and nothing that was done to it.
    pub fn of(motion: Arc<Motion>) -> Done {
        let (outcome, edit, body, saved, journal, freeing) = (None, None, None, None, None, None);
        Done { motion, outcome, edit, body, saved, journal, freeing, solving: Duration::ZERO }
    }
}

impl Answer {
    /// To an order that nobody carries out any more.
    pub fn of_nobody(revision: u64) -> Answer {
        let (edit, about_file, completes, follows, broke) = (None, false, false, false, true);
        let result = Err(GONE.to_owned().into());
        Answer { revision, edit, about_file, completes, follows, broke, unkept: None, result }
    }
}

impl Order {
    /// The edit in it; of a pull that lets go, the letting go.
    pub fn edit(&self) -> Option<Edit> {
        match self {
            Order::Edit(edit) | Order::Search(edit) | Order::Exactly(edit) => Some(edit.clone()),
            Order::Finish { .. } => Some(Edit::Release),
            Order::MoveNail(..) | Order::AddNail(_) => Some(MEET),
            _ => None,
        }
    }

    /// Whether a person was asked for the path of a file for it.
    pub fn needs_path(&self) -> bool {
        matches!(self, Order::OpenFile(..) | Order::Save(_) | Order::SaveJournal(_))
    }
}
