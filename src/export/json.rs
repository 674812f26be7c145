//! JSON: states and events in one file, every digit.
//!
//! ```text
//! {"hattrick":1,"title":…,"fps":60.0,"fingerprint":…,"end":"horizon","t_end":3.0,"gravity":[…],
//!  "bodies":[{"name":…,"fixed":…,"mass":…,"inertia":[…]},…],
//!  "joints":[{"name":"elbow","kind":"hinge","bodies":["upper","lower"],"points":[[…],[…]],"active":[[…]]},…],"forces":[…],
//!  "states":[{"t":0.0,"at":"frame","bodies":{"egg":{"position":[…],"rotation":[x,y,z,w],"velocity":[…],"spin":[…]}}},…],
//!  "events":[{"t":…,"kind":"impact","bodies":["egg","floor"],"number":1,"grazing":false,
//!             "points":[…],"normals":[…],"impulses":[…]},…]}
//! ```
//!
//! States and events look as in `hattrick simulate --json`; a state also says which side of its time it is (`states`), and
//! holds the bodies that have a row there. Fixed bodies have no mass.

use std::collections::BTreeMap;
use std::path::Path;

use nalgebra::{Quaternion, Unit};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::error::failure;
use super::keys::Sampling;
use super::states::{self, At, FileRow, Row};
use super::verify::FileMotion;
use super::{Encoded, ExportError, Motion, Progress, ReadError};
use crate::dynamics::BodyState;
use crate::math::Vec3;
use crate::model::{BodyId, BodyProperties};
use crate::scene::{Force, ForceKind, Given, Joint};
use crate::simulation::Event;

#[derive(Serialize)]
struct Document<'a> {
    hattrick: u32,
    title: &'a str,
    fps: f64,
    fingerprint: String,
    end: &'static str,
    t_end: f64,
    gravity: [f64; 3],
    bodies: Vec<BodyLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    joints: Vec<LinkLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forces: Vec<LinkLine<'a>>,
    states: Vec<StatesLine<'a>>,
    events: Vec<EventLine<'a>>,
}

#[derive(Serialize)]
struct BodyLine<'a> {
    name: &'a str,
    fixed: bool,
    mass: Option<f64>,
    inertia: Option<[f64; 3]>,
}

/// A joint or a force: what it is and where it takes hold.
#[derive(Serialize)]
struct LinkLine<'a> {
    name: &'a str,
    kind: &'static str,
    /// The first, and the second where that is not the world.
    bodies: Vec<&'a str>,
    /// In the frame of the first body, and in that of the second or of the world.
    points: Vec<PointLine<'a>>,
    /// Begin and end of the times at which it holds.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    active: &'a [[f64; 2]],
}

/// A point, or the track that it follows.
#[derive(Serialize)]
#[serde(untagged)]
enum PointLine<'a> {
    At([f64; 3]),
    Follows { track: &'a str },
}

#[derive(Serialize)]
struct StatesLine<'a> {
    t: f64,
    at: &'static str,
    bodies: Named<'a>,
}

/// States by name, in the order of the scene.
struct Named<'a>(Vec<(&'a str, StateLine)>);

#[derive(Clone, Serialize, Deserialize)]
struct StateLine {
    position: [f64; 3],
    rotation: [f64; 4],
    velocity: [f64; 3],
    spin: [f64; 3],
}

#[derive(Serialize)]
struct EventLine<'a> {
    t: f64,
    kind: &'static str,
    bodies: [&'a str; 2],
    number: u32,
    grazing: bool,
    points: Vec<[f64; 3]>,
    normals: Vec<[f64; 3]>,
    impulses: Vec<[f64; 3]>,
}

pub(super) fn encode(
    motion: &Motion,
    path: &Path,
    sampling: &Sampling,
    progress: Progress,
) -> Result<Encoded, ExportError> {
    let rows = states::rows(motion, sampling, progress)?;
    let world = motion.trajectory.world();
    let document = Document {
        hattrick: 1,
        title: motion.title,
        fps: sampling.fps,
        fingerprint: motion.fingerprint.to_string(),
        end: motion.trajectory.end.as_str(),
        t_end: motion.trajectory.t_end,
        gravity: world.gravity.into(),
        bodies: world.bodies.iter().map(BodyLine::new).collect(),
        joints: world.machine.joints.iter().map(|joint| LinkLine::joint(motion, joint)).collect(),
        forces: world.machine.forces.iter().map(|force| LinkLine::force(motion, force)).collect(),
        states: lines(motion, &rows),
        events: motion.trajectory.events.iter().map(|event| EventLine::new(motion, event)).collect(),
    };
    let text = serde_json::to_string(&document).map_err(|error| failure(path, error.into()))? + "\n";
    Ok(Encoded::one(path, text.into_bytes(), rows.len()))
}

/// Rows of one time and side are one line.
fn lines<'a>(motion: &'a Motion, rows: &[Row]) -> Vec<StatesLine<'a>> {
    let together = rows.chunk_by(|a, b| a.t == b.t && a.at == b.at);
    let line = |rows: &[Row]| StatesLine {
        t: rows[0].t,
        at: rows[0].at.as_str(),
        bodies: Named(rows.iter().map(|row| (motion.name(row.body), StateLine::new(&row.state))).collect()),
    };
    together.map(line).collect()
}

impl<'a> BodyLine<'a> {
    fn new(body: &'a BodyProperties) -> BodyLine<'a> {
        BodyLine {
            name: &body.name,
            fixed: body.drive.never_moves(),
            mass: body.drive.is_pushed().then_some(body.mass.mass),
            inertia: body.drive.is_pushed().then(|| body.mass.inertia.into()),
        }
    }
}

impl<'a> LinkLine<'a> {
    fn joint(motion: &'a Motion, joint: &'a Joint) -> LinkLine<'a> {
        let [first, second] = joint.kind.points();
        LinkLine {
            name: &joint.name,
            kind: joint.kind.word(),
            bodies: LinkLine::bodies(motion, joint.first, joint.second),
            points: LinkLine::points(motion, [first, second]),
            active: &joint.active,
        }
    }

    fn force(motion: &'a Motion, force: &'a Force) -> LinkLine<'a> {
        let points = match &force.kind {
            ForceKind::Spring { point, second, .. } => [Some(Given::Constant(*point)), Some(*second)],
            ForceKind::Push { point, .. } => [Some(Given::Constant(*point)), None],
            ForceKind::TorsionSpring { .. } | ForceKind::Drag { .. } | ForceKind::Motor { .. } => [None, None],
        };
        LinkLine {
            name: &force.name,
            kind: force.kind.word(),
            bodies: LinkLine::bodies(motion, force.first, force.second),
            points: LinkLine::points(motion, points),
            active: &[],
        }
    }

    fn bodies(motion: &'a Motion, first: usize, second: Option<usize>) -> Vec<&'a str> {
        [Some(first), second].into_iter().flatten().map(|body| motion.name(BodyId(body as u32))).collect()
    }

    fn points(motion: &'a Motion, points: [Option<Given<Vec3>>; 2]) -> Vec<PointLine<'a>> {
        let line = |point: Given<Vec3>| match point {
            Given::Constant(place) => PointLine::At(place.into()),
            Given::Track(track) => PointLine::Follows { track: &motion.trajectory.world().machine.tracks[track].name },
        };
        points.into_iter().flatten().map(line).collect()
    }
}

impl StateLine {
    fn new(state: &BodyState) -> StateLine {
        StateLine {
            position: state.position.into(),
            rotation: state.rotation.coords.into(),
            velocity: state.velocity.into(),
            spin: state.spin.into(),
        }
    }

    /// None where the rotation is no rotation.
    fn state(&self) -> Option<BodyState> {
        let [x, y, z, w] = self.rotation;
        let rotation = Unit::try_new(Quaternion::new(w, x, y, z), 1e-30)?;
        let vector = |numbers: [f64; 3]| Vec3::from(numbers);
        let (position, velocity, spin) = (vector(self.position), vector(self.velocity), vector(self.spin));
        Some(BodyState { position, rotation, velocity, spin })
    }
}

impl<'a> EventLine<'a> {
    fn new(motion: &'a Motion, event: &Event) -> EventLine<'a> {
        let list = |of: fn(&crate::simulation::EventContact) -> Vec3| {
            event.contacts.iter().map(|contact| of(contact).into()).collect()
        };
        EventLine {
            t: event.t,
            kind: event.kind.as_str(),
            bodies: [motion.name(event.first), motion.name(event.second)],
            number: event.number,
            grazing: event.grazing,
            points: list(|contact| contact.point),
            normals: list(|contact| contact.normal),
            impulses: list(|contact| contact.impulse),
        }
    }
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, line) in &self.0 {
            map.serialize_entry(name, line)?;
        }
        map.end()
    }
}

#[derive(Deserialize)]
struct FileDocument {
    fingerprint: Option<String>,
    states: Vec<FileStates>,
}

#[derive(Deserialize)]
struct FileStates {
    t: f64,
    at: String,
    bodies: BTreeMap<String, StateLine>,
}

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<FileMotion, ReadError> {
    let malformed = |what: String| ReadError::Malformed { path: path.to_owned(), what };
    let document: FileDocument = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
    let mut rows = Vec::new();
    for states in &document.states {
        let t = states.t;
        let at = At::parse(&states.at).ok_or_else(|| malformed(format!("at {t} s: \"{}\" is no side", states.at)))?;
        for (body, line) in &states.bodies {
            let state = line.state().ok_or_else(|| malformed(format!("at {t} s: {body} has no rotation")))?;
            rows.push(FileRow { t, at, body: body.clone(), state });
        }
    }
    let mut content: Value = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
    if let Value::Object(entries) = &mut content {
        entries.remove("states");
        entries.remove("fingerprint");
        entries.insert("rows".to_owned(), states::listed(&rows));
    }
    let fps = content.get("fps").and_then(Value::as_f64);
    Ok(FileMotion { fps, content, ..states::motion_of(rows, document.fingerprint) })
}
