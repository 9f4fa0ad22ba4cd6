//! The agents that a text names: `@` and the id of an agent.

use std::collections::{BTreeSet, HashSet};

/// The most names in one text that are looked at.
const NAMES: usize = 50;
/// The longest id in bytes. Ids are of visible ASCII characters.
const ID_BYTES: usize = 255;
/// The most characters that are taken off the end of a word.
const ENDS: usize = 16;

/// For each `@`, what may be the id after it, the longest first.
// By the id and not by the display name, which two agents can share and an issuer can change. An id can end like a
// sentence does, so the text alone does not say where it ends. The ids that exist decide.
fn candidates(text: &str) -> Vec<Vec<&str>> {
    let is_begin = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '@' || c == '.' || c == '_');
    let marks = text.match_indices('@').filter(|(at, _)| is_begin(&text[..*at])).take(NAMES);
    let of_mark = |(at, _): (usize, &str)| {
        let rest = &text[at + 1..];
        let word = &rest[..rest.find(|c: char| !c.is_ascii_graphic()).unwrap_or(rest.len())];
        let ends = word.bytes().rev().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
        // The bounds are against texts of nothing but marks: each would have thousands of long candidates.
        let words = (0..=ends.min(ENDS)).map(|end| &word[..word.len() - end]);
        words.filter(|word| (1..=ID_BYTES).contains(&word.len())).collect()
    };
    marks.map(of_mark).collect()
}

/// All ids that the text may name.
pub fn possible(text: &str) -> BTreeSet<&str> {
    candidates(text).into_iter().flatten().collect()
}

/// The ids that it names, of those that exist.
pub fn named(text: &str, known: &HashSet<String>) -> BTreeSet<String> {
    let longest = |words: Vec<&str>| words.into_iter().find(|word| known.contains(*word)).map(str::to_owned);
    candidates(text).into_iter().filter_map(longest).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::named;

    fn names(text: &str) -> Vec<String> {
        let known: HashSet<String> = ["helper", "agent-7", "agent-7.", "a@b"].map(str::to_owned).into();
        named(text, &known).into_iter().collect()
    }

    #[test]
    fn an_id_ends_where_its_word_or_its_sentence_ends() {
        assert_eq!(names("@helper, please (@helper)! Thanks, @agent-7?"), ["agent-7", "helper"]);
        assert_eq!(names("Ask @agent-7."), ["agent-7."], "the longest that exists");
        assert_eq!(names("@a@b"), ["a@b"]);
    }

    #[test]
    fn a_text_of_marks_has_few_candidates() {
        let text = format!("{}{}", "@!".repeat(50), "!".repeat(4900));
        assert_eq!(super::possible(&text).len(), 0);
        let text = format!("{} ", "@a!".repeat(80)).repeat(10);
        let possible = super::possible(&text);
        assert!(possible.len() <= 50 * 17 && possible.iter().all(|word| word.len() <= 255), "{}", possible.len());
        assert_eq!(names(&format!("@helper{}", "!".repeat(16))), ["helper"]);
    }

    #[test]
    fn what_only_looks_like_a_name_is_none() {
        assert_eq!(names("ada@helper, @helpers, @Helper, @ helper, @@helper, @"), [""; 0]);
    }
}
