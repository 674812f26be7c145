//! `hattrick check`: compares the derivatives of a scene with differences.

use std::path::PathBuf;

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::jacobian::with_impacts;
use super::progress::Progress;
use super::simulate::{check_times, reached};
use super::{Failure, Outside, number, open, table};
use crate::model::{ControlVector, Model, ParameterId};
use crate::sensitivity::check::{Column, Comparison, ENOUGH_DIGITS, Report, default_times};
use crate::sensitivity::forward;

/// Compare derivatives with finite differences; digits agreed for each group of parameters
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    #[command(flatten)]
    outside: Outside,
    /// Times in seconds [default: the middle of each of the ten longest phases, and the end]
    #[arg(long, value_name = "T", num_args = 1.., value_delimiter = ',', value_parser = number, allow_negative_numbers = true)]
    at: Vec<f64>,
}

/// The report, and whether the check holds.
pub(super) fn run(arguments: &Arguments) -> Result<(String, bool), Failure> {
    let (scene, model) = open(&arguments.scene, arguments.outside)?;
    check_times(&arguments.at, scene.duration)?;
    let (model, trajectory) = with_impacts(model);
    let times = match arguments.at.as_slice() {
        [] => default_times(&trajectory),
        asked => reached(asked, &trajectory)?,
    };
    let parameters: Vec<ParameterId> = model.free_parameters().collect();
    let derivative = forward(&model, &model.control(), &trajectory, &parameters);
    let jacobians: Vec<_> = times.iter().map(|&t| derivative.at(t)).collect();
    let bar = Progress::new(parameters.len() as u64, "parameters");
    let report = compared(&model, &model.control(), &parameters, &times, &jacobians, &|| bar.step());
    bar.finish();
    Ok((print(&times, &report), report.passes()))
}

/// Compares Jacobians at some times, one each, with differences of `simulate`, on all cores: columns know nothing of each
/// other, so that threads change nothing but the time it takes. `done` is called after every column.
pub fn compared(
    model: &Model,
    u: &ControlVector,
    parameters: &[ParameterId],
    times: &[f64],
    jacobians: &[DMatrix<f64>],
    done: &(dyn Fn() + Sync),
) -> Report {
    let comparison = Comparison::new(model, u, times);
    let column = |&parameter: &ParameterId| {
        let column = comparison.column(parameter);
        done();
        column
    };
    let columns: Vec<Column> = parameters.par_iter().map(column).collect();
    comparison.report(parameters, &columns, jacobians)
}

fn print(times: &[f64], report: &Report) -> String {
    let (entries, comparable) = report.counts();
    let mut text = format!(
        "Derivatives beside differences, at {} s\n",
        times.iter().map(|t| format!("{t:.6}")).collect::<Vec<_>>().join(", ")
    );
    let line = |group: &crate::sensitivity::check::GroupReport| {
        let digits = if group.comparable == 0 { "-".to_owned() } else { format!("{:.1}", group.digits) };
        [group.name.clone(), digits, group.comparable.to_string(), group.entries.to_string()]
    };
    let lines: Vec<_> = report.groups.iter().map(line).collect();
    text += &table::aligned(["parameters", "digits", "comparable", "entries"], &lines);
    if let Some(worst) = &report.worst {
        text += &format!(
            "\nWorst: {} by {} at {:.6} s: {:e}, difference {:e}, {:.1} digits.\n",
            worst.row, worst.column, worst.t, worst.exact, worst.difference, worst.digits
        );
    }
    let share = 100.0 * report.share();
    let agree = report.worst.as_ref().is_none_or(|worst| worst.digits >= ENOUGH_DIGITS);
    let verdict = match (report.passes(), agree) {
        (true, _) => "The check holds",
        (false, true) => "What can be compared agrees, but that is too little to judge by",
        (false, false) => "The check fails",
    };
    text += &format!(
        "{comparable} of {entries} entries comparable ({share:.1} %; {:.1} % of those that changes reach). {verdict}: ",
        100.0 * report.share_reached()
    );
    text += &format!("{ENOUGH_DIGITS} digits are asked of each, and half of them must be comparable.\n");
    text
}
