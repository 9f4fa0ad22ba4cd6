//! The words of a paragraph that stay, go and come.

use similar::{Algorithm, ChangeTag, DiffOp};

use crate::{difference::edits, documents::content::segment::Segment};

// Two texts of 2500 words with none in common take all of this: a quarter of a second.
// A paragraph that needs more than is left is deleted and inserted as a whole.
const STEPS: usize = 25_000_000;

/// A word, or the whitespace between two, in one style.
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

/// Compares the paragraphs of one file.
pub struct Tracker {
    steps_left: usize,
}

impl Default for Tracker {
    fn default() -> Self {
        Self { steps_left: STEPS }
    }
}

impl Tracker {
    /// Each run of words with what becomes of it.
    pub fn tracked<'a>(&mut self, before: &'a [Segment], after: &'a [Segment]) -> Vec<(ChangeTag, Vec<Word<'a>>)> {
        let (old, new) = (words(before), words(after));
        let Some(steps_left) = self.steps_left.checked_sub(most_steps(&old, &new)) else {
            return vec![(ChangeTag::Delete, old), (ChangeTag::Insert, new)];
        };
        self.steps_left = steps_left;
        let mut runs = Vec::new();
        for step in edits(Algorithm::Myers, &old, &new, None) {
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
}

/// The square of the number of words between the first and the last that differ.
fn most_steps(old: &[Word<'_>], new: &[Word<'_>]) -> usize {
    let same = |(old, new): &(&Word<'_>, &Word<'_>)| old == new;
    let first = old.iter().zip(new).take_while(same).count();
    let last = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(same).count();
    (old.len() + new.len() - 2 * (first + last)).pow(2)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: &str, count: usize) -> [Segment; 1] {
        let text = format!("{word} ").repeat(count);
        [serde_json::from_value(serde_json::json!({"text": format!("{text}{word}")})).expect("a segment")]
    }

    fn tags(tracker: &mut Tracker, before: &[Segment], after: &[Segment]) -> Vec<ChangeTag> {
        tracker.tracked(before, after).into_iter().map(|(tag, _)| tag).collect()
    }

    #[test]
    fn a_file_has_a_bound_for_all_its_paragraphs_together() {
        use ChangeTag::{Delete, Equal, Insert};
        let mut tracker = Tracker { steps_left: 6 * 6 };
        let one = tags(&mut tracker, &text("a", 1), &text("b", 1));
        assert_eq!(one, [Delete, Insert, Equal, Delete, Insert]);
        assert_eq!(tags(&mut tracker, &text("a", 1), &text("b", 1)), [Delete, Insert]);
        assert_eq!(tags(&mut tracker, &text("a", 9_000), &text("a", 9_000)), [Equal]);
    }

    #[test]
    fn what_two_paragraphs_share_costs_nothing() {
        let (before, after) = (text("a", 9_000), text("a", 9_001));
        let (old, new) = (words(&before), words(&after));
        assert_eq!(most_steps(&old, &new), 4);
    }
}
