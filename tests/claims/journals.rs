//! Every journal in `scenes/` replays: to the same bits, on any number of threads, every drag and every solve met, with all its
//! nails held; its saved scene meets them when it is opened again without solving, and holds before `hattrick check`.
//!
//! With every target moved by 2 cm in a random direction, and the nails that keep them, at least eight of ten replays still hold all
//! nails: the journals are no needles in haystacks. What moves is where drags pull positions to and where nails hold them. Targets without a
//! place are disturbed as much: the upright of the mug leans by what moves the end of a vector of 1 m by 2 cm, and its spin by 0.02 rad/s; the dice
//! are thrown by a hand that is 2 cm elsewhere; the ball that the two cushions lead to lies 2 cm elsewhere, and so does the ball that
//! pushes the dominoes, which is nearly the edge of the first. Inequalities that say what counts (on the rack, facing the peg, standing) stay.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use hattrick::dynamics::BodyState;
use hattrick::math::Vec3;
use hattrick::scene::Scene;
use hattrick::session::{Edit, Journal, Quantity, Session};
use hattrick::simulation::EventKind;
use hattrick::solve::Verdict;
use rayon::prelude::*;

use crate::editing::OPTIMAL;
use crate::random::{self, Random};

/// Each journal must hold its nails in so many of ten noisy replays.
const LEAST: u32 = 8;
/// How far targets move, m.
const AWAY: f64 = 0.02;

fn journals() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    found.sort();
    assert!(!found.is_empty(), "there are no journals");
    found
}

/// Replays edits, and gives those after which something was not met: where they stand, and what came of them.
fn replay(path: &Path, edits: &[Edit]) -> (Session, Vec<String>) {
    replay_on(scene(path), path, edits)
}

/// The scene of a journal.
fn scene(path: &Path) -> Scene {
    let journal = Journal::open(path).unwrap_or_else(|error| panic!("{error}"));
    Scene::open(journal.scene_path(path)).unwrap_or_else(|error| panic!("{error}"))
}

fn replay_on(scene: Scene, path: &Path, edits: &[Edit]) -> (Session, Vec<String>) {
    let mut session = Session::new(scene).unwrap_or_else(|error| panic!("{error}"));
    let mut unmet = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        let place = format!("{}: edit {}", path.display(), index + 1);
        let outcome = session.apply(edit.clone()).unwrap_or_else(|error| panic!("{place}: {error}"));
        let kkt = outcome.report.as_ref().map_or(0.0, |report| report.kkt);
        assert!(kkt < OPTIMAL, "{place}: optimality is missed by {kkt:e}");
        if let Some(report) = outcome.report.filter(|report| report.verdict != Verdict::Met) {
            unmet.push(format!("{place}: {}", report.verdict.shown(session.model())));
        }
    }
    (session, unmet)
}

fn on_threads(threads: usize, path: &Path) -> (Session, Vec<String>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| replay(path, &edits(path)))
}

/// Every journal as it ends on one thread.
static REPLAYED: LazyLock<Vec<(PathBuf, Session)>> = LazyLock::new(|| {
    let ended = |path: PathBuf| {
        let (session, unmet) = on_threads(1, &path);
        assert!(unmet.is_empty(), "{unmet:?}");
        (path, session)
    };
    journals().into_iter().map(ended).collect()
});

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
    for (path, one) in REPLAYED.iter() {
        assert_eq!(bits(one), bits(&on_threads(2, path).0), "{}", path.display());
        check_nails(path, one);
        let text = one.text();
        let again = Scene::parse(&text, "saved.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        check_nails(path, &Session::new(again).unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn what_a_journal_saves_passes_check() {
    let folder = std::env::temp_dir().join(format!("hattrick-journals-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (path, session) in REPLAYED.iter() {
        let saved = folder.join(path.with_extension("toml").file_name().expect("a name"));
        session.clone().save(&saved).unwrap_or_else(|error| panic!("{error}"));
        let run =
            Command::new(env!("CARGO_BIN_EXE_hattrick")).arg("check").arg(&saved).output().expect("the program starts");
        let said = String::from_utf8_lossy(&run.stdout);
        println!("{}: {}", path.display(), said.lines().last().unwrap_or_default());
        assert!(run.status.success(), "{}: {said}{}", path.display(), String::from_utf8_lossy(&run.stderr));
    }
    std::fs::remove_dir_all(&folder).expect("it was ours");
}

#[test]
fn journals_bear_some_noise() {
    for path in journals() {
        let holds = |seed: u64| {
            let (scene, edits) = noisy(&path, &mut Random::new(900 + seed));
            let (session, _) = replay_on(scene, &path, &edits);
            u32::from(session.nail_reports().iter().all(|nail| nail.is_met()))
        };
        let held: u32 = (0..10).into_par_iter().map(holds).sum();
        println!("{}: {held} of 10", path.display());
        assert!(held >= LEAST, "{}: only {held} of 10 noisy replays hold their nails", path.display());
    }
}

/// First straight onto a peg; then in another style, with a bounce off the floor and a somersault, still onto it. The floor stays
/// level: no normal is tilted.
#[test]
fn scissors_bounce_and_turn_over_on_their_way_to_the_rack() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/scissors.jsonl");
    let edits = edits(&path);
    let is_rest = |edit: &Edit| matches!(edit, Edit::Nail { nail: Some(nail), .. } if nail.name.as_deref() == Some("hangs at rest"));
    let straight = 1 + edits.iter().position(is_rest).expect("a nail");
    for (upto, first) in [(straight, "rack"), (edits.len(), "floor")] {
        let (session, _) = replay(&path, &edits[..upto]);
        check_nails(&path, &session);
        let mut values = session.model().parameters().iter().zip(session.u().values());
        assert!(values.all(|(parameter, &value)| value == 0.0 || !parameter.name.contains("normal")));
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

/// A journal whose targets are elsewhere.
fn noisy(path: &Path, random: &mut Random) -> (Scene, Vec<Edit>) {
    let (mut scene, mut edits) = (scene(path), edits(path));
    let mut shift = |names: &[&str], by: Vec3| {
        let moved = scene.bodies.iter_mut().filter(|body| names.contains(&body.name.as_str()));
        moved.for_each(|body| body.position += by);
    };
    match path.file_stem().and_then(|stem| stem.to_str()).expect("a name") {
        "dice" => shift(&["red", "green", "blue"], random.unit() * AWAY),
        // On the table, and on the floor.
        "two_cushions" => shift(&["one"], level(random) * AWAY),
        "dominoes" => shift(&["ball"], level(random) * AWAY),
        _ => move_targets(&mut edits, random),
    }
    (scene, edits)
}

/// A direction along the ground.
fn level(random: &mut Random) -> Vec3 {
    let angle = random.between(0.0, std::f64::consts::TAU);
    Vec3::new(angle.cos(), 0.0, angle.sin())
}

/// Every target in space moved by 2 cm, and the nail that keeps it with it.
fn move_targets(edits: &mut [Edit], random: &mut Random) {
    let (mut dragged, mut by) = (Quantity::Position, [0.0; 3]);
    for edit in edits {
        match edit {
            Edit::Grab { what, .. } => dragged = *what,
            Edit::Move { target, .. } if dragged == Quantity::Position => {
                by = (random.unit() * AWAY).into();
                *target = [0, 1, 2].map(|k| target[k] + by[k]);
            }
            Edit::Nail { nail: Some(nail), .. } => {
                if let Some(position) = &mut nail.position {
                    (0..3).for_each(|k| position.0[k] = position.0[k].map(|entry| entry + by[k]));
                }
                if let Some(text) = &mut nail.expression {
                    let moved = random.unit() * AWAY;
                    // A direction: a shorter vector could not be reached by any, a longer one by more.
                    let up = random::list(&(Vec3::y() + moved).normalize());
                    *text = text.replace("[0,1,0]", &up).replace("[0,0,0]", &random::list(&moved));
                }
            }
            _ => {}
        }
    }
}
