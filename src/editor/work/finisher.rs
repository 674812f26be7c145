//! Computes motions to their end beside the drag that changes them.
//!
//! ```text
//! worker: a move, solved as far as its wish looks ──▶ window, within a frame
//!            └──▶ finisher: the same u to the end ──▶ window, where no newer move has come; else the next move's tail
//! ```
//!
//! An egg that settles in a bucket costs ten times what its flight does, and says nothing about where it flies. So the hand
//! never waits for it. Only the newest of the motions that wait is computed. Nothing here reaches the session: what is
//! recorded and saved is computed by the session itself.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::motion::Motion;

/// The worker's end of the thread.
pub struct Finisher {
    jobs: Sender<(u64, Arc<Motion>)>,
    newest: Arc<Mutex<Known>>,
}

/// The newest motion that is known to its end, with its revision.
type Known = Option<(u64, Arc<Motion>)>;

impl Finisher {
    /// Starts the thread; `tell` is told of each motion that is whole, with the revision it belongs to, and says whether
    /// anyone still listens.
    pub fn start(tell: impl Fn(u64, Arc<Motion>) -> bool + Send + 'static) -> Finisher {
        let (jobs, inbox) = channel::<(u64, Arc<Motion>)>();
        let newest = Arc::new(Mutex::new(Known::None));
        let known = newest.clone();
        std::thread::spawn(move || {
            while let Ok(job) = inbox.recv() {
                let (revision, part) = inbox.try_iter().last().unwrap_or(job);
                let whole = Arc::new(part.with_trajectory(part.whole_trajectory()));
                know(&known, revision, whole.clone());
                if !tell(revision, whole) {
                    return;
                }
            }
        });
        Finisher { jobs, newest }
    }

    /// Wants a motion to its end.
    pub fn finish(&self, revision: u64, part: Arc<Motion>) {
        // A thread that is gone finishes nothing; letting go still does.
        let _ = self.jobs.send((revision, part));
    }

    /// The newest motion that is known to its end.
    pub fn newest(&self) -> Option<Arc<Motion>> {
        let known = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().map(|(_, whole)| whole.clone())
    }

    /// Takes over a motion that is whole already.
    pub fn know(&self, revision: u64, whole: Arc<Motion>) {
        know(&self.newest, revision, whole);
    }
}

/// Remembers a whole motion, unless a newer one is known: the thread may end an old job late.
fn know(newest: &Mutex<Known>, revision: u64, whole: Arc<Motion>) {
    let mut known = newest.lock().unwrap_or_else(PoisonError::into_inner);
    if known.as_ref().is_none_or(|(newest, _)| *newest <= revision) {
        *known = Some((revision, whole));
    }
}
