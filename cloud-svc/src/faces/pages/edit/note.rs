//! The edits that give a note another title and text.

use serde_json::{Value, json};

use super::merge::{ReplacedLines, merged};
use cloud_content::notes::content::NoteContent;

/// `current` is the newest note, if others have written one meanwhile. What they wrote stays where it can.
pub fn operations(base: &NoteContent, current: Option<&NoteContent>, title: &str, text: &str) -> Vec<Value> {
    // Only what differs, so that a note whose title others change meanwhile keeps their title.
    let mut operations = Vec::new();
    if title != base.title {
        operations.push(json!({"op": "set_title", "title": title}));
    }
    if text != base.content {
        let merged = current.map(|current| merged(&base.content, &current.content, text).text);
        operations.push(json!({"op": "set_content", "content": merged.as_deref().unwrap_or(text)}));
    }
    operations
}

/// What these edits replace of the lines that others have written meanwhile.
pub fn replaced(base: &NoteContent, current: &NoteContent, title: &str, text: &str) -> Vec<ReplacedLines> {
    let is_title = title != base.title && current.title != base.title && current.title != title;
    let title = is_title.then(|| ReplacedLines { before: base.title.clone(), theirs: Some(current.title.clone()) });
    let of_text = match text == base.content {
        true => Vec::new(),
        false => merged(&base.content, &current.content, text).replaced,
    };
    title.into_iter().chain(of_text).collect()
}

pub fn differs(base: &NoteContent, title: &str, text: &str) -> bool {
    title != base.title || text != base.content
}
