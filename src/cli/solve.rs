//! `hattrick solve`: changes free parameters until the nails of a scene hold, and says what it changed.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use super::ledger::Account;
use super::{Failure, print};
use crate::session::{Edit, Session};
use crate::solve::Ask;

/// Meet the nails of a scene; say what changed, from what to what
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    /// Write the solved scene here [default: nothing is written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Of the random samples that look for ways around obstacles
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Steps of the solver at most
    #[arg(long, value_name = "N", default_value_t = 200)]
    iterations: u32,
    /// Print JSON, with every digit
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let mut session = Session::open(&arguments.scene).map_err(|error| Failure(error.to_string()))?;
    if session.nails().is_empty() {
        return Err(Failure(format!("{}: there is nothing to solve; add a [[nail]]", arguments.scene.display())));
    }
    let edit = Edit::Solve { iterations: arguments.iterations, seed: arguments.seed };
    let outcome = session.apply_while(edit, &progress).map_err(|error| Failure(error.to_string()))?;
    clear_progress();
    let report = outcome.report.unwrap_or_default();
    let account = Account::new(session.model(), session.u(), &report, &outcome.changes);
    let text = if arguments.json { json(&account)? } else { account.print() };
    if let Some(path) = &arguments.out {
        session.save(path).map_err(|error| Failure(error.to_string()))?;
    }
    let missed = report.nails.iter().filter(|nail| !nail.is_met()).count();
    if missed == 0 {
        return Ok(text);
    }
    print(&text)?;
    let nails = if missed == 1 { "1 nail is".to_owned() } else { format!("{missed} nails are") };
    Err(Failure(format!("{nails} not met: {}", report.verdict.shown(session.model()))))
}

pub(super) fn json(account: &Account) -> Result<String, Failure> {
    let text = serde_json::to_string(account);
    text.map(|text| text + "\n").map_err(|error| Failure(format!("cannot print the result: {error}")))
}

/// Counts iterations on a terminal; never stops the solve.
fn progress(ask: Ask) -> bool {
    if let Ask::Step(iteration) = ask
        && io::stderr().is_terminal()
    {
        let _ = write!(io::stderr(), "\riteration {iteration} ");
    }
    true
}

fn clear_progress() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
