//! How long every shipped scene takes, beside rapier3d-f64 stepping the same bodies at 1/240 s; and how long a mesh loads.
//!
//! Both programs are measured in turn within one run, and the ratio is printed, since machines differ.

#![allow(clippy::disallowed_methods, reason = "scenes may be laid out with the platform's functions")]

mod beside_rapier;

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use hattrick::{Model, Scene, simulate};

use beside_rapier::{median, rapier_seconds, seconds};

/// Each program is run this often, in turn; the median counts.
const ROUNDS: usize = 5;
/// Triangles of the mesh that is loaded.
const AROUND: usize = 250;
const RINGS: usize = 100;

fn main() {
    println!("scene          bodies  pieces   ours [ms]  rapier [ms]  ours/rapier  events");
    for path in scene_files() {
        let scene = Scene::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
        let u = model.control();
        let trajectory = simulate(&model, &u);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(seconds(|| drop(simulate(black_box(&model), black_box(&u)))));
            theirs.push(rapier_seconds(trajectory.world(), scene.duration));
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let bodies = &trajectory.world().bodies;
        let pieces: usize = bodies.iter().map(|body| body.solid.piece_count()).sum();
        println!(
            "{:12} {:8} {pieces:7} {:11.3} {:12.3} {:12.3} {:7}",
            path.file_stem().unwrap_or_default().to_string_lossy(),
            bodies.len(),
            ours * 1e3,
            theirs * 1e3,
            ours / theirs,
            trajectory.events.len(),
        );
    }
    load_mesh();
}

fn scene_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// A bowl with a thick wall, as triangles.
fn load_mesh() {
    let mut obj = String::new();
    // Up the outside of a half sphere and down the inside.
    let profile = (0..RINGS).map(|k| {
        let (side, part) = (k < RINGS / 2, (k % (RINGS / 2)) as f64 / (RINGS / 2 - 1) as f64);
        let angle = std::f64::consts::FRAC_PI_2 * if side { part } else { 1.0 - part };
        let radius = if side { 0.1 } else { 0.09 };
        (radius * angle.sin(), -radius * angle.cos())
    });
    for (r, y) in profile {
        for k in 0..AROUND {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sin_cos();
            let _ = writeln!(obj, "v {} {y} {}", r * sin, r * cos);
        }
    }
    let corner = |ring: usize, k: usize| ring * AROUND + k % AROUND + 1;
    for ring in 0..RINGS - 1 {
        for k in 0..AROUND {
            let [a, b] = [corner(ring, k), corner(ring, k + 1)];
            let [c, d] = [corner(ring + 1, k + 1), corner(ring + 1, k)];
            let _ = writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}");
        }
    }
    let folder = std::env::temp_dir().join(format!("hattrick-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a moment");
    std::fs::write(folder.join("bowl.obj"), obj).expect("it is writable");
    let text =
        "format = 1\nduration = 1.0\n[[body]]\nname = \"bowl\"\nshape = { kind = \"mesh\", file = \"bowl.obj\" }\n";
    std::fs::write(folder.join("bowl.toml"), text).expect("it is writable");
    let mut notes = Vec::new();
    let time = seconds(|| notes = Scene::open(folder.join("bowl.toml")).unwrap_or_else(|e| panic!("{e}")).notes);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    println!("\nmesh of {} triangles: {time:.3} s; {}", 2 * AROUND * (RINGS - 1), notes.join("; "));
}
