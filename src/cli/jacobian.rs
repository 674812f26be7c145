//! `hattrick jacobian`: how the state at a time or at an event changes with the free parameters.

use std::path::PathBuf;

use nalgebra::{DMatrix, RowDVector};
use serde::Serialize;

use super::simulate::{check_times, reached};
use super::{Failure, Outside, number, open, table};
use crate::dynamics::StateTangent;
use crate::model::{BodyId, Model, ParameterId};
use crate::sensitivity::{Mark, Moment, Reason, Row, Side, forward, reverse, row_name, rows};
use crate::simulation::{EventId, EventKind, Trajectory, simulate};

/// Print how the state at a time or event changes with the free parameters
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("moment").required(true).args(["at", "at_event"])))]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    #[command(flatten)]
    outside: Outside,
    /// Time in seconds, from 0 to the scene's duration
    #[arg(long, value_name = "T", value_parser = number, allow_negative_numbers = true)]
    at: Option<f64>,
    /// Impact and side, as in box/floor#2:before or box#3:after; its time moves with the parameters
    #[arg(long, value_name = "A/B#k:SIDE")]
    at_event: Option<String>,
    /// Pull rows back instead of carrying columns on; the numbers agree to rounding
    #[arg(long)]
    reverse: bool,
    /// Print JSON, with every digit
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Debug, Serialize)]
struct Jacobian {
    t: f64,
    rows: Vec<String>,
    columns: Vec<String>,
    values: Vec<Vec<f64>>,
    /// The derivative of the event's time; only at an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    dt: Option<Vec<f64>>,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let (scene, model) = open(&arguments.scene, arguments.outside)?;
    check_times(arguments.at.as_slice(), scene.duration)?;
    let (model, trajectory) = with_impacts(model);
    let moment = match (&arguments.at_event, arguments.at) {
        (Some(event), _) => find_event(&model, &trajectory, event)?,
        (None, at) => Moment::Time(reached(at.as_slice(), &trajectory)?[0]),
    };
    let parameters: Vec<ParameterId> = model.free_parameters().collect();
    let (dt, values, marks) = evaluate(&model, &trajectory, &parameters, moment, arguments.reverse);
    let t = match moment {
        Moment::Time(t) => t,
        Moment::Event { event, .. } => trajectory.events[event.index()].t,
    };
    let jacobian = Jacobian {
        t,
        rows: rows(&model).into_iter().map(|row| row_name(&model, row)).collect(),
        columns: parameters.iter().map(|id| model.parameters()[id.index()].name.clone()).collect(),
        values: values.row_iter().map(|row| row.iter().copied().collect()).collect(),
        dt: dt.map(|dt| dt.iter().copied().collect()),
    };
    if arguments.json {
        let text = serde_json::to_string(&jacobian);
        return text
            .map(|text| text + "\n")
            .map_err(|error| Failure::new(format!("cannot print the Jacobian: {error}")));
    }
    Ok(print(&model, &jacobian, &marks, t))
}

/// The model with a parameter for every impact of its motion that a rule speaks of, and its motion.
pub(super) fn with_impacts(model: Model) -> (Model, Trajectory) {
    let trajectory = simulate(&model, &model.control());
    let counts = trajectory.impact_counts();
    let extended = model.with_impacts(&counts);
    if extended.parameters().len() == model.parameters().len() {
        return (model, trajectory);
    }
    let trajectory = simulate(&extended, &extended.control());
    (extended, trajectory)
}

fn evaluate(
    model: &Model,
    trajectory: &Trajectory,
    parameters: &[ParameterId],
    moment: Moment,
    backwards: bool,
) -> (Option<RowDVector<f64>>, DMatrix<f64>, Vec<Mark>) {
    let u = model.control();
    if !backwards {
        let derivative = forward(model, &u, trajectory, parameters);
        let marks = derivative.marks().to_vec();
        return match moment {
            Moment::Time(t) => (None, derivative.at(t), marks),
            Moment::Event { event, side } => {
                let (dt, values) = derivative.at_event(event, side);
                (Some(dt), values, marks)
            }
        };
    }
    let row = |(body, entry): (BodyId, usize)| {
        let mut weights = StateTangent::zeros();
        weights[entry] = 1.0;
        Row { moment, bodies: vec![(body, weights)], dtime: 0.0 }
    };
    let mut asked: Vec<Row> = rows(model).into_iter().map(row).collect();
    let event = matches!(moment, Moment::Event { .. });
    if event {
        asked.push(Row { moment, bodies: Vec::new(), dtime: 1.0 });
    }
    let pulled = reverse(model, &u, trajectory, parameters, &asked);
    let dt = event.then(|| pulled.values.row(asked.len() - 1).into_owned());
    let values = pulled.values.rows(0, asked.len() - usize::from(event)).into_owned();
    (dt, values, pulled.marks)
}

/// The impact that words such as `box/floor#2:before` or `box#3:after` name.
fn find_event(model: &Model, trajectory: &Trajectory, words: &str) -> Result<Moment, Failure> {
    let advice = "write --at-event A/B#k:before or A/B#k:after, with bodies A and B of the scene and k from 1";
    let fail = |what: String| Failure::new(format!("--at-event {words}: {what}"));
    let (name, side) = match words.rsplit_once(':') {
        Some((name, "before")) => (name, Side::Before),
        Some((name, "after")) => (name, Side::After),
        _ => return Err(fail(format!("no side; {advice}"))),
    };
    let (bodies, number) = name.rsplit_once('#').ok_or_else(|| fail(format!("no number; {advice}")))?;
    let number: usize = number.parse().map_err(|_| fail(format!("`{number}` is no number; {advice}")))?;
    let body = |name: &str| {
        model.body(name).ok_or_else(|| {
            let nearest =
                model.nearest_body(name).map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"));
            fail(format!("there is no body `{name}`{nearest}"))
        })
    };
    let (one, other) = match bodies.split_once('/') {
        Some((one, other)) => (body(one)?, Some(body(other)?)),
        None => (body(bodies)?, None),
    };
    let meets = |first: BodyId, second: BodyId| match other {
        Some(other) => (first, second) == (one, other) || (first, second) == (other, one),
        None => first == one || second == one,
    };
    let mut impacts = (0..trajectory.events.len()).filter(|&k| {
        let event = &trajectory.events[k];
        event.kind == EventKind::Impact && meets(event.first, event.second)
    });
    let found = number.checked_sub(1).and_then(|earlier| impacts.clone().nth(earlier));
    let count = impacts.by_ref().count();
    let event = found.ok_or_else(|| fail(format!("the motion has {count} such impacts")))?;
    Ok(Moment::Event { event: EventId(event as u32), side })
}

/// One table for every body: a line for each parameter.
fn print(model: &Model, jacobian: &Jacobian, marks: &[Mark], t: f64) -> String {
    let mut text = format!("Derivatives of the state at {t} s\n");
    if let Some(dt) = &jacobian.dt {
        text += "\nTime of the event [s]\n";
        let lines: Vec<_> =
            jacobian.columns.iter().zip(dt).map(|(name, dt)| [name.clone(), table::number(*dt)]).collect();
        text += &table::aligned(["by", "dt"], &lines);
    }
    let all = rows(model);
    for (k, body) in model.bodies().iter().enumerate().filter(|(_, body)| body.drive.is_pushed()) {
        let own: Vec<(usize, usize)> =
            (0..all.len()).filter(|&row| all[row].0.index() == k).map(|row| (row, all[row].1)).collect();
        let line = |(column, name): (usize, &String)| {
            let mut cells: [String; 13] = Default::default();
            cells[0].clone_from(name);
            for &(row, entry) in &own {
                cells[1 + entry] = table::number(jacobian.values[row][column]);
            }
            cells
        };
        let lines: Vec<_> = jacobian.columns.iter().enumerate().map(line).collect();
        let head = ["by", "x", "y", "z", "turn x", "y", "z", "vx", "vy", "vz", "spin x", "y", "z"];
        text += &format!("\n{}\n{}", body.name, table::aligned(head, &lines));
    }
    for mark in marks.iter().filter(|mark| mark.t <= t) {
        text += &format!("\nAt {:.9} s {}.", mark.t, reason(mark.reason));
    }
    if text.ends_with('.') { text + "\n" } else { text }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Grazing => "a contact grazes: its time has no derivative and is taken as fixed",
        Reason::Unsolved => "a contact problem was not solved: derivatives through it are unreliable",
        Reason::Untold => "the record lacks a body: derivatives through it are missing; please report the scene",
        Reason::OneSided => "several features close together: the derivative is that of their mean gap",
        Reason::Simultaneous => "several pairs meet at once: the derivative keeps them together",
    }
}
