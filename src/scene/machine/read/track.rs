//! Reading `[[track]]` tables.

use super::super::{Ease, Key, MachineProblem, Track, TrackSize};
use crate::math::Vec3;
use crate::scene::reader::Fields;
use crate::scene::{limits, nearest};

const EASES: &[&str] = &["linear", "slow_in", "slow_out", "slow_in_out", "hold"];
const VALUE: &str = "a number such as 0.5, or three numbers such as [0, 1, 0]";

pub(super) fn read(mut fields: Fields) -> Option<Track> {
    fields.refuse_unknown(&["name", "keys"]);
    let name = fields.text("name");
    if !fields.has("keys") {
        fields.report_missing("keys", "keys = [{ t = 0, value = 1 }, { t = 1, value = 2 }]");
        return None;
    }
    let tables = fields.tables("keys", limits::TRACKS)?;
    // All are read before any is given up, so that every fault is found.
    let read = |(index, entry)| read_key(fields.entry("keys", index, entry));
    let keys: Vec<Option<(Key, TrackSize)>> = tables.into_iter().enumerate().map(read).collect();
    let keys: Vec<(Key, TrackSize)> = keys.into_iter().collect::<Option<_>>()?;
    let Some((_, size)) = keys.first().copied() else {
        fields.report("keys", MachineProblem::NoKeys.into());
        return None;
    };
    for (index, (_, found)) in keys.iter().enumerate().filter(|(_, (_, found))| *found != size) {
        let problem = MachineProblem::MixedKeys { index, found: *found, expected: size };
        fields.report(&format!("keys[{index}].value"), problem.into());
    }
    for (index, pair) in keys.windows(2).enumerate() {
        let (before, t) = (pair[0].0.t, pair[1].0.t);
        if t <= before {
            let problem = MachineProblem::Backwards { index: index + 1, t, before };
            fields.report(&format!("keys[{}].t", index + 1), problem.into());
        }
    }
    Some(Track { name: name?, size, keys: keys.into_iter().map(|(key, _)| key).collect() })
}

fn read_key(mut fields: Fields) -> Option<(Key, TrackSize)> {
    fields.refuse_unknown(&["t", "value", "ease"]);
    let t = fields.required_number("t", limits::TIME, "t = 0.5");
    let ease = read_ease(&mut fields);
    let Some(item) = fields.item("value") else {
        fields.report_missing("value", "value = 0.5");
        return None;
    };
    let (value, size) = if item.is_array() {
        (fields.vector("value", limits::TRACK_VALUE), TrackSize::Vector)
    } else if item.is_value() && !item.is_inline_table() {
        let number = fields.number("value", limits::TRACK_VALUE);
        (number.map(|number| Vec3::new(number, 0.0, 0.0)), TrackSize::Number)
    } else {
        return fields.wrong_type("value", item, VALUE);
    };
    Some((Key { t: t?, value: value?, ease: ease? }, size))
}

fn read_ease(fields: &mut Fields) -> Option<Ease> {
    if !fields.has("ease") {
        return Some(Ease::default());
    }
    let word = fields.text("ease")?;
    Some(match word.as_str() {
        "linear" => Ease::Linear,
        "slow_in" => Ease::SlowIn,
        "slow_out" => Ease::SlowOut,
        "slow_in_out" => Ease::SlowInOut,
        "hold" => Ease::Hold,
        _ => {
            let nearest = nearest(&word, EASES.iter().copied());
            let nearest = EASES.iter().copied().find(|known| Some(*known) == nearest);
            fields.report("ease", MachineProblem::UnknownWord { field: "ease", word, nearest, known: EASES }.into());
            return None;
        }
    })
}
