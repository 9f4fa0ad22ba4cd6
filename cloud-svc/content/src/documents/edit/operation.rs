//! The edits of a document (spec: edit-plans; the kinds beyond `insert_block` and `replace_block` are ours).

use serde::Serialize;
use shared_model::rule::{Array, Integer, NonEmptyText, Text};

use crate::{
    documents::content::{annotation::Annotation, block::Block, settings::DocumentSettings},
    part_id::PartId,
};

crate::operations! {
    /// An edit of a document.
    pub enum DocumentOperation {
        "insert_block" => InsertBlock,
        "insert_block_before" => InsertBlockBefore,
        "replace_block" => ReplaceBlock,
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
        /// The block.
        pub block: Block,
        /// After which block; absent: at the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }
    example = {"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Agreed."}]}, "after_id": "title"};

    /// Inserts a block before another.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_block_before")]
    pub struct InsertBlockBefore {
        /// The block.
        pub block: Block,
        /// Before which block.
        pub before_id: PartId,
    }

    /// Puts a block in the place of another, whose id it keeps.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_block")]
    pub struct ReplaceBlock {
        /// Which block.
        pub block_id: PartId,
        /// What it becomes; its `id` is absent or the same.
        pub block: Block,
    }

    /// Deletes a block.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_block")]
    pub struct DeleteBlock {
        /// Which block.
        pub block_id: PartId,
    }

    /// Moves a block.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_block")]
    pub struct MoveBlock {
        /// Which block.
        pub block_id: PartId,
        /// After which other block; null: to the beginning.
        pub after_id: Option<PartId> | null,
    }

    /// Replaces text within a block; hits do not overlap, and one that spans styles takes that of its beginning.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_text")]
    pub struct ReplaceTextInBlock {
        /// Which block.
        pub block_id: PartId,
        /// What is looked for, to the letter.
        pub find: String as NonEmptyText<10_000>,
        /// What it becomes.
        pub replace: String as Text<10_000>,
        /// How often it must be there.
        pub expected_count: i64 as Integer<1, 1_000_000>,
    }

    /// Sets how the document is laid out.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_settings")]
    pub struct SetSettings {
        /// How.
        pub settings: DocumentSettings,
    }

    /// Sets all remarks on blocks.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_annotations")]
    pub struct SetAnnotations {
        /// The remarks.
        pub annotations: Vec<Annotation> as Array<Annotation, 0, 100>,
    }
}
