//! Rows of whole states, for formats that are tables: CSV and JSON.
//!
//! Each row is one body at one time on one side of it. Bodies have rows at every frame and where a step between rows would
//! be too long (`keys`); at an instant where something happens to it a body has two rows, before and after. A body that
//! never moves has one row. Reading back, places and orientations between rows are cubics with the rows' velocities.

use std::collections::BTreeMap;

use nalgebra::Isometry3;
use serde_json::Value;

use super::curve::{Joining, Knot, Place, Turn};
use super::keys::{self, Key, Reason, Sampling};
use super::verify::{FileBody, FileMotion};
use super::{ExportError, Motion, Progress, tell};
use crate::dynamics::BodyState;
use crate::model::BodyId;

/// Which side of its time a row is on, and why it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// Just before an instant.
    Before,
    /// A frame, the start or the end.
    Frame,
    /// A step would be too long without it.
    Between,
    /// Just after an instant.
    After,
}

impl At {
    /// All of them.
    const ALL: [At; 4] = [At::Before, At::Frame, At::Between, At::After];

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            At::Before => "before",
            At::Frame => "frame",
            At::Between => "between",
            At::After => "after",
        }
    }

    /// Of a word in a file.
    pub fn parse(word: &str) -> Option<At> {
        At::ALL.into_iter().find(|at| at.as_str() == word)
    }
}

/// One body at one time, on one side of it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// s.
    pub t: f64,
    /// Which side.
    pub at: At,
    /// Whose.
    pub body: BodyId,
    /// Its state.
    pub state: BodyState,
}

/// All rows of a motion, in order of time, side and body.
pub fn rows(motion: &Motion, sampling: &Sampling, progress: Progress) -> Result<Vec<Row>, ExportError> {
    let mut rows = Vec::new();
    for (body, path) in motion.bodies() {
        let row = |key: &Key, at: At| Row {
            t: key.t,
            at,
            body,
            state: if at == At::Before { key.before } else { key.after },
        };
        for key in keys::select_states(path, sampling) {
            match key.reason {
                Reason::Frame => rows.push(row(&key, At::Frame)),
                Reason::Between => rows.push(row(&key, At::Between)),
                Reason::Instant => rows.extend([row(&key, At::Before), row(&key, At::After)]),
            }
        }
        tell(progress, body, motion)?;
    }
    rows.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.at.cmp(&b.at)).then(a.body.cmp(&b.body)));
    Ok(rows)
}

/// A row read from a file.
#[derive(Clone, Debug)]
pub struct FileRow {
    /// s.
    pub t: f64,
    /// Which side.
    pub at: At,
    /// Whose.
    pub body: String,
    /// Its state.
    pub state: BodyState,
}

/// Which rows a table has: for each body the times of each side. A row that was taken out shows here, though the curve
/// through the others may well be the same.
pub fn listed(rows: &[FileRow]) -> Value {
    let mut listed: BTreeMap<&str, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    for row in rows {
        listed.entry(&row.body).or_default().entry(row.at.as_str()).or_default().push(row.t);
    }
    serde_json::json!(listed)
}

/// Frames a second of a table that does not say: the least step between frames, of which the last may be cut short. None
/// where there are too few.
pub fn frame_rate(rows: &[FileRow]) -> Option<f64> {
    let mut times: Vec<f64> = rows.iter().filter(|row| row.at == At::Frame).map(|row| row.t).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let whole = if times.len() > 2 { &times[..times.len() - 1] } else { &times[..] };
    let step = whole.windows(2).map(|pair| pair[1] - pair[0]).min_by(f64::total_cmp)?;
    let last = *whole.last()?;
    // The last frame counts them all, so that its rounding is divided by their number.
    let rate = (last / step).round() / last;
    let near = rate.round();
    Some(if (rate - near).abs() < 1e-9 * rate { near } else { rate }).filter(|rate| rate.is_finite())
}

/// The curves that rows describe; bodies in the order in which they first appear.
pub fn motion_of(rows: Vec<FileRow>, fingerprint: Option<String>) -> FileMotion {
    let mut bodies: Vec<FileBody> = Vec::new();
    let mut places = BTreeMap::new();
    for row in rows {
        let place = *places.entry(row.body.clone()).or_insert_with(|| {
            bodies.push(empty(&row.body));
            bodies.len() - 1
        });
        let body = &mut bodies[place];
        let key = Key { t: row.t, reason: Reason::Frame, before: row.state, after: row.state };
        let (place, turn) = (Knot::place(&key), Knot::turn(&key));
        match (row.at, body.place.knots.last_mut(), body.turn.knots.last_mut()) {
            // The second side of an instant: the value and the rate from there on.
            (At::After, Some(last_place), Some(last_turn)) if last_place.t == row.t => {
                let turn = turn.beside(&last_turn.value);
                *last_place = Knot { rates: [last_place.rates[0], place.rates[1]], ..place };
                *last_turn = Knot { rates: [last_turn.rates[0], turn.rates[1]], ..turn };
            }
            (_, _, last) => {
                let turn = last.map_or(turn, |last| turn.beside(&last.value));
                body.place.knots.push(place);
                body.turn.knots.push(turn);
            }
        }
    }
    FileMotion { bodies, fingerprint, fps: None, cubic: true, marks: Vec::new(), left_out: false, content: Value::Null }
}

fn empty(name: &str) -> FileBody {
    let joining = Joining::Cubic;
    FileBody {
        name: name.to_owned(),
        parent: Isometry3::identity(),
        carriers: vec![],
        place: Place { joining, knots: vec![] },
        turn: Turn { joining, knots: vec![] },
    }
}
