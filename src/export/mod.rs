//! The motion for other programs, with its impacts.
//!
//! ```text
//! Trajectory ──▶ BodyCurve (both sides of an instant) ──▶ keys (frames, instants, and between) ──▶ one file per format
//!                                                                                                     │
//!                       verify: read it back, interpolate as a viewer does, compare ◀─────────────────┘
//! ```
//!
//! A motion sampled at frames alone loses what matters: a ball that meets the floor between two frames never touches it.
//! So every file has keys at the exact instants, and more where the reader's interpolation would leave the path
//! (`keys`). Files appear whole or not at all (`crate::files`). Formats that carry motion can be read back (`verify`), and each
//! keeps its reading beside its writing.
//!
//! Joints and forces go along as things that other programs can show (`marks`): meshes below the bodies that carry them, coils that are
//! stretched by keys.
//!
//! Axes: scenes choose their own, and bodies keep them; one root above all bodies turns the axis nearest to "against
//! gravity" to the one that is up in the format (`axes`). Everything is in metres and seconds.

pub mod axes;
mod blender;
pub mod content;
mod csv;
pub mod curve;
mod error;
mod film;
mod gltf;
mod json;
pub mod keys;
mod look;
mod marks;
mod states;
mod usd;
pub mod verify;

use std::path::{Path, PathBuf};

use error::unwritten;
pub use error::{ExportError, ReadError};
pub use keys::Interpolation;
use keys::Sampling;
use marks::Marks;
pub use verify::{Report, verify};

use crate::files::{PendingFolder, write_whole};
use crate::math::Vec3;
use crate::model::BodyId;
use crate::picture::Theme;
use crate::simulation::{BodyCurve, Fingerprint, Trajectory};

/// Frames a second that can be asked for.
pub const FRAME_RATES: [f64; 2] = [1.0, 1000.0];
/// Frames of all bodies together; more would fill the memory before the disk.
const MOST_FRAMES: f64 = 2e7;

/// What a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF in one binary file.
    Glb,
    /// glTF as text.
    Gltf,
    /// A script that rebuilds the motion in Blender.
    Blender,
    /// USD as text.
    Usd,
    /// A table of states, and a second one of events.
    Csv,
    /// States and events in one.
    Json,
    /// An animated picture.
    Gif,
    /// A film, by way of ffmpeg.
    Mp4,
    /// Numbered pictures.
    Png,
}

/// What a person may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Frames a second.
    pub fps: f64,
    /// Cubic instead of linear interpolation, where the format has both.
    pub cubic: bool,
    /// Pixels across and down, of pictures.
    pub size: [u32; 2],
    /// Colours of pictures.
    pub theme: Theme,
    /// Whether joints and forces are seen.
    pub marks: bool,
}

/// A motion, prepared for writing or comparing.
pub struct Motion<'a> {
    /// What the scene is called.
    pub title: &'a str,
    /// What happens in it.
    pub trajectory: &'a Trajectory,
    /// Each body's, in the order of the scene.
    pub paths: Vec<BodyCurve<'a>>,
    /// By which it can be recognised.
    pub fingerprint: Fingerprint,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files and their sizes in bytes.
    pub files: Vec<(PathBuf, u64)>,
    /// How many keys, rows or pictures they hold.
    pub keys: usize,
}

/// Files in the making.
struct Encoded {
    /// What each will hold; the first has the name that was asked for.
    files: Vec<(PathBuf, Vec<u8>)>,
    /// How many keys or rows they hold.
    keys: usize,
}

impl Encoded {
    fn one(path: &Path, bytes: Vec<u8>, keys: usize) -> Encoded {
        Encoded { files: vec![(path.to_owned(), bytes)], keys }
    }

    /// All of them, or none.
    fn write(self, path: &Path) -> Result<Summary, ExportError> {
        let Encoded { files, keys } = self;
        if let [(path, bytes)] = &files[..] {
            write_whole(path, bytes).map_err(|fault| unwritten(path, fault))?;
            return Ok(Summary { files: vec![(path.clone(), bytes.len() as u64)], keys });
        }
        let written = PendingFolder::new(path).and_then(|mut pending| {
            files.into_iter().try_for_each(|(path, bytes)| pending.add(path, &bytes))?;
            pending.finish()
        });
        Ok(Summary { files: written.map_err(|fault| unwritten(path, fault))?, keys })
    }
}

/// Told how far an export is, from 0 to 1; says whether to go on.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> bool;

impl Format {
    /// All of them.
    pub const ALL: [Format; 9] = [
        Format::Glb,
        Format::Gltf,
        Format::Blender,
        Format::Usd,
        Format::Csv,
        Format::Json,
        Format::Gif,
        Format::Mp4,
        Format::Png,
    ];

    /// How its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Glb => "glb",
            Format::Gltf => "gltf",
            Format::Blender => "py",
            Format::Usd => "usda",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Gif => "gif",
            Format::Mp4 => "mp4",
            Format::Png => "png",
        }
    }

    /// Frames a second where nobody asks for another number: what other programs play at, or what a picture file bears.
    pub fn frame_rate(self) -> f64 {
        match self {
            Format::Gif => 25.0,
            Format::Png => 30.0,
            _ => 60.0,
        }
    }

    /// What it is, in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Format::Glb => "glTF 2.0, binary: web pages, games, Blender",
            Format::Gltf => "the same as text",
            Format::Blender => "Python script for Blender: objects, F-curves with handles",
            Format::Usd => "USD text: time samples, meshes, initial physics state",
            Format::Csv => "tables of states and of events",
            Format::Json => "states and events, every digit",
            Format::Gif => "animated picture",
            Format::Mp4 => "film (needs ffmpeg)",
            Format::Png => "numbered pictures, one for each frame",
        }
    }

    /// The format of a file's ending.
    pub fn of(path: &Path) -> Result<Format, ExportError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let found = Format::ALL.into_iter().find(|format| ending.as_deref() == Some(format.ending()));
        found.ok_or_else(|| ExportError::UnknownEnding { path: path.to_owned() })
    }

    /// How readers go from key to key.
    pub fn interpolation(self, cubic: bool) -> Interpolation {
        match self {
            Format::Glb | Format::Gltf if !cubic => Interpolation::Linear,
            Format::Glb | Format::Gltf => Interpolation::Cubic,
            Format::Usd | Format::Gif | Format::Mp4 | Format::Png => Interpolation::Linear,
            // Handles, or whole states, carry velocities.
            Format::Blender | Format::Csv | Format::Json => Interpolation::Cubic,
        }
    }

    /// Whether the motion can be read back from it.
    pub fn carries_motion(self) -> bool {
        match self {
            Format::Gif | Format::Mp4 | Format::Png => false,
            Format::Glb | Format::Gltf | Format::Blender | Format::Usd | Format::Csv | Format::Json => true,
        }
    }

    /// The direction that is up in it; none for formats that keep the scene's axes.
    pub fn up(self) -> Option<Vec3> {
        match self {
            Format::Glb | Format::Gltf | Format::Usd => Some(Vec3::y()),
            Format::Blender => Some(Vec3::z()),
            Format::Csv | Format::Json | Format::Gif | Format::Mp4 | Format::Png => None,
        }
    }

    /// Understands the bytes of a file; some formats have a second one beside it.
    fn read(self, path: &Path, bytes: &[u8], beside: Option<&[u8]>) -> Result<verify::FileMotion, ReadError> {
        match self {
            Format::Gif | Format::Mp4 | Format::Png => Err(ReadError::NoMotion { path: path.to_owned() }),
            Format::Glb => gltf::read_binary(path, bytes),
            Format::Gltf => gltf::read_text(path, bytes),
            Format::Blender => blender::read(path, bytes),
            Format::Usd => usd::read(path, bytes),
            Format::Csv => csv::read(path, bytes, beside),
            Format::Json => json::read(path, bytes),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { fps: 60.0, cubic: false, size: [640, 400], theme: Theme::default(), marks: true }
    }
}

impl Options {
    /// Where keys go in files of this format. Half of what `verify` allows by default is left to rounding.
    pub fn sampling(&self, format: Format) -> Sampling {
        let interpolation = format.interpolation(self.cubic);
        let crowds = matches!(format, Format::Glb | Format::Gltf) && interpolation == Interpolation::Linear;
        let spacing = if crowds { gltf::SPACING } else { 0.0 };
        Sampling { fps: self.fps, interpolation, tolerance: 5e-5, angle_tolerance: 5e-4, spacing }
    }
}

impl<'a> Motion<'a> {
    /// Prepares a motion.
    pub fn new(title: &'a str, trajectory: &'a Trajectory) -> Motion<'a> {
        let bodies = (0..trajectory.world().bodies.len() as u32).map(BodyId);
        Motion {
            title,
            trajectory,
            paths: bodies.map(|body| trajectory.curve(body).prepared()).collect(),
            fingerprint: Fingerprint::new(trajectory),
        }
    }

    /// The name of a body.
    pub fn name(&self, body: BodyId) -> &str {
        &self.trajectory.world().bodies[body.index()].name
    }

    /// All bodies with their paths.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &BodyCurve<'a>)> {
        (0..).map(BodyId).zip(&self.paths)
    }
}

/// Writes a motion to a file whose ending names the format.
pub fn export(motion: &Motion, path: &Path, options: &Options, progress: Progress) -> Result<Summary, ExportError> {
    let format = Format::of(path)?;
    check(motion, options)?;
    match format {
        Format::Gif | Format::Mp4 | Format::Png => film::write(motion, path, format, options, progress),
        _ => encode(motion, path, options, progress)?.write(path),
    }
}

/// The bytes of a file that carries motion.
fn encode(motion: &Motion, path: &Path, options: &Options, progress: Progress) -> Result<Encoded, ExportError> {
    let format = Format::of(path)?;
    let sampling = options.sampling(format);
    let marks = || Marks::new(motion, options.marks);
    match format {
        Format::Glb => gltf::encode_binary(motion, &marks(), path, &sampling, progress),
        Format::Gltf => gltf::encode_text(motion, &marks(), path, &sampling, progress),
        Format::Blender => blender::encode(motion, &marks(), path, &sampling, progress),
        Format::Usd => usd::encode(motion, &marks(), path, &sampling, progress),
        Format::Csv => csv::encode(motion, path, &sampling, progress),
        Format::Json => json::encode(motion, path, &sampling, progress),
        Format::Gif | Format::Mp4 | Format::Png => Err(ExportError::UnknownEnding { path: path.to_owned() }),
    }
}

/// Tells that a body is done; an error where the rest is no longer wanted.
fn tell(progress: &mut dyn FnMut(f64) -> bool, body: BodyId, motion: &Motion) -> Result<(), ExportError> {
    let share = (body.index() + 1) as f64 / motion.paths.len() as f64;
    if progress(share) { Ok(()) } else { Err(ExportError::Cancelled) }
}

/// Refuses frame rates that make no sense.
fn check(motion: &Motion, options: &Options) -> Result<(), ExportError> {
    let [least, most] = FRAME_RATES;
    if !(least..=most).contains(&options.fps) {
        return Err(ExportError::FrameRate { fps: options.fps, allowed: FRAME_RATES });
    }
    let moving = motion.paths.iter().filter(|path| path.moves()).count() as f64;
    let frames = motion.trajectory.t_end * options.fps * moving;
    if frames > MOST_FRAMES {
        return Err(ExportError::TooManyFrames { frames, allowed: MOST_FRAMES });
    }
    Ok(())
}
