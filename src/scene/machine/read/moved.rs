//! Reading the `moved` of a body: the tracks it follows. They are checked, and the simulation does not follow them.

use super::super::{Ease, MachineProblem, Track, TrackSize};
use super::{Named, given};
use crate::scene::limits;
use crate::scene::reader::Fields;

const EXAMPLE: &str = "a table such as { position = { track = \"lift\" } }";

/// Checks what a body says of its tracks, and refuses it.
pub(in crate::scene) fn check_moved(body: &mut Fields, tracks: &Named<Track>) {
    let Some(item) = body.item("moved") else { return };
    let Some(table) = item.as_table_like() else {
        let _: Option<()> = body.wrong_type("moved", item, EXAMPLE);
        return;
    };
    let mut fields = body.inner("moved", table);
    fields.refuse_unknown(&["position", "rotation"]);
    if table.is_empty() {
        fields.report_missing("position", "position = { track = \"lift\" }");
    }
    for (field, allowed) in [("position", limits::LENGTH), ("rotation", limits::ANGLE)] {
        match given::track(&mut fields, field, TrackSize::Vector, allowed, tracks) {
            Some(track) => track
                .and_then(|track| tracks.get(track))
                .into_iter()
                .for_each(|track| refuse_jumps(&mut fields, field, track)),
            None => refuse_number(&mut fields, field),
        }
    }
    body.report("moved", MachineProblem::NotSimulated { what: "bodies moved by tracks", part: "key" }.into());
}

fn refuse_number(fields: &mut Fields, field: &str) {
    if let Some(item) = fields.item(field) {
        let _: Option<()> = fields.wrong_type(field, item, "the name of a track, as in { track = \"lift\" }");
    }
}

fn refuse_jumps(fields: &mut Fields, field: &str, track: &Track) {
    // How a value comes to the first key means nothing.
    if let Some(index) = (1..track.keys.len()).find(|&index| track.keys[index].ease == Ease::Hold) {
        fields.report(field, MachineProblem::JumpMoves { track: track.name.clone(), index }.into());
    }
}
