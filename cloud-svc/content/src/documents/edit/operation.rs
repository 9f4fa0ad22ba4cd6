//! The operations on documents.

use serde::Serialize;
use shared_model::{
    JsonReader,
    rule::{Array, Integer, NonEmptyText, Text},
};

use crate::{
    documents::{
        content::{annotation::Annotation, block::Block, settings::DocumentSettings},
        markdown::blocks::MarkdownBlocks,
    },
    part_id::PartId,
    parts::check_after_id,
};

crate::operations! {
    /// An edit of a document.
    pub enum DocumentOperation {
        "insert_block" => InsertBlock,
        "insert_block_before" => InsertBlockBefore,
        "insert_markdown" => InsertMarkdown,
        "replace_block" => ReplaceBlock,
        "replace_markdown" => ReplaceMarkdown,
        "delete_block" => DeleteBlock,
        "move_block" => MoveBlock,
        "replace_text" => ReplaceTextInBlock,
        "set_settings" => SetSettings,
        "set_annotations" => SetAnnotations,
    }
}

shared_model::json_object! {
    /// Inserts a block.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_block")]
    pub struct InsertBlock {
        pub block: Block,
        /// Inserts after this block, or at the end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }
    example = {"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Agreed."}]}, "after_id": "title"};

    /// Inserts a block before another.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_block_before")]
    pub struct InsertBlockBefore {
        pub block: Block,
        pub before_id: PartId,
    }

    /// Inserts the blocks that a text in Markdown becomes (CommonMark with tables). The preview shows them.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_markdown")]
    pub struct InsertMarkdown {
        #[serde(rename = "markdown")]
        pub blocks: Vec<Block> as MarkdownBlocks,
        /// Inserts after this block. Without it and `before_id`: at the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
        /// Inserts before this block.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub before_id: Option<PartId>,
    }
    example = {"op": "insert_markdown", "markdown": "## Next steps\n\n- Ask the *printer*\n", "after_id": "title"};
    check = check_one_place;

    /// Replaces a block, which keeps its id.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_block")]
    pub struct ReplaceBlock {
        pub block_id: PartId,
        /// The new block. Its `id` must be absent or the same.
        pub block: Block,
    }

    /// Replaces a block with the blocks that a text in Markdown becomes. The first of them keeps its id.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_markdown")]
    pub struct ReplaceMarkdown {
        pub block_id: PartId,
        #[serde(rename = "markdown")]
        pub blocks: Vec<Block> as MarkdownBlocks,
    }
    example = {"op": "replace_markdown", "block_id": "title", "markdown": "# Minutes of Tuesday"};

    /// Deletes a block.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_block")]
    pub struct DeleteBlock {
        pub block_id: PartId,
    }

    /// Moves a block.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_block")]
    pub struct MoveBlock {
        pub block_id: PartId,
        /// Moves after this block, or to the beginning if null.
        pub after_id: Option<PartId> | null,
    }
    check = check_after_id;

    /// Replaces each occurrence of a text in a block. The new text has the style in which the occurrence begins.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_text")]
    pub struct ReplaceTextInBlock {
        pub block_id: PartId,
        /// The exact text to find.
        pub find: String as NonEmptyText<10_000>,
        /// The new text.
        pub replace: String as Text<10_000>,
        /// The number of occurrences. Another number is refused.
        pub expected_count: i64 as Integer<1, 1_000_000>,
    }

    /// Sets the layout of the document.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_settings")]
    pub struct SetSettings {
        pub settings: DocumentSettings,
    }

    /// Replaces all remarks on blocks.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_annotations")]
    pub struct SetAnnotations {
        pub annotations: Vec<Annotation> as Array<Annotation, 0, 100>,
    }
}

fn check_one_place(reader: &JsonReader<'_>, insert: Option<&InsertMarkdown>) {
    if insert.is_some_and(|insert| insert.after_id.is_some() && insert.before_id.is_some()) {
        reader.note("", "must have at most one of \"after_id\" and \"before_id\"");
    }
}
