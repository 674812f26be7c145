//! No two files of a room need each other, neither directly nor through others: a room can be read from below.
//!
//! Found in the text: every path that begins with the room, with `super`, `self` or a folder's own part leads to a file;
//! through what a `mod.rs` passes on (`pub use`) it leads to the file that has it. A folder that names its parts does not
//! depend on them; one that uses a part does. Tests may use what they like.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{files, none};

/// Rooms that have no circles.
const ROOMS: &[&str] = &[
    "math",
    "geometry",
    "files",
    "dynamics",
    "model",
    "contact",
    "simulation",
    "sensitivity",
    "solve",
    "session",
    "picture",
    "editor",
];

/// A module's place in its room: empty for the room itself.
type Module = Vec<String>;

/// What is known of a room's files.
#[derive(Default)]
struct Room {
    name: String,
    /// Code without comments, tests, and what is passed on.
    code: BTreeMap<Module, String>,
    /// What a module passes on: the name, and the path it is passed on from.
    passed_on: BTreeMap<Module, Vec<(String, Module)>>,
}

impl Room {
    fn new(name: &str, texts: impl IntoIterator<Item = (Module, String)>) -> Room {
        let mut room = Room { name: name.to_owned(), ..Room::default() };
        let texts: Vec<(Module, String)> = texts.into_iter().collect();
        // Which modules there are must be known before paths can be read.
        room.code.extend(texts.iter().map(|(module, _)| (module.clone(), String::new())));
        for (module, text) in texts {
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let (own, passed_on) = without_passing_on(&code);
            let paths = paths(&passed_on).into_iter().filter_map(|path| {
                let name = path.last()?.clone();
                Some((name, room.absolute(&module, &path)?))
            });
            let paths = paths.collect();
            room.passed_on.insert(module.clone(), paths);
            room.code.insert(module, own);
        }
        room
    }

    /// A path as it is seen from the room; `None` where it leads out of it.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Module> {
        let mut place = from.clone();
        let mut rest = path;
        match rest[0].as_str() {
            "crate" => {
                rest = rest.strip_prefix(&["crate".to_owned(), self.name.clone()])?;
                place.clear();
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    place.pop()?;
                    rest = &rest[1..];
                }
            }
            part => {
                let child: Module = place.iter().cloned().chain([part.to_owned()]).collect();
                self.code.get(&child)?;
            }
        }
        place.extend(rest.iter().cloned());
        Some(place)
    }

    /// The file that a path leads to.
    fn file(&self, mut path: Module) -> Option<Module> {
        // What is passed on may be passed on again, but not without end.
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|length| self.code.contains_key(&path[..*length]))?;
            let module = path[..length].to_vec();
            let passed = path.get(length).and_then(|name| {
                let (_, to) = self.passed_on.get(&module)?.iter().find(|(known, _)| known == name)?;
                Some(to.iter().chain(&path[length + 1..]).cloned().collect())
            });
            match passed {
                Some(to) => path = to,
                None => return Some(module),
            }
        }
        None
    }

    /// Which file needs which others.
    fn needs(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let mut needs = BTreeMap::new();
        for (module, code) in &self.code {
            let found = paths(code).into_iter().filter_map(|path| self.file(self.absolute(module, &path)?));
            needs.insert(module.clone(), found.filter(|other| other != module).collect());
        }
        needs
    }

    /// Files on circles, with what they need of each other.
    fn circles(&self) -> Vec<String> {
        let needs = self.needs();
        let shown = |module: &Module| [std::slice::from_ref(&self.name), module].concat().join("/");
        let mut lines = Vec::new();
        for (module, others) in &needs {
            let circle = others.iter().filter(|other| below(&needs, other).contains(module));
            let circle: Vec<String> = circle.map(shown).collect();
            if !circle.is_empty() {
                lines.push(format!("{} needs {}", shown(module), circle.join(", ")));
            }
        }
        lines
    }
}

/// All that a file needs, itself and through others.
fn below(needs: &BTreeMap<Module, BTreeSet<Module>>, module: &Module) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![module];
    while let Some(next) = waiting.pop() {
        waiting.extend(needs[next].iter().filter(|other| found.insert((*other).clone())));
    }
    found
}

/// Divides `pub use …;` from the rest of a text.
fn without_passing_on(code: &[&str]) -> (String, String) {
    let (mut own, mut passed_on) = (String::new(), String::new());
    let mut inside = false;
    for line in code {
        let start = line.trim_start();
        inside |= start.starts_with("pub use ") || (start.starts_with("pub(") && start.contains(") use "));
        let side = if inside { &mut passed_on } else { &mut own };
        side.push_str(line);
        side.push('\n');
        inside &= !line.contains(';');
    }
    (own, passed_on)
}

/// All paths of two parts or more, those in braces each for itself.
fn paths(code: &str) -> Vec<Module> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        rest = path(&rest[start..], &[], &mut found);
    }
    found
}

/// Reads the path at the start of a text and returns what is behind it.
fn path<'a>(text: &'a str, before: &[String], found: &mut Vec<Module>) -> &'a str {
    let mut parts = before.to_vec();
    let mut rest = text;
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        parts.push(rest[..end].to_owned());
        rest = &rest[end..];
        let Some(next) = rest.strip_prefix("::") else { break };
        if let Some(mut group) = next.strip_prefix('{') {
            loop {
                group = group.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
                if group.is_empty() || group.starts_with('}') {
                    return group.strip_prefix('}').unwrap_or_default();
                }
                group = path(group, &parts, found);
                // Behind it may stand another name for it.
                let end = group.find([',', '}']).unwrap_or(group.len());
                group = &group[end..];
            }
        }
        if !next.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            break;
        }
        rest = next;
    }
    if parts.len() > 1 {
        found.push(parts);
    }
    rest
}

/// Where a file stands in its room: `held` of `drag/held.rs`, `drag` of `drag/mod.rs`.
fn module(inside: &str) -> Module {
    let bare = inside.trim_end_matches(".rs");
    let parts = bare.split('/').map(str::to_owned).filter(|part| part != "mod");
    parts.collect()
}

#[test]
fn no_files_depend_on_each_other_in_a_circle() {
    let mut faults = Vec::new();
    for room in ROOMS {
        let folder = format!("src/{room}");
        let sources = files(&[&folder], &["rs"]).into_iter().filter(|file| !file.is_test());
        let texts = sources.map(|file| (module(&file.path[folder.len() + 1..]), file.text));
        faults.extend(Room::new(room, texts).circles());
    }
    none("files that need each other in a circle", &faults);
}

/// A room of made-up files.
fn circles(texts: &[(&str, &str)]) -> Vec<String> {
    Room::new("zoo", texts.iter().map(|(path, text)| (module(path), (*text).to_owned()))).circles()
}

#[test]
fn circles_are_found() {
    let keeper = ("keeper.rs", "use super::cage::Cage;");
    let needing = |text| circles(&[keeper, ("mod.rs", "mod cage;\nmod keeper;\npub use keeper::{Keeper, Key};"), text]);
    assert_eq!(needing(("cage.rs", "struct Cage;")), [""; 0]);
    let circle = ["zoo/cage needs zoo/keeper", "zoo/keeper needs zoo/cage"];
    for text in [
        "use super::keeper::Keeper;",
        "use crate::zoo::{keeper::{self, Key}, other};",
        "fn open(key: crate::zoo::Key) {}",
        "use super::{\n    Keeper,\n    gate,\n};",
    ] {
        assert_eq!(needing(("cage.rs", text)), circle, "{text}");
    }
    for text in
        ["// super::keeper", "\n#[cfg(test)]\nmod tests {\n    use super::super::keeper::Key;\n}", "use crate::keeper;"]
    {
        assert_eq!(needing(("cage.rs", text)), [""; 0], "{text}");
    }
    let folder = ("cage/mod.rs", "mod door;\nuse door::Door;\npub const WIDE: u32 = 2;");
    assert_eq!(circles(&[folder, ("cage/door.rs", "use super::WIDE;")]).len(), 2, "a folder that uses its part");
}
