//! Numbers of joints, forces, tracks and variables in a session: set, freed, undone, saved and read back.

use super::*;

const SCENE: &str = r#"# A machine.
format = 1
duration = 0.5
[variables]
reach = 0.5   # of the arm
[[track]]
name = "reel"
keys = [{ t = 0.0, value = 1.0 }, { t = 0.3, value = 0.6, ease = "slow_in" }] # slowly
[[track]]
name = "hand"
[[track.keys]]
t = 0.0
value = [0, 1, 0] # from here
[[track.keys]]
t = "reach/2"
value = [0, "2*reach", 0]
[[body]]
name = "arm"
shape = { kind = "cuboid", half_extents = [0.1, 0.05, 0.08] }
position = ["2*reach", 1, 0] # a formula
[[body]]
name = "stone"
shape = { kind = "ball", radius = 0.1 }
position = [3, 1, 0]
[[joint]]
kind = "point_to_point"  # the elbow
name = "elbow"
bodies = ["arm", "stone"]
points = [["reach", 0, 0], [-0.4, 0, 0]]  # both
active = [[0.0, 0.2], [0.3, 0.4]]
[[joint]]
name = "tie"
kind = "distance"
bodies = ["arm", "stone"]
length = 2.0
[[force]]
name = "band"
kind = "spring"
body = "arm"
to = [0, 2, 0]
stiffness = 20.0  # N/m
[[nail]]
body = "arm"
at = "reach/2"  # half
position = ["reach", 1, 0]
"#;

#[test]
fn numbers_of_a_machine_are_saved_where_they_stand() {
    let open =
        |text: &str| Session::new(Scene::parse(text, "m.toml").unwrap_or_else(|error| panic!("{error}\n{text}")));
    let mut session = open(SCENE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(session.text(), SCENE, "nothing changed");
    let start = bits(&session);
    let sets = [
        ("elbow.point.y", 0.25),
        ("elbow.second.x", -0.5),
        ("elbow.active.2.end", 0.45),
        ("elbow.time_constant", 0.2),
        ("tie.second.z", 0.125),
        ("tie.length", 1.75),
        ("band.to.y", 2.5),
        ("band.stiffness", 30.0),
        ("band.damping", 1.5),
        ("reel.2.value", 0.7),
        ("reel.2.time", 0.35),
        ("hand.1.value.y", 1.25),
        ("arm.position.y", 1.125),
    ];
    for (parameter, value) in sets {
        apply(&mut session, &format!(r#"{{"edit":"set","parameter":"{parameter}","value":{value}}}"#));
    }
    let text = session.text();
    for line in [
        r#"points = [["reach", 0.25, 0], [-0.5, 0, 0]]  # both"#,
        "active = [[0.0, 0.2], [0.3, 0.45]]",
        "time_constant = 0.2",
        "points = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.125]]",
        "length = 1.75",
        "to = [0, 2.5, 0]",
        "stiffness = 30.0  # N/m",
        "damping = 1.5",
        r#"keys = [{ t = 0.0, value = 1.0 }, { t = 0.35, value = 0.7, ease = "slow_in" }] # slowly"#,
        "value = [0, 1.25, 0] # from here",
        r#"t = "reach/2""#,
        r#"value = [0, "2*reach", 0]"#,
        r#"position = ["2*reach", 1.125, 0] # a formula"#,
        "# A machine.",
        r#"at = "reach/2"  # half"#,
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    let again = open(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(bits(&again), bits(&session));
    assert_eq!(again.text(), text, "saving twice changes nothing");
    let (scene, before) = (again.scene(), session.scene());
    assert_eq!((scene.joints.len(), scene.tracks.len(), &scene.variables), (2, 2, &before.variables));
    assert_eq!(scene.joints[0].active, [[0.0, 0.2], [0.3, 0.45]]);
    for _ in sets {
        apply(&mut session, r#"{"edit":"undo"}"#);
    }
    assert_eq!((bits(&session), session.text().as_str()), (start, SCENE));
}

/// The variable is used in a nail here, which is the same in every motion.
#[test]
fn variables_are_saved_and_formulas_stay_as_they_stand() {
    let text = &SCENE[..SCENE.find("[[nail]]").expect("a nail")];
    let open = |text: &str| Session::new(Scene::parse(text, "m.toml").expect("valid")).expect("a model");
    let mut session = open(text);
    apply(&mut session, r#"{"edit":"free","parameter":"reach","bounds":[0.1,2]}"#);
    apply(&mut session, r#"{"edit":"set","parameter":"reach","value":0.75}"#);
    let saved = session.text();
    assert!(saved.contains("reach = 0.75   # of the arm"), "{saved}");
    assert!(saved.contains(r#"position = ["2*reach", 1, 0] # a formula"#), "{saved}");
    let again = open(&saved);
    assert_eq!(bits(&again), bits(&session));
    assert_eq!(again.scene().bodies[0].position.x, 1.5);
    assert_eq!(again.trajectory().at(0.0), session.trajectory().at(0.0));
    let free = |session: &Session| {
        let names = session.model().free_parameters().map(|id| session.model().parameters()[id.index()].name.clone());
        names.collect::<Vec<_>>()
    };
    assert!(free(&again).contains(&"reach".to_owned()));
    apply(&mut session, r#"{"edit":"lock","parameter":"reach"}"#);
    assert!(!free(&session).contains(&"reach".to_owned()));
    let mut nailed = open(SCENE);
    let error = nailed.apply(edit(r#"{"edit":"free","parameter":"reach"}"#)).expect_err("a nail needs it").to_string();
    assert!(error.contains("nail[0].at is a formula of it"), "{error}");
}

#[test]
fn a_mass_that_is_a_formula_is_saved_as_it_was_simulated() {
    let text = "format = 1\nduration = 0.5\n[variables]\nheavy = 2.0\n[[body]]\nname = \"a\"\nmass = \"heavy\"\n\
        shape = { kind = \"cuboid\", half_extents = [0.1, 0.2, 0.3] }\nspin = [1, 2, 3]\n\
        [[body]]\nname = \"b\"\ndensity = \"500*heavy\"\nshape = { kind = \"ball\", radius = 0.1 }\nposition = [3, 0, 0]\n\
        [[body]]\nname = \"c\"\nmass = \"heavy\"\ninertia = [1.0, \"heavy\", 2.0]\nshape = { kind = \"ball\", radius = 0.1 }\n\
        position = [6, 0, 0]\nspin = [1, 2, 3]\n";
    let open = |text: &str| Session::new(Scene::parse(text, "m.toml").expect("valid")).expect("a model");
    let mut session = open(text);
    apply(&mut session, r#"{"edit":"set","parameter":"heavy","value":2.5}"#);
    apply(&mut session, r#"{"edit":"set","parameter":"c.inertia.x","value":1.25}"#);
    let saved = session.text();
    assert!(saved.contains("inertia = [1.25, \"heavy\", 2.0]") && saved.contains("density = \"500*heavy\""), "{saved}");
    let again = open(&saved);
    let (before, after) = (session.trajectory().world(), again.trajectory().world());
    for (before, after) in before.bodies.iter().zip(&after.bodies) {
        assert!((before.mass.mass / after.mass.mass - 1.0).abs() < 1e-15);
        assert!((before.mass.inertia - after.mass.inertia).amax() < 1e-15, "{before:?} {after:?}");
    }
}
