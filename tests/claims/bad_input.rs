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

/// A machine of every kind of table, and with the numbers of the file as formulas.
const MACHINE: &str = r#"format = 1
duration = 0.5
assemble = false
[variables]
reach = 0.5
[[track]]
name = "lift"
keys = [{ t = 0.0, value = [0, 2, 0] }, { t = 0.4, value = [0, "4*reach", 0.1], ease = "slow_in_out" }]
[[track]]
name = "reel"
keys = [{ t = 0.0, value = 1.0 }, { t = 0.3, value = 0.6, ease = "slow_in" }]
[[body]]
name = "upper"
shape = { kind = "capsule", half_height = 0.3, radius = 0.03 }
position = [0, 1.7, 0]
[[body]]
name = "lower"
shape = { kind = "ball", radius = 0.1 }
position = ["2*reach", 1, 0]
[[label]]
name = "tip"
body = "upper"
point = [0, 0.3, 0]
[[joint]]
name = "hand"
kind = "pin"
body = "tip"
to = { track = "lift" }
active = [[0.0, 0.2], [0.3, 0.4]]
[[joint]]
name = "string"
kind = "distance"
bodies = ["upper", "lower"]
points = [[0, -0.3, 0], [0, 0, 0]]
length = { track = "reel" }
[[joint]]
name = "aim"
kind = "orientation"
body = "lower"
axis = [0, 1, 0]
to = [0.1, 1, 0]
[[force]]
name = "band"
kind = "spring"
body = "lower"
to = [2, 2, 0]
stiffness = 20.0
length = 0.3
[[force]]
kind = "drag"
body = "lower"
linear = 0.1
[[control]]
parameter = "reach"
free = true
"#;

/// The machine as it stands has no fault of its own; with one piece of it replaced it has this one, with a line.
#[test]
fn machines_that_cannot_be_are_refused_with_a_line_and_advice() {
    let told = |text: &str| {
        let path = file("machine.toml");
        std::fs::write(&path, text).expect("the temporary folder is writable");
        let output = hattrick(&["simulate", path.to_str().expect("a plain path")]);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let whole = told(MACHINE);
    assert!(whole.is_empty(), "{whole}");
    for (from, to, line, expected) in [
        ("body = \"tip\"", "body = \"tap\"", 27, "no body is called \"tap\""),
        ("body = \"upper\"", "body = \"uper\"", 22, "did you mean \"upper\"?"),
        ("track = \"reel\"", "track = \"real\"", 35, "no track is called \"real\"; did you mean \"reel\"?"),
        (
            "track = \"reel\"",
            "track = \"lift\"",
            35,
            "length needs a track of numbers; the values of \"lift\" are vectors",
        ),
        ("t = 0.3", "t = 0.0", 11, "write times that grow"),
        ("value = 0.6", "value = 0.0", 35, "length follows \"reel\", which has the value 0; write values from 0.001"),
        ("axis = [0, 1, 0]", "axis = [0, 0, 0]", 40, "axis is zero"),
        ("to = [0.1, 1, 0]", "to = [0, -1, 0]", 40, "the two axes point opposite ways at the start"),
        (
            "shape = { kind = \"ball\", radius = 0.1 }",
            "mass = 1\nshape = { kind = \"particle\" }",
            40,
            "is a particle and does not turn",
        ),
        ("bodies = [\"upper\", \"lower\"]", "bodies = [\"upper\", \"tip\"]", 33, "both ends are on \"upper\""),
        ("name = \"aim\"", "name = \"band\"", 43, "the name \"band\" is taken by joint[2]; write another"),
        ("length = 0.3", "lenght = 0.3", 48, "unknown key `lenght`; did you mean `length`?"),
        ("stiffness = 20.0\n", "", 42, "stiffness is missing"),
        ("\"2*reach\"", "\"2*rich\"", 19, "no variable is called \"rich\"; did you mean `reach`?"),
        ("radius = 0.1", "radius = \"reach/5\"", 55, "reach cannot be free: body[1].shape.radius is a formula of it"),
        ("[0.3, 0.4]", "[0.1, 0.4]", 29, "write times apart from each other"),
        ("parameter = \"reach\"", "parameter = \"string.length\"", 54, "it follows the track \"reel\""),
        ("kind = \"distance\"", "kind = \"rope\"", 32, "ropes and limits are not simulated yet"),
        (
            "shape = { kind = \"ball\"",
            "moved = { position = { track = \"lift\" } }\nshape = { kind = \"ball\"",
            20,
            "moved says where the body is: its position follows a track; remove this position",
        ),
    ] {
        assert!(MACHINE.contains(from), "{from} is gone from the machine");
        let message = told(&MACHINE.replacen(from, to, 1));
        let place = format!("machine.toml:{line}:");
        assert!(message.lines().any(|told| told.contains(&place) && told.contains(expected)), "{to}: {message}");
    }
}

#[test]
fn a_machine_with_a_byte_changed_or_an_end_missing_is_answered() {
    for length in (0..MACHINE.len()).step_by(31) {
        simulate(&format!("machine_cut{length}.toml"), &MACHINE.as_bytes()[..length]);
    }
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let mut bytes = MACHINE.as_bytes().to_vec();
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
        simulate(&format!("machine_changed{seed}.toml"), &bytes);
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
