//! `hattrick export`: writes the motion of a scene for other programs.

use std::path::PathBuf;

use super::progress::Progress;
use super::{Failure, Outside, open};
use crate::export::{Format, Motion, Options, Summary, export};
use crate::picture::Theme;
use crate::simulation::{End, simulate};

/// Parts of the bar: exports report shares.
const FINENESS: u64 = 1000;

/// Write the motion of a scene for other programs; the ending of the file says which
#[derive(Debug, clap::Args)]
#[command(after_help = endings())]
pub(super) struct Arguments {
    /// Scene file
    scene: PathBuf,
    #[command(flatten)]
    outside: Outside,
    /// File to write
    out: PathBuf,
    /// Frames a second; keys at impacts and where needed between come on top [default: 60; gif 25, png 30]
    #[arg(long)]
    fps: Option<f64>,
    /// glTF: cubic curves, one for a whole flight (for viewers that honour their tangents; Blender does not)
    #[arg(long)]
    cubic: bool,
    /// Leave out what shows joints and forces: bodies alone
    #[arg(long)]
    no_marks: bool,
    /// Pictures: pixels across and down
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "640x400")]
    size: [u32; 2],
    /// Pictures: dark instead of light
    #[arg(long)]
    dark: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let Arguments { scene, outside, out, fps, cubic, no_marks, size, dark } = arguments;
    // An ending nobody knows is told before the work, not after.
    let format = Format::of(out).map_err(|error| Failure::new(error.to_string()))?;
    let fps = fps.unwrap_or(format.frame_rate());
    let theme = if *dark { Theme::Dark } else { Theme::Light };
    let options = Options { fps, cubic: *cubic, size: *size, theme, marks: !no_marks };
    let (scene, model) = open(scene, *outside)?;
    let trajectory = simulate(&model, &model.control());
    let motion = Motion::new(&scene.title, &trajectory);
    let bar = Progress::in_percent(FINENESS);
    let mut progress = |share: f64| {
        bar.set((share * FINENESS as f64) as u64);
        true
    };
    let summary = export(&motion, out, &options, &mut progress);
    bar.finish();
    let summary = summary.map_err(|error| Failure::new(error.to_string()))?;
    let end = (trajectory.end != End::Horizon).then(|| format!("the motion {}\n", trajectory.ending()));
    Ok(told(&summary, format) + &end.unwrap_or_default())
}

fn told(summary: &Summary, format: Format) -> String {
    let kilobytes = |bytes: u64| (bytes as f64 / 1000.0).ceil();
    let line = |(path, bytes): &(PathBuf, u64)| format!("{}  {} kB\n", path.display(), kilobytes(*bytes));
    match &summary.files[..] {
        // A folder of frames is told by its ends.
        [first, .., last] if summary.keys == summary.files.len() => {
            let bytes: u64 = summary.files.iter().map(|(_, bytes)| bytes).sum();
            let ends = format!("{}\n…\n{}", first.0.display(), last.0.display());
            format!("{ends}\n{} pictures, {} kB\n", summary.keys, kilobytes(bytes))
        }
        files => {
            let files: String = files.iter().map(line).collect();
            format!("{files}{} {}\n", summary.keys, if format.carries_motion() { "keys" } else { "frames" })
        }
    }
}

/// `640x400`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
    sides.ok_or_else(|| "write pixels across and down, as in 640x400".to_owned())
}

fn endings() -> String {
    let lines = Format::ALL.map(|format| format!("  .{:<5} {}", format.ending(), format.describe()));
    format!("Endings:\n{}", lines.join("\n"))
}
