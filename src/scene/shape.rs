//! Reading a body's `shape`.

use super::error::Problem;
use super::limits;
use super::nearest;
use super::reader::Fields;
use crate::geometry::Shape;
use crate::geometry::mass::hull_centroid;

const KINDS: &[&str] = &["ball", "cuboid", "capsule", "hull", "half_space", "particle"];
/// What is described in the design and absent from the program, by kind.
const UNSUPPORTED: &[(&str, &str)] =
    &[("cylinder", "cylinders"), ("cone", "cones"), ("mesh", "meshes"), ("compound", "compounds")];
const EXAMPLE: &str = "shape = { kind = \"ball\", radius = 0.1 }";

/// The shape of a body, or `None` if it is absent or at fault.
pub(super) fn read_shape(body: &mut Fields) -> Option<Shape> {
    let Some(item) = body.item("shape") else {
        body.report_missing("shape", EXAMPLE);
        return None;
    };
    let Some(table) = item.as_table_like() else {
        return body.wrong_type("shape", item, "a table such as { kind = \"ball\", radius = 0.1 }");
    };
    let mut fields = body.inner("shape", table);
    if !fields.has("kind") {
        fields.report_missing("kind", "kind = \"ball\"");
    }
    let kind = fields.text("kind")?;
    match kind.as_str() {
        "ball" => read_ball(&mut fields),
        "cuboid" => read_cuboid(&mut fields),
        "capsule" => read_capsule(&mut fields),
        "hull" => read_hull(&mut fields),
        "half_space" => read_half_space(&mut fields),
        "particle" => {
            fields.refuse_unknown(&["kind"]);
            Some(Shape::Particle)
        }
        _ => refuse_kind(&mut fields, kind),
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

fn read_half_space(fields: &mut Fields) -> Option<Shape> {
    fields.refuse_unknown(&["kind", "normal"]);
    let normal = fields.required_vector("normal", limits::DIRECTION, "normal = [0, 1, 0]")?;
    // A normal this short is a zero with round-off, and its square would not be a normal number.
    if normal.amax() < 1e-100 {
        fields.report("normal", Problem::ZeroNormal);
        return None;
    }
    Some(Shape::HalfSpace { normal })
}

fn refuse_kind(fields: &mut Fields, kind: String) -> Option<Shape> {
    let unsupported = UNSUPPORTED.iter().find(|(name, _)| *name == kind);
    let problem = match unsupported {
        Some((_, what)) => Problem::Unsupported { what, part: "body" },
        None => Problem::UnknownShape { nearest: nearest(&kind, KINDS.iter().copied()), kind, known: KINDS },
    };
    fields.report("kind", problem);
    None
}
