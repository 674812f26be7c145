//! What a file says besides the motion: meshes, materials, masses, tables of events, and whatever else stands in it.
//!
//! ```text
//! file ── read ──▶ content ─┐
//!                           ├─▶ compare, name by name and number by number
//! scene ─ encode ─ read ──▶ content (what export would write for it)
//! ```
//!
//! Each format's reader gives everything that is no key of the motion as one tree, with references followed: a mesh has its
//! vertices, not the number of an accessor. So nothing in a file is overlooked: a name that only one of the two trees has
//! is a difference, and so is a number further off than rounding takes it. Numbers that stand together in a row (a vertex,
//! a colour) are one: their distance counts.

use serde_json::Value;

/// Furthest that numbers may differ, relative to 1 and their size: ten times the rounding of half-width numbers.
const ROUNDING: f64 = 1e-6;
/// The same for tables of events, which follow the motion and are as near as `verify` wants that.
const EVENTS: f64 = super::verify::TOLERANCE;
/// Names under which vertices stand in the formats.
const VERTICES: [&str; 3] = ["POSITION", "points", "positions"];
/// Names under which events stand.
const EVENT_TABLES: [&str; 2] = ["events", "impacts"];
/// Differences that are told; the others are counted.
const MOST_TOLD: usize = 8;

/// How two contents compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContentReport {
    /// Numbers and words compared.
    pub compared: usize,
    /// Vertices among them.
    pub vertices: usize,
    /// The largest distance between a vertex of the file and its own place, m.
    pub vertex: f64,
    /// Where that is.
    pub vertex_of: String,
    /// What differs, worded; the first few.
    pub told: Vec<String>,
    /// How many differences there are.
    pub differences: usize,
}

/// Compares what a file says with what it should say.
pub fn compare(expected: &Value, found: &Value) -> ContentReport {
    let mut comparison = Comparison { report: ContentReport::default(), path: Vec::new() };
    comparison.values(expected, found);
    comparison.report
}

struct Comparison {
    report: ContentReport,
    /// Names on the way down; entries of a list by their own name where they have one.
    path: Vec<String>,
}

impl Comparison {
    fn values(&mut self, expected: &Value, found: &Value) {
        match (expected, found) {
            (Value::Object(own), Value::Object(other)) => {
                for (name, value) in own {
                    match other.get(name) {
                        Some(found) => self.below(name.clone(), |at| at.values(value, found)),
                        None => self.below(name.clone(), |at| at.differs("missing in the file")),
                    }
                }
                for name in other.keys().filter(|name| !own.contains_key(*name)) {
                    self.below(name.clone(), |at| at.differs("not from the scene"));
                }
            }
            (Value::Array(own), Value::Array(other)) => self.lists(own, other),
            // Nothing is said on either side.
            (Value::Null, Value::Null) => {}
            _ => self.single(expected, found),
        }
    }

    fn lists(&mut self, own: &[Value], other: &[Value]) {
        if own.len() != other.len() {
            let names = |list: &[Value], than: &[Value]| {
                let names =
                    list.iter().filter_map(own_name).filter(|name| !than.iter().any(|v| own_name(v) == Some(name)));
                names.map(|name| format!(" {name:?}")).collect::<Vec<_>>().join(",")
            };
            let (gone, new) = (names(own, other), names(other, own));
            let mut what = format!("{} instead of {}", other.len(), own.len());
            what += &if gone.is_empty() { gone } else { format!("; missing:{gone}") };
            what += &if new.is_empty() { new } else { format!("; not from the scene:{new}") };
            return self.differs(&what);
        }
        match rows(own).zip(rows(other)) {
            Some((own, other)) => self.rows(&own, &other),
            None => own.iter().zip(other).enumerate().for_each(|(index, (own, other))| {
                let name = own_name(own).map_or_else(|| index.to_string(), str::to_owned);
                self.below(name, |at| at.values(own, other));
            }),
        }
    }

    /// Rows of numbers: one difference tells of them all.
    fn rows(&mut self, own: &[Vec<f64>], other: &[Vec<f64>]) {
        self.report.compared += own.iter().map(Vec::len).sum::<usize>();
        let (mut count, mut worst, mut first) = (0, 0.0_f64, 0);
        for (index, (own, other)) in own.iter().zip(other).enumerate() {
            let distance = distance(own, other);
            let size = own.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if distance > self.allowed() * (1.0 + size) {
                first = if count == 0 { index } else { first };
                count += 1;
            }
            worst = worst.max(distance);
        }
        self.note_vertices(own.len(), worst);
        if count > 0 {
            self.differs(&format!(
                "{count} of {} are off, by up to {worst:.1e} (the first is number {first})",
                own.len()
            ));
        }
    }

    fn note_vertices(&mut self, count: usize, worst: f64) {
        if !self.path.last().is_some_and(|name| VERTICES.contains(&name.rsplit(' ').next().unwrap_or(name))) {
            return;
        }
        self.report.vertices += count;
        if worst > self.report.vertex || self.report.vertex_of.is_empty() {
            (self.report.vertex, self.report.vertex_of) = (worst, self.place());
        }
    }

    fn single(&mut self, expected: &Value, found: &Value) {
        self.report.compared += 1;
        let same = match (expected.as_f64(), found.as_f64()) {
            (Some(own), Some(other)) => distance(&[own], &[other]) <= self.allowed() * (1.0 + own.abs()),
            _ => expected == found,
        };
        if !same {
            self.differs(&format!("{} instead of {}", short(found), short(expected)));
        }
    }

    fn allowed(&self) -> f64 {
        let follows = self.path.iter().any(|name| EVENT_TABLES.contains(&name.as_str()));
        if follows { EVENTS } else { ROUNDING }
    }

    fn below(&mut self, name: String, then: impl FnOnce(&mut Comparison)) {
        self.path.push(name);
        then(self);
        self.path.pop();
    }

    fn differs(&mut self, what: &str) {
        self.report.differences += 1;
        if self.report.told.len() < MOST_TOLD {
            let told = format!("{}: {what}", self.place());
            self.report.told.push(told);
        }
    }

    fn place(&self) -> String {
        self.path.join(" › ")
    }
}

/// The name that an entry of a list has itself.
fn own_name(value: &Value) -> Option<&str> {
    value.get("name").and_then(Value::as_str)
}

/// A list as rows of numbers: a list of lists of numbers, or one of numbers, which is one row where it is short. None for
/// anything else, and for nothing.
fn rows(list: &[Value]) -> Option<Vec<Vec<f64>>> {
    /// Longer rows are columns: the indices of a mesh are many numbers, a matrix is one.
    const ROW: usize = 16;
    let numbers = |value: &Value| value.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    if list.is_empty() {
        return None;
    }
    match list.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>() {
        Some(row) if row.len() <= ROW => Some(vec![row]),
        Some(column) => Some(column.into_iter().map(|number| vec![number]).collect()),
        None => list.iter().map(numbers).collect(),
    }
}

/// How far two rows are apart; infinitely where they cannot be compared.
fn distance(own: &[f64], other: &[f64]) -> f64 {
    let distance = own.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    if own.len() != other.len() || distance.is_nan() { f64::INFINITY } else { distance }
}

/// A value in a few letters.
fn short(value: &Value) -> String {
    const LETTERS: usize = 40;
    let text = value.to_string();
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(expected: &Value, found: &Value) -> String {
        let report = compare(expected, found);
        assert_eq!(report.differences > 0, !report.told.is_empty());
        report.told.join("\n")
    }

    #[test]
    fn rounding_is_no_difference() {
        let own = json!({ "a": [1.0, 2.0, 3.0], "b": { "c": "word" }, "d": [[0.5, 1.0], [2.0, 2.5]], "e": null });
        let near =
            json!({ "a": [1.0 + 5e-8, 2.0, 3.0], "b": { "c": "word" }, "d": [[0.5, 1.0], [2.0, 2.5]], "e": null });
        assert_eq!(told(&own, &near), "");
        assert_eq!(compare(&own, &near).compared, 8);
    }

    #[test]
    fn whatever_differs_is_told_with_its_place() {
        let own =
            json!({ "nodes": [{ "name": "egg", "color": [0.1, 0.2, 0.3] }], "indices": [0, 1, 2], "n": 1, "s": "x" });
        let change = |from: &str, to: &str| -> Value {
            serde_json::from_str(&own.to_string().replacen(from, to, 1)).unwrap_or_else(|error| panic!("{error}"))
        };
        for (from, to, says) in [
            ("0.2", "0.3", "nodes › egg › color: 1 of 1 are off, by up to 1.0e-1"),
            ("[0,1,2]", "[0,2,1]", "indices"),
            ("[0,1,2]", "[0,1]", "2 instead of 3"),
            ("\"n\":1", "\"n\":2", "n: 2 instead of 1"),
            ("\"n\":1", "\"m\":1", "m: not from the scene"),
            ("\"x\"", "3", "s: 3 instead of \"x\""),
            ("}]", "},{\"name\":\"nest\"}]", "not from the scene: \"nest\""),
            ("{\"color\":[0.1,0.2,0.3],\"name\":\"egg\"}", "", "missing: \"egg\""),
        ] {
            let told = told(&own, &change(from, to));
            assert!(told.contains(says), "{to}: {told}");
        }
    }

    #[test]
    fn the_furthest_vertex_is_named() {
        let mesh = |x: f64| json!({ "meshes": [{ "name": "egg", "POSITION": [[0.0, 0.0, 0.0], [x, 1.0, 0.0]] }] });
        let report = compare(&mesh(1.0), &mesh(1.003));
        assert!((report.vertex - 3e-3).abs() < 1e-12 && report.vertices == 2, "{report:?}");
        assert_eq!(report.vertex_of, "meshes › egg › POSITION");
    }
}
