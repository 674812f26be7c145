//! A Python script that rebuilds the motion in Blender: objects, materials, F-curves.
//!
//! ```text
//! keys: t, value, rate before, rate after   ──▶   Bézier points with handles at thirds of the step, free on either side
//! ```
//!
//! Blender's glTF importer drops tangents; its F-curves have them. So this is the form in which a flight stays one segment
//! that an animator can take hold of. The data stands in the script as JSON, by which it is read back; `template.py` around
//! it is fixed text. Z is up in Blender: the root turns, bodies keep the scene's numbers.

mod marks;

use std::path::Path;

use nalgebra::{Isometry3, Quaternion, SVector, Unit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::curve::{Curve, Joining, Knot, Turn};
use super::error::failure;
use super::keys::{self, Interpolation, Sampling};
use super::look::{Look, looks};
use super::marks::Marks;
use super::verify::{FileBody, FileMotion};
use super::{Encoded, ExportError, Motion, Progress, ReadError, axes, tell};
use crate::geometry::Surface;
use crate::math::Vec3;
use crate::simulation::EventKind;
use marks::MarkData;

const TEMPLATE: &str = include_str!("template.py");
/// What the data replaces.
const MARK: &str = "@MOTION@";
/// Blender's timeline does not bear more marks.
const MOST_MARKERS: usize = 100;

#[derive(Serialize, Deserialize)]
struct Data {
    hattrick: u32,
    title: String,
    fingerprint: String,
    fps: f64,
    t_end: f64,
    /// w, x, y, z.
    root: [f64; 4],
    bodies: Vec<BodyData>,
    meshes: Vec<MeshData>,
    impacts: Vec<(String, f64)>,
    /// Of joints and forces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<MarkData>,
    /// Whether there could be some.
    #[serde(default, skip_serializing_if = "is_false")]
    left_out: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Serialize, Deserialize)]
struct BodyData {
    name: String,
    color: [f64; 3],
    /// Place in `meshes`.
    mesh: usize,
    /// t, place, velocity before, velocity after.
    place: Vec<Vec<f64>>,
    /// t, quaternion (w, x, y, z), its rate before, its rate after.
    turn: Vec<Vec<f64>>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct MeshData {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

pub(super) fn encode(
    motion: &Motion,
    marks: &Marks,
    path: &Path,
    sampling: &Sampling,
    progress: Progress,
) -> Result<Encoded, ExportError> {
    let data = Data::new((motion, marks), sampling, progress)?;
    let of_bodies: usize = data.bodies.iter().map(|body| body.place.len() + body.turn.len()).sum();
    let keys = of_bodies + data.marks.iter().map(MarkData::keys).sum::<usize>();
    let json = serde_json::to_string(&data).map_err(|error| failure(path, error.into()))?;
    // A name with three apostrophes must not end the text it stands in; the title is no exception.
    let text = TEMPLATE.replacen(MARK, &json.replace('\'', "\\u0027"), 1);
    Ok(Encoded::one(path, text.into_bytes(), keys))
}

impl Data {
    fn new((motion, marks): (&Motion, &Marks), sampling: &Sampling, progress: Progress) -> Result<Data, ExportError> {
        let world = motion.trajectory.world();
        let root = axes::root(&world.gravity, Vec3::z());
        let title = if motion.title.is_empty() { "Motion" } else { motion.title };
        let mut data = Data {
            hattrick: 1,
            title: title.to_owned(),
            fingerprint: motion.fingerprint.to_string(),
            fps: sampling.fps,
            t_end: motion.trajectory.t_end,
            root: [root.w, root.i, root.j, root.k],
            bodies: Vec::new(),
            meshes: Vec::new(),
            impacts: impacts(motion),
            marks: Vec::new(),
            left_out: marks.left_out,
        };
        for ((body, path), look) in motion.bodies().zip(looks(motion)) {
            let chosen = keys::select(path, &Sampling { interpolation: Interpolation::Cubic, ..*sampling });
            let turns = Turn::continuous(chosen.turns.iter().map(Knot::turn), Interpolation::Cubic).knots;
            let Look { surface: Surface { positions, triangles, .. }, .. } = &look;
            let mesh = data.mesh(MeshData { positions: positions.clone(), triangles: triangles.clone() });
            data.bodies.push(BodyData {
                name: motion.name(body).to_owned(),
                color: look.color,
                mesh,
                place: chosen
                    .places
                    .iter()
                    .map(|key| numbers(&Knot::place(key), |value| value.as_slice().to_vec()))
                    .collect(),
                turn: turns.iter().map(|knot| numbers(knot, |q| vec![q.w, q.x, q.y, q.z])).collect(),
            });
            tell(progress, body, motion)?;
        }
        data.marks = marks::marks(motion, marks, sampling, |mesh| data.mesh(mesh));
        Ok(data)
    }

    /// The place of a mesh; equal ones are kept once.
    fn mesh(&mut self, mesh: MeshData) -> usize {
        let known = self.meshes.iter().position(|other| *other == mesh);
        known.unwrap_or_else(|| {
            self.meshes.push(mesh);
            self.meshes.len() - 1
        })
    }
}

/// A knot in one row.
fn numbers<const N: usize>(knot: &Knot<N>, ordered: impl Fn(&SVector<f64, N>) -> Vec<f64>) -> Vec<f64> {
    let parts = [&knot.value, &knot.rates[0], &knot.rates[1]].into_iter().flat_map(ordered);
    [knot.t].into_iter().chain(parts).collect()
}

/// Names and times of impacts, as parameters name them.
fn impacts(motion: &Motion) -> Vec<(String, f64)> {
    let impacts = motion.trajectory.events.iter().filter(|event| event.kind == EventKind::Impact);
    let name = |event: &crate::simulation::Event| {
        format!("{}/{}#{}", motion.name(event.first), motion.name(event.second), event.number)
    };
    impacts.take(MOST_MARKERS).map(|event| (name(event), event.t)).collect()
}

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<FileMotion, ReadError> {
    let malformed = |what: String| ReadError::Malformed { path: path.to_owned(), what };
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("this is no text".to_owned()))?;
    let changed = || malformed("its code is not the one that export writes".to_owned());
    let (head, tail) = TEMPLATE.split_once(MARK).ok_or_else(changed)?;
    // What the code does with the data decides the motion as much as the data.
    let data = text.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)).ok_or_else(changed)?;
    let mut content: Value = serde_json::from_str(data).map_err(|error| malformed(error.to_string()))?;
    let data: Data = serde_json::from_str(data).map_err(|error| malformed(error.to_string()))?;
    follow(&mut content, &data).map_err(malformed)?;
    let [w, x, y, z] = data.root;
    let root = Unit::try_new(Quaternion::new(w, x, y, z), 1e-6);
    let root = root.ok_or_else(|| malformed("its root has no rotation".to_owned()))?;
    let parent = Isometry3::from_parts(Default::default(), root);
    let body = |body: BodyData| {
        let fault = || malformed(format!("keys of {} are incomplete", body.name));
        let place: Curve<3> = curve(&body.place).ok_or_else(fault)?;
        let turn = curve::<4>(&body.turn).ok_or_else(fault)?;
        let coords = |q: SVector<f64, 4>| SVector::from([q.y, q.z, q.w, q.x]);
        let knots = turn.knots.iter().map(|k| Knot { t: k.t, value: coords(k.value), rates: k.rates.map(coords) });
        let turn = Turn { joining: Joining::Cubic, knots: knots.collect() };
        Ok(FileBody { turn, name: body.name, parent, carriers: vec![], place })
    };
    let incomplete = |mark: &MarkData| malformed(format!("keys of {} are incomplete", mark.name));
    let moving = data.marks.iter().map(|mark| mark.moving().ok_or_else(|| incomplete(mark)));
    let marks = moving.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let bodies = data.bodies.into_iter().map(body).collect::<Result<_, _>>()?;
    Ok(FileMotion {
        bodies,
        fingerprint: Some(data.fingerprint),
        fps: Some(data.fps),
        cubic: true,
        marks,
        left_out: data.left_out,
        content,
    })
}

/// Takes the motion out of the data, and puts meshes where bodies refer to them.
fn follow(content: &mut Value, data: &Data) -> Result<(), String> {
    let Value::Object(entries) = content else { return Err("its data is no motion".to_owned()) };
    entries.remove("fingerprint");
    let meshes = entries.insert("meshes".to_owned(), data.meshes.len().into()).unwrap_or_default();
    let bodies = entries.get_mut("bodies").and_then(Value::as_array_mut).into_iter().flatten();
    for (body, known) in bodies.filter_map(Value::as_object_mut).zip(&data.bodies) {
        body.remove("place");
        body.remove("turn");
        let mesh = meshes.get(known.mesh).ok_or_else(|| format!("{} has no mesh", known.name))?;
        body.insert("mesh".to_owned(), mesh.clone());
    }
    let marks = entries.get_mut("marks").and_then(Value::as_array_mut).into_iter().flatten();
    for (mark, known) in marks.filter_map(Value::as_object_mut).zip(&data.marks) {
        let mesh = meshes.get(known.mesh).ok_or_else(|| format!("{} has no mesh", known.name))?;
        mark.insert("mesh".to_owned(), mesh.clone());
        let [at, to] =
            [mark.get_mut("at").map(Value::take), mark.get_mut("to").and_then(|to| to.get_mut(0)).map(Value::take)];
        for (word, spot) in [("at", at), ("end", to)] {
            mark.insert(word.to_owned(), spot.map(known_keys).unwrap_or_default());
        }
    }
    Ok(())
}

/// A spot, of whose keys only the number is left: where they are is motion. One that does not move is compared whole.
fn known_keys(mut spot: Value) -> Value {
    let rows = spot.get("place").and_then(Value::as_array).map_or(0, Vec::len);
    if rows > 1 {
        spot["place"] = rows.into();
    }
    spot
}

fn curve<const N: usize>(rows: &[Vec<f64>]) -> Option<Curve<N>> {
    let knot = |row: &Vec<f64>| {
        let part = |index: usize| SVector::<f64, N>::from_column_slice(&row[1 + index * N..1 + (index + 1) * N]);
        (row.len() == 1 + 3 * N).then(|| Knot { t: row[0], value: part(0), rates: [part(1), part(2)] })
    };
    Some(Curve { joining: Joining::Cubic, knots: rows.iter().map(knot).collect::<Option<_>>()? })
}
