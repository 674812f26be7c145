//! Reading `[[control]]` tables; what their parameter names mean is `model`'s business.

use super::Control;
use super::limits;
use super::reader::{Entry, Fields, Reader};

const CONTROL_KEYS: &[&str] = &["parameter", "free", "weight", "bounds", "value", "rest"];

/// All controls, or `None` if one of them is at fault.
pub(super) fn read_controls(reader: &mut Reader, tables: Vec<Entry>) -> Option<Vec<Control>> {
    let read = |(index, entry): (usize, Entry)| {
        let path = format!("control[{index}]");
        let subject = match entry.table.get("parameter").and_then(|item| item.as_str()) {
            Some(name) => format!("control {name:?}"),
            None => path.clone(),
        };
        read_control(reader.fields(entry.table, path, subject, entry.offset))
    };
    // All are read before any is given up, so that every fault is found.
    let controls: Vec<Option<Control>> = tables.into_iter().enumerate().map(read).collect();
    controls.into_iter().collect()
}

fn read_control(mut fields: Fields) -> Option<Control> {
    fields.refuse_unknown(CONTROL_KEYS);
    if !fields.has("parameter") {
        fields.report_missing("parameter", "parameter = \"box.spin\"");
    }
    let parameter = fields.text("parameter");
    let control = Control {
        parameter: String::new(),
        free: fields.boolean("free"),
        weight: fields.number("weight", limits::WEIGHT),
        bounds: fields.numbers("bounds", limits::PARAMETER, "two numbers such as [-0.1, 0.1]"),
        value: fields.number("value", limits::PARAMETER),
        rest: fields.number("rest", limits::PARAMETER),
    };
    Some(Control { parameter: parameter?, ..control })
}
