//! Reading the path of `on_path` and `follow_path`.

use super::super::{JointPath, MachineProblem};
use super::read_kind;
use crate::math::elementary::atan2;
use crate::scene::limits;
use crate::scene::reader::Fields;

const EXAMPLE: &str = "path = { kind = \"line\", point = [0, 1, 0], direction = [1, 0, 0] }";
const KINDS: &[&str] = &["line", "ellipse", "spline"];
/// How far from a right angle the axes of an ellipse may be, rad: numbers printed to few digits are as far.
const SQUARE: f64 = 1e-6;

pub(super) fn read(fields: &mut Fields) -> Option<JointPath> {
    let Some(item) = fields.item("path") else {
        fields.report_missing("path", EXAMPLE);
        return None;
    };
    let Some(table) = item.as_table_like() else {
        return fields.wrong_type(
            "path",
            item,
            "a table such as { kind = \"line\", point = [0, 1, 0], direction = [1, 0, 0] }",
        );
    };
    let mut fields = fields.inner("path", table);
    match read_kind(&mut fields, "path", KINDS)? {
        "line" => read_line(&mut fields),
        "ellipse" => read_ellipse(&mut fields),
        _ => read_spline(&mut fields),
    }
}

fn read_line(fields: &mut Fields) -> Option<JointPath> {
    fields.refuse_unknown(&["kind", "point", "direction"]);
    let point = fields.required_vector("point", limits::LENGTH, "point = [0, 1, 0]");
    let direction = fields.direction("direction", "direction = [1, 0, 0]");
    Some(JointPath::Line { point: point?, direction: direction? })
}

fn read_ellipse(fields: &mut Fields) -> Option<JointPath> {
    fields.refuse_unknown(&["kind", "center", "axes"]);
    let center = fields.required_vector("center", limits::LENGTH, "center = [0, 1, 0]");
    if !fields.has("axes") {
        fields.report_missing("axes", "axes = [[1, 0, 0], [0, 0.5, 0]]");
        return None;
    }
    let axes = fields.pair("axes")?;
    let a = fields.unit("axes", "axes[0]", axes[0])?;
    let b = fields.unit("axes", "axes[1]", axes[1])?;
    if a.dot(&b).abs() > SQUARE {
        let degrees = atan2(a.cross(&b).norm(), a.dot(&b)).to_degrees();
        fields.report("axes", MachineProblem::NotPerpendicular { degrees }.into());
    }
    Some(JointPath::Ellipse { center: center?, axes })
}

fn read_spline(fields: &mut Fields) -> Option<JointPath> {
    fields.refuse_unknown(&["kind", "points", "closed"]);
    let closed = fields.boolean("closed").unwrap_or(false);
    if !fields.has("points") {
        fields.report_missing("points", "points = [[0, 0, 0], [1, 1, 0], [2, 0, 0]]");
        return None;
    }
    let points = fields.vectors("points", limits::LENGTH, limits::PATH_POINTS)?;
    let (found, least) = (points.len(), if closed { 3 } else { 2 });
    if found < least {
        fields.report("points", MachineProblem::FewPoints { found, least }.into());
        return None;
    }
    let last = if closed { found } else { found - 1 };
    if let Some(index) = (0..last).find(|&index| points[index] == points[(index + 1) % found]) {
        fields.report("points", MachineProblem::SamePoints { index }.into());
    }
    Some(JointPath::Spline { points, closed })
}
