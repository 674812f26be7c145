//! Text that is no scene: cut, noisy or absurd; it is read or refused, never a panic.

use proptest::prelude::{ProptestConfig, any, proptest};

use super::*;

#[test]
fn every_truncation_is_read_or_refused() {
    for end in 0..VALID.len() {
        if let Err(error) = open(&VALID[..end]) {
            assert!(!error.errors.is_empty() && !error.to_string().is_empty(), "cut at {end}");
        }
    }
}

#[test]
fn absurd_numbers_are_read_or_refused() {
    let absurd = ["1e308", "-1e308", "1e400", "5e-324", "nan", "-inf", "9223372036854775807", "99999999999999999999"];
    for number in absurd {
        for field in ["duration = 2.0", "mass = 3", "-9.81", "0.12", "0.8, 0]", "0.5, 0.2]", "100.0", "-0.1, 0.1"] {
            let _ = open(&VALID.replacen(field, &format!("{number}{}", &field[field.len()..]), 1));
            let kept = field.split(" = ").next().unwrap_or_default();
            let _ = open(&VALID.replacen(field, &format!("{kept} = {number}"), 1));
            let _ = open(&VALID.replacen(field, &field.replace(char::is_numeric, number), 1));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn random_text_is_refused(text in any::<String>()) {
        assert!(open(&text).is_err());
    }

    #[test]
    fn a_random_edit_is_read_or_refused(at in 0..VALID.len(), length in 0..40_usize, text in "[ -~\\n]{0,6}") {
        let mut edited = VALID.to_owned();
        edited.replace_range(at..(at + length).min(VALID.len()), &text);
        let _ = open(&edited);
    }
}
