//! Reading the `moved` of a body: the tracks it follows.

use super::super::{Ease, MachineProblem, Track, TrackSize};
use super::{Named, given};
use crate::scene::Guide;
use crate::scene::limits::{self, Allowed};
use crate::scene::reader::Fields;

const EXAMPLE: &str = "a table such as { position = { track = \"lift\" } }";

/// What a body says of its tracks, if it says anything; what is at fault is refused.
pub(in crate::scene) fn read_moved(body: &mut Fields, tracks: &Named<Track>) -> Option<Guide> {
    let item = body.item("moved")?;
    let Some(table) = item.as_table_like() else { return body.wrong_type("moved", item, EXAMPLE) };
    let mut fields = body.inner("moved", table);
    fields.refuse_unknown(&["position", "rotation"]);
    if table.is_empty() {
        fields.report_missing("position", "position = { track = \"lift\" }");
    }
    let position = followed(&mut fields, "position", limits::LENGTH, tracks);
    let rotation = followed(&mut fields, "rotation", limits::ANGLE, tracks);
    for (field, track) in [("position", position), ("rotation", rotation)] {
        if track.is_some() && body.has(field) {
            body.report(field, MachineProblem::TrackSaysWhere { field }.into());
        }
    }
    Some(Guide { position, rotation })
}

fn followed(fields: &mut Fields, field: &str, allowed: Allowed, tracks: &Named<Track>) -> Option<usize> {
    let Some(found) = given::track(fields, field, TrackSize::Vector, allowed, tracks) else {
        if let Some(item) = fields.item(field) {
            let _: Option<()> = fields.wrong_type(field, item, "the name of a track, as in { track = \"lift\" }");
        }
        return None;
    };
    let track = tracks.get(found?)?;
    // How a value comes to the first key means nothing.
    if let Some(index) = (1..track.keys.len()).find(|&index| track.keys[index].ease == Ease::Hold) {
        fields.report(field, MachineProblem::JumpMoves { track: track.name.clone(), index }.into());
    }
    found
}
