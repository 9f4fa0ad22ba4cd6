//! The edits that give a note another title and text.

use serde_json::{Value, json};

use super::{
    merge::{Merged, ReplacedLines, merged},
    of_others::Replaced,
};
use cloud_content::notes::content::NoteContent;

/// What a person made of a note, as edits of the newest one.
pub struct NoteEdits {
    pub operations: Vec<Value>,
    /// The title and the lines of others that they replace.
    pub replaced: Vec<Replaced>,
}

/// `newest`: the note after edits by others since `base`, if any. Their text stays where it can.
pub fn edits(base: &NoteContent, newest: Option<&NoteContent>, title: &str, text: &str) -> NoteEdits {
    // Only what differs, so that a note whose title others change meanwhile keeps their title.
    let (mut operations, mut replaced) = (Vec::new(), Vec::new());
    if title != base.title {
        operations.push(json!({"op": "set_title", "title": title}));
        replaced.extend(newest.and_then(|newest| replaced_title(base, newest, title)));
    }
    if text != base.content {
        let both = newest.map(|newest| merged(&base.content, &newest.content, text));
        let both = both.unwrap_or_else(|| Merged { text: text.to_owned(), replaced: Vec::new() });
        operations.push(json!({"op": "set_content", "content": both.text}));
        replaced.extend(both.replaced.into_iter().map(replaced_lines));
    }
    NoteEdits { operations, replaced }
}

fn replaced_title(base: &NoteContent, newest: &NoteContent, title: &str) -> Option<Replaced> {
    let is_replaced = newest.title != base.title && newest.title != title;
    is_replaced.then(|| Replaced {
        id: "title".to_owned(),
        before: base.title.clone(),
        theirs: Some(newest.title.clone()),
    })
}

// Lines have no ids. Their numbers in the original note serve as ids, because the form keeps that note.
fn replaced_lines(ReplacedLines { lines, before, theirs }: ReplacedLines) -> Replaced {
    Replaced { id: format!("{}-{}", lines.start, lines.end), before, theirs }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(title: &str, content: &str) -> NoteContent {
        serde_json::from_value(json!({"title": title, "content": content})).expect("a note")
    }

    /// The operations, and the ids of what they replace.
    fn made(newest: Option<&NoteContent>, title: &str, text: &str) -> (Vec<Value>, Vec<String>) {
        let NoteEdits { operations, replaced } = edits(&note("Title", "a\nx\na"), newest, title, text);
        (operations, replaced.into_iter().map(|replaced| replaced.id).collect())
    }

    #[test]
    fn each_replaced_part_has_an_id_of_its_own_even_if_its_text_is_that_of_another() {
        let newest = note("Theirs", "b\nx\nb");
        let set = |text: &str| json!({"op": "set_content", "content": text});
        assert_eq!(made(Some(&newest), "Title", "c\nx\na"), (vec![set("c\nx\nb")], vec!["0-1".to_owned()]));
        assert_eq!(made(Some(&newest), "Title", "a\nx\nc"), (vec![set("b\nx\nc")], vec!["2-3".to_owned()]));
        let (operations, replaced) = made(Some(&newest), "Mine", "c\nx\nc");
        assert_eq!(operations, [json!({"op": "set_title", "title": "Mine"}), set("c\nx\nc")]);
        assert_eq!(replaced, ["title", "0-1", "2-3"]);
    }

    #[test]
    fn what_nobody_else_has_changed_replaces_nothing() {
        assert_eq!(made(None, "Title", "a\nx\na"), (Vec::new(), Vec::new()));
        assert_eq!(made(Some(&note("Mine", "a\nx\na")), "Mine", "a\ny\na").1, [] as [String; 0]);
    }
}
