//! Rows of whole states, for formats that are tables: CSV and JSON.
//!
//! Each row is one body at one time on one side of it. Bodies have rows at every frame and where a step between rows would
//! be too long (`keys`); at an instant where something happens to it a body has two rows, before and after. A body that
//! never moves has one row. Reading back, places and orientations between rows are cubics with the rows' velocities.

use nalgebra::Isometry3;

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

/// The curves that rows describe; bodies in the order in which they first appear.
pub fn motion_of(rows: Vec<FileRow>, fingerprint: Option<String>) -> FileMotion {
    let mut bodies: Vec<FileBody> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
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
    FileMotion { bodies, fingerprint, fps: None, cubic: true, content: serde_json::Value::Null }
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
