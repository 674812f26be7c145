//! `hattrick export`: writes the motion of a scene for other programs.

use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, open};
use crate::export::{Format, Motion, Options, Summary, export};
use crate::simulation::{End, simulate};

/// Parts of the bar: exports report shares.
const FINENESS: u64 = 1000;
/// A bar that comes and goes within this time would only flicker.
const PATIENCE: Duration = Duration::from_millis(100);

/// Write the motion of a scene for other programs; the ending of the file says which
#[derive(Debug, clap::Args)]
#[command(after_help = endings())]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    /// File to write
    out: PathBuf,
    /// Frames a second; keys at impacts and where needed between come on top
    #[arg(long, default_value_t = 60.0)]
    fps: f64,
    /// glTF: cubic curves, one for a whole flight (for viewers that honour their tangents; Blender does not)
    #[arg(long)]
    cubic: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let Arguments { scene, out, fps, cubic } = arguments;
    // An ending nobody knows is told before the work, not after.
    Format::of(out).map_err(|error| Failure(error.to_string()))?;
    let (scene, model) = open(scene)?;
    let trajectory = simulate(&model, &model.control());
    let motion = Motion::new(&scene.title, &trajectory);
    let bar = bar();
    let mut progress = |share: f64| bar.set_position((share * FINENESS as f64) as u64);
    let summary = export(&motion, out, &Options { fps: *fps, cubic: *cubic }, &mut progress);
    bar.finish_and_clear();
    let summary = summary.map_err(|error| Failure(error.to_string()))?;
    let end = (trajectory.end != End::Horizon).then(|| format!("the motion {}\n", trajectory.end));
    Ok(told(&summary) + &end.unwrap_or_default())
}

fn told(summary: &Summary) -> String {
    let kilobytes = |bytes: u64| (bytes as f64 / 1000.0).ceil();
    let line = |(path, bytes): &(PathBuf, u64)| format!("{}  {} kB\n", path.display(), kilobytes(*bytes));
    let files: String = summary.files.iter().map(line).collect();
    format!("{files}{} keys\n", summary.keys)
}

/// Shown on a terminal only, and only where it takes a while.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent}% {eta} left").unwrap_or(ProgressStyle::default_bar());
    let bar = ProgressBar::new(FINENESS).with_style(style);
    bar.enable_steady_tick(PATIENCE);
    bar
}

fn endings() -> String {
    let lines = Format::ALL.map(|format| format!("  .{:<5} {}", format.ending(), format.describe()));
    format!("Endings:\n{}", lines.join("\n"))
}
