//! Where in the file each field stands.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::files::Reach;

/// A scene file's path and text, and the place of every field that was read.
#[derive(Clone, Debug)]
pub struct Source {
    path: Arc<str>,
    text: Arc<str>,
    /// Byte ranges of values, by key such as `body[0].shape.radius`.
    spans: Arc<BTreeMap<String, Range<usize>>>,
    /// Where the files that it names may be.
    reach: Reach,
}

/// A line and column of a text, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into(), spans: Arc::default(), reach: Reach::default() }
    }

    pub(super) fn reaching(self, reach: Reach) -> Source {
        Source { reach, ..self }
    }

    pub(super) fn set_spans(&mut self, spans: BTreeMap<String, Range<usize>>) {
        self.spans = Arc::new(spans);
    }

    /// The path as messages show it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the files that it names may be; what is read in its place may name no others.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The place of a field; of the table around it where the field itself is not written.
    pub fn place(&self, key: &str) -> Option<Place> {
        let mut key = key;
        loop {
            if let Some(span) = self.spans.get(key) {
                return Some(Place::of(&self.text, span.start));
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    /// A message with the place of a field in front: `scenes/eggs.toml:12:9: …`.
    pub fn message(&self, key: &str, message: impl fmt::Display) -> String {
        match self.place(key) {
            Some(Place { line, column }) => format!("{}:{line}:{column}: {message}", self.path),
            None => format!("{}: {message}", self.path),
        }
    }
}

impl Place {
    pub(super) fn of(text: &str, offset: usize) -> Place {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        let bounded = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place { line: bounded(line), column: bounded(column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let place = |offset| (Place::of("aé\nb", offset).line, Place::of("aé\nb", offset).column);
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(2), (1, 2), "inside a character");
        assert_eq!(place(3), (1, 3));
        assert_eq!(place(4), (2, 1));
        assert_eq!(place(99), (2, 2));
    }

    #[test]
    fn a_key_that_is_not_written_has_the_place_of_its_table() {
        let mut source = Source::new("a.toml", "x\ny");
        source.set_spans(BTreeMap::from([("body[0]".to_owned(), 2..3)]));
        assert_eq!(source.place("body[0].shape.radius"), Some(Place { line: 2, column: 1 }));
        assert_eq!(source.place("gravity"), None);
        assert_eq!(source.message("body[0].mass", "too big"), "a.toml:2:1: too big");
        assert_eq!(source.message("gravity", "too big"), "a.toml: too big");
    }
}
