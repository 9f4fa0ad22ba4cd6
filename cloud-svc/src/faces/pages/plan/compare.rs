//! The difference between two texts: by lines first, then by words within the lines that changed.

use std::{ops::Range, time::Duration};

use maud::{Markup, html};
use similar::{Algorithm, DiffTag};

use cloud_content::difference::edits;

/// Time for one difference. A page with hundreds of changes must not take seconds.
const DEADLINE: Duration = Duration::from_millis(50);
/// Unchanged lines shown before and after a change.
const CONTEXT: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Same(Range<usize>),
    Changed { gone: Range<usize>, new: Range<usize> },
}

/// The removed and added words within the unchanged text. Long runs of unchanged lines become a count.
pub fn show(before: &str, after: &str) -> Markup {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(before), lines(after));
    let pieces = pieces(&old, &new);
    let last = pieces.len().saturating_sub(1);
    html! {
        div.compare.as-written dir="auto" {
            @for (index, piece) in pieces.iter().enumerate() {
                @match piece {
                    Piece::Same(range) => (same(&old[range.clone()], index > 0, index < last)),
                    Piece::Changed { gone, new: added } => (words(&old[gone.clone()].concat(), &new[added.clone()].concat())),
                }
            }
        }
    }
}

pub fn gone(inside: &Markup) -> Markup {
    html! { del { span.hidden { "[" (text!("removed:")) " " } (inside) span.hidden { "] " } } }
}

pub fn new(inside: &Markup) -> Markup {
    html! { ins { span.hidden { "[" (text!("added:")) " " } (inside) span.hidden { "] " } } }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn same(lines: &[&str], is_after_change: bool, is_before_change: bool) -> Markup {
    let head = if is_after_change { CONTEXT } else { 0 };
    let tail = if is_before_change { CONTEXT } else { 0 };
    html! {
        @if lines.len() <= head + tail + 1 {
            (lines.concat())
        } @else {
            (lines[..head].concat())
            span.skipped { "[" (text!("{n} lines stay as they are", n = lines.len() - head - tail)) "]" } "\n"
            (lines[lines.len() - tail..].concat())
        }
    }
}

fn words(before: &str, after: &str) -> Markup {
    let (old, added): (Vec<&str>, Vec<&str>) = (tokens(before), tokens(after));
    html! {
        @for piece in pieces(&old, &added) {
            @match piece {
                Piece::Same(range) => (old[range].concat()),
                Piece::Changed { gone: from, new: to } => {
                    @if !from.is_empty() { (gone(&html! { (old[from].concat()) })) }
                    @if !to.is_empty() { (new(&html! { (added[to].concat()) })) }
                },
            }
        }
    }
}

/// Words and runs of white space; every other character is a token by itself, so that `9:30` has three.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let is = class(c);
        if last.is_some_and(|last| last != is || is == 2) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(is);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

/// Unchanged and changed runs, in order. After the deadline the rest is one coarse change, which is still correct.
pub fn pieces(old: &[&str], new: &[&str]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for edit in edits(Algorithm::Myers, old, new, Some(DEADLINE)) {
        let (tag, from, to) = edit.as_tag_tuple();
        match (tag, pieces.last_mut()) {
            (DiffTag::Equal, _) => pieces.push(Piece::Same(from)),
            // Neighboring changes are one change, so that a deletion and an insertion stand together.
            (_, Some(Piece::Changed { gone, new })) => (gone.end, new.end) = (from.end, to.end),
            _ => pieces.push(Piece::Changed { gone: from, new: to }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rebuilt(old: &[&str], new: &[&str]) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        for piece in pieces(old, new) {
            match piece {
                Piece::Same(range) => {
                    before.push_str(&old[range.clone()].concat());
                    after.push_str(&old[range].concat());
                }
                Piece::Changed { gone, new: added } => {
                    before.push_str(&old[gone].concat());
                    after.push_str(&new[added].concat());
                }
            }
        }
        (before, after)
    }

    proptest! {
        #[test]
        fn nothing_is_lost(before in "[ab \n]{0,40}", after in "[ab \n]{0,40}") {
            prop_assert_eq!(rebuilt(&tokens(&before), &tokens(&after)), (before.clone(), after.clone()));
            prop_assert_eq!(rebuilt(&lines(&before), &lines(&after)), (before.clone(), after.clone()));
        }
    }

    #[test]
    fn words_that_change_are_marked_with_words() {
        let html = show("Begin at 9:30.", "Begin at 10:00.").into_string();
        assert!(html.contains("<del><span class=\"hidden\">[removed: </span>9<"), "{html}");
        assert!(html.contains("Begin at "), "{html}");
    }

    #[test]
    fn lines_that_stay_are_counted() {
        let before: String = (0..100).map(|line| format!("{line}\n")).collect();
        let html = show(&before, &before.replace("50\n", "fifty\n")).into_string();
        assert!(html.contains("[47 lines stay as they are]") && html.contains("fifty"), "{html}");
        assert!(!html.contains("\n20\n"), "{html}");
    }

    #[test]
    fn texts_without_anything_in_common_are_compared_in_time() {
        let (before, after) = ("a\n".repeat(200_000), "b\n".repeat(200_000));
        assert!(show(&before, &after).into_string().len() > 800_000);
    }
}
