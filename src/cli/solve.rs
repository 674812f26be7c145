//! `hattrick solve`: changes free parameters until the nails of a scene hold, and says what it changed.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::ledger::Account;
use super::{Failure, Outside, number, print};
use crate::session::Session;
use crate::solve::{Ask, Settings, Stop, Verdict};

/// Meet the nails of a scene; say what changed, from what to what
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    #[command(flatten)]
    outside: Outside,
    /// Write the solved scene here [default: nothing is written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Of the random samples that look for ways around obstacles
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Steps of the solver at most
    #[arg(long, value_name = "N", default_value_t = 200)]
    iterations: u32,
    /// Seconds at most; the best so far is kept
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Duration,
    /// Print JSON, with every digit
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let mut session = Session::open_reaching(&arguments.scene, arguments.outside.reach())
        .map_err(|error| Failure::new(error.to_string()))?;
    if session.nails().is_empty() {
        return Err(Failure::new(format!("{}: there is nothing to solve; add a [[nail]]", arguments.scene.display())));
    }
    let Arguments { iterations, seed, seconds, .. } = *arguments;
    // The clock bounds it instead.
    let settings = Settings { iterations, seed, effort: Some(u64::MAX), ..Settings::default() };
    let (progress, start) = (Progress::new(iterations), Instant::now());
    let outcome = session.solve_while(&settings, &|ask| {
        progress.tell(ask);
        ask == Ask::Rest || start.elapsed() < seconds
    });
    progress.clear();
    let outcome = outcome.map_err(|error| Failure::new(error.to_string()))?;
    let report = outcome.report.unwrap_or_default();
    let mut account = Account::new(session.model(), session.u(), &report, &outcome.changes);
    if report.verdict == Verdict::Unfinished(Stop::Asked) {
        let seconds = seconds.as_secs_f64();
        account.says = format!("not there yet after {seconds} s; --seconds gives it longer");
    }
    // Told before it is saved: where that fails, what was found is not lost.
    print(&if arguments.json { json(&account)? } else { account.print() })?;
    if let Some(path) = &arguments.out {
        session.save(path).map_err(|error| Failure::new(error.to_string()))?;
    }
    let missed = report.nails.iter().filter(|nail| !nail.is_met()).count();
    if missed == 0 {
        return Ok(String::new());
    }
    let nails = if missed == 1 { "1 nail is".to_owned() } else { format!("{missed} nails are") };
    Err(Failure::new(format!("{nails} not met: {}", account.says)))
}

/// A time that can be waited for.
fn seconds(word: &str) -> Result<Duration, String> {
    let seconds = Duration::try_from_secs_f64(number(word)?).ok().filter(|seconds| !seconds.is_zero());
    seconds.ok_or_else(|| "write a number of seconds above 0".to_owned())
}

pub(super) fn json(account: &Account) -> Result<String, Failure> {
    let text = serde_json::to_string(account);
    text.map(|text| text + "\n").map_err(|error| Failure::new(format!("cannot print the result: {error}")))
}

/// Tells on a terminal how far a solve is; says nothing where its output is kept.
struct Progress {
    terminal: bool,
    most: u32,
    iteration: AtomicU32,
    samples: AtomicU32,
}

impl Progress {
    fn new(most: u32) -> Progress {
        let terminal = io::stderr().is_terminal();
        Progress { terminal, most, iteration: AtomicU32::new(0), samples: AtomicU32::new(0) }
    }

    /// The line to show after a question of the solver, if it is one that takes long.
    fn line(&self, ask: Ask) -> Option<String> {
        let samples = match ask {
            Ask::Length | Ask::Motion | Ask::Rest => return None,
            Ask::Step(made) => {
                self.iteration.store(made + 1, Ordering::Relaxed);
                self.samples.store(0, Ordering::Relaxed);
                String::new()
            }
            Ask::Sample => format!(", looking for another way: {}", 1 + self.samples.fetch_add(1, Ordering::Relaxed)),
        };
        let iteration = self.iteration.load(Ordering::Relaxed);
        Some(format!("\r\x1b[Kiteration {iteration} of at most {}{samples}", self.most))
    }

    /// A terminal that has gone away is no error.
    fn tell(&self, ask: Ask) {
        if let Some(line) = self.line(ask).filter(|_| self.terminal) {
            let _ = write!(io::stderr(), "{line}");
        }
    }

    fn clear(&self) {
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_iterations_and_samples() {
        let progress = Progress::new(200);
        let line = |ask| progress.line(ask).map(|line| line.replace("\r\x1b[K", ""));
        assert_eq!(line(Ask::Step(0)).as_deref(), Some("iteration 1 of at most 200"));
        assert_eq!(line(Ask::Length), None);
        assert_eq!(line(Ask::Step(6)).as_deref(), Some("iteration 7 of at most 200"));
        assert_eq!(line(Ask::Sample).as_deref(), Some("iteration 7 of at most 200, looking for another way: 1"));
        assert_eq!(line(Ask::Sample).as_deref(), Some("iteration 7 of at most 200, looking for another way: 2"));
    }
}
