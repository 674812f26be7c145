//! The word a person probably meant: nearest by edit distance.

/// The candidate nearest to `word`, if it is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST_WORD).collect();
    let limit = letters.len() / 3 + 1;
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(letters.len()) <= limit)
        .map(|candidate| (edit_distance(&letters, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Longer words are not typing slips, and the distance costs the product of the lengths.
const LONGEST_WORD: usize = 100;

/// How many letters must be inserted, removed or replaced (Levenshtein), one row of the table at a time.
fn edit_distance(letters: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=letters.len()).collect();
    for (line, letter) in other.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for column in 0..letters.len() {
            let replaced = diagonal + usize::from(letters[column] != letter);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let known = ["mass", "density", "position", "velocity"];
        assert_eq!(nearest("mas", known), Some("mass"));
        assert_eq!(nearest("possition", known), Some("position"));
        assert_eq!(nearest("velocty", known), Some("velocity"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }

    #[test]
    fn the_distance_counts_edits() {
        let distance = |a: &str, b: &str| edit_distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
