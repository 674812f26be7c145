//! Every scene that ships has a picture that shows its bodies, and `render` writes it or says why not.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hattrick::geometry::Surface;
use hattrick::math::Vec3;
use hattrick::model::{BodyId, BodyProperties};
use hattrick::picture::{Camera, Projected, Studio, View};
use hattrick::session::{Journal, Session};
use hattrick::{Model, Scene, Trajectory, simulate};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn hattrick(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hattrick")).args(arguments).output().expect("the program runs")
}

/// A folder of its own, removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hattrick-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_scene_has_a_picture_that_shows_its_bodies() {
    for entry in std::fs::read_dir(root().join("scenes")).expect("the folder of scenes") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let scene = Scene::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{}", errors.in_file(&scene.source)));
        let trajectory = simulate(&model, &model.control());
        let view = View { width: 320, height: 200, title: scene.title.clone(), ..View::default() };
        let studio = Studio::new(&trajectory, &view).unwrap_or_else(|error| panic!("{error}"));
        for (body, k) in trajectory.world().bodies.iter().zip(0..).filter(|(body, _)| body.drive.is_pushed()) {
            for part in 0..=20 {
                let state = trajectory.body_at(BodyId(k), scene.duration * f64::from(part) / 20.0);
                let seen = studio.camera().project(&state.position, [320.0, 200.0]).expect("in front of the eye");
                let inside = (0.0..320.0).contains(&seen.x) && (0.0..200.0).contains(&seen.y);
                assert!(inside, "{}: {} is at {seen:?}", path.display(), body.name);
            }
        }
        let image = studio.whole();
        let coloured = image.rgb().chunks_exact(3).filter(|pixel| {
            let (most, least) = (pixel.iter().max().copied(), pixel.iter().min().copied());
            most.unwrap_or(0) - least.unwrap_or(0) > 25
        });
        let part = coloured.count() as f64 / (320.0 * 200.0);
        // The least is a small white egg and a brown one.
        assert!(part > 0.0005, "{}: bodies cover {part} of the picture", path.display());
    }
}

#[test]
fn pictures_instants_frames_and_sheets_are_written() {
    let folder = Folder::new("pictures");
    let scene = root().join("scenes/bounce.toml").display().to_string();
    let (one, sheet, frames) = (folder.file("one.png"), folder.file("sheet.png"), folder.file("frames"));
    let runs: [&[&str]; 4] = [
        &["render", &scene, &one, "--size", "200x120", "--theme", "dark", "--camera", "30,20"],
        &["render", &scene, &one, "--size", "200x120", "--at", "0.5", "--eye", "0,1,4", "--target", "0,0.5,0"],
        &["render", &scene, "--frames", &frames, "--fps", "2", "--size", "96x64", "--no-caption"],
        &["render", &scene, &scene, &sheet, "--sheet", "--columns", "2", "--size", "96x64"],
    ];
    for arguments in runs {
        let output = hattrick(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for file in [one, sheet, folder.file("frames/frame_0000.png"), folder.file("frames/frame_0006.png")] {
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 500, "{file}: {} bytes", bytes.len());
    }
    let left: Vec<_> =
        std::fs::read_dir(&folder.0).expect("the folder").map(|entry| entry.expect("it").path()).collect();
    assert!(left.iter().all(|path| path.extension().is_none_or(|ending| ending != "part")), "{left:?}");
}

#[test]
fn what_cannot_be_drawn_is_refused_with_advice() {
    let folder = Folder::new("refusals");
    let scene = root().join("scenes/tumble.toml").display().to_string();
    let (out, nowhere) = (folder.file("a.png"), folder.file("missing/a.png"));
    let cases: [(&[&str], i32, &str); 13] = [
        (&["render", &scene, "a.jpg"], 1, ".png"),
        (&["render", &scene], 2, "OUT.png"),
        (&["render", &scene, &nowhere, "--size", "64x64"], 1, "there is no folder"),
        (&["render", "no.toml", &nowhere], 1, "there is no folder"),
        (&["render", &scene, &out, "--eye", "1,2,3", "--target", "1,2,3"], 2, "one place"),
        (&["render", &scene, &out, "--at", "abc"], 2, "\"abc\" is no number"),
        (&["render", &scene, &out, "--size", "9000x9000"], 2, "8192x8192"),
        (&["render", &scene, &out, "--size", "big"], 2, "1600x1000"),
        (&["render", &scene, &out, "--camera", "1,2,3,4"], 2, "AZIMUTH,ELEVATION"),
        (&["render", &scene, &out, "--at", "99"], 2, "--at 99"),
        (&["render", &scene, &scene, &out], 2, "--sheet"),
        (&["render", &scene, "--frames", &out, "--fps", "0"], 2, "--fps 0"),
        (&["render", "no.toml", &out], 1, "no.toml"),
    ];
    for (arguments, code, advice) in cases {
        let output = hattrick(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(advice), "{arguments:?}: {said}");
    }
    assert!(!Path::new(&out).exists(), "nothing was written");
}

/// The box around all moving bodies at many times: left, right, top and bottom as parts of the picture's width and height.
fn filled(trajectory: &Trajectory, camera: &Camera, size: [f64; 2]) -> [f64; 4] {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    for (body, k) in trajectory.world().bodies.iter().zip(0..).filter(|(body, _)| body.drive.is_pushed()) {
        let surface = Surface::new(&body.shape).map_or_else(|| vec![[0.0; 3]], |surface| surface.positions);
        for part in 0..=100 {
            let pose = trajectory.body_at(BodyId(k), trajectory.t_end * f64::from(part) / 100.0).pose();
            for point in &surface {
                let point = pose.point(&(Vec3::from(*point) * body.scale));
                let seen = camera.project(&point, size).expect("in front of the eye");
                let (x, y) = (seen.x / size[0], seen.y / size[1]);
                ends = [ends[0].min(x), ends[1].max(x), ends[2].min(y), ends[3].max(y)];
            }
        }
    }
    ends
}

/// Fixed bodies that are not whole in a picture.
fn cut_off(trajectory: &Trajectory, camera: &Camera, size: [f64; 2]) -> Vec<String> {
    let is_cut = |body: &&BodyProperties| {
        let positions = Surface::new(&body.shape).map_or_else(Vec::new, |surface| surface.positions);
        let pose = body.initial.pose();
        let seen = positions.iter().map(|point| camera.project(&pose.point(&(Vec3::from(*point) * body.scale)), size));
        let inside = |p: Projected| (0.0..size[0]).contains(&p.x) && (0.0..size[1]).contains(&p.y);
        seen.into_iter().any(|seen| !seen.is_some_and(inside))
    };
    let fixed = trajectory.world().bodies.iter().filter(|body| !body.drive.is_pushed());
    fixed.filter(is_cut).map(|body| body.name.to_string()).collect()
}

#[test]
fn motions_fill_their_pictures_and_what_holds_them_is_whole() {
    // The least share of the width times the height that the box around the moving bodies has.
    let least = [
        ("billiards", 0.5),
        ("bounce", 0.5),
        ("coin", 0.45),
        ("cradle", 0.3),
        ("dice", 0.3),
        ("dominoes", 0.5),
        ("eggs", 0.5),
        ("hat", 0.55),
        ("incline", 0.65),
        ("mug", 0.7),
        ("parabola", 0.2),
        ("particle", 0.3),
        ("plank", 0.45),
        ("scissors", 0.33),
        ("stack", 0.55),
        ("tumble", 0.33),
        ("two_cushions", 0.22),
    ];
    let size = [1200.0, 750.0];
    for (name, least) in least {
        let scene = Scene::open(root().join(format!("scenes/{name}.toml"))).unwrap_or_else(|error| panic!("{error}"));
        let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{}", errors.in_file(&scene.source)));
        let trajectory = simulate(&model, &model.control());
        let view = View { width: 1200, height: 750, title: scene.title.clone(), ..View::default() };
        let studio = Studio::new(&trajectory, &view).unwrap_or_else(|error| panic!("{error}"));
        let [left, right, top, bottom] = filled(&trajectory, studio.camera(), size);
        let share = (right - left) * (bottom - top);
        assert!(share > least, "{name}: the motion fills {share} of its picture");
        assert!(left > 0.02 && right < 0.98 && top > 0.02 && bottom < 0.98, "{name}: {left} {right} {top} {bottom}");
        let cut = cut_off(&trajectory, studio.camera(), size);
        assert!(cut.is_empty(), "{name}: {cut:?} are cut off");
    }
}

#[test]
fn a_former_motion_leaves_the_new_one_most_of_the_picture() {
    for (name, least) in [("eggs", 0.4), ("hat", 0.13), ("plank", 0.35)] {
        let path = root().join(format!("scenes/{name}.jsonl"));
        let journal = Journal::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let mut session = Session::open(journal.scene_path(&path)).unwrap_or_else(|error| panic!("{error}"));
        let before = session.whole_trajectory();
        for edit in &journal.edits {
            session.apply(edit.clone()).unwrap_or_else(|error| panic!("{error}"));
        }
        let after = session.whole_trajectory();
        let view = View { width: 1200, height: 750, title: session.scene().title.clone(), ..View::default() };
        let studio = Studio::comparing(&after, Some(&before), &view).unwrap_or_else(|error| panic!("{error}"));
        let [left, right, top, bottom] = filled(&after, studio.camera(), [1200.0, 750.0]);
        let share = (right - left) * (bottom - top);
        assert!(share > least, "{name}: the new motion fills {share} of the picture");
    }
}
