//! The edits of a note.

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
        /// The title.
        pub title: String as Title,
    }
    example = {"op": "set_title", "title": "Shopping"};

    /// Sets the whole text.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_content")]
    pub struct SetContent {
        /// The text.
        pub content: String as Text<CONTENT_MAX>,
    }
    example = {"op": "set_content", "content": "- bread\n- coffee"};

    /// Adds to the end of the text, to the letter: a line break before it is yours to send.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "append_text")]
    pub struct AppendText {
        /// What is added.
        pub text: String as Text<CONTENT_MAX>,
    }
    example = {"op": "append_text", "text": "\n- apples"};

    /// Replaces text within the text; hits do not overlap.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_text")]
    pub struct ReplaceTextInNote {
        /// What is looked for, to the letter.
        pub find: String as NonEmptyText<10_000>,
        /// What it becomes.
        pub replace: String as Text<10_000>,
        /// How often it must be there.
        pub expected_count: i64 as Integer<1, 1_000_000>,
    }
    example = {"op": "replace_text", "find": "Tuesday", "replace": "Thursday", "expected_count": 1};

    /// Sets all tags.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_tags")]
    pub struct SetTags {
        /// The tags.
        pub tags: Vec<String> as Tags,
    }
    example = {"op": "set_tags", "tags": ["home", "weekly"]};

    /// Sets one flag or both.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_flags")]
    pub struct SetFlags {
        /// Whether it stands before others; absent: as it was.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pinned: Option<bool>,
        /// Whether it is put away; absent: as it was.
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
