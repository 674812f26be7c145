//! Whether a file holds the motion it claims: read it back, draw it as a viewer would, and compare.
//!
//! ```text
//! place  max over bodies and t of |P_file·x_file(t) − R_up·x(t)|
//! angle  max over bodies and t of ∠(P_file·R_file(t), R_up·R(t))
//! ```
//!
//! with P_file the pose of what is above the body in the file, and R_up the turn that puts the scene upright (`axes`).
//! t runs over the keys of the file, over the instants of the body, and over `LOOKS` times between any two of those: a
//! key that was moved, taken away or put in shows. Between keys the file is read with its own interpolation (`curve`).
//! Marks of joints and forces that move are compared likewise (`marks::compare`). Everything else that the file says (meshes, materials, masses, events) is compared with what `export` would write for the
//! scene (`content`). Nails are read twice: off the motion, and off the poses that the file has at
//! the instant they speak of.

use std::path::Path;

use nalgebra::{Isometry3, Point3};

use super::content::{self, ContentReport};
use super::curve::{Place, Turn};
use super::marks::compare::FileMark;
use super::marks::{self, Marks};
use super::{Format, Motion, Options, ReadError};
use crate::dynamics::BodyState;
use crate::files::{self, MOST_BYTES, ReadFault};
use crate::goal::{Goal, Reading};
use crate::math::{Rotation, Vec3, rotation};
use crate::model::{BodyId, ControlVector, Model};
use crate::simulation::{BodyCurve, Fingerprint};
use crate::solve::GoalReport;

/// Furthest from the motion that a place in a file may be, m: what `export` leaves between keys (5e-5), and as much again
/// for the half-width numbers of some formats.
pub const TOLERANCE: f64 = 1e-4;
/// The same for orientations, rad.
pub const ANGLE_TOLERANCE: f64 = 1e-3;
/// Times compared between two keys. Odd, so that the middle is one of them: there chords are furthest off.
const LOOKS: u32 = 7;

/// The motion a file holds.
#[derive(Clone, Debug)]
pub struct FileMotion {
    /// In the order of the file.
    pub bodies: Vec<FileBody>,
    /// Of the motion it was made from, where the format has room for it.
    pub fingerprint: Option<String>,
    /// Frames a second it was made with, where it tells.
    pub fps: Option<f64>,
    /// Whether its keys are joined by cubics.
    pub cubic: bool,
    /// What joints and forces look like, where that moves.
    pub marks: Vec<FileMark>,
    /// Whether it says that it was made without marks.
    pub left_out: bool,
    /// Everything it says besides the motion.
    pub content: serde_json::Value,
}

/// The motion of one body in a file.
#[derive(Clone, Debug)]
pub struct FileBody {
    /// As in the scene.
    pub name: String,
    /// What is above it in the file, which turns and moves it.
    pub parent: Isometry3<f64>,
    /// What is added to its place: shifts by nodes above it.
    pub carriers: Vec<Place>,
    /// Of the centre of mass.
    pub place: Place,
    /// World from body.
    pub turn: Turn,
}

/// The largest deviation, and where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// m or rad.
    pub value: f64,
    /// s.
    pub t: f64,
    /// Whose.
    pub body: String,
}

/// Deviations of places and of orientations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deviation {
    /// m.
    pub place: Worst,
    /// rad.
    pub angle: Worst,
}

/// What `verify` found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// At the keys of the file.
    pub at_keys: Deviation,
    /// Where the file interpolates.
    pub between_keys: Deviation,
    /// At all times, keys and instants of the motion included.
    pub over_all_time: Deviation,
    /// Keys of places and orientations.
    pub keys: usize,
    /// Bodies compared.
    pub bodies: usize,
    /// Bodies of the scene that the file does not have.
    pub missing: Vec<String>,
    /// Bodies of the file that the scene does not have.
    pub unknown: Vec<String>,
    /// Of the motion.
    pub fingerprint: Fingerprint,
    /// As the file says.
    pub file_fingerprint: Option<String>,
    /// How the nails stand.
    pub nails: Vec<NailResidual>,
    /// How everything besides the motion compares.
    pub content: ContentReport,
}

/// A nail on the motion, and in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct NailResidual {
    /// On the motion.
    pub motion: GoalReport,
    /// By how much the file misses it, with its unit; none where the nail wishes no place or orientation.
    pub file: Option<(f64, &'static str)>,
}

/// The nails of a scene and what it takes to read them.
#[derive(Clone, Copy, Debug)]
pub struct Nailed<'a> {
    /// Of the scene.
    pub model: &'a Model,
    /// That the motion was made with.
    pub u: &'a ControlVector,
    /// In the order of the file.
    pub goals: &'a [Goal],
}

impl Report {
    /// Whether the file holds the motion to within these deviations, and tells the truth in everything else.
    pub fn holds(&self, tolerance: f64, angle_tolerance: f64) -> bool {
        self.holds_motion(tolerance, angle_tolerance) && self.content.differences == 0
    }

    /// Whether the file holds the motion to within these deviations.
    pub fn holds_motion(&self, tolerance: f64, angle_tolerance: f64) -> bool {
        let Deviation { place, angle } = &self.over_all_time;
        // Written so that what is not a number does not hold.
        let near = place.value <= tolerance && angle.value <= angle_tolerance;
        near && self.missing.is_empty() && self.unknown.is_empty()
    }
}

/// Reads a file that `export` wrote.
pub fn read(path: &Path) -> Result<FileMotion, ReadError> {
    let unknown = |_| ReadError::UnknownEnding { path: path.to_owned() };
    let format = Format::of(path).map_err(unknown)?;
    if !format.carries_motion() {
        return Err(ReadError::NoMotion { path: path.to_owned() });
    }
    let unreadable = |fault: ReadFault| ReadError::Unreadable { path: path.to_owned(), reason: fault.to_string() };
    let bytes = files::read(path, MOST_BYTES).map_err(unreadable)?;
    // A table of events that is not there is told with what else differs.
    let beside =
        (format == Format::Csv).then(|| files::read(&super::csv::events_path(path), MOST_BYTES).ok()).flatten();
    let motion = format.read(path, &bytes, beside.as_deref())?;
    check(path, &motion)?;
    Ok(motion)
}

/// Compares what a file says besides the motion of bodies with what `export` would write.
fn compare_rest(motion: &Motion, path: &Path, file: &FileMotion, report: &mut Report) -> Result<(), ReadError> {
    let malformed = |error: super::ExportError| ReadError::Malformed { path: path.to_owned(), what: error.to_string() };
    let [least, most] = super::FRAME_RATES;
    let fps = file.fps.unwrap_or(Options::default().fps).clamp(least, most);
    let options = Options { fps, cubic: file.cubic, marks: !file.left_out, ..Options::default() };
    let encoded = super::encode(motion, path, &options, &mut |_| true).map_err(malformed)?;
    let [(_, bytes), beside @ ..] = &encoded.files[..] else { return Ok(()) };
    let beside = beside.first().map(|(_, bytes)| &bytes[..]);
    let format = Format::of(path).map_err(malformed)?;
    let expected = format.read(path, bytes, beside)?;
    report.content = content::compare(&expected.content, &file.content);
    if !expected.marks.is_empty() {
        let marks = Marks::new(motion, options.marks);
        marks::compare::compare(motion, &marks, [&expected.marks, &file.marks], report);
        report.over_all_time.include(&report.at_keys.clone());
        report.over_all_time.include(&report.between_keys.clone());
    }
    Ok(())
}

/// Compares a file with the motion.
pub fn verify(motion: &Motion, path: &Path, nailed: Option<Nailed>) -> Result<Report, ReadError> {
    let file = read(path)?;
    let up = Format::of(path).ok().and_then(Format::up);
    let root = up.map_or(Rotation::identity(), |up| super::axes::root(&motion.trajectory.world().gravity, up));
    let mut report = compare(motion, &root, &file);
    compare_rest(motion, path, &file, &mut report)?;
    if let Some(Nailed { model, u, goals }) = nailed {
        let pose = |body: BodyId, t: f64| {
            let found = file.bodies.iter().find(|other| other.name == motion.name(body))?;
            Some(found.pose(t, &root))
        };
        for goal in goals {
            let reading = goal.read(model, u, motion.trajectory);
            let missed = match &reading {
                Reading::Read(instant, _) => goal.missed_by_poses(instant, pose),
                Reading::Missing(_) => None,
            };
            report.nails.push(NailResidual { motion: GoalReport::new(goal, &reading), file: missed });
        }
    }
    Ok(report)
}

impl FileBody {
    /// The place of its centre of mass at t, below what is above it.
    pub fn place_at(&self, t: f64) -> Vec3 {
        self.place.at(t) + self.carriers.iter().map(|carrier| carrier.at(t)).sum::<Vec3>()
    }

    /// Curves of places: its own and its carriers'.
    fn places(&self) -> impl Iterator<Item = &Place> + Clone {
        [&self.place].into_iter().chain(&self.carriers)
    }

    /// Where the file has the body, in the axes of the scene; a pose has no velocities.
    fn pose(&self, t: f64, root: &Rotation) -> BodyState {
        let position = root.inverse() * (self.parent * Point3::from(self.place_at(t))).coords;
        let rotation = root.inverse() * self.parent.rotation * self.turn.at(t);
        BodyState { position, rotation, velocity: Vec3::zeros(), spin: Vec3::zeros() }
    }
}

/// Refuses curves that no viewer could follow.
fn check(path: &Path, motion: &FileMotion) -> Result<(), ReadError> {
    let malformed = |what: String| Err(ReadError::Malformed { path: path.to_owned(), what });
    for (index, body) in motion.bodies.iter().enumerate() {
        let name = &body.name;
        if motion.bodies[..index].iter().any(|other| other.name == *name) {
            return malformed(format!("there are two bodies {name}"));
        }
        let places = body.places().map(|place| place.knots.iter().map(|k| k.t).collect::<Vec<f64>>());
        let turns = body.turn.knots.iter().map(|k| k.t).collect();
        for times in places.chain([turns]) {
            if times.is_empty() {
                return malformed(format!("{name} has no keys"));
            }
            if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
                return malformed(format!("keys of {name} are out of order at {} s", pair[1]));
            }
        }
    }
    match motion.marks.iter().find(|mark| !mark.in_order()) {
        Some(mark) => malformed(format!("keys of {} are missing or out of order", mark.name)),
        None => Ok(()),
    }
}

fn compare(motion: &Motion, root: &Rotation, file: &FileMotion) -> Report {
    let in_file = |body: BodyId| file.bodies.iter().find(|other| other.name == motion.name(body));
    let in_scene = |other: &&FileBody| motion.bodies().any(|(body, _)| motion.name(body) == other.name);
    let missing = motion.bodies().map(|(body, _)| body).filter(|body| in_file(*body).is_none());
    let mut report = Report {
        at_keys: Deviation::default(),
        between_keys: Deviation::default(),
        over_all_time: Deviation::default(),
        keys: 0,
        bodies: 0,
        missing: missing.map(|body| motion.name(body).to_owned()).collect(),
        unknown: file.bodies.iter().filter(|body| !in_scene(body)).map(|body| body.name.clone()).collect(),
        fingerprint: motion.fingerprint,
        file_fingerprint: file.fingerprint.clone(),
        nails: Vec::new(),
        content: ContentReport::default(),
    };
    for (body, path) in motion.bodies() {
        if let Some(found) = in_file(body) {
            report.bodies += 1;
            report.keys += found.places().map(|place| place.knots.len()).sum::<usize>() + found.turn.knots.len();
            Comparison { path, found, root }.run(&mut report);
        }
    }
    report.over_all_time.include(&report.between_keys);
    report
}

/// One body in the motion and in the file.
struct Comparison<'a> {
    path: &'a BodyCurve<'a>,
    found: &'a FileBody,
    /// Of the motion in the axes of the file.
    root: &'a Rotation,
}

impl Comparison<'_> {
    fn run(&self, report: &mut Report) {
        let FileBody { name, turn, .. } = self.found;
        let places = self.found.places().flat_map(|place| place.knots.iter().map(|knot| knot.t));
        let turns = turn.knots.iter().map(|knot| knot.t);
        places.clone().for_each(|t| report.at_keys.place.note(self.distance(t), t, name));
        turns.clone().for_each(|t| report.at_keys.angle.note(self.angle(t), t, name));
        let mut times: Vec<f64> = places.chain(turns).chain(self.path.instants()).collect();
        times.extend([0.0, self.path.t_end()]);
        times.sort_by(f64::total_cmp);
        times.dedup();
        let between = times.windows(2).flat_map(|pair| {
            let (start, length) = (pair[0], pair[1] - pair[0]);
            (1..=LOOKS).map(move |k| start + length * f64::from(k) / f64::from(LOOKS + 1))
        });
        for t in between {
            report.between_keys.place.note(self.distance(t), t, name);
            report.between_keys.angle.note(self.angle(t), t, name);
        }
        for t in times {
            report.over_all_time.place.note(self.distance(t), t, name);
            report.over_all_time.angle.note(self.angle(t), t, name);
        }
    }

    fn distance(&self, t: f64) -> f64 {
        (self.found.parent * Point3::from(self.found.place_at(t))
            - self.root * Point3::from(self.path.after(t).position))
        .norm()
    }

    fn angle(&self, t: f64) -> f64 {
        let FileBody { parent, turn, .. } = self.found;
        rotation::angle_between(&(parent.rotation * turn.at(t)), &(self.root * self.path.after(t).rotation))
    }
}

impl Deviation {
    /// Takes over what is worse elsewhere.
    fn include(&mut self, other: &Deviation) {
        for (own, other) in [(&mut self.place, &other.place), (&mut self.angle, &other.angle)] {
            if !other.body.is_empty() {
                own.note(other.value, other.t, &other.body);
            }
        }
    }
}

impl Worst {
    /// Keeps the larger deviation.
    pub(super) fn note(&mut self, value: f64, t: f64, body: &str) {
        // What is not a number is as wrong as can be.
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if value > self.value || self.body.is_empty() {
            *self = Worst { value, t, body: body.to_owned() };
        }
    }
}
