//! Exported files hold the motion: at every impact, and between keys as a viewer draws them.
//!
//! Every shipped scene goes through every format that carries motion, and is read back and compared. The bounds are the
//! program's own promise (`verify`'s defaults): 1e-4 m and 1e-3 rad at any time, of which export spends half on
//! interpolation. At impacts, where the eye looks, places are right to 1e-5 m: half-width times cost 2⁻²⁵·t·speed.

use std::path::{Path, PathBuf};

use hattrick::export::keys::{self, Interpolation, LARGEST_TURN, Sampling};
use hattrick::export::verify::{ANGLE_TOLERANCE, TOLERANCE, read};
use hattrick::export::{Format, Motion, Options, export, verify};
use hattrick::math::rotation;
use hattrick::model::BodyId;
use hattrick::simulation::{EventKind, Trajectory};
use hattrick::{Model, Scene, simulate};

const AT_IMPACTS: f64 = 1e-5;

/// A folder that is removed with its files.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn scene_files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")).expect("scenes");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

pub fn run(path: &Path) -> Trajectory {
    let scene = Scene::open(path).unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{}", errors.in_file(&scene.source)));
    simulate(&model, &model.control())
}

/// Formats that can be read back, with and without cubics.
fn variants() -> Vec<(Format, Options)> {
    let formats = Format::ALL.into_iter().filter(|format| format.carries_motion());
    let with = |format: Format, cubic: bool| (format, Options { cubic, ..Options::default() });
    formats.flat_map(|format| [with(format, false), with(format, true)]).collect()
}

fn sampling(interpolation: Interpolation) -> Sampling {
    Sampling { interpolation, ..Options::default().sampling(Format::Glb) }
}

#[test]
fn every_scene_survives_every_format() {
    let folder = Folder::new("survives");
    for scene in scene_files() {
        let trajectory = run(&scene);
        let motion = Motion::new("a title", &trajectory);
        for (format, options) in variants() {
            let file = folder.0.join(format!("motion.{}", format.ending()));
            export(&motion, &file, &options, &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
            let report = verify(&motion, &file, None).unwrap_or_else(|error| panic!("{error}"));
            let shown = format!("{} as {format:?}, cubic {}: {report:?}", scene.display(), options.cubic);
            assert!(report.holds(TOLERANCE, ANGLE_TOLERANCE), "{shown}");
            assert_eq!(report.bodies, motion.paths.len(), "{shown}");
            let same = report.file_fingerprint.is_none_or(|found| found == motion.fingerprint.to_string());
            assert!(same, "{shown}");
        }
    }
}

#[test]
fn bodies_are_where_they_were_at_every_impact() {
    let folder = Folder::new("impacts");
    for scene in scene_files() {
        let trajectory = run(&scene);
        let motion = Motion::new("", &trajectory);
        for (format, options) in variants() {
            let file = folder.0.join(format!("motion.{}", format.ending()));
            export(&motion, &file, &options, &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
            let found = read(&file).unwrap_or_else(|error| panic!("{error}"));
            let up = format.up().map(|up| hattrick::export::axes::root(&trajectory.world().gravity, up));
            for event in trajectory.events.iter().filter(|event| event.kind == EventKind::Impact) {
                for body in [event.first, event.second] {
                    let name = motion.name(body);
                    let read = found.bodies.iter().find(|other| other.name == name).expect("every body is there");
                    let place = read.parent * nalgebra::Point3::from(read.place_at(event.t));
                    let truth = up.unwrap_or_default() * trajectory.body_at(body, event.t).position;
                    let error = (place.coords - truth).norm();
                    let scene = scene.display();
                    assert!(error < AT_IMPACTS, "{scene} {format:?}: {name} is {error} m off at {} s", event.t);
                }
            }
        }
    }
}

#[test]
fn no_step_between_keys_turns_more_than_twenty_degrees() {
    for scene in scene_files() {
        let trajectory = run(&scene);
        for (body, path) in Motion::new("", &trajectory).bodies() {
            for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
                let turns = keys::select(path, &sampling(interpolation)).turns;
                for pair in turns.windows(2) {
                    let turn = pair[1].after.rotation * pair[0].after.rotation.inverse();
                    let angle = rotation::log(&turn).norm();
                    let (name, t) = (&trajectory.world().bodies[body.index()].name, pair[0].t);
                    assert!(angle <= LARGEST_TURN + 1e-9, "{}: {name} turns {angle} at {t} s", scene.display());
                }
            }
        }
    }
}

/// Spins that turn a body many times within one frame would alias without keys between.
#[test]
fn a_fast_spin_is_followed_turn_by_turn() {
    let text = "format = 1\nduration = 0.2\n[[body]]\nname = \"top\"\n\
        shape = { kind = \"cuboid\", half_extents = [0.3, 0.2, 0.1] }\nspin = [1500, 10, 700]\n";
    let scene = Scene::parse(text, "top.toml").expect("a valid scene");
    let model = Model::new(&scene).expect("a valid model");
    let trajectory = simulate(&model, &model.control());
    let path = trajectory.curve(BodyId(0)).prepared();
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let turns = keys::select(&path, &sampling(interpolation)).turns;
        let swept: f64 = turns.windows(2).map(|pair| pair[1].after.spin.norm() * (pair[1].t - pair[0].t)).sum();
        assert!(turns.len() as f64 >= swept / LARGEST_TURN, "{} keys for {swept} rad", turns.len());
    }
    let folder = Folder::new("top");
    let motion = Motion::new("", &trajectory);
    for (format, options) in variants() {
        let file = folder.0.join(format!("top.{}", format.ending()));
        export(&motion, &file, &options, &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
        let report = verify(&motion, &file, None).unwrap_or_else(|error| panic!("{error}"));
        assert!(report.holds(TOLERANCE, ANGLE_TOLERANCE), "{format:?}: {report:?}");
    }
}

#[test]
fn a_cubic_needs_one_segment_for_a_flight() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/bounce.toml");
    let trajectory = run(&scene);
    for (body, path) in Motion::new("", &trajectory).bodies().skip(1) {
        let impacts = trajectory.events.iter().filter(|event| event.first == body || event.second == body).count();
        let places = keys::select(path, &sampling(Interpolation::Cubic)).places;
        // The start and the end come on top.
        assert_eq!(places.len(), impacts + 2, "{body:?}");
    }
}

#[test]
fn files_are_the_same_bytes_twice() {
    let folder = Folder::new("twice");
    let trajectory = run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/tumble.toml"));
    let motion = Motion::new("twice", &trajectory);
    for format in Format::ALL.into_iter().filter(|format| format.carries_motion()) {
        let write = |name: &str| {
            let file = folder.0.join(format!("{name}.{}", format.ending()));
            export(&motion, &file, &Options::default(), &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
            std::fs::read(&file).expect("it was written")
        };
        assert!(write("once") == write("again"), "{format:?} differs");
    }
}
