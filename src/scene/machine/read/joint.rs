//! Reading `[[joint]]` tables: which keys each kind has, and what its numbers may be.

use super::super::{Given, Joint, JointKind, Limits, MachineProblem, TrackSize};
use super::end::{Bodies, Count, are_two, read_bodies};
use super::{Known, given, path, read_kind, refuse_others};
use crate::geometry::Shape;
use crate::math::elementary::square;
use crate::math::{Vec3, rotation};
use crate::scene::limits;
use crate::scene::reader::Fields;

const KINDS: &[&str] = &[
    "pin",
    "point_to_point",
    "distance",
    "rope",
    "on_path",
    "follow_path",
    "point_on_line",
    "point_on_plane",
    "sphere_to_sphere",
    "orientation",
    "hinge",
    "slider",
    "weld",
];

/// Keys that every joint may have.
const COMMON: [&str; 5] = ["name", "kind", "time_constant", "active", "collide"];
const ALL: &[&str] = &[
    "name",
    "kind",
    "body",
    "bodies",
    "point",
    "points",
    "to",
    "axis",
    "axes",
    "to_axis",
    "rotation",
    "length",
    "path",
    "along",
    "line",
    "plane",
    "limits",
    "restitution",
    "time_constant",
    "active",
    "collide",
];

/// τ where the file says nothing, s.
const TIME_CONSTANT: f64 = 0.1;
/// Two axes this close to opposite ones count as opposite: |a + b|.
const OPPOSITE: f64 = 1e-6;

const TO: &str = "to = [0, 1.5, 0]";
const AXIS: &str = "axis = [0, 0, 1]";

pub(super) fn read(mut fields: Fields, name: &str, known: &mut Known) -> Option<Joint> {
    let kind = read_kind(&mut fields, "joint", KINDS)?;
    let (two, full) = (are_two(&fields), fields.has("rotation"));
    refuse_others(&mut fields, kind, &[&COMMON, keys(kind, two, full)].concat(), ALL);
    let bodies = read_bodies(&mut fields, kind, count(kind), known);
    let time_constant = match fields.has("time_constant") {
        true if given::refuse_track(&mut fields, "time_constant", "a number of seconds") => None,
        true => fields.number("time_constant", limits::TIME_CONSTANT),
        false => Some(TIME_CONSTANT),
    };
    let active = read_active(&mut fields);
    let collide = fields.boolean("collide").unwrap_or(kind == "distance" || kind == "rope");
    let bodies = bodies?;
    let turns = ["orientation", "hinge", "slider", "weld"].contains(&kind);
    if turns && !bodies.turn(&mut fields, known) {
        return None;
    }
    let read = read_of_kind(&mut fields, kind, &bodies, known)?;
    let (first, second) = (bodies.first.body, bodies.second());
    let joint = Joint {
        name: name.to_owned(),
        first,
        second,
        kind: read,
        time_constant: time_constant?,
        active: active?,
        collide,
    };
    refuse_what_is_not_simulated(&mut fields, &joint);
    Some(joint)
}

/// Ropes and limits are read and checked; the simulation has no stops.
fn refuse_what_is_not_simulated(fields: &mut Fields, joint: &Joint) {
    let (field, part) = match &joint.kind {
        JointKind::Rope { .. } => ("kind", "table"),
        JointKind::Hinge { limits: Some(_), .. } | JointKind::Slider { limits: Some(_), .. } => ("limits", "key"),
        _ => return,
    };
    fields.report(field, MachineProblem::NotSimulated { what: "ropes and limits", part }.into());
}

/// How many bodies a kind joins.
fn count(kind: &str) -> Count {
    match kind {
        "pin" | "on_path" | "follow_path" => Count::One,
        "point_to_point" | "sphere_to_sphere" => Count::Two,
        _ => Count::Either,
    }
}

/// Keys that a kind has beside those of all, for one body or two.
fn keys(kind: &str, two: bool, full: bool) -> &'static [&'static str] {
    match (kind, two) {
        ("pin", _) => &["body", "bodies", "point", "to"],
        ("distance", false) => &["body", "bodies", "point", "to", "length"],
        ("distance", true) => &["bodies", "points", "length"],
        ("rope", false) => &["body", "bodies", "point", "to", "length", "restitution"],
        ("rope", true) => &["bodies", "points", "length", "restitution"],
        ("on_path", _) => &["body", "bodies", "point", "path"],
        ("follow_path", _) => &["body", "bodies", "point", "path", "along"],
        ("point_on_line", _) => &["body", "bodies", "point", "line"],
        ("point_on_plane", _) => &["body", "bodies", "point", "plane"],
        ("sphere_to_sphere" | "weld", _) => &["body", "bodies"],
        ("orientation", false) if full => &["body", "bodies", "rotation"],
        ("orientation", false) => &["body", "bodies", "axis", "to"],
        ("orientation", true) => &["bodies", "axes"],
        ("hinge" | "slider", false) => &["body", "bodies", "point", "axis", "to", "to_axis", "limits", "restitution"],
        ("hinge" | "slider", true) => &["bodies", "points", "axes", "limits", "restitution"],
        _ => &["body", "bodies", "points"],
    }
}

fn read_of_kind(fields: &mut Fields, kind: &str, bodies: &Bodies, known: &mut Known) -> Option<JointKind> {
    match kind {
        "pin" => {
            let (point, to) = (bodies.point(fields, known), read_to(fields, known));
            Some(JointKind::Pin { point: point?, to: to? })
        }
        "point_to_point" => {
            let [point, second] = bodies.points(fields, known)?;
            Some(JointKind::PointToPoint { point, second })
        }
        "distance" | "rope" => read_tie(fields, kind, bodies, known),
        "on_path" => {
            let (point, path) = (bodies.point(fields, known), path::read(fields));
            Some(JointKind::OnPath { point: point?, path: path? })
        }
        "follow_path" => {
            let (point, path) = (bodies.point(fields, known), path::read(fields));
            let along = read_along(fields, known);
            Some(JointKind::FollowPath { point: point?, path: path?, along: along? })
        }
        "point_on_line" => {
            let (point, line) = (bodies.point(fields, known), read_place(fields, "line", "direction"));
            let (origin, direction) = line?;
            Some(JointKind::PointOnLine { point: point?, origin, direction })
        }
        "point_on_plane" => {
            let (point, plane) = (bodies.point(fields, known), read_place(fields, "plane", "normal"));
            let (origin, normal) = plane?;
            Some(JointKind::PointOnPlane { point: point?, origin, normal })
        }
        "sphere_to_sphere" => {
            let other = bodies.all(known).find(|body| !matches!(body.shape, Shape::Ball { .. }));
            if let Some(other) = other {
                fields.report("bodies", MachineProblem::NoBall { body: other.name.clone() }.into());
            }
            Some(JointKind::SphereToSphere)
        }
        "orientation" if fields.has("rotation") && bodies.second.is_none() => {
            given::vector(fields, "rotation", limits::ANGLE, known.tracks)
                .map(|rotation| JointKind::FullOrientation { rotation })
        }
        "orientation" => {
            let [axis, to] = read_axes(fields, "to", bodies, known)?;
            Some(JointKind::Orientation { axis, to })
        }
        "weld" => Some(JointKind::Weld),
        _ => read_axle(fields, kind, bodies, known),
    }
}

/// A place of the world, which has no default.
pub(super) fn read_to(fields: &mut Fields, known: &Known) -> Option<Given<Vec3>> {
    if !fields.has("to") {
        fields.report_missing("to", TO);
    }
    given::vector(fields, "to", limits::LENGTH, known.tracks)
}

/// P and Q: points of two bodies, or of one and of the world.
pub(super) fn read_ends(fields: &mut Fields, bodies: &Bodies, known: &mut Known) -> Option<(Vec3, Given<Vec3>)> {
    if bodies.second.is_some() {
        let [point, second] = bodies.points(fields, known)?;
        return Some((point, Given::Constant(second)));
    }
    let (point, to) = (bodies.point(fields, known), read_to(fields, known));
    Some((point?, to?))
}

fn read_tie(fields: &mut Fields, kind: &str, bodies: &Bodies, known: &mut Known) -> Option<JointKind> {
    if !fields.has("length") {
        fields.report_missing("length", "length = 0.5");
    }
    let follows = fields.item("length").is_some_and(|item| item.is_table_like());
    // Nothing between two points keeps them together: that is what a distance of 0 means.
    let together = kind == "distance" && fields.item("length").and_then(number_of) == Some(0.0);
    let length = match (follows, together) {
        (true, _) => given::number(fields, "length", limits::CHANGING_TIE, known.tracks),
        (false, true) => Some(Given::Constant(0.0)),
        (false, false) => fields.number("length", limits::TIE).map(Given::Constant),
    };
    let restitution = fields.number("restitution", limits::RESTITUTION).unwrap_or(0.0);
    let (point, second) = read_ends(fields, bodies, known)?;
    let length = length?;
    Some(match (together, second) {
        (true, Given::Constant(second)) if bodies.second.is_some() => JointKind::PointToPoint { point, second },
        (true, to) => JointKind::Pin { point, to },
        (false, _) if kind == "rope" => JointKind::Rope { point, second, length, restitution },
        (false, _) => JointKind::Distance { point, second, length },
    })
}

fn number_of(item: &toml_edit::Item) -> Option<f64> {
    item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64))
}

fn read_along(fields: &mut Fields, known: &Known) -> Option<usize> {
    let Some(item) = fields.item("along") else {
        fields.report_missing("along", "along = { track = \"ride\" }");
        return None;
    };
    given::track(fields, "along", TrackSize::Number, limits::TRACK_VALUE, known.tracks)
        .unwrap_or_else(|| fields.wrong_type("along", item, "the name of a track, as in { track = \"ride\" }"))
}

/// A line or a plane: a point and a direction of it.
fn read_place(fields: &mut Fields, name: &'static str, direction: &'static str) -> Option<(Vec3, Vec3)> {
    let example = if name == "line" {
        "line = { point = [0, 1, 0], direction = [1, 0, 0] }"
    } else {
        "plane = { point = [0, 1, 0], normal = [0, 1, 0] }"
    };
    let Some(item) = fields.item(name) else {
        fields.report_missing(name, example);
        return None;
    };
    let Some(table) = item.as_table_like() else { return fields.wrong_type(name, item, example) };
    let mut inner = fields.inner(name, table);
    inner.refuse_unknown(if name == "line" { &["point", "direction"] } else { &["point", "normal"] });
    let point = inner.required_vector("point", limits::LENGTH, "point = [0, 1, 0]");
    let direction =
        inner.direction(direction, if name == "line" { "direction = [1, 0, 0]" } else { "normal = [0, 1, 0]" });
    Some((point?, direction?))
}

/// One axis of each side, not opposite to each other at the start; `to` is the field of a place of the world.
fn read_axes(fields: &mut Fields, to: &'static str, bodies: &Bodies, known: &Known) -> Option<[Vec3; 2]> {
    let two = bodies.second.is_some();
    let axes = if two {
        if !fields.has("axes") {
            fields.report_missing("axes", "axes = [[0, 0, 1], [0, 0, 1]]");
            return None;
        }
        let [first, second] = fields.pair("axes")?;
        [fields.unit("axes", "axes[0]", first), fields.unit("axes", "axes[1]", second)]
    } else {
        [
            fields.direction("axis", AXIS),
            fields.direction(to, if to == "to" { "to = [0, 0, 1]" } else { "to_axis = [0, 0, 1]" }),
        ]
    };
    let [Some(first), Some(second)] = axes else { return None };
    let turned = |body: Option<usize>, axis: Vec3| match body {
        Some(body) => Some(rotation::exp(known.bodies.get(body)?.rotation) * axis),
        None => Some(axis),
    };
    let sum = turned(Some(bodies.first.body), first)? + turned(bodies.second(), second)?;
    if sum.norm_squared() < square(OPPOSITE) {
        let field = if two { "axes" } else { "axis" };
        fields.report(field, MachineProblem::Antiparallel { field: if two { "one of them" } else { "axis" } }.into());
        return None;
    }
    Some([first, second])
}

/// A hinge or slider.
fn read_axle(fields: &mut Fields, kind: &str, bodies: &Bodies, known: &mut Known) -> Option<JointKind> {
    let ends = read_ends(fields, bodies, known);
    let axes = read_axes(fields, "to_axis", bodies, known);
    let limits = read_limits(fields, kind);
    let (point, second) = ends?;
    let ([axis, second_axis], limits) = (axes?, limits?);
    Some(if kind == "hinge" {
        JointKind::Hinge { point, second, axis, second_axis, limits }
    } else {
        JointKind::Slider { point, second, axis, second_axis, limits }
    })
}

/// None where there are none; `None` where they are at fault.
#[allow(clippy::option_option, reason = "absent and wrong are two answers")]
fn read_limits(fields: &mut Fields, kind: &str) -> Option<Option<Limits>> {
    if !fields.has("limits") {
        if fields.has("restitution") {
            fields.report_missing("limits", "limits = [-1.0, 1.0]");
        }
        return Some(None);
    }
    let allowed = if kind == "hinge" { limits::ANGLE } else { limits::LENGTH };
    let [low, high] = fields.numbers("limits", allowed, "two numbers such as [-1.0, 1.0]")?;
    let restitution = fields.number("restitution", limits::RESTITUTION).unwrap_or(0.0);
    let problem = if low >= high {
        MachineProblem::ReversedLimits { low, high }
    } else if kind == "hinge" && high - low >= std::f64::consts::TAU {
        MachineProblem::WideLimits { span: high - low }
    } else if low > 0.0 || high < 0.0 {
        MachineProblem::OutsideLimits { low, high }
    } else {
        return Some(Some(Limits { low, high, restitution }));
    };
    fields.report("limits", problem.into());
    None
}

/// Begin and end of each time at which it holds.
fn read_active(fields: &mut Fields) -> Option<Vec<[f64; 2]>> {
    let Some(item) = fields.item("active") else { return Some(Vec::new()) };
    let events = item.as_array().is_some_and(|list| list.iter().any(|entry| entry.is_inline_table()));
    if events || item.is_array_of_tables() {
        let problem = MachineProblem::NotSimulated { what: "joints that begin or end at an event", part: "key" };
        fields.report("active", problem.into());
        return None;
    }
    let intervals: Vec<[f64; 2]> = fields.pairs("active", limits::TIME, limits::INTERVALS)?;
    if intervals.is_empty() {
        fields.report("active", MachineProblem::NeverActive.into());
    }
    for (index, [begin, end]) in intervals.iter().copied().enumerate() {
        let field = format!("active[{index}]");
        let before = index.checked_sub(1).map_or(f64::NEG_INFINITY, |index| intervals[index][1]);
        if end <= begin {
            fields.report("active", MachineProblem::EmptyInterval { field, begin, end }.into());
        } else if begin <= before {
            fields.report("active", MachineProblem::Overlapping { field, begin, before }.into());
        }
    }
    Some(intervals)
}
