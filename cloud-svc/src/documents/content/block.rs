//! A block: a paragraph, a heading, an item, a quotation, a divider or a table.

use std::collections::HashSet;

use serde::Serialize;
use shared_model::{FromJson, JsonReader};
use utoipa::{
    ToSchema,
    openapi::{ArrayBuilder, RefOr, Schema, schema::Ref},
};

use super::{BlockId, Segment};

/// Segments of a block or of a cell at most.
pub const SEGMENTS: usize = 100;
/// Rows of a table at most.
pub const ROWS: usize = 100;
/// Cells of a row at most.
pub const CELLS: usize = 26;

/// A cell of a table.
pub type Cell = Vec<Segment>;

/// One block of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Names the block for edits and comments, unique in the document. Drawn when absent from a request, never absent
    /// from an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub id: Option<BlockId>,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: BlockType,
    /// Its text; empty in a divider and in a table.
    #[schema(max_items = 100)]
    pub segments: Vec<Segment>,
    /// Only in a table, and required there: 1 to 100 rows of the same 1 to 26 cells, each 0 to 100 segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = rows_schema)]
    pub rows: Option<Vec<Vec<Cell>>>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BlockType {
    /// A paragraph.
    Paragraph,
    /// A heading of the first level.
    Heading1,
    /// A heading of the second level.
    Heading2,
    /// An item of a bulleted list.
    Bullet,
    /// An item of a numbered list.
    Number,
    /// A quotation.
    Quote,
    /// A line across the page, without text.
    Divider,
    /// Rows of cells.
    Table,
}

const TYPES: &[(&str, BlockType)] = &[
    ("paragraph", BlockType::Paragraph),
    ("heading1", BlockType::Heading1),
    ("heading2", BlockType::Heading2),
    ("bullet", BlockType::Bullet),
    ("number", BlockType::Number),
    ("quote", BlockType::Quote),
    ("divider", BlockType::Divider),
    ("table", BlockType::Table),
];

impl Block {
    /// A paragraph without text or id.
    pub fn empty_paragraph() -> Self {
        Self { id: None, kind: BlockType::Paragraph, segments: Vec::new(), rows: None }
    }

    /// Reads a block whose id, if it has one, must not be among `ids`, and joins them.
    pub fn read(reader: &JsonReader<'_>, ids: &mut HashSet<BlockId>) -> Option<Self> {
        reader.object(|object| {
            let id = object.optional("id", |reader| {
                let id = BlockId::from_json(reader)?;
                if ids.insert(id.clone()) { Some(id) } else { reader.refuse("must be unique among the blocks") }
            });
            let kind = object.required("type", |reader| reader.one_of(TYPES));
            let segments = object.required("segments", |reader| match kind {
                Some(BlockType::Divider) => empty_segments(reader, "must be empty in a divider"),
                Some(BlockType::Table) => empty_segments(reader, "must be empty in a table, whose text is in its rows"),
                _ => read_segments(reader),
            });
            let rows = match kind {
                Some(BlockType::Table) => object.required("rows", read_rows).map(Some),
                Some(_) => object.optional("rows", |reader| reader.refuse("must be absent but in a table")),
                None => object.optional("rows", read_rows),
            };
            Some(Self { id: id?, kind: kind?, segments: segments?, rows: rows? })
        })
    }

    /// Bytes of its text, that of a table's cells included.
    pub fn text_bytes(&self) -> usize {
        let cells = self.rows.iter().flatten().flatten().flatten();
        self.segments.iter().chain(cells).map(|segment| segment.text.len()).sum()
    }
}

fn read_segments(reader: &JsonReader<'_>) -> Option<Vec<Segment>> {
    reader.array(0..=SEGMENTS, Segment::from_json)
}

fn empty_segments(reader: &JsonReader<'_>, rule: &'static str) -> Option<Vec<Segment>> {
    let segments = read_segments(reader)?;
    if segments.is_empty() { Some(segments) } else { reader.refuse(rule) }
}

fn read_rows(reader: &JsonReader<'_>) -> Option<Vec<Vec<Cell>>> {
    let mut width = None;
    reader.array(1..=ROWS, |reader| {
        let row = reader.array(1..=CELLS, read_segments)?;
        let width = *width.get_or_insert(row.len());
        if row.len() == width {
            Some(row)
        } else {
            reader.refuse(format!("must have as many cells as the first row, {width}, has {}", row.len()))
        }
    })
}

fn rows_schema() -> RefOr<Schema> {
    let segment = Ref::from_schema_name(Segment::name());
    let cell = ArrayBuilder::new().items(segment).max_items(Some(SEGMENTS));
    let row = ArrayBuilder::new().items(cell).min_items(Some(1)).max_items(Some(CELLS));
    ArrayBuilder::new().items(row).min_items(Some(1)).max_items(Some(ROWS)).into()
}
