//! Derivatives of whole motions against exact answers: reference cases, and formulas on paper.
//!
//! The reference Jacobians were computed elsewhere to more than 20 digits. Ours, by initial states, by each impact's own
//! restitution, tilt and friction, and by masses, agree to 1e-9 of their Frobenius norm, forward and in reverse; so
//! do the derivatives of event times and of the states at those moving times. Forward and reverse agree to 1e-10.

use hattrick::dynamics::StateTangent;
use hattrick::model::{BodyId, Model, ParameterId};
use hattrick::sensitivity::{Moment, Row, Side, forward, reverse};
use hattrick::simulation::{EventId, Trajectory, simulate};
use nalgebra::DMatrix;
use serde_json::Value;

use super::support::{ball, floor, head, model, number, numbers, reference_cases, scene_of_case};

/// Relative to the Frobenius norm of the exact matrix.
const EXACT: f64 = 1e-9;
/// Forward against reverse, relative to the largest entry.
const EITHER_WAY: f64 = 1e-10;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = value.as_array().expect("rows").iter().map(numbers).collect();
    DMatrix::from_fn(rows.len(), rows.first().map_or(0, Vec::len), |row, column| rows[row][column])
}

#[track_caller]
fn assert_matrix(what: &str, found: &DMatrix<f64>, exact: &DMatrix<f64>) {
    assert_eq!(found.shape(), exact.shape(), "{what}");
    // What is zero but for the reference's own rounding has no relative error.
    let scale = if exact.norm() > EXACT { exact.norm() } else { 1.0 };
    let error = (found - exact).norm() / scale;
    println!("{what}: relative error {error:e}");
    assert!(error <= EXACT, "{what}: relative error {error:e}\nfound {found:.6}exact {exact:.6}");
}

/// All rows of a Jacobian at a moment, in reverse.
pub fn by_rows(model: &Model, trajectory: &Trajectory, parameters: &[ParameterId], moment: Moment) -> DMatrix<f64> {
    let row = |(body, entry): (BodyId, usize)| {
        let mut weights = StateTangent::zeros();
        weights[entry] = 1.0;
        Row { moment, bodies: vec![(body, weights)], dtime: 0.0 }
    };
    let rows: Vec<Row> = hattrick::sensitivity::rows(model).into_iter().map(row).collect();
    reverse(model, &model.control(), trajectory, parameters, &rows).values
}

#[track_caller]
pub fn assert_either_way(what: &str, forward: &DMatrix<f64>, reverse: &DMatrix<f64>) {
    let error = (forward - reverse).amax() / forward.amax().max(1.0);
    assert!(error <= EITHER_WAY, "{what}: forward and reverse differ by {error:e}");
}

/// Names of the parameters of a case: initial states, then events', then masses.
fn parameter_names(case: &Value) -> [Vec<String>; 3] {
    let bodies = case["scene"]["bodies"].as_array().expect("bodies").len();
    let mut names: [Vec<String>; 3] = Default::default();
    for body in 0..bodies {
        for field in ["position", "rotation", "velocity", "spin"] {
            names[0].extend(["x", "y", "z"].map(|axis| format!("body{body}.{field}.{axis}")));
        }
        names[2].push(format!("body{body}.mass"));
    }
    let events = case["events"].as_array().expect("events");
    let pairs: Vec<String> = events.iter().map(|event| pair_of(&event["contact"])).collect();
    for parameter in case["event_param_names"].as_array().expect("names") {
        let event = parameter[0].as_u64().expect("an event") as usize;
        let number = pairs[..=event].iter().filter(|pair| **pair == pairs[event]).count();
        let field = match parameter[1].as_str() {
            Some("e") => "restitution",
            Some("t1") => "normal.1",
            Some("t2") => "normal.2",
            _ => "friction",
        };
        names[1].push(format!("{}#{number}.{field}", pairs[event]));
    }
    names
}

/// The two bodies of a contact, as our scenes name them.
fn pair_of(contact: &Value) -> String {
    let (kind, one, other) = (contact[0].as_str().expect("a kind"), &contact[1], &contact[2]);
    if kind.ends_with('p') { format!("body{one}/plane{other}") } else { format!("body{one}/body{other}") }
}

/// The model of a case with all of these parameters.
fn model_with(case: &Value, names: &[Vec<String>; 3]) -> (Model, [Vec<ParameterId>; 3]) {
    let control = |name: &String| format!("[[control]]\nparameter = \"{name}\"\nfree = true\n");
    let text = scene_of_case(case) + &names[1].iter().map(control).collect::<String>();
    let model = model(&text);
    let ids = names.each_ref().map(|names| names.iter().map(|name| model.parameter(name).expect("known")).collect());
    (model, ids)
}

#[test]
fn impact_cases_have_their_exact_jacobians_both_ways() {
    for (name, case) in reference_cases().iter().filter(|(_, case)| case["kind"] == "impact") {
        let names = parameter_names(case);
        let (model, parameters) = model_with(case, &names);
        let trajectory = simulate(&model, &model.control());
        let t = number(&case["scene"]["T"]);
        for (parameters, key) in parameters.iter().zip(["jac_state", "jac_event_params", "jac_mass"]) {
            let Some(exact) = case.get(key).map(matrix) else { continue };
            let derivative = forward(&model, &model.control(), &trajectory, parameters);
            let found = derivative.at(t);
            assert_matrix(&format!("{name} {key}"), &found, &exact);
            assert_either_way(name, &found, &by_rows(&model, &trajectory, parameters, Moment::Time(t)));
        }
    }
}

#[test]
fn event_times_and_states_at_them_have_their_exact_derivatives() {
    let mut floating = 0;
    for (name, case) in reference_cases().iter().filter(|(_, case)| case["kind"] == "impact") {
        let names = parameter_names(case);
        let (model, parameters) = model_with(case, &names);
        let trajectory = simulate(&model, &model.control());
        for (k, event) in case["events"].as_array().expect("events").iter().enumerate() {
            let id = EventId(k as u32);
            for (parameters, key) in parameters.iter().zip(["dt_dstate", "dt_dparams", "dt_dmass"]) {
                let Some(exact) = event.get(key).map(numbers) else { continue };
                let (dt, _) = forward(&model, &model.control(), &trajectory, parameters).at_event(id, Side::Before);
                let error = dt.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error < EXACT, "{name} event {k} {key}: {error:e}");
            }
            for (side, word) in [(Side::Before, "pre"), (Side::After, "post")] {
                for (parameters, key) in parameters.iter().zip(["jac_state", "jac_params"]) {
                    let Some(exact) = event.get("floating").map(|floating| matrix(&floating[format!("{word}_{key}")]))
                    else {
                        continue;
                    };
                    floating += 1;
                    let (_, found) = forward(&model, &model.control(), &trajectory, parameters).at_event(id, side);
                    if exact.norm() > 0.0 {
                        assert_matrix(&format!("{name} {word} {key}"), &found, &exact);
                    } else {
                        assert_eq!(found.norm(), 0.0, "{name} {word} {key}");
                    }
                    let moment = Moment::Event { event: id, side };
                    assert_either_way(name, &found, &by_rows(&model, &trajectory, parameters, moment));
                }
            }
        }
    }
    assert!(floating >= 4, "only {floating} floating derivatives were compared");
}

/// ∂(state at the end)/∂(some parameters), both ways.
#[track_caller]
pub fn end_jacobian(text: &str, names: &[&str]) -> DMatrix<f64> {
    let model = model(text);
    let ids: Vec<ParameterId> = names.iter().map(|name| model.parameter(name).expect("known")).collect();
    let trajectory = simulate(&model, &model.control());
    let found = forward(&model, &model.control(), &trajectory, &ids).at(trajectory.t_end);
    let t = Moment::Time(trajectory.t_end);
    assert_either_way("the end", &found, &by_rows(&model, &trajectory, &ids, t));
    found
}

#[test]
fn sliding_down_an_incline_has_the_derivative_of_its_formula() {
    let case = &reference_cases()["H1_block_incline_slide"];
    let names = ["body0.velocity.x", "body0.velocity.z", "body0.friction", "plane0.friction", "gravity.z"];
    let found = end_jacobian(&scene_of_case(case), &names);
    let rows = [0, 1, 2, 6, 7, 8];
    for (parameter, columns) in
        [("v0", [(0, 0.8), (1, -0.6)].as_slice()), ("mu", &[(2, 1.0), (3, 1.0)]), ("g", &[(4, -1.0)])]
    {
        let exact = &numbers(&case["derivatives"][parameter])[2..];
        for (row, exact) in rows.iter().zip(exact) {
            let value: f64 = columns.iter().map(|&(column, share)| found[(*row, column)] * share).sum();
            assert!((value - exact).abs() < EXACT, "by {parameter}, row {row}: {value} instead of {exact}");
        }
    }
}

#[test]
fn sliding_to_rest_has_the_derivative_of_its_formula() {
    let case = &reference_cases()["H2_block_stops_on_floor"];
    let names = ["body0.velocity.x", "body0.velocity.y", "body0.friction", "plane0.friction", "gravity.z"];
    let found = end_jacobian(&scene_of_case(case), &names);
    for (parameter, columns) in
        [("v0", [(0, 0.6), (1, 0.8)].as_slice()), ("mu", &[(2, 1.0), (3, 1.0)]), ("g", &[(4, -1.0)])]
    {
        let exact = &numbers(&case["derivatives"][parameter])[2..];
        for (row, exact) in exact.iter().enumerate() {
            let value: f64 = columns.iter().map(|&(column, share)| found[(row, column)] * share).sum();
            assert!((value - exact).abs() < EXACT, "by {parameter}, row {row}: {value} instead of {exact}");
        }
    }
    assert_eq!(found.rows(6, 6).norm(), 0.0, "it rests");
}

#[test]
fn balls_that_meet_head_on_trade_their_derivatives() {
    let text = head(1.0, 0.0)
        + &ball("one", [-1.0, 0.0, 0.0], [3.0, 0.0, 0.0], 1.0, "")
        + &ball("two", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 1.0, "");
    let found = end_jacobian(&text, &["one.position.x", "two.position.x", "one.velocity.x", "two.velocity.x"]);
    for (column, exact) in [1.0, 0.0, 1.0, 0.0].iter().enumerate() {
        assert!((found[(12, column)] - exact).abs() < 1e-14, "column {column}: {}", found[(12, column)]);
    }
}

#[test]
fn an_elastic_bounce_without_gravity_turns_the_height_around() {
    let text = head(1.0, 0.0) + &floor(1.0, 0.0) + &ball("ball", [0.0, 0.5, 0.0], [0.0, -1.0, 0.0], 1.0, "");
    let found = end_jacobian(&text, &["ball.position.y"]);
    assert!((found[(1, 0)] + 1.0).abs() < 1e-14, "{}", found[(1, 0)]);
}
