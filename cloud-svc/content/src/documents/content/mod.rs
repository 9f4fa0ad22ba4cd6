//! The content of documents.

pub mod annotation;
pub mod block;
pub mod segment;
pub mod settings;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_model::{JsonReader, rule::Array};

use self::{
    annotation::Annotation,
    block::{BLOCKS, Block},
    settings::DocumentSettings,
};

/// The most bytes of text in all segments of a document.
pub const TEXT_BYTES: usize = 750_000;

shared_model::json_object! {
    /// A document.
    // The order of the fields is the order of the members in the canonical text.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DocumentContent {
        pub kind: DocumentKind,
        /// The blocks in reading order. All texts together have at most 750000 bytes.
        pub blocks: Vec<Block> as Array<Block, 1, BLOCKS>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub settings: Option<DocumentSettings>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub annotations: Option<Vec<Annotation>> as Array<Annotation, 0, 100>,
    }
    example = {
        "kind": "docs",
        "blocks": [
            {"id": "title", "type": "heading1", "segments": [{"text": "Minutes"}]},
            {"id": "who", "type": "paragraph", "segments": [{"text": "Present: "}, {"text": "all of us", "bold": true}]},
            {"id": "when", "type": "table", "segments": [], "rows": [[[{"text": "Begin"}], [{"text": "9:30"}]]]}
        ],
        "settings": {"page": "A4", "reading": "paged"},
        "annotations": [{"block": 1, "text": "Is that so?"}]
    };
    check = check_whole;
}

shared_model::text_enum! {
    /// The kind of document content.
    pub enum DocumentKind {
        Docs = "docs",
    }
}

// Reads the untyped value: there is no typed one when a member is wrong, and all problems are reported at once.
fn check_whole(reader: &JsonReader<'_>, _: Option<&DocumentContent>) {
    let Some(blocks) = reader.value().get("blocks").and_then(Value::as_array) else { return };
    let mut ids = HashSet::new();
    for (index, block) in blocks.iter().enumerate() {
        if block.get("id").and_then(Value::as_str).is_some_and(|id| !ids.insert(id)) {
            reader.note(&format!("/blocks/{index}/id"), "must be unique among the blocks");
        }
    }
    let bytes: usize = blocks.iter().map(text_bytes).sum();
    if bytes > TEXT_BYTES {
        reader.note("/blocks", format!("must have at most {TEXT_BYTES} bytes of text in all, has {bytes}"));
    }
    let annotations = reader.value().get("annotations").and_then(Value::as_array);
    for (index, annotation) in annotations.into_iter().flatten().enumerate() {
        let block = annotation.get("block").and_then(Value::as_u64);
        // From `BLOCKS` on, the rule of the member itself has noted the index already.
        if block.is_some_and(|block| (blocks.len() as u64..BLOCKS as u64).contains(&block)) {
            let rule = format!("must be the index of one of the {} blocks", blocks.len());
            reader.note(&format!("/annotations/{index}/block"), rule);
        }
    }
}

/// The bytes of all texts within a value.
fn text_bytes(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(text_bytes).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| match member {
                Value::String(text) if name == "text" => text.len(),
                member => text_bytes(member),
            })
            .sum(),
        _ => 0,
    }
}
