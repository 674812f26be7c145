//! Export holds for scenes nobody has looked at: random ones, other gravities, motions that end early, odd names.
//!
//! The bounds are those of `verify`. Whatever is simulated can be written and read back within them; axes change on the root
//! alone, so that the numbers of a body in a file are those of the scene.

use hattrick::export::verify::{ANGLE_TOLERANCE, TOLERANCE, read};
use hattrick::export::{Format, Motion, Options, export, verify};
use hattrick::simulation::{End, Trajectory};
use nalgebra::Point3;

use super::export::Folder;
use super::random::{Kind, scene};
use super::support::run;

fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.carries_motion())
}

/// Writes and reads back in every format.
#[track_caller]
fn check(trajectory: &Trajectory, folder: &Folder, shown: &str) {
    let motion = Motion::new("any \"motion\", it's ''' \\ odd\n", trajectory);
    for format in formats() {
        for cubic in [false, true] {
            let file = folder.0.join(format!("motion.{}", format.ending()));
            let options = Options { fps: 30.0, cubic, ..Options::default() };
            export(&motion, &file, &options, &mut |_| true).unwrap_or_else(|error| panic!("{shown}: {error}"));
            let report = verify(&motion, &file, None).unwrap_or_else(|error| panic!("{shown}: {error}"));
            assert!(report.holds(TOLERANCE, ANGLE_TOLERANCE), "{shown} as {format:?}, cubic {cubic}: {report:?}");
        }
    }
}

#[test]
fn random_motions_survive_every_format() {
    let folder = Folder::new("random");
    let any =
        Kind { walls: true, haste: 1.0, restitutions: &[0.0, 1.0, -1.0], frictions: &[0.0, 0.5, 10.0], round: false };
    let hasty = Kind { haste: 5.0, ..any };
    for seed in 0..12 {
        check(&run(&scene(seed, any)), &folder, &format!("seed {seed}"));
        check(&run(&scene(seed, hasty)), &folder, &format!("hasty seed {seed}"));
    }
}

fn drop_along(gravity: &str, normal: &str) -> String {
    format!(
        "format = 1\nduration = 1.5\ngravity = {gravity}\n\
         [[body]]\nname = \"wall\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = {normal} }}\n\
         [[body]]\nname = \"box\"\nshape = {{ kind = \"cuboid\", half_extents = [0.1, 0.2, 0.3] }}\n\
         position = [1, 1, 1]\nrotation = [0.3, 0.1, 0.2]\nspin = [3, 1, 2]\n"
    )
}

#[test]
fn the_root_alone_turns_a_scene_upright() {
    let folder = Folder::new("upright");
    for (gravity, normal, down) in [
        ("[0, 0, -9.81]", "[0, 0, 1]", [0.0, 0.0, -1.0]),
        ("[0, 9.81, 0]", "[0, -1, 0]", [0.0, 1.0, 0.0]),
        ("[-9.81, 0.5, 0]", "[1, 0, 0]", [-1.0, 0.0, 0.0]),
        ("[0, 0, 0]", "[0, 1, 0]", [0.0, -1.0, 0.0]),
    ] {
        // What is drawn towards the ceiling begins below it.
        let text = drop_along(gravity, normal).replace(
            "position = [1, 1, 1]",
            &match normal {
                "[0, -1, 0]" => "position = [1, -1, 1]".to_owned(),
                _ => "position = [1, 1, 1]".to_owned(),
            },
        );
        let trajectory = run(&text);
        check(&trajectory, &folder, gravity);
        let motion = Motion::new("", &trajectory);
        for format in formats() {
            let file = folder.0.join(format!("motion.{}", format.ending()));
            export(&motion, &file, &Options::default(), &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
            let found = read(&file).unwrap_or_else(|error| panic!("{error}"));
            let body = found.bodies.iter().find(|body| body.name == "box").expect("the box");
            // In its own frame the body starts where the scene puts it.
            let start = trajectory.world().bodies[1].initial.position;
            assert!((body.place_at(0.0) - start).norm() < 1e-6, "{format:?} {gravity}");
            // Above it, the root turns the scene's down to the format's.
            let shown = body.parent * Point3::from(down) - body.parent * Point3::origin();
            let expected = format.up().map_or(nalgebra::Vector3::from(down), |up| -up);
            assert!((shown - expected).norm() < 1e-6, "{format:?} {gravity}: down is {shown}");
        }
    }
}

#[test]
fn motions_that_end_early_are_written_as_far_as_they_go() {
    let folder = Folder::new("early");
    let text = drop_along("[0, -9.81, 0]", "[0, 1, 0]").replace("duration = 1.5", "duration = 1.5\nmax_events = 3");
    let trajectory = run(&text);
    assert!(matches!(trajectory.end, End::EventLimit { .. }) && trajectory.t_end < 1.5, "{:?}", trajectory.end);
    check(&trajectory, &folder, "early");
}

#[test]
fn scenes_in_which_nothing_moves_are_written_too() {
    let folder = Folder::new("still");
    let text = "format = 1\nduration = 1.0\n[[body]]\nname = \"rock\"\nfixed = true\n\
        shape = { kind = \"ball\", radius = 1 }\n";
    check(&run(text), &folder, "a rock");
}
