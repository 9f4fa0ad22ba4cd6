//! Document content (spec: Document content): read whole with every problem told, written in one canonical form.

pub mod annotation;
pub mod block;
pub mod block_id;
pub mod segment;
pub mod settings;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;
use shared_model::{Failure, FromJson, JsonReader};
use shared_runtime::base::random::Random;
use utoipa::ToSchema;

use crate::versions::CanonicalContent;

pub use annotation::Annotation;
pub use block::{Block, BlockType};
pub use block_id::BlockId;
pub use segment::Segment;
pub use settings::Settings;

/// Blocks of a document at most.
pub const BLOCKS: usize = 200;
/// Annotations of a document at most.
pub const ANNOTATIONS: usize = 100;
/// Bytes of the text of all segments of a document at most.
pub const TEXT_BYTES: usize = 750_000;

/// What a document says. The order of members here is the order in which they are stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DocumentContent, example = json!({
    "kind": "docs",
    "blocks": [
        {"id": "title", "type": "heading1", "segments": [{"text": "Minutes"}]},
        {"id": "who", "type": "paragraph", "segments": [{"text": "Present: "}, {"text": "all of us", "bold": true}]},
        {"id": "when", "type": "table", "segments": [], "rows": [[[{"text": "Begin"}], [{"text": "9:30"}]]]}
    ],
    "settings": {"page": "A4", "reading": "paged"},
    "annotations": [{"block": 1, "text": "Is that so?"}]
}))]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The kind of content.
    pub kind: Kind,
    /// The blocks in reading order; 750000 bytes of text in all at most.
    #[schema(min_items = 1, max_items = 200)]
    pub blocks: Vec<Block>,
    /// How it is laid out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub settings: Option<Settings>,
    /// Remarks on blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 100)]
    pub annotations: Option<Vec<Annotation>>,
}

/// The kind of content that a document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DocumentKind)]
pub enum Kind {
    /// Blocks of text.
    #[serde(rename = "docs")]
    Docs,
}

impl Content {
    /// The smallest document: one empty paragraph.
    pub fn empty() -> Self {
        Self { kind: Kind::Docs, blocks: vec![Block::empty_paragraph()], settings: None, annotations: None }
    }

    /// The canonical text. Blocks without an id get one that cannot be guessed, and so is no other block's.
    pub fn into_canonical(mut self, random: &Random) -> Result<CanonicalContent, Failure> {
        for block in &mut self.blocks {
            block.id.get_or_insert_with(|| BlockId::drawn(random));
        }
        CanonicalContent::of(&self)
    }
}

impl FromJson for Content {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        // Annotations are judged even where a block is wrong, so that all problems are told at once.
        let sent = reader.value().get("blocks").and_then(Value::as_array).map_or(BLOCKS, Vec::len);
        reader.object(|object| {
            let kind = object.required("kind", |reader| reader.one_of(&[("docs", Kind::Docs)]));
            let blocks = object.required("blocks", read_blocks);
            let settings = object.optional("settings", Settings::from_json);
            let annotations = object.optional("annotations", |reader| {
                reader.array(0..=ANNOTATIONS, |reader| Annotation::read(reader, sent))
            });
            Some(Self { kind: kind?, blocks: blocks?, settings: settings?, annotations: annotations? })
        })
    }
}

fn read_blocks(reader: &JsonReader<'_>) -> Option<Vec<Block>> {
    let mut ids = HashSet::new();
    let blocks = reader.array(1..=BLOCKS, |reader| Block::read(reader, &mut ids))?;
    let bytes: usize = blocks.iter().map(Block::text_bytes).sum();
    if bytes > TEXT_BYTES {
        return reader.refuse(format!("must have at most {TEXT_BYTES} bytes of text in all, has {bytes}"));
    }
    Some(blocks)
}
