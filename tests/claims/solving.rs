//! `hattrick solve` and `hattrick replay` as a person meets them: what is printed, what is written, and the exit code.
//!
//! Exit code 0 means that every nail holds and everything asked for was written, 1 that something is not so, with one sentence about
//! it on standard error that says what and where; 2 is wrong usage. What was found is printed even where it cannot be saved. Nothing but faults goes to standard error where
//! that is not a terminal.

use std::path::{Path, PathBuf};
use std::process::Command;

use hattrick::scene::Scene;
use hattrick::session::Session;
use serde_json::Value;

const SCENE: &str = "format = 1\nduration = 1.5\n\
    [[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\nrestitution = 0.8\nfriction = 0.3\n\
    [[body]]\nname = \"box\"\nshape = { kind = \"cuboid\", half_extents = [0.2, 0.12, 0.08] }\nposition = [0, 0.8, 0]\n\
    rotation = [0.3, 0.5, 0.2]\nvelocity = [0.5, 0.2, -0.5]\nspin = [1, 2, 0.5]\nrestitution = 0.8\nfriction = 0.3\n";
const REACHABLE: &str = "[[nail]]\nname = \"here\"\nbody = \"box\"\nat = 0.3\nposition = [1.0, 0.7, 0.3]\n";
const THROW_LOCKED: &str = "[[control]]\nparameter = \"box.velocity\"\nfree = false\n[[control]]\nparameter = \"box.spin\"\nfree = false\n\
    [[control]]\nparameter = \"box.rotation\"\nfree = false\n";

/// A folder of its own for each test.
struct Folder(PathBuf);

/// What a run said, and how it ended.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solving-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("the temporary folder is writable");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hattrick"));
        let output = command.args(arguments).current_dir(&self.0).output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let run = Run { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        assert!(!run.err.contains("panicked") && !run.err.contains('\r'), "{arguments:?}: {}", run.err);
        run
    }

    /// Solves the scene with more text behind it.
    #[track_caller]
    fn solve(&self, more: &str, arguments: &[&str]) -> Run {
        self.write("scene.toml", &format!("{SCENE}{more}"));
        self.run(&[&["solve", "scene.toml"], arguments].concat())
    }

    /// Replays these lines.
    #[track_caller]
    fn replay(&self, lines: &[&str], arguments: &[&str]) -> Run {
        self.write("scene.toml", SCENE);
        self.write("journal.jsonl", &format!("{{\"journal\":1,\"scene\":\"scene.toml\"}}\n{}\n", lines.join("\n")));
        self.run(&[&["replay", "journal.jsonl"], arguments].concat())
    }
}

#[test]
fn solve_tells_what_it_changed_and_saves_it() {
    let folder = Folder::new("tells");
    let bounds = "[[control]]\nparameter = \"box.velocity.x\"\nbounds = [-4, 5]\n";
    let run = folder.solve(&format!("{REACHABLE}{bounds}"), &["--out", "solved.toml"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    for expected in ["Met after", "here: met to", "0.500000 →       3.333333   rest 0.500000, within -4 to 5\n"] {
        assert!(run.out.contains(expected), "{expected} is not in {}", run.out);
    }
    let saved = Scene::parse(&folder.read("solved.toml"), "solved.toml").unwrap_or_else(|error| panic!("{error}"));
    let session = Session::new(saved).unwrap_or_else(|error| panic!("{error}"));
    assert!(session.nail_reports()[0].is_met(), "{}", session.nail_reports()[0]);
}

#[test]
fn the_json_of_a_solve_reads_back_and_a_seed_is_a_seed() {
    let folder = Folder::new("json");
    let bucket = "[[body]]\nname = \"ball\"\nfixed = true\nshape = { kind = \"ball\", radius = 0.2 }\nposition = [1.5, 0.3, 0]\n\
        [[nail]]\nbody = \"box\"\nat = { impact = \"box/ball#1\" }\nvelocity = { x = -0.5 }\n";
    let run = |seed: &str| folder.solve(bucket, &["--json", "--seed", seed]);
    let (one, again) = (run("1"), run("1"));
    assert_eq!(one.out, again.out, "the same seed is the same answer");
    let answer: Value = serde_json::from_str(&one.out).unwrap_or_else(|error| panic!("{error}: {}", one.out));
    for key in ["verdict", "says", "iterations", "simulations", "jumps", "nails", "changes", "tilts"] {
        assert!(!answer[key].is_null(), "{key} is missing in {answer}");
    }
    let line = &answer["changes"][0];
    assert!(line["before"].is_f64() && line["after"].is_f64() && line["rest"].is_f64(), "{line}");
    assert_eq!(line["bounds"], serde_json::json!([null, null]));
    assert_eq!((one.code, answer["nails"][0]["unit"].as_str()), (Some(0), Some("m/s")), "{answer}");
}

/// What slides on a floor is met at the top of another body's flight like what flies: its own way goes on while that top
/// comes later.
#[test]
fn a_held_body_is_met_at_the_apex_of_another() {
    let folder = Folder::new("apex");
    let lock = |body: &str| {
        let one = |field| format!("[[control]]\nparameter = \"{body}.{field}\"\nfree = false\n");
        ["position", "rotation", "velocity", "spin"].map(one).concat()
    };
    let text = format!(
        "format = 1\nduration = 1.5\n\
         [[body]]\nname = \"floor\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = [0, 1, 0] }}\nfriction = 0.1\n\
         [[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nposition = [0, 1, 2]\nvelocity = [0, 3, 0]\n\
         [[body]]\nname = \"box\"\nshape = {{ kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1] }}\n\
         position = [0, 0.1, 0]\nvelocity = [2, 0, 0]\nfriction = 0.1\n{}{}\
         [[control]]\nparameter = \"ball.velocity.y\"\nfree = true\n\
         [[nail]]\nbody = \"box\"\nat = {{ apex = \"ball\" }}\nposition = {{ x = 0.7 }}\n",
        lock("box"),
        lock("ball")
    );
    folder.write("apex.toml", &text);
    let run = folder.run(&["solve", "apex.toml", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out));
    let iterations = answer["iterations"].as_u64();
    assert!(iterations.is_some_and(|count| count <= 8), "a derivative that is right needs few steps: {iterations:?}");
}

/// Impossible wishes end with a sentence each, the best motion so far, and code 1.
#[test]
fn what_cannot_be_met_is_said_with_its_amount() {
    let folder = Folder::new("cannot");
    let nail = |text: &str| format!("[[nail]]\nname = \"wish\"\n{text}\n");
    let cases = [
        (nail("body = \"box\"\nat = 0.9\nposition = [0.2, -1.0, -0.3]"), "wish: short by 1.", "not met:"),
        (
            nail("body = \"box\"\nat = { impact = \"box/floor#90\" }\nposition = { x = 1 }"),
            "floor#90 does not occur",
            "not met:",
        ),
        (
            // It comes to rest, which the first throw does not.
            nail("body = \"box\"\nat = { rest = \"box\" }\nposition = { x = 100 }"),
            "wish: short by ",
            "not met:",
        ),
        (nail("expression = \"speed(box) <= -1\""), "wish: short by 1.", "m/s"),
        (nail("expression = \"0/0 <= 1\""), "wish: it has no finite value at 1.5 s", "not met:"),
        (format!("{REACHABLE}{THROW_LOCKED}"), "here: short by 0.850000 m", "no free parameter has any influence"),
        (
            format!("{REACHABLE}[[nail]]\nname = \"there\"\nbody = \"box\"\nat = 0.3\nposition = {{ x = 1.2 }}\n"),
            "here: short by 0.100000 m, against there",
            "2 nails are not met",
        ),
    ];
    for (more, found, why) in cases {
        let run = folder.solve(&more, &["--out", "best.toml"]);
        assert_eq!(run.code, Some(1), "{more}: {}", run.out);
        assert!(run.out.contains(found), "{more}: {found} is not in {}", run.out);
        assert!(run.err.contains(why) || run.out.contains(why), "{more}: {why} is not in {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        Scene::parse(&folder.read("best.toml"), "best.toml").unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Impacts are freed all at once, and the tilts that were used are told in degrees.
#[test]
fn normals_of_all_impacts_can_be_freed_and_are_told_as_tilts() {
    let folder = Folder::new("tilts");
    let session =
        Session::new(Scene::parse(SCENE, "scene.toml").expect("valid")).unwrap_or_else(|error| panic!("{error}"));
    let place = session.trajectory().body_at(session.model().body("box").expect("a body"), 0.6).position;
    let free = format!(
        "[[nail]]\nbody = \"box\"\nat = 0.6\nposition = [{:?}, {:?}, {:?}]\n\
         [[control]]\nparameter = \"box/floor#*.normal\"\nfree = true\nbounds = [-0.5, 0.5]\n\
         [[control]]\nparameter = \"box/floor#*.restitution\"\nfree = true\n",
        place.x + 0.01,
        place.y + 0.005,
        place.z - 0.01
    );
    let run = folder.solve(&format!("{free}{THROW_LOCKED}"), &["--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out));
    let entry = |name: &str| {
        let lines = answer["changes"].as_array().expect("a list");
        lines
            .iter()
            .find(|line| line["parameter"] == name)
            .map_or(0.0, |line| line["after"].as_f64().expect("a number"))
    };
    let (a, b) = (entry("box/floor#1.normal.1"), entry("box/floor#1.normal.2"));
    let tilt = &answer["tilts"][0];
    assert_eq!((run.code, &tilt["of"]), (Some(0), &Value::from("box/floor#1")), "{answer}");
    let degrees = tilt["degrees"].as_f64().expect("a number");
    assert!((degrees - a.hypot(b).atan().to_degrees()).abs() < 1e-12 && degrees > 0.01, "{tilt}");
}

#[test]
fn what_was_found_is_told_even_where_it_cannot_be_saved() {
    let folder = Folder::new("unwritable");
    let run = folder.solve(REACHABLE, &["--out", "no such folder/solved.toml"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("here: met to") && run.out.contains("3.333333"), "{}", run.out);
    assert!(run.err.starts_with("cannot write no such folder/solved.toml: "), "{}", run.err);
    let edits = [r#"{"edit":"set","parameter":"box.velocity.x","value":2.5}"#];
    let run = folder.replay(&edits, &["--out", "no such folder/solved.toml"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("2.500000"), "{}", run.out);
    assert!(run.err.starts_with("cannot write no such folder/solved.toml: "), "{}", run.err);
    let run = folder.replay(&edits, &["--render", "scene.toml/pictures"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("scene.toml/pictures: cannot make this folder"), "{}", run.err);
}

#[test]
fn a_replay_tells_each_edit_and_writes_scene_and_pictures() {
    let folder = Folder::new("replay");
    let edits = [
        r#"{"edit":"lock","parameter":"box.spin"}"#,
        r#"{"edit":"grab","body":"box","at":0.3}"#,
        r#"{"edit":"move","target":[1.0,0.7,0.3],"iterations":20}"#,
        r#"{"edit":"release"}"#,
        r#"{"edit":"undo"}"#,
        r#"{"edit":"redo"}"#,
        r#"{"edit":"nail","nail":{"name":"here","body":"box","at":0.3,"position":[1.0,0.7,0.3]}}"#,
    ];
    let run = folder.replay(&edits, &["--out", "out.toml", "--render", "pictures", "--size", "64x40"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    for expected in ["  1  lock box.spin\n", "  3  move to [1.000, 0.700, 0.300]: met after ", "  6  redo\n"] {
        assert!(run.out.contains(expected), "{expected} is not in {}", run.out);
    }
    for picture in ["before", "middle", "after"] {
        let bytes = std::fs::read(folder.0.join(format!("pictures/{picture}.png"))).expect(picture);
        assert!(bytes.starts_with(b"\x89PNG"), "{picture}");
    }
    assert!(folder.read("out.toml").contains("[[nail]]"));
    // A nail that does not hold is told by the exit code, in words and in JSON alike.
    let missed = [r#"{"edit":"nail","nail":{"body":"box","at":0.3,"position":[1,0.7,0.3]}}"#];
    for arguments in [&[][..], &["--json"]] {
        let run = folder.replay(&missed, arguments);
        assert_eq!((run.code, run.err.as_str()), (Some(1), "not every nail is met\n"), "{}", run.out);
    }
}

/// Faults of a journal are told with their line; what was replayed before them was told already.
#[test]
fn a_broken_journal_is_refused_with_its_line() {
    let folder = Folder::new("broken");
    let good = r#"{"edit":"lock","parameter":"box.spin"}"#;
    let broken = [
        ("hello", "this is no edit: "),
        (r#"{"edit":"fly"}"#, "this is no edit: unknown variant `fly`"),
        (r#"{"edit":"lock","parameter":"box.spin""#, "this is no edit: EOF"),
        (r#"{"edit":"lock","parameter":"box.spin","why":1}"#, "this is no edit: unknown field `why`"),
        (r#"{"edit":"move","target":[1e999,0,0],"iterations":1}"#, "this is no edit: number out of range"),
        (r#"{"edit":"solve","iterations":-1}"#, "this is no edit: invalid value"),
    ];
    for (line, why) in broken {
        let run = folder.replay(&[good, "", line, good], &[]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{line}");
        assert!(run.err.starts_with(&format!("journal.jsonl:4: {why}")), "{line}: {}", run.err);
    }
    let refused = [
        (r#"{"edit":"lock","parameter":"box.spun"}"#, "did you mean `box.spin`?"),
        (r#"{"edit":"undo"}"#, "there is nothing to undo"),
        (r#"{"edit":"redo"}"#, "there is nothing to redo"),
        (r#"{"edit":"release"}"#, "nothing is grabbed; grab a body first"),
        (r#"{"edit":"nail","index":7}"#, "there is no nail 7; there are 0, counted from 0"),
        (
            r#"{"edit":"nail","nail":{"body":"box","at":-1,"position":[0,0,0]}}"#,
            "at is -1; write a number from 0 to 100000",
        ),
        (r#"{"edit":"nail","nail":{"body":"box","at":{"apex":"box","n":0},"spin":[0,0,0]}}"#, "n is 0; write a number"),
        (r#"{"edit":"nail","nail":{"body":"box","at":0.3,"position":{}}}"#, "position has no component"),
        (r#"{"edit":"set","parameter":"box.velocity","value":1}"#, "is a group of box.velocity.x, "),
        (r#"{"edit":"free","parameter":"box.velocity.x","bounds":[2,3]}"#, "write bounds that include it"),
        (r#"{"edit":"free","parameter":"box.velocity.x","weight":-1}"#, "write a number above 0"),
        (r#"{"edit":"text","text":"format = 2"}"#, "write `format = 1`"),
    ];
    for (line, why) in refused {
        // The first undo takes the lock back, the second has nothing left.
        let before = if why.contains("undo") { r#"{"edit":"undo"}"# } else { "" };
        let run = folder.replay(&[good, before, line], &[]);
        let told = format!("journal.jsonl:4: edit {}: ", 2 + usize::from(!before.is_empty()));
        assert_eq!(run.code, Some(1), "{line}");
        assert!(run.out.starts_with("  1  lock box.spin\n"), "{line}: {}", run.out);
        assert!(run.err.starts_with(&told) && run.err.contains(why), "{line}: {}", run.err);
    }
    for (name, text, why) in [
        ("empty.jsonl", "", "empty.jsonl:1: this is no journal; "),
        ("next.jsonl", "{\"journal\":2,\"scene\":\"scene.toml\"}\n", "next.jsonl:1: this is no journal; "),
        ("lost.jsonl", "{\"journal\":1,\"scene\":\"lost.toml\"}\n", "lost.toml: cannot read the file"),
    ] {
        folder.write(name, text);
        let run = folder.run(&["replay", name]);
        assert_eq!((run.code, run.err.contains(why)), (Some(1), true), "{name}: {}", run.err);
    }
    let run = folder.run(&["replay", "nowhere.jsonl"]);
    assert!(run.code == Some(1) && run.err.starts_with("nowhere.jsonl: cannot read the file"), "{}", run.err);
    for usage in
        [&["solve"][..], &["solve", "scene.toml", "--seed", "x"], &["replay"], &["replay", "a.jsonl", "--render"]]
    {
        assert_eq!(folder.run(usage).code, Some(2), "{usage:?}");
    }
}
