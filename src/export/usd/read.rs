//! Reading a `.usda` back: as much of USD's text as `export` writes.
//!
//! ```text
//! layer = (metadata)? prim*        prim = def Type "name" (metadata)? { (prim | attribute)* }
//! attribute = word+ = value (metadata)?        value = number | string | <path> | word | (…) | […] | {…}
//! ```
//!
//! References, variants, other operations than translate and orient and other interpolations are not understood; a file
//! that has them is refused with its line.

use std::path::Path;

use nalgebra::{Isometry3, Quaternion, SVector, Unit};

use super::super::ReadError;
use super::super::curve::{Curve, Joining, Knot, Turn};
use super::super::keys::Interpolation;
use super::super::marks::compare::FileMark;
use super::super::verify::{FileBody, FileMotion};
use super::content::content;
use super::marks::MACHINE;
use crate::math::Rotation;

/// Prims and values nest no deeper than this in any file of ours.
const DEEPEST: u32 = 16;

pub type Fault = String;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text(String),
    List(Vec<Value>),
    /// Samples by time code, or entries by name.
    Samples(Vec<(f64, Value)>),
    Entries(Entries),
}

/// `type name = value (metadata)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The words before the name.
    pub kind: String,
    pub name: String,
    pub value: Value,
    pub metadata: Entries,
}

/// In the order of the file.
pub type Entries = Vec<Entry>;

pub struct Layer {
    pub metadata: Entries,
    pub prims: Vec<Prim>,
}

pub struct Prim {
    pub kind: String,
    pub name: String,
    pub metadata: Entries,
    pub attributes: Entries,
    pub children: Vec<Prim>,
}

pub fn read(path: &Path, bytes: &[u8]) -> Result<FileMotion, ReadError> {
    let malformed = |what: Fault| ReadError::Malformed { path: path.to_owned(), what };
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("this is no text".to_owned()))?;
    if !text.starts_with("#usda 1.0") {
        return Err(malformed("this is no USD text: line 1 is not #usda 1.0".to_owned()));
    }
    let mut parser = Parser { text, at: 0 };
    let found = parser.layer().map_err(|what| malformed(format!("line {}: {what}", parser.line())))?;
    motion(&found).map_err(malformed)
}

fn motion(layer: &Layer) -> Result<FileMotion, Fault> {
    let Layer { metadata, prims } = layer;
    let number = |name: &str| entry(metadata, name).and_then(Value::number);
    let rate = number("timeCodesPerSecond").filter(|rate| *rate > 0.0).ok_or("no timeCodesPerSecond".to_owned())?;
    let up = entry(metadata, "upAxis");
    if number("metersPerUnit") != Some(1.0) || up != Some(&Value::Text("Y".to_owned())) {
        return Err("not in metres with Y up".to_owned());
    }
    let root = prims.first().ok_or("no prim".to_owned())?;
    let turn = entry(&root.attributes, "xformOp:orient").map_or(Some(Rotation::identity()), Value::rotation);
    let parent = Isometry3::from_parts(Default::default(), turn.ok_or("the root has no rotation".to_owned())?);
    let moves = |prim: &&Prim| entry(&prim.attributes, "xformOpOrder").is_some();
    let bodies = root.children.iter().filter(moves).map(|prim| body(prim, rate, parent));
    let fingerprint = match entry(metadata, "customLayerData") {
        Some(Value::Entries(entries)) => entry(entries, "fingerprint").and_then(Value::text).map(str::to_owned),
        _ => None,
    };
    let bodies = bodies.collect::<Result<_, _>>()?;
    let machine = root.children.iter().find(|prim| prim.name == MACHINE && !moves(prim));
    let marks = machine.map(|prim| &prim.children[..]).unwrap_or_default().iter().map(|prim| mark(prim, rate));
    let left_out = match entry(metadata, "customLayerData") {
        Some(Value::Entries(entries)) => entry(entries, "marks").and_then(Value::number) == Some(0.0),
        _ => false,
    };
    Ok(FileMotion {
        bodies,
        fingerprint,
        fps: Some(rate),
        cubic: false,
        marks: marks.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
        left_out,
        content: content(layer)?,
    })
}

/// A mark that has samples; the others are content.
fn mark(prim: &Prim, rate: f64) -> Result<Option<FileMark>, Fault> {
    let name = entry(&prim.metadata, "displayName").and_then(Value::text).unwrap_or(&prim.name).to_owned();
    let samples = ["translate", "orient", "scale"].map(|op| format!("xformOp:{op}.timeSamples"));
    if samples.iter().all(|sampled| entry(&prim.attributes, sampled).is_none()) {
        return Ok(None);
    }
    let fault = |what: &str| format!("{name}: no {what}");
    let place = curve::<3>(prim, "xformOp:translate", rate).ok_or_else(|| fault("place"))?;
    let turn = orientations(prim, rate).ok_or_else(|| fault("orientation"))?;
    let scale = curve::<3>(prim, "xformOp:scale", rate).ok_or_else(|| fault("scale"))?;
    Ok(Some(FileMark { name, place, turn, scale }))
}

fn orientations(prim: &Prim, rate: f64) -> Option<Turn> {
    let turn = curve::<4>(prim, "xformOp:orient", rate)?;
    // USD writes the real part first, curves have it last.
    let coords =
        |knot: &Knot<4>| Knot::still(knot.t, SVector::from([knot.value.y, knot.value.z, knot.value.w, knot.value.x]));
    Some(Turn::continuous(turn.knots.iter().map(coords), Interpolation::Linear))
}

fn body(prim: &Prim, rate: f64, parent: Isometry3<f64>) -> Result<FileBody, Fault> {
    let shown = entry(&prim.metadata, "displayName").and_then(Value::text).unwrap_or(&prim.name);
    let order = ["xformOp:translate", "xformOp:orient"].map(|op| Value::Text(op.to_owned())).to_vec();
    if entry(&prim.attributes, "xformOpOrder") != Some(&Value::List(order)) {
        return Err(format!("{shown}: other operations than translate and orient"));
    }
    let fault = |what: &str| format!("{shown}: no {what}");
    let place = curve::<3>(prim, "xformOp:translate", rate).ok_or_else(|| fault("place"))?;
    let turn = orientations(prim, rate).ok_or_else(|| fault("orientation"))?;
    Ok(FileBody { name: shown.to_owned(), parent, carriers: vec![], place, turn })
}

fn curve<const N: usize>(prim: &Prim, name: &str, rate: f64) -> Option<Curve<N>> {
    let knot = |t: f64, value: &Value| Some(Knot::still(t, SVector::from(value.tuple::<N>()?)));
    let sampled = entry(&prim.attributes, &format!("{name}.timeSamples"));
    let knots = match (sampled, entry(&prim.attributes, name)) {
        (Some(Value::Samples(samples)), _) => samples.iter().map(|(t, value)| knot(t / rate, value)).collect(),
        (None, Some(value)) => knot(0.0, value).map(|knot| vec![knot]),
        _ => None,
    };
    Some(Curve { joining: Joining::Linear, knots: knots? })
}

fn entry<'a>(entries: &'a [Entry], name: &str) -> Option<&'a Value> {
    entries.iter().find(|entry| entry.name == name).map(|entry| &entry.value)
}

impl Value {
    fn number(&self) -> Option<f64> {
        if let Value::Number(number) = self { Some(*number) } else { None }
    }

    fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    fn tuple<const N: usize>(&self) -> Option<[f64; N]> {
        let Value::List(items) = self else { return None };
        let numbers: Option<Vec<f64>> = items.iter().map(Value::number).collect();
        numbers?.try_into().ok()
    }

    fn rotation(&self) -> Option<Rotation> {
        let [w, x, y, z] = self.tuple()?;
        Unit::try_new(Quaternion::new(w, x, y, z), 1e-6)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    /// The rest, without blanks and comments.
    fn rest(&mut self) -> &'a str {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            let skipped = if trimmed.starts_with('#') { trimmed.find('\n').unwrap_or(trimmed.len()) } else { 0 };
            self.at += rest.len() - trimmed.len() + skipped;
            if skipped == 0 {
                return trimmed;
            }
        }
    }

    fn take(&mut self, mark: char) -> bool {
        let found = self.rest().starts_with(mark);
        self.at += usize::from(found) * mark.len_utf8();
        found
    }

    fn need(&mut self, mark: char) -> Result<(), Fault> {
        if self.take(mark) { Ok(()) } else { Err(format!("{mark} is missing")) }
    }

    /// A run of letters that satisfy a rule; empty where there is none.
    fn run(&mut self, rule: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !rule(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A name with namespaces: `xformOp:translate.timeSamples`.
    fn word(&mut self) -> &'a str {
        self.run(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'))
    }

    fn layer(&mut self) -> Result<Layer, Fault> {
        let metadata = if self.take('(') { self.entries(')', DEEPEST)? } else { Vec::new() };
        let mut prims = Vec::new();
        while !self.rest().is_empty() {
            if self.word() != "def" {
                return Err("only definitions are understood".to_owned());
            }
            prims.push(self.prim(DEEPEST)?);
        }
        Ok(Layer { metadata, prims })
    }

    /// After `def`.
    fn prim(&mut self, depth: u32) -> Result<Prim, Fault> {
        let depth = depth.checked_sub(1).ok_or("too deep".to_owned())?;
        let kind = self.word().to_owned();
        let name = self.string()?;
        let metadata = if self.take('(') { self.entries(')', depth)? } else { Vec::new() };
        let (mut attributes, mut children) = (Vec::new(), Vec::new());
        self.need('{')?;
        while !self.take('}') {
            let before = self.at;
            if self.word() == "def" {
                children.push(self.prim(depth)?);
            } else {
                self.at = before;
                let mut attribute = self.assignment(depth)?;
                if self.take('(') {
                    attribute.metadata = self.entries(')', depth)?;
                }
                attributes.push(attribute);
            }
        }
        Ok(Prim { kind, name, metadata, attributes, children })
    }

    /// Assignments up to a closing mark.
    fn entries(&mut self, end: char, depth: u32) -> Result<Entries, Fault> {
        let mut entries = Vec::new();
        while !self.take(end) {
            entries.push(self.assignment(depth)?);
        }
        Ok(entries)
    }

    /// `type name = value`; the last word is the name.
    fn assignment(&mut self, depth: u32) -> Result<Entry, Fault> {
        let mut words = Vec::new();
        while !self.take('=') {
            let word = self.word();
            if word.is_empty() && !(self.take('[') && self.take(']')) {
                return Err("an assignment is expected".to_owned());
            }
            words.push(if word.is_empty() { "[]" } else { word });
        }
        let last = words.iter().rposition(|word| *word != "[]").ok_or("a name is expected".to_owned())?;
        let name = words.remove(last).to_owned();
        Ok(Entry { kind: words.join(" "), name, value: self.value(depth)?, metadata: Vec::new() })
    }

    fn value(&mut self, depth: u32) -> Result<Value, Fault> {
        let depth = depth.checked_sub(1).ok_or("too deep".to_owned())?;
        match self.rest().chars().next() {
            Some('"') => self.string().map(Value::Text),
            Some('(') => self.list('(', ')', depth),
            Some('[') => self.list('[', ']', depth),
            Some('{') => self.braces(depth),
            Some('<') => {
                self.take('<');
                let path = self.run(|c| c != '>').to_owned();
                self.need('>')?;
                Ok(Value::Text(path))
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number().map(Value::Number),
            _ => match self.word() {
                "" => Err("a value is expected".to_owned()),
                word => Ok(Value::Text(word.to_owned())),
            },
        }
    }

    fn number(&mut self) -> Result<f64, Fault> {
        let digits = self.run(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E'));
        let number = digits.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| format!("\"{digits}\" is no number"))
    }

    fn list(&mut self, start: char, end: char, depth: u32) -> Result<Value, Fault> {
        self.need(start)?;
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.value(depth)?);
            if !self.take(',') {
                self.need(end)?;
                break;
            }
        }
        Ok(Value::List(items))
    }

    /// Samples `code: value,` or entries `type name = value`.
    fn braces(&mut self, depth: u32) -> Result<Value, Fault> {
        self.need('{')?;
        if !self.rest().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
            return self.entries('}', depth).map(Value::Entries);
        }
        let mut samples = Vec::new();
        while !self.take('}') {
            let t = self.number()?;
            self.need(':')?;
            samples.push((t, self.value(depth)?));
            if !self.take(',') {
                self.need('}')?;
                break;
            }
        }
        Ok(Value::Samples(samples))
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.need('"')?;
        let mut text = String::new();
        let mut letters = self.text[self.at..].char_indices();
        while let Some((place, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += place + 1;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err("a text without end".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_whatever_they_hold() {
        for text in ["box 1", "the \"egg\"", "back\\slash\\", "two\nlines", "ü # =", ""] {
            let quoted = super::super::quoted(text);
            assert_eq!(Parser { text: &quoted, at: 0 }.string().as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        let good = "#usda 1.0\n(\n timeCodesPerSecond = 60\n metersPerUnit = 1\n upAxis = \"Y\"\n)\ndef Xform \"Motion\"\n{\n}\n";
        let path = Path::new("a.usda");
        assert!(read(path, good.as_bytes()).unwrap().bodies.is_empty());
        for (old, new, says) in [
            ("def", "over", "line 7"),
            ("= 60", "= sixty", "timeCodesPerSecond"),
            ("upAxis = \"Y\"", "upAxis = \"Z\"", "Y up"),
            ("{", "", "{ is missing"),
            ("\"Motion\"", "\"Motion", "without end"),
            ("}", "", "assignment"),
            ("#usda", "#usdz", "no USD"),
        ] {
            let error = read(path, good.replace(old, new).as_bytes()).unwrap_err().to_string();
            assert!(error.contains(says), "{new:?}: {error}");
        }
        let deep = format!("#usda 1.0\n(\n a = {}\n", "(".repeat(100_000));
        assert!(read(path, deep.as_bytes()).unwrap_err().to_string().contains("too deep"));
    }
}
