//! Every journal in `scenes/` replays: to the same bits, on any number of threads, with all its nails held, and its saved scene
//! meets them when it is opened again without solving. With every target moved by 2 cm in a random direction, and the nails that keep
//! them, at least eight of ten replays still hold all nails: the journals are no needles in haystacks. What moves is where drags pull
//! positions to and where nails hold them. The mug is not dragged: there the end of the upright vector it is compared with moves
//! by 2 cm, and its spin by 0.02 rad/s. Inequalities that say what counts (on the rack, facing the peg, standing) stay.

use std::path::{Path, PathBuf};

use hattrick::dynamics::BodyState;
use hattrick::math::Vec3;
use hattrick::scene::Scene;
use hattrick::session::{Edit, Journal, Quantity, Session};
use hattrick::simulation::EventKind;
use rayon::prelude::*;

use crate::random::{self, Random};

/// Each must hold its nails in so many of ten noisy replays.
const NOISY: [&str; 5] = ["eggs.jsonl", "hat.jsonl", "mug.jsonl", "plank.jsonl", "scissors.jsonl"];
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

/// First straight onto a peg; then in another style, with a bounce off the floor and a somersault, still onto it.
#[test]
fn scissors_bounce_and_turn_over_on_their_way_to_the_rack() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/scissors.jsonl");
    let edits = edits(&path);
    let is_rest = |edit: &Edit| matches!(edit, Edit::Nail { nail: Some(nail), .. } if nail.name.as_deref() == Some("hangs at rest"));
    let straight = 1 + edits.iter().position(is_rest).expect("a nail");
    for (upto, first) in [(straight, "rack"), (edits.len(), "floor")] {
        let session = replay(&path, &edits[..upto]);
        check_nails(&path, &session);
        let (model, motion) = (session.model(), session.trajectory());
        let [scissors, first, rack] = ["scissors", first, "rack"].map(|name| model.body(name).expect("a body"));
        let mut impacts = motion.events.iter().filter(|event| event.kind == EventKind::Impact);
        let start = impacts.next().expect("an impact");
        assert_eq!((start.first, start.second), (scissors, first), "{start:?}");
        assert!(around_a_peg(&motion.body_at(scissors, motion.t_end)));
        if first != rack {
            let landing = impacts.next().expect("another impact");
            assert_eq!(landing.second, rack, "{landing:?}");
            let steps = 1000;
            let step = (landing.t - start.t) / f64::from(steps);
            let spin = |k: i32| motion.body_at(scissors, start.t + (f64::from(k) + 0.5) * step).spin.z;
            let turned = (0..steps).map(spin).sum::<f64>() * step;
            println!("turned by {:.1}° between floor and rack", turned.to_degrees());
            assert!(turned.abs() >= std::f64::consts::TAU, "turned by {turned} rad only");
        }
    }
}

/// Whether a ring, 35 mm wide inside, has the peg along x in it: the axis from its root at 1.4 m to its end passes the ring's plane there.
fn around_a_peg(state: &BodyState) -> bool {
    let (root, axis) = (Vec3::new(0.0, 1.4, 0.0), Vec3::new(1.1868_f64.sin(), 1.1868_f64.cos(), 0.0));
    [0.043, -0.043].into_iter().any(|x| {
        let center = state.position + state.rotation * Vec3::new(x, -0.0855, 0.0);
        let normal = state.rotation * Vec3::z();
        let along = (center - root).dot(&normal) / axis.dot(&normal);
        (0.0..0.23).contains(&along) && (root + axis * along - center).norm() < 0.035
    })
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
                if let Some(text) = &mut nail.expression {
                    let moved = random.unit() * 0.02;
                    let up = format!("[{:?},{:?},{:?}]", moved.x, 1.0 + moved.y, moved.z);
                    *text = text.replace("[0,1,0]", &up).replace("[0,0,0]", &random::list(&moved));
                }
            }
            _ => {}
        }
    }
    edits
}
