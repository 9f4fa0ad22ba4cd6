//! Note content (spec: Note content).

pub mod tags;
pub mod title;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shared_model::rule::Text;

use self::{tags::Tags, title::Title};

/// Characters and bytes of the text at most.
pub const CONTENT_MAX: usize = 500_000;

shared_model::json_object! {
    /// What a note says. The order of members here is the order in which they are stored and shown.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct NoteContent {
        /// Its title: one line, which may be empty.
        pub title: String as Title,
        /// Its text, kept to the letter and shown as Markdown.
        pub content: String as Text<CONTENT_MAX>,
        /// Words to find it by, each once.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tags: Option<Vec<String>> as Tags,
        /// Whether it stands before others; absent is false.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pinned: Option<bool>,
        /// Whether it is put away; absent is false.
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
