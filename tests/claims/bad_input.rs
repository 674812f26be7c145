//! Whatever the file holds, the program answers: a motion, or a clear error on standard error with exit code 1 and nothing on
//! standard output; never a panic. Wrong usage exits with 2.
//!
//! The real binary is run on arbitrary bytes, truncated scenes, absurd numbers, missing files and directories.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::random::Random;

const SCENE: &str = include_str!("../../scenes/tumble.toml");

fn hattrick(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hattrick")).args(arguments).output().expect("the program starts")
}

/// Runs the bytes as a scene file of this name and returns the exit code; checks what must hold of any file.
#[track_caller]
fn simulate(name: &str, bytes: &[u8]) -> i32 {
    let path = file(name);
    std::fs::write(&path, bytes).expect("the temporary folder is writable");
    let output = hattrick(&["simulate", path.to_str().expect("a plain path")]);
    let _ = std::fs::remove_file(&path);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!stderr.contains("panicked"), "{name}: {stderr}");
    match output.status.code() {
        Some(0) => {
            assert!(!stdout.is_empty() && stderr.is_empty(), "{name}: success with {stderr:?}");
            assert!(!stdout.contains("NaN"), "{name}: a state is not a number: {stdout}");
        }
        Some(1) => {
            assert!(stdout.is_empty(), "{name}: an error, and yet output {stdout:?}");
            assert!(stderr.contains(name), "{name}: the message does not name the file: {stderr:?}");
        }
        other => panic!("{name}: exit code {other:?}: {stderr}"),
    }
    output.status.code().unwrap_or(-1)
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn arbitrary_bytes_are_refused() {
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let length = random.below(400);
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        assert_eq!(simulate(&format!("bytes{seed}.toml"), &bytes), 1, "seed {seed}");
    }
}

#[test]
fn bytes_that_look_like_a_scene_are_answered() {
    const WORDS: &[&str] = &[
        "[[body]]",
        "[body]",
        "\n",
        "\n",
        "=",
        "name",
        "\"a\"",
        "shape",
        "{",
        "}",
        "kind",
        "\"ball\"",
        "radius",
        "1e999",
        "-0",
        "nan",
        "format = 1\n",
        "duration = 1\n",
        "[",
        "]",
        ",",
        "'''",
        "\\u0000",
        "0x_",
        "[[control]]",
        "parameter",
        "position = [0, 0, 0]\n",
        "é",
        "\u{0}",
    ];
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let text: String = (0..random.below(60)).map(|_| format!("{} ", random.pick(WORDS))).collect();
        simulate(&format!("words{seed}.toml"), text.as_bytes());
    }
}

#[test]
fn truncated_scenes_are_answered() {
    let mut refused = 0;
    for length in (0..SCENE.len()).step_by(9) {
        refused += simulate(&format!("cut{length}.toml"), &SCENE.as_bytes()[..length]);
    }
    assert!(refused > 40, "only {refused} were refused");
}

#[test]
fn a_scene_with_a_byte_changed_is_answered() {
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let mut bytes = SCENE.as_bytes().to_vec();
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
        simulate(&format!("changed{seed}.toml"), &bytes);
    }
}

/// A scene with one line replaced.
fn with(line: &str, instead: &str) -> String {
    assert!(SCENE.contains(line), "{line} is gone from the scene");
    SCENE.replace(line, instead)
}

#[test]
fn absurd_numbers_are_refused() {
    let absurd = [
        ("duration = 2.0", "duration = nan"),
        ("duration = 2.0", "duration = -1.0"),
        ("duration = 2.0", "duration = 0"),
        ("duration = 2.0", "duration = 1e300"),
        ("duration = 2.0", "duration = 1e999"),
        ("duration = 2.0", "duration = \"long\""),
        ("duration = 2.0", "duration = 2.0\nmax_events = -1"),
        ("duration = 2.0", "duration = 2.0\nmax_events = 9223372036854775807"),
        ("duration = 2.0", "duration = 2.0\nstep = 0.0"),
        ("duration = 2.0", "duration = 2.0\nrest_speed = -inf"),
        ("format = 1", "format = 2"),
        ("format = 1", ""),
        ("mass = 0.9", "mass = 0"),
        ("mass = 0.9", "mass = -0.9"),
        ("mass = 0.9", "mass = inf"),
        ("mass = 0.9", "mass = 1e308"),
        ("mass = 0.9", "mass = 5e-324"),
        ("mass = 0.9", "mass = 0.9\ninertia = [1, 1, 3]"),
        ("mass = 0.9", "mass = 0.9\ndensity = 1"),
        ("spin = [0.02, 0.05, 20.0]", "spin = [0.02, 0.05, 1e200]"),
        ("spin = [0.02, 0.05, 20.0]", "spin = [0.02, 0.05]"),
        ("half_extents = [0.12, 0.02, 0.08]", "half_extents = [0.12, 0, 0.08]"),
        ("half_extents = [0.12, 0.02, 0.08]", "half_extents = [0.12, 1e300, 0.08]"),
        ("half_extents = [0.12, 0.02, 0.08]", "half_extents = [0.12, [0.02], 0.08]"),
        ("normal = [0, 1, 0]", "normal = [0, 0, 0]"),
        ("name = \"book\"", "name = \"floor\""),
        ("name = \"book\"", "name = \"\""),
    ];
    for (k, (line, instead)) in absurd.into_iter().enumerate() {
        assert_eq!(simulate(&format!("absurd{k}.toml"), with(line, instead).as_bytes()), 1, "{instead}");
    }
}

/// Numbers at the ends of what is allowed: nothing sensible, but an answer.
#[test]
fn extreme_numbers_that_are_allowed_are_answered() {
    let extreme = [
        ("duration = 2.0", "duration = 1e-300"),
        ("duration = 2.0", "duration = 2.0\nmax_events = 1"),
        ("velocity = [0.4, 5.0, 0.0]", "velocity = [1e9, -1e9, 1e9]"),
        ("spin = [0.02, 0.05, 20.0]", "spin = [0.02, 0.05, 9e4]"),
        ("spin = [0.02, 0.05, 20.0]", "spin = [1e5, 1e5, 1e5]"),
        ("velocity = [0.4, 5.0, 0.0]", "velocity = [0, 1e-300, -1e-300]"),
        ("position = [0.0, 1.2, 0.0]", "position = [1e9, 1e9, -1e9]"),
        ("mass = 0.9", "mass = 1e15"),
        ("mass = 0.9", "mass = 1e-15"),
        ("mass = 0.9", "mass = 0.9\ninertia = [1e-40, 1e-40, 1e-40]"),
        ("gravity = [0.0, -9.81, 0.0]", "gravity = [1e5, -1e5, 0.0]"),
        ("half_extents = [0.12, 0.02, 0.08]", "half_extents = [1e-6, 1e-6, 1.0]"),
        ("friction = 0.4", "friction = 1e6"),
        ("normal = [0, 1, 0]", "normal = [1e-90, 1e9, 0]"),
    ];
    for (k, (line, instead)) in extreme.into_iter().enumerate() {
        assert_eq!(simulate(&format!("extreme{k}.toml"), with(line, instead).as_bytes()), 0, "{instead}");
    }
}

#[test]
fn missing_files_and_folders_are_refused_by_name() {
    for name in ["no such file.toml", ""] {
        let path = file(name);
        let output = hattrick(&["simulate", path.to_str().expect("a plain path")]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{name:?}");
        assert!(stderr.contains(path.to_str().expect("a plain path")) && !stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/tumble.toml");
    let wrong: [&[&str]; 11] = [
        &["simulate"],
        &["simulat", scene],
        &["simulate", scene, "--at", "soon"],
        &["simulate", scene, "--at", "99"],
        &["jacobian", scene, "--at", "99"],
        &["render", scene, "a.png", "--at", "99"],
        &["render", scene, "a.png", "--size", "0x0"],
        &["render", scene, "--frames", "frames", "--fps", "0"],
        &["render", scene, "--frames", "frames", "--fps", "-3"],
        &["replay", scene, "--render", "a.png", "--size", "0x0"],
        &["--no-such-option"],
    ];
    for arguments in wrong {
        let output = hattrick(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty() && !stderr.is_empty(), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
        // An option with a wrong value is named.
        let option = arguments.iter().rev().nth(1).filter(|option| option.starts_with("--"));
        assert!(option.is_none_or(|option| stderr.contains(option)), "{arguments:?}: {stderr}");
    }
}
