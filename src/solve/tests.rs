//! Rows of every kind of moment against differences, and small scenes whose answer is on paper.

mod bounds;
mod floating;
mod machines;

use std::sync::Arc;

use super::purse::Purse;
use super::rows::linearize;
use super::suggestion::{Whose, suggest};
use super::*;
use crate::goal::{Goal, Reading};
use crate::model::{ControlVector, Model, ParameterId};
use crate::scene::{Nail, Scene};

const BOUNCE: &str = r#"
format = 1
duration = 1.5
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
restitution = 0.8
friction = 0.3
[[body]]
name = "bucket"
fixed = true
shape = { kind = "ball", radius = 0.05 }
position = [5.0, 0.5, 0.4]
rotation = [0.2, -0.4, 0.9]
region = { kind = "box", center = [0.1, 0.2, 0.0], half_extents = [0.1, 0.2, 0.1] }
[[body]]
name = "box"
shape = { kind = "cuboid", half_extents = [0.2, 0.12, 0.08] }
position = [0, 0.8, 0]
rotation = [0.3, 0.5, 0.2]
velocity = [0.5, 0.2, -0.5]
spin = [1, 2, 0.5]
restitution = 0.8
friction = 0.3
"#;

fn model(text: &str) -> Arc<Model> {
    let scene = Scene::parse(text, "solve.toml").unwrap_or_else(|error| panic!("{error}"));
    Arc::new(Model::new(&scene).unwrap_or_else(|errors| panic!("{errors}")))
}

fn goals(model: &Model, nails: &[&str]) -> Vec<Goal> {
    let nails: Vec<Nail> = nails.iter().map(|json| serde_json::from_str(json).expect(json)).collect();
    Goal::of_nails(model, &nails).unwrap_or_else(|errors| panic!("{errors}"))
}

fn values(point: &Point) -> Vec<f64> {
    let read = |reading: &Reading| match reading {
        Reading::Read(_, residuals) => residuals.iter().map(|residual| residual.value).collect::<Vec<_>>(),
        Reading::Missing(missing) => panic!("{missing}"),
    };
    point.nails.iter().flat_map(read).collect()
}

/// J of `linearize` against central differences over every parameter.
#[track_caller]
fn check_rows(nail: &str) {
    let model = model(BOUNCE);
    let goals = goals(&model, &[nail]);
    let wishes = Wishes { nails: &goals, drag: None };
    let point = Point::new(&model, &model.control(), wishes);
    let parameters: Vec<ParameterId> = (0..model.parameters().len() as u32).map(ParameterId).collect();
    let rows = linearize(&point, &goals, &parameters, &|| true).expect("wanted").nails;
    for (k, id) in parameters.iter().enumerate() {
        let h = 1e-6 * point.u[*id].abs().max(0.1);
        let at = |step: f64| {
            let mut u: ControlVector = point.u.clone();
            u[*id] += step;
            let moved = Point::new(&model, &u, wishes);
            let shared = moved.trajectory.signature().shared_prefix(&point.trajectory.signature());
            assert!(shared >= 2, "another kind of motion");
            values(&moved)
        };
        let (low, high) = model.parameters()[k].bounds;
        if point.u[*id] - h < low || point.u[*id] + h > high {
            continue;
        }
        for (row, (ahead, behind)) in rows.iter().zip(at(h).iter().zip(at(-h))) {
            let (exact, numeric) = (row.row[k], (ahead - behind) / (2.0 * h));
            let close = (exact - numeric).abs() <= 3e-6 * (1.0 + exact.abs());
            assert!(close, "{nail} by {}: exact {exact}, numeric {numeric}", model.parameters()[k].name);
        }
    }
}

#[test]
fn rows_at_fixed_and_floating_moments_are_derivatives() {
    check_rows(r#"{"body":"box","at":0.8,"point":[0.1,0,0.05],"position":[0,0,0],"velocity":[0,0,0]}"#);
    check_rows(r#"{"body":"box","at":{"impact":"box/floor#1","side":"before"},"position":[0,0,0],"velocity":[0,0,0]}"#);
    check_rows(r#"{"body":"box","at":{"impact":"box/floor#1"},"rotation":[0,0,0],"spin":[0,0,0]}"#);
    check_rows(r#"{"body":"box","at":{"apex":"box","n":2},"position":[0,0,0],"rotation":[0,0,0]}"#);
    check_rows(r#"{"body":"box","at":{"apex":"box"},"velocity":[0,0,0],"spin":[0,0,0]}"#);
    check_rows(r#"{"expression":"t(box/floor#1) + 2*t(apex box#2) = 1"}"#);
    check_rows(r#"{"body":"box","at":0.3,"inside":{"body":"bucket"}}"#);
    check_rows(r#"{"at":{"apex":"box","n":2},"expression":"energy(box) + distance(box, bucket) = 1"}"#);
}

fn solved(text: &str, nails: &[&str]) -> (Point, Report, Arc<Model>) {
    let model = model(text);
    let goals = goals(&model, nails);
    let wishes = Wishes { nails: &goals, drag: None };
    let start = Point::new(&model, &model.control(), wishes);
    let (end, report) = solve(start, wishes, &Settings::default(), &|_| true);
    (end, report, model)
}

#[test]
fn a_throw_hits_its_mark_with_the_velocity_on_paper() {
    let (end, report, model) = solved(BOUNCE, &[r#"{"body":"box","at":0.3,"position":[1.0,0.7,0.3]}"#]);
    assert_eq!(report.verdict, Verdict::Met);
    let velocity = |axis: &str| end.u[model.parameter(&format!("box.velocity.{axis}")).expect("a parameter")];
    let expected = [1.0 / 0.3, (0.7 - 0.8) / 0.3 + 0.5 * 9.81 * 0.3, 1.0];
    for (axis, expected) in ["x", "y", "z"].iter().zip(expected) {
        assert!((velocity(axis) - expected).abs() < 1e-9, "{axis}: {} against {expected}", velocity(axis));
    }
    assert!(report.kkt < 1e-9, "{:e}", report.kkt);
    assert!(report.iterations <= 12, "{}", report.iterations);
}

#[test]
fn what_is_locked_or_met_is_untouched_to_the_bit() {
    let (end, report, model) = solved(BOUNCE, &[r#"{"body":"box","at":0.3,"position":{"x":1.0}}"#]);
    assert_eq!(report.verdict, Verdict::Met);
    for (parameter, (before, after)) in
        model.parameters().iter().zip(model.control().values().iter().zip(end.u.values()))
    {
        if parameter.name != "box.velocity.x" {
            assert_eq!(before.to_bits(), after.to_bits(), "{}", parameter.name);
        }
    }
}

#[test]
fn wishes_after_a_bounce_are_met() {
    let nail = r#"{"body":"box","at":{"apex":"box","n":2},"position":[0.9,0.6,-0.5]}"#;
    let (end, report, _) = solved(BOUNCE, &[nail]);
    assert_eq!(report.verdict, Verdict::Met, "{report:?}");
    assert!(values(&end).iter().all(|value| value.abs() < 1e-8), "{:?}", values(&end));
}

/// The motion is followed only as far as wishes look; an event that has to come much later is still found.
#[test]
fn an_event_may_move_to_a_much_later_time() {
    let (end, report, model) = solved(BOUNCE, &[r#"{"body":"box","at":{"apex":"box"},"position":{"y":1.2}}"#]);
    assert_eq!(report.verdict, Verdict::Met, "{report:?}");
    let rise = end.u[model.parameter("box.velocity.y").expect("a parameter")];
    assert!((rise - (2.0 * 9.81 * 0.4_f64).sqrt()).abs() < 1e-9, "{rise}");
    assert!(report.iterations <= 20 && report.jumps.is_empty(), "{report:?}");
    let (end, report, _) = solved(BOUNCE, &[r#"{"expression":"t(box/floor#1) = 1.3"}"#]);
    assert_eq!(report.verdict, Verdict::Met, "{report:?}");
    assert!(end.trajectory.is_whole(&end.model));
}

#[test]
fn nails_that_conflict_are_named_with_what_is_missed() {
    let nails = [
        r#"{"name":"left","body":"box","at":0.3,"position":{"x":0.5,"y":0.7}}"#,
        r#"{"name":"right","body":"box","at":0.3,"position":{"x":0.7}}"#,
        r#"{"name":"apart","body":"box","at":0.3,"position":{"z":0.1}}"#,
        r#"{"name":"never","body":"bucket","at":0.3,"position":{"x":6.0}}"#,
    ];
    let (_, report, _) = solved(BOUNCE, &nails);
    assert_eq!(report.verdict, Verdict::Short);
    let missed: Vec<String> = report.nails.iter().filter(|nail| !nail.is_met()).map(ToString::to_string).collect();
    let expected = [
        "left: short by 0.100000 m, against right",
        "right: short by 0.100000 m, against left",
        "never: short by 1.000000 m; bucket is fixed, and its position and rotation are locked; free bucket.position, or nail a body that moves",
    ];
    assert_eq!(missed, expected);
}

#[test]
fn a_drag_does_not_break_a_nail() {
    let model = model(BOUNCE);
    let nails = goals(&model, &[r#"{"body":"box","at":0.9,"position":[0.45,0.3,-0.4]}"#]);
    let alone = Wishes { nails: &nails, drag: None };
    let (held, report) = solve(Point::new(&model, &model.control(), alone), alone, &Settings::default(), &|_| true);
    assert_eq!(report.verdict, Verdict::Met);
    let drag = &goals(&model, &[r#"{"body":"box","at":0.9,"rotation":[0.4,0.2,0.1]}"#])[0];
    let wishes = Wishes { nails: &nails, drag: Some(drag) };
    let start = Point::of(held.model, held.u, held.trajectory, wishes);
    let before = start.merit(wishes);
    let (end, _) = solve(start, wishes, &Settings { iterations: 30, ..Settings::default() }, &|_| true);
    let after = end.merit(wishes);
    assert!(after.nails < 1e-6, "{after:?}");
    assert!(after.drag < before.drag, "{before:?} to {after:?}");
}

/// A wall stands between the ball and its wish: the outcome names it and when it is met, and the ball stays as near as it can.
#[test]
fn a_wish_behind_a_wall_is_blocked_by_it() {
    let text = "format = 1\nduration = 2.0\ngravity = [0, 0, 0]\n[[body]]\nname = \"wall\"\nfixed = true\n\
        shape = { kind = \"half_space\", normal = [-1, 0, 0] }\nposition = [1, 0, 0]\n[[body]]\nname = \"ball\"\n\
        shape = { kind = \"ball\", radius = 0.1 }\nvelocity = [0.3, 0, 0]\n";
    let (end, report, model) = solved(text, &[r#"{"body":"ball","at":2.0,"position":[1.5,0.1,0]}"#]);
    let Verdict::Blocked { pair, t } = report.verdict else { panic!("{report:?}") };
    let names = [pair.first, pair.second].map(|body| model.bodies()[body.index()].name.to_string());
    assert_eq!(names, ["ball", "wall"]);
    assert!((1.0..=2.0).contains(&t), "{t}");
    let short = report.nails[0].error.expect("it has a value");
    assert!((0.6..0.75).contains(&short), "{short}: the wall leaves 0.6 m, and nothing is lost");
    assert!(report.iterations < 200 && end.u.values().iter().all(|value| value.is_finite()));
}

#[test]
fn an_impossible_wish_ends_with_a_verdict_and_finite_numbers() {
    for nail in [
        r#"{"body":"box","at":0.9,"position":[0.0,-1.0,0.0]}"#,
        r#"{"body":"box","at":{"impact":"box/bucket#3"},"position":[0.0,1.0,0.0]}"#,
        r#"{"expression":"speed(box) <= -1"}"#,
    ] {
        let model = model(BOUNCE);
        let goals = goals(&model, &[nail]);
        let wishes = Wishes { nails: &goals, drag: None };
        let start = Point::new(&model, &model.control(), wishes);
        let settings = Settings { iterations: 40, samples: 8, ..Settings::default() };
        let (end, report) = solve(start, wishes, &settings, &|_| true);
        assert_ne!(report.verdict, Verdict::Met, "{nail}");
        assert!(end.u.values().iter().all(|value| value.is_finite()), "{nail}");
    }
}

/// Samples shake every body where an event is missing; what the motion that was found does not need keeps its bits.
#[test]
fn a_jump_changes_only_bodies_that_matter() {
    let near = BOUNCE.replace("[5.0, 0.5, 0.4]", "[1.2, 0.3, 0.0]");
    let far = "[[body]]\nname = \"far\"\nshape = { kind = \"ball\", radius = 0.1 }\nposition = [50, 1, 0]\n";
    let nail = r#"{"body":"box","at":{"impact":"box/bucket#1","side":"before"},"velocity":{"z":0.2}}"#;
    let (end, report, model) = solved(&(near + far), &[nail]);
    assert_eq!(report.verdict, Verdict::Met, "{report:?}");
    assert!(!report.jumps.is_empty());
    for (parameter, (before, after)) in
        model.parameters().iter().zip(model.control().values().iter().zip(end.u.values()))
    {
        let touched = parameter.name.starts_with("box.");
        assert!(touched || before.to_bits() == after.to_bits(), "{} changed", parameter.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let model = model(BOUNCE);
    let goals = goals(&model, &[r#"{"body":"box","at":{"impact":"box/bucket#1"},"velocity":{"x":1}}"#]);
    let wishes = Wishes { nails: &goals, drag: None };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = Settings { iterations: 6, samples: 16, ..Settings::default() };
        pool.install(|| solve(Point::new(&model, &model.control(), wishes), wishes, &settings, &|_| true).0.u)
    };
    let bits = |u: ControlVector| u.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(run(1)), bits(run(2)));
}

#[test]
fn parameters_without_influence_are_called_powerless() {
    let locked = format!(
        "{BOUNCE}\n[[control]]\nparameter = \"box.velocity\"\nfree = false\n[[control]]\nparameter = \"box.rotation\"\nfree = false\n[[control]]\nparameter = \"box.spin\"\nfree = false\n"
    );
    let (_, report, _) = solved(&locked, &[r#"{"body":"box","at":0.3,"position":[1.0,0.7,0.3]}"#]);
    assert_eq!(report.verdict, Verdict::Powerless);
    assert_eq!(report.iterations, 0, "there is nothing to try");
    let model = model(&locked);
    let goals = goals(&model, &[r#"{"body":"box","at":0.3,"position":[1.0,0.7,0.3]}"#]);
    let wishes = Wishes { nails: &goals, drag: None };
    let point = Point::new(&model, &model.control(), wishes);
    let mut purse = Purse::new(None, &point, &|_| true);
    let suggestion = suggest(&point, wishes, 0.25, Whose::Needed, &mut purse, &mut 0.0).expect("wanted");
    assert_eq!(suggestion.plain.length, 0.0);
}
