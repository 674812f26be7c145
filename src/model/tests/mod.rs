//! Names, freedom, bounds and laws of the parameters; every refusal beside a case that is accepted.

mod laws;
mod machines;
mod naming;

use super::*;

const BODIES: &str = r#"format = 1
duration = 2.0
[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }
restitution = 0.8
friction = 0.2
[[body]]
name = "mug"
shape = { kind = "cuboid", half_extents = [0.2, 0.12, 0.08] }
mass = 3.0
position = [0, 2, 0]
rotation = [0.3, 0.5, 0.2]
spin = [1, 2, 0.5]
[[body]]
name = "dust"
shape = { kind = "particle" }
mass = 0.5
position = [0, 5, 0]
[[body]]
name = "wall"
fixed = true
shape = { kind = "ball", radius = 0.5 }
position = [9, 0, 0]
"#;

fn scene(controls: &str) -> Scene {
    let text = format!("{BODIES}{controls}");
    Scene::parse(&text, "s.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn model(controls: &str) -> Model {
    Model::new(&scene(controls)).unwrap_or_else(|errors| panic!("{errors}"))
}

fn control(parameter: &str, rest: &str) -> String {
    format!("[[control]]\nparameter = {parameter:?}\n{rest}\n")
}

#[track_caller]
fn check_refused(controls: &str, key: &str, expected: &str) {
    let Err(ModelErrors { errors }) = Model::new(&scene(controls)) else { panic!("accepted {controls}") };
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!((errors[0].key.as_str(), errors[0].problem.to_string().as_str()), (key, expected));
}

#[track_caller]
fn check_name(name: &str, expected: &str) {
    let error = model("").group(name).expect_err(name).to_string();
    assert_eq!(error, expected, "{name}");
}

fn names(model: &Model, filter: impl Fn(&Parameter) -> bool) -> Vec<&str> {
    model.parameters().iter().filter(|p| filter(p)).map(|p| p.name.as_str()).collect()
}

#[test]
fn controls_override_in_the_order_of_the_file() {
    let controls = control("mug.spin", "free = false\nweight = 7.0\nrest = 4.0")
        + &control("mug.spin.y", "free = true\nbounds = [-3, 3]")
        + &control("mug.mass", "free = true\nbounds = [-5, 5]")
        + &control("mug.scale", "value = 2.0")
        + &control("floor.normal.2", "value = 0.1");
    let model = model(&controls);
    let parameter = |name: &str| &model.parameters()[model.parameter(name).unwrap().index()];
    assert!(!parameter("mug.spin.x").free && parameter("mug.spin.y").free);
    assert_eq!((parameter("mug.spin.x").weight, parameter("mug.spin.y").weight), (7.0, 7.0));
    assert_eq!((parameter("mug.spin.y").rest, parameter("mug.velocity.y").rest), (4.0, 0.0));
    assert_eq!(parameter("mug.spin.y").bounds, (-3.0, 3.0));
    assert_eq!(parameter("mug.mass").bounds, (3e-12, 5.0));
    assert_eq!(parameter("mug.restitution").bounds, (0.0, 1.0));
    assert_eq!(parameter("mug.friction").bounds, (0.0, f64::INFINITY));
    assert_eq!((parameter("mug.scale").value, parameter("floor.normal.2").value), (2.0, 0.1));
    assert_eq!((parameter("mug.scale").rest, parameter("mug.scale").bounds.0), (2.0, 1e-12));
}

#[test]
fn impossible_controls_are_refused_with_their_key() {
    let at = |field: &str| format!("control[0].{field}");
    let unknown = "no parameter is called \"mog.spin\"; did you mean `mug.spin`?";
    check_refused(&control("mog.spin", ""), &at("parameter"), unknown);
    let field = "the value of mug.spin.x has a place of its own; write it in the body's `spin` field";
    check_refused(&control("mug.spin.x", "value = 1"), &at("value"), field);
    let field = "the value of gravity has a place of its own; write it in the scene's `gravity` field";
    check_refused(&control("gravity", "value = 1"), &at("value"), field);
    let reversed = "the bounds of mug.spin are [1, -1]; write the smaller one first";
    check_refused(&control("mug.spin", "bounds = [1, -1]"), &at("bounds"), reversed);
    let empty = "the bounds of mug.restitution are [2, 3]; write bounds that overlap from 0 to 1";
    check_refused(&control("mug.restitution", "bounds = [2, 3]"), &at("bounds"), empty);
    let outside = "mug.spin.x is 1; write bounds that include it, or a value from 5 to 6";
    check_refused(&control("mug.spin.x", "bounds = [5, 6]"), &at("bounds"), outside);
    let outside = "mug.scale is -1; write bounds that include it, or a value from 1e-12 up";
    check_refused(&control("mug.scale", "value = -1"), &at("value"), outside);
    let outside = "mug/floor#1.restitution is 2; write bounds that include it, or a value from 0 to 1";
    check_refused(&control("mug/floor#1.restitution", "value = 2"), &at("value"), outside);
    let any = control("mug/floor#*.restitution", "value = 2");
    let Err(errors) = Model::new(&scene(&any)) else { panic!("accepted") };
    assert_eq!(errors.errors[0].key, at("value"));
    let in_file = errors.in_file(&scene(&any).source);
    assert!(in_file.starts_with("s.toml:28:9: mug/floor#*.restitution is 2"), "{in_file}");
    let mut heavy = scene(&control("mug.spin", "weight = 1.0"));
    heavy.controls[0].weight = Some(0.0);
    let Err(errors) = Model::new(&heavy) else { panic!("accepted a weight of 0") };
    assert_eq!(errors.to_string(), "control[0].weight: the weight of mug.spin is 0; write a number above 0");
}

#[test]
fn values_are_set_within_their_bounds() {
    let model = model(&control("mug.spin.x", "bounds = [-3, 3]"));
    let mut u = model.control();
    assert_eq!(model.set(&mut u, "mug.spin.x", 2.5), Ok(()));
    assert_eq!(u[model.parameter("mug.spin.x").unwrap()], 2.5);
    let refused = model.set(&mut u, "mug.spin.x", 4.0).unwrap_err().to_string();
    assert_eq!(refused, "mug.spin.x cannot be 4; write a number from -3 to 3");
    let refused = model.set(&mut u, "mug.spin.y", f64::NAN).unwrap_err().to_string();
    assert_eq!(refused, "mug.spin.y cannot be NaN; write a number that is finite");
    assert!(model.set(&mut u, "mug.mass", 0.0).is_err() && model.set(&mut u, "mug.spin", 0.0).is_err());
    assert_eq!(u[model.parameter("mug.spin.x").unwrap()], 2.5, "a refusal changes nothing");
}

#[test]
fn the_metric_measures_what_a_change_moves() {
    let model = model(&control("mug.spin", "weight = 3.0"));
    let metric = |name: &str| model.parameters()[model.parameter(name).unwrap().index()].metric;
    let gyration_squared = (0.0208 + 0.0464 + 0.0544) / 9.0;
    assert_eq!((metric("mug.position.x"), metric("mug.velocity.x"), metric("mug.restitution")), (1.0, 1.0, 1.0));
    assert!((metric("mug.rotation.x") - gyration_squared).abs() < 1e-15);
    assert!((metric("mug.spin.x") - 3.0 * gyration_squared).abs() < 1e-15);
    assert!((metric("wall.rotation.x") - 0.4 * 0.25).abs() < 1e-15, "a fixed ball has its shape's radius");
    assert_eq!((metric("mug.mass") * 9.0, metric("floor.rotation.x")), (1.0, 1.0));
    assert_eq!((metric("gravity.y"), metric("gravity.x")), (1.0, 1.0));
}

#[test]
fn rules_for_all_impacts_become_parameters_of_the_motion() {
    let controls = control("mug/floor#*.normal", "free = true\nweight = 5.0\nbounds = [-0.1, 0.1]")
        + &control("mug/floor#2.normal.1", "weight = 9.0");
    let model = model(&controls);
    assert_eq!(names(&model, |p| p.role.impact().is_some()), ["mug/floor#2.normal.1"]);
    let mut u = model.control();
    model.set(&mut u, "mug/floor#2.normal.1", 0.05).unwrap();
    let pair = model.pair(BodyId(0), BodyId(1));
    let grown = model.with_impacts(&[(pair, 2), (model.pair(BodyId(1), BodyId(2)), 5)]);
    let expected = ["mug/floor#1.normal.1", "mug/floor#1.normal.2", "mug/floor#2.normal.1", "mug/floor#2.normal.2"];
    assert_eq!(names(&grown, |p| p.role.impact().is_some()), expected);
    let weights: Vec<f64> = grown.parameters().iter().filter(|p| p.role.impact().is_some()).map(|p| p.weight).collect();
    assert_eq!(weights, [5.0, 5.0, 9.0, 5.0]);
    assert!(grown.parameters().iter().filter(|p| p.role.impact().is_some()).all(|p| p.free));
    let adopted = grown.adopt(&model, &u);
    assert_eq!(adopted[grown.parameter("mug/floor#2.normal.1").unwrap()], 0.05);
    assert_eq!(adopted[grown.parameter("mug.spin.y").unwrap()], 2.0);
    let last = grown.names.select(&grown.bodies, &grown.machine, "gravity.z").unwrap();
    assert!(matches!(last, name::Selection::Roles(roles) if grown.find(&roles[0]).is_some()));
}
