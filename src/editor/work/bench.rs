//! Carries out the orders of the window on the one document, in the worker's thread.
//!
//! ```text
//! order ──▶ Document ──▶ motion, whole or as far as a drag looks ──▶ answer ──▶ the rest of the motion: finisher
//! ```
//!
//! What fails is answered too: a refusal with its reason, and a fault of the program with what can be done then. Which orders
//! are still wanted, and in which order they come, is the worker's.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::autosave::{self, Keeper};
use super::document::Document;
use super::finisher::Finisher;
use super::meshes::Meshes;
use super::motion::{self, Motion};
use super::order::{Answer, Calls, Done, MEET, Order, Refusal};
use crate::files::clean;
use crate::scene::{Nail, Scene, SceneFileError};
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
/// What any solve may take.
const LONGEST: Duration = Duration::from_secs(10);
static MESHES: AtomicU64 = AtomicU64::new(1);

/// The thread's own state.
pub struct Bench {
    document: Option<Document>,
    meshes: Option<(Arc<Scene>, Arc<Meshes>)>,
    folder: Option<PathBuf>,
    slowness: Duration,
    finisher: Finisher,
}

impl Bench {
    /// Begins with nothing open. Records for recovery go under `folder`; `slowness` is added to every solve.
    pub fn new(folder: Option<PathBuf>, slowness: Duration, finisher: Finisher) -> Bench {
        Bench { document: None, meshes: None, folder, slowness, finisher }
    }

    /// Carries out an order and answers it; tells whether anyone listens. `calls` come from the window meanwhile.
    pub fn serve(&mut self, revision: u64, order: Order, calls: &Calls, outbox: &Sender<Answer>) -> bool {
        let (edit, about_file) = (order.edit(), order.needs_path());
        let follows = matches!(order, Order::Edit(Edit::Move { .. }));
        // Edits compute first and change the document then, so that it can be gone on with.
        let tried = catch_unwind(AssertUnwindSafe(|| self.carry_out(order, revision, calls)));
        let broke = tried.is_err();
        let result = tried.unwrap_or_else(|fault| Err(self.fault_words(&*fault).into()));
        let unkept = self.document.as_ref().and_then(|document| document.unkept()).map(str::to_owned);
        let part = result.as_ref().ok().map(|done| done.motion.clone()).filter(|motion| !motion.is_whole());
        let answer = Answer { revision, edit, about_file, completes: false, follows, broke, unkept, result };
        let heard = outbox.send(answer).is_ok();
        // Only then: the rest of a motion must not come before its part.
        if let Some(part) = part {
            self.finisher.finish(revision, part);
        }
        heard
    }

    /// What a person is told of a fault of the program.
    fn fault_words(&self, fault: &(dyn Any + Send)) -> String {
        let text = fault.downcast_ref::<&str>().copied().or(fault.downcast_ref::<String>().map(String::as_str));
        let copy = self.folder.as_deref().and_then(autosave::own);
        let copy = copy.map(|own| format!(" (a copy is in {})", own.display()));
        let kept = format!(" What was done before is still there; save it{}.", copy.unwrap_or_default());
        let kept = self.document.as_ref().map_or(String::new(), |_| kept);
        format!("A fault of the program broke this off.{kept} The fault: {}", text.unwrap_or("unknown"))
    }

    fn carry_out(&mut self, order: Order, revision: u64, calls: &Calls) -> Result<Done, Refusal> {
        let is_newest = || calls.newest() <= revision;
        let go_on = || !calls.stops(revision);
        let (mut outcome, mut body, mut saved, mut journal, mut freeing) = (None, None, None, None, None);
        let start = Instant::now();
        let edit = order.edit();
        match order {
            Order::OpenFile(path, reach) => {
                path.parent().into_iter().for_each(clean);
                let scene = Scene::open_reaching(&path, reach, |_| {}).map_err(refusal)?;
                self.open(scene, Vec::new(), &path.display().to_string())?;
            }
            Order::OpenText { name, text, reach, edits } => {
                let scene = Scene::parse_reaching(&text, &name, reach).map_err(refusal)?;
                self.open(scene, edits, "")?;
            }
            Order::Edit(edit @ Edit::Move { .. }) => outcome = Some(self.edit(edit, BUDGET, &|| false, &go_on)?),
            Order::Search(edit) => outcome = Some(self.edit(edit, BUDGET, &is_newest, &go_on)?),
            Order::Edit(edit) => outcome = Some(self.edit(edit, BUDGET, &|| true, &go_on)?),
            Order::Exactly(edit) => {
                outcome = Some(self.document()?.apply(edit, &|_| go_on()).map_err(|error| error.to_string())?);
            }
            Order::Finish { pull, joins } => {
                // A wish that is refused leaves the motion where the one before brought it; the hand is open in any case.
                outcome = self.edit(pull, PATIENCE, &|| true, &go_on).ok();
                self.release(joins)?;
            }
            Order::MoveNail(index, nail) => outcome = Some(self.meet_nail(Some(nail), Some(index), &go_on)?),
            Order::AddNail(nail) => outcome = Some(self.meet_nail(Some(nail), None, &go_on)?),
            Order::TryLocks { grab, pull, groups } => {
                freeing = self.try_locks(&grab, &pull, groups, &|| is_newest() && go_on())?
            }
            Order::Change(change) => body = self.document()?.change(&change)?,
            Order::Save(path) => {
                self.document()?.save(&path)?;
                saved = Some(path);
            }
            Order::SaveJournal(path) => {
                self.document()?.save_journal(&path)?;
                journal = Some(path);
            }
            #[cfg(test)]
            Order::Stumble => panic!("stumbled"),
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

    /// Lets go; `joins`: what was dragged and the step before are one to a person.
    fn release(&mut self, joins: bool) -> Result<(), String> {
        let whole = self.finisher.newest();
        let document = self.document()?;
        whole.into_iter().for_each(|whole| document.take_whole(&whole));
        let before = document.depth().0;
        document.apply(Edit::Release, &|_| true).map_err(|error| error.to_string())?;
        // Letting go of what did not move is no step.
        if joins && document.depth().0 > before {
            document.join_last();
        }
        Ok(())
    }

    /// Changes the nails and meets them.
    fn meet_nail(
        &mut self,
        nail: Option<Box<Nail>>,
        index: Option<usize>,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, String> {
        let document = self.document()?;
        document.apply(Edit::Nail { nail, index }, &|_| true).map_err(|error| error.to_string())?;
        let start = Instant::now();
        let in_time = move |ask: Ask| match ask {
            Ask::Step(1..) => start.elapsed() < PATIENCE && go_on(),
            Ask::Rest => go_on(),
            _ => start.elapsed() < LONGEST && go_on(),
        };
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
                Ask::Length | Ask::Sample | Ask::Motion | Ask::Rest => is_newest(),
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

    /// A move gets a frame's share of time and at least one iteration; everything else takes what it needs, and no solve more
    /// than can be waited for, or once it was stopped.
    fn edit(
        &mut self,
        edit: Edit,
        budget: Duration,
        wanted: &(dyn Fn() -> bool + Sync),
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, String> {
        let (start, slowness) = (Instant::now(), self.slowness);
        let is_move = matches!(edit, Edit::Move { .. });
        if is_move && !slowness.is_zero() {
            std::thread::sleep(slowness);
        }
        // A round of samples takes longer than a frame: it is begun and gone on with only where it is wanted.
        let in_time = move |ask: Ask| match ask {
            _ if !go_on() => false,
            Ask::Rest => true,
            _ if start.elapsed() >= LONGEST => false,
            Ask::Step(made) => made == 0 || !is_move || start.elapsed() < budget + slowness,
            Ask::Length => !is_move || start.elapsed() < budget + slowness || wanted(),
            Ask::Sample => wanted(),
            Ask::Motion => true,
        };
        let edit = match edit {
            Edit::Move { target, seed, .. } => Edit::Move { target, iterations: MOST_ITERATIONS, seed },
            edit => edit,
        };
        self.document()?.apply(edit, &in_time).map_err(|error| error.to_string())
    }

    /// What is on the table, as the window shows it.
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
            self.finisher.know(revision, motion.clone());
            return Ok(motion);
        }
        let whole = self.finisher.newest().filter(|whole| Arc::ptr_eq(&whole.scene, &motion.scene));
        Ok(Arc::new(match whole {
            Some(whole) => motion.followed_by(&whole),
            None => motion,
        }))
    }
}

/// Why a scene was not read, and what a person might allow.
fn refusal(error: SceneFileError) -> Refusal {
    Refusal { message: error.to_string(), outside: error.outside().into_iter().map(str::to_owned).collect() }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::super::document::Change;
    use super::*;
    use crate::files::Reach;
    use crate::model::BodyId;
    use crate::scene::When;
    use crate::session::Quantity;
    use crate::solve::Stop;

    /// Both drop onto the floor; the rest of a drag in flight is what they do there.
    const SCENE: &str = "format = 1\nduration = 2.0\n[[body]]\nname = \"floor\"\nfixed = true\n\
        shape = { kind = \"half_space\", normal = [0, 1, 0] }\n[[body]]\nname = \"box\"\n\
        shape = { kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1] }\nposition = [0, 1, 0]\nspin = [1, 2, 3]\n\
        [[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 0.1 }\nposition = [2, 1, 0]\n";
    /// Far more than it takes to simulate that.
    const LONG: Duration = Duration::from_millis(500);

    fn carry(bench: &mut Bench, revision: u64, order: Order) -> Result<Done, Refusal> {
        bench.carry_out(order, revision, &Calls::default())
    }

    /// With the scene open, and what the finisher tells.
    fn bench() -> (Bench, Receiver<u64>) {
        let (sender, told) = channel();
        let finisher = Finisher::start(move |revision, _| sender.send(revision).is_ok());
        let mut bench = Bench::new(None, Duration::ZERO, finisher);
        let order = Order::OpenText {
            name: "drop.toml".to_owned(),
            text: SCENE.to_owned(),
            reach: Reach::Folder,
            edits: Vec::new(),
        };
        carry(&mut bench, 1, order).expect("a scene");
        (bench, told)
    }

    fn grab() -> Order {
        let at = When::Time(0.3);
        Order::Edit(Edit::Grab { body: "box".to_owned(), at, point: None, what: Quantity::Position })
    }

    fn pull(x: f64) -> Edit {
        Edit::Move { target: [x, 0.6, 0.0], iterations: 1, seed: 0 }
    }

    fn set() -> Order {
        Order::Edit(Edit::Set { parameter: "box.velocity.x".to_owned(), value: 1.0 })
    }

    #[test]
    fn a_wish_that_is_refused_is_let_go_all_the_same() {
        let (mut bench, _told) = bench();
        carry(&mut bench, 2, grab()).expect("something to hold");
        carry(&mut bench, 3, Order::Edit(pull(0.1))).expect("a place");
        let done = carry(&mut bench, 4, Order::Finish { pull: pull(f64::NAN), joins: false }).expect("to be let go");
        assert_eq!((done.motion.depth, done.motion.is_whole()), ((1, 0), true));
        assert_eq!(carry(&mut bench, 5, set()).expect("an open hand").motion.depth, (2, 0));
    }

    /// A motion that one body more took part in names bodies that are not there.
    #[test]
    fn a_drag_is_never_followed_by_the_motion_of_another_scene() {
        let (mut bench, _told) = bench();
        let old = bench.motion(1).expect("a motion");
        assert!(old.marks.iter().any(|mark| mark.t > 0.4 && mark.bodies.contains(&BodyId(2))));
        carry(&mut bench, 2, Order::Change(Change::Remove("ball".to_owned()))).expect("two bodies");
        carry(&mut bench, 3, grab()).expect("something to hold");
        bench.finisher.know(99, old);
        let motion = carry(&mut bench, 4, Order::Edit(pull(0.1))).expect("a place").motion;
        assert!(!motion.is_whole());
        assert!(motion.marks.iter().flat_map(|mark| mark.bodies).all(|body| body.index() < 2), "{:?}", motion.marks);
    }

    #[test]
    fn an_old_motion_that_is_whole_late_replaces_no_newer_one() {
        let (bench, told) = bench();
        let old = bench.finisher.newest().expect("a motion");
        let newer = Arc::new(old.with_trajectory(old.trajectory.clone()));
        bench.finisher.know(9, newer.clone());
        bench.finisher.finish(5, old);
        assert_eq!(told.recv(), Ok(5));
        assert!(bench.finisher.newest().is_some_and(|newest| Arc::ptr_eq(&newest, &newer)));
    }

    #[test]
    fn the_rest_of_a_motion_is_computed_only_once_its_part_is_on_the_way() {
        let (mut bench, told) = bench();
        carry(&mut bench, 2, grab()).expect("something to hold");
        let part = carry(&mut bench, 3, Order::Edit(pull(0.1))).expect("a place").motion;
        assert!(!part.is_whole());
        assert!(told.recv_timeout(LONG).is_err(), "nobody has answered yet");
        let (outbox, answers) = channel();
        assert!(bench.serve(4, Order::Edit(pull(0.2)), &Calls::default(), &outbox));
        assert_eq!(told.recv(), Ok(4));
        assert_eq!(answers.try_iter().map(|answer| answer.revision).collect::<Vec<_>>(), [4]);
    }

    /// The finisher knows the whole motion of the last move: letting go takes it, and computes nothing again.
    #[test]
    fn what_the_finisher_knows_is_not_computed_again() {
        let (mut bench, told) = bench();
        carry(&mut bench, 2, grab()).expect("something to hold");
        let (outbox, _answers) = channel();
        assert!(bench.serve(3, Order::Edit(pull(0.1)), &Calls::default(), &outbox));
        assert_eq!(told.recv(), Ok(3));
        let known = bench.finisher.newest().expect("a motion").trajectory.clone();
        let done = carry(&mut bench, 4, Order::Finish { pull: pull(f64::NAN), joins: false }).expect("to be let go");
        assert!(Arc::ptr_eq(&known, &done.motion.trajectory), "it was computed again");
    }

    /// Esc is heard in the midst of a solve that would go on: it ends at once, and says that it was stopped.
    #[test]
    fn a_solve_that_is_stopped_ends_and_says_so() {
        let (mut bench, _told) = bench();
        let nail = Nail {
            body: Some("box".to_owned()),
            enabled: true,
            at: When::Time(1.5),
            position: Some(crate::scene::Components::all([0.0, -5.0, 0.0])),
            ..Nail::default()
        };
        let calls = Calls::default();
        calls.stop(1, 2);
        let order = Order::AddNail(Box::new(nail));
        let done = bench.carry_out(order, 2, &calls).expect("a nail that is not met");
        let report = done.outcome.and_then(|outcome| outcome.report).expect("a solve reports");
        assert_eq!((report.verdict, report.iterations), (Verdict::Unfinished(Stop::Asked), 0));
        // What is ordered later is not stopped.
        let done = bench.carry_out(Order::Edit(MEET), 3, &calls).expect("a solve");
        let report = done.outcome.and_then(|outcome| outcome.report).expect("a solve reports");
        assert!(report.iterations > 0, "{report:?}");
    }

    #[test]
    fn a_fault_is_answered_and_the_next_order_is_carried_out() {
        let (mut bench, _told) = bench();
        let folder = std::env::temp_dir().join(format!("hattrick-records-{}", std::process::id()));
        Keeper::new(&folder, "").begin(SCENE);
        bench.folder = Some(folder.clone());
        let (outbox, answers) = channel();
        for (revision, order) in [(2, set()), (3, Order::Stumble), (4, set())] {
            assert!(bench.serve(revision, order, &Calls::default(), &outbox));
        }
        let answers: Vec<Answer> = answers.try_iter().collect();
        assert_eq!(answers.iter().map(|answer| answer.broke).collect::<Vec<_>>(), [false, true, false]);
        let words = answers[1].result.as_ref().expect_err("a fault");
        let words = &words.message;
        assert!(words.contains("stumbled") && words.contains("still there"), "{words}");
        assert!(words.contains("hattrick-records"), "the copy is named: {words}");
        assert_eq!(answers[2].result.as_ref().expect("an edit").motion.depth, (2, 0));
        autosave::forget_own(&folder);
        let _ = std::fs::remove_dir_all(folder);
    }
}
