//! Whatever a file holds, reading it and doing what it says ends, in bounded time, and never in a panic.
//!
//! Scenes, meshes, journals and exported files that are right are changed at random: bits, bytes, numbers, lines, pieces of
//! each other. Most are refused; the others are simulated, replayed or compared. The same seed is the same input on every
//! machine. A few hundred of each kind are tried with the other tests; for more:
//!
//! ```text
//! HATTRICK_MUTATIONS=100000 HATTRICK_MUTATION_SEED=0 cargo test --release --test claims mutation:: -- --nocapture
//! ```
//!
//! An input that takes longer than `HATTRICK_MUTATION_SECONDS` (20) ends the program; it and whatever else fails is left in the
//! target folder, under the name that is printed. Where only the names of failures are wanted, `HATTRICK_MUTATION_GO_ON=1`
//! passes over panics, and tells them at the end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use hattrick::export::{Format, Motion, Options, export, verify};
use hattrick::goal::Goal;
use hattrick::session::{Journal, Session};
use hattrick::simulation::{End, Trajectory};
use hattrick::{Model, Scene, simulate};

use super::export::Folder;
use super::mutation_sources::{EDITS, EXPRESSIONS, SHAPES, buffer, meshes};
use super::random::Random;

/// Inputs of each kind that are tried with the other tests.
const FEW: u64 = 250;
/// Questions of the solver that one edit of a changed journal may ask: its time is another claim.
const MOST_ASKS: u32 = 40;
/// Numbers that programs stumble over.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e-300",
    "5e-324",
    "1e300",
    "1e999",
    "-1e9",
    "nan",
    "inf",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "1e-9",
    "0.1",
    "1e5",
];

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Tries every input of a kind, and holds each to its time.
fn try_all(kind: &str, sources: &[Vec<u8>], attempt: impl Fn(&[u8], &Folder) -> Outcome) {
    let folder = Folder::new(&format!("mutation-{kind}"));
    let count = variable("HATTRICK_MUTATIONS").unwrap_or(FEW);
    let first = variable("HATTRICK_MUTATION_SEED").unwrap_or(0);
    let seconds = Duration::from_secs(variable("HATTRICK_MUTATION_SECONDS").unwrap_or(20));
    let goes_on = variable("HATTRICK_MUTATION_GO_ON").is_some();
    let kept = |seed: u64| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutation-{kind}-seed-{seed}"));
    let (mut refused, mut answered, mut slowest) = (0, 0, (Duration::ZERO, 0));
    let mut failed = Vec::new();
    let (begun, watched) = channel::<Option<u64>>();
    let of_kind = kind.to_owned();
    let watchdog = std::thread::spawn(move || {
        let mut current = None;
        loop {
            match watched.recv_timeout(if current.is_some() { seconds } else { Duration::from_secs(3600) }) {
                Ok(next) => current = next,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(seed) = current {
                        // No panic ends a thread that hangs.
                        eprintln!("{of_kind}, seed {seed}: not done in {seconds:?}");
                        std::process::exit(101);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    for seed in first..first + count {
        let input = changed(sources, seed);
        // Written before it is tried: what overflows the stack leaves no other word.
        let path = kept(seed);
        std::fs::write(&path, &input).expect("the target folder is writable");
        begun.send(Some(seed)).expect("the watchdog listens");
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| attempt(&input, &folder)));
        let time = start.elapsed();
        begun.send(None).expect("the watchdog listens");
        slowest = slowest.max((time, seed));
        match outcome {
            Ok(Outcome::Refused) => refused += 1,
            Ok(Outcome::Answered) => answered += 1,
            Err(_) => {
                assert!(goes_on, "{kind}, seed {seed}: it panicked; the input is in {}", path.display());
                failed.push(seed);
                continue;
            }
        }
        std::fs::remove_file(path).expect("it was written");
    }
    drop(begun);
    watchdog.join().expect("the watchdog ends");
    let (time, seed) = slowest;
    println!("{kind}: {answered} answered, {refused} refused; the slowest took {time:.2?} (seed {seed})");
    assert!(failed.is_empty(), "{kind}: these seeds panicked: {failed:?}");
    assert!(answered * 50 > count && refused * 50 > count, "{kind}: {answered} answered, {refused} refused");
}

/// What became of an input.
enum Outcome {
    Refused,
    Answered,
}

/// One of the sources with one change, or up to six.
fn changed(sources: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let random = &mut Random::new(seed);
    let mut bytes = sources[random.below(sources.len())].clone();
    for _ in 0..1 + random.below(6) * random.below(2) {
        if bytes.is_empty() {
            break;
        }
        change(&mut bytes, sources, random);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, sources: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len());
    let most = 1 << random.below(8);
    let length = 1 + random.below(most);
    let end = (at + length).min(bytes.len());
    match random.below(16) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.bits() as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            drop(bytes.splice(to..to, piece));
        }
        4 => {
            let other = &sources[random.below(sources.len())];
            let from = random.below(other.len());
            let piece = other[from..(from + length).min(other.len())].to_vec();
            drop(bytes.splice(at..end, piece));
        }
        5 => bytes.truncate(at),
        6 => {
            let piece = bytes[at..end].repeat(1 + random.below(200));
            drop(bytes.splice(at..at, piece));
        }
        7 => swap_lines(bytes, random),
        8 => {
            let word: [u8; 4] =
                random.pick(&[0, 1, u32::MAX, 1 << 31, f32::NAN.to_bits(), f32::MAX.to_bits(), 7]).to_le_bytes();
            let end = (at + 4).min(bytes.len());
            bytes[at..end].copy_from_slice(&word[..end - at]);
        }
        _ => replace_number(bytes, at, random),
    }
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(a, b);
    *bytes = lines.concat();
}

/// The next number of a text becomes another.
fn replace_number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e');
    let Some(start) = (at..bytes.len()).find(|k| bytes[*k].is_ascii_digit()) else { return };
    let start = (0..start).rev().take_while(|k| is_part(&bytes[*k])).last().unwrap_or(start);
    let end = start + bytes[start..].iter().take_while(|byte| is_part(byte)).count();
    let old: f64 = std::str::from_utf8(&bytes[start..end]).ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let new = match random.below(4) {
        0 => format!("{:?}", old * random.between(0.0, 2.0)),
        1 => format!("{:?}", -old),
        _ => random.pick(NUMBERS).to_owned(),
    };
    drop(bytes.splice(start..end, new.into_bytes()));
}

fn scenes_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

fn shipped(names: &[&str], ending: &str) -> Vec<Vec<u8>> {
    let read = |name: &&str| std::fs::read(scenes_folder().join(format!("{name}.{ending}"))).expect("a shipped file");
    names.iter().map(read).collect()
}

/// A motion that goes to its end has numbers in it.
fn check(trajectory: &Trajectory) {
    let numbers = trajectory.at(trajectory.t_end);
    let finite = numbers.iter().all(|state| state.position.iter().chain(state.velocity.iter()).all(|x| x.is_finite()));
    assert!(finite || matches!(trajectory.end, End::NonFinite { .. }), "{}: {numbers:?}", trajectory.end);
}

fn run(text: &str, path: &str) -> Outcome {
    let Ok(scene) = Scene::parse(text, path) else { return Outcome::Refused };
    let Ok(model) = Model::new(&scene) else { return Outcome::Refused };
    if Goal::of_nails(&model, &scene.nails).is_err() {
        return Outcome::Refused;
    }
    check(&simulate(&model, &model.control()));
    Outcome::Answered
}

#[test]
fn changed_scenes_are_answered() {
    let names = ["tumble", "bounce", "particle", "parabola", "scissors", "mug", "two_cushions", "dice"];
    let mut sources = shipped(&names, "toml");
    sources.push(EXPRESSIONS.as_bytes().to_vec());
    sources.push(SHAPES.as_bytes().to_vec());
    try_all("scenes", &sources, |bytes, folder| {
        // As from a file: bytes that are no text are told as such.
        folder.write("scene.toml", bytes);
        let path = folder.0.join("scene.toml");
        let Ok(scene) = Scene::open(&path) else { return Outcome::Refused };
        run(scene.source.text(), "scene.toml")
    });
}

#[test]
fn changed_meshes_are_answered() {
    let sources = meshes();
    for (ending, file) in [("obj", 0), ("stl", 1), ("gltf", 3), ("glb", 4)] {
        let kind = format!("meshes-{ending}");
        let own = if ending == "stl" { sources[1..3].to_vec() } else { vec![sources[file].clone()] };
        try_all(&kind, &own, |bytes, folder| {
            let name = format!("m.{ending}");
            folder.write(&name, bytes);
            folder.write("m.bin", buffer());
            let path = folder.0.join("m.toml");
            let text = format!(
                "format = 1\nduration = 0.1\n[[body]]\nname = \"m\"\nshape = {{ kind = \"mesh\", file = \"{name}\", pieces = 4 }}\n"
            );
            run(&text, path.to_str().expect("a plain path"))
        });
    }
}

#[test]
fn changed_journals_are_answered() {
    let scene = Scene::open(scenes_folder().join("tumble.toml")).expect("a shipped scene");
    let session = Session::new(scene).expect("a session");
    let short = |name: &&str| {
        let text = std::fs::read_to_string(scenes_folder().join(format!("{name}.jsonl"))).expect("a shipped journal");
        let lines: Vec<&str> = text.lines().take(12).collect();
        lines.join("\n").into_bytes()
    };
    let mut sources: Vec<Vec<u8>> = ["scissors", "dice"].iter().map(short).collect();
    sources.extend(vec![EDITS.as_bytes().to_vec(); 4]);
    try_all("journals", &sources, |bytes, _| {
        let Ok(journal) =
            std::str::from_utf8(bytes).map_err(drop).and_then(|text| Journal::parse(text, "j").map_err(drop))
        else {
            return Outcome::Refused;
        };
        let mut session = session.clone();
        for edit in journal.edits {
            let asks = std::sync::atomic::AtomicU32::new(0);
            let go_on = |_| asks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < MOST_ASKS;
            if session.apply_while(edit, &go_on).is_err() {
                break;
            }
        }
        check(session.trajectory());
        Outcome::Answered
    });
}

#[test]
fn changed_exports_are_answered() {
    let scene = Scene::open(scenes_folder().join("bounce.toml")).expect("a shipped scene");
    let scene =
        Scene::parse(&scene.source.text().replacen("duration = 3.0", "duration = 0.5", 1), "b.toml").expect("a scene");
    let model = Model::new(&scene).expect("a model");
    let trajectory = simulate(&model, &model.control());
    let motion = Motion::new(&scene.title, &trajectory);
    for format in Format::ALL.into_iter().filter(|format| format.carries_motion()) {
        let folder = Folder::new(&format!("mutation-of-{}", format.ending()));
        let name = format!("b.{}", format.ending());
        let path = folder.0.join(&name);
        export(&motion, &path, &Options::default(), &mut |_| true).expect("an export");
        let mut sources = vec![std::fs::read(&path).expect("the export")];
        let events = path.with_extension("events.csv");
        let of_events = std::fs::read(&events).ok();
        sources.extend(of_events.clone());
        try_all(&format!("exports-{}", format.ending()), &sources, |bytes, inner| {
            inner.write(&name, bytes);
            of_events.iter().for_each(|events| inner.write("b.events.csv", events));
            if bytes.starts_with(b"t,kind") {
                inner.write(&name, &sources[0]);
                inner.write("b.events.csv", bytes);
            }
            match verify(&motion, &inner.0.join(&name), None) {
                Ok(report) => {
                    let (place, angle) = (report.over_all_time.place.value, report.over_all_time.angle.value);
                    assert!(!place.is_nan() && !angle.is_nan(), "{place} {angle}");
                    Outcome::Answered
                }
                Err(_) => Outcome::Refused,
            }
        });
    }
}
