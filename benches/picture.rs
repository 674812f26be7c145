//! How long pictures of the shipped scenes take, beside their simulation, all in one run and on one thread.
//!
//! `cargo bench --bench picture`: the least of three runs each, in milliseconds.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use hattrick::picture::{Studio, View};
use hattrick::{Model, Scene, simulate};

const RUNS: usize = 3;

fn main() {
    // `cargo test --benches` only wants to know that it builds and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(|| {
        println!("{:<12} {:>10} {:>12} {:>12} {:>8}", "scene", "simulate", "1600x1000", "640x400 at t", "PNG");
        for path in scenes() {
            measure(&path);
        }
    });
}

fn scenes() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files
}

fn measure(path: &Path) {
    let scene = Scene::open(path).expect("a valid scene");
    let model = Model::new(&scene).expect("a valid model");
    let u = model.control();
    let simulated = least(|| simulate(&model, &u));
    let trajectory = simulate(&model, &u);
    let large = View { title: scene.title.clone(), ..View::default() };
    let whole = least(|| Studio::new(&trajectory, &large).expect("a size that can be drawn").whole());
    let small = View { width: 640, height: 400, ..large.clone() };
    let studio = Studio::new(&trajectory, &small).expect("a size that can be drawn");
    let frame = least(|| studio.at(scene.duration / 2.0));
    let image = Studio::new(&trajectory, &large).expect("a size that can be drawn").whole();
    let png = least(|| image.png().expect("an encoder that works"));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    println!("{name:<12} {simulated:>10.2} {whole:>12.1} {frame:>12.1} {png:>8.1}");
}

/// The least of several runs, ms.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
}
