//! Reading `[[force]]` tables: which keys each kind has, and what its numbers may be.

use super::super::{Force, ForceKind, Frame, Given, JointKind, MachineProblem, MotorDrive, RestLength, TrackSize};
use super::end::{Bodies, Count, are_two, read_bodies};
use super::joint::read_ends;
use super::{Known, given, read_kind, refuse_others, report_unknown};
use crate::math::Vec3;
use crate::scene::error::Problem;
use crate::scene::limits::{self, Allowed};
use crate::scene::nearest;
use crate::scene::reader::Fields;

const KINDS: &[&str] = &["spring", "torsion_spring", "drag", "push", "motor"];
const ALL: &[&str] = &[
    "name",
    "kind",
    "body",
    "bodies",
    "point",
    "points",
    "to",
    "stiffness",
    "damping",
    "length",
    "rotation",
    "linear",
    "quadratic",
    "angular",
    "wind",
    "force",
    "torque",
    "frame",
    "joint",
    "speed",
    "gain",
    "max_torque",
    "angle",
    "collide",
];
const FRAMES: &[&str] = &["world", "body"];

pub(super) fn read(mut fields: Fields, name: &str, known: &mut Known) -> Option<Force> {
    let kind = read_kind(&mut fields, "force", KINDS)?;
    let two = are_two(&fields);
    refuse_others(&mut fields, kind, &[&["name", "kind"], keys(kind, two)].concat(), ALL);
    let collide = fields.boolean("collide").unwrap_or(true);
    let name = name.to_owned();
    if kind == "motor" {
        let drive = read_drive(&mut fields, known);
        let joint = read_joint(&mut fields, known)?;
        let (first, second) = known.joints.get(joint).map(|joint| (joint.first, joint.second))?;
        return Some(Force { name, first, second, kind: ForceKind::Motor { joint, drive: drive? }, collide });
    }
    let count = if ["drag", "push"].contains(&kind) { Count::One } else { Count::Either };
    let bodies = read_bodies(&mut fields, kind, count, known);
    let read = match kind {
        "spring" => read_spring(&mut fields, bodies.as_ref(), known),
        "torsion_spring" => read_torsion(&mut fields, bodies.as_ref(), known),
        "drag" => read_drag(&mut fields, known),
        _ => read_push(&mut fields, bodies.as_ref(), known),
    };
    let bodies = bodies?;
    let (first, second) = (bodies.first.body, bodies.second());
    Some(Force { name, first, second, kind: read?, collide })
}

/// Keys that a kind has beside those of all, for one body or two.
fn keys(kind: &str, two: bool) -> &'static [&'static str] {
    match (kind, two) {
        ("spring", false) => &["body", "bodies", "point", "to", "stiffness", "damping", "length"],
        ("spring", true) => &["bodies", "points", "stiffness", "damping", "length", "collide"],
        ("torsion_spring", false) => &["body", "bodies", "stiffness", "damping", "rotation"],
        ("torsion_spring", true) => &["bodies", "stiffness", "damping", "rotation", "collide"],
        ("drag", _) => &["body", "bodies", "linear", "quadratic", "angular", "wind"],
        ("push", _) => &["body", "bodies", "point", "force", "torque", "frame"],
        _ => &["joint", "torque", "speed", "gain", "max_torque", "angle"],
    }
}

fn read_spring(fields: &mut Fields, bodies: Option<&Bodies>, known: &mut Known) -> Option<ForceKind> {
    let ends = bodies.map(|bodies| read_ends(fields, bodies, known));
    let stiffness = required(fields, "stiffness", "stiffness = 200.0", limits::NOT_NEGATIVE, known);
    let damping = optional(fields, "damping", limits::NOT_NEGATIVE, known);
    let length = match fields.has("length") {
        false => Some(RestLength::AtStart),
        true => given::number(fields, "length", limits::SPRING_LENGTH, known.tracks).map(|length| match length {
            Given::Constant(0.0) => RestLength::Zero,
            length => RestLength::Given(length),
        }),
    };
    let (point, second) = ends??;
    Some(ForceKind::Spring { point, second, stiffness: stiffness?, damping: damping?, length: length? })
}

fn read_torsion(fields: &mut Fields, bodies: Option<&Bodies>, known: &Known) -> Option<ForceKind> {
    let stiffness = required(fields, "stiffness", "stiffness = 5.0", limits::NOT_NEGATIVE, known);
    let damping = optional(fields, "damping", limits::NOT_NEGATIVE, known);
    let rotation = given::vector(fields, "rotation", limits::ANGLE, known.tracks);
    if !bodies?.turn(fields, known) || (fields.has("rotation") && rotation.is_none()) {
        return None;
    }
    Some(ForceKind::TorsionSpring { stiffness: stiffness?, damping: damping?, rotation })
}

fn read_drag(fields: &mut Fields, known: &Known) -> Option<ForceKind> {
    if !["linear", "quadratic", "angular"].into_iter().any(|field| fields.has(field)) {
        fields.report_missing("linear", "linear = 0.1");
    }
    let [linear, quadratic, angular] =
        ["linear", "quadratic", "angular"].map(|field| optional(fields, field, limits::NOT_NEGATIVE, known));
    let wind = vector(fields, "wind", limits::VELOCITY, known);
    Some(ForceKind::Drag { linear: linear?, quadratic: quadratic?, angular: angular?, wind: wind? })
}

fn read_push(fields: &mut Fields, bodies: Option<&Bodies>, known: &mut Known) -> Option<ForceKind> {
    if !fields.has("force") && !fields.has("torque") {
        fields.report("force", MachineProblem::NoPush.into());
    }
    let force = vector(fields, "force", limits::FORCE, known);
    let torque = vector(fields, "torque", limits::TORQUE, known);
    let frame = read_frame(fields);
    let bodies = bodies?;
    if fields.has("torque") && !bodies.turn(fields, known) {
        return None;
    }
    let point = bodies.point(fields, known);
    Some(ForceKind::Push { point: point?, force: force?, torque: torque?, frame: frame? })
}

fn read_frame(fields: &mut Fields) -> Option<Frame> {
    if !fields.has("frame") {
        return Some(Frame::World);
    }
    let word = fields.text("frame")?;
    match word.as_str() {
        "world" => Some(Frame::World),
        "body" => Some(Frame::Body),
        _ => {
            let nearest = nearest(&word, FRAMES.iter().copied());
            let nearest = FRAMES.iter().copied().find(|known| Some(*known) == nearest);
            fields.report("frame", MachineProblem::UnknownWord { field: "frame", word, nearest, known: FRAMES }.into());
            None
        }
    }
}

/// The hinge or slider of a motor.
fn read_joint(fields: &mut Fields, known: &Known) -> Option<usize> {
    if !fields.has("joint") {
        fields.report_missing("joint", "joint = \"door\"");
    }
    let name = fields.text("joint")?;
    let Some(index) = known.joints.find(&name) else {
        report_unknown(fields, "joint", "joint", name, &known.joints);
        return None;
    };
    let joint = known.joints.get(index)?;
    if !matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slider { .. }) {
        fields.report("joint", MachineProblem::NoAxis { joint: name }.into());
        return None;
    }
    Some(index)
}

fn read_drive(fields: &mut Fields, known: &Known) -> Option<MotorDrive> {
    let drives: Vec<&str> = ["torque", "speed", "angle"].into_iter().filter(|field| fields.has(field)).collect();
    if drives.len() != 1 {
        let advice = if drives.is_empty() { "add `torque = 1.5`" } else { "keep one of them" };
        let field = drives.last().copied().unwrap_or("torque");
        fields.report(field, MachineProblem::OneDrive { advice }.into());
        return None;
    }
    if drives[0] != "speed" {
        for field in ["gain", "max_torque"] {
            if fields.has(field) {
                fields.report(field, Problem::Meaningless { kind: "a motor without speed", field });
            }
        }
    }
    match drives[0] {
        "torque" => given::number(fields, "torque", limits::TORQUE, known.tracks).map(MotorDrive::Torque),
        "speed" => {
            let speed = given::number(fields, "speed", limits::VELOCITY, known.tracks);
            let gain = required(fields, "gain", "gain = 10.0", limits::NOT_NEGATIVE, known);
            let max_torque = given::number(fields, "max_torque", limits::NOT_NEGATIVE, known.tracks);
            if fields.has("max_torque") && max_torque.is_none() {
                return None;
            }
            Some(MotorDrive::Speed { speed: speed?, gain: gain?, max_torque })
        }
        _ => {
            let item = fields.item("angle")?;
            given::track(fields, "angle", TrackSize::Number, limits::ANGLE, known.tracks)
                .unwrap_or_else(|| fields.wrong_type("angle", item, "the name of a track, as in { track = \"turn\" }"))
                .map(MotorDrive::Angle)
        }
    }
}

/// A number that has no default.
fn required(
    fields: &mut Fields,
    field: &str,
    example: &'static str,
    allowed: Allowed,
    known: &Known,
) -> Option<Given<f64>> {
    if !fields.has(field) {
        fields.report_missing(field, example);
    }
    given::number(fields, field, allowed, known.tracks)
}

/// A number that is 0 where the file says nothing.
fn optional(fields: &mut Fields, field: &str, allowed: Allowed, known: &Known) -> Option<Given<f64>> {
    if fields.has(field) { given::number(fields, field, allowed, known.tracks) } else { Some(Given::Constant(0.0)) }
}

/// A vector that is 0 where the file says nothing.
fn vector(fields: &mut Fields, field: &str, allowed: Allowed, known: &Known) -> Option<Given<Vec3>> {
    if fields.has(field) {
        given::vector(fields, field, allowed, known.tracks)
    } else {
        Some(Given::Constant(Vec3::zeros()))
    }
}
