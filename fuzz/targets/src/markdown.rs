//! Whatever the text, reading Markdown does not panic. A document that comes from it goes out as Markdown that reads
//! back the same.

use crate::text::text;
use cloud_content::documents::{
    content::DocumentContent,
    markdown::{read, write},
};
use serde_json::Value;

pub fn run(bytes: &[u8]) {
    let text = text(bytes);
    let Ok(document) = read::read(text) else { return };
    let markdown = write::write(&document.content);
    let again = read::read(&markdown).unwrap_or_else(|problems| panic!("{markdown:?} is refused: {problems:?}"));
    assert_eq!(plain(&again.content), plain(&document.content), "{markdown:?}");
}

/// The blocks without their ids.
fn plain(content: &DocumentContent) -> Value {
    let mut blocks = serde_json::to_value(&content.blocks).expect("JSON");
    for block in blocks.as_array_mut().expect("blocks") {
        block.as_object_mut().expect("a block").remove("id");
    }
    blocks
}
