//! What a person described: reading a scene file, and refusing it with reasons.
//!
//! ```text
//! file ──▶ text ──▶ tables with spans ──▶ Scene { settings, bodies, joints, forces, tracks, controls, nails }
//!                          └──▶ every fault found: file, line, column, what to write instead
//! ```
//!
//! A `Scene` is plain data and holds only finite numbers within the limits of `limits`. Reading does
//! not stop at the first fault. Each field's place in the text stays in [`Source`], so that later rooms
//! report a key (`control[2].parameter`) and still get a line. What the parameter names of a
//! `[[control]]` mean is `model`'s business; so is what a shape weighs.

mod body;
mod control;
mod drive;
mod error;
mod limits;
mod machine;
mod mesh;
mod nail;
mod nearest;
mod numbers;
mod reader;
mod shape;
mod source;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;
use std::path::Path;

use toml_edit::{Document, TableLike};

use crate::files::{self, Reach, ReadFault};
use crate::geometry::Shape;
use crate::math::Vec3;
use machine::{Machine, Tables, read_variables};
use reader::Reader;

pub use drive::{Drive, Guide};
pub use error::{NameRule, Problem, SceneError, SceneFileError};
pub use limits::Allowed;
pub(crate) use limits::{CHANGING_TIE, MASS, Short};
pub use machine::{
    Ease, Force, ForceKind, Formula, Frame, Given, Joint, JointKind, JointPath, Key, Label, Limits, MotorDrive,
    RestLength, Track, TrackSize, Variable,
};
pub use mesh::MeshProblem;
pub use nail::{Components, Inside, Nail, Region, Side, When};
pub(crate) use nearest::nearest;
pub use source::{Place, Source};
pub use write::{Manuscript, SaveError, save};

/// The time grid of held contact unless the file has another, s.
pub const DEFAULT_STEP: f64 = 1.0 / 240.0;

/// A scene as its file describes it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What a person calls it; may be empty.
    pub title: String,
    /// The motion runs from 0 to this time, s.
    pub duration: f64,
    /// Acceleration of every moving body in flight, m/s².
    pub gravity: Vec3,
    /// Restitution fades out below this approach speed, m/s.
    pub rest_speed: f64,
    /// The time grid of held contact, s.
    pub step: f64,
    /// The motion ends after this many events.
    pub max_events: u32,
    /// In the order of the file.
    pub bodies: Vec<Body>,
    /// In the order of the file; later ones override earlier ones.
    pub controls: Vec<Control>,
    /// What a person should know though nothing is wrong: repairs of meshes, how their pieces differ.
    pub notes: Vec<String>,
    /// In the order of the file.
    pub nails: Vec<Nail>,
    /// In the order of the file.
    pub joints: Vec<Joint>,
    /// In the order of the file.
    pub forces: Vec<Force>,
    /// In the order of the file.
    pub tracks: Vec<Track>,
    /// In the order of the file.
    pub labels: Vec<Label>,
    /// In the order of the file.
    pub variables: Vec<Variable>,
    /// Where numbers come from that are not written as such.
    pub(crate) numbers: Numbers,
    /// Whether the start is projected onto its joints before time begins.
    pub assemble: bool,
    /// The text all of this was read from.
    pub source: Source,
}

/// One `[[body]]`.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unique in the scene.
    pub name: String,
    /// What moves it.
    pub drive: Drive,
    /// Its shape in the body frame.
    pub shape: Shape,
    /// kg; excludes `density`.
    pub mass: Option<f64>,
    /// kg/m³.
    pub density: Option<f64>,
    /// Principal moments in the body frame, kg·m²; replaces the shape's.
    pub inertia: Option<Vec3>,
    /// Of the centre of mass, m.
    pub position: Vec3,
    /// Exponential map, rad.
    pub rotation: Vec3,
    /// At the start, m/s.
    pub velocity: Vec3,
    /// Angular velocity at the start, world frame, rad/s.
    pub spin: Vec3,
    /// From 0 (dead) to 1 (bounces back).
    pub restitution: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Torque per normal force against relative spin in held contact, m.
    pub rolling_resistance: f64,
    /// What counts as inside it, in its own axes from its centre of mass.
    pub region: Option<Region>,
}

/// One `[[control]]`: what differs from the default freedom of a parameter or group.
#[derive(Clone, Debug)]
pub struct Control {
    /// Name of a parameter or group, as written.
    pub parameter: String,
    /// Whether the solver may change it.
    pub free: Option<bool>,
    /// How reluctant it is.
    pub weight: Option<f64>,
    /// Least and greatest value.
    pub bounds: Option<[f64; 2]>,
    /// Its value, where no body has a field for it.
    pub value: Option<f64>,
    /// The value it would like to keep.
    pub rest: Option<f64>,
}

/// Where numbers come from that are not written as such.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    /// Formulas, by the key of the number they stand for.
    pub formulas: BTreeMap<String, Formula>,
    /// Points that are those of labels: their keys, and those of the labels' points.
    pub borrowed: BTreeMap<String, String>,
}

const SCENE_KEYS: &[&str] = &[
    "format",
    "title",
    "duration",
    "gravity",
    "rest_speed",
    "step",
    "max_events",
    "assemble",
    "variables",
    "shape",
    "track",
    "body",
    "label",
    "joint",
    "force",
    "control",
    "nail",
];

impl Scene {
    /// Reads a scene file, and those files it names that are in its folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Scene, SceneFileError> {
        Scene::open_reaching(path, Reach::Folder, |_| {})
    }

    /// Reads a scene file and the files it names. `tell` hears of what takes time, such as cutting up a mesh.
    pub fn open_reaching(path: impl AsRef<Path>, reach: Reach, tell: fn(&str)) -> Result<Scene, SceneFileError> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let bytes = files::read(path, limits::FILE_BYTES).map_err(|fault| {
            let problem = match fault {
                ReadFault::TooLong(limit) => Problem::TooLarge { limit },
                fault => Problem::Unreadable { reason: fault.to_string() },
            };
            SceneFileError::of_file(&shown, problem)
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|error| SceneFileError::not_text(&shown, error.as_bytes(), error.utf8_error().valid_up_to()))?;
        Scene::parse_telling(&text, &shown, reach, tell)
    }

    /// Reads a scene from text; `path` is for messages, and its folder for the files that the scene names.
    pub fn parse(text: &str, path: &str) -> Result<Scene, SceneFileError> {
        Scene::parse_reaching(text, path, Reach::Folder)
    }

    /// The same, where files of other folders may be read too.
    pub fn parse_reaching(text: &str, path: &str, reach: Reach) -> Result<Scene, SceneFileError> {
        Scene::parse_telling(text, path, reach, |_| {})
    }

    fn parse_telling(text: &str, path: &str, reach: Reach, tell: fn(&str)) -> Result<Scene, SceneFileError> {
        let mut source = Source::new(path, text).reaching(reach);
        if text.len() as u64 > limits::FILE_BYTES {
            let problem = Problem::TooLarge { limit: limits::FILE_BYTES };
            return Err(SceneFileError::of_file(path, problem));
        }
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                let message = error.message().trim().replace('\n', ", ");
                return Err(SceneFileError::at(&source, offset, Problem::Syntax { message }));
            }
        };
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let mut reader = Reader::new(folder, reach, tell);
        let scene = read_scene(&mut reader, document.as_table());
        let Reader { spans, findings, notes, formulas, borrowed, .. } = reader;
        source.set_spans(spans);
        match scene {
            Some(scene) if findings.is_empty() => {
                Ok(Scene { source, notes, numbers: Numbers { formulas, borrowed }, ..scene })
            }
            _ => Err(SceneFileError::of_findings(&source, findings)),
        }
    }
}

/// Reads all tables even after a fault, so that one run reports everything.
fn read_scene(reader: &mut Reader, root: &dyn TableLike) -> Option<Scene> {
    let mut fields = reader.fields(root, String::new(), String::new(), 0);
    fields.refuse_unknown(SCENE_KEYS);
    read_format(&mut fields);
    let variables = read_variables(&mut fields);
    fields.use_variables(variables.clone());
    let title = fields.text("title");
    let duration = fields.required_number("duration", limits::DURATION, "duration = 2.0");
    let gravity = fields.vector("gravity", limits::ACCELERATION);
    let rest_speed = fields.number("rest_speed", limits::REST_SPEED);
    let step = fields.number("step", limits::STEP);
    let max_events = fields.integer("max_events", 1, limits::EVENTS);
    let assemble = fields.boolean("assemble").unwrap_or(false);
    let shape_tables = fields.tables("shape", limits::SHAPES);
    let body_tables = fields.tables("body", limits::BODIES);
    let control_tables = fields.tables("control", limits::CONTROLS);
    let nail_tables = fields.tables("nail", limits::NAILS);
    let track_tables = fields.tables("track", limits::TRACKS);
    let machine_tables = Tables::of(&mut fields);
    // Also the names of bodies that are at fault, so that one fault is not told twice.
    let name = |entry: &reader::Entry| entry.table.get("name").and_then(|item| item.as_str()).map(str::to_owned);
    let names: Vec<String> = body_tables.iter().flatten().filter_map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let points: Vec<String> = machine_tables.labels.iter().filter_map(name).collect();
    let points: Vec<&str> = points.iter().map(String::as_str).collect();
    if body_tables.as_ref().is_some_and(Vec::is_empty) {
        fields.report_missing("body", "[[body]]");
    }
    let shapes = shape::read_named_shapes(reader, shape_tables.unwrap_or_default());
    let tracks = machine::read_tracks(reader, track_tables.unwrap_or_default());
    let bodies = body::read_bodies(reader, body_tables.unwrap_or_default(), &shapes, &tracks);
    let Machine { labels, joints, forces, borrowed } = Machine::read(reader, machine_tables, &bodies, &tracks);
    reader.borrowed = borrowed;
    let controls = control::read_controls(reader, control_tables.unwrap_or_default());
    let nails = nail::read_nails(reader, nail_tables.unwrap_or_default(), &names, &points);
    Some(Scene {
        title: title.unwrap_or_default(),
        duration: duration?,
        gravity: gravity.unwrap_or(Vec3::new(0.0, -9.81, 0.0)),
        rest_speed: rest_speed.unwrap_or(0.02),
        step: step.unwrap_or(DEFAULT_STEP),
        max_events: max_events.unwrap_or(10_000),
        bodies: bodies.all()?,
        controls: controls?,
        notes: Vec::new(),
        nails: nails?,
        joints: joints?,
        forces: forces?,
        tracks: tracks.all()?,
        labels: labels?,
        variables,
        numbers: Numbers::default(),
        assemble,
        source: Source::new("", ""),
    })
}

/// Refuses files of any other format: their keys may mean something else.
fn read_format(fields: &mut reader::Fields) {
    match fields.item("format") {
        None => fields.report_missing("format", "format = 1"),
        Some(item) if item.as_integer() == Some(1) => {}
        Some(item) => {
            let found = item.to_string().trim().to_owned();
            fields.report("format", Problem::UnknownFormat { found });
        }
    }
}
