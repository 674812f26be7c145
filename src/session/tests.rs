//! Edits, their history, their journal, and saving.

mod machines;

use super::*;

const SCENE: &str = r#"# A throw.
format = 1
duration = 1.0
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
[[body]]
name = "egg"
shape = { kind = "cuboid", half_extents = [0.1, 0.05, 0.08] }
position = [0, 1, 0]   # stays
velocity = [1, 0, 0]
rotation = [0.1, 0.2, 0.3]
"#;

fn session() -> Session {
    Session::new(Scene::parse(SCENE, "egg.toml").expect("valid")).unwrap_or_else(|error| panic!("{error}"))
}

fn edit(json: &str) -> Edit {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn bits(session: &Session) -> Vec<u64> {
    session.u().values().iter().map(|value| value.to_bits()).collect()
}

#[track_caller]
fn apply(session: &mut Session, json: &str) -> Outcome {
    session.apply(edit(json)).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn edits_are_undone_and_redone_to_the_bit() {
    let mut session = session();
    let start = bits(&session);
    apply(&mut session, r#"{"edit":"set","parameter":"egg.velocity.x","value":2.5}"#);
    let set = bits(&session);
    apply(&mut session, r#"{"edit":"lock","parameter":"egg.spin"}"#);
    assert_eq!(session.model().free_parameters().count(), 6);
    apply(&mut session, r#"{"edit":"nail","nail":{"body":"egg","at":0.3,"position":[1,0.7,0]}}"#);
    apply(&mut session, r#"{"edit":"solve","iterations":20}"#);
    let solved = bits(&session);
    for _ in 0..4 {
        apply(&mut session, r#"{"edit":"undo"}"#);
    }
    assert_eq!((bits(&session), session.nails().len()), (start, 0));
    assert_eq!(session.apply(Edit::Undo), Err(EditError::NothingToUndo));
    apply(&mut session, r#"{"edit":"redo"}"#);
    assert_eq!(bits(&session), set);
    for _ in 0..3 {
        apply(&mut session, r#"{"edit":"redo"}"#);
    }
    assert_eq!(bits(&session), solved);
    assert!(session.nail_reports()[0].is_met(), "{:?}", session.nail_reports());
    assert_eq!(session.apply(Edit::Redo), Err(EditError::NothingToRedo));
}

/// Who may change a parameter is no part of the motion: it is not computed again.
#[test]
fn locks_and_bounds_keep_the_motion() {
    let mut session = session();
    let motion = session.trajectory().clone();
    apply(&mut session, r#"{"edit":"lock","parameter":"egg.spin"}"#);
    apply(&mut session, r#"{"edit":"free","parameter":"egg.mass","bounds":[0.1,9],"weight":3}"#);
    assert!(Arc::ptr_eq(&motion, session.trajectory()));
    apply(&mut session, r#"{"edit":"free","parameter":"egg/floor#*.normal"}"#);
    assert!(!Arc::ptr_eq(&motion, session.trajectory()), "its impacts have parameters now");
    assert_eq!(motion.at(0.9), session.trajectory().at(0.9));
}

#[test]
fn a_drag_is_one_step_and_ends_on_its_target() {
    let mut session = session();
    let start = bits(&session);
    let outcome = apply(&mut session, r#"{"edit":"grab","body":"egg","at":0.3,"point":[0.1,0,0]}"#);
    let (t, place) = outcome.grabbed.expect("a grab tells where");
    assert_eq!(t, 0.3);
    let target = [place[0] + 0.2, place[1] + 0.1, place[2] - 0.1];
    for part in [0.5, 1.0] {
        let target = [0, 1, 2].map(|k| place[k] + part * (target[k] - place[k]));
        let moved = session.apply(Edit::Move { target, iterations: 10, seed: 0 }).expect("in hand");
        let drag = moved.report.and_then(|report| report.drag).expect("a drag");
        assert!(drag.error.is_some_and(|error| error < 1e-9), "{drag}");
    }
    assert_eq!(session.apply(Edit::Undo), Err(EditError::StillGrabbing));
    apply(&mut session, r#"{"edit":"release"}"#);
    assert_eq!(session.depth(), (1, 0));
    apply(&mut session, r#"{"edit":"undo"}"#);
    assert_eq!(bits(&session), start);
    assert_eq!(session.apply(Edit::Release), Err(EditError::NothingGrabbed));
}

#[test]
fn a_cancelled_drag_leaves_no_trace() {
    let mut session = session();
    let start = bits(&session);
    apply(&mut session, r#"{"edit":"grab","body":"egg","at":0.3}"#);
    apply(&mut session, r#"{"edit":"move","target":[1.0,1.0,1.0],"iterations":5}"#);
    assert_ne!(bits(&session), start);
    apply(&mut session, r#"{"edit":"cancel"}"#);
    assert_eq!((bits(&session), session.depth()), (start, (0, 0)));
}

#[test]
fn a_journal_replays_to_the_same_bits() {
    let mut session = session();
    for json in [
        r#"{"edit":"free","parameter":"egg.friction","weight":2.0,"bounds":[0.1,0.9]}"#,
        r#"{"edit":"grab","body":"egg","at":{"impact":"egg/floor#1","side":"before"},"what":"velocity"}"#,
        r#"{"edit":"move","target":[0.9,-4.0,0.2],"iterations":6,"seed":3}"#,
        r#"{"edit":"release"}"#,
        r#"{"edit":"nail","nail":{"expression":"speed(egg) <= 4"}}"#,
        r#"{"edit":"nail","index":0}"#,
        r#"{"edit":"undo"}"#,
    ] {
        apply(&mut session, json);
    }
    let journal = Journal::of(&session, "egg.toml");
    let read = Journal::parse(&journal.text(), "egg.jsonl").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read, journal);
    let mut again = self::session();
    for edit in read.edits {
        again.apply(edit).expect("it went before");
    }
    assert_eq!((bits(&again), again.nails()), (bits(&session), session.nails()));
    let cut = &journal.text()[..journal.text().len() - 5];
    assert_eq!(Journal::recover(cut, "egg.jsonl").expect("the rest").edits.len(), journal.edits.len() - 1);
}

#[test]
fn bad_edits_are_refused_and_change_nothing() {
    let mut session = session();
    let start = bits(&session);
    for (json, message) in [
        (r#"{"edit":"set","parameter":"egg.colour","value":1}"#, "no parameter is called \"egg.colour\""),
        (r#"{"edit":"set","parameter":"egg.restitution","value":2}"#, "egg.restitution cannot be 2"),
        (r#"{"edit":"grab","body":"agg","at":0.3}"#, "no body is called \"agg\""),
        (r#"{"edit":"grab","body":"egg","at":{"impact":"egg/floor#99"}}"#, "egg/floor#99 does not occur"),
        (r#"{"edit":"move","target":[0,0,0],"iterations":1}"#, "nothing is grabbed"),
        (r#"{"edit":"nail","index":3}"#, "there is no nail 3"),
        (r#"{"edit":"nail","nail":{"expression":"speed(egg)"}}"#, "is expected here"),
        (r#"{"edit":"free","parameter":"egg.wings"}"#, "egg.wings"),
    ] {
        let error = session.apply(edit(json)).expect_err(json).to_string();
        assert!(error.contains(message), "{json}: {error}");
    }
    assert_eq!((bits(&session), session.journal().len()), (start, 0));
    let error =
        Journal::parse("{\"journal\":1,\"scene\":\"a\"}\n{\"edit\":\"fly\"}\n", "j.jsonl").expect_err("no edit");
    assert!(error.to_string().starts_with("j.jsonl:2: this is no edit"), "{error}");
}

#[test]
fn a_saved_scene_reloads_to_the_same_bits_and_keeps_its_comments() {
    let mut session = session();
    for json in [
        r#"{"edit":"free","parameter":"egg.mass"}"#,
        r#"{"edit":"free","parameter":"egg/floor#*.normal"}"#,
        r#"{"edit":"set","parameter":"egg.rotation.y","value":0.25}"#,
        r#"{"edit":"set","parameter":"egg.mass","value":0.77}"#,
        r#"{"edit":"set","parameter":"egg.inertia.x","value":0.013}"#,
        r#"{"edit":"set","parameter":"egg/floor#1.normal.1","value":0.0123}"#,
        r#"{"edit":"set","parameter":"gravity.y","value":-9.0}"#,
        r#"{"edit":"nail","nail":{"body":"egg","at":"end","position":{"y":0.1}}}"#,
    ] {
        apply(&mut session, json);
    }
    let text = session.text();
    assert!(text.contains("# A throw.") && text.contains("# stays"), "{text}");
    let folder = std::env::temp_dir().join(format!("hattrick-session-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("egg.toml");
    let before = session.trajectory().at(0.4);
    session.save(&path).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = Session::open(&path).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_dir_all(&folder).expect("the folder");
    assert_eq!(bits(&again), bits(&session));
    assert_eq!(again.text(), session.text(), "saving twice changes nothing");
    let names = |session: &Session| {
        session
            .model()
            .free_parameters()
            .map(|id| session.model().parameters()[id.index()].name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&again), names(&session));
    for t in [0.2, 0.4, 0.9] {
        assert_eq!(again.trajectory().at(t), session.trajectory().at(t));
    }
    // Folding the rotation and the mass costs round-off.
    for (before, after) in before.iter().zip(session.trajectory().at(0.4)) {
        assert!(before.tangent_to(&after).norm() < 1e-9, "{:e}", before.tangent_to(&after).norm());
    }
}

/// A drag in flight does not wait for what settles later; letting go computes it, and the journal ends in the same bits.
#[test]
fn moves_follow_the_motion_as_far_as_the_wish_and_letting_go_the_rest() {
    let text = "format = 1\nduration = 3.0\n[[body]]\nname = \"floor\"\nfixed = true\n\
        shape = { kind = \"half_space\", normal = [0, 1, 0] }\n[[body]]\nname = \"box\"\n\
        shape = { kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1] }\nposition = [0, 1, 0]\nspin = [1, 2, 3]\n";
    let scene = Scene::parse(text, "box.toml").unwrap();
    let mut session = Session::new(scene.clone()).unwrap();
    assert!(session.is_whole());
    let grab = Edit::Grab { body: "box".into(), at: When::Time(0.3), point: None, what: Quantity::Position };
    session.apply(grab.clone()).unwrap();
    for x in [0.1, 0.2, 0.3] {
        let edit = Edit::Move { target: [x, 0.6, 0.0], iterations: 4, seed: 1 };
        let report = session.apply(edit).unwrap().report.unwrap();
        assert_eq!(report.verdict, crate::solve::Verdict::Met);
        assert_eq!(report.change, None, "no impact lies before the wish");
        assert!(!session.is_whole() && session.trajectory().t_end < 0.31);
    }
    let whole = session.whole_trajectory();
    session.apply(Edit::Release).unwrap();
    assert!(session.is_whole() && session.trajectory().t_end == 3.0);
    assert_eq!(session.trajectory().at(3.0), whole.at(3.0));
    let mut again = Session::new(scene).unwrap();
    session.journal().iter().for_each(|edit| drop(again.apply(edit.clone()).unwrap()));
    assert_eq!(again.u(), session.u());
    assert_eq!(again.trajectory().at(3.0), session.trajectory().at(3.0));
    // A drag that leads nowhere leaves everything as it was, and is no step.
    let depth = session.depth();
    session.apply(grab).unwrap();
    session.apply(Edit::Release).unwrap();
    assert_eq!((session.depth(), session.is_whole()), (depth, true));
}

/// A hand that goes on breaks off steps and rounds of samples; what the journal then holds ends in the same bits.
#[test]
fn what_is_broken_off_counts_as_never_begun() {
    use crate::solve::Ask;
    use std::sync::atomic::{AtomicU32, Ordering};
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/particle.toml");
    let mut session = Session::open(&path).unwrap();
    let t = 0.9 * session.model().duration();
    let body = session.model().bodies().iter().find(|body| body.drive.is_pushed()).unwrap().name.to_string();
    let grab = Edit::Grab { body: body.clone(), at: When::Time(t), point: None, what: Quantity::Position };
    let [x, y, z] = session.apply(grab).unwrap().grabbed.unwrap().1;
    for unwanted in [Ask::Sample, Ask::Length] {
        let begun = AtomicU32::new(0);
        let go_on = |ask: Ask| {
            begun.fetch_add(u32::from(ask == unwanted), Ordering::Relaxed);
            ask != unwanted && ask != Ask::Sample
        };
        for k in 1..=8 {
            let target = [x + 0.1 * f64::from(k), y + 0.05 * f64::from(k), z];
            let edit = Edit::Move { target, iterations: 60, seed: 1 };
            let report = session.apply_while(edit, &go_on).unwrap().report.unwrap();
            assert!(report.jumps.is_empty());
        }
        assert!(begun.load(Ordering::Relaxed) > 0, "none of these moves leads over an edge");
    }
    session.apply(Edit::Release).unwrap();
    let mut again = Session::open(&path).unwrap();
    session.journal().iter().for_each(|edit| drop(again.apply(edit.clone()).unwrap()));
    assert_eq!(again.u(), session.u());
}
