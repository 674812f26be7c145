//! Text of a file on a terminal: titles, keys and names do nothing there but show.
//!
//! Terminals take some characters as orders: to clear the screen, to call the window something else, to write backwards.
//! Each is shown as JSON writes it (`\u001b`), so that what is printed as JSON means the same as before.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with nothing in it that a terminal would obey, but for the ends of lines and tabs.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_order) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_order(letter) {
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Control characters, ends of lines that only some programs know, and what turns the direction of writing.
fn is_order(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
    let ends = matches!(letter, '\u{2028}' | '\u{2029}');
    (letter.is_control() && !matches!(letter, '\n' | '\t')) || turns || ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_shown_and_everything_else_is_as_it_was() {
        assert_eq!(
            harmless("\u{1b}]0;pwned\u{7} \u{9b}31m\r\u{202e}x"),
            r"\u001b]0;pwned\u0007 \u009b31m\u000d\u202ex"
        );
        for plain in ["", "two\nlines\tand a tab", "ünï → 5°, −1 m/s²"] {
            assert!(matches!(harmless(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn json_means_the_same() {
        let title = "a\u{9b}b\u{2028}c\u{7f}\u{1b}d";
        let json = serde_json::to_string(title).unwrap();
        let shown = harmless(&json);
        assert_ne!(shown, json);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), title);
    }
}
