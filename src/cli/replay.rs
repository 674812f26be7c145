//! `hattrick replay`: replays an editing session without a window, and says what every edit did.

use std::path::{Path, PathBuf};

use super::ledger::Account;
use super::render::{Size, check_out, size};
use super::{Failure, Outside, hash, only, print};
use crate::files::{MOST_BYTES, read_text};
use crate::picture::{View, nail_marks, render_over};
use crate::session::{Edit, EditError, Journal, Outcome, ParameterChange, Session};
use crate::solve::{GoalReport, Report, Verdict};

/// Replay an editing session; say what every edit did
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Journal file; with --hash several
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    #[command(flatten)]
    outside: Outside,
    /// Write the resulting scene here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the motion over the one it began with (dashed): into a folder as before.png, middle.png and after.png, or the
    /// result only into a file ending in .png
    #[arg(long, value_name = "DIR|OUT.png")]
    render: Option<PathBuf>,
    /// Pixels of those pictures
    #[arg(long, value_name = "WxH", default_value = "1600x1000", value_parser = size, requires = "render")]
    size: Size,
    /// Print JSON: the account of the whole session
    #[arg(long)]
    json: bool,
    /// Print two numbers for the motion at the end of each journal, the same on every machine: one tells it from any other
    /// in one bit, one its derivatives by the free parameters
    #[arg(long, conflicts_with_all = ["out", "render", "json"])]
    hash: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    if arguments.hash {
        return arguments
            .journals
            .iter()
            .try_fold(String::new(), |text, path| Ok(text + &hash_of(path, arguments.outside)?));
    }
    let path = only(&arguments.journals, "journal")?;
    let pictures = arguments.render.as_ref().map(|out| Pictures::new(out)).transpose()?;
    let (journal, mut session) = start(path, arguments.outside)?;
    let start = session.clone();
    let middle = middle(&journal.edits);
    for (index, edit) in journal.edits.iter().enumerate() {
        let outcome = session.apply(edit.clone()).map_err(|error| refused(path, index, &error))?;
        // Told as it happens, so that long work shows how far it is and what went before a fault is not lost.
        if !arguments.json {
            print(&format!("{:>3}  {}{}\n", index + 1, said(edit), answer(&session, &outcome)))?;
        }
        let folder = pictures.as_ref().and_then(|pictures| pictures.folder.as_ref());
        if let Some(folder) = folder.filter(|_| index == middle) {
            draw(&start, &session, &folder.join("middle.png"), arguments.size)?;
        }
    }
    let nails = session.nail_reports();
    let changes = ParameterChange::between((start.model(), start.u()), (session.model(), session.u()));
    let met = nails.iter().all(GoalReport::is_met);
    let report = Report { verdict: if met { Verdict::Met } else { Verdict::Short }, nails, ..Report::default() };
    let account = Account::new(session.model(), session.u(), &report, &changes);
    if arguments.json {
        print(&super::solve::json(&account)?)?;
    } else {
        print(&account.state())?;
    }
    if let Some(pictures) = &pictures {
        draw(&start, &session, &pictures.after, arguments.size)?;
        if let Some(folder) = &pictures.folder {
            draw(&start, &start, &folder.join("before.png"), arguments.size)?;
        }
    }
    if let Some(path) = &arguments.out {
        session.save(path).map_err(|error| Failure::new(error.to_string()))?;
    }
    if met { Ok(String::new()) } else { Err(Failure::new("not every nail is met".into())) }
}

/// A journal and the session it begins with.
fn start(path: &Path, outside: Outside) -> Result<(Journal, Session), Failure> {
    let reach = outside.reach();
    let journal = Journal::open(path).map_err(|error| Failure::new(error.to_string()))?;
    let scene = journal.scene_within(path, reach).map_err(|error| Failure::new(error.to_string()))?;
    let session = Session::open_reaching(scene, reach).map_err(|error| Failure::new(error.to_string()))?;
    Ok((journal, session))
}

/// The two numbers of the motion a journal ends with.
fn hash_of(path: &Path, outside: Outside) -> Result<String, Failure> {
    let (journal, mut session) = start(path, outside)?;
    for (index, edit) in journal.edits.iter().enumerate() {
        session.apply(edit.clone()).map_err(|error| refused(path, index, &error))?;
    }
    Ok(hash::line(path, session.model(), session.u(), &session.whole_trajectory()))
}

/// Which line of the journal was refused, and why.
fn refused(journal: &Path, index: usize, error: &EditError) -> Failure {
    let line = read_text(journal, MOST_BYTES).map_or(0, |text| Journal::line_of(&text, index));
    Failure::new(format!("{}:{line}: edit {}: {error}", journal.display(), index + 1))
}

/// Where pictures go: a folder for three of them, or one file.
struct Pictures {
    folder: Option<PathBuf>,
    after: PathBuf,
}

impl Pictures {
    fn new(out: &Path) -> Result<Pictures, Failure> {
        if out.extension().is_some() {
            check_out(out)?;
            return Ok(Pictures { folder: None, after: out.to_owned() });
        }
        let refused =
            |error: std::io::Error| Failure::new(format!("{}: cannot make this folder: {error}", out.display()));
        std::fs::create_dir_all(out).map_err(refused)?;
        Ok(Pictures { folder: Some(out.to_owned()), after: out.join("after.png") })
    }
}

/// The place of the edit that brings the first half of what was solved.
fn middle(edits: &[Edit]) -> usize {
    let solves = |(_, edit): &(usize, &Edit)| matches!(edit, Edit::Move { .. } | Edit::Solve { .. });
    let places: Vec<usize> = edits.iter().enumerate().filter(solves).map(|(index, _)| index).collect();
    places.get(places.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// The motion a session ends with over the one it began with, and its nails.
fn draw(start: &Session, session: &Session, out: &Path, Size { width, height }: Size) -> Result<(), Failure> {
    let nail_marks = nail_marks(session.model(), &session.whole_trajectory(), session.nails());
    let view = View { title: session.scene().title.clone(), width, height, nail_marks, ..View::default() };
    let image = render_over(start.trajectory(), &session.whole_trajectory(), &view);
    image.and_then(|image| image.save(out)).map_err(|error| Failure::new(error.to_string()))
}

/// An edit in a few words.
fn said(edit: &Edit) -> String {
    let vector = |v: &[f64; 3]| format!("[{:.3}, {:.3}, {:.3}]", v[0], v[1], v[2]);
    match edit {
        Edit::Grab { body, at, .. } => {
            let at = serde_json::to_string(at).unwrap_or_default();
            format!("grab {body} at {}", at.replace('"', ""))
        }
        Edit::Move { target, .. } => format!("move to {}", vector(target)),
        Edit::Release => "release".to_owned(),
        Edit::Cancel => "cancel".to_owned(),
        Edit::Nail { nail: Some(nail), index } => {
            let what = nail.expression.as_ref().or(nail.name.as_ref()).or(nail.body.as_ref());
            let verb = if index.is_some() { "change nail" } else { "nail" };
            format!("{verb} {}", what.map_or("", String::as_str))
        }
        Edit::Nail { nail: None, index } => format!("remove nail {}", index.unwrap_or_default()),
        Edit::Solve { .. } => "solve".to_owned(),
        Edit::Set { parameter, value } => format!("set {parameter} to {value}"),
        Edit::Free { parameter, .. } => format!("free {parameter}"),
        Edit::Lock { parameter } => format!("lock {parameter}"),
        Edit::Control { parameter, .. } => format!("control {parameter}"),
        Edit::Text { .. } => "take another text".to_owned(),
        Edit::Undo => "undo".to_owned(),
        Edit::Redo => "redo".to_owned(),
    }
}

/// What came of it.
fn answer(session: &Session, outcome: &Outcome) -> String {
    let mut text = String::new();
    if let Some(report) = &outcome.report {
        text += &format!(": {} after {} iterations", report.verdict.shown(session.model()), report.iterations);
        if let Some(drag) = report.drag.as_ref().filter(|drag| !drag.is_met()) {
            text += &format!(", {drag}");
        }
        if !report.needed.is_empty() {
            text += &format!(", with {}, which the wish needs", report.needed.join(", "));
        }
        for jump in &report.jumps {
            text += &format!(", jumped at {}", jump.shown(session.model()));
        }
    }
    for nail in outcome.nails.iter().filter(|nail| !nail.is_met()) {
        text += &format!("; {nail}");
    }
    text
}
