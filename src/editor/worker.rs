//! Does everything slow in a thread of its own: reading, simulating, solving, and preparing a motion for the window.
//!
//! ```text
//! window ──(revision, order)──▶ worker: Document ──(revision, motion or refusal)──▶ window
//! ```
//!
//! Revisions rise. The window takes an answer only if no newer question makes it stale, and never waits. Of the moves of a
//! drag only the newest is solved, and each solve ends after a frame's share of time, so that the hand is followed closely.
//! Opening another scene leaves the old thread to itself: it ends when it finds that nobody listens.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use eframe::egui;

use super::document::{Change, Document};
use super::finisher::Finisher;
use super::gpu::frame::Meshes;
use super::motion::{self, Motion};
use super::recovery::Keeper;
use crate::scene::{Nail, Scene};
use crate::session::{Edit, Outcome};
use crate::solve::{Ask, Verdict};

/// When a solve is broken off: its share of a frame is 8 ms, and what is under way takes some time to end.
const BUDGET: Duration = Duration::from_millis(7);
/// What a hand that lets go waits for its wish at most.
const PATIENCE: Duration = Duration::from_millis(700);
/// More iterations than any frame has time for.
const MOST_ITERATIONS: u32 = 400;
/// What trying one group of locked parameters may take.
const TRYING: Duration = Duration::from_millis(200);
/// Meets the nails.
const MEET: Edit = Edit::Solve { iterations: 200, seed: 1 };

/// Something to do.
#[derive(Debug)]
pub enum Order {
    /// Read a scene file.
    OpenFile(PathBuf),
    /// The same from a text that has a name, and do again what was done to it.
    OpenText {
        /// For messages.
        name: String,
        /// TOML.
        text: String,
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
    /// A motion, or why there is none.
    pub result: Result<Done, String>,
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

/// The window's end of the thread.
#[derive(Debug)]
pub struct Worker {
    orders: Sender<(u64, Order)>,
    answers: Receiver<Answer>,
    last_order: u64,
    last_answer: u64,
    /// The newest order, as the thread sees it.
    newest: Arc<AtomicU64>,
}

/// The thread's own state.
struct Bench {
    document: Option<Document>,
    meshes: Option<(Arc<Scene>, Arc<Meshes>)>,
    folder: Option<PathBuf>,
    slowness: Duration,
    finisher: Finisher,
}

impl Done {
    /// A motion, and nothing that was done to it.
    fn of(motion: Arc<Motion>) -> Done {
        let (outcome, edit, body, saved, journal, freeing) = (None, None, None, None, None, None);
        Done { motion, outcome, edit, body, saved, journal, freeing, solving: Duration::ZERO }
    }
}

impl Order {
    /// The edit in it; of a pull that lets go, the letting go.
    fn edit(&self) -> Option<Edit> {
        match self {
            Order::Edit(edit) | Order::Search(edit) | Order::Exactly(edit) => Some(edit.clone()),
            Order::Finish { .. } => Some(Edit::Release),
            Order::MoveNail(..) | Order::AddNail(_) => Some(MEET),
            _ => None,
        }
    }

    /// Whether a person was asked for the path of a file for it.
    fn needs_path(&self) -> bool {
        matches!(self, Order::OpenFile(_) | Order::Save(_) | Order::SaveJournal(_))
    }
}

static MESHES: AtomicU64 = AtomicU64::new(1);

impl Worker {
    /// Starts the thread; each answer wakes the window. Records for recovery go under `folder`. `slowness` is added to
    /// every solve, to try how the window bears a slow one.
    pub fn start(ctx: &egui::Context, folder: Option<PathBuf>, slowness: Duration) -> Worker {
        let (orders, inbox) = channel::<(u64, Order)>();
        let (outbox, answers) = channel();
        let ctx = ctx.clone();
        let newest = Arc::new(AtomicU64::new(0));
        let told = newest.clone();
        std::thread::spawn(move || {
            let (answers, window) = (outbox.clone(), ctx.clone());
            let finisher = Finisher::start(move |revision, motion| {
                let done = Done::of(motion);
                let answer = Answer {
                    revision,
                    edit: None,
                    about_file: false,
                    completes: true,
                    follows: false,
                    result: Ok(done),
                };
                let heard = answers.send(answer).is_ok();
                window.request_repaint();
                heard
            });
            let mut bench = Bench { document: None, meshes: None, folder, slowness, finisher };
            let mut waiting = VecDeque::new();
            loop {
                if waiting.is_empty() {
                    let Ok(order) = inbox.recv() else { return };
                    waiting.push_back(order);
                }
                waiting.extend(inbox.try_iter());
                skip_old_moves(&mut waiting);
                let Some((revision, order)) = waiting.pop_front() else { continue };
                let (edit, about_file) = (order.edit(), order.needs_path());
                let follows = matches!(order, Order::Edit(Edit::Move { .. }));
                let is_newest = || told.load(Ordering::Relaxed) <= revision;
                let result = bench.carry_out(order, revision, &is_newest);
                if outbox.send(Answer { revision, edit, about_file, completes: false, follows, result }).is_err() {
                    return;
                }
                ctx.request_repaint();
            }
        });
        Worker { orders, answers, last_order: 0, last_answer: 0, newest }
    }

    /// Hands over an order and returns its revision.
    pub fn order(&mut self, order: Order) -> u64 {
        self.last_order += 1;
        // A thread that is gone answers nothing; the window then keeps what it shows.
        self.newest.store(self.last_order, Ordering::Relaxed);
        let _ = self.orders.send((self.last_order, order));
        self.last_order
    }

    /// The answers that have come in, in order.
    pub fn answers(&mut self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = self.answers.try_iter().collect();
        let own = answers.iter().filter(|answer| !answer.completes);
        self.last_answer = own.map(|answer| answer.revision).fold(self.last_answer, u64::max);
        // The rest of a motion that has been changed again.
        answers.retain(|answer| !answer.completes || answer.revision == self.last_answer);
        answers
    }

    /// Whether an order waits for its answer.
    pub fn is_busy(&self) -> bool {
        self.last_answer < self.last_order
    }
}

/// Of moves that follow each other only the last matters: the hand has gone on.
fn skip_old_moves(waiting: &mut VecDeque<(u64, Order)>) {
    let is_move =
        |order: Option<&(u64, Order)>| matches!(order, Some((_, Order::Edit(Edit::Move { .. }) | Order::Search(_))));
    while is_move(waiting.front()) && is_move(waiting.get(1)) {
        waiting.pop_front();
    }
}

impl Bench {
    fn carry_out(
        &mut self,
        order: Order,
        revision: u64,
        is_newest: &(dyn Fn() -> bool + Sync),
    ) -> Result<Done, String> {
        let (mut outcome, mut body, mut saved, mut journal, mut freeing) = (None, None, None, None, None);
        let start = Instant::now();
        let edit = order.edit();
        match order {
            Order::OpenFile(path) => {
                let scene = Scene::open(&path).map_err(|error| error.to_string())?;
                self.open(scene, Vec::new(), &path.display().to_string())?;
            }
            Order::OpenText { name, text, edits } => {
                let scene = Scene::parse(&text, &name).map_err(|error| error.to_string())?;
                self.open(scene, edits, "")?;
            }
            Order::Edit(edit @ Edit::Move { .. }) => outcome = Some(self.edit(edit, BUDGET, &|| false)?),
            Order::Search(edit) => outcome = Some(self.edit(edit, BUDGET, is_newest)?),
            Order::Edit(edit) => outcome = Some(self.edit(edit, BUDGET, &|| true)?),
            Order::Exactly(edit) => {
                outcome = Some(self.document()?.apply(edit, &|_| true).map_err(|error| error.to_string())?);
            }
            Order::Finish { pull, joins } => {
                outcome = Some(self.edit(pull, PATIENCE, &|| true)?);
                let document = self.document()?;
                let before = document.depth().0;
                document.apply(Edit::Release, &|_| true).map_err(|error| error.to_string())?;
                // Letting go of what did not move is no step.
                if joins && document.depth().0 > before {
                    document.join_last();
                }
            }
            Order::MoveNail(index, nail) => outcome = Some(self.meet_nail(Some(nail), Some(index))?),
            Order::AddNail(nail) => outcome = Some(self.meet_nail(Some(nail), None)?),
            Order::TryLocks { grab, pull, groups } => freeing = self.try_locks(&grab, &pull, groups, is_newest)?,
            Order::Change(change) => body = self.document()?.change(&change)?,
            Order::Save(path) => {
                self.document()?.save(&path)?;
                saved = Some(path);
            }
            Order::SaveJournal(path) => {
                self.document()?.save_journal(&path)?;
                journal = Some(path);
            }
        }
        let solving = start.elapsed();
        Ok(Done { motion: self.motion(revision)?, outcome, edit, body, saved, journal, freeing, solving })
    }

    fn document(&mut self) -> Result<&mut Document, String> {
        self.document.as_mut().ok_or_else(|| "no scene is open".to_owned())
    }

    fn open(&mut self, scene: Scene, edits: Vec<Edit>, origin: &str) -> Result<(), String> {
        let keeper = self.folder.as_deref().map(|folder| Keeper::new(folder, origin));
        let mut document = Document::new(scene, keeper).map_err(|error| error.to_string())?;
        for edit in edits {
            document
                .apply(edit, &|_| true)
                .map_err(|error| format!("a recorded edit cannot be made again: {error}"))?;
        }
        self.document = Some(document);
        Ok(())
    }

    /// Changes the nails and meets them.
    fn meet_nail(&mut self, nail: Option<Box<Nail>>, index: Option<usize>) -> Result<Outcome, String> {
        let document = self.document()?;
        document.apply(Edit::Nail { nail, index }, &|_| true).map_err(|error| error.to_string())?;
        let start = Instant::now();
        let in_time = move |ask: Ask| !matches!(ask, Ask::Step(1..)) || start.elapsed() < PATIENCE;
        let met = document.apply(MEET, &in_time).map_err(|error| error.to_string())?;
        document.join_last();
        Ok(met)
    }

    /// The first group that lets the wish be met; gives up as soon as the window wants something else.
    fn try_locks(
        &mut self,
        grab: &Edit,
        pull: &Edit,
        groups: Vec<String>,
        is_newest: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<String>, String> {
        let session = self.document()?.session();
        for group in groups {
            let mut trial = session.clone();
            let free = Edit::Free { parameter: group.clone(), weight: None, bounds: None, rest: None };
            let Edit::Move { target, seed, .. } = *pull else { return Ok(None) };
            let pull = Edit::Move { target, iterations: MOST_ITERATIONS, seed };
            let start = Instant::now();
            let in_time = |ask: Ask| match ask {
                Ask::Step(made) => made == 0 || (start.elapsed() < TRYING && is_newest()),
                Ask::Length | Ask::Sample => is_newest(),
            };
            let tried = trial.apply(free).and_then(|_| trial.apply(grab.clone()));
            let pulled = tried.and_then(|_| trial.apply_while(pull, &in_time));
            let met = |outcome: Outcome| outcome.report.is_some_and(|report| report.verdict == Verdict::Met);
            if pulled.is_ok_and(met) {
                return Ok(Some(group));
            }
            if !is_newest() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// A move gets a frame's share of time and at least one iteration; everything else takes what it needs.
    fn edit(&mut self, edit: Edit, budget: Duration, wanted: &(dyn Fn() -> bool + Sync)) -> Result<Outcome, String> {
        let (start, slowness) = (Instant::now(), self.slowness);
        let is_move = matches!(edit, Edit::Move { .. });
        if is_move && !slowness.is_zero() {
            std::thread::sleep(slowness);
        }
        // A round of samples takes longer than a frame: it is begun and gone on with only where it is wanted.
        let in_time = move |ask: Ask| match ask {
            Ask::Step(made) => made == 0 || !is_move || start.elapsed() < budget + slowness,
            Ask::Length => !is_move || start.elapsed() < budget + slowness || wanted(),
            Ask::Sample => wanted(),
        };
        let edit = match edit {
            Edit::Move { target, seed, .. } => Edit::Move { target, iterations: MOST_ITERATIONS, seed },
            edit => edit,
        };
        self.document()?.apply(edit, &in_time).map_err(|error| error.to_string())
    }

    fn motion(&mut self, revision: u64) -> Result<Arc<Motion>, String> {
        let document = self.document.as_ref().ok_or_else(|| "no scene is open".to_owned())?;
        let (scene, session) = (document.scene().clone(), document.session());
        let known = self.meshes.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &scene)).map(|(_, meshes)| meshes.clone());
        let number = || MESHES.fetch_add(1, Ordering::Relaxed);
        let meshes = known.unwrap_or_else(|| motion::meshes(session.model(), number()));
        self.meshes = Some((scene.clone(), meshes.clone()));
        let mut motion =
            Motion::new(scene, session.model().clone(), session.u().clone(), session.trajectory().clone(), meshes);
        motion.nails = session.nails().to_vec();
        motion.nail_reports = session.nail_reports();
        motion.depth = document.depth();
        motion.is_changed = document.is_changed();
        if session.is_whole() {
            let motion = Arc::new(motion);
            self.finisher.know(motion.clone());
            return Ok(motion);
        }
        let motion = match self.finisher.newest() {
            Some(whole) => motion.followed_by(&whole),
            None => motion,
        };
        let motion = Arc::new(motion);
        self.finisher.finish(revision, motion.clone());
        Ok(motion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(x: f64) -> Order {
        Order::Edit(Edit::Move { target: [x, 0.0, 0.0], iterations: 1, seed: 0 })
    }

    #[test]
    fn only_the_newest_of_moves_is_left_and_nothing_else_is_lost() {
        let orders = [pull(1.0), pull(2.0), pull(3.0), Order::Edit(Edit::Release), pull(4.0)];
        let mut waiting: VecDeque<(u64, Order)> = (1..).zip(orders).collect();
        skip_old_moves(&mut waiting);
        let revisions: Vec<u64> = waiting.iter().map(|(revision, _)| *revision).collect();
        assert_eq!(revisions, [3, 4, 5]);
    }
}
