//! Where a solve ends: when it is told to, when it has spent what it may, at once where nothing has influence; and what it leaves alone.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::simulation::{BrokenOff, Limits, simulate, simulate_within};

const FLOOR: &str = "format = 1\nduration = 1.0\n[[body]]\nname = \"floor\"\nfixed = true\n\
    shape = { kind = \"half_space\", normal = [0, 1, 0] }\nrestitution = 0.5\nfriction = 0.5\n";

fn body(name: &str, shape: &str, place: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = {{ {shape} }}\nposition = {place}\n")
}

fn bits(u: &ControlVector) -> Vec<u64> {
    u.values().iter().map(|value| value.to_bits()).collect()
}

fn solve_with(text: &str, nail: &str, settings: &Settings, go_on: GoOn) -> (Point, Report) {
    let model = model(text);
    let goals = goals(&model, &[nail]);
    let wishes = Wishes { nails: &goals, drag: None };
    solve(Point::new(&model, &model.control(), wishes), wishes, settings, go_on)
}

/// A long motion that nobody wants any more, or that is too dear, is no motion; one within its limits has the bits of any other.
#[test]
fn a_motion_is_whole_or_none() {
    let model =
        model(&(FLOOR.to_owned() + &body("box", "kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1]", "[0, 1, 0]")));
    let u = model.control();
    let usual = simulate(&model, &u);
    let effort = usual.work.effort();
    let within = |effort: u64| simulate_within(&model, &u, Limits { effort, ..Limits::NONE });
    assert_eq!(within(effort).expect("enough").work, usual.work);
    assert_eq!(within(effort / 2).expect_err("too little"), BrokenOff::TooDear);
    let asked = AtomicU32::new(0);
    let wanted = || asked.fetch_add(1, Ordering::Relaxed) < 20;
    let broken_off = simulate_within(&model, &u, Limits { wanted: &wanted, ..Limits::NONE });
    assert_eq!(broken_off.expect_err("nobody wants it"), BrokenOff::Unwanted);
    assert_eq!(asked.into_inner(), 21, "it went on after it was told to stop");
}

/// Whenever a solve is told to stop, in the midst of a motion too, it ends there, and is the solve with the iterations it made.
#[test]
fn a_solve_that_is_stopped_is_the_solve_with_fewer_iterations() {
    let nail = r#"{"body":"box","at":0.9,"position":[0.0,-1.0,0.0]}"#;
    let settings = Settings { samples: 8, rounds: 4, iterations: 60, ..Settings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for questions in [0, 3, 100, 1000, 5000, 20_000] {
        let (asked, after) = (AtomicU32::new(0), AtomicU32::new(0));
        let go_on = |ask: Ask| {
            let more = ask == Ask::Rest || asked.fetch_add(1, Ordering::Relaxed) < questions;
            after.fetch_add(u32::from(!more), Ordering::Relaxed);
            more
        };
        let (end, report) = pool.install(|| solve_with(BOUNCE, nail, &settings, &go_on));
        // Each of the samples that are drawn side by side is told once.
        assert!(after.into_inner() <= settings.samples, "it went on after it was told to stop");
        if report.verdict == Verdict::Unfinished(Stop::Asked) {
            let fewer = Settings { iterations: report.iterations, ..settings };
            let (same, _) = solve_with(BOUNCE, nail, &fewer, &|_| true);
            assert_eq!(bits(&end.u), bits(&same.u), "after {questions} questions");
        } else {
            assert!(questions > 1000, "{:?} after {questions} questions", report.verdict);
        }
    }
}

/// What a solve may cost is counted: it ends at the same place on any number of threads, and says that this is why.
#[test]
fn a_solve_that_has_spent_its_effort_says_so() {
    let nail = r#"{"body":"box","at":0.9,"position":[0.0,-1.0,0.0]}"#;
    let run = |threads: usize, effort: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = Settings { effort: Some(effort), samples: 8, ..Settings::default() };
        let (end, report) = pool.install(|| solve_with(BOUNCE, nail, &settings, &|_| true));
        (bits(&end.u), report.iterations, report.simulations, report.verdict)
    };
    let (few, more) = (run(1, 20_000), run(1, 100_000));
    assert_eq!(few, run(2, 20_000));
    assert_eq!(few.3, Verdict::Unfinished(Stop::Effort));
    assert!(few.2 < more.2 && few.2 <= 200 + 16, "{} and {} simulations", few.2, more.2);
}

/// An event that occurs is nearer to a wish than one that does not, though the wish then misses something and cannot but.
#[test]
fn a_jump_that_makes_an_event_occur_is_taken() {
    let near = BOUNCE.replace("[5.0, 0.5, 0.4]", "[1.2, 0.3, 0.0]");
    let nail = r#"{"at":{"impact":"box/bucket#1"},"expression":"speed(box) <= -1"}"#;
    let settings = Settings { iterations: 40, ..Settings::default() };
    let (_, report) = solve_with(&near, nail, &settings, &|_| true);
    assert!(report.nails[0].error.is_some_and(|error| error < 10.0), "{report:?}");
    assert!(!report.jumps.is_empty(), "{report:?}");
}

/// Wishes in vain are told at once, each by name and with advice; those beside them are met all the same.
#[test]
fn a_wish_in_vain_is_told_at_once() {
    let ball = body("ball", "kind = \"ball\", radius = 0.1", "[0, 1, 0]");
    let dust = |name: &str| body(name, "kind = \"particle\"", "[9, 1, 0]") + "mass = 1\n";
    let text = FLOOR.to_owned() + &ball + &dust("a") + &dust("b").replace("[9,", "[8,");
    let floats = text.replace("duration = 1.0", "duration = 1.0\ngravity = [0, 0, 0]");
    let locked = ["ball", "a", "b"].map(|name| {
        let lock = |field: &str| format!("[[control]]\nparameter = \"{name}.{field}\"\nfree = false\n");
        let fields: &[&str] = if name == "ball" { &["velocity", "rotation", "spin"] } else { &["velocity"] };
        fields.iter().map(|field| lock(field)).collect::<String>()
    });
    let locked = text.clone() + &locked.concat();
    let far = r#"{"body":"ball","at":0.3,"position":[1,1,0]}"#;
    for (text, nail, why) in [
        (&text, r#"{"body":"floor","at":0.3,"position":[1,0,0]}"#, "free floor.position"),
        (&text, r#"{"expression":"1 = 2"}"#, "nothing that depends on the motion"),
        (&text, r#"{"at":{"impact":"a/b#1"},"expression":"speed(a) = 0"}"#, "a and b are particles and never meet"),
        (&text, r#"{"body":"ball","at":{"impact":"ball#2000000"},"position":[1,1,0]}"#, "beyond the max_events"),
        (&floats, r#"{"body":"ball","at":{"apex":"ball"},"position":[1,1,0]}"#, "without gravity"),
        (&locked, far, "free one, such as ball.velocity"),
    ] {
        let (_, report) = solve_with(text, nail, &Settings::default(), &|_| true);
        assert_eq!((report.verdict, report.iterations, report.simulations), (Verdict::Powerless, 0, 0), "{nail}");
        let said = report.nails[0].to_string();
        assert!(said.contains(why), "{nail}: {said}");
    }
    let (end, report, _) = solved(&text, &[r#"{"body":"floor","at":0.3,"position":[1,0,0]}"#, far]);
    assert_eq!(report.verdict, Verdict::Powerless);
    assert!(report.nails[1].is_met() && !report.nails[0].is_met(), "{report:?}");
    assert!(end.u != model(&text).control());
}

/// What lies on a floor may be moved along it, and turned as far as it stays clear; it never starts inside it.
#[test]
fn a_start_that_touches_moves_along_what_it_touches() {
    let free = "[[control]]\nparameter = \"box.position\"\nfree = true\n[[control]]\nparameter = \"box.velocity\"\nfree = false\n\
        [[control]]\nparameter = \"box.spin\"\nfree = false\n";
    let text =
        FLOOR.to_owned() + &body("box", "kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1]", "[0, 0.1, 0]") + free;
    for (nail, meets) in [
        (r#"{"body":"box","at":0.5,"position":{"x":0.4,"z":-0.3}}"#, true),
        (r#"{"body":"box","at":0.0,"position":[0.4,0.1,-0.3],"rotation":[0,0.7,0]}"#, true),
        (r#"{"body":"box","at":0.0,"position":[0.4,0.0,-0.3]}"#, false),
        (r#"{"body":"box","at":0.0,"position":{"y":0.1},"rotation":[0,0,0.7]}"#, false),
    ] {
        let (end, report) = solve_with(&text, nail, &Settings { iterations: 60, ..Settings::default() }, &|_| true);
        assert_eq!(report.verdict == Verdict::Met, meets, "{nail}: {report:?}");
        let deepest = start::depth(&end.model, &end.u);
        assert!(deepest <= 5e-7, "{nail}: starts {deepest:e} m deep");
    }
}

/// A ball that another strikes has no wish of its own: it is left alone where the other can do without, and named where it cannot.
#[test]
fn what_has_no_wish_is_changed_only_where_it_is_needed() {
    let ball = |name: &str, place: &str, velocity: &str| {
        body(name, "kind = \"ball\", radius = 0.1", place) + &format!("velocity = {velocity}\n")
    };
    let space = "format = 1\nduration = 1.0\ngravity = [0, 0, 0]\n".to_owned();
    let text = space + &ball("cue", "[0, 1, 0]", "[1, 0, 0]") + &ball("struck", "[0.8, 1, 0]", "[0, 0, 0]");
    let lock = "[[control]]\nparameter = \"cue.velocity\"\nfree = false\n";
    let nail = r#"{"body":"cue","at":0.9,"position":{"x":0.75}}"#;
    for (text, changed) in [(text.clone(), "cue"), (text + lock, "struck")] {
        let (end, report, model) = solved(&text, &[nail]);
        assert_eq!(report.verdict, Verdict::Met, "{report:?}");
        let others: Vec<&str> = if changed == "cue" { Vec::new() } else { vec!["struck"] };
        assert_eq!(report.needed, others);
        for (parameter, (before, after)) in
            model.parameters().iter().zip(model.control().values().iter().zip(end.u.values()))
        {
            let own = parameter.name.starts_with(changed);
            assert!(own || before.to_bits() == after.to_bits(), "{} changed", parameter.name);
        }
    }
}
