//! The invariants of `lib.rs`, as far as a search in the text can check them.
//!
//! They hold because each is easy to break unnoticed and expensive to restore: rooms that depend in a circle, a clock in the
//! simulation, a file that grows beyond reading.

use std::path::{Path, PathBuf};

/// In order of dependency: a room uses only rooms before it.
const ROOMS: &[&str] = &[
    "math",
    "geometry",
    "files",
    "scene",
    "dynamics",
    "model",
    "contact",
    "simulation",
    "sensitivity",
    "goal",
    "solve",
    "session",
    "picture",
    "export",
    "editor",
    "cli",
];
const SOURCE_LINES: usize = 600;
const TEST_LINES: usize = 400;

pub struct SourceFile {
    /// From the root of the repository, with forward slashes.
    pub path: String,
    pub text: String,
}

impl SourceFile {
    /// Lines that are not comments, numbered from 1.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(k, line)| (k + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Whether it holds nothing but tests.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// The room a source file belongs to.
    fn room(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let room = inside.split(['/', '.']).next()?;
        (room != "lib" && room != "main").then_some(room)
    }
}

pub fn files(folders: &[&str], extensions: &[&str]) -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|e| extensions.iter().any(|known| e == *known)) {
            let shown = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            found.push(SourceFile { path: shown, text: std::fs::read_to_string(&path).expect("a text file") });
        }
    }
    assert!(!found.is_empty(), "no files in {folders:?}");
    found
}

#[track_caller]
pub fn none(what: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
}

/// Lines of code, tests apart, that hold one of the words.
fn uses(words: &[&str], refused: impl Fn(&SourceFile) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files(&["src"], &["rs"]).iter().filter(|file| !file.is_test() && refused(file)) {
        for (number, line) in file.code().filter(|(_, line)| words.iter().any(|word| line.contains(word))) {
            faults.push(format!("{}:{number}: {}", file.path, line.trim()));
        }
    }
    faults
}

#[test]
fn every_file_opens_with_what_it_answers() {
    let all = files(&["src", "tests", "benches"], &["rs"]);
    let silent: Vec<String> = all.iter().filter(|f| !f.text.starts_with("//! ")).map(|f| f.path.clone()).collect();
    none("files without an opening", &silent);
}

#[test]
fn files_are_short_enough_to_read() {
    let mut long = Vec::new();
    for (folder, limit) in [("src", SOURCE_LINES), ("tests", TEST_LINES), ("benches", TEST_LINES)] {
        for file in files(&[folder], &["rs"]) {
            let lines = file.text.lines().count();
            if lines > limit {
                long.push(format!("{}: {lines} lines, limit {limit}", file.path));
            }
        }
    }
    none("files to divide", &long);
}

#[test]
fn rooms_use_only_rooms_before_them() {
    let place = |room: &str| ROOMS.iter().position(|known| *known == room);
    let mut faults = Vec::new();
    for file in files(&["src"], &["rs"]) {
        let Some(room) = file.room() else { continue };
        let Some(own) = place(room) else {
            faults.push(format!("{}: no known room", file.path));
            continue;
        };
        for (number, line) in file.code() {
            for used in line.split("crate::").skip(1) {
                let word: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if place(&word).is_some_and(|used| used > own) {
                    faults.push(format!("{}:{number}: {room} uses {word}", file.path));
                }
            }
        }
    }
    none("rooms that look ahead", &faults);
}

#[test]
fn the_window_toolkit_stays_in_the_editor() {
    none("uses of egui outside the editor", &uses(&["egui", "eframe"], |file| file.room() != Some("editor")));
}

#[test]
fn files_are_opened_only_where_files_belong() {
    let rooms = ["files", "scene", "session", "picture", "export", "editor", "cli"];
    let faults =
        uses(&["std::fs", "File::open", "File::create"], |file| !file.room().is_some_and(|r| rooms.contains(&r)));
    none("files opened in rooms of pure functions", &faults);
}

#[test]
fn simulation_has_no_clock_no_dice_and_no_threads() {
    let pure = ["math", "geometry", "dynamics", "contact", "model", "simulation", "sensitivity"];
    let words = [
        "std::time",
        "Instant::now",
        "SystemTime",
        "rand::",
        "thread_rng",
        "HashMap",
        "HashSet",
        "std::thread",
        "rayon",
    ];
    none("what would make runs differ", &uses(&words, |file| file.room().is_some_and(|room| pure.contains(&room))));
}

#[test]
fn simulation_runs_without_derivatives_of_the_whole() {
    let faults = uses(&["crate::sensitivity", "super::sensitivity"], |file| file.room() == Some("simulation"));
    none("uses of sensitivity in simulation", &faults);
}

/// How a body moves is asked of its curve, so that a new way to move is taught once.
#[test]
fn courses_are_told_apart_only_where_motion_is_made_and_differentiated() {
    let rooms = ["dynamics", "model", "simulation", "sensitivity"];
    let words = ["Flight::new", "Course::", "StepPath"];
    none("phases taken apart", &uses(&words, |file| !file.room().is_some_and(|room| rooms.contains(&room))));
}

/// Half-width numbers belong to drawing, and to files of triangles, which hold them.
#[test]
fn numbers_are_f64_outside_of_pictures() {
    let drawing = ["editor", "picture", "export"];
    let files = |file: &SourceFile| file.path.contains("scene/mesh/");
    none("f32", &uses(&["f32"], |file| !files(file) && !file.room().is_some_and(|room| drawing.contains(&room))));
}

#[test]
fn nothing_names_a_place_on_one_machine() {
    // Written in two parts, so that this file does not find itself.
    let places: Vec<String> =
        ["home", "root", "tmp", "work", "Users", "usr", "var"].map(|top| format!("/{top}/")).into();
    let mut faults = Vec::new();
    let folders = ["src", "tests/claims", "benches", "scenes", "README.md", "Cargo.toml", "Cargo.lock"];
    for file in files(&folders, &["rs", "toml", "md", "lock"]) {
        for (k, line) in file.text.lines().enumerate() {
            if places.iter().any(|place| line.contains(place.as_str())) {
                faults.push(format!("{}:{}: {}", file.path, k + 1, line.trim()));
            }
        }
    }
    none("paths of one machine", &faults);
}

#[test]
fn no_test_is_switched_off() {
    let words = [concat!("#[ig", "nore"), concat!("#[should", "_panic")];
    let all = files(&["src", "tests"], &["rs"]);
    let off = all.iter().filter(|file| words.iter().any(|word| file.text.contains(word)));
    none("tests switched off", &off.map(|file| file.path.clone()).collect::<Vec<_>>());
}
