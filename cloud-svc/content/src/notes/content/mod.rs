//! The content of notes.

pub mod tags;
pub mod title;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shared_model::rule::Text;

use self::{tags::Tags, title::Title};

/// The most characters and bytes of the text.
pub const CONTENT_MAX: usize = 500_000;

shared_model::json_object! {
    /// A note.
    // The order of the fields is the order of the members in the canonical text.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct NoteContent {
        /// One line, which may be empty.
        pub title: String as Title,
        /// The text, kept as sent and shown as Markdown.
        pub content: String as Text<CONTENT_MAX>,
        /// Unique words to find the note by.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tags: Option<Vec<String>> as Tags,
        /// Whether it is listed before other notes. False if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pinned: Option<bool>,
        /// Whether it is archived. False if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub archived: Option<bool>,
    }
    example = {
        "title": "Shopping",
        "content": "- bread\n- **good** coffee, from [the mill](https://mill.example.com)",
        "tags": ["home"],
        "pinned": true
    };
}
