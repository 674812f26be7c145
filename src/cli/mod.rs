//! The commands of the `hattrick` program, one file each; without a command it opens the editor.
//!
//! Results go to standard output. Errors go to standard error with exit code 1; wrong usage exits
//! with 2 and says what is right.

mod check;
mod export;
mod hash;
mod jacobian;
mod ledger;
mod motion;
mod progress;
mod render;
mod replay;
mod simulate;
mod solve;
mod table;
mod terminal;
mod verify;
mod window;

pub use check::compared;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use terminal::harmless;

use crate::files::Reach;
use crate::goal::Goal;
use crate::model::Model;
use crate::scene::{Scene, nearest};

const FAILURE: u8 = 1;
const WRONG_USAGE: u8 = 2;

/// Exact rigid-body motions from scene files
#[derive(Debug, Parser)]
#[command(name = "hattrick", version, override_usage = "hattrick [SCENE]\n       hattrick <COMMAND>")]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Scene to open in the editor; without one it shows the examples
    scene: Option<PathBuf>,
    #[command(flatten)]
    outside: Outside,
}

/// Whether files of other folders may be read.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Outside {
    /// Read meshes, and the scene of a journal, from other folders than their own too
    #[arg(long)]
    allow_outside: bool,
}

impl Outside {
    fn reach(self) -> Reach {
        if self.allow_outside { Reach::Anywhere } else { Reach::Folder }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Render(Box<render::Arguments>),
    Simulate(simulate::Arguments),
    Jacobian(jacobian::Arguments),
    Check(check::Arguments),
    Export(export::Arguments),
    Verify(verify::Arguments),
    Solve(solve::Arguments),
    Replay(replay::Arguments),
}

/// Why a command failed, as a person reads it, and the exit code that tells a program.
struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// The work could not be done.
    fn new(message: String) -> Failure {
        Failure { message, code: FAILURE }
    }

    /// An argument asks for what cannot be; which ones can may depend on the scene.
    fn usage(message: String) -> Failure {
        Failure { message, code: WRONG_USAGE }
    }
}

/// Runs the program with the given arguments, the program's own name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(meant) = meant(&arguments) {
        return fail(&meant);
    }
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            return fail(&Failure::usage(error.render().to_string().trim_end().to_owned()));
        }
        Err(help) => {
            // Printing can only fail where nobody listens; asking for help is no error.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let result = match arguments.command {
        Some(Command::Render(arguments)) => render::run(&arguments),
        Some(Command::Simulate(arguments)) => simulate::run(&arguments),
        Some(Command::Jacobian(arguments)) => jacobian::run(&arguments),
        Some(Command::Check(arguments)) => return judge(check::run(&arguments)),
        Some(Command::Export(arguments)) => export::run(&arguments),
        Some(Command::Verify(arguments)) => return judge(verify::run(&arguments)),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        None => window::run(arguments.scene, arguments.outside),
    };
    match result.and_then(|output| print(&output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure),
    }
}

/// Tells why a command failed.
fn fail(failure: &Failure) -> ExitCode {
    let _ = writeln!(io::stderr(), "{}", harmless(&failure.message));
    ExitCode::from(failure.code)
}

/// Ends a command that prints what it found, and whether that holds.
fn judge(found: Result<(String, bool), Failure>) -> ExitCode {
    match found.and_then(|(output, holds)| print(&output).map(|()| holds)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILURE),
        Err(failure) => fail(&failure),
    }
}

/// The only one of the files named.
fn only<'a>(files: &'a [PathBuf], what: &str) -> Result<&'a Path, Failure> {
    match files {
        [file] => Ok(file),
        _ => Err(Failure::usage(format!("name one {what}; several are for --hash"))),
    }
}

/// A first word that is no file but nearly a command.
fn meant(arguments: &[OsString]) -> Option<Failure> {
    let word = arguments.get(1)?.to_str()?;
    let commands = Arguments::command();
    let names: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    let is_plain = word.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    if !is_plain || word.starts_with('-') || names.contains(&word) || Path::new(word).exists() {
        return None;
    }
    let name = nearest(word, names.iter().copied())?;
    Some(Failure::usage(format!("no command or file is called {word}; did you mean `hattrick {name}`?")))
}

/// Opens a scene and builds its model; every fault has its line.
fn open(path: &Path, outside: Outside) -> Result<(Scene, Model), Failure> {
    let tell = |what: &str| {
        let _ = writeln!(io::stderr(), "{}", harmless(what));
    };
    let scene = Scene::open_reaching(path, outside.reach(), tell).map_err(|error| Failure::new(error.to_string()))?;
    scene.notes.iter().for_each(|note| tell(note));
    let model = Model::new(&scene).map_err(|errors| Failure::new(errors.in_file(&scene.source)))?;
    // Nails are not needed here, but a scene whose nails mean nothing is at fault all the same.
    Goal::of_nails(&model, &scene.nails).map_err(|errors| Failure::new(errors.in_file(&scene.source)))?;
    Ok((scene, model))
}

/// A finite number on the command line.
fn number(word: &str) -> Result<f64, String> {
    let number = word.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{word:?} is no number"))
}

/// Writes all output at once; a reader that has gone away (`| head`) is no error.
fn print(output: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(harmless(output).as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_may_be_listed_or_repeated() {
        for line in ["--at 1 2 -3", "--at 1 --at 2 --at -3", "--at 1,2,-3"] {
            let words = format!("hattrick simulate s.toml {line}");
            let arguments = Arguments::try_parse_from(words.split(' ')).expect(line);
            let Some(Command::Simulate(arguments)) = arguments.command else { panic!("{line}") };
            assert_eq!(arguments.at, [1.0, 2.0, -3.0], "{line}");
        }
    }

    #[test]
    fn wrong_usage_is_told_apart_from_a_scene() {
        let parse = |line: &str| Arguments::try_parse_from(line.split(' '));
        assert!(parse("hattrick simulate").is_err());
        for command in ["simulate", "check", "jacobian", "render"] {
            let error = parse(&format!("hattrick {command} s.toml --at soon")).expect_err(command).to_string();
            assert!(error.contains("\"soon\" is no number"), "{error}");
        }
        assert!(parse("hattrick simulat s.toml").is_err());
        let meant =
            |line: &str| meant(&line.split(' ').map(OsString::from).collect::<Vec<_>>()).map(|meant| meant.message);
        for line in ["hattrick simulat s.toml", "hattrick simulat"] {
            assert!(meant(line).is_some_and(|advice| advice.contains("did you mean `hattrick simulate`?")), "{line}");
        }
        for line in
            ["hattrick simulate s.toml", "hattrick eggs", "hattrick rendr.toml", "hattrick src", "hattrick --help"]
        {
            assert_eq!(meant(line), None, "{line}");
        }
        assert!(parse("hattrick s.toml").is_ok_and(|arguments| arguments.scene.is_some()));
        assert!(parse("hattrick").is_ok_and(|arguments| arguments.command.is_none()));
    }
}
