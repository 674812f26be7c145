//! What a solve changed, as a person reads it and as JSON: parameters, nails, tilts in degrees.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::math::elementary::atan;
use crate::model::{ControlVector, Field, Model};
use crate::scene::Short;
use crate::session::ParameterChange;
use crate::solve::{GoalReport, Report};

/// The whole account of a solve; the fields and their order are those of the JSON.
#[derive(Debug, Serialize)]
pub(super) struct Account {
    pub verdict: &'static str,
    pub says: String,
    pub iterations: u32,
    pub simulations: u32,
    pub jumps: Vec<String>,
    pub nails: Vec<NailLine>,
    pub changes: Vec<ChangeLine>,
    pub needed: Vec<String>,
    pub tilts: Vec<TiltLine>,
}

/// How one nail stands.
#[derive(Debug, Serialize)]
pub(super) struct NailLine {
    pub nail: String,
    pub enabled: bool,
    pub t: Option<f64>,
    pub error: Option<f64>,
    pub unit: &'static str,
    pub missing: Option<String>,
    pub against: Vec<String>,
    pub powerless: Option<String>,
    #[serde(skip)]
    text: String,
}

/// One parameter that changed; a bound that does not exist is null.
#[derive(Debug, Serialize)]
pub(super) struct ChangeLine {
    pub parameter: String,
    pub before: f64,
    pub after: f64,
    pub rest: f64,
    pub bounds: [Option<f64>; 2],
}

/// How far a normal is tilted.
#[derive(Debug, Serialize)]
pub(super) struct TiltLine {
    pub of: String,
    pub degrees: f64,
}

impl Account {
    pub fn new(model: &Model, u: &ControlVector, report: &Report, changes: &[ParameterChange]) -> Account {
        Account {
            verdict: report.verdict.as_str(),
            says: report.verdict.shown(model),
            iterations: report.iterations,
            simulations: report.simulations,
            jumps: report.jumps.iter().map(|jump| jump.shown(model)).collect(),
            nails: report.nails.iter().map(NailLine::new).collect(),
            changes: changes.iter().map(ChangeLine::new).collect(),
            needed: report.needed.clone(),
            tilts: tilts(model, u),
        }
    }

    /// The whole account in aligned columns.
    pub fn print(&self) -> String {
        let jumps = if self.jumps.is_empty() { String::new() } else { format!("; jumps: {}", self.jumps.join(", ")) };
        let Account { says, iterations, simulations, .. } = self;
        let how = format!("{} after {iterations} iterations and {simulations} simulations{jumps}\n", capital(says));
        how + &self.state()
    }

    /// How nails and parameters stand, whatever led there.
    pub fn state(&self) -> String {
        let mut text = String::new();
        text += if self.nails.is_empty() { "\nNo nails.\n" } else { "\nNails\n" };
        for nail in &self.nails {
            text += &format!("  {}{}\n", nail.text, if nail.enabled { "" } else { " (switched off)" });
        }
        text += if self.changes.is_empty() { "\nNo parameter changed.\n" } else { "\nParameters that changed\n" };
        let width = self.changes.iter().map(|change| change.parameter.chars().count()).max().unwrap_or(0);
        for change in &self.changes {
            let ChangeLine { parameter, before, after, rest, .. } = change;
            let (before, after) = (number(*before), number(*after));
            text += &format!(
                "  {parameter:<width$}  {before:>14} → {after:>14}   rest {}{}\n",
                number(*rest),
                change.within()
            );
        }
        for body in &self.needed {
            text += &format!("  {body} has no wish of its own; the wishes need it\n");
        }
        for TiltLine { of, degrees } in &self.tilts {
            text += &format!("  the normal of {of} is tilted by {degrees:.3}°\n");
        }
        text
    }
}

impl NailLine {
    fn new(report: &GoalReport) -> NailLine {
        NailLine {
            nail: report.title.clone(),
            enabled: report.enabled,
            t: report.t,
            error: report.error,
            unit: report.unit,
            missing: report.missing.clone(),
            against: report.against.clone(),
            powerless: report.powerless.clone(),
            text: report.to_string(),
        }
    }
}

impl ChangeLine {
    fn new(change: &ParameterChange) -> ChangeLine {
        let finite = |bound: f64| bound.is_finite().then_some(bound);
        ChangeLine {
            parameter: change.name.clone(),
            before: change.before,
            after: change.after,
            rest: change.rest,
            bounds: [finite(change.bounds.0), finite(change.bounds.1)],
        }
    }

    /// Its bounds, if it has any, and whether it stands at one of them.
    fn within(&self) -> String {
        let [low, high] = self.bounds;
        let bound = |bound: Option<f64>| bound.map_or("∞".to_owned(), |bound| Short(bound).to_string());
        let at = match self.bounds {
            [Some(low), _] if low == self.after => ": at its least",
            [_, Some(high)] if high == self.after => ": at its greatest",
            [None, None] => return String::new(),
            _ => "",
        };
        format!(", within {}{} to {}{at}", if low.is_none() { "−" } else { "" }, bound(low), bound(high))
    }
}

/// Six decimals, or four digits and a power of ten where those would show nothing, or fill the line.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e7).contains(&size) { format!("{value:.6}") } else { format!("{value:.3e}") }
}

/// Tilts that are not zero, in degrees: n + a·T1 + b·T2 is turned by atan √(a² + b²).
fn tilts(model: &Model, u: &ControlVector) -> Vec<TiltLine> {
    let mut squares: BTreeMap<String, f64> = BTreeMap::new();
    for (parameter, value) in model.parameters().iter().zip(u.values()) {
        if parameter.role.field == Field::Normal {
            let of = parameter.name.split('.').next().unwrap_or_default().to_owned();
            *squares.entry(of).or_default() += value * value;
        }
    }
    let tilted = squares.into_iter().filter(|(_, square)| *square > 0.0);
    tilted.map(|(of, square)| TiltLine { of, degrees: atan(square.sqrt()).to_degrees() }).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
