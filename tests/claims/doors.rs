//! What comes in: files of any kind, size and shape are read, or refused with advice, in bounded time and memory; what they
//! say does nothing but show; and none reaches out of its folder unless that is allowed.
//!
//! The real program is run on files that once made it hang, fill the memory, overflow its stack, or obey them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::export::Folder;

/// Longer than any of these takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
const HEAD: &str = "format = 1\nduration = 0.1\n";
const BALL: &str = "[[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 0.1 }\n";
/// A tetrahedron.
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// What a run of the program came to.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), content).expect("the temporary folder is writable");
    }

    /// Runs the program here; one that does not end is killed.
    #[track_caller]
    pub fn hattrick(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hattrick"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("TMPDIR", &self.0);
        self.run(command.args(arguments))
    }

    #[track_caller]
    pub fn run(&self, command: &mut Command) -> Run {
        let file = |name: &str| std::fs::File::create(self.0.join(name)).expect("writable");
        let command = command.current_dir(&self.0).stdin(Stdio::null());
        let mut child = command.stdout(file("run.out")).stderr(file("run.err")).spawn().expect("the program starts");
        let start = Instant::now();
        let status = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break Some(status),
                None if start.elapsed() > PATIENCE => {
                    child.kill().and_then(|()| child.wait()).expect("to be killed");
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let text =
            |name: &str| String::from_utf8_lossy(&std::fs::read(self.0.join(name)).expect("it was written")).into();
        let run = Run { code: status.expect("it ends by itself").code(), out: text("run.out"), err: text("run.err") };
        assert!(!run.err.contains("panicked") && !run.err.contains("overflow"), "{}", run.err);
        run
    }

    #[track_caller]
    pub fn refused(&self, arguments: &[&str], why: &str) {
        let run = self.hattrick(arguments);
        assert!(run.code == Some(1) && run.err.contains(why), "{arguments:?}, not because of {why:?}: {run:?}");
    }
}

fn mesh(file: &str) -> String {
    format!("{HEAD}[[body]]\nname = \"m\"\nshape = {{ kind = \"mesh\", file = {file:?} }}\n")
}

/// A tetrahedron whose numbers are in another file.
fn gltf(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
        "buffers":[{{"uri":{buffer:?},"byteLength":60}}]}}"#
    )
}

fn buffer() -> Vec<u8> {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let numbers = corners.iter().flatten().flat_map(|x| x.to_le_bytes());
    numbers.chain([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]).collect()
}

fn journal(scene: &str) -> String {
    format!("{{\"journal\":1,\"scene\":{scene:?}}}\n")
}

/// A pipe that nobody writes into, and a device that never ends.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_wherever_a_file_is_read() {
    let folder = Folder::new("doors-pipes");
    folder.write("ball.toml", format!("{HEAD}{BALL}"));
    let device = concat!("/", "dev/zero");
    for (what, make) in [("a pipe", "pipe"), ("a device", "device")] {
        for name in ["scene.toml", "m.obj", "m.glb", "m.bin", "j.jsonl", "states.csv", "t.events.csv"] {
            let path = folder.0.join(name);
            let _ = std::fs::remove_file(&path);
            if make == "pipe" {
                assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
            } else {
                std::os::unix::fs::symlink(device, &path).expect("a link");
            }
        }
        folder.write("m.gltf", gltf("m.bin"));
        folder.write("of_pipe.jsonl", journal("scene.toml"));
        let why = format!("it is {what}");
        folder.refused(&["simulate", "scene.toml"], &why);
        folder.refused(&["solve", "scene.toml"], &why);
        folder.refused(&["scene.toml"], &why);
        folder.refused(&["replay", "j.jsonl"], &why);
        folder.refused(&["verify", "ball.toml", "states.csv"], &why);
        for file in ["m.obj", "m.glb", "m.gltf"] {
            folder.write("mesh.toml", mesh(file));
            folder.refused(&["simulate", "mesh.toml", "--allow-outside"], &why);
        }
        folder.refused(&["replay", "of_pipe.jsonl", "--allow-outside"], &why);
        let exported = folder.hattrick(&["export", "ball.toml", "u.csv"]);
        assert_eq!(exported.code, Some(0), "{exported:?}");
        std::fs::copy(folder.0.join("u.csv"), folder.0.join("t.csv")).expect("a copy");
        let verified = folder.hattrick(&["verify", "ball.toml", "t.csv"]);
        assert!(verified.code == Some(1) && verified.out.contains("events: missing in the file"), "{verified:?}");
    }
}

#[test]
fn files_without_end_are_refused_by_their_length() {
    let folder = Folder::new("doors-long");
    folder.write("ball.toml", format!("{HEAD}{BALL}"));
    for name in ["long.toml", "long.jsonl", "long.csv", "long.json", "long.obj"] {
        // Nothing but a length: the disk holds none of it.
        let file = std::fs::File::create(folder.0.join(name)).expect("writable");
        file.set_len(300_000_000).expect("a length");
    }
    folder.write("mesh.toml", mesh("long.obj"));
    folder.refused(&["simulate", "long.toml"], "the file is too long");
    folder.refused(&["simulate", "mesh.toml"], "is too long");
    folder.refused(&["replay", "long.jsonl"], "it is longer than 256 MB");
    folder.refused(&["verify", "ball.toml", "long.csv"], "it is longer than 256 MB");
    folder.refused(&["verify", "ball.toml", "long.json"], "it is longer than 256 MB");
}

/// Forty nodes, each twice the child of the one before: a million million ways to the last.
#[test]
fn a_gltf_whose_nodes_share_children_is_refused() {
    let folder = Folder::new("doors-laughs");
    let nodes: String = (1..=40).map(|k| format!("{{\"children\":[{k},{k}]}},")).collect();
    let text = gltf("m.bin").replace("[{\"mesh\":0}]", &format!("[{nodes}{{}}]"));
    folder.write("laughs.gltf", text);
    folder.write("m.bin", buffer());
    folder.write("laughs.toml", mesh("laughs.gltf"));
    folder.refused(&["simulate", "laughs.toml"], "node 40: it is reached twice");
}

#[test]
fn long_chains_in_an_expression_are_refused_and_cost_no_stack() {
    let folder = Folder::new("doors-chains");
    for (sign, one) in
        [("+", "1"), ("-", "1"), ("*", "1"), ("/", "1"), ("+", "height(ball)"), ("+", "-1"), ("+", "(1)")]
    {
        for (count, code) in [(131_000, 1), (1000, 0)] {
            let chain = vec![one; count].join(sign);
            let nail = format!("[[nail]]\nat = 0.1\nexpression = \"{chain} <= 1e9\"\n");
            folder.write("chain.toml", format!("{HEAD}{BALL}{nail}"));
            let run = folder.hattrick(&["solve", "chain.toml", "--iterations", "1"]);
            assert_eq!(run.code, Some(code), "{count} of {one} with {sign}: {}", run.err);
            assert!(code == 0 || run.err.contains("more than 4096 parts"), "{}", run.err);
        }
    }
}

/// The file a name leads to is in the folder above.
#[test]
fn nothing_reads_out_of_its_folder_unless_that_is_allowed() {
    let folder = Folder::new("doors-outside");
    let inner = Folder(folder.0.join("inner"));
    std::fs::create_dir_all(inner.0.join("deep")).expect("folders");
    folder.write("t.obj", OBJ);
    folder.write("t.bin", buffer());
    folder.write("t.toml", format!("{HEAD}{BALL}"));
    inner.write("t.obj", OBJ);
    inner.write("t.bin", buffer());
    inner.write("t.gltf", gltf("../t.bin"));
    inner.write("deep/t.gltf", gltf("../t.bin"));
    inner.write("t.toml", format!("{HEAD}{BALL}"));
    let absolute = |name: &str| folder.0.join(name).to_str().expect("a plain path").to_owned();
    let scene = |name: &str, file: &str| inner.write(name, mesh(file));
    scene("above.toml", "../t.obj");
    scene("absolute.toml", &absolute("t.obj"));
    scene("buffer.toml", "t.gltf");
    scene("nowhere.toml", "../not_there.obj");
    scene("roundabout.toml", "deep/../t.obj");
    scene("buffer_inside.toml", "deep/t.gltf");
    scene("absolute_inside.toml", &absolute("inner/t.obj"));
    inner.write("above.jsonl", journal("../t.toml"));
    inner.write("absolute.jsonl", journal(&absolute("t.toml")));
    inner.write("inside.jsonl", journal("t.toml"));
    let mut outside = vec!["above.toml", "absolute.toml", "buffer.toml", "above.jsonl", "absolute.jsonl"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../t.obj", inner.0.join("link.obj")).expect("a link");
        scene("link.toml", "link.obj");
        outside.push("link.toml");
    }
    for file in outside {
        let command = if file.ends_with(".toml") { "simulate" } else { "replay" };
        inner.refused(&[command, file], "--allow-outside");
        let allowed = inner.hattrick(&[command, file, "--allow-outside"]);
        assert_eq!(allowed.code, Some(0), "{file}: {allowed:?}");
    }
    inner.refused(&["simulate", "nowhere.toml"], "--allow-outside");
    inner.refused(&["simulate", "nowhere.toml", "--allow-outside"], "not_there.obj: No such file");
    for file in ["roundabout.toml", "buffer_inside.toml", "absolute_inside.toml"] {
        let run = inner.hattrick(&["simulate", file]);
        assert_eq!(run.code, Some(0), "{file}: {run:?}");
    }
    // Wherever a scene is opened.
    for command in ["check", "solve", "export", "verify", "render", "jacobian"] {
        let more: &[&str] = match command {
            "export" => &["a.csv"],
            "verify" => &["a.csv"],
            "render" => &["a.png"],
            "jacobian" => &["--at", "0"],
            _ => &[],
        };
        inner.refused(&[&[command, "above.toml"], more].concat(), "--allow-outside");
    }
    inner.refused(&["above.toml"], "--allow-outside");
    inner.refused(&["simulate", "--hash", "above.toml"], "--allow-outside");
    inner.refused(&["replay", "--hash", "above.jsonl"], "--allow-outside");
    assert_eq!(inner.hattrick(&["replay", "inside.jsonl"]).code, Some(0));
}

/// Titles, keys and names with orders for terminals, one of each kind.
#[test]
fn what_a_file_says_gives_a_terminal_no_orders() {
    const EVIL: &str = r"x\u001b]0;pwned\u0007\u001b[2J\u009b31m\r\u202ey";
    let folder = Folder::new("doors-escapes");
    let nail = format!("[[nail]]\nname = \"{EVIL}\"\nbody = \"ball\"\nat = 0.1\nposition = [0, 9, 0]\n");
    let title = format!("title = \"{EVIL}\"\n");
    folder.write("title.toml", format!("{HEAD}{title}{BALL}{nail}"));
    folder.write("key.toml", format!("{HEAD}\"{EVIL}\" = 1\n{BALL}"));
    folder.write("name.toml", format!("{HEAD}{}", BALL.replace("\"ball\"\nshape", &format!("\"{EVIL}\"\nshape"))));
    folder.write("turned.toml", format!("{HEAD}{}", BALL.replace("\"ball\"\nshape", "\"a\\u202eb\"\nshape")));
    folder.write("kind.toml", format!("{HEAD}{}", BALL.replace("kind = \"ball\"", &format!("kind = \"{EVIL}\""))));
    folder.write("mesh.toml", mesh("FILE").replace("FILE", &format!("{EVIL}.obj")));
    folder.write("number.toml", format!("{HEAD}{BALL}mass = \u{1b}[2J\n"));
    folder.write("expression.toml", format!("{HEAD}{BALL}[[nail]]\nat = 0.1\nexpression = \"{EVIL}(1) = 1\"\n"));
    folder.write("evil.jsonl", format!("{{\"journal\":1,\"scene\":\"title.toml\"}}\n{{\"edit\":\"{EVIL}\"}}\n"));
    folder.write("scene.jsonl", format!("{{\"journal\":1,\"scene\":\"{EVIL}\"}}\n"));
    let mut shown = 0;
    for arguments in [
        &["simulate", "title.toml"][..],
        &["solve", "title.toml"],
        &["solve", "title.toml", "--json"],
        &["replay", "evil.jsonl"],
        &["replay", "scene.jsonl"],
        &["title.toml"],
        &["simulate", "key.toml"],
        &["simulate", "name.toml"],
        &["simulate", "turned.toml"],
        &["simulate", "turned.toml", "--json"],
        &["simulate", "kind.toml"],
        &["simulate", "mesh.toml"],
        &["simulate", "number.toml"],
        &["simulate", "expression.toml"],
        &["simulate", "\u{1b}[2J.toml"],
        &["simulate", "title.toml", "--at", "\u{1b}[2J"],
    ] {
        let run = folder.hattrick(arguments);
        let said = run.out + &run.err;
        let order = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}';
        let found: Vec<char> = said.chars().filter(|letter| order(*letter)).collect();
        assert!(found.is_empty(), "{arguments:?}: {found:?} in {said:?}");
        shown += usize::from(said.contains(r"\u001b") || said.contains(r"\u{1b}") || said.contains(r"\u202e"));
    }
    assert!(shown >= 12, "what they say is shown all the same: {shown}");
}

#[test]
fn a_motion_that_stopped_has_no_states_after_that() {
    let folder = Folder::new("doors-stopped");
    let floor = "[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
    let head = "format = 1\nduration = 5.0\nmax_events = 2\n";
    folder.write("stops.toml", format!("{head}{floor}{BALL}position = [0, 1, 0]\nrestitution = 1.0\n"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.hattrick(&["simulate", "stops.toml", "--json"]).out).expect("JSON");
    let stopped = json["states"][0]["t"].as_f64().expect("a time");
    assert!(json["end"] == "event_limit" && stopped < 2.0, "{json}");
    let told = folder.hattrick(&["simulate", "stops.toml"]);
    assert!(told.out.contains(&format!("\nStates at {stopped} s\n")), "{}", told.out);
    for command in [&["simulate", "stops.toml", "--at", "1.9"][..], &["jacobian", "stops.toml", "--at", "1.9"]] {
        let run = folder.hattrick(command);
        let advice = format!("--at 1.9 is not reached: the motion stopped at {stopped:.6} s");
        assert!(run.code == Some(2) && run.err.contains(&advice), "{run:?}");
    }
    assert_eq!(folder.hattrick(&["simulate", "stops.toml", "--at", "0.1"]).code, Some(0));
}

#[test]
fn a_mistyped_command_is_no_file() {
    let folder = Folder::new("doors-mistyped");
    folder.write("ball.toml", format!("{HEAD}{BALL}"));
    for (line, meant) in [("simulat ball.toml", "simulate"), ("rendr", "render"), ("exprot ball.toml a.csv", "export")]
    {
        let run = folder.hattrick(&line.split(' ').collect::<Vec<_>>());
        assert!(run.code == Some(2) && run.err.contains(&format!("did you mean `hattrick {meant}`?")), "{run:?}");
    }
    // A file of such a name is a file.
    folder.write("rendr", format!("{HEAD}{BALL}"));
    assert_eq!(folder.hattrick(&["rendr"]).code, Some(0));
    assert!(Path::new(&folder.0).join("hattrick").is_dir(), "its picture is somewhere");
}
