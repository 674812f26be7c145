//! Adding, copying, renaming and removing bodies in the text of a scene, with comments left where they are.
//!
//! Each is a function from text to text; what it gives is read again like any scene, so that nothing slips past the
//! checks of `scene` and `model`. Values of parameters do not come this way (they are edits of the session).

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value, value};

/// Why a text could not be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// It is not TOML.
    #[error("the scene is not readable as TOML: {0}")]
    Syntax(String),
    /// Bodies stand in one array.
    #[error("the bodies of this scene are written as one array; write each as a [[body]] to change them here")]
    InlineBodies,
    /// There is no such body.
    #[error("there is no body {0:?}")]
    NoBody(String),
    /// A scene needs one.
    #[error("{0:?} is the only body; a scene needs at least one")]
    LastBody(String),
    /// The shape is not written as a table.
    #[error("the shape of {0:?} has no such number in the file")]
    NoSize(String),
    /// The name is taken.
    #[error("there is already a body {0:?}")]
    NameTaken(String),
}

/// One number of a shape as a file writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeChange {
    /// Whose.
    pub body: String,
    /// Such as `radius`.
    pub key: &'static str,
    /// Of a list, which entry.
    pub index: Option<usize>,
    /// m.
    pub value: f64,
}

/// The shapes that can be added, with what a file says of them.
pub const NEW_SHAPES: [(&str, &str); 6] = [
    ("Ball", "{ kind = \"ball\", radius = 0.1 }"),
    ("Box", "{ kind = \"cuboid\", half_extents = [0.1, 0.1, 0.1] }"),
    ("Capsule", "{ kind = \"capsule\", half_height = 0.1, radius = 0.05 }"),
    ("Cylinder", "{ kind = \"cylinder\", half_height = 0.1, radius = 0.06 }"),
    ("Cone", "{ kind = \"cone\", half_height = 0.1, radius = 0.08 }"),
    ("Egg", "{ kind = \"egg\", radius = 0.022, tip = 0.034, base = 0.024 }"),
];

/// With one more body of a shape at a place; returns its name too.
pub fn add(text: &str, shape: &str, position: [f64; 3]) -> Result<(String, String), TextError> {
    let mut document = parse(text)?;
    let stem = shape.split('"').nth(1).unwrap_or("body").to_owned();
    let bodies = bodies(&mut document)?;
    let name = free_name(bodies, if stem == "cuboid" { "box" } else { &stem });
    let mut table = Table::new();
    table["name"] = value(&name);
    let shape: Value = shape.parse().map_err(|error: toml_edit::TomlError| TextError::Syntax(error.to_string()))?;
    table["shape"] = value(shape);
    table["position"] = value(vector(position));
    table.decor_mut().set_prefix("\n");
    bodies.push(table);
    Ok((document.to_string(), name))
}

/// With a copy of a body, moved by an offset; returns the copy's name too.
pub fn duplicate(text: &str, name: &str, offset: [f64; 3]) -> Result<(String, String), TextError> {
    let mut document = parse(text)?;
    let bodies = bodies(&mut document)?;
    let mut copy = find(bodies, name)?.clone();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let new = free_name(bodies, if stem.is_empty() { name } else { stem });
    let place = position(&copy);
    copy["name"] = value(&new);
    copy["position"] = value(vector([0, 1, 2].map(|k| place[k] + offset[k])));
    copy.set_position(None);
    copy.decor_mut().set_prefix("\n");
    bodies.push(copy);
    Ok((document.to_string(), new))
}

/// Without a body, and without the controls and nails that speak of it.
pub fn remove(text: &str, name: &str) -> Result<String, TextError> {
    let mut document = parse(text)?;
    let bodies = bodies(&mut document)?;
    find(bodies, name)?;
    if bodies.len() == 1 {
        return Err(TextError::LastBody(name.to_owned()));
    }
    bodies.retain(|table| name_of(table) != Some(name));
    for key in ["control", "nail"] {
        if let Some(tables) = document.get_mut(key).and_then(Item::as_array_of_tables_mut) {
            tables.retain(|table| !speaks_of(&table.to_string(), name));
        }
    }
    Ok(document.to_string())
}

/// With a body's name changed, wherever it occurs.
pub fn rename(text: &str, old: &str, new: &str) -> Result<String, TextError> {
    let mut document = parse(text)?;
    let bodies = bodies(&mut document)?;
    if old != new && bodies.iter().any(|table| name_of(table) == Some(new)) {
        return Err(TextError::NameTaken(new.to_owned()));
    }
    find(bodies, old)?;
    for table in bodies.iter_mut().filter(|table| name_of(table) == Some(old)) {
        replace_value(&mut table["name"], new);
    }
    for key in ["control", "nail"] {
        if let Some(tables) = document.get_mut(key).and_then(Item::as_array_of_tables_mut) {
            tables.iter_mut().for_each(|table| rename_inside(table, old, new));
        }
    }
    Ok(document.to_string())
}

/// With a field at the top changed, such as the duration.
pub fn set_field(text: &str, key: &str, number: f64) -> Result<String, TextError> {
    let mut document = parse(text)?;
    match document.get_mut(key) {
        Some(item) => replace_number(item, number),
        None => document[key] = value(number),
    }
    Ok(document.to_string())
}

/// With one number of a body's shape changed; a shape with a name of its own is changed where it stands.
pub fn set_size(text: &str, change: &SizeChange) -> Result<String, TextError> {
    let mut document = parse(text)?;
    let missing = || TextError::NoSize(change.body.clone());
    let named = find(bodies(&mut document)?, &change.body)?.get("shape").and_then(Item::as_str).map(str::to_owned);
    let tables = match &named {
        Some(_) => document.get_mut("shape").and_then(Item::as_array_of_tables_mut).ok_or_else(missing)?,
        None => bodies(&mut document)?,
    };
    let wanted = named.as_deref().unwrap_or(&change.body);
    let table = tables.iter_mut().find(|table| name_of(table) == Some(wanted)).ok_or_else(missing)?;
    let shape: &mut dyn TableLike = match &named {
        Some(_) => table,
        None => table.get_mut("shape").and_then(Item::as_table_like_mut).ok_or_else(missing)?,
    };
    match change.index {
        Some(index) => {
            let entry = shape.get_mut(change.key).and_then(Item::as_array_mut).and_then(|list| list.get_mut(index));
            replace_entry(entry.ok_or_else(missing)?, change.value);
        }
        None => match shape.get_mut(change.key) {
            Some(item) => replace_number(item, change.value),
            None => drop(shape.insert(change.key, value(change.value))),
        },
    }
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<DocumentMut, TextError> {
    text.parse().map_err(|error: toml_edit::TomlError| TextError::Syntax(error.to_string()))
}

fn bodies(document: &mut DocumentMut) -> Result<&mut ArrayOfTables, TextError> {
    document.get_mut("body").and_then(Item::as_array_of_tables_mut).ok_or(TextError::InlineBodies)
}

fn name_of(table: &Table) -> Option<&str> {
    table.get("name").and_then(Item::as_str)
}

fn find<'a>(bodies: &'a ArrayOfTables, name: &str) -> Result<&'a Table, TextError> {
    bodies.iter().find(|table| name_of(table) == Some(name)).ok_or_else(|| TextError::NoBody(name.to_owned()))
}

fn position(table: &Table) -> [f64; 3] {
    let entries = table.get("position").and_then(Item::as_array);
    let number = |value: &Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
    [0, 1, 2].map(|k| entries.and_then(|entries| entries.get(k)).and_then(number).unwrap_or(0.0))
}

fn vector(entries: [f64; 3]) -> toml_edit::Array {
    entries.into_iter().collect()
}

/// The stem itself, or the stem with the first number that is not taken.
fn free_name(bodies: &ArrayOfTables, stem: &str) -> String {
    let taken = |name: &str| bodies.iter().any(|table| name_of(table) == Some(name));
    let numbered = (2..).map(|number| format!("{stem} {number}"));
    std::iter::once(stem.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

fn replace_value(item: &mut Item, text: &str) {
    if let Some(old) = item.as_value_mut() {
        let decor = old.decor().clone();
        *old = Value::from(text);
        *old.decor_mut() = decor;
    }
}

fn replace_number(item: &mut Item, number: f64) {
    if let Some(old) = item.as_value_mut() {
        replace_entry(old, number);
    }
}

fn replace_entry(old: &mut Value, number: f64) {
    let decor = old.decor().clone();
    *old = Value::from(number);
    *old.decor_mut() = decor;
}

/// Changes a name inside every string of a table: parameters, impacts, expressions.
fn rename_inside(table: &mut Table, old: &str, new: &str) {
    for (_, item) in table.iter_mut() {
        if let Some(value) = item.as_value_mut() {
            rename_in_value(value, old, new);
        }
    }
}

fn rename_in_value(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) => {
            let changed = replace_word(text.value(), old, new);
            if changed != *text.value() {
                let decor = text.decor().clone();
                *value = Value::from(changed);
                *value.decor_mut() = decor;
            }
        }
        Value::InlineTable(table) => table.iter_mut().for_each(|(_, value)| rename_in_value(value, old, new)),
        Value::Array(array) => array.iter_mut().for_each(|value| rename_in_value(value, old, new)),
        _ => {}
    }
}

/// Replaces a name where it stands on its own, not as a part of a longer one.
fn replace_word(text: &str, old: &str, new: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(old) {
        let before = out.chars().chain(rest[..at].chars()).next_back();
        let after = rest[at + old.len()..].chars().next();
        out.push_str(&rest[..at]);
        out.push_str(if is_word(before) || is_word(after) { old } else { new });
        rest = &rest[at + old.len()..];
    }
    out + rest
}

fn speaks_of(text: &str, name: &str) -> bool {
    replace_word(text, name, "") != text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::scene::Scene;

    const TEXT: &str = r#"# A scene to change.
format = 1
duration = 2.0 # seconds

[[body]]
name = "floor"
fixed = true
shape = { kind = "half_space", normal = [0, 1, 0] }

[[body]]
name = "egg" # the hero
shape = { kind = "ball", radius = 0.1 }
position = [0, 1, 0]

[[control]]
parameter = "egg/floor#1.normal"
free = true
"#;

    #[track_caller]
    fn check(text: &str) -> Scene {
        let scene = Scene::parse(text, "changed.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        Model::new(&scene).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        scene
    }

    #[test]
    fn a_copy_stands_beside_the_body() {
        let (text, name) = duplicate(TEXT, "egg", [0.5, 0.0, 0.0]).expect("a copy");
        let scene = check(&text);
        assert_eq!((name.as_str(), scene.bodies.len()), ("egg 2", 3));
        assert_eq!(scene.bodies[2].position.x, 0.5);
        assert!(text.contains("# the hero") && text.contains("# A scene to change."));
    }

    #[test]
    fn every_new_shape_is_a_scene() {
        for (_, shape) in NEW_SHAPES {
            let (text, name) = add(TEXT, shape, [0.0, 3.0, 0.0]).expect("a body");
            let scene = check(&text);
            assert_eq!(scene.bodies[2].name, name);
        }
    }

    #[test]
    fn removing_a_body_removes_what_speaks_of_it() {
        let text = remove(TEXT, "egg").expect("to be removed");
        let scene = check(&text);
        assert_eq!((scene.bodies.len(), scene.controls.len()), (1, 0));
        assert_eq!(remove(&text, "floor"), Err(TextError::LastBody("floor".to_owned())));
    }

    #[test]
    fn a_new_name_is_used_everywhere() {
        let text = rename(TEXT, "egg", "stone").expect("to be renamed");
        let scene = check(&text);
        assert_eq!(scene.controls[0].parameter, "stone/floor#1.normal");
        assert!(text.contains("name = \"stone\" # the hero"), "{text}");
        assert_eq!(rename(TEXT, "egg", "floor"), Err(TextError::NameTaken("floor".to_owned())));
        assert_eq!(replace_word("speed(egg) - speed(eggs)", "egg", "stone"), "speed(stone) - speed(eggs)");
    }

    #[test]
    fn sizes_of_shapes_are_changed_where_they_stand() {
        let size = |body: &str, key, index, value| SizeChange { body: body.to_owned(), key, index, value };
        let text = set_size(TEXT, &size("egg", "radius", None, 0.25)).expect("a radius");
        assert!(text.contains("{ kind = \"ball\", radius = 0.25 }"), "{text}");
        check(&text);
        let boxes = TEXT.replace("{ kind = \"ball\", radius = 0.1 }", "\"brick\"")
            + "[[shape]]\nname = \"brick\" # named\nkind = \"cuboid\"\nhalf_extents = [0.1, 0.2, 0.3]\n";
        let text = set_size(&boxes, &size("egg", "half_extents", Some(1), 0.5)).expect("a side");
        assert!(text.contains("half_extents = [0.1, 0.5, 0.3]") && text.contains("# named"), "{text}");
        check(&text);
        let wrong = set_size(TEXT, &size("egg", "half_extents", Some(1), 0.5));
        assert_eq!(wrong, Err(TextError::NoSize("egg".to_owned())));
    }

    #[test]
    fn a_field_keeps_its_comment() {
        let text = set_field(TEXT, "duration", 3.5).expect("to be set");
        assert!(text.contains("duration = 3.5 # seconds"), "{text}");
        assert_eq!(check(&text).duration, 3.5);
    }
}
