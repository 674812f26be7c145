//! What goes out: a file that is written is there whole or not at all, under the name that was asked for, through links, with
//! the rights it had; nothing else on the disk is touched; and what it holds is what was simulated.

use std::path::Path;
use std::process::Command;

use hattrick::geometry::Surface;
use hattrick::math::Vec3;
use hattrick::{Model, Scene, simulate};

use super::export::Folder;

const SCENE: &str = "format = 1\nduration = 0.3\n[[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 0.1 }\n\
    [[nail]]\nbody = \"ball\"\nat = 0.2\nposition = { x = 0.1 }\n";

/// Every way to write a file: the arguments, and the name of the file.
const WAYS: [(&[&str], &str); 6] = [
    (&["solve", "scene.toml", "--out", "out.toml"], "out.toml"),
    (&["replay", "journal.jsonl", "--out", "out.toml"], "out.toml"),
    (&["export", "scene.toml", "out.json"], "out.json"),
    (&["export", "scene.toml", "out.csv"], "out.csv"),
    (&["export", "scene.toml", "out.gif"], "out.gif"),
    (&["render", "scene.toml", "out.png", "--size", "64x64"], "out.png"),
];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("scene.toml", SCENE);
    folder.write(
        "journal.jsonl",
        "{\"journal\":1,\"scene\":\"scene.toml\"}\n{\"edit\":\"solve\",\"iterations\":20,\"seed\":1}\n",
    );
    folder
}

/// Names of files of ours that are not finished.
fn unfinished(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    entries.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.starts_with(".hattrick-")).collect()
}

#[cfg(unix)]
#[test]
fn outputs_go_through_links_and_keep_the_rights_of_the_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("outputs-links");
    std::fs::create_dir(folder.0.join("elsewhere")).expect("a folder");
    for (arguments, name) in WAYS {
        let (link, real) = (folder.0.join(name), folder.0.join("elsewhere").join(name));
        std::fs::write(&real, "old").expect("writable");
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).expect("rights");
        let _ = std::fs::remove_file(&link);
        symlink(Path::new("elsewhere").join(name), folder.0.join("further")).expect("a link");
        symlink("further", &link).expect("a link to a link");
        let run = folder.hattrick(arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
        assert!(link.is_symlink() && folder.0.join("further").is_symlink(), "{arguments:?}");
        assert!(std::fs::read(&real).expect("the file").len() > 100, "{arguments:?}");
        let mode = std::fs::metadata(&real).expect("the file").permissions().mode() & 0o7777;
        assert_eq!(mode, 0o640, "{arguments:?}: {mode:o}");
        std::fs::remove_file(folder.0.join("further")).expect("the link");
    }
    assert_eq!(unfinished(&folder.0), Vec::<String>::new());
    // A link to what is not there yet makes it.
    symlink("new.toml", folder.0.join("to_new.toml")).expect("a link");
    assert_eq!(folder.hattrick(&["solve", "scene.toml", "--out", "to_new.toml"]).code, Some(0));
    assert!(folder.0.join("new.toml").is_file() && folder.0.join("to_new.toml").is_symlink());
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = folder("outputs-others");
    for (arguments, name) in WAYS {
        let path = folder.0.join(name);
        let _ = std::fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let run = folder.hattrick(arguments);
        assert!(run.code == Some(1) && run.err.contains("it is a pipe, not a file"), "{arguments:?}: {run:?}");
        assert!(std::fs::symlink_metadata(&path).expect("a pipe").file_type().is_fifo(), "{arguments:?}");
        std::fs::remove_file(&path).expect("the pipe");
        symlink(concat!("/", "dev/null"), &path).expect("a link");
        let run = folder.hattrick(arguments);
        assert!(run.code == Some(1) && run.err.contains("it is a device, not a file"), "{arguments:?}: {run:?}");
        std::fs::remove_file(&path).expect("the link");
        symlink(name, &path).expect("a link to itself");
        let run = folder.hattrick(arguments);
        assert!(run.code == Some(1) && run.err.contains("its links go in a circle"), "{arguments:?}: {run:?}");
        std::fs::remove_file(&path).expect("the link");
    }
    assert_eq!(unfinished(&folder.0), Vec::<String>::new());
}

/// Where there is no display pictures go among the temporary files, where everybody may put links.
#[cfg(unix)]
#[test]
fn pictures_without_a_display_go_through_no_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("outputs-private");
    let victim = folder.0.join("victim");
    let drawn_in = |temporary: &str| {
        std::fs::write(&victim, "precious").expect("writable");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hattrick"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("TMPDIR", folder.0.join(temporary));
        let run = folder.run(command.arg("scene.toml"));
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(std::fs::read_to_string(&victim).expect("the victim"), "precious");
        let path = run.out.lines().find_map(|line| line.split(" is drawn in ").nth(1)).expect("where it is");
        assert!(std::fs::read(path).expect("a picture").starts_with(b"\x89PNG"));
        let private = Path::new(path).parent().expect("a folder").to_owned();
        let mode = std::fs::symlink_metadata(&private).expect("a folder").permissions().mode() & 0o7777;
        assert_eq!(mode, 0o700, "{}: {mode:o}", private.display());
        private
    };
    let make = |name: &str| std::fs::create_dir_all(folder.0.join(name)).expect("a folder");
    make("clean");
    assert_eq!(drawn_in("clean"), folder.0.join("clean/hattrick"));
    assert_eq!(drawn_in("clean"), folder.0.join("clean/hattrick"), "the same place again");
    // A folder that others may write into, with a link in it; and a link in the place of the folder.
    make("planted/hattrick");
    symlink(&victim, folder.0.join("planted/hattrick/scene.png")).expect("a link");
    assert_ne!(drawn_in("planted"), folder.0.join("planted/hattrick"));
    make("linked");
    make("trap");
    symlink(folder.0.join("trap"), folder.0.join("linked/hattrick")).expect("a link");
    symlink(&victim, folder.0.join("trap/scene.png")).expect("a link");
    assert_ne!(drawn_in("linked"), folder.0.join("linked/hattrick"));
}

#[test]
fn what_killed_programs_left_half_written_is_removed() {
    let folder = folder("outputs-leftovers");
    let held = std::fs::File::create(folder.0.join(".hattrick-1-7.toml")).expect("writable");
    held.lock().expect("a lock, as a program has that still writes");
    for name in
        [".hattrick-1-0.toml", ".hattrick-99-12", ".hattrick-notes.toml", ".hattrick-1-x.toml", "hattrick-1-0.toml"]
    {
        folder.write(name, "half");
    }
    std::fs::create_dir(folder.0.join(".hattrick-2-0.parts")).expect("a folder");
    folder.write(".hattrick-2-0.parts/lock", "");
    folder.write(".hattrick-2-0.parts/0", "half");
    std::fs::create_dir(folder.0.join(".hattrick-3-0.parts"))
        .expect("a folder, as of a program killed before its lock");
    let run = folder.hattrick(&["solve", "scene.toml", "--out", "out.toml"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let mut left = unfinished(&folder.0);
    left.sort();
    assert_eq!(left, [".hattrick-1-7.toml", ".hattrick-1-x.toml", ".hattrick-notes.toml"]);
    assert!(folder.0.join("hattrick-1-0.toml").is_file());
    drop(held);
    assert_eq!(folder.hattrick(&["export", "scene.toml", "out.csv"]).code, Some(0));
    assert!(!folder.0.join(".hattrick-1-7.toml").exists());
}

/// Names that a spreadsheet would compute; numbers stay numbers, and the table reads back.
#[test]
fn no_cell_of_a_table_is_a_formula() {
    const NAMES: [&str; 8] = ["=1+1", "@SUM(1)", "-2+3", "+1", "a,b", "=cmd|calc", "-1", "plain"];
    let folder = Folder::new("outputs-formulas");
    let ball = |(k, name): (usize, &&str)| {
        format!("[[body]]\nname = {name:?}\nshape = {{ kind = \"ball\", radius = 0.1 }}\nposition = [{k}, 0.11, 0]\n")
    };
    let floor = "[[body]]\nname = \"=floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\n";
    let balls: String = NAMES.iter().enumerate().map(ball).collect();
    folder.write("scene.toml", format!("format = 1\nduration = 0.2\n{floor}{balls}"));
    assert_eq!(folder.hattrick(&["export", "scene.toml", "t.csv"]).code, Some(0));
    for (file, numbers) in [("t.csv", 13), ("t.events.csv", 10)] {
        let text = std::fs::read_to_string(folder.0.join(file)).expect("a table");
        let mut found = 0;
        for cell in text.lines().skip(1).flat_map(|line| line.split(',')) {
            let is_number = cell.parse::<f64>().is_ok();
            found += usize::from(is_number);
            assert!(is_number || !cell.trim_start_matches('"').starts_with(['=', '+', '-', '@']), "{file}: {cell}");
        }
        assert!(found >= numbers * 8, "{file}: {found} numbers");
    }
    let run = folder.hattrick(&["verify", "scene.toml", "t.csv"]);
    assert!(run.code == Some(0) && run.out.contains("9 bodies"), "{run:?}");
}

/// A table with rows taken out says less than the motion, though what is left lies on it.
#[test]
fn a_table_without_some_of_its_rows_or_events_does_not_pass() {
    let folder = Folder::new("outputs-rows");
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/tumble.toml");
    let verify = |file: &str| folder.hattrick(&["verify", scene, file]);
    for (name, fps) in [("whole", "60"), ("slow", "24"), ("odd", "59.94")] {
        for ending in ["csv", "json"] {
            let file = format!("{name}.{ending}");
            assert_eq!(folder.hattrick(&["export", scene, &file, "--fps", fps]).code, Some(0));
            let run = verify(&file);
            assert!(run.code == Some(0), "{file}: {run:?}");
        }
    }
    let table = std::fs::read_to_string(folder.0.join("whole.csv")).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    let without = |gone: &dyn Fn(usize, &str) -> bool| {
        let kept = lines.iter().enumerate().filter(|(k, line)| *k == 0 || !gone(*k, line));
        kept.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    std::fs::copy(folder.0.join("whole.events.csv"), folder.0.join("cut.events.csv")).expect("a copy");
    let fifth = lines.len() / 5;
    for (what, text) in [
        ("one row", without(&|k, _| k == fifth)),
        ("the last row", without(&|k, _| k == lines.len() - 1)),
        ("every third row", without(&|k, _| k % 3 == 0)),
        ("frames", without(&|_, line| line.contains(",frame,book"))),
        ("second half", without(&|k, _| k > lines.len() / 2)),
        ("one side of the instants", without(&|_, line| line.contains(",before,"))),
    ] {
        assert!(text.len() < table.len(), "{what}: nothing was taken out");
        folder.write("cut.csv", text);
        let run = verify("cut.csv");
        assert!(run.code == Some(1) && run.out.contains("NOT") && run.out.contains("rows"), "{what}: {run:?}");
    }
    let mut json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.0.join("whole.json")).expect("a file")).expect("JSON");
    json["states"].as_array_mut().expect("states").remove(30);
    folder.write("cut.json", json.to_string());
    let run = verify("cut.json");
    assert!(run.code == Some(1) && run.out.contains("rows"), "{run:?}");
    std::fs::remove_file(folder.0.join("whole.events.csv")).expect("the events");
    let run = verify("whole.csv");
    assert!(run.code == Some(1) && run.out.contains("events: missing in the file"), "{run:?}");
}

/// An egg with flat sides is shown with them: its corners never reach into the floor it rolls on.
#[test]
fn what_is_shown_of_an_egg_with_segments_is_what_collides() {
    let scene = "format = 1\nduration = 2.0\n[[body]]\nname = \"floor\"\nfixed = true\n\
        shape = { kind = \"half_space\", normal = [0, 1, 0] }\n[[body]]\nname = \"e\"\n\
        shape = { kind = \"egg\", radius = 0.08, tip = 0.1, base = 0.07, segments = 4 }\n\
        position = [0, 0.3, 0]\nrotation = [1.2, 0, 0.3]\n";
    let model = Model::new(&Scene::parse(scene, "egg.toml").expect("a scene")).expect("a model");
    let trajectory = simulate(&model, &model.control());
    let egg = model.body("e").expect("the egg");
    let surface = Surface::new(&trajectory.world().bodies[egg.index()].shape).expect("a surface");
    let mut lowest = f64::INFINITY;
    for k in 0..=400 {
        let state = trajectory.body_at(egg, f64::from(k) / 200.0);
        let heights = surface.positions.iter().map(|p| (state.position + state.rotation * Vec3::from(*p)).y);
        lowest = heights.fold(lowest, f64::min);
    }
    assert!(lowest > -1e-6, "{lowest} m into the floor");
    assert!(lowest < 1e-6, "it touches the floor");
}
