//! What marks of joints and forces must be, whatever draws them.

use super::*;
use crate::model::Model;
use crate::scene::Scene;
use crate::simulation::simulate;

const SIZE: f64 = 0.05;

fn motion(text: &str) -> Trajectory {
    let text = format!("format = 1\nduration = 1.0\ngravity = [0, -10, 0]\n{text}");
    let scene = Scene::parse(&text, "marks.toml").unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}"));
    simulate(&model, &model.control())
}

fn body(name: &str, position: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nposition = {position}\n")
}

fn lines(marks: &[Mark], tone: Tone) -> Vec<&Vec<Vec3>> {
    let line = |mark: &&Mark| mark.tone == tone;
    marks
        .iter()
        .filter(line)
        .filter_map(|mark| if let Form::Line { points, .. } = &mark.form { Some(points) } else { None })
        .collect()
}

fn near(a: &Vec3, b: &Vec3) -> bool {
    (a - b).norm() < 1e-9
}

#[test]
fn a_string_goes_from_its_body_to_its_anchor_and_is_as_long_as_its_track_says() {
    let string = r#"
[[joint]]
name = "string"
kind = "distance"
body = "a"
to = [0, 0, 0]
length = { track = "reel" }
[[track]]
name = "reel"
keys = [{ t = 0, value = 1 }, { t = 1, value = 0.5, ease = "slow_in_out" }]
"#;
    let trajectory = motion(&(body("a", "[1, 0, 0]") + string));
    let marks = MachineMarks::new(&trajectory, SIZE);
    for (t, length) in [(0.0, 1.0), (0.5, 0.75), (1.0, 0.5)] {
        let marks = marks.at(t);
        let line = lines(&marks, Tone::Steel)[0];
        assert!(near(&line[0], &trajectory.body_at(BodyId(0), t).position) && line[1] == Vec3::zeros(), "{line:?}");
        assert!(((line[1] - line[0]).norm() - length).abs() < 1e-6, "{t} s: {}", (line[1] - line[0]).norm());
        assert!(marks.contains(&Mark { tone: Tone::Anchor, form: Form::Dot(Vec3::zeros()) }));
    }
}

#[test]
fn a_spring_is_a_coil_between_its_points_with_the_same_turns_at_all_times() {
    let spring = r#"
[[force]]
name = "spring"
kind = "spring"
bodies = ["a", "b"]
points = [[0, 0.1, 0], [0, 0, 0]]
stiffness = 20
damping = 0
length = 0.6
"#;
    let trajectory = motion(&(body("a", "[0, 0, 0]") + &body("b", "[1, 0, 0]") + spring));
    let marks = MachineMarks::new(&trajectory, SIZE);
    let coils = [0.0, 0.3, 1.0].map(|t| (t, lines(&marks.at(t), Tone::Coil)[0].clone()));
    for (t, coil) in &coils {
        let [a, b] = [BodyId(0), BodyId(1)].map(|body| trajectory.body_at(body, *t).pose());
        assert!(near(&coil[0], &a.point(&Vec3::new(0.0, 0.1, 0.0))), "{t} s");
        assert!(near(&coil[coil.len() - 1], &b.position), "{t} s");
        assert_eq!(coil.len(), coils[0].1.len(), "{t} s");
    }
}

#[test]
fn a_path_is_closed_and_its_bead_stays_on_it() {
    let wire = r#"
[[joint]]
name = "wire"
kind = "on_path"
body = "a"
path = { kind = "ellipse", center = [0, 1, 0], axes = [[1, 0, 0], [0, 0.6, 0]] }
"#;
    let trajectory = motion(&(body("a", "[1, 1, 0]") + wire));
    for t in [0.0, 0.4, 0.9] {
        let marks = MachineMarks::new(&trajectory, SIZE).at(t);
        let path = lines(&marks, Tone::Steel)[0];
        assert_eq!(path.first(), path.last());
        let Form::Ring(bead) = marks[1].form else { panic!("{:?}", marks[1]) };
        let off = path.iter().map(|point| (point - bead).norm()).fold(f64::INFINITY, f64::min);
        assert!(off < 0.03, "{t} s: {off} m");
    }
}

#[test]
fn a_rail_is_as_long_as_the_travel_and_the_same_at_all_times() {
    let slider = r#"
[[joint]]
name = "rail"
kind = "slider"
body = "a"
to = [0, 0, 0]
axis = [0, 1, 0]
to_axis = [0, 1, 0]
"#;
    let trajectory = motion(&(body("a", "[0, 0, 0]") + slider));
    let marks = MachineMarks::new(&trajectory, SIZE);
    for t in [0.0, 0.5, 1.0] {
        let marks = marks.at(t);
        let rail = lines(&marks, Tone::Steel)[0];
        let ends = [Vec3::new(0.0, -5.0 - BEYOND * SIZE, 0.0), Vec3::new(0.0, BEYOND * SIZE, 0.0)];
        assert!(near(&rail[0], &ends[0]) && near(&rail[1], &ends[1]), "{t} s: {rail:?}");
    }
}

#[test]
fn a_joint_that_does_not_hold_leaves_no_mark() {
    let pin = "[[joint]]\nname = \"pin\"\nkind = \"pin\"\nbody = \"a\"\nto = [0, 0, 0]\nactive = [[0.0, 0.5]]\n";
    let trajectory = motion(&(body("a", "[0, 0, 0]") + pin));
    let marks = MachineMarks::new(&trajectory, SIZE);
    assert_eq!([0.2, 0.7].map(|t| marks.at(t).is_empty()), [false, true]);
}

#[test]
fn a_point_off_its_body_is_on_an_arm() {
    let pin = "[[joint]]\nname = \"pin\"\nkind = \"pin\"\nbody = \"a\"\npoint = [0, 1, 0]\nto = [0, 1, 0]\n";
    let trajectory = motion(&(body("a", "[0, 0, 0]") + pin));
    let marks = MachineMarks::new(&trajectory, SIZE).at(0.0);
    assert_eq!(lines(&marks, Tone::Steel), [&vec![Vec3::zeros(), Vec3::y()]]);
}

#[test]
fn joints_that_repeat_each_other_have_another_colour_while_both_hold() {
    let pins = r#"
[[joint]]
name = "one"
kind = "pin"
body = "a"
point = [0, 0, 0]
to = [1, 0, 0]
[[joint]]
name = "two"
kind = "pin"
body = "a"
point = [0, 0, 0]
to = [1, 0, 0]
active = [[0.0, 0.5]]
"#;
    let trajectory = motion(&(body("a", "[1, 0, 0]") + pins));
    let marks = MachineMarks::new(&trajectory, SIZE);
    let rings = |t: f64, tone: Tone| {
        marks.at(t).iter().filter(|mark| mark.tone == tone && matches!(mark.form, Form::Ring(_))).count()
    };
    assert_eq!((rings(0.25, Tone::Trouble), rings(0.25, Tone::Steel)), (2, 0));
    assert_eq!((rings(0.75, Tone::Trouble), rings(0.75, Tone::Steel)), (0, 1));
}
