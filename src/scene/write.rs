//! Writing a scene back into its text: only what changed is touched, so that comments, order and spelling stay.
//!
//! Numbers are written so that they read back to the same f64, and a number that did not change keeps its spelling. A file
//! is replaced in one step: until the new one is complete on the disk, the old one is what is there.
//!
//! Which parameter belongs into which field is not known here.

use std::path::Path;

use serde_json::Value as Json;
use thiserror::Error;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::nail::NAIL_KEYS;
use super::{Control, Nail, Source};
use crate::files::{WriteFault, write_whole};

/// The text of a scene while changes are written into it.
#[derive(Clone, Debug)]
pub struct Manuscript {
    document: DocumentMut,
}

/// Why a file could not be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot write {path}: {reason}; the file is as it was")]
pub struct SaveError {
    /// The file.
    pub path: String,
    /// What the operating system said.
    pub reason: String,
}

impl Manuscript {
    /// The text of a scene that was read.
    pub fn new(source: &Source) -> Manuscript {
        // A source holds text that was read as TOML before; only one made of nothing has none.
        Manuscript { document: source.text().parse().unwrap_or_default() }
    }

    /// The text with all changes.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// Writes the scene's gravity.
    pub fn set_gravity(&mut self, gravity: [f64; 3]) {
        set_vector(self.document.as_table_mut(), "gravity", gravity);
    }

    /// Writes a vector of the body at this place in the file.
    pub fn set_body_vector(&mut self, body: usize, field: &str, vector: [f64; 3]) {
        if let Some(table) = table_at(&mut self.document, "body", body) {
            set_vector(table, field, vector);
        }
    }

    /// Writes a number of the body at this place in the file.
    pub fn set_body_number(&mut self, body: usize, field: &str, number: f64) {
        if let Some(table) = table_at(&mut self.document, "body", body) {
            set_number(table, field, number);
        }
    }

    /// Writes the number of a key such as `joint[1].points[0][2]`. What is not written yet is made, with zeros beside the number; a
    /// formula stays as it stands.
    pub fn set_number_at(&mut self, key: &str, number: f64) {
        set_at(self.document.as_item_mut(), &steps(key), number);
    }

    /// Takes a field out of the body at this place in the file.
    pub fn remove_body_field(&mut self, body: usize, field: &str) {
        if let Some(table) = table_at(&mut self.document, "body", body) {
            table.remove(field);
        }
    }

    /// Writes what a control says into the last table of its parameter, or into a new table at the end: there it overrides
    /// all others of the same body.
    pub fn set_control(&mut self, control: &Control) {
        let count = table_count(&self.document, "control");
        let name = |document: &mut DocumentMut, index: usize| {
            let table = table_at(document, "control", index)?;
            table.get("parameter")?.as_str().map(str::to_owned)
        };
        let names: Vec<Option<String>> = (0..count).map(|index| name(&mut self.document, index)).collect();
        let subject = |name: &str| name.split(['.', '#']).next().unwrap_or_default().to_owned();
        let own = subject(&control.parameter);
        let last = names.iter().rposition(|name| name.as_deref().is_some_and(|name| subject(name) == own));
        let found = last.filter(|&index| names[index].as_deref() == Some(control.parameter.as_str()));
        let index = found.unwrap_or_else(|| {
            let mut table = Table::new();
            table.insert("parameter", toml_edit::value(&control.parameter));
            push_table(&mut self.document, "control", table);
            count
        });
        if let Some(table) = table_at(&mut self.document, "control", index) {
            write_control(table, control);
        }
    }

    /// Writes the nails, given those the text holds; nails that did not change keep their text.
    pub fn set_nails(&mut self, old: &[Nail], new: &[Nail]) {
        if old == new {
            return;
        }
        let mut tables: Vec<Table> = (0..old.len()).map(|index| owned_table(&mut self.document, index)).collect();
        let kept = kept_places(old, new);
        let mut written = ArrayOfTables::new();
        for (nail, kept) in new.iter().zip(kept) {
            let mut table = kept.map_or_else(Table::new, |index| std::mem::take(&mut tables[index]));
            // What did not change may hold formulas, which have no spelling among numbers.
            if kept.is_none_or(|index| old[index] != *nail) {
                write_nail(&mut table, nail);
            }
            written.push(table);
        }
        if written.is_empty() {
            self.document.remove("nail");
        } else {
            self.document.insert("nail", Item::ArrayOfTables(written));
        }
    }
}

/// Replaces a file by this text in one step.
pub fn save(path: &Path, text: &str) -> Result<(), SaveError> {
    let fail = |fault: WriteFault| SaveError { path: path.display().to_string(), reason: fault.to_string() };
    write_whole(path, text.as_bytes()).map_err(fail)
}

/// For each new nail, the old one whose table it takes over: an equal one, else the one of the same body in the same
/// place, which was changed.
fn kept_places(old: &[Nail], new: &[Nail]) -> Vec<Option<usize>> {
    let mut taken = vec![false; old.len()];
    let mut places: Vec<Option<usize>> = Vec::with_capacity(new.len());
    for nail in new {
        let place = (0..old.len()).find(|&index| !taken[index] && old[index] == *nail);
        place.into_iter().for_each(|index| taken[index] = true);
        places.push(place);
    }
    for (index, place) in places.iter_mut().enumerate() {
        if place.is_none() && index < old.len() && !taken[index] && old[index].body == new[index].body {
            (*place, taken[index]) = (Some(index), true);
        }
    }
    places
}

fn table_at<'a>(document: &'a mut DocumentMut, key: &str, index: usize) -> Option<&'a mut dyn TableLike> {
    match document.get_mut(key)? {
        Item::ArrayOfTables(tables) => tables.get_mut(index).map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(array)) => {
            array.get_mut(index)?.as_inline_table_mut().map(|table| table as &mut dyn TableLike)
        }
        _ => None,
    }
}

fn table_count(document: &DocumentMut, key: &str) -> usize {
    match document.get(key) {
        Some(Item::ArrayOfTables(tables)) => tables.len(),
        Some(Item::Value(Value::Array(array))) => array.len(),
        _ => 0,
    }
}

/// The table of a nail, taken out of the text.
fn owned_table(document: &mut DocumentMut, index: usize) -> Table {
    match document.get("nail") {
        Some(Item::ArrayOfTables(tables)) => tables.get(index).cloned().unwrap_or_default(),
        Some(Item::Value(Value::Array(array))) => {
            array.get(index).and_then(Value::as_inline_table).cloned().map(InlineTable::into_table).unwrap_or_default()
        }
        _ => Table::new(),
    }
}

fn push_table(document: &mut DocumentMut, key: &str, table: Table) {
    match document.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new())) {
        Item::ArrayOfTables(tables) => tables.push(table),
        Item::Value(Value::Array(array)) => array.push(table.into_inline_table()),
        _ => {}
    }
}

fn write_control(table: &mut dyn TableLike, control: &Control) {
    if let Some(free) = control.free {
        table.insert("free", toml_edit::value(free));
    }
    let numbers = [("weight", control.weight), ("value", control.value), ("rest", control.rest)];
    for (field, number) in numbers {
        if let Some(number) = number {
            set_number(table, field, number);
        }
    }
    if let Some(bounds) = control.bounds {
        table.insert("bounds", toml_edit::value(bounds.into_iter().collect::<Array>()));
    }
}

/// Writes the fields of a nail in their usual order; fields that mean the same keep their text.
fn write_nail(table: &mut Table, nail: &Nail) {
    let Ok(Json::Object(fields)) = serde_json::to_value(nail) else { return };
    for &key in NAIL_KEYS {
        match fields.get(key).and_then(toml_of) {
            // An expression alone holds at the end without saying so.
            Some(_) if key == "at" && nail.body.is_none() && nail.at == super::When::End => {}
            Some(value) if table.get(key).is_some_and(|old| same(old, &value)) => {}
            Some(value) => {
                let decor = table.get(key).and_then(Item::as_value).map(|old| old.decor().clone());
                let mut value = value;
                decor.into_iter().for_each(|decor| *value.decor_mut() = decor);
                table.insert(key, Item::Value(value));
            }
            None => {
                table.remove(key);
            }
        }
    }
}

fn toml_of(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(yes) => Value::from(*yes),
        Json::Number(number) => match number.as_u64() {
            Some(whole) => Value::from(i64::try_from(whole).ok()?),
            None => Value::from(number.as_f64()?),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(entries) => Value::Array(entries.iter().filter_map(toml_of).collect()),
        Json::Object(fields) => {
            let pairs = fields.iter().filter_map(|(key, value)| Some((key.as_str(), toml_of(value)?)));
            Value::InlineTable(pairs.collect())
        }
    })
}

/// Whether a field already says this, in whatever spelling.
fn same(old: &Item, new: &Value) -> bool {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    match (old.as_value(), new) {
        (Some(Value::String(old)), Value::String(new)) => old.value() == new.value(),
        (Some(Value::Boolean(old)), Value::Boolean(new)) => old.value() == new.value(),
        (Some(Value::Array(old)), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new.iter()).all(|(a, b)| same(&Item::Value(a.clone()), b))
        }
        (Some(Value::InlineTable(old)), Value::InlineTable(new)) => {
            let equal =
                |(key, value): (&str, &Value)| old.get(key).is_some_and(|a| same(&Item::Value(a.clone()), value));
            old.len() == new.len() && new.iter().all(equal)
        }
        (Some(old), new) => {
            number(old).is_some_and(|old| number(new).is_some_and(|new| old.to_bits() == new.to_bits()))
        }
        (None, _) => false,
    }
}

/// One step into a document.
enum Step<'a> {
    Field(&'a str),
    Entry(usize),
}

/// The steps of a key.
fn steps(key: &str) -> Vec<Step<'_>> {
    let parts = key.split(['.', '[']).map(|part| part.trim_end_matches(']'));
    parts.map(|part| part.parse().map_or(Step::Field(part), Step::Entry)).collect()
}

/// Goes down to the number of a key; a last list that is absent has three entries, or two lists of three.
fn set_at(item: &mut Item, steps: &[Step], number: f64) {
    let Some((step, rest)) = steps.split_first() else {
        if let Some(value) = item.as_value_mut() {
            set_value(value, &[], number);
        }
        return;
    };
    match (step, item) {
        (Step::Field(field), item) => {
            if let Some(table) = item.as_table_like_mut() {
                set_field(table, field, rest, number);
            }
        }
        (Step::Entry(index), Item::ArrayOfTables(tables)) => {
            // A table of an array is no item: its field is the next step.
            if let (Some(table), [Step::Field(field), rest @ ..]) = (tables.get_mut(*index), rest) {
                set_field(table, field, rest, number);
            }
        }
        (Step::Entry(_), Item::Value(value)) => set_value(value, steps, number),
        (Step::Entry(_), _) => {}
    }
}

fn set_field(table: &mut dyn TableLike, field: &str, rest: &[Step], number: f64) {
    if let Some(inner) = table.get_mut(field) {
        set_at(inner, rest, number);
        return;
    }
    let mut fresh = zeros(rest);
    set_value(&mut fresh, rest, number);
    table.insert(field, Item::Value(fresh));
}

/// The same inside a value.
fn set_value(value: &mut Value, steps: &[Step], number: f64) {
    let inner = match (steps.split_first(), value) {
        (None, value) => {
            // A formula has no number of its own.
            if !value.is_str() {
                replace_number(value, number);
            }
            return;
        }
        (Some((Step::Entry(index), rest)), Value::Array(array)) => array.get_mut(*index).map(|value| (value, rest)),
        (Some((Step::Field(field), rest)), Value::InlineTable(table)) => {
            if !table.contains_key(field) {
                table.insert(*field, zeros(rest));
            }
            table.get_mut(field).map(|value| (value, rest))
        }
        _ => None,
    };
    inner.into_iter().for_each(|(value, rest)| set_value(value, rest, number));
}

/// What stands for a number, a vector or two of them where nothing is written.
fn zeros(rest: &[Step]) -> Value {
    match rest {
        [] => Value::from(0.0),
        [_] => Value::Array([0.0; 3].into_iter().collect()),
        _ => Value::Array([zeros(&rest[1..]), zeros(&rest[1..])].into_iter().collect()),
    }
}

/// Replaces the entries that changed; the others, formulas, and what stands around them, stay.
fn set_vector(table: &mut dyn TableLike, field: &str, vector: [f64; 3]) {
    let Some(array) = table.get_mut(field).and_then(Item::as_array_mut) else {
        table.insert(field, toml_edit::value(vector.into_iter().collect::<Array>()));
        return;
    };
    for (index, number) in vector.into_iter().enumerate() {
        if let Some(entry) = array.get_mut(index).filter(|entry| !entry.is_str()) {
            replace_number(entry, number);
        }
    }
}

fn set_number(table: &mut dyn TableLike, field: &str, number: f64) {
    match table.get_mut(field).and_then(Item::as_value_mut) {
        Some(value) => replace_number(value, number),
        None => {
            table.insert(field, toml_edit::value(number));
        }
    }
}

fn replace_number(value: &mut Value, number: f64) {
    let fresh = Value::from(number);
    if !same(&Item::Value(value.clone()), &fresh) {
        let decor = value.decor().clone();
        *value = fresh;
        *value.decor_mut() = decor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Components, Scene, When};

    const TEXT: &str = r#"# A note.
format = 1
duration = 2.0   # long enough

[[body]]
name = "egg"     # the first
shape = { kind = "ball", radius = 0.1 }
position = [0, 1, 0] # here
velocity = [1.0,   2.0, 3.0]

[[nail]]         # keep
body = "egg"
at = 1           # one second
position = [0, 0.5, 0]
"#;

    fn scene() -> Scene {
        Scene::parse(TEXT, "egg.toml").expect("valid")
    }

    #[test]
    fn unchanged_scenes_keep_every_byte() {
        let scene = scene();
        let mut manuscript = Manuscript::new(&scene.source);
        manuscript.set_body_vector(0, "position", [0.0, 1.0, 0.0]);
        manuscript.set_nails(&scene.nails, &scene.nails);
        assert_eq!(manuscript.text(), TEXT);
    }

    #[test]
    fn changes_touch_only_what_changed_and_read_back_to_the_same_bits() {
        let scene = scene();
        let mut manuscript = Manuscript::new(&scene.source);
        let velocity = [1.0, 0.1 + 0.2, -1e-300];
        manuscript.set_body_vector(0, "velocity", velocity);
        manuscript.set_body_vector(0, "spin", [1.0 / 3.0, 0.0, -0.0]);
        manuscript.set_body_number(0, "mass", 2.5);
        manuscript.set_gravity([0.0, -1.62, 0.0]);
        let control =
            |free| Control { parameter: "egg.spin".into(), free, weight: None, bounds: None, value: None, rest: None };
        manuscript.set_control(&control(Some(false)));
        manuscript.set_control(&Control { weight: Some(3.0), ..control(None) });
        let text = manuscript.text();
        assert!(text.contains("velocity = [1.0,   0.30000000000000004,"), "{text}");
        assert!(text.contains("position = [0, 1, 0] # here") && text.contains("# long enough"), "{text}");
        let read = Scene::parse(&text, "egg.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(<[f64; 3]>::from(read.bodies[0].velocity).map(f64::to_bits), velocity.map(f64::to_bits));
        assert_eq!(read.bodies[0].spin.x.to_bits(), (1.0f64 / 3.0).to_bits());
        assert_eq!((read.gravity.y, read.bodies[0].mass), (-1.62, Some(2.5)));
        assert_eq!(read.controls.len(), 1);
        assert_eq!((read.controls[0].free, read.controls[0].weight), (Some(false), Some(3.0)));
    }

    #[test]
    fn nails_come_and_go() {
        let scene = scene();
        let added = Nail { expression: Some("speed(egg) <= 1".into()), enabled: true, ..Nail::default() };
        let moved = Nail { position: Some(Components([None, Some(0.25), None])), ..scene.nails[0].clone() };
        for new in
            [vec![scene.nails[0].clone(), added.clone()], vec![added.clone()], vec![], vec![moved.clone(), added]]
        {
            let mut manuscript = Manuscript::new(&scene.source);
            manuscript.set_nails(&scene.nails, &new);
            let text = manuscript.text();
            let read = Scene::parse(&text, "egg.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.nails, new, "{text}");
            let kept = new.contains(&scene.nails[0]) || new.contains(&moved);
            assert_eq!(text.contains("# one second"), kept, "{text}");
        }
        let end = Nail { at: When::End, ..scene.nails[0].clone() };
        let mut manuscript = Manuscript::new(&scene.source);
        manuscript.set_nails(&scene.nails, &[end]);
        assert!(manuscript.text().contains("at = \"end\"           # one second"), "{}", manuscript.text());
    }

    #[test]
    fn a_file_that_cannot_be_written_stays_as_it_was() {
        let missing = Path::new("no such folder").join("egg.toml");
        let error = save(&missing, "x").expect_err("there is no such folder");
        assert!(error.to_string().contains("the file is as it was"), "{error}");
    }
}
