//! The words of a paragraph that stay, go and come.

use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices};

use crate::documents::content::segment::Segment;

// The comparison may take the square of this. Longer paragraphs go and come as a whole.
const WORDS: usize = 5_000;

/// A word, or the blanks between two, in one style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word<'a> {
    pub text: &'a str,
    pub style: Style<'a>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Style<'a> {
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub link: Option<&'a str>,
}

/// Each run of words with what becomes of it.
pub fn tracked<'a>(before: &'a [Segment], after: &'a [Segment]) -> Vec<(ChangeTag, Vec<Word<'a>>)> {
    let (old, new) = (words(before), words(after));
    if old != new && old.len() + new.len() > WORDS {
        return vec![(ChangeTag::Delete, old), (ChangeTag::Insert, new)];
    }
    let steps = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut runs = Vec::new();
    for step in steps {
        let (gone, come) = (old[step.old_range()].to_vec(), new[step.new_range()].to_vec());
        match step {
            DiffOp::Equal { .. } => runs.push((ChangeTag::Equal, gone)),
            DiffOp::Delete { .. } => runs.push((ChangeTag::Delete, gone)),
            DiffOp::Insert { .. } => runs.push((ChangeTag::Insert, come)),
            DiffOp::Replace { .. } => runs.extend([(ChangeTag::Delete, gone), (ChangeTag::Insert, come)]),
        }
    }
    runs
}

pub fn words(segments: &[Segment]) -> Vec<Word<'_>> {
    segments
        .iter()
        .flat_map(|segment| {
            let style = Style {
                bold: segment.bold == Some(true),
                italic: segment.italic == Some(true),
                underline: segment.underline == Some(true),
                link: segment.link.as_deref(),
            };
            split(&segment.text).into_iter().map(move |text| Word { text, style })
        })
        .collect()
}

fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut was_blank = None;
    for (at, character) in text.char_indices() {
        let is_blank = character.is_whitespace();
        if was_blank.is_some_and(|was| was != is_blank) {
            words.push(&text[start..at]);
            start = at;
        }
        was_blank = Some(is_blank);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}
