//! Two edits of one text, put together line by line.

use std::ops::Range;

use crate::faces::pages::plan::compare::{Piece, pieces};

/// Lines that replace others; an insertion replaces none.
#[derive(PartialEq)]
struct Edit<'t> {
    old: Range<usize>,
    new: &'t [&'t str],
}

/// What both made of `base`. `None` if it is not clear how: both changed the same lines, or one inserted beside them.
pub fn merged(base: &str, theirs: &str, mine: &str) -> Option<String> {
    let [base, theirs, mine] = [base, theirs, mine].map(|text| text.split('\n').collect::<Vec<_>>());
    let (mut edits, mine) = (edits_of(&base, &theirs), edits_of(&base, &mine));
    for edit in mine {
        // What both changed in the same way is changed once.
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    edits.sort_by_key(|edit| (edit.old.start, edit.old.end));
    let is_clear = |one: &Edit<'_>, next: &Edit<'_>| {
        let touches = one.old.end == next.old.start && !one.old.is_empty() && !next.old.is_empty();
        touches || one.old.end < next.old.start
    };
    if !edits.is_sorted_by(is_clear) {
        return None;
    }
    let (mut lines, mut at): (Vec<&str>, usize) = (Vec::new(), 0);
    for edit in &edits {
        lines.extend(&base[at..edit.old.start]);
        lines.extend(edit.new);
        at = edit.old.end;
    }
    lines.extend(&base[at..]);
    Some(lines.join("\n"))
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

    use super::merged;

    #[test]
    fn edits_of_different_lines_are_put_together() {
        let base = "lemons\nBob\nend";
        assert_eq!(merged(base, "limes\nBob\nend", "lemons\nBobby\nend").as_deref(), Some("limes\nBobby\nend"));
        assert_eq!(merged(base, "new\nlemons\nBob\nend", "lemons\nBob").as_deref(), Some("new\nlemons\nBob"));
        assert_eq!(merged(base, "limes\nBob\nend", "limes\nBob\nEND").as_deref(), Some("limes\nBob\nEND"));
        assert_eq!(merged("", "a", ""), Some("a".to_owned()));
    }

    #[test]
    fn edits_of_the_same_lines_are_not() {
        let base = "lemons\nBob\nend";
        for (theirs, mine) in [
            ("limes\nBob\nend", "oranges\nBob\nend"),
            ("lemons\nBob\nend\nx", "lemons\nBob\nend\ny"),
            ("lemons\nx\nBob\nend", "lemons\nend"),
            ("end", "lemons\nBobby\nend"),
        ] {
            assert_eq!(merged(base, theirs, mine), None, "{theirs:?} {mine:?}");
            assert_eq!(merged(base, mine, theirs), None, "{theirs:?} {mine:?}");
        }
    }

    proptest! {
        #[test]
        fn who_edits_alone_gets_what_was_typed(base in "[ab\n]{0,20}", edited in "[ab\n]{0,20}") {
            prop_assert_eq!(merged(&base, &base, &edited), Some(edited.clone()));
            prop_assert_eq!(merged(&base, &edited, &base), Some(edited.clone()));
            prop_assert_eq!(merged(&base, &edited, &edited), Some(edited.clone()));
        }
    }
}
