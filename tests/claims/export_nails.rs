//! `verify` states how nails stand, on the motion and in the file.
//!
//! The two residuals of one nail differ by at most what the file is off at that instant: 1e-4 m or 1e-3 rad, whatever the format
//! and its axes. A nail on velocities has no number in a file, and one that waits for an impact in vain says so.

use hattrick::export::verify::{ANGLE_TOLERANCE, Nailed, TOLERANCE};
use hattrick::export::{Format, Motion, Options, export, verify};
use hattrick::goal::Goal;
use hattrick::{Model, Scene, simulate};

use super::export::Folder;

/// Gravity along z, so that the roots of files turn the scene.
const SCENE: &str = r#"
format = 1
duration = 1.0
gravity = [0, 0, -9.81]
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 0, 1] }
[[body]]
name = "pot"
fixed = true
shape = { kind = "cuboid", half_extents = [0.1, 0.1, 0.1] }
position = [2, 0, 0.1]
rotation = [0.3, 0, 0.2]
region = { kind = "box", center = [0, 0, 0.2], half_extents = [0.1, 0.1, 0.1] }
[[body]]
name = "box"
shape = { kind = "cuboid", half_extents = [0.1, 0.2, 0.3] }
position = [0, 0, 1]
spin = [3, 1, 2]
velocity = [1, 0, 1]
[[nail]]
body = "box"
at = 0.37
point = [0.1, 0.2, 0.3]
position = [0.5, 0.25, 1.5]
[[nail]]
body = "box"
at = { impact = "box/floor#1" }
rotation = [0.1, 0.2, 0.3]
[[nail]]
body = "box"
at = "end"
inside = { body = "pot" }
[[nail]]
body = "box"
at = 0.5
velocity = [1, 0, 0]
[[nail]]
body = "box"
at = { impact = "box/floor#900" }
position = [0, 0, 0]
"#;

#[test]
fn nails_stand_alike_on_the_motion_and_in_every_format() {
    let folder = Folder::new("nails");
    let scene = Scene::parse(SCENE, "nails.toml").unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let goals = Goal::of_nails(&model, &scene.nails).unwrap_or_else(|errors| panic!("{errors:?}"));
    let motion = Motion::new("nails", &trajectory);
    for format in Format::ALL.into_iter().filter(|format| format.carries_motion()) {
        let file = folder.0.join(format!("motion.{}", format.ending()));
        export(&motion, &file, &Options::default(), &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
        let nailed = Nailed { model: &model, u: &u, goals: &goals };
        let report = verify(&motion, &file, Some(nailed)).unwrap_or_else(|error| panic!("{error}"));
        let [place, turn, inside, velocity, never] = &report.nails[..] else { panic!("{:?}", report.nails) };
        for (nail, unit, allowed) in [(place, "m", TOLERANCE), (turn, "rad", ANGLE_TOLERANCE), (inside, "m", TOLERANCE)]
        {
            let (on_motion, (in_file, its_unit)) =
                (nail.motion.error.expect("a residual"), nail.file.expect("another"));
            assert!(on_motion > 0.1, "{format:?}: the case is too easy, {nail:?}");
            assert!((on_motion - in_file).abs() < allowed && its_unit == unit, "{format:?}: {nail:?}");
        }
        assert!(velocity.file.is_none() && velocity.motion.error.is_some(), "{format:?}: {velocity:?}");
        assert!(never.file.is_none() && never.motion.missing.is_some(), "{format:?}: {never:?}");
    }
}
