//! Numbers and moments as people read them.
//!
//! Numbers lose the digits that say nothing, and keep those that say something however small the number is.

use crate::scene::{Side, When};

/// At most three digits behind the point, and none that say nothing.
pub fn shorten(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// At most five digits, and three behind the point: what fits a field. Large numbers have a power of ten.
pub fn plain(value: f64) -> String {
    match value.abs() {
        size if size < 99.9995 => shorten(value),
        size if size < 999.995 => trimmed(&format!("{value:.2}")),
        size if size < 9999.95 => trimmed(&format!("{value:.1}")),
        size if size < 99999.5 => format!("{value:.0}"),
        _ => with_power(value),
    }
}

/// The same for what may be small and still count, such as inertia: three digits that say something.
pub fn significant(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-3 => with_power(value),
        size if size < 1e-2 => trimmed(&format!("{value:.5}")),
        size if size < 1e-1 => trimmed(&format!("{value:.4}")),
        _ => plain(value),
    }
}

/// Three digits and a power of ten.
fn with_power(value: f64) -> String {
    let text = format!("{value:.2e}");
    text.split_once('e').map_or(text.clone(), |(digits, power)| format!("{}e{power}", trimmed(digits)))
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Two digits that say something: how far off one is needs no more.
pub fn rough(value: f64) -> String {
    let digits = if value >= 10.0 {
        0
    } else if value >= 1.0 {
        1
    } else {
        2
    };
    if value > 0.0 && value < 0.01 { format!("{value:.0e}") } else { format!("{value:.digits$}") }
}

/// When a nail holds, in words.
pub fn when_words(when: &When) -> String {
    match when {
        When::Time(t) => format!("at {t:.3} s"),
        When::Impact { impact, side: Side::Before } => format!("before {impact}"),
        When::Impact { impact, side: Side::After } => format!("after {impact}"),
        When::Apex { apex, n } => format!("at top {n} of {apex}"),
        When::Rest { rest } => format!("once {rest} rests"),
        When::End => "at the end".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.5, "0.5"), (12.0, "12"), (-0.0001, "0"), (2.71259, "2.713")] {
            assert_eq!(shorten(value), text);
        }
    }
    #[test]
    fn small_numbers_keep_their_digits() {
        let pairs = [
            (0.0, "0"),
            (1.4521e-5, "1.45e-5"),
            (4e-4, "4e-4"),
            (0.0043512, "0.00435"),
            (0.06, "0.06"),
            (0.7, "0.7"),
            (12.3456, "12.346"),
            (1234.567, "1234.6"),
            (2.5e6, "2.5e6"),
        ];
        for (value, text) in pairs {
            assert_eq!(significant(value), text);
        }
        assert_eq!((plain(-3e-9).as_str(), plain(100.0).as_str(), plain(70000.0).as_str()), ("0", "100", "70000"));
    }
}
