//! Two texts compared: by lines first, and by words where lines have become others.

use std::ops::Range;

use maud::{Markup, html};

/// Comparisons of two parts at most; what would take more is shown as gone and as new.
const COMPARISONS: usize = 400_000;
/// Lines that stay, shown before and after what changes.
const CONTEXT: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Same(Range<usize>),
    Changed { gone: Range<usize>, new: Range<usize> },
}

/// What is gone and what is new, within what stays; long runs of lines that stay are counted.
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

/// What is gone.
pub fn gone(inside: &Markup) -> Markup {
    html! { del { span.hidden { "[removed: " } (inside) span.hidden { "] " } } }
}

/// What is new.
pub fn new(inside: &Markup) -> Markup {
    html! { ins { span.hidden { "[added: " } (inside) span.hidden { "] " } } }
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
            span.skipped { "[" (lines.len() - head - tail) " lines stay as they are]" } "\n"
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

/// Words, blanks, and every other character alone.
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

/// What stays is a longest common subsequence, between the common beginning and the common end.
fn pieces(old: &[&str], new: &[&str]) -> Vec<Piece> {
    let head = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old_middle, new_middle) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut pieces = Pieces::default();
    pieces.same(0..head);
    match old_middle.len().checked_mul(new_middle.len()) {
        Some(count) if count <= COMPARISONS => middle(old_middle, new_middle, head, &mut pieces),
        _ => pieces.changed(head..head + old_middle.len(), head..head + new_middle.len()),
    }
    pieces.same(old.len() - tail..old.len());
    pieces.0
}

fn middle(old: &[&str], new: &[&str], from: usize, pieces: &mut Pieces) {
    let width = new.len() + 1;
    // The length of a longest common subsequence of what begins at each pair of places.
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i] == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            pieces.same(from + i..from + i + 1);
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
            pieces.changed(from + i..from + i + 1, from + j..from + j);
            i += 1;
        } else {
            pieces.changed(from + i..from + i, from + j..from + j + 1);
            j += 1;
        }
    }
}

/// Pieces, where neighbours of one sort are one.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn same(&mut self, range: Range<usize>) {
        match self.0.last_mut() {
            _ if range.is_empty() => {}
            Some(Piece::Same(last)) => last.end = range.end,
            _ => self.0.push(Piece::Same(range)),
        }
    }

    fn changed(&mut self, from: Range<usize>, to: Range<usize>) {
        match self.0.last_mut() {
            _ if from.is_empty() && to.is_empty() => {}
            Some(Piece::Changed { gone, new }) => (gone.end, new.end) = (from.end, to.end),
            _ => self.0.push(Piece::Changed { gone: from, new: to }),
        }
    }
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
