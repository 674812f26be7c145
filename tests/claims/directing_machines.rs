//! Jointed bodies are dragged and nailed at any time, and joints that hold at the start hold afterwards: D and Ḋ within 1e-12.
//!
//! The places of jointed bodies follow their joints though places are locked else; what nothing ties to the world keeps the place of its
//! first body. Numbers of joints, forces and tracks take part when they are freed. A start that is assembled is where steps begin.

use hattrick::math::rotation::angle_between;
use hattrick::model::World;
use hattrick::scene::Scene;
use hattrick::session::{Edit, Journal, Session};
use hattrick::solve::Verdict;

/// Of D and Ḋ at the start, m, rad, m/s, rad/s.
const HELD: f64 = 1e-12;

/// A rod on a pin and one on its end, on a hinge that has a moving place.
const RODS: &str = r#"
format = 1
duration = 1.5
[[body]]
name = "upper"
shape = { kind = "capsule", half_height = 0.4, radius = 0.04 }
mass = 2.0
position = [0, 0.4, 0]
[[body]]
name = "lower"
shape = { kind = "capsule", half_height = 0.4, radius = 0.04 }
mass = 1.0
position = [0.5, -0.5, 0]
rotation = [0, 0, 1.5707963267948966]
[[joint]]
name = "nail"
kind = "pin"
body = "upper"
point = [0, 0.5, 0]
to = [0, 0.9, 0]
[[joint]]
name = "elbow"
kind = "hinge"
bodies = ["lower", "upper"]
points = [[0, 0.5, 0], [0, -0.9, 0]]
axes = [[0, 0, 1], [0, 0, 1]]
"#;

fn session(text: &str) -> Session {
    Session::new(Scene::parse(text, "m.toml").unwrap_or_else(|error| panic!("{error}")))
        .unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn apply(session: &mut Session, text: &str) -> Option<Verdict> {
    let edit: Edit = serde_json::from_str(text).expect("an edit");
    let outcome = session.apply(edit).unwrap_or_else(|error| panic!("{text}: {error}"));
    outcome.report.map(|report| report.verdict)
}

/// The largest |D| and |Ḋ| at the start.
fn broken(session: &Session) -> f64 {
    let rates = session.trajectory().flight(0).joint_rates(0.0).into_iter().flatten();
    rates.map(f64::abs).fold(0.0, f64::max)
}

fn place(session: &Session, body: &str, t: f64) -> [f64; 3] {
    let id = session.model().body(body).expect("a body");
    session.whole_trajectory().body_at(id, t).position.into()
}

/// Drags a body by a vector at a time, lets go, and nails it there.
#[track_caller]
fn drag_and_nail(session: &mut Session, body: &str, t: f64, by: [f64; 3]) {
    let from = place(session, body, t);
    let target = [0, 1, 2].map(|k| from[k] + by[k]);
    apply(session, &format!(r#"{{"edit":"grab","body":"{body}","at":{t}}}"#));
    let verdict = apply(session, &format!(r#"{{"edit":"move","target":{target:?},"iterations":40,"seed":1}}"#));
    assert_eq!(verdict, Some(Verdict::Met), "{body} at {t}");
    apply(session, r#"{"edit":"release"}"#);
    apply(session, &format!(r#"{{"edit":"nail","nail":{{"body":"{body}","at":{t},"position":{target:?}}}}}"#));
    assert!(session.nail_reports().iter().all(|nail| nail.is_met()));
}

#[test]
fn the_end_of_a_double_pendulum_goes_where_it_is_dragged() {
    let mut session = session(RODS);
    let start = session.u().clone();
    drag_and_nail(&mut session, "lower", 0.5, [0.05, 0.03, 0.02]);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
    drag_and_nail(&mut session, "lower", 0.25, [0.01, 0.01, 0.01]);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
    // Saved and read back it is the same motion.
    let again = self::session(&session.text());
    assert!(broken(&again) <= HELD && again.nail_reports().iter().all(|nail| nail.is_met()));
    for _ in 0..4 {
        apply(&mut session, r#"{"edit":"undo"}"#);
    }
    assert_eq!(*session.u(), start, "each drag and each nail is one step");
    // At the start itself: the rods swing about the pin, and their places follow.
    drag_and_nail(&mut session, "lower", 0.0, [0.05, 0.1, 0.02]);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
}

#[test]
fn a_place_that_a_person_locks_stays() {
    let mut session = session(RODS);
    for body in ["upper", "lower"] {
        apply(&mut session, &format!(r#"{{"edit":"lock","parameter":"{body}.position"}}"#));
    }
    let before = session.trajectory().at(0.0);
    drag_and_nail(&mut session, "lower", 0.5, [0.05, 0.03, 0.0]);
    let after = session.trajectory().at(0.0);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.position, after.position);
    }
}

#[test]
fn samples_of_jumps_keep_joints_too() {
    let mut session = session(RODS);
    // Out of reach: the solver tries everything it has, and ends with rods that are whole.
    apply(&mut session, r#"{"edit":"grab","body":"lower","at":0.8}"#);
    let verdict = apply(&mut session, r#"{"edit":"move","target":[0,5,0],"iterations":6,"seed":3}"#);
    assert_ne!(verdict, Some(Verdict::Met));
    apply(&mut session, r#"{"edit":"release"}"#);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
}

#[test]
fn numbers_of_joints_forces_and_tracks_take_part_when_they_are_freed() {
    let text = RODS.to_owned()
        + "[[track]]\nname = \"gust\"\nkeys = [{ t = 0.0, value = [0, 0, 0] }, { t = 0.4, value = [3, 0, 0] }]\n\
           [[force]]\nname = \"wind\"\nkind = \"push\"\nbody = \"lower\"\npoint = [0, 0, 0]\nforce = { track = \"gust\" }\n\
           [[force]]\nname = \"band\"\nkind = \"spring\"\nbody = \"lower\"\nto = [1, 0, 0]\nstiffness = 4.0\n";
    for freed in [
        &["nail.to", "nail.point"][..],
        &["elbow.second", "elbow.point"],
        &["gust.2.value", "gust.1.value"],
        &["band.stiffness", "band.to"],
    ] {
        let mut session = session(&text);
        for body in ["upper", "lower"] {
            for field in ["rotation", "velocity", "spin"] {
                apply(&mut session, &format!(r#"{{"edit":"lock","parameter":"{body}.{field}"}}"#));
            }
        }
        for parameter in freed {
            apply(&mut session, &format!(r#"{{"edit":"free","parameter":"{parameter}"}}"#));
        }
        drag_and_nail(&mut session, "lower", 0.35, [0.01, 0.005, 0.0]);
        assert!(broken(&session) <= HELD, "{freed:?}: {:e}", broken(&session));
        let changed = session.model().parameters().iter().zip(session.u().values());
        let changed: Vec<&str> =
            changed.filter(|(own, value)| own.value != **value).map(|(own, _)| own.name.as_str()).collect();
        assert!(
            changed.iter().any(|name| name.starts_with(freed[0].split('.').next().unwrap())),
            "{freed:?}: {changed:?}"
        );
    }
}

#[test]
fn what_nothing_ties_to_the_world_keeps_the_place_of_its_first_body() {
    let floating = RODS.replace(
        "[[joint]]\nname = \"nail\"\nkind = \"pin\"\nbody = \"upper\"\npoint = [0, 0.5, 0]\nto = [0, 0.9, 0]\n",
        "",
    );
    let mut session = session(&floating);
    let free = |session: &Session, name: &str| {
        let id = session.model().parameter(name).expect("a parameter");
        session.model().parameters()[id.index()].free
    };
    assert!(!free(&session, "upper.position.x") && free(&session, "lower.position.x"));
    let before = place(&session, "upper", 0.0);
    drag_and_nail(&mut session, "lower", 0.5, [0.2, 0.1, 0.1]);
    assert_eq!(place(&session, "upper", 0.0), before);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
}

#[test]
fn bodies_that_are_welded_are_dragged_as_one() {
    let text = RODS.to_owned()
        + "[[body]]\nname = \"head\"\nshape = { kind = \"ball\", radius = 0.1 }\nmass = 0.5\nposition = [1.1, -0.5, 0.1]\n\
           rotation = [0.2, 0.1, 0.3]\n[[joint]]\nname = \"glue\"\nkind = \"weld\"\nbodies = [\"head\", \"lower\"]\n";
    let mut session = session(&text);
    let stand = |session: &Session| {
        let world = World::new(session.model(), session.u());
        let [lower, head] = [1, 2].map(|k| world.bodies[k].initial);
        let place = lower.rotation.inverse_transform_vector(&(head.position - lower.position));
        (place, lower.rotation.inverse() * head.rotation)
    };
    let before = stand(&session);
    drag_and_nail(&mut session, "head", 0.0, [0.05, 0.1, 0.02]);
    drag_and_nail(&mut session, "head", 0.6, [0.1, 0.1, 0.02]);
    let after = stand(&session);
    assert!((before.0 - after.0).norm() <= HELD && angle_between(&before.1, &after.1) <= HELD);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
}

#[test]
fn a_rod_that_flies_to_its_nail_may_start_elsewhere() {
    let apart = RODS.replace("position = [0, 0.4, 0]", "position = [0.3, 0.4, 0]");
    let mut session = session(&apart);
    let locked = session.model().parameters().iter().filter(|own| own.name.contains("position") && own.free).count();
    assert_eq!(locked, 0, "nothing holds");
    drag_and_nail(&mut session, "lower", 0.6, [0.03, 0.03, 0.0]);
}

#[test]
fn an_assembled_machine_is_dragged_from_where_it_is_assembled() {
    let text =
        RODS.replace("format = 1\n", "format = 1\nassemble = true\n").replace("[0.5, -0.5, 0]", "[0.7, -0.4, 0.1]");
    let mut session = session(&text);
    let given = session.u().clone();
    assert!(session.text().contains("[0.7, -0.4, 0.1]"), "the file keeps what it says");
    drag_and_nail(&mut session, "lower", 0.7, [0.05, 0.05, 0.02]);
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
    // The start that was solved needs no assembling.
    let world = World::given(session.model(), session.u());
    for (given, assembled) in world.bodies.iter().zip(&session.trajectory().world().bodies) {
        assert!(given.initial.tangent_to(&assembled.initial).amax() <= HELD);
    }
    let again = self::session(&session.text());
    assert!(again.text().contains("assemble = true") && again.nail_reports().iter().all(|nail| nail.is_met()));
    apply(&mut session, r#"{"edit":"undo"}"#);
    apply(&mut session, r#"{"edit":"undo"}"#);
    assert_eq!(*session.u(), given);
}

/// Links hold from the first second to the last.
#[test]
fn the_journal_of_the_triple_pendulum_keeps_its_links() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/triple_pendulum.jsonl");
    let journal = Journal::open(&path).expect("a journal");
    let mut session = Session::open(journal.scene_path(&path)).unwrap_or_else(|error| panic!("{error}"));
    for edit in journal.edits {
        session.apply(edit).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(broken(&session) <= HELD, "{:e}", broken(&session));
    for k in 0..=40 {
        let t = 0.1 * f64::from(k);
        let off = session.trajectory().flight(0).joint_rates(t).into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
        assert!(off <= 1e-11, "{off:e} at {t}");
    }
}
