//! Reading a number or vector that stays, or follows a track: `0.3`, `[0, 1, 0]`, `{ track = "lift" }`.

use super::super::{Given, MachineProblem, Track, TrackSize};
use super::{Named, report_unknown};
use crate::math::Vec3;
use crate::scene::limits::Allowed;
use crate::scene::reader::Fields;

const TRACK: &str = "the name of a track, as in { track = \"lift\" }";

/// A number; absent where the field is.
pub(super) fn number(fields: &mut Fields, field: &str, allowed: Allowed, tracks: &Named<Track>) -> Option<Given<f64>> {
    match track(fields, field, TrackSize::Number, allowed, tracks) {
        Some(track) => track.map(Given::Track),
        None => fields.number(field, allowed).map(Given::Constant),
    }
}

/// A vector; absent where the field is.
pub(super) fn vector(fields: &mut Fields, field: &str, allowed: Allowed, tracks: &Named<Track>) -> Option<Given<Vec3>> {
    match track(fields, field, TrackSize::Vector, allowed, tracks) {
        Some(track) => track.map(Given::Track),
        None => fields.vector(field, allowed).map(Given::Constant),
    }
}

/// The track that a field follows; `Some(None)` where there is no such track, `None` where the field holds something else.
pub(super) fn track(
    fields: &mut Fields,
    field: &str,
    size: TrackSize,
    allowed: Allowed,
    tracks: &Named<Track>,
) -> Option<Option<usize>> {
    let item = fields.item(field)?;
    let table = item.as_table_like()?;
    let mut inner = fields.inner(field, table);
    inner.refuse_unknown(&["track"]);
    let Some(name) = inner.item("track").and_then(|item| item.as_str()).map(str::to_owned) else {
        return Some(fields.wrong_type(field, item, TRACK));
    };
    let Some(index) = tracks.find(&name) else {
        report_unknown(&mut inner, "track", "track", name, tracks);
        return Some(None);
    };
    let track = tracks.get(index)?;
    if track.size != size {
        let problem =
            MachineProblem::TrackSize { field: field.to_owned(), track: name, expected: size, found: track.size };
        inner.report("track", problem.into());
        return Some(None);
    }
    let components = if size == TrackSize::Number { 1 } else { 3 };
    let mut values = track.keys.iter().flat_map(|key| key.value.iter().take(components));
    if let Some(&value) = values.find(|value| !allowed.contains(**value)) {
        let problem = MachineProblem::TrackValue { field: field.to_owned(), track: name, value, allowed };
        inner.report("track", problem.into());
        return Some(None);
    }
    Some(Some(index))
}

/// Refuses a track where a number has to stay; whether it did.
pub(super) fn refuse_track(fields: &mut Fields, field: &str, expected: &'static str) -> bool {
    let follows =
        fields.item(field).is_some_and(|item| item.as_table_like().is_some_and(|table| table.contains_key("track")));
    if follows {
        fields.report(field, MachineProblem::NoTrackHere { field: field.to_owned(), expected }.into());
    }
    follows
}
