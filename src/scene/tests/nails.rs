//! Every refusal of a nail: a valid one, and the same broken in one place.

use super::*;

const NAIL: &str = r#"[[nail]]
name = "lands"
body = "box"
at = 1.5
position = [1.0, 0.5, 0.0]
"#;

fn with(nail: &str) -> Result<Scene, SceneFileError> {
    open(&format!("{VALID}{nail}"))
}

/// The nail stands on line 33; replaces one piece of it and expects exactly this message.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(NAIL.contains(from), "the nail has no {from:?}");
    let message = with(&NAIL.replacen(from, to, 1)).expect_err(to).to_string();
    assert_eq!(message, expected, "with {to:?}");
}

#[track_caller]
fn accepted(from: &str, to: &str) -> Nail {
    let scene = with(&NAIL.replacen(from, to, 1)).unwrap_or_else(|error| panic!("{to:?} was refused: {error}"));
    scene.nails[0].clone()
}

#[test]
fn nails_read_as_written() {
    let nail = accepted("", "");
    assert_eq!((nail.body.as_deref(), nail.at), (Some("box"), When::Time(1.5)));
    assert_eq!(nail.position, Some(Components::all([1.0, 0.5, 0.0])));
    assert_eq!(accepted("1.5", "\"end\"").at, When::End);
    let before = When::Impact { impact: "box/floor#2".into(), side: Side::Before };
    assert_eq!(accepted("1.5", "{ impact = \"box/floor#2\", side = \"before\" }").at, before);
    assert_eq!(accepted("1.5", "{ apex = \"box\", n = 2 }").at, When::Apex { apex: "box".into(), n: 2 });
    assert_eq!(accepted("1.5", "{ rest = \"box\" }").at, When::Rest { rest: "box".into() });
    assert_eq!(accepted("[1.0, 0.5, 0.0]", "{ y = 1 }").position, Some(Components([None, Some(1.0), None])));
    let inside = accepted("position = [1.0, 0.5, 0.0]", "inside = { body = \"floor\" }").inside;
    assert_eq!(inside, Some(Inside::Body { body: "floor".into() }));
    let cylinder = "inside = { kind = \"cylinder\", center = [0, 1, 0], half_height = 0.2, radius = 1 }";
    let expected = Region::Cylinder { center: [0.0, 1.0, 0.0], half_height: 0.2, radius: 1.0 };
    assert_eq!(accepted("position = [1.0, 0.5, 0.0]", cylinder).inside, Some(Inside::World(expected)));
    assert!(!accepted("at = 1.5", "at = 1.5\nenabled = false").enabled);
    let alone = with("[[nail]]\nexpression = \"t(box#1) = 0.5\"\n").expect("an expression stands alone");
    assert_eq!((alone.nails[0].body.as_deref(), &alone.nails[0].at), (None, &When::End));
    assert_eq!(alone.source.place("nail[0].expression").map(|place| place.line), Some(34));
    let region =
        VALID.replacen("mass = 3", "mass = 3\nregion = { kind = \"ball\", center = [0, 0, 0], radius = 1 }", 1);
    let region = open(&region).expect("a body may declare a region").bodies[1].region;
    assert_eq!(region, Some(Region::Ball { center: [0.0; 3], radius: 1.0 }));
}

#[test]
fn faults_of_nails_have_a_line_and_advice() {
    let at = |place: &str, text: &str| format!("s.toml:{place}: nail \"lands\": {text}");
    check("\"box\"", "\"bix\"", &at("35:8", "no body is called \"bix\"; did you mean \"box\"?"));
    check("\"box\"", "\"zeppelin\"", &at("35:8", "no body is called \"zeppelin\"; write the name of a [[body]]"));
    check("body = \"box\"\n", "", &at("36:12", "position needs a body; add `body = \"box\"`"));
    check("at = 1.5\n", "", &at("33:1", "at is missing; add `at = 1.5`"));
    check("position = [1.0, 0.5, 0.0]\n", "", &at("33:1", "position is missing; add `position = [1.0, 0.5, 0.0]`"));
    check("1.5", "-1", &at("36:6", "at is -1 s; write a number from 0 to 100000"));
    check("1.5", "nan", &at("36:6", "at is not a finite number; write a number from 0 to 100000"));
    let when = "a time, \"end\", { impact = \"box/floor#2\" }, { apex = \"box\" } or { rest = \"box\" }";
    check("1.5", "\"soon\"", &at("36:6", &format!("at is text; write {when}")));
    check(
        "1.5",
        "{ bounce = 2 }",
        &at("36:8", "unknown key `bounce`; write one of impact, side, apex, n, rest").to_string(),
    );
    check("1.5", "{ rest = \"bix\" }", &at("36:15", "no body is called \"bix\"; did you mean \"box\"?"));
    let side = at("36:39", "side is \"during\"; write \"before\" or \"after\"");
    check("1.5", "{ impact = \"box/floor#2\", side = \"during\" }", &side);
    check("1.5", "{ apex = \"box\", n = 0 }", &at("36:26", "n is 0; write a number from 1 to 1e7"));
    check("[1.0, 0.5, 0.0]", "[1.0, 0.5]", &at("37:12", "position has 2 entries; write 3"));
    check("[1.0, 0.5, 0.0]", "{}", &at("37:12", "x is missing; add `x = 1.0`"));
    check("[1.0, 0.5, 0.0]", "{ w = 1 }", &at("37:14", "unknown key `w`; did you mean `x`?"));
    let ball = "inside = { kind = \"bull\", center = [0, 0, 0], radius = 1 }";
    check("position = [1.0, 0.5, 0.0]", ball, &at("37:19", "unknown region \"bull\"; did you mean `ball`?"));
}
