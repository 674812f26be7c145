//! MP4 (H.264) by piping frames to ffmpeg, where it is installed.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::super::error::{failure, unwritten};
use super::super::{ExportError, Options, Progress, Summary};
use super::Film;
use crate::files::{PendingFolder, is_stopped};

/// What is called.
const PROGRAM: &str = "ffmpeg";

pub fn write(film: &Film, path: &Path, options: &Options, progress: Progress) -> Result<Summary, ExportError> {
    let refused = |fault| unwritten(path, fault);
    let mut pending = PendingFolder::new(path).map_err(refused)?;
    // ffmpeg knows the format by the ending.
    let place = pending.place("mp4");
    let mut encoder = start(&place, options).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ExportError::NoEncoder { path: path.to_owned() },
        _ => failure(path, error),
    })?;
    let fed = feed(&mut encoder, film, progress);
    if fed.as_ref().is_err_and(is_stopped) {
        let _ = encoder.kill();
        let _ = encoder.wait();
        return Err(ExportError::Cancelled);
    }
    // Closing the pipe tells ffmpeg that the film is over.
    drop(encoder.stdin.take());
    let mut said = String::new();
    if let Some(mut errors) = encoder.stderr.take() {
        let _ = errors.read_to_string(&mut said);
    }
    let status = encoder.wait().map_err(|error| failure(path, error))?;
    if let Some(kind) = said_kind(&said) {
        return Err(failure(path, kind.into()));
    }
    if !status.success() {
        let last = said.lines().last().unwrap_or("it gave no reason");
        return Err(ExportError::Unwritable { path: path.to_owned(), reason: format!("{PROGRAM}: {last}") });
    }
    fed.map_err(|error| failure(path, error))?;
    let taken = pending.take(path.to_owned(), &place).and_then(|()| pending.finish());
    Ok(Summary { files: taken.map_err(refused)?, keys: film.times.len() })
}

/// What the system refused, by what ffmpeg says of it. Some versions end as if all were well when the disk is full.
fn said_kind(said: &str) -> Option<io::ErrorKind> {
    let kinds = [
        ("No space left on device", io::ErrorKind::StorageFull),
        ("Permission denied", io::ErrorKind::PermissionDenied),
        ("Read-only file system", io::ErrorKind::ReadOnlyFilesystem),
    ];
    kinds.into_iter().find(|(words, _)| said.contains(words)).map(|(_, kind)| kind)
}

/// Sides of a picture in this form are even: an odd one loses a pixel.
fn start(out: &Path, options: &Options) -> io::Result<Child> {
    let [width, height] = options.size;
    Command::new(PROGRAM)
        .args(["-hide_banner", "-loglevel", "error", "-xerror", "-nostdin", "-y"])
        .args(["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", &format!("{width}x{height}")])
        .args(["-framerate", &options.fps.to_string(), "-i", "-"])
        .args(["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "18"])
        .args(["-movflags", "+faststart"])
        .arg(out)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

fn feed(encoder: &mut Child, film: &Film, progress: Progress) -> io::Result<()> {
    let pipe = encoder.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
    film.frames(progress).try_for_each(|frame| pipe.write_all(frame?.rgb()))
}
