//! Document content (spec: Document content): read with every problem noted, written in one canonical form.

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

/// Bytes of the text of all segments of a document at most.
pub const TEXT_BYTES: usize = 750_000;

shared_model::json_object! {
    /// What a document says. The order of members here is the order in which they are stored and shown.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DocumentContent {
        /// The kind of content.
        pub kind: DocumentKind,
        /// The blocks in reading order; 750000 bytes of text in all at most.
        pub blocks: Vec<Block> as Array<Block, 1, BLOCKS>,
        /// How it is laid out.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub settings: Option<DocumentSettings>,
        /// Remarks on blocks.
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
    /// The kind of content that a document has.
    pub enum DocumentKind {
        /// Blocks of text.
        Docs = "docs",
    }
}

/// Ids are unique, annotations are of blocks that are there, and the text has a bound. All of it is judged even where a
/// member is wrong, so that all problems are told at once.
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
        if block.is_some_and(|block| (blocks.len() as u64..BLOCKS as u64).contains(&block)) {
            let rule = format!("must be the index of a block, of which there are {}", blocks.len());
            reader.note(&format!("/annotations/{index}/block"), rule);
        }
    }
}

/// Bytes of the text of all segments within a value.
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
