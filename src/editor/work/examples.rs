//! The scenes that are part of the program, in the order in which the gallery shows them.

/// One example.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The file's name without its ending.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(Example { name: $name, text: include_str!(concat!("../../../scenes/", $name, ".toml")) }),*]
    };
}

/// All of them, in the order of the gallery.
pub const EXAMPLES: &[Example] = examples![
    "eggs",
    "hat",
    "mug",
    "plank",
    "scissors",
    "dice",
    "particle",
    "parabola",
    "bounce",
    "tumble",
    "billiards",
    "two_cushions",
    "cradle",
    "incline",
    "coin",
    "stack",
    "dominoes",
    "pendulum",
    "double_pendulum",
    "triple_pendulum",
    "bead",
    "reel",
    "pulled_spring",
    "bell",
    "space_station"
];

/// Title of a scene's text, without reading the rest.
pub fn title(text: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix("title = \""));
    line.and_then(|rest| rest.strip_suffix('"')).unwrap_or("Untitled").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_scene_is_an_example() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let entries =
            std::fs::read_dir(folder).expect("the folder of scenes").map(|entry| entry.expect("an entry").path());
        for path in entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            assert!(EXAMPLES.iter().any(|example| example.name == name), "{name} is not in the gallery");
        }
    }

    #[test]
    fn every_example_has_a_title() {
        for example in EXAMPLES {
            assert_ne!(title(example.text), "Untitled", "{}", example.name);
        }
    }
}
