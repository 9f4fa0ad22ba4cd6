//! Two edits of one text, put together line by line.

use std::ops::Range;

use crate::faces::pages::plan::compare::{Piece, pieces};

/// Lines that replace others; an insertion replaces none.
#[derive(PartialEq)]
struct Edit<'t> {
    old: Range<usize>,
    new: &'t [&'t str],
}

/// What both made of a text.
#[derive(Debug, PartialEq)]
pub struct Merged {
    pub text: String,
    /// Where both changed the same lines, or one inserted beside them, the text has only mine.
    pub replaced: Vec<ReplacedLines>,
}

/// Lines of others that mine replace.
#[derive(Debug, PartialEq)]
pub struct ReplacedLines {
    /// Of the text that both began with.
    pub lines: Range<usize>,
    pub before: String,
    /// `None` if others have deleted them.
    pub theirs: Option<String>,
}

pub fn merged(base: &str, theirs: &str, mine: &str) -> Merged {
    let [base, theirs, mine] = [base, theirs, mine].map(|text| text.split('\n').collect::<Vec<_>>());
    let (theirs, mut edits) = (edits_of(&base, &theirs), edits_of(&base, &mine));
    // What both changed in the same way is changed once.
    let theirs = theirs.into_iter().filter(|edit| !near(&edits, edit).contains(edit));
    let (kept, replaced): (Vec<_>, Vec<_>) =
        theirs.partition(|edit| near(&edits, edit).iter().all(|mine| are_apart(mine, edit)));
    edits.extend(kept);
    edits.sort_by_key(|edit| (edit.old.start, edit.old.end));
    let (mut lines, mut at): (Vec<&str>, usize) = (Vec::new(), 0);
    for edit in &edits {
        lines.extend(&base[at..edit.old.start]);
        lines.extend(edit.new);
        at = edit.old.end;
    }
    lines.extend(&base[at..]);
    let replaced = replaced.into_iter().map(|edit| ReplacedLines {
        lines: edit.old.clone(),
        before: base[edit.old].join("\n"),
        theirs: (!edit.new.is_empty()).then(|| edit.new.join("\n")),
    });
    Merged { text: lines.join("\n"), replaced: replaced.collect() }
}

/// The edits at the lines of another one, or right beside them. They are sorted and apart.
fn near<'e, 't>(edits: &'e [Edit<'t>], other: &Edit<'_>) -> &'e [Edit<'t>] {
    let first = edits.partition_point(|edit| edit.old.end < other.old.start);
    let count = edits[first..].partition_point(|edit| edit.old.start <= other.old.end);
    &edits[first..first + count]
}

/// Whether it is clear in which order they come.
fn are_apart(one: &Edit<'_>, other: &Edit<'_>) -> bool {
    let before = |one: &Edit<'_>, next: &Edit<'_>| {
        let touches = one.old.end == next.old.start && !one.old.is_empty() && !next.old.is_empty();
        touches || one.old.end < next.old.start
    };
    before(one, other) || before(other, one)
}

fn edits_of<'t>(base: &[&str], edited: &'t [&'t str]) -> Vec<Edit<'t>> {
    let edit = |piece| match piece {
        Piece::Same(_) => None,
        Piece::Changed { gone, new } => Some(Edit { old: gone, new: &edited[new] }),
    };
    pieces(base, edited).into_iter().filter_map(edit).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Merged, Range, ReplacedLines, merged};

    fn kept(text: &str) -> Merged {
        Merged { text: text.to_owned(), replaced: Vec::new() }
    }

    fn lines(lines: Range<usize>, before: &str, theirs: Option<&str>) -> ReplacedLines {
        ReplacedLines { lines, before: before.to_owned(), theirs: theirs.map(str::to_owned) }
    }

    #[test]
    fn edits_of_different_lines_are_put_together() {
        let base = "lemons\nBob\nend";
        assert_eq!(merged(base, "limes\nBob\nend", "lemons\nBobby\nend"), kept("limes\nBobby\nend"));
        assert_eq!(merged(base, "new\nlemons\nBob\nend", "lemons\nBob"), kept("new\nlemons\nBob"));
        assert_eq!(merged(base, "limes\nBob\nend", "limes\nBob\nEND"), kept("limes\nBob\nEND"));
        assert_eq!(merged("", "a", ""), kept("a"));
    }

    #[test]
    fn mine_replaces_edits_of_the_same_lines_and_no_others() {
        let base = "lemons\nBob\nend";
        for (theirs, mine) in [
            ("limes\nBob\nend", "oranges\nBob\nend"),
            ("lemons\nBob\nend\nx", "lemons\nBob\nend\ny"),
            ("lemons\nx\nBob\nend", "lemons\nend"),
            ("end", "lemons\nBobby\nend"),
        ] {
            for (theirs, mine) in [(theirs, mine), (mine, theirs)] {
                let both = merged(base, theirs, mine);
                assert_eq!((both.text.as_str(), both.replaced.len()), (mine, 1));
            }
        }
        let both = merged("one\ntwo\nthree\nfour", "ONE\ntwo\nthree\n4", "uno\ntwo\nthree\nfour");
        assert_eq!(both.text, "uno\ntwo\nthree\n4");
        assert_eq!(both.replaced, [lines(0..1, "one", Some("ONE"))]);
        assert_eq!(merged("one\ntwo", "two", "1\ntwo").replaced, [lines(0..1, "one", None)]);
    }

    proptest! {
        #[test]
        fn an_edit_without_a_conflict_is_kept_as_typed(base in "[ab\n]{0,20}", edited in "[ab\n]{0,20}") {
            prop_assert_eq!(merged(&base, &base, &edited), kept(&edited));
            prop_assert_eq!(merged(&base, &edited, &base), kept(&edited));
            prop_assert_eq!(merged(&base, &edited, &edited), kept(&edited));
        }
    }
}
