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
