//! Joints, forces, tracks, labels and variables: what is accepted, and each rule broken in one place.

use super::*;
use crate::scene::{Drive, Guide, JointKind};

const BODIES: &str = r#"format = 1
duration = 2.0

[variables]
reach = 0.5
soft = 2e1

[[track]]
name = "lift"
keys = [{ t = 0.0, value = [0, 1, 0] }, { t = 1.0, value = [0, 2, 0], ease = "slow_in_out" }]
[[track]]
name = "reel in"
keys = [{ t = 0.0, value = 1.0 }, { t = 1.5, value = 0.6, ease = "hold" }]

[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
[[body]]
name = "wall"
fixed = true
shape = { kind = "ball", radius = 0.5 }
position = [9, 5, 0]
[[body]]
name = "upper"
shape = { kind = "capsule", half_height = 0.3, radius = 0.03 }
position = ["2*reach", 5, 0]
[[body]]
name = "lower"
shape = { kind = "ball", radius = 0.1 }
position = [2, 5, 0]
[[body]]
name = "dust"
shape = { kind = "particle" }
mass = 0.5
position = [0, 8, 0]

[[label]]
name = "tip"
body = "upper"
point = [0, 0.3, 0]
"#;

fn read(table: &str) -> Result<Scene, SceneFileError> {
    open(&format!("{BODIES}{table}"))
}

#[track_caller]
fn accept(table: &str) -> Scene {
    read(table).unwrap_or_else(|error| panic!("{table}\n{error}"))
}

/// The table is accepted, and refused with one piece of it replaced.
#[track_caller]
fn refuse(table: &str, from: &str, to: &str, expected: &str) {
    if !table.contains("rope") && !table.contains("limits") {
        accept(table);
    }
    assert!(table.contains(from), "no {from:?} in {table}");
    let error = read(&table.replacen(from, to, 1)).expect_err(to);
    let told: Vec<String> = error.errors.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.ends_with(expected)), "{to:?} is told as {told:#?}");
    assert!(error.errors.iter().all(|error| error.place.is_some()), "a line for {told:?}");
}

const PIN: &str =
    "[[joint]]\nname = \"pin\"\nkind = \"pin\"\nbody = \"upper\"\npoint = [0, 0.3, 0]\nto = { track = \"lift\" }\n";
const ELBOW: &str =
    "[[joint]]\nkind = \"point_to_point\"\nbodies = [\"upper\", \"lower\"]\npoints = [[0, -0.3, 0], [0, 0, 0]]\n";
const TIE: &str = "[[joint]]\nkind = \"distance\"\nbody = \"lower\"\nto = [0, 6, 0]\nlength = 1.5\n";
const HINGE: &str = "[[joint]]\nname = \"door\"\nkind = \"hinge\"\nbody = \"upper\"\npoint = [0, 0.3, 0]\n\
    axis = [0, 0, 2]\nto = [1, 5.3, 0]\nto_axis = [0, 0, 1]\n";
const SPRING: &str =
    "[[force]]\nname = \"band\"\nkind = \"spring\"\nbodies = [\"upper\", \"lower\"]\nstiffness = 200.0\n";
const MOTOR: &str = "[[force]]\nkind = \"motor\"\njoint = \"door\"\ntorque = 1.5\n";

#[test]
fn joints_of_every_kind_are_read() {
    let ellipse = "path = { kind = \"ellipse\", center = [0, 5, 0], axes = [[1, 0, 0], [0, 0.5, 0]] }\n";
    let spline = "path = { kind = \"spline\", points = [[0, 0, 0], [1, 1, 0], [2, 0, 0]] }\n";
    let line = "path = { kind = \"line\", point = [0, 5, 0], direction = [0, 2, 0] }\n";
    let one = |kind: &str, more: &str| format!("[[joint]]\nkind = \"{kind}\"\nbody = \"upper\"\n{more}");
    let two = |kind: &str, more: &str| format!("[[joint]]\nkind = \"{kind}\"\nbodies = [\"upper\", \"lower\"]\n{more}");
    let tables = [
        PIN.to_owned(),
        ELBOW.to_owned(),
        TIE.to_owned(),
        TIE.replace("1.5", "{ track = \"reel in\" }"),
        HINGE.to_owned(),
        HINGE.replace("\"hinge\"", "\"slider\""),
        two("hinge", "points = [[0, 0, 0], [0, 0, 0]]\naxes = [[0, 0, 1], [0, 0, 1]]\n"),
        two("distance", "length = 0.7\ncollide = false\n"),
        one("on_path", ellipse),
        one("follow_path", &format!("{spline}along = {{ track = \"reel in\" }}\n")),
        one("follow_path", &format!("{line}along = {{ track = \"reel in\" }}\n")),
        one("point_on_line", "line = { point = [0, 5, 0], direction = [1, 0, 0] }\n"),
        two("point_on_plane", "point = [0, 0.1, 0]\nplane = { point = [0, 0, 0], normal = [0, 1, 0] }\n"),
        one("orientation", "axis = [0, 1, 0]\nto = [1, 1, 0]\n"),
        one("orientation", "rotation = [0, 0, 1]\n"),
        two("orientation", "axes = [[0, 1, 0], [1, 1, 0]]\n"),
        one("weld", "time_constant = 0.2\nactive = [[0.0, 0.5], [1.0, 1.5]]\n"),
        two("weld", ""),
        "[[joint]]\nkind = \"sphere_to_sphere\"\nbodies = [\"lower\", \"wall\"]\n".to_owned(),
        "[[joint]]\nkind = \"pin\"\nbodies = [\"upper\"]\nto = [0, 1, 0]\n".to_owned(),
        "[[joint]]\nkind = \"pin\"\nbody = \"tip\"\nto = [0, 1, 0]\n".to_owned(),
    ];
    for table in &tables {
        assert_eq!(accept(table).joints.len(), 1, "{table}");
    }
    let scene = accept(&tables.concat().replace("name = \"door\"\n", "").replace("name = \"pin\"\n", ""));
    let names: Vec<&str> = scene.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!((names[0], names[20]), ("joint 1", "joint 21"));
    let [pin, elbow, ..] = &scene.joints[..] else { panic!() };
    assert_eq!(pin.kind, JointKind::Pin { point: Vec3::new(0.0, 0.3, 0.0), to: Given::Track(0) });
    assert_eq!((elbow.first, elbow.second, elbow.time_constant, elbow.collide), (2, Some(3), 0.1, false));
    assert!(scene.joints[2].collide && !scene.joints[7].collide);
    let JointKind::Hinge { axis, .. } = scene.joints[4].kind else { panic!() };
    assert_eq!(axis, Vec3::z(), "axes have length 1");
    let weld = &scene.joints[16];
    assert!(weld.is_active(0.2) && !weld.is_active(0.7) && weld.is_active(1.0) && !weld.is_active(1.5));
    let JointKind::Pin { point, .. } = scene.joints[20].kind else { panic!() };
    assert_eq!(point, Vec3::new(0.0, 0.3, 0.0), "the label's");
}

#[test]
fn forces_of_every_kind_are_read() {
    let tables = [
        SPRING.to_owned(),
        SPRING.replace("200.0", "\"soft*10\"\ndamping = 1.5\nlength = 0.3\npoints = [[0, 0.1, 0], [0, 0, 0]]"),
        "[[force]]\nkind = \"spring\"\nbody = \"dust\"\nto = [0, 9, 0]\nstiffness = 1\nlength = 0\n".to_owned(),
        "[[force]]\nkind = \"torsion_spring\"\nbody = \"upper\"\nstiffness = 5\nrotation = [0, 0, 1]\n".to_owned(),
        "[[force]]\nkind = \"drag\"\nbody = \"lower\"\nlinear = 0.1\nquadratic = 0.2\nwind = { track = \"lift\" }\n"
            .to_owned(),
        "[[force]]\nkind = \"push\"\nbody = \"lower\"\nforce = [1, 0, 0]\ntorque = [0, 1, 0]\nframe = \"body\"\n"
            .to_owned(),
    ];
    for table in &tables {
        assert_eq!(accept(table).forces.len(), 1, "{table}");
    }
    let spring = |scene: &Scene| match &scene.forces[0].kind {
        ForceKind::Spring { stiffness, length, .. } => (*stiffness, *length),
        other => panic!("{other:?}"),
    };
    assert_eq!(spring(&accept(&tables[0])), (Given::Constant(200.0), RestLength::AtStart));
    assert_eq!(spring(&accept(&tables[1])), (Given::Constant(200.0), RestLength::Given(Given::Constant(0.3))));
    assert_eq!(spring(&accept(&tables[2])).1, RestLength::Zero);
    for drive in ["torque = 1.5", "speed = 2\ngain = 3\nmax_torque = 4", "angle = { track = \"reel in\" }"] {
        let scene = accept(&format!("{HINGE}{}", MOTOR.replace("torque = 1.5", drive)));
        assert_eq!((scene.forces[0].first, scene.forces[0].second), (2, None));
    }
}

#[test]
fn a_distance_of_nothing_keeps_two_points_together() {
    let pin = accept(&TIE.replace("1.5", "0")).joints.remove(0);
    assert_eq!(pin.kind, JointKind::Pin { point: Vec3::zeros(), to: Given::Constant(Vec3::new(0.0, 6.0, 0.0)) });
    let two = "[[joint]]\nkind = \"distance\"\nbodies = [\"upper\", \"lower\"]\nlength = 0.0\n";
    assert_eq!(accept(two).joints[0].kind, JointKind::PointToPoint { point: Vec3::zeros(), second: Vec3::zeros() });
    let least = "length is 0 m; write a number above 0 and at most 1e9";
    refuse(&TIE.replace("1.5", "\"3*reach\""), "3*reach", "reach - 0.5", least);
}

#[test]
fn what_joints_cannot_be_is_refused() {
    refuse(ELBOW, "\"upper\"", "\"uper\"", "no body is called \"uper\"; did you mean \"upper\"?");
    refuse(ELBOW, "\"lower\"", "\"upper\"", "both ends are on \"upper\"; write two different bodies");
    refuse(
        ELBOW,
        "bodies = [\"upper\", \"lower\"]",
        "body = \"upper\"",
        "point_to_point needs two bodies; write `bodies = [\"upper\", \"lower\"]`",
    );
    refuse(
        ELBOW,
        "[\"upper\", \"lower\"]",
        "[\"floor\", \"wall\"]",
        "\"floor\" and \"wall\" cannot move; write a body that is not fixed",
    );
    refuse(ELBOW, "[[0, -0.3, 0], [0, 0, 0]]", "[[0, -0.3, 0]]", "points has 1 entries; write 2");
    refuse(ELBOW, "point_to_point", "point_to_pint", "unknown joint \"point_to_pint\"; did you mean `point_to_point`?");
    refuse(ELBOW, "points =", "length = 1\npoints =", "point_to_point has no length; remove it");
    refuse(ELBOW, "points =", "lenght = 1\npoints =", "unknown key `lenght`; did you mean `length`?");
    refuse(PIN, "\"upper\"", "\"floor\"", "\"floor\" cannot move; write a body that is not fixed");
    refuse(PIN, "to = { track = \"lift\" }\n", "", "to is missing; add `to = [0, 1.5, 0]`");
    refuse(PIN, "\"lift\"", "\"lfit\"", "no track is called \"lfit\"; did you mean \"lift\"?");
    refuse(PIN, "\"lift\"", "\"reel in\"", "to needs a track of vectors; the values of \"reel in\" are numbers");
    refuse(
        PIN,
        "[0, 0.3, 0]",
        "{ track = \"lift\" }",
        "point cannot follow a track; write three numbers such as [0, 0.1, 0]",
    );
    refuse(PIN, "to =", "time_constant = 0\nto =", "time_constant is 0 s; write a number above 0 and at most 100000");
    refuse(PIN, "\"pin\"", "\"lift\"", "the name \"lift\" is taken by track[0]; write another");
    refuse(PIN, "\"pin\"", "\"a.b\"", "name is \"a.b\"; leave out '.': parameter names give it a meaning");
    refuse(TIE, "length = 1.5\n", "", "length is missing; add `length = 0.5`");
    refuse(
        &TIE.replace("\"lower\"", "\"tip\""),
        "to =",
        "point = [0, 0, 0]\nto =",
        "\"tip\" is a label, which has a point of its own; remove point, or write the body's name",
    );
    refuse(HINGE, "axis = [0, 0, 2]", "axis = [0, 0, 0]", "axis is zero; write a direction such as [0, 1, 0]");
    refuse(
        HINGE,
        "axis = [0, 0, 2]",
        "axis = [0, 0, -1]",
        "the two axes point opposite ways at the start; write axis the other way round, or turn a body",
    );
    refuse(
        HINGE,
        "\"upper\"",
        "\"dust\"",
        "\"dust\" is a particle and does not turn; write a point_to_point, pin, distance or spring, or a ball as its shape",
    );
    let balls = "[[joint]]\nkind = \"sphere_to_sphere\"\nbodies = [\"lower\", \"wall\"]\n";
    refuse(balls, "\"lower\"", "\"upper\"", "\"upper\" is no ball; sphere_to_sphere keeps two balls touching");
}

#[test]
fn times_and_paths_that_cannot_be_are_refused() {
    let pin = format!("{PIN}active = [[0.0, 0.5], [1.0, 1.5]]\n");
    refuse(&pin, "[0.0, 0.5]", "[0.5, 0.5]", "active[0] begins at 0.5 s and ends at 0.5 s; write a later end");
    refuse(
        &pin,
        "[1.0, 1.5]",
        "[0.4, 1.5]",
        "active[1] begins at 0.4 s, not after the one before, which ends at 0.5 s; write times apart from each other",
    );
    refuse(
        &pin,
        "[[0.0, 0.5], [1.0, 1.5]]",
        "[]",
        "active is empty; write begin and end, such as [[0.0, 1.5]], or leave it out",
    );
    let event = "joints that begin or end at an event are not simulated yet: remove this key";
    refuse(&pin, "[1.0, 1.5]", "{ until = { impact = \"upper/lower#1\" } }", event);
    let bead = "[[joint]]\nkind = \"on_path\"\nbody = \"upper\"\npath = { kind = \"ellipse\", center = [0, 5, 0], axes = [[1, 0, 0], [0, 0.5, 0]] }\n";
    refuse(
        bead,
        "[0, 0.5, 0]",
        "[1, 1, 0]",
        "the axes of the ellipse are not perpendicular: their angle is 45.0000°; write two vectors at right angles",
    );
    refuse(bead, "ellipse", "elipse", "unknown path \"elipse\"; did you mean `ellipse`?");
    let ride = "[[joint]]\nkind = \"on_path\"\nbody = \"upper\"\npath = { kind = \"spline\", points = [[0, 0, 0], [1, 1, 0], [2, 0, 0]] }\n";
    refuse(ride, "[[0, 0, 0], [1, 1, 0], [2, 0, 0]]", "[[0, 0, 0]]", "the spline has 1 points; write at least 2");
    refuse(ride, "[1, 1, 0]", "[0, 0, 0]", "points 0 and 1 of the spline are one; write different points");
}

#[test]
fn what_forces_and_tracks_cannot_be_is_refused() {
    refuse(SPRING, "\"lower\"", "\"upper\"", "both ends are on \"upper\"; write two different bodies");
    refuse(SPRING, "stiffness = 200.0", "stiffness = -1", "stiffness is -1; write a number from 0 to 1e15");
    refuse(SPRING, "stiffness = 200.0\n", "", "stiffness is missing; add `stiffness = 200.0`");
    refuse(SPRING, "kind = \"spring\"", "kind = \"sprong\"", "unknown force \"sprong\"; did you mean `spring`?");
    let drag = "[[force]]\nkind = \"drag\"\nbody = \"lower\"\nlinear = 0.1\n";
    refuse(drag, "\"lower\"", "\"floor\"", "\"floor\" cannot move; write a body that is not fixed");
    refuse(drag, "linear = 0.1\n", "", "linear is missing; add `linear = 0.1`");
    let push = "[[force]]\nkind = \"push\"\nbody = \"lower\"\nforce = [1, 0, 0]\n";
    refuse(push, "force = [1, 0, 0]", "", "a push needs a force or a torque; add `force = [0, 0, 1]`");
    refuse(push, "force =", "frame = \"moon\"\nforce =", "frame is \"moon\"; write one of world, body");
    let motor = format!("{HINGE}{MOTOR}");
    refuse(&motor, "joint = \"door\"", "joint = \"dor\"", "no joint is called \"dor\"; did you mean \"door\"?");
    refuse(
        &motor,
        "torque = 1.5",
        "torque = 1.5\nspeed = 2",
        "a motor needs one of torque, speed and angle; keep one of them",
    );
    refuse(&motor, "torque = 1.5", "torque = 1.5\ngain = 2", "a motor without speed has no gain; remove it");
    refuse(
        &format!("{PIN}{}", MOTOR.replace("door", "pin")).replace("joint = \"pin\"", "joint = \"hub\"").replace(
            "name = \"pin\"\nkind = \"pin\"",
            "name = \"hub\"\nkind = \"hinge\"\naxis = [0, 0, 1]\nto_axis = [0, 0, 1]",
        ),
        "kind = \"hinge\"\naxis = [0, 0, 1]\nto_axis = [0, 0, 1]",
        "kind = \"pin\"",
        "\"hub\" has no axis to drive; write the name of a hinge or slider",
    );
    let track =
        "[[track]]\nname = \"a\"\nkeys = [{ t = 0.0, value = 1.0 }, { t = 1.5, value = 0.6, ease = \"slow_in\" }]\n";
    refuse(track, "t = 1.5", "t = 0.0", "key 2 is at 0 s, not after the one before, at 0 s; write times that grow");
    refuse(track, "0.6", "[0, 0, 0]", "key 2 is a vector, and the first is a number; write a number everywhere");
    refuse(track, "slow_in", "slow_on", "ease is \"slow_on\"; did you mean `slow_in`?");
    refuse(track, "name = \"a\"\n", "", "name is missing; add `name = \"lift\"`");
    let tie = format!("{track}{}", TIE.replace("1.5", "{ track = \"a\" }"));
    refuse(
        &tie,
        "value = 0.6",
        "value = 0.0",
        "length follows \"a\", which has the value 0; write values from 0.001 to 1e9",
    );
}

#[test]
fn what_is_not_simulated_is_read_and_refused_by_name() {
    let message = |table: &str| read(table).expect_err(table).errors.remove(0).problem.to_string();
    let rope = TIE.replace("distance", "rope") + "restitution = 0.3\n";
    assert_eq!(message(&rope), "ropes and limits are not simulated yet: remove this table");
    let door = format!("{HINGE}limits = [-1, 1]\n");
    assert_eq!(message(&door), "ropes and limits are not simulated yet: remove this key");
    refuse(&door, "[-1, 1]", "[1, -1]", "limits are [1, -1]; write the lower one first");
    refuse(&door, "[-1, 1]", "[-4, 4]", "limits are 8 rad apart; write less than 2π, or leave them out");
    refuse(&door, "[-1, 1]", "[1, 2]", "limits are [1, 2], and the joint starts at 0; write limits around 0");
    refuse(&rope, "restitution = 0.3", "restitution = 3", "restitution is 3; write a number from 0 to 1");
}

#[test]
fn a_body_may_follow_tracks() {
    let moved = "[[body]]\nname = \"paddle\"\nshape = { kind = \"ball\", radius = 0.1 }\nmoved = { position = { track = \"lift\" } }\n";
    let scene = accept(moved);
    let paddle = scene.bodies.iter().find(|body| body.name == "paddle").expect("it is there");
    let lift = scene.tracks.iter().position(|track| track.name == "lift");
    assert_eq!(paddle.drive, Drive::Guided(Guide { position: lift, rotation: None }));
    let message = |table: &str| read(table).expect_err(table).errors.remove(0).problem.to_string();
    let jump = "\"lift\" jumps at key 2: `hold` would move the body in no time; write another ease";
    let text = format!("{BODIES}{moved}").replace("slow_in_out", "hold");
    assert!(open(&text).expect_err("a jump").errors.iter().any(|error| error.problem.to_string() == jump));
    for (more, problem) in [
        ("position = [5, 5, 5]", "moved says where the body is: its position follows a track; remove this position"),
        ("fixed = true", "a fixed body stays where it is, and moved would move it; remove one of the two"),
        ("velocity = [1, 0, 0]", "a body moved by tracks has no velocity; remove it"),
    ] {
        let found = message(&format!("{moved}{more}\n"));
        assert_eq!(found, problem);
    }
}

#[test]
fn numbers_may_be_formulas_of_variables() {
    let scene = accept(SPRING);
    assert_eq!(scene.bodies[2].position, Vec3::new(1.0, 5.0, 0.0));
    let formulas: Vec<&str> = scene.numbers.formulas.keys().map(String::as_str).collect();
    assert_eq!(formulas, ["body[2].position[0]"]);
    refuse(
        &SPRING.replace("200.0", "\"10*soft\""),
        "10*soft",
        "10*sft",
        "stiffness, character 4: no variable is called \"sft\"; did you mean `soft`?",
    );
    refuse(
        &SPRING.replace("200.0", "\"10*soft\""),
        "10*soft",
        "-soft",
        "stiffness is -20; write a number from 0 to 1e15",
    );
    for (from, to, expected) in [
        ("reach = 0.5", "reach = \"2\"", "reach is text; write a number"),
        (
            "reach = 0.5",
            "\"re ach\" = 0.5",
            "name is \"re ach\"; write a letter, then letters, digits and _: expressions name it",
        ),
        ("soft = 2e1", "sin = 1", "name is \"sin\"; write another: expressions know it as a function or number"),
        ("soft = 2e1", "upper = 1", "the name \"upper\" is taken by variables.upper; write another"),
        ("soft = 2e1", "soft = 1e30", "soft is 1e30; write a number from -1e15 to 1e15"),
    ] {
        let error = open(&BODIES.replace(from, to)).expect_err(to);
        let told: Vec<String> = error.errors.iter().map(|error| error.problem.to_string()).collect();
        assert!(told.iter().any(|told| told == expected), "{to}: {told:?}");
    }
}

/// The scenes of the exact cases, in small: every kind of table they have.
#[test]
fn scenes_of_the_reference_are_read() {
    let body =
        "[[body]]\nname = \"b0\"\nshape = { kind = \"ball\", radius = 0.1 }\nmass = 0.8\nposition = [0.5, -0.7, 0.3]\n";
    let head = "format = 1\nduration = 1.5\ngravity = [0.0, -9.81, 0.0]\n";
    let hand = "[[track]]\nname = \"hand\"\nkeys = [\n  { t = 0.0, value = [0.0, 1.0, 0.0] },\n  { t = 0.5, value = [0.3, 1.1, -0.1], ease = \"slow_in_out\" },\n]\n";
    let reel = "[[track]]\nname = \"reel\"\nkeys = [\n  { t = 0.0, value = 1.0 },\n  { t = 0.8, value = 0.6, ease = \"slow_in_out\" },\n]\n";
    let hinges = "[[body]]\nname = \"b1\"\nshape = { kind = \"ball\", radius = 0.1 }\nposition = [1.5, 0, 0]\n\
        [[joint]]\nname = \"h1\"\nkind = \"hinge\"\nbody = \"b0\"\npoint = [0.0, -0.2, 0.0]\naxis = [0.0, 0.0, 1.0]\nto = [0.0, 0.0, 0.0]\nto_axis = [0.0, 0.0, 1.0]\n\
        [[joint]]\nname = \"h2\"\nkind = \"hinge\"\nbodies = [\"b0\", \"b1\"]\npoints = [[0.0, 0.2, 0.0], [0.0, -0.45, 0.0]]\naxes = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]\n\
        [[force]]\nname = \"motor\"\nkind = \"motor\"\njoint = \"h1\"\ntorque = 1.5\n";
    for (tables, counts) in [
        ("[[force]]\nname = \"spring\"\nkind = \"spring\"\nbody = \"b0\"\npoint = [0.03, 0.08, -0.02]\nto = [0.1, 0.2, -0.1]\nstiffness = 40.0\ndamping = 0.6\nlength = 0.7\n".to_owned(), (0, 1, 0)),
        ("[[joint]]\nname = \"pin\"\nkind = \"pin\"\nbody = \"b0\"\npoint = [0.0, 0.4, 0.0]\nto = [0.163, 1.014, 0.301]\ntime_constant = 0.1\n".to_owned(), (1, 0, 0)),
        (format!("{hand}[[joint]]\nname = \"pin\"\nkind = \"pin\"\nbody = \"b0\"\npoint = [0.0, 0.35, 0.0]\nto = {{ track = \"hand\" }}\n"), (1, 0, 1)),
        (format!("{reel}[[joint]]\nname = \"string\"\nkind = \"distance\"\nbody = \"b0\"\npoint = [0.02, 0.07, 0.01]\nto = [0.0, 1.5, 0.0]\nlength = {{ track = \"reel\" }}\n"), (1, 0, 1)),
        (hinges.to_owned(), (2, 1, 0)),
    ] {
        let scene = open(&format!("{head}{body}{tables}")).unwrap_or_else(|error| panic!("{tables}\n{error}"));
        assert_eq!((scene.joints.len(), scene.forces.len(), scene.tracks.len()), counts);
    }
}
