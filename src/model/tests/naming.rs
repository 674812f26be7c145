//! Names of parameters and groups, their order, and names that mean nothing.

use super::*;

#[test]
fn parameters_stand_in_the_order_of_the_design() {
    let model = model(&control("floor/mug#2.friction", "free = true"));
    let floor = ["position.x", "position.y", "position.z", "rotation.x", "rotation.y", "rotation.z"];
    let material = ["restitution", "friction", "rolling_resistance"];
    let expected: Vec<String> =
        [&floor[..], &material, &["normal.1", "normal.2"]].concat().iter().map(|n| format!("floor.{n}")).collect();
    assert_eq!(names(&model, |p| p.name.starts_with("floor.")), expected);
    let expected = "velocity.x velocity.y velocity.z spin.x spin.y spin.z mass inertia.x inertia.y inertia.z scale";
    let moving: Vec<&str> = expected.split(' ').collect();
    let expected: Vec<String> = [&floor[..], &moving, &material].concat().iter().map(|n| format!("mug.{n}")).collect();
    assert_eq!(names(&model, |p| p.name.starts_with("mug.")), expected);
    let expected: Vec<String> =
        [&floor[..3], &moving[..3], &["mass"], &material].concat().iter().map(|n| format!("dust.{n}")).collect();
    assert_eq!(names(&model, |p| p.name.starts_with("dust.")), expected);
    assert_eq!(names(&model, |p| p.name.contains("wall.")).len(), 10, "position, rotation, scale, material");
    let last = model.parameters().len() - 4;
    assert_eq!(names(&model, |_| true)[last..], ["mug/floor#2.friction", "gravity.x", "gravity.y", "gravity.z"]);
}

#[test]
fn only_the_throw_of_moving_bodies_is_free_by_default() {
    let model = model("");
    let throw = ["mug.rotation", "mug.velocity", "mug.spin", "dust.velocity"];
    let expected: Vec<ParameterId> = throw.iter().flat_map(|group| model.group(group).unwrap()).collect();
    assert_eq!(model.free_parameters().collect::<Vec<_>>(), expected);
}

#[test]
fn every_name_finds_its_parameter() {
    let controls = control("mug/dust#*.normal", "free = true") + &control("floor/mug#3.normal", "free = true");
    let model = model(&controls);
    let model = model.with_impacts(&[(model.pair(BodyId(2), BodyId(1)), 2)]);
    for (parameter, id) in model.parameters().iter().zip(0..) {
        assert_eq!(model.parameter(&parameter.name), Ok(ParameterId(id)), "{}", parameter.name);
        assert_eq!(model.find(&parameter.role), Some(ParameterId(id)));
    }
    assert_eq!(model.parameter("floor/mug#3.normal.2"), model.parameter("mug/floor#3.normal.2"));
    assert_eq!(model.parameter("dust/mug#1.normal.1"), model.parameter("mug/dust#1.normal.1"));
    assert_eq!(model.group("gravity").unwrap().len(), 3);
    assert_eq!(model.group("dust/mug#*.normal").unwrap().len(), 4);
    assert_eq!(model.group("dust/mug#*.friction").unwrap().len(), 0);
    assert_eq!(model.group("floor.normal").unwrap().len(), 2);
}

#[test]
fn names_that_mean_nothing_say_what_does() {
    check_name("mug.spni.x", "no parameter is called \"mug.spni.x\"; did you mean `mug.spin.x`?");
    check_name("mag.spin.x", "no parameter is called \"mag.spin.x\"; did you mean `mug.spin.x`?");
    check_name("mug.spin.w", "no parameter is called \"mug.spin.w\"; did you mean `mug.spin.x`?");
    check_name("mug.mass.x", "no parameter is called \"mug.mass.x\"; did you mean `mug.mass`?");
    check_name("gravty.y", "no parameter is called \"gravty.y\"; did you mean `gravity.y`?");
    check_name("gravity.w", "no parameter is called \"gravity.w\"; did you mean `gravity.x`?");
    check_name("mug/flor#1.normal", "no parameter is called \"mug/flor#1.normal\"; did you mean `mug/floor#1.normal`?");
    check_name(
        "mug/floor#0.normal",
        "no parameter is called \"mug/floor#0.normal\"; did you mean `mug/floor#1.normal`?",
    );
    check_name("mug/floor#1.norm", "no parameter is called \"mug/floor#1.norm\"; did you mean `mug/floor#1.normal`?");
    let general = "names look like `box.spin.x`, `box/floor#1.normal` and `gravity.y`";
    for name in ["", ".", "mug.", "#", "elephant", "mug.colour"] {
        check_name(name, &format!("no parameter is called {name:?}; {general}"));
    }
    check_name("floor.velocity", "\"floor.velocity\": a fixed body has no velocity");
    check_name("floor.scale", "\"floor.scale\": a half_space has no scale");
    check_name("dust.spin.x", "\"dust.spin.x\": a particle has no spin");
    check_name("mug.normal", "\"mug.normal\": a body that is no half_space has no normal");
    check_name(
        "mug/floor.normal",
        "\"mug/floor.normal\" does not say which impact; write `mug/floor#1` for the first, `mug/floor#*` for all",
    );
    check_name(
        "mug#3.normal",
        "\"mug#3.normal\" means an impact with anything; name both bodies, as in `mug/floor#3.normal`",
    );
    check_name("mug/mug#1.normal", "\"mug/mug#1.normal\": a body does not meet itself; name two bodies");
    check_name(
        "wall/floor#1.normal",
        "\"wall/floor#1.normal\": both bodies are fixed and never meet; name a moving one",
    );
    check_name(
        "mug/floor#1.normal",
        "\"mug/floor#1.normal\" is not in the control vector; add a [[control]] with this parameter",
    );
    let error = model("").parameter("mug.spin").unwrap_err().to_string();
    assert_eq!(error, "\"mug.spin\" is a group of mug.spin.x, mug.spin.y, mug.spin.z; name one of them");
}
