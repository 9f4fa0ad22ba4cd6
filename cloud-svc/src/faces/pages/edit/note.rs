//! The edits that give a note another title and text.

use serde_json::{Value, json};

use cloud_content::notes::content::NoteContent;

pub fn operations(base: &NoteContent, title: &str, text: &str) -> Vec<Value> {
    // Only what differs, so that a note whose title others change meanwhile keeps their title.
    let mut operations = Vec::new();
    if title != base.title {
        operations.push(json!({"op": "set_title", "title": title}));
    }
    if text != base.content {
        operations.push(json!({"op": "set_content", "content": text}));
    }
    operations
}
