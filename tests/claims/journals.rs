//! Every journal in `scenes/` replays: to the same bits, on any number of threads, with all its nails held, and its saved scene
//! meets them when it is opened again without solving. With every target moved by 2 cm in a random direction, and the nails that keep
//! them, at least eight of ten replays still hold all nails: the journals are no needles in haystacks.

use std::path::{Path, PathBuf};

use hattrick::scene::Scene;
use hattrick::session::{Edit, Journal, Quantity, Session};
use rayon::prelude::*;

use crate::random::Random;

/// Journals whose targets are places, and so can be moved; each must hold its nails in so many of ten noisy replays.
const NOISY: [&str; 3] = ["eggs.jsonl", "hat.jsonl", "plank.jsonl"];
const LEAST: u32 = 8;

fn journals() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    found.sort();
    assert!(!found.is_empty(), "there are no journals");
    found
}

fn replay(path: &Path, edits: &[Edit]) -> Session {
    let journal = Journal::open(path).unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::open(journal.scene_path(path)).unwrap_or_else(|error| panic!("{error}"));
    for (index, edit) in edits.iter().enumerate() {
        session.apply(edit.clone()).unwrap_or_else(|error| panic!("{}: edit {}: {error}", path.display(), index + 1));
    }
    session
}

fn edits(path: &Path) -> Vec<Edit> {
    Journal::open(path).unwrap_or_else(|error| panic!("{error}")).edits
}

fn bits(session: &Session) -> Vec<u64> {
    session.u().values().iter().map(|value| value.to_bits()).collect()
}

#[track_caller]
fn check_nails(path: &Path, session: &Session) {
    let reports = session.nail_reports();
    let missed: Vec<String> = reports.iter().filter(|nail| !nail.is_met()).map(ToString::to_string).collect();
    assert!(missed.is_empty() && !reports.is_empty(), "{}: {missed:?}", path.display());
}

#[test]
fn journals_replay_to_the_same_bits_with_all_nails_held() {
    for path in journals() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| replay(&path, &edits(&path)))
        };
        let (one, two) = std::thread::scope(|scope| {
            let one = scope.spawn(|| run(1));
            let two = run(2);
            (one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), two)
        });
        assert_eq!(bits(&one), bits(&two), "{}", path.display());
        check_nails(&path, &one);
        let text = one.text();
        let again = Scene::parse(&text, "saved.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        check_nails(&path, &Session::new(again).unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn journals_bear_some_noise() {
    for name in NOISY {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
        let holds = |seed: u64| {
            let session = replay(&path, &noisy(edits(&path), &mut Random::new(900 + seed)));
            u32::from(session.nail_reports().iter().all(|nail| nail.is_met()))
        };
        let held: u32 = (0..10).into_par_iter().map(holds).sum();
        println!("{}: {held} of 10", path.display());
        assert!(held >= LEAST, "{name}: only {held} of 10 noisy replays hold their nails");
    }
}

/// Every target in space moved by 2 cm, and the nail that keeps it with it.
fn noisy(mut edits: Vec<Edit>, random: &mut Random) -> Vec<Edit> {
    let (mut dragged, mut by) = (Quantity::Position, [0.0; 3]);
    for edit in &mut edits {
        match edit {
            Edit::Grab { what, .. } => dragged = *what,
            Edit::Move { target, .. } if dragged == Quantity::Position => {
                by = (random.unit() * 0.02).into();
                *target = [0, 1, 2].map(|k| target[k] + by[k]);
            }
            Edit::Nail { nail: Some(nail), .. } => {
                if let Some(position) = &mut nail.position {
                    (0..3).for_each(|k| position.0[k] = position.0[k].map(|entry| entry + by[k]));
                }
            }
            _ => {}
        }
    }
    edits
}
