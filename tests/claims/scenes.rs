//! Every scene that ships loads, runs to its end, and has the events written down in `tests/golden/`.
//!
//! Times are printed to 9 digits: a change of the program that moves an impact by a nanosecond shows. After a wanted change
//! `UPDATE_GOLDEN=1 cargo test --release` rewrites the lists.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hattrick::simulation::End;
use hattrick::{Model, Scene, Trajectory, simulate};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn scene_files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("scenes")).expect("the folder of scenes");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a folder entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn open(path: &Path) -> (Scene, Trajectory) {
    let scene = Scene::open(path).unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{}", errors.in_file(&scene.source)));
    let trajectory = simulate(&model, &model.control());
    (scene, trajectory)
}

/// One line for each event.
fn event_list(trajectory: &Trajectory) -> String {
    let mut text = String::new();
    for event in &trajectory.events {
        let name = |body: hattrick::model::BodyId| &trajectory.world().bodies[body.index()].name;
        let impulse: f64 = event.contacts.iter().map(|contact| contact.impulse.norm()).sum();
        let (first, second) = (name(event.first), name(event.second));
        let (kind, points) = (event.kind.as_str(), event.contacts.len());
        let _ = writeln!(text, "{:.9} {kind} {first}/{second}#{} {points} {impulse:.6}", event.t, event.number);
    }
    let _ = writeln!(text, "{:.9} end {}", trajectory.t_end, trajectory.end.as_str());
    text
}

#[test]
fn every_scene_runs_to_its_end() {
    let files = scene_files();
    assert!(files.len() >= 4, "only {} scenes", files.len());
    for path in files {
        let (scene, trajectory) = open(&path);
        assert!(!scene.title.is_empty(), "{}: no title", path.display());
        assert!(scene.source.text().starts_with('#'), "{}: no comment on what to look at", path.display());
        assert_eq!(trajectory.end, End::Horizon, "{}", path.display());
        let is_machine = !scene.joints.is_empty() || !scene.forces.is_empty();
        assert!(is_machine || !trajectory.events.is_empty(), "{}: nothing happens", path.display());
        assert_eq!(trajectory.work.meetings_without_feature, 0, "{}", path.display());
        assert_eq!(trajectory.work.unsolved, 0, "{}: contact problems without an answer", path.display());
    }
}

#[test]
fn events_are_those_written_down() {
    for path in scene_files() {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let golden = root().join("tests/golden").join(stem + ".txt");
        let found = event_list(&open(&path).1);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &found).expect("the folder of lists is writable");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        let differs = expected.lines().zip(found.lines()).position(|(a, b)| a != b);
        let line = differs.unwrap_or(expected.lines().count().min(found.lines().count()));
        assert!(
            expected == found,
            "{}: line {} is\n  {}\ninstead of\n  {}",
            golden.display(),
            line + 1,
            found.lines().nth(line).unwrap_or_default(),
            expected.lines().nth(line).unwrap_or_default()
        );
    }
}

#[test]
fn every_scene_has_its_line_in_the_docs() {
    let list = std::fs::read_to_string(root().join("docs/scenes.md")).expect("the list of scenes");
    for path in scene_files() {
        let name = format!("`scenes/{}`", path.file_name().expect("a name").to_string_lossy());
        assert!(list.contains(&name), "docs/scenes.md does not mention {name}");
    }
}
