//! The outline of a document: `view=outline`.

use serde::Serialize;
use utoipa::ToSchema;

use super::content::{
    DocumentContent,
    block::{Block, BlockType},
};
use crate::{excerpt::excerpt, part_id::PartId};

/// A heading, a table, or the first block of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({"block_id": "title", "type": "heading1", "text": "Minutes", "level": 1, "blocks": 2}))]
pub struct OutlineEntry {
    pub block_id: Option<PartId>,
    #[serde(rename = "type")]
    pub kind: BlockType,
    /// The first 120 characters of its text, or of a table's first row: untrusted.
    #[schema(max_length = 480)]
    pub text: String,
    /// The level, in a heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 2)]
    pub level: Option<u8>,
    /// The number of rows, in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The number of blocks between this entry and the next.
    pub blocks: usize,
}

// The first block is an entry whatever its type, so that every block is an entry or follows one.
pub fn outline(content: &DocumentContent) -> Vec<OutlineEntry> {
    let mut entries: Vec<OutlineEntry> = Vec::new();
    for block in &content.blocks {
        let level = match block.kind {
            BlockType::Heading1 => Some(1),
            BlockType::Heading2 => Some(2),
            _ => None,
        };
        match entries.last_mut() {
            Some(last) if level.is_none() && block.kind != BlockType::Table => last.blocks += 1,
            _ => entries.push(OutlineEntry {
                block_id: block.id.clone(),
                kind: block.kind,
                text: beginning(block),
                level,
                rows: block.rows.as_ref().map(Vec::len),
                blocks: 0,
            }),
        }
    }
    entries
}

/// The text of a block, or the first row of a table with `|` between its cells.
fn beginning(block: &Block) -> String {
    let text = block.segments.iter().map(|segment| segment.text.as_str());
    let row = block.rows.iter().flatten().take(1).flatten().enumerate();
    let cells = row.flat_map(|(index, cell)| {
        let line = (index > 0).then_some(" | ");
        line.into_iter().chain(cell.iter().map(|segment| segment.text.as_str()))
    });
    excerpt(text.chain(cells))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_model::json_reader;

    use super::*;

    #[test]
    fn every_block_is_an_entry_or_follows_one() {
        let text = |kind: &str, text: &str| json!({"id": text, "type": kind, "segments": [{"text": text}]});
        let cell = |text: &str| json!([{"text": text}]);
        let blocks = json!([
            text("paragraph", "preface"),
            text("bullet", "b1"),
            text("heading1", "one"),
            {"id": "t", "type": "table", "segments": [], "rows": [[cell("x"), cell("y")], [cell("1"), cell("2")]]},
            text("quote", "q"),
            text("heading2", "two"),
        ]);
        let content: DocumentContent =
            json_reader::read(&json!({"kind": "docs", "blocks": blocks})).expect("a document");
        assert_eq!(
            serde_json::to_value(outline(&content)).expect("JSON"),
            json!([
                {"block_id": "preface", "type": "paragraph", "text": "preface", "blocks": 1},
                {"block_id": "one", "type": "heading1", "text": "one", "level": 1, "blocks": 0},
                {"block_id": "t", "type": "table", "text": "x | y", "rows": 2, "blocks": 1},
                {"block_id": "two", "type": "heading2", "text": "two", "level": 2, "blocks": 0}
            ])
        );
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let block = json!({"type": "heading1", "segments": [{"text": "é\n".repeat(59)}, {"text": "日本語"}]});
        let content: DocumentContent =
            json_reader::read(&json!({"kind": "docs", "blocks": [block]})).expect("a document");
        assert_eq!(outline(&content)[0].text, "é ".repeat(59) + "日本");
    }
}
