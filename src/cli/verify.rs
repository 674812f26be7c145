//! `hattrick verify`: whether an exported file still holds the motion of its scene.

use std::fmt::Write;
use std::path::PathBuf;

use super::{Failure, Outside, open};
use crate::export::content::ContentReport;
use crate::export::verify::{ANGLE_TOLERANCE, NailResidual, Nailed, Report, TOLERANCE, Worst};
use crate::export::{Motion, verify};
use crate::goal::Goal;
use crate::simulation::simulate;

/// Simulate a scene again and compare with an exported file; exit 1 where it does not hold the motion
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    #[command(flatten)]
    outside: Outside,
    /// What `export` wrote
    file: PathBuf,
    /// Furthest that a place may be from the motion, m
    #[arg(long, value_name = "METRES", default_value_t = TOLERANCE)]
    tolerance: f64,
    /// Furthest that an orientation may be from the motion, rad
    #[arg(long, value_name = "RADIANS", default_value_t = ANGLE_TOLERANCE)]
    angle_tolerance: f64,
}

/// What was found, and whether the file holds the motion.
pub(super) fn run(arguments: &Arguments) -> Result<(String, bool), Failure> {
    let (scene, model) = open(&arguments.scene, arguments.outside)?;
    let u = model.control();
    let trajectory = simulate(&model, &u);
    let motion = Motion::new(&scene.title, &trajectory);
    let goals = Goal::of_nails(&model, &scene.nails).map_err(|errors| Failure::new(errors.in_file(&scene.source)))?;
    let nailed = Nailed { model: &model, u: &u, goals: &goals };
    let report = verify(&motion, &arguments.file, Some(nailed)).map_err(|error| Failure::new(error.to_string()))?;
    let holds = report.holds(arguments.tolerance, arguments.angle_tolerance);
    let verdict = match report.holds_motion(arguments.tolerance, arguments.angle_tolerance) {
        true if holds => "holds the motion of the scene",
        true => "holds the motion of the scene, but is NOT its file in the rest",
        false => "does NOT hold the motion of the scene",
    };
    let mut text = told(&report, arguments);
    let _ = writeln!(text, "{} {verdict}", arguments.file.display());
    Ok((text, holds))
}

fn told(report: &Report, arguments: &Arguments) -> String {
    let mut text = format!("{} bodies, {} keys; {}\n", report.bodies, report.keys, fingerprints(report));
    let (keys, between, all) = (&report.at_keys, &report.between_keys, &report.over_all_time);
    let rows = [
        ("place", "m", [&keys.place, &between.place, &all.place], arguments.tolerance),
        ("angle", "rad", [&keys.angle, &between.angle, &all.angle], arguments.angle_tolerance),
    ];
    for (what, unit, [at_keys, between_keys, over_all_time], allowed) in rows {
        let _ = writeln!(text, "{what}  at keys        {}", worst(at_keys, unit));
        let _ = writeln!(text, "{what}  between keys   {}", worst(between_keys, unit));
        let _ = writeln!(text, "{what}  over all time  {}  (allowed {allowed:e})", worst(over_all_time, unit));
    }
    text += &content(&report.content);
    report.nails.iter().for_each(|nail| text += &residual(nail));
    for (names, what) in [(&report.missing, "in the scene but not in the file"), (&report.unknown, "not in the scene")]
    {
        if !names.is_empty() {
            let _ = writeln!(text, "{what}: {}", names.join(", "));
        }
    }
    text
}

/// Meshes, materials, masses and events.
fn content(report: &ContentReport) -> String {
    let ContentReport { compared, vertices, vertex, vertex_of, told, differences } = report;
    let mut text = match (vertices, compared) {
        (_, 0) => "rest   nothing besides the motion to compare\n".to_owned(),
        (0, _) => format!("rest   {compared} numbers and words compared\n"),
        _ => {
            format!("shape  furthest vertex {vertex:.2e} m off ({vertex_of}); {compared} numbers and words compared\n")
        }
    };
    told.iter().for_each(|told| text += &format!("differs  {told}\n"));
    if told.len() < *differences {
        text += &format!("differs  and {} more\n", differences - told.len());
    }
    text
}

/// `nail  left egg in the bucket: met to 0.0e0 m; in the file to 3.1e-8 m`.
fn residual(nail: &NailResidual) -> String {
    let file = match nail.file {
        Some((error, unit)) => format!("; in the file off by {error:.1e} {unit}"),
        None if nail.motion.error.is_some() => "; a file has no number for it".to_owned(),
        None => String::new(),
    };
    let off = if nail.motion.enabled { "" } else { " (switched off)" };
    format!("nail   {}{file}{off}\n", nail.motion)
}

fn worst(worst: &Worst, unit: &str) -> String {
    if worst.body.is_empty() {
        return "nothing to compare".to_owned();
    }
    format!("{:.2e} {unit} ({} at {:.4} s)", worst.value, worst.body, worst.t)
}

fn fingerprints(report: &Report) -> String {
    let own = report.fingerprint;
    match &report.file_fingerprint {
        None => format!("motion {own}, the file names none"),
        Some(other) if *other == own.to_string() => format!("motion {own}, the same in the file"),
        Some(other) => format!("motion {own}, but the file was made from {other}"),
    }
}
