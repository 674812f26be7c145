//! Reading the tables of a machine: names become places in lists, labels become points.
//!
//! Tracks come first, then labels, joints and forces: each names only what was read before it. What was at fault stays in its list
//! as none, so that later tables that name it are not blamed.

mod end;
mod force;
mod given;
mod joint;
mod label;
mod moved;
mod path;
mod track;
mod variables;

use std::collections::BTreeMap;

use super::{Force, Joint, Label, MachineProblem, Track};
use crate::scene::body::check_name;
use crate::scene::error::Problem;
use crate::scene::reader::{Entry, Fields, Reader};
use crate::scene::{Body, limits, nearest};

pub(in crate::scene) use moved::read_moved;
pub(in crate::scene) use variables::read_variables;

/// The tables of a machine, before they are read.
pub(in crate::scene) struct Tables<'a> {
    pub labels: Vec<Entry<'a>>,
    pub joints: Vec<Entry<'a>>,
    pub forces: Vec<Entry<'a>>,
}

/// What the tables say; none where one is at fault.
#[derive(Default)]
pub(in crate::scene) struct Machine {
    pub labels: Option<Vec<Label>>,
    pub joints: Option<Vec<Joint>>,
    pub forces: Option<Vec<Force>>,
    /// Points that are those of labels: their keys, and those of the labels' points.
    pub borrowed: BTreeMap<String, String>,
}

/// A list whose entries have names; an entry is none where it is at fault.
pub(in crate::scene) struct Named<T> {
    places: BTreeMap<String, usize>,
    entries: Vec<Option<T>>,
}

/// What a table may name.
struct Known<'a> {
    bodies: &'a Named<Body>,
    tracks: &'a Named<Track>,
    labels: Named<Label>,
    joints: Named<Joint>,
    borrowed: BTreeMap<String, String>,
}

impl<'a> Tables<'a> {
    /// Finds them among the tables of a scene.
    pub fn of(fields: &mut Fields<'_, 'a>) -> Tables<'a> {
        let mut tables = |name: &str, limit: usize| fields.tables(name, limit).unwrap_or_default();
        Tables {
            labels: tables("label", limits::LABELS),
            joints: tables("joint", limits::JOINTS),
            forces: tables("force", limits::JOINTS),
        }
    }
}

/// Reads the tracks, which bodies, joints and forces may follow.
pub(in crate::scene) fn read_tracks(reader: &mut Reader, tables: Vec<Entry>) -> Named<Track> {
    read_tables(reader, "track", tables, |fields, _| track::read(fields))
}

impl Machine {
    /// Reads all of it, even after a fault, so that every fault is found.
    pub fn read(reader: &mut Reader, tables: Tables, bodies: &Named<Body>, tracks: &Named<Track>) -> Machine {
        let labels = read_tables(reader, "label", tables.labels, |fields, _| label::read(fields, bodies));
        let mut known = Known { bodies, tracks, labels, joints: Named::default(), borrowed: BTreeMap::new() };
        let joints = read_tables(reader, "joint", tables.joints, |fields, name| joint::read(fields, name, &mut known));
        known.joints = joints;
        let forces = read_tables(reader, "force", tables.forces, |fields, name| force::read(fields, name, &mut known));
        Machine {
            labels: known.labels.all(),
            joints: known.joints.all(),
            forces: forces.all(),
            borrowed: known.borrowed,
        }
    }
}

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named { places: BTreeMap::new(), entries: Vec::new() }
    }
}

impl<T> Named<T> {
    /// The next entry; where two have one name, it is that of the first.
    pub fn push(&mut self, name: String, entry: Option<T>) {
        let place = self.entries.len();
        self.places.entry(name).or_insert(place);
        self.entries.push(entry);
    }

    /// All entries, if none is at fault.
    pub fn all(self) -> Option<Vec<T>> {
        self.entries.into_iter().collect()
    }

    /// Where something of this name stands.
    fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    fn get(&self, index: usize) -> Option<&T> {
        self.entries.get(index)?.as_ref()
    }
}

/// Reads tables that have a name each; `joint 1` and so on where they need none.
fn read_tables<T>(
    reader: &mut Reader,
    what: &'static str,
    tables: Vec<Entry>,
    mut read: impl FnMut(Fields, &str) -> Option<T>,
) -> Named<T> {
    let mut list = Named::default();
    for (index, entry) in tables.into_iter().enumerate() {
        let written = entry.table.get("name").and_then(|item| item.as_str());
        let name = written.map_or_else(|| format!("{what} {}", index + 1), str::to_owned);
        let subject = format!("{what} {name:?}");
        let mut fields = reader.fields(entry.table, format!("{what}[{index}]"), subject, entry.offset);
        if fields.has("name") {
            fields.text("name").into_iter().for_each(|name| check_name(&mut fields, &name));
        } else if ["track", "label"].contains(&what) {
            fields.report_missing("name", if what == "track" { "name = \"lift\"" } else { "name = \"tip\"" });
        }
        fields.claim("name", &name);
        let entry = read(fields, &name);
        list.push(name, entry);
    }
    list
}

/// Refuses what this kind has no use for, and what nobody has.
fn refuse_others(fields: &mut Fields, kind: &'static str, own: &[&'static str], all: &'static [&'static str]) {
    fields.refuse_unknown(all);
    for field in all.iter().filter(|field| !own.contains(field)) {
        if fields.has(field) {
            fields.report(field, Problem::Meaningless { kind, field });
        }
    }
}

/// The kind of a table, among those that are known.
fn read_kind(fields: &mut Fields, what: &'static str, known: &'static [&'static str]) -> Option<&'static str> {
    if !fields.has("kind") {
        fields.report_missing(
            "kind",
            match what {
                "joint" => "kind = \"pin\"",
                "force" => "kind = \"spring\"",
                _ => "kind = \"line\"",
            },
        );
    }
    let kind = fields.text("kind")?;
    if let Some(kind) = known.iter().find(|own| **own == kind) {
        return Some(kind);
    }
    let meant = nearest(&kind, known.iter().copied());
    let meant = known.iter().copied().find(|own| Some(*own) == meant);
    fields.report("kind", MachineProblem::UnknownKind { what, kind, nearest: meant, known }.into());
    None
}

/// Notes that nothing has this name, with the one that was probably meant.
fn report_unknown<T>(fields: &mut Fields, field: &str, what: &'static str, name: String, list: &Named<T>) {
    let meant = nearest(&name, list.places.keys().map(String::as_str)).map(str::to_owned);
    fields.report(field, MachineProblem::Unknown { what, name, nearest: meant }.into());
}
