//! CSV: one table of states, and beside it `NAME.events.csv`, one of events.
//!
//! ```text
//! t,at,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz                          rows as in `states`
//! t,kind,first,second,number,grazing,x,y,z,nx,ny,nz,jx,jy,jz             one row per contact point
//! ```
//!
//! Metres, seconds, radians and N·s in the scene's axes; q is the orientation, w the spin, n points from the second body
//! to the first and the impulse j acts on the first. Numbers read back to the same f64. Names with commas or quotes are
//! quoted as usual; names that a spreadsheet would compute (`=1+1`) have an apostrophe in front, numbers never do.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use nalgebra::{Quaternion, Unit};
use serde_json::Value;

use super::keys::Sampling;
use super::states::{self, At, FileRow, Row};
use super::verify::FileMotion;
use super::{Encoded, ExportError, Motion, Progress, ReadError};
use crate::dynamics::BodyState;
use crate::math::Vec3;
use crate::simulation::Event;

/// What a cell begins with that a spreadsheet computes.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];
const STATES: &str = "t,at,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz";
const EVENTS: &str = "t,kind,first,second,number,grazing,x,y,z,nx,ny,nz,jx,jy,jz";

pub(super) fn encode(
    motion: &Motion,
    path: &Path,
    sampling: &Sampling,
    progress: Progress,
) -> Result<Encoded, ExportError> {
    let rows = states::rows(motion, sampling, progress)?;
    let (states, events) = (states_table(motion, &rows), events_table(motion));
    let files = vec![(path.to_owned(), states.into_bytes()), (events_path(path), events.into_bytes())];
    Ok(Encoded { files, keys: rows.len() })
}

/// `throw.csv` has its events in `throw.events.csv`.
pub(super) fn events_path(path: &Path) -> PathBuf {
    path.with_extension("events.csv")
}

fn states_table(motion: &Motion, rows: &[Row]) -> String {
    let names: Vec<String> = motion.bodies().map(|(body, _)| field(motion.name(body))).collect();
    let mut text = format!("{STATES}\n");
    for Row { t, at, body, state } in rows {
        let _ = write!(text, "{t:?},{},{}", at.as_str(), names[body.index()]);
        let BodyState { position, rotation, velocity, spin } = state;
        let numbers = position.iter().chain(rotation.coords.iter()).chain(velocity.iter()).chain(spin.iter());
        push_numbers(&mut text, numbers);
    }
    text
}

fn events_table(motion: &Motion) -> String {
    let mut text = format!("{EVENTS}\n");
    for event in &motion.trajectory.events {
        let Event { t, number, grazing, .. } = event;
        let (first, second) = (field(motion.name(event.first)), field(motion.name(event.second)));
        let start = format!("{t:?},{},{first},{second},{number},{grazing}", event.kind.as_str());
        if event.contacts.is_empty() {
            let _ = writeln!(text, "{start}{}", ",".repeat(9));
        }
        for contact in &event.contacts {
            text += &start;
            push_numbers(&mut text, contact.point.iter().chain(contact.normal.iter()).chain(contact.impulse.iter()));
        }
    }
    text
}

/// Ends a row. Rust's debug form of a number is the shortest that reads back.
fn push_numbers<'a>(text: &mut String, numbers: impl Iterator<Item = &'a f64>) {
    for number in numbers {
        let _ = write!(text, ",{number:?}");
    }
    text.push('\n');
}

/// A name as a cell: quoted where a table needs it, and with an apostrophe where a spreadsheet would take it for a formula.
/// No name has an apostrophe of its own.
fn field(text: &str) -> String {
    let text = &if text.starts_with(FORMULA) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.clone()
    }
}

/// The name in a cell.
fn name(field: &str) -> &str {
    field.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA)).unwrap_or(field)
}

pub(super) fn read(path: &Path, bytes: &[u8], beside: Option<&[u8]>) -> Result<FileMotion, ReadError> {
    let malformed = |what: String| ReadError::Malformed { path: path.to_owned(), what };
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("this is no text".to_owned()))?;
    let mut records = Records { rest: text.trim_start_matches('\u{feff}'), line: 0 };
    let header = records.next().map(|(_, fields)| fields.join(","));
    if header.as_deref() != Some(STATES) {
        return Err(malformed(format!("line 1 is not the header of a table of states: {STATES}")));
    }
    let rows = records.map(|(line, fields)| {
        row(&fields).ok_or_else(|| malformed(format!("line {line} is no row of a table of states: {STATES}")))
    });
    let rows: Vec<FileRow> = rows.collect::<Result<_, _>>()?;
    let mut content = serde_json::json!({ "rows": states::listed(&rows) });
    if let Some(bytes) = beside {
        content["events"] = events(bytes).map_err(|what| ReadError::Malformed { path: events_path(path), what })?;
    }
    let fps = states::frame_rate(&rows);
    Ok(FileMotion { content, fps, ..states::motion_of(rows, None) })
}

/// The table of events, with its numbers as numbers.
fn events(bytes: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "this is no text".to_owned())?;
    let records = Records { rest: text.trim_start_matches('\u{feff}'), line: 0 };
    let value = |field: String| field.parse::<f64>().map_or_else(|_| name(&field).into(), Value::from);
    let rows = records.map(|(_, fields)| Value::Array(fields.into_iter().map(value).collect()));
    Ok(Value::Array(rows.collect()))
}

fn row(fields: &[String]) -> Option<FileRow> {
    let number = |index: usize| fields.get(index)?.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let vector = |first: usize| Some(Vec3::new(number(first)?, number(first + 1)?, number(first + 2)?));
    if fields.len() != STATES.split(',').count() {
        return None;
    }
    let turn = Quaternion::new(number(9)?, number(6)?, number(7)?, number(8)?);
    let state = BodyState {
        position: vector(3)?,
        rotation: Unit::try_new(turn, 1e-30)?,
        velocity: vector(10)?,
        spin: vector(13)?,
    };
    Some(FileRow { t: number(0)?, at: At::parse(fields[1].trim())?, body: name(&fields[2]).to_owned(), state })
}

/// Reads records with quoted fields, which may span lines.
struct Records<'a> {
    rest: &'a str,
    line: usize,
}

impl Iterator for Records<'_> {
    type Item = (usize, Vec<String>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, mut fields, mut quoted, mut used) = (self.line + 1, vec![String::new()], false, 0);
        let mut letters = self.rest.chars().peekable();
        while let Some(letter) = letters.next() {
            used += letter.len_utf8();
            self.line += usize::from(letter == '\n');
            let last = fields.len() - 1;
            match letter {
                '"' if quoted && letters.peek() == Some(&'"') => {
                    used += 1;
                    letters.next();
                    fields[last].push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                '\n' if !quoted => break,
                '\r' if !quoted => {}
                other => fields[last].push(other),
            }
        }
        self.rest = &self.rest[used..];
        Some((line, fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_whatever_they_hold() {
        let names = ["box", "a, b", "the \"egg\"", " spaces ", "two\nlines", "ünï", ""];
        let line: Vec<String> = names.iter().map(|name| field(name)).collect();
        let text = format!("{}\r\nnext,1\n", line.join(","));
        let mut records = Records { rest: &text, line: 0 };
        assert_eq!(records.next(), Some((1, names.map(str::to_owned).to_vec())));
        assert_eq!(records.next(), Some((3, vec!["next".to_owned(), "1".to_owned()])));
        assert_eq!(records.next(), None);
    }

    #[test]
    fn broken_tables_are_refused_with_the_line() {
        let good = format!("{STATES}\n0.0,frame,egg,0,0,0,0,0,0,1,0,0,0,0,0,0\n");
        let refusal = |text: &str| read(Path::new("a.csv"), text.as_bytes(), None).unwrap_err().to_string();
        assert_eq!(read(Path::new("a.csv"), good.as_bytes(), None).unwrap().bodies.len(), 1);
        for (old, new) in
            [("egg", "egg,0"), ("frame", "sometime"), ("0.0,", "NaN,"), ("0,0,0,1,", "0,0,0,0,"), ("0.0", "x")]
        {
            let broken = good.replacen(old, new, 1);
            assert!(refusal(&broken).contains("line 2"), "{broken}: {}", refusal(&broken));
        }
        assert!(refusal("").contains("line 1") && refusal("a,b").contains("line 1"));
        assert!(read(Path::new("a.csv"), &[0xff, 0xfe], None).is_err());
    }
}
