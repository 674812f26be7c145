//! What exports cost and how near they come: time and size for each scene and format, films included, deviation for each format
//! and frame rate, over all shipped scenes. The README's tables are what this prints.
//!
//! Deviations are those of `verify`: the file is read back and drawn as a viewer would, at keys, at instants and between.
//! Times are the median of a few runs and depend on the machine; sizes and deviations do not.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hattrick::export::{ExportError, Format, Motion, Options, export, verify};
use hattrick::{Model, Scene, Trajectory, simulate};

const RUNS: usize = 5;
const FRAME_RATES: [f64; 4] = [24.0, 30.0, 60.0, 120.0];

fn main() {
    let folder = std::env::temp_dir().join(format!("hattrick-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let motions: Vec<(String, Trajectory)> = scenes().iter().map(|path| run(path)).collect();
    costs(&motions, &folder);
    films(&motions, &folder);
    deviations(&motions, &folder);
    let _ = std::fs::remove_dir_all(&folder);
}

/// Columns of both tables.
fn variants() -> Vec<(&'static str, Format, bool)> {
    vec![
        ("glb", Format::Glb, false),
        ("glb --cubic", Format::Glb, true),
        ("gltf", Format::Gltf, false),
        ("usda", Format::Usd, false),
        ("py", Format::Blender, false),
        ("csv", Format::Csv, false),
        ("json", Format::Json, false),
    ]
}

fn scenes() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")).expect("scenes");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn run(path: &Path) -> (String, Trajectory) {
    let scene = Scene::open(path).unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{}", errors.in_file(&scene.source)));
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    (name, simulate(&model, &model.control()))
}

/// Milliseconds and kilobytes at 60 frames a second.
fn costs(motions: &[(String, Trajectory)], folder: &Path) {
    println!("Time and size at 60 frames a second\n");
    let names: Vec<&str> = variants().iter().map(|(name, ..)| *name).collect();
    println!("| scene | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    for (scene, trajectory) in motions {
        let cells = variants().into_iter().map(|(_, format, cubic)| {
            let file = folder.join(format!("motion.{}", format.ending()));
            let options = Options { cubic, ..Options::default() };
            let mut bytes = 0;
            let mut times: Vec<f64> = (0..RUNS)
                .map(|_| {
                    let start = Instant::now();
                    let motion = Motion::new(scene, trajectory);
                    let summary = export(&motion, &file, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
                    bytes = summary.files.iter().map(|(_, bytes)| bytes).sum();
                    start.elapsed().as_secs_f64()
                })
                .collect();
            times.sort_by(f64::total_cmp);
            format!("{:.1} ms, {} kB", times[RUNS / 2] * 1e3, bytes.div_ceil(1000))
        });
        println!("| {scene} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

/// Seconds and kilobytes of moving pictures, 640 × 400, one run each.
fn films(motions: &[(String, Trajectory)], folder: &Path) {
    println!("\nFilms, 640 x 400, at their usual frame rates\n\n| scene | gif | png | mp4 |\n|---|---|---|---|");
    for (scene, trajectory) in motions {
        let cells = [Format::Gif, Format::Png, Format::Mp4].map(|format| {
            let file = folder.join(format!("film.{}", format.ending()));
            let start = Instant::now();
            let options = Options { fps: format.frame_rate(), ..Options::default() };
            match export(&Motion::new(scene, trajectory), &file, &options, &mut |_| true) {
                Ok(summary) => {
                    let bytes: u64 = summary.files.iter().map(|(_, bytes)| bytes).sum();
                    let seconds = start.elapsed().as_secs_f64();
                    format!("{seconds:.1} s, {} frames, {} kB", summary.keys, bytes.div_ceil(1000))
                }
                Err(ExportError::NoEncoder { .. }) => "no ffmpeg".to_owned(),
                Err(error) => panic!("{error}"),
            }
        });
        println!("| {scene} | {} |", cells.join(" | "));
    }
}

/// The largest over all scenes.
fn deviations(motions: &[(String, Trajectory)], folder: &Path) {
    println!("\nLargest deviation over all scenes and all time (at keys), and keys in all\n");
    let rates: Vec<String> = FRAME_RATES.iter().map(|fps| format!("{fps} fps")).collect();
    println!("| format | {} |\n|---|{}", rates.join(" | "), "---|".repeat(rates.len()));
    for (name, format, cubic) in variants() {
        let cells = FRAME_RATES.map(|fps| {
            let (mut place, mut angle, mut at_keys, mut keys) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
            for (scene, trajectory) in motions {
                let file = folder.join(format!("motion.{}", format.ending()));
                let motion = Motion::new(scene, trajectory);
                let summary = export(&motion, &file, &Options { fps, cubic, ..Options::default() }, &mut |_| true);
                keys += summary.unwrap_or_else(|error| panic!("{error}")).keys;
                let report = verify(&motion, &file, None).unwrap_or_else(|error| panic!("{error}"));
                place = place.max(report.over_all_time.place.value);
                angle = angle.max(report.over_all_time.angle.value);
                at_keys = at_keys.max(report.at_keys.place.value);
            }
            format!("{place:.1e} m ({at_keys:.0e}), {angle:.0e} rad, {keys}")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
}
