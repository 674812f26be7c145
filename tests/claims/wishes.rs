//! Whatever is wished, a solve ends: in time, without a panic, with finite numbers, and with a start that can be saved and opened again.
//!
//! Random wishes that are impossible, far, or against each other, on shipped scenes and on random ones: nails under the floor and
//! beyond reach, two at one time, events that do not occur or cannot, fixed bodies, everything locked. `WISHES` says how many are tried,
//! `WISH_SECONDS` what each may take; `WISH` tries a single one.
//!
//! By the clock a solve may take its budget, one simulation (of the motion it began with, or of the one it ended with), and `SLACK`. A clock
//! says little where other work goes on beside: a few wishes are tried with a budget that only ends what never would, and the tests
//! of `solve` count what is done after a stop instead.

use std::fmt::Write;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hattrick::scene::Scene;
use hattrick::session::Session;
use hattrick::simulate;
use hattrick::solve::{Ask, GoalReport, Settings};

use crate::random::{self, Kind, Random, list};

/// What a solve may take beyond its budget and one simulation, where nothing else runs.
const SLACK: Duration = Duration::from_millis(200);
/// The same where many tests share the processor.
const CROWDED: Duration = Duration::from_secs(20);
/// Wishes that are tried without being asked for more.
const FEW: u64 = 24;

const ANY: Kind =
    Kind { walls: true, haste: 1.0, restitutions: &[0.0, 0.5, -1.0], frictions: &[0.0, 0.5, 10.0], round: true };

/// A number from the environment.
fn number(name: &str) -> Option<f64> {
    std::env::var(name).ok().map(|word| word.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    found.sort();
    found
}

/// A shipped scene or a random one, without nails of its own.
fn scene(random: &mut Random) -> (String, PathBuf) {
    if random.below(2) == 0 {
        let seed = random.bits() >> 32;
        let text = if random.below(2) == 0 { random::scene(seed, ANY) } else { random::scene_of_eggs(seed, ANY) };
        return (text, PathBuf::from(format!("random-{seed}.toml")));
    }
    let paths = shipped();
    let path = paths[random.below(paths.len())].clone();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
    (text.split("[[nail]]").next().unwrap_or_default().to_owned(), path)
}

/// The scene with one to three nails and some controls.
fn wish(seed: u64) -> (String, PathBuf) {
    let random = &mut Random::new(seed);
    let (mut text, path) = scene(random);
    let parsed = Scene::parse(&text, &path.display().to_string()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let bodies: Vec<(String, bool)> =
        parsed.bodies.iter().map(|body| (body.name.clone(), body.drive.is_pushed())).collect();
    for _ in 0..1 + random.below(3) {
        nail(random, &bodies, parsed.duration, &mut text);
    }
    if random.below(8) == 0 {
        for (name, _) in bodies.iter().filter(|(_, moves)| *moves) {
            for field in ["rotation", "velocity", "spin"] {
                lock(&mut text, &format!("{name}.{field}"), false);
            }
        }
    } else {
        for (name, _) in &bodies {
            match random.below(6) {
                0 => lock(&mut text, &format!("{name}.position"), true),
                1 => lock(&mut text, &format!("{name}.velocity"), false),
                _ => {}
            }
        }
    }
    (text, path)
}

fn lock(text: &mut String, group: &str, free: bool) {
    let _ = write!(text, "\n[[control]]\nparameter = {group:?}\nfree = {free}\n");
}

fn nail(random: &mut Random, bodies: &[(String, bool)], duration: f64, text: &mut String) {
    let moving: Vec<&String> = bodies.iter().filter(|(_, moves)| *moves).map(|(name, _)| name).collect();
    // A fixed body now and then.
    let name = if moving.is_empty() || random.below(8) == 0 {
        &bodies[random.below(bodies.len())].0
    } else {
        moving[random.below(moving.len())]
    };
    let other = &bodies[random.below(bodies.len())].0;
    let count = 1 + random.below(40);
    let at = match random.below(6) {
        0 => "\"end\"".to_owned(),
        1 if moving.contains(&name) && name != other => format!("{{ impact = \"{name}/{other}#{count}\" }}"),
        2 if moving.contains(&name) => format!("{{ apex = {name:?}, n = {count} }}"),
        3 => format!("{{ rest = {name:?} }}"),
        _ => format!("{:?}", random.between(0.0, duration)),
    };
    let far = random.pick(&[0.1, 1.0, 10.0, 1e6]);
    let place = random.vector(far);
    let wish = match random.below(5) {
        // Under the floor, where there is one.
        0 => format!("position = {}", list(&(place - hattrick::math::Vec3::y() * (far + 3.0)))),
        1 => format!("velocity = {{ y = {:?} }}", place.y),
        2 => format!("expression = \"distance({name}, {other}) <= {:?}\"", place.x),
        3 => format!("inside = {{ kind = \"ball\", center = {}, radius = 0.05 }}", list(&place)),
        _ => format!("position = {}", list(&place)),
    };
    let _ = write!(text, "\n[[nail]]\nat = {at}\nbody = {name:?}\n{wish}\n");
}

/// What came of one wish: how long it took beyond its budget and one simulation.
fn try_wish(seed: u64, budget: Duration) -> Option<(Duration, bool)> {
    let (text, path) = wish(seed);
    let name = path.display().to_string();
    // Some nails make no sense, as a spin of what does not turn: they are refused, which is an answer.
    let mut session = Session::new(Scene::parse(&text, &name).ok()?).ok()?;
    let once = {
        let start = Instant::now();
        simulate(session.model(), session.u());
        start.elapsed()
    };
    let settings = Settings { effort: Some(u64::MAX), iterations: 100_000, ..Settings::default() };
    let start = Instant::now();
    let outcome = session.solve_while(&settings, &|ask| ask == Ask::Rest || start.elapsed() < budget);
    let taken = start.elapsed();
    let report = outcome.unwrap_or_else(|error| panic!("seed {seed}: {error}")).report.expect("a solve reports");
    let again = {
        let start = Instant::now();
        simulate(session.model(), session.u());
        start.elapsed()
    };
    assert!(session.u().values().iter().all(|value| value.is_finite()), "seed {seed}: a number is not finite");
    let errors = report.nails.iter().filter_map(|nail| nail.error);
    assert!(errors.into_iter().all(f64::is_finite), "seed {seed}: an error is not finite");
    let saved = Session::new(Scene::parse(&session.text(), &name).unwrap_or_else(|e| panic!("seed {seed}: {e}")))
        .unwrap_or_else(|error| panic!("seed {seed}: what was solved cannot be opened again: {error}"));
    if report.nails.iter().all(GoalReport::is_met) {
        for nail in saved.nail_reports() {
            assert!(nail.is_met(), "seed {seed}: met, saved and opened again: {nail}");
        }
    }
    let beyond = taken.saturating_sub(budget + once.max(again));
    Some((beyond, taken > budget))
}

#[test]
fn every_wish_ends_in_time_and_leaves_a_scene_that_can_be_saved() {
    let asked = number("WISHES").map(|count| count as u64);
    let slack = if asked.is_some() { SLACK } else { CROWDED };
    let budget = Duration::from_secs_f64(number("WISH_SECONDS").unwrap_or(1.0));
    let seeds = number("WISH").map_or(0..asked.unwrap_or(FEW), |seed| seed as u64..seed as u64 + 1);
    let (mut tried, mut out_of_time, mut worst, mut failed) = (0, 0, (Duration::ZERO, 0), Vec::new());
    for seed in seeds {
        match catch_unwind(|| try_wish(seed, budget)) {
            Ok(None) => {}
            Ok(Some((beyond, ended))) => {
                tried += 1;
                out_of_time += u32::from(ended);
                worst = worst.max((beyond, seed));
                if beyond > slack {
                    failed.push(format!("seed {seed} took {beyond:?} beyond its budget and one simulation"));
                }
            }
            Err(fault) => {
                let said = fault.downcast_ref::<String>().cloned();
                failed.push(said.unwrap_or_else(|| format!("seed {seed} panics")));
            }
        }
    }
    println!("{tried} wishes, {out_of_time} ended by the clock; the latest by {:?} (seed {})", worst.0, worst.1);
    assert!(tried > 0 && failed.is_empty(), "{}", failed.join("\n"));
}

/// Every wish that once ran on and on, or ended in a start that could not be saved, ends within its effort and opens again.
#[test]
fn wishes_that_ran_on_end_and_can_be_saved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wishes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the wishes") {
        let path = entry.expect("an entry").path();
        let mut session = Session::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let settings = Settings { effort: Some(300_000), ..Settings::default() };
        let outcome = session.solve_while(&settings, &|_| true).unwrap_or_else(|error| panic!("{error}"));
        let report = outcome.report.expect("a solve reports");
        println!("{}: {:?} after {} iterations", path.display(), report.verdict, report.iterations);
        assert!(session.u().values().iter().all(|value| value.is_finite()), "{}", path.display());
        let again = Scene::parse(&session.text(), "again.toml").unwrap_or_else(|error| panic!("{error}"));
        Session::new(again).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        count += 1;
    }
    assert!(count >= 8, "{count} wishes");
}
