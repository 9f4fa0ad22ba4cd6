//! Whether an edit leaves little of a text, although other text may be in its place.

use std::collections::{HashMap, HashSet};

use crate::{
    passage::{Passage, Place},
    search::script::Class,
};

/// Of a longer text, in bytes of its words, half must go.
const LONG_TEXT_BYTES: usize = 1_000;
// A shorter text counts only if nearly all of it goes. It never counts if it has fewer bytes and fewer lines than
// these.
const MIN_BYTES: usize = 200;
const MIN_LINES: usize = 5;

/// Whether few of the words are still where they were.
// Bags of words: they take linear time, and a reviewer wants to know what is lost, not how it was moved.
pub fn is_rewritten<'a>(before: impl Iterator<Item = Passage<'a>>, later: impl Iterator<Item = Passage<'a>>) -> bool {
    let (old, new) = (Words::of(before), Words::of(later));
    let had: usize = old.counts.iter().map(|((_, word), count)| word.len() * count).sum();
    let kept = old.counts.iter().map(|(key, count)| key.1.len() * new.counts.get(key).map_or(0, |now| *now.min(count)));
    let kept: usize = kept.sum();
    let is_some = had >= MIN_BYTES || old.lines >= MIN_LINES;
    if had > LONG_TEXT_BYTES { kept * 2 < had } else { is_some && kept * 10 < had }
}

/// How often each word is at each place, and how many lines have words.
#[derive(Default)]
struct Words<'a> {
    counts: HashMap<(&'a str, &'a str), usize>,
    lines: usize,
}

impl<'a> Words<'a> {
    fn of(passages: impl Iterator<Item = Passage<'a>>) -> Self {
        let mut words = Self::default();
        let mut places = HashSet::new();
        for Passage { place, text, .. } in passages {
            // Cells move with their rows, and are traced instead.
            let Place::Part(place) = place else { continue };
            let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
            // The first line of a passage can go on in the line of the passage before it.
            let is_new = lines > 0 && places.insert(place);
            words.lines += lines.saturating_sub(1) + usize::from(is_new);
            self::words(text).for_each(|word| *words.counts.entry((place, word)).or_default() += 1);
        }
        words
    }
}

/// The words of a text. Each character is a word where a script has no spaces between words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| Class::of(c) == Class::Separator).flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            let is_cjk = |c: char| Class::of(c) == Class::Cjk;
            let first = rest.chars().next()?;
            let end = if is_cjk(first) { first.len_utf8() } else { rest.find(is_cjk).unwrap_or(rest.len()) };
            let (word, later) = rest.split_at(end);
            rest = later;
            Some(word)
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        content::Content as _, documents::content::DocumentContent, notes::content::NoteContent,
        test_support::plans::content as read,
    };

    fn note(text: &str) -> NoteContent {
        read(&json!({"title": "", "content": text}))
    }

    /// A text of this number of words, which no other name has.
    fn text(name: &str, words: usize) -> String {
        (0..words).map(|number| format!("{name}{number} ")).collect()
    }

    #[test]
    fn a_long_text_is_rewritten_if_most_of_its_words_go() {
        let is = |later: &str| {
            let (before, later) = (note(&text("word", 300)), note(later));
            is_rewritten(before.passages(), later.passages())
        };
        assert!(is(&text("other", 300)));
        assert!(is(&(text("word", 140) + &text("other", 160))));
        assert!(!is(&(text("word", 160) + &text("other", 140))));
        assert!(!is(&(text("other", 300) + &text("word", 300))), "more text takes nothing away");
        assert!(!is(&text("word", 300).replace(' ', "\n")));
    }

    #[test]
    fn a_short_text_is_rewritten_if_hardly_a_word_stays() {
        let is = |before: &str, later: &str| {
            let (before, later) = (note(before), note(later));
            is_rewritten(before.passages(), later.passages())
        };
        assert!(is(&text("word", 50), "x"));
        assert!(!is(&text("word", 50), &text("word", 10)));
        assert!(is("a\n\nb\nc\nd\ne", "x"));
        assert!(!is("buy bread\nand milk", "call Ada\nor Bob"));
        assert!(!is("", &text("word", 300)));
    }

    #[test]
    fn words_count_where_they_are() {
        let document = |texts: &[String]| -> DocumentContent {
            let block = |(index, text): (usize, &String)| json!({"id": format!("b{index}"), "type": "paragraph", "segments": [{"text": text}]});
            read(&json!({"kind": "docs", "blocks": texts.iter().enumerate().map(block).collect::<Vec<_>>()}))
        };
        let (a, b, c) = (text("a", 200), text("b", 200), text("c", 200));
        let before = document(&[a.clone(), b.clone(), c.clone()]);
        assert!(is_rewritten(before.passages(), document(&[b.clone(), c.clone(), a.clone()]).passages()));
        assert!(
            !is_rewritten(before.passages(), document(&[a, b, text("d", 200)]).passages()),
            "one paragraph of three"
        );
    }

    #[test]
    fn words_are_runs_of_letters_or_single_ideographs() {
        let found: Vec<&str> = words("It's n\u{e9}e\u{301} 2, \u{6771}\u{4eac}x\u{3068}!").collect();
        assert_eq!(found, ["It", "s", "n\u{e9}e\u{301}", "2", "\u{6771}", "\u{4eac}", "x", "\u{3068}"]);
        assert_eq!(words(" ... ").count(), 0);
    }
}
