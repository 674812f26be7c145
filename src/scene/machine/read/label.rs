//! Reading `[[label]]` tables.

use super::super::Label;
use super::Named;
use super::end::read_body;
use crate::scene::reader::Fields;
use crate::scene::{Body, limits};

pub(super) fn read(mut fields: Fields, bodies: &Named<Body>) -> Option<Label> {
    fields.refuse_unknown(&["name", "body", "point"]);
    let name = fields.text("name");
    if !fields.has("body") {
        fields.report_missing("body", "body = \"box\"");
    }
    let body = read_body(&mut fields, "body", bodies);
    let point = fields.required_vector("point", limits::LENGTH, "point = [0.5, 0, 0]");
    Some(Label { name: name?, body: body?, point: point? })
}
