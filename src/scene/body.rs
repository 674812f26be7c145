//! Reading `[[body]]` tables.

use super::Body;
use super::drive::Drive;
use super::error::{NameRule, Problem};
use super::limits;
use super::machine::{MachineProblem, Named, Track, read_moved};
use super::nail::read_region;
use super::reader::{Entry, Fields, Reader};
use super::shape::{NamedShapes, read_shape};
use crate::geometry::Shape;
use crate::math::Vec3;

const BODY_KEYS: &[&str] = &[
    "name",
    "fixed",
    "moved",
    "shape",
    "mass",
    "density",
    "inertia",
    "position",
    "rotation",
    "velocity",
    "spin",
    "restitution",
    "friction",
    "rolling_resistance",
    "region",
];
/// Signs that parameter names and expressions give a meaning.
const RESERVED: &[char] = &['/', '#', '.', '*', '"', '\'', '`'];
/// Moments measured or printed to fewer digits than f64 may break the triangle inequality by this part.
const INERTIA_ROUNDING: f64 = 1e-9;

/// All bodies, in the order of their tables; none where one is at fault.
pub(super) fn read_bodies(
    reader: &mut Reader,
    tables: Vec<Entry>,
    shapes: &NamedShapes,
    tracks: &Named<Track>,
) -> Named<Body> {
    let mut bodies = Named::default();
    for (index, entry) in tables.into_iter().enumerate() {
        let path = format!("body[{index}]");
        let name = entry.table.get("name").and_then(|item| item.as_str());
        let subject = name.map_or(path.clone(), |name| format!("body {name:?}"));
        let mut fields = reader.fields(entry.table, path, subject, entry.offset);
        name.into_iter().for_each(|name| fields.claim("name", name));
        bodies.push(name.unwrap_or_default().to_owned(), read_body(fields, shapes, tracks));
    }
    bodies
}

fn read_body(mut fields: Fields, shapes: &NamedShapes, tracks: &Named<Track>) -> Option<Body> {
    fields.refuse_unknown(BODY_KEYS);
    let name = read_name(&mut fields);
    let drive = read_drive(&mut fields, tracks);
    let shape = read_shape(&mut fields, shapes);
    let body = Body {
        name: name.unwrap_or_default(),
        drive,
        shape: Shape::Particle,
        mass: fields.number("mass", limits::MASS),
        density: fields.number("density", limits::DENSITY),
        inertia: fields.vector("inertia", limits::INERTIA),
        position: fields.vector("position", limits::LENGTH).unwrap_or_default(),
        rotation: fields.vector("rotation", limits::ANGLE).unwrap_or_default(),
        velocity: fields.vector("velocity", limits::VELOCITY).unwrap_or_default(),
        spin: fields.vector("spin", limits::SPIN).unwrap_or_default(),
        restitution: fields.number("restitution", limits::RESTITUTION).unwrap_or(0.5),
        friction: fields.number("friction", limits::FRICTION).unwrap_or(0.5),
        rolling_resistance: fields.number("rolling_resistance", limits::ROLLING_RESISTANCE).unwrap_or(0.0),
        region: read_region(&mut fields, "region"),
    };
    let body = Body { shape: shape?, ..body };
    check_mass(&mut fields, &body);
    check_kind(&mut fields, &body);
    Some(body)
}

fn read_drive(fields: &mut Fields, tracks: &Named<Track>) -> Drive {
    let is_fixed = fields.boolean("fixed").unwrap_or(false);
    match read_moved(fields, tracks) {
        Some(_) if is_fixed => {
            fields.report("moved", MachineProblem::FixedAndMoved.into());
            Drive::Still
        }
        Some(guide) => Drive::Guided(guide),
        None if is_fixed => Drive::Still,
        None => Drive::Free,
    }
}

fn read_name(fields: &mut Fields) -> Option<String> {
    if !fields.has("name") {
        fields.report_missing("name", "name = \"box\"");
    }
    let name = fields.text("name")?;
    check_name(fields, &name);
    Some(name)
}

/// Refuses a name that could not be part of a parameter's name.
pub(super) fn check_name(fields: &mut Fields, name: &str) {
    let forbidden = name.chars().find(|letter| RESERVED.contains(letter) || letter.is_control());
    let broken = if name.is_empty() {
        Some(NameRule::NotEmpty)
    } else if let Some(letter) = forbidden {
        Some(NameRule::Without(letter))
    } else if name.trim() != name {
        Some(NameRule::Trimmed)
    } else if name == "gravity" {
        Some(NameRule::NotGravity)
    } else {
        None
    };
    if let Some(rule) = broken {
        fields.report("name", Problem::BadName { name: name.to_owned(), rule });
    }
}

fn check_mass(fields: &mut Fields, body: &Body) {
    if fields.has("mass") && fields.has("density") {
        fields.report("density", Problem::MassAndDensity);
    }
    let Some(inertia) = body.inertia else { return };
    let mut moments = [inertia.x, inertia.y, inertia.z];
    moments.sort_by(f64::total_cmp);
    let [a, b, largest] = moments;
    if a + b < largest * (1.0 - INERTIA_ROUNDING) {
        fields.report("inertia", Problem::ImpossibleInertia { largest, others: [a, b] });
    }
}

/// Refuses fields that contradict the kind of body: a fixed one does not move, a particle does not turn.
fn check_kind(fields: &mut Fields, body: &Body) {
    let mut refuse = |kind, field, wrong: bool| {
        if wrong {
            fields.report(field, Problem::Meaningless { kind, field });
        }
    };
    let moves = |vector: Vec3| vector != Vec3::zeros();
    let unpushed = if body.drive.never_moves() { "a fixed body" } else { "a body moved by tracks" };
    if !body.drive.is_pushed() {
        refuse(unpushed, "velocity", moves(body.velocity));
        refuse(unpushed, "spin", moves(body.spin));
    }
    if body.shape == Shape::Particle {
        refuse("a particle", "moved", body.drive.guide().is_some_and(|guide| guide.rotation.is_some()));
        refuse("a particle", "rotation", moves(body.rotation));
        refuse("a particle", "spin", moves(body.spin) && body.drive.is_pushed());
        refuse("a particle", "inertia", body.inertia.is_some());
        refuse("a particle", "density", body.density.is_some());
        if body.drive.is_pushed() && !fields.has("mass") {
            fields.report_missing("mass", "mass = 1.0");
        }
    }
    if matches!(body.shape, Shape::HalfSpace { .. }) && body.drive.is_pushed() {
        let field = if fields.has("fixed") { "fixed" } else { "shape" };
        fields.report(field, Problem::MovingHalfSpace);
    }
}
