//! Moving pictures: numbered PNG files, an animated GIF, or an MP4 by way of ffmpeg.
//!
//! ```text
//! frame k shows t = k/fps, the last one the end;   GIF counts in hundredths of a second: fps = 100/⌈100/asked⌋
//! ```
//!
//! Frames come from `picture`, one camera for all of them. Every frame is one instant: a film shows an impact only as near as
//! its frame rate. Numbered pictures are drawn into a folder beside, and get their names together at the end. MP4 is ffmpeg's work: frames are piped to it, and it must be installed.

mod gif;
mod mp4;

use std::io;
use std::path::{Path, PathBuf};

use super::error::{failure, unwritten};
use super::keys::frames;
use super::{ExportError, Format, Motion, Options, Progress, Summary};
use crate::files::{PendingFolder, stopped};
use crate::picture::{Image, PictureError, Studio, View};

/// Frames of one film: an hour at 30 a second.
const MOST_FRAMES: usize = 108_000;

/// A film in the making: a camera and times.
struct Film<'a> {
    studio: &'a Studio<'a>,
    times: Vec<f64>,
}

pub(super) fn write(
    motion: &Motion,
    path: &Path,
    format: Format,
    options: &Options,
    progress: Progress,
) -> Result<Summary, ExportError> {
    let [width, height] = options.size;
    let title = motion.title.to_owned();
    let view = View { width, height, title, theme: options.theme, machine_marks: options.marks, ..View::default() };
    let refused = |error: PictureError| ExportError::Picture { reason: error.to_string() };
    let studio = Studio::new(motion.trajectory, &view).map_err(refused)?;
    let fps = match format {
        Format::Gif => 100.0 / f64::from(gif::delay(options.fps)),
        _ => options.fps,
    };
    let times = frames(fps, motion.trajectory.t_end);
    if times.len() > MOST_FRAMES {
        return Err(ExportError::TooManyFrames { frames: times.len() as f64, allowed: MOST_FRAMES as f64 });
    }
    let film = Film { studio: &studio, times };
    match format {
        Format::Gif => gif::write(&film, path, options, progress),
        Format::Mp4 => mp4::write(&film, path, options, progress),
        _ => write_pictures(&film, path, progress),
    }
}

impl Film<'_> {
    /// Frames in order, telling how far it is; an error where the rest is no longer wanted.
    fn frames<'a>(&'a self, progress: Progress<'a>) -> impl Iterator<Item = io::Result<Image>> + 'a {
        let count = self.times.len() as f64;
        let frame = move |(index, t): (usize, &f64)| {
            if progress(index as f64 / count) { Ok(self.studio.at(*t)) } else { Err(stopped()) }
        };
        self.times.iter().enumerate().map(frame)
    }
}

/// `throw.png` becomes `throw-0000.png`, `throw-0001.png`, …
fn write_pictures(film: &Film, path: &Path, progress: Progress) -> Result<Summary, ExportError> {
    let refused = |fault| unwritten(path, fault);
    let mut pending = PendingFolder::new(path).map_err(refused)?;
    for (index, frame) in film.frames(progress).enumerate() {
        let frame = frame.map_err(|error| failure(path, error))?;
        let bytes = frame.png().map_err(|error| ExportError::Picture { reason: error.to_string() })?;
        pending.add(numbered(path, index), &bytes).map_err(refused)?;
    }
    let files = pending.finish().map_err(refused)?;
    Ok(Summary { keys: files.len(), files })
}

fn numbered(path: &Path, index: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{index:04}.png"))
}
