//! Reading `[[nail]]` tables and a body's `region`, with a line and advice for every fault.

use toml_edit::TableLike;

use super::super::error::Problem;
use super::super::limits;
use super::super::nearest;
use super::super::reader::{Entry, Fields, Reader};
use super::{Components, Inside, Nail, Region, Side, When};

/// In the order in which they are written.
pub(in super::super) const NAIL_KEYS: &[&str] =
    &["name", "enabled", "body", "at", "point", "position", "rotation", "velocity", "spin", "inside", "expression"];
/// Wishes about one body.
const BODY_WISHES: [&str; 5] = ["position", "rotation", "velocity", "spin", "inside"];
const REGIONS: &[&str] = &["box", "cylinder", "ball"];
const WHEN: &str = "a time, \"end\", { impact = \"box/floor#2\" }, { apex = \"box\" } or { rest = \"box\" }";
const COMPONENTS: &str = "three numbers such as [0, 1, 0], or some of them such as { y = 0.5 }";
const INSIDE: &str = "{ body = \"bucket\" }, or { kind = \"ball\", center = [0, 0, 0], radius = 0.5 }";

/// All nails, or `None` if one of them is at fault; `bodies` and `labels` are the names that exist.
pub(in super::super) fn read_nails(
    reader: &mut Reader,
    tables: Vec<Entry>,
    bodies: &[&str],
    labels: &[&str],
) -> Option<Vec<Nail>> {
    let points = [bodies, labels].concat();
    let read = |(index, entry): (usize, Entry)| {
        let path = format!("nail[{index}]");
        let subject = match entry.table.get("name").and_then(|item| item.as_str()) {
            Some(name) => format!("nail {name:?}"),
            None => path.clone(),
        };
        read_nail(reader.fields(entry.table, path, subject, entry.offset), bodies, &points)
    };
    // All are read before any is given up, so that every fault is found.
    let nails: Vec<Option<Nail>> = tables.into_iter().enumerate().map(read).collect();
    nails.into_iter().collect()
}

/// A region, in the world or in a body's frame.
pub(in super::super) fn read_region(fields: &mut Fields, name: &str) -> Option<Region> {
    let item = fields.item(name)?;
    let Some(table) = item.as_table_like() else {
        return fields.wrong_type(name, item, "a table such as { kind = \"ball\", center = [0, 0, 0], radius = 0.5 }");
    };
    read_region_table(fields.inner(name, table))
}

fn read_nail(mut fields: Fields, bodies: &[&str], points: &[&str]) -> Option<Nail> {
    fields.refuse_unknown(NAIL_KEYS);
    check_wishes(&mut fields);
    let body = read_body(&mut fields, "body", points);
    let at = read_when(&mut fields, bodies);
    let nail = Nail {
        name: fields.text("name"),
        enabled: fields.boolean("enabled").unwrap_or(true),
        body,
        at: When::End,
        point: fields.vector("point", limits::LENGTH).map(Into::into),
        position: read_components(&mut fields, "position", limits::LENGTH),
        rotation: read_components(&mut fields, "rotation", limits::ANGLE),
        velocity: read_components(&mut fields, "velocity", limits::VELOCITY),
        spin: read_components(&mut fields, "spin", limits::SPIN),
        inside: read_inside(&mut fields, bodies),
        expression: fields.text("expression"),
    };
    Some(Nail { at: at?, ..nail })
}

/// A nail wishes something, and says of whom and when.
fn check_wishes(fields: &mut Fields) {
    let of_body: Vec<&'static str> = BODY_WISHES.into_iter().filter(|wish| fields.has(wish)).collect();
    if of_body.is_empty() && !fields.has("expression") {
        fields.report_missing("position", "position = [1.0, 0.5, 0.0]");
        return;
    }
    let Some(first) = of_body.first() else { return };
    if !fields.has("body") {
        fields.report(first, Problem::NailWithoutBody { wish: first });
    }
    if !fields.has("at") {
        fields.report_missing("at", "at = 1.5");
    }
}

fn read_body(fields: &mut Fields, key: &str, bodies: &[&str]) -> Option<String> {
    let name = fields.text(key)?;
    if bodies.contains(&name.as_str()) {
        return Some(name);
    }
    let meant = nearest(&name, bodies.iter().copied()).map(str::to_owned);
    fields.report(key, Problem::UnknownBody { name, nearest: meant });
    None
}

/// The moment; at the end where nothing is written.
fn read_when(fields: &mut Fields, bodies: &[&str]) -> Option<When> {
    let Some(item) = fields.item("at") else { return Some(When::End) };
    if item.is_float() || item.is_integer() {
        return fields.number("at", limits::TIME).map(When::Time);
    }
    if item.as_str() == Some("end") {
        return Some(When::End);
    }
    if item.is_str() && fields.has_variables() {
        return fields.number("at", limits::TIME).map(When::Time);
    }
    let Some(table) = item.as_table_like() else { return fields.wrong_type("at", item, WHEN) };
    read_event(fields.inner("at", table), table, bodies)
}

fn read_event(mut fields: Fields, table: &dyn TableLike, bodies: &[&str]) -> Option<When> {
    if table.contains_key("impact") {
        fields.refuse_unknown(&["impact", "side"]);
        let side = match fields.text("side").as_deref() {
            None | Some("after") => Side::After,
            Some("before") => Side::Before,
            Some(word) => {
                fields.report("side", Problem::UnknownSide { word: word.to_owned() });
                return None;
            }
        };
        return Some(When::Impact { impact: fields.text("impact")?, side });
    }
    if table.contains_key("apex") {
        fields.refuse_unknown(&["apex", "n"]);
        let n = if table.contains_key("n") { fields.integer("n", 1, limits::EVENTS) } else { Some(1) };
        return Some(When::Apex { apex: read_body(&mut fields, "apex", bodies)?, n: n? });
    }
    fields.refuse_unknown(&["impact", "side", "apex", "n", "rest"]);
    if table.is_empty() {
        fields.report_missing("impact", "impact = \"box/floor#2\"");
    }
    Some(When::Rest { rest: read_body(&mut fields, "rest", bodies)? })
}

fn read_components(fields: &mut Fields, name: &'static str, allowed: limits::Allowed) -> Option<Components> {
    let item = fields.item(name)?;
    if item.is_array() {
        return fields.vector(name, allowed).map(|vector| Components::all(vector.into()));
    }
    let Some(table) = item.as_table_like() else { return fields.wrong_type(name, item, COMPONENTS) };
    let mut inner = fields.inner(name, table);
    inner.refuse_unknown(&["x", "y", "z"]);
    if table.is_empty() {
        inner.report_missing("x", "x = 1.0");
    }
    Some(Components(["x", "y", "z"].map(|axis| inner.number(axis, allowed))))
}

fn read_inside(fields: &mut Fields, bodies: &[&str]) -> Option<Inside> {
    let item = fields.item("inside")?;
    let Some(table) = item.as_table_like() else { return fields.wrong_type("inside", item, INSIDE) };
    let mut inner = fields.inner("inside", table);
    if table.contains_key("body") {
        inner.refuse_unknown(&["body"]);
        return Some(Inside::Body { body: read_body(&mut inner, "body", bodies)? });
    }
    read_region_table(inner).map(Inside::World)
}

fn read_region_table(mut fields: Fields) -> Option<Region> {
    if !fields.has("kind") {
        fields.report_missing("kind", "kind = \"ball\"");
    }
    let kind = fields.text("kind")?;
    let center = fields.required_vector("center", limits::LENGTH, "center = [0, 0, 0]");
    match kind.as_str() {
        "box" => {
            fields.refuse_unknown(&["kind", "center", "half_extents"]);
            let half_extents =
                fields.required_vector("half_extents", limits::EXTENT, "half_extents = [0.2, 0.1, 0.1]")?;
            Some(Region::Box { center: center?.into(), half_extents: half_extents.into() })
        }
        "cylinder" => {
            fields.refuse_unknown(&["kind", "center", "half_height", "radius"]);
            let half_height = fields.required_number("half_height", limits::EXTENT, "half_height = 0.2");
            let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.1");
            Some(Region::Cylinder { center: center?.into(), half_height: half_height?, radius: radius? })
        }
        "ball" => {
            fields.refuse_unknown(&["kind", "center", "radius"]);
            let radius = fields.required_number("radius", limits::EXTENT, "radius = 0.1")?;
            Some(Region::Ball { center: center?.into(), radius })
        }
        _ => {
            let meant = nearest(&kind, REGIONS.iter().copied());
            fields.report("kind", Problem::UnknownRegion { kind, nearest: meant, known: REGIONS });
            None
        }
    }
}
