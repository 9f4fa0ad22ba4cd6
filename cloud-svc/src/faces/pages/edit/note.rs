//! The edits that give a note another title and text.

use serde_json::{Value, json};

use super::merge::merged;
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

/// Whether these edits replace something that others have written meanwhile.
pub fn replaces(base: &NoteContent, current: &NoteContent, title: &str, text: &str) -> bool {
    let is_title = title != base.title && current.title != base.title && current.title != title;
    is_title || text != base.content && merged(&base.content, &current.content, text).replaces
}

pub fn differs(base: &NoteContent, title: &str, text: &str) -> bool {
    title != base.title || text != base.content
}
