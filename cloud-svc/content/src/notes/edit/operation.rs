//! The operations on notes.

use serde::Serialize;
use shared_model::{
    JsonReader,
    rule::{Integer, NonEmptyText, Text},
};

use crate::notes::content::{CONTENT_MAX, tags::Tags, title::Title};

crate::operations! {
    /// An edit of a note.
    pub enum NoteOperation {
        "set_title" => SetTitle,
        "set_content" => SetContent,
        "append_text" => AppendText,
        "append_markdown" => AppendMarkdown,
        "replace_text" => ReplaceTextInNote,
        "set_tags" => SetTags,
        "set_flags" => SetFlags,
    }
}

shared_model::json_object! {
    /// Sets the title.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_title")]
    pub struct SetTitle {
        pub title: String as Title,
    }
    example = {"op": "set_title", "title": "Shopping"};

    /// Replaces the whole text.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_content")]
    pub struct SetContent {
        pub content: String as Text<CONTENT_MAX>,
    }
    example = {"op": "set_content", "content": "- bread\n- coffee"};

    /// Appends to the text. No line break is added.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "append_text")]
    pub struct AppendText {
        pub text: String as Text<CONTENT_MAX>,
    }
    example = {"op": "append_text", "text": "\n- apples"};

    /// Appends Markdown as paragraphs of their own, after an empty line.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "append_markdown")]
    pub struct AppendMarkdown {
        pub markdown: String as NonEmptyText<CONTENT_MAX>,
    }
    example = {"op": "append_markdown", "markdown": "## Fruit\n\n- apples"};

    /// Replaces each occurrence of a text. Occurrences do not overlap.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_text")]
    pub struct ReplaceTextInNote {
        /// The exact text to find.
        pub find: String as NonEmptyText<10_000>,
        /// The new text.
        pub replace: String as Text<10_000>,
        /// The number of occurrences. Another number is refused.
        pub expected_count: i64 as Integer<1, 1_000_000>,
    }
    example = {"op": "replace_text", "find": "Tuesday", "replace": "Thursday", "expected_count": 1};

    /// Replaces all tags.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_tags")]
    pub struct SetTags {
        pub tags: Vec<String> as Tags,
    }
    example = {"op": "set_tags", "tags": ["home", "weekly"]};

    /// Sets one or both flags. An absent flag stays as it is.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_flags")]
    pub struct SetFlags {
        /// Whether it is listed before other notes.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pinned: Option<bool>,
        /// Whether it is archived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub archived: Option<bool>,
    }
    example = {"op": "set_flags", "pinned": true};
    check = check_flags;
}

fn check_flags(reader: &JsonReader<'_>, flags: Option<&SetFlags>) {
    if flags.is_some_and(|flags| flags.pinned.is_none() && flags.archived.is_none()) {
        reader.note("", "must have the member \"pinned\" or \"archived\"");
    }
}
