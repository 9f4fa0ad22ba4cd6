//! Whether two edits show the same to a reviewer.

use shared_model::Failure;

use crate::content::Content;

/// Content before and after an edit.
pub struct Edited<'a, C> {
    pub before: &'a C,
    pub after: &'a C,
}

/// Whether the same parts are changed and have the same surroundings.
// The previews of both edits may be equal and still mean different things. Rows have moved under a cell, or the text
// before a block says the opposite.
pub fn shows_the_same<C: Content>(seen: &Edited<'_, C>, now: &Edited<'_, C>) -> Result<bool, Failure> {
    let keys = seen.before.differences(seen.after);
    Ok(keys == now.before.differences(now.after)
        && seen.before.surroundings(&keys)? == now.before.surroundings(&keys)?
        && seen.after.surroundings(&keys)? == now.after.surroundings(&keys)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{documents::content::DocumentContent, test_support::plans::content};

    fn document(texts: [&str; 5]) -> DocumentContent {
        let block = |at: usize| json!({"id": format!("b{at}"), "type": "paragraph", "segments": [{"text": texts[at]}]});
        content(&json!({"kind": "docs", "blocks": (0..5).map(block).collect::<serde_json::Value>()}))
    }

    #[test]
    fn a_reviewer_has_seen_the_same_parts_before_and_after_in_the_same_surroundings() {
        let old = ["rent", "is", "due", "on", "Friday"];
        let new = ["rent", "was", "due", "on", "Friday"];
        let shows_the_same = |before, after| {
            let seen = Edited { before: &document(old), after: &document(new) };
            shows_the_same(&seen, &Edited { before: &document(before), after: &document(after) }).expect("documents")
        };
        assert!(shows_the_same(old, new));
        assert!(shows_the_same(["rent", "is", "due", "on", "Monday"], ["rent", "was", "due", "on", "Monday"]));
        for (what, before, after) in [
            ("text beside it", ["no rent", "is", "due", "on", "Friday"], ["no rent", "was", "due", "on", "Friday"]),
            ("another part", old, ["rent", "was", "due", "on", "Monday"]),
            ("the old text", ["rent", "is not", "due", "on", "Friday"], new),
            ("the new text", old, ["rent", "is not", "due", "on", "Friday"]),
        ] {
            assert!(!shows_the_same(before, after), "{what}");
        }
    }
}
