//! Reading shapes: a body's `shape`, the parts of a compound, and `[[shape]]` tables that bodies name.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use super::error::Problem;
use super::limits;
use super::mesh::{self, MeshProblem};
use super::nearest;
use super::reader::{Entry, Fields, Reader};
use crate::geometry::mass::{hull_centroid, volume_integrals};
use crate::geometry::mesh::Mesh;
use crate::geometry::{Part, Shape};
use crate::math::Vec3;

const KINDS: &[&str] = &[
    "ball",
    "cuboid",
    "capsule",
    "cylinder",
    "cone",
    "egg",
    "tube",
    "parabola",
    "hull",
    "mesh",
    "compound",
    "half_space",
    "particle",
];
const EXAMPLE: &str = "shape = { kind = \"ball\", radius = 0.1 }";
const PART: &str = "parts = [{ kind = \"ball\", radius = 0.1, position = [0, 1, 0] }]";
const TABLE: &str = "a table such as { kind = \"ball\", radius = 0.1 }, or the name of a [[shape]]";
/// Flat sides of a round shape, unless the file says otherwise.
const SEGMENTS: u32 = 24;
/// Convex pieces that a mesh is cut into at most, unless the file says otherwise.
const PIECES: u32 = 48;
/// Widest stave of a tube, rad: a third of a circle.
const WIDEST_STAVE: f64 = TAU / 3.0 * (1.0 + 1e-9);

/// The shapes of `[[shape]]` tables; none where one is at fault, which has been told.
pub(super) type NamedShapes = BTreeMap<String, Option<Shape>>;

/// All named shapes.
pub(super) fn read_named_shapes(reader: &mut Reader, tables: Vec<Entry>) -> NamedShapes {
    let mut shapes = NamedShapes::new();
    for (index, entry) in tables.into_iter().enumerate() {
        let path = format!("shape[{index}]");
        let name = entry.table.get("name").and_then(|item| item.as_str()).unwrap_or_default().to_owned();
        let subject = if name.is_empty() { path.clone() } else { format!("shape {name:?}") };
        let mut fields = reader.fields(entry.table, path, subject, entry.offset);
        if name.is_empty() {
            fields.report_missing("name", "name = \"bucket\"");
        } else if shapes.contains_key(&name) {
            fields.report("name", Problem::DuplicateShape { name: name.clone() });
        }
        fields.allow(&["name"]);
        let shape = read_kind(&mut fields);
        shapes.insert(name, shape);
    }
    shapes
}

/// The shape of a body, or `None` if it is absent or at fault.
pub(super) fn read_shape(body: &mut Fields, named: &NamedShapes) -> Option<Shape> {
    let Some(item) = body.item("shape") else {
        body.report_missing("shape", EXAMPLE);
        return None;
    };
    if let Some(name) = item.as_str() {
        return named.get(name).cloned().unwrap_or_else(|| {
            let nearest = nearest(name, named.keys().map(String::as_str)).map(str::to_owned);
            body.report("shape", Problem::NoSuchShape { name: name.to_owned(), nearest });
            None
        });
    }
    let Some(table) = item.as_table_like() else {
        return body.wrong_type("shape", item, TABLE);
    };
    read_kind(&mut body.inner("shape", table))
}

fn read_kind(fields: &mut Fields) -> Option<Shape> {
    if !fields.has("kind") {
        fields.report_missing("kind", "kind = \"ball\"");
    }
    let kind = fields.text("kind")?;
    match kind.as_str() {
        "ball" => read_ball(fields),
        "cuboid" => read_cuboid(fields),
        "capsule" => read_capsule(fields),
        "cylinder" | "cone" => read_round(fields, kind == "cone"),
        "egg" => read_egg(fields),
        "tube" => read_tube(fields),
        "parabola" => read_parabola(fields),
        "hull" => read_hull(fields),
        "mesh" => read_mesh(fields),
        "compound" => read_compound(fields),
        "half_space" => read_half_space(fields),
        "particle" => {
            fields.refuse_unknown(&["kind"]);
            Some(Shape::Particle)
        }
        _ => refuse_kind(fields, kind),
    }
}

fn read_ball(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "radius"]);
    let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.1")?;
    Some(Shape::Ball { radius })
}

fn read_cuboid(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "half_extents"]);
    let half_extents = fields.required_vector("half_extents", limits::EXTENT, "half_extents = [0.2, 0.1, 0.1]")?;
    Some(Shape::Cuboid { half_extents })
}

fn read_capsule(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "half_height", "radius"]);
    let half_height = fields.required_number("half_height", limits::EXTENT, "half_height = 0.2");
    let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.1");
    Some(Shape::Capsule { half_height: half_height?, radius: radius? })
}

fn read_round(fields: &mut Fields, tapers: bool) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "half_height", "radius", "segments"]);
    let half_height = fields.required_number("half_height", limits::EXTENT, "half_height = 0.2");
    let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.1");
    let segments = fields.integer("segments", 3, limits::SEGMENTS);
    let (half_height, radius) = (half_height?, radius?);
    Some(if tapers {
        Shape::Cone { half_height, radius, segments }
    } else {
        Shape::Cylinder { half_height, radius, segments }
    })
}

fn read_egg(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "radius", "tip", "base", "segments"]);
    let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.022");
    let tip = fields.required_number("tip", limits::EXTENT, "tip = 0.034");
    let base = fields.required_number("base", limits::EXTENT, "base = 0.024");
    let segments = fields.integer("segments", 3, limits::SEGMENTS);
    Some(Shape::Egg { radius: radius?, tip: tip?, base: base?, segments })
}

fn read_tube(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "half_height", "radius", "top_radius", "thickness", "arc", "segments"]);
    let half_height = fields.required_number("half_height", limits::EXTENT, "half_height = 0.1");
    let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.1");
    let top_radius = fields.number("top_radius", limits::EXTENT).or(radius);
    let thickness = fields.required_number("thickness", limits::EXTENT, "thickness = 0.01");
    let arc = fields.numbers("arc", limits::ANGLE, "two angles such as [0, 3.14]").unwrap_or([0.0, TAU]);
    let segments = read_segments(fields);
    let (half_height, radius, top_radius, thickness) = (half_height?, radius?, top_radius?, thickness?);
    if thickness >= radius.min(top_radius) {
        fields.report("thickness", Problem::ThickWall { thickness, radius: radius.min(top_radius) });
    }
    let angle = arc[1] - arc[0];
    if !(angle > 0.0 && angle <= TAU && angle <= f64::from(segments) * WIDEST_STAVE) {
        fields.report("arc", Problem::BadArc);
    }
    Some(Shape::Tube { half_height, radius, top_radius, thickness, arc, segments })
}

fn read_parabola(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "half_width", "height", "half_depth", "thickness", "segments"]);
    let half_width = fields.required_number("half_width", limits::EXTENT, "half_width = 1.0");
    let height = fields.required_number("height", limits::EXTENT, "height = 1.0");
    let half_depth = fields.required_number("half_depth", limits::EXTENT, "half_depth = 0.1");
    let thickness = fields.required_number("thickness", limits::EXTENT, "thickness = 0.1");
    let segments = fields.integer("segments", 1, limits::SEGMENTS).unwrap_or(SEGMENTS);
    let (half_width, height) = (half_width?, height?);
    Some(Shape::Parabola { half_width, height, half_depth: half_depth?, thickness: thickness?, segments })
}

fn read_segments(fields: &mut Fields) -> u32 {
    fields.integer("segments", 3, limits::SEGMENTS).unwrap_or(SEGMENTS)
}

fn read_hull(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "points"]);
    if !fields.has("points") {
        fields.report_missing("points", "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]");
    }
    let points = fields.vectors("points", limits::LENGTH, limits::HULL_POINTS)?;
    if hull_centroid(&points).is_none() {
        fields.report("points", Problem::FlatHull { count: points.len() });
        return None;
    }
    Some(Shape::Hull { points })
}

fn read_mesh(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "file", "scale", "pieces"]);
    if !fields.has("file") {
        fields.report_missing("file", "file = \"cup.obj\"");
    }
    let file = fields.text("file")?;
    let scale = fields.number("scale", limits::SCALE).or((!fields.has("scale")).then_some(1.0));
    let pieces = fields.integer("pieces", 1, limits::PIECES).or((!fields.has("pieces")).then_some(PIECES));
    // What is wrong with these is known before the file is read and cut.
    let (scale, pieces) = (scale?, pieces?);
    let mesh = mesh::read(fields.folder(), &file).and_then(|raw| {
        fields.tell(&format!("{file}: cutting {} triangles into convex pieces", raw.triangles.len()));
        let positions: Vec<Vec3> = raw.positions.iter().map(|position| position * scale).collect();
        let no_body = |fault| MeshProblem::NoBody { file: file.clone(), fault };
        Mesh::new(&positions, &raw.triangles, pieces).map_err(no_body)
    });
    match mesh {
        Ok((mesh, notes)) => {
            notes.iter().for_each(|note| fields.note(format!("{file}: {note}")));
            Some(Shape::Mesh(Arc::new(mesh)))
        }
        Err(problem) => {
            fields.report("file", Problem::Mesh(problem));
            None
        }
    }
}

fn read_compound(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "parts", "center_of_mass"]);
    let center_of_mass = fields.vector("center_of_mass", limits::LENGTH);
    let tables = fields.tables("parts", limits::PARTS)?;
    if tables.is_empty() {
        match fields.has("parts") {
            true => fields.report("parts", Problem::NoParts { example: PART }),
            false => fields.report_missing("parts", PART),
        }
        return None;
    }
    // All parts are read before any is given up, so that every fault is found.
    let read = |(index, entry)| read_part(fields.entry("parts", index, entry));
    let parts: Vec<Option<Part>> = tables.into_iter().enumerate().map(read).collect();
    let parts: Vec<Part> = parts.into_iter().collect::<Option<_>>()?;
    let shape = Shape::Compound { parts, center_of_mass };
    if volume_integrals(&shape).is_none() {
        fields.report("parts", Problem::NoVolume);
        return None;
    }
    Some(shape)
}

fn read_part(mut fields: Fields) -> Option<Part> {
    fields.allow(&["position", "rotation"]);
    let position = fields.vector("position", limits::LENGTH).unwrap_or_default();
    let rotation = fields.vector("rotation", limits::ANGLE).unwrap_or_default();
    let shape = read_kind(&mut fields)?;
    let kind = match shape {
        Shape::HalfSpace { .. } => "a half_space",
        Shape::Particle => "a particle",
        Shape::Compound { .. } => "a compound",
        _ => return Some(Part { shape, position, rotation }),
    };
    fields.report("kind", Problem::NoPart { kind });
    None
}

fn read_half_space(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "normal"]);
    let normal = fields.required_vector("normal", limits::DIRECTION, "normal = [0, 1, 0]")?;
    // A normal this short is a zero with round-off, and its square would not be a normal number.
    if normal.amax() < 1e-100 {
        fields.report("normal", Problem::ZeroDirection { field: "normal".to_owned() });
        return None;
    }
    Some(Shape::HalfSpace { normal })
}

fn refuse_kind(fields: &mut Fields, kind: String) -> Option<Shape> {
    let problem = Problem::UnknownShape { nearest: nearest(&kind, KINDS.iter().copied()), kind, known: KINDS };
    fields.report("kind", problem);
    None
}
