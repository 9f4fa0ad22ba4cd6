//! The blocks of documents.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_model::{
    JsonReader,
    openapi_schema::ObjectSchema,
    rule::{Array, Rule},
};
use utoipa::openapi::{Object, ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};

use super::segment::Segment;
use crate::{part_id::PartId, parts::Part};

shared_model::json_object! {
    /// One block of a document.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Block {
        /// Names the block in edits and comments; unique in the document. Random if a request has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<PartId>,
        #[serde(rename = "type")]
        pub kind: BlockType,
        /// The text; empty in a divider and in a table.
        pub segments: Vec<Segment> as Segments,
        /// The rows of a table, with the same number of cells each. Required in a table and absent elsewhere.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rows: Option<Vec<Vec<Cell>>> as Array<Array<Segments, 1, 26>, 1, 100>,
    }
    check = check_type;
    describe = shapes;
}

impl Part for Block {
    fn id(&self) -> Option<&PartId> {
        self.id.as_ref()
    }
}

shared_model::text_enum! {
    /// The type of a block.
    pub enum BlockType {
        Paragraph = "paragraph",
        Heading1 = "heading1",
        Heading2 = "heading2",
        Bullet = "bullet",
        Number = "number",
        Quote = "quote",
        Divider = "divider",
        Table = "table",
    }
}

/// The most blocks of a document.
pub const BLOCKS: usize = 200;

pub type Cell = Vec<Segment>;

type Segments = Array<Segment, 0, 100>;

// States the rules of `check_type` in OpenAPI. Generators make one type of each shape and name it by the title.
fn shapes(block: ObjectSchema) -> RefOr<Schema> {
    let block: Object = block.into();
    let shape = |title: &str, description: &str, kinds: &[BlockType]| {
        let words = kinds.iter().map(|kind| kind.as_str());
        let kind = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
        let mut shape = block.clone();
        shape.title = Some(title.to_owned());
        shape.description = Some(description.to_owned());
        shape.properties.insert("type".to_owned(), kind.into());
        if kinds == [BlockType::Table] {
            shape.required.push("rows".to_owned());
        } else {
            shape.properties.remove("rows");
        }
        if matches!(kinds, [BlockType::Divider | BlockType::Table]) {
            shape.properties.insert("segments".to_owned(), <Array<Segment, 0, 0> as Rule>::schema());
        }
        shape
    };
    let all = BlockType::ALL.iter().map(|(_, kind)| *kind);
    let of_text: Vec<_> = all.filter(|kind| !matches!(kind, BlockType::Divider | BlockType::Table)).collect();
    OneOfBuilder::new()
        .description(block.description.clone())
        .item(shape("TextBlock", "A paragraph, a heading, an item of a list or a quotation.", &of_text))
        .item(shape("DividerBlock", "A line across the page, without text.", &[BlockType::Divider]))
        .item(shape("TableBlock", "Rows of the same number of cells.", &[BlockType::Table]))
        .into()
}

// Reads the untyped value: there is no typed one when a member is wrong, and all problems are reported at once.
fn check_type(reader: &JsonReader<'_>, _: Option<&Block>) {
    let member = |name| reader.value().get(name);
    let items = |value: &Value| value.as_array().map_or(0, Vec::len);
    let Some(kind) = member("type").and_then(Value::as_str).and_then(BlockType::from_word) else { return };
    let has_text = member("segments").is_some_and(|segments| items(segments) > 0);
    match kind {
        BlockType::Divider if has_text => reader.note("/segments", "must be empty in a divider"),
        BlockType::Table if has_text => {
            reader.note("/segments", "must be empty in a table, whose text is in its rows");
        }
        _ => {}
    }
    match (kind, member("rows")) {
        (BlockType::Table, None) => reader.note("", "must have the member \"rows\""),
        (BlockType::Table, Some(rows)) => {
            let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
            let width = rows.first().map_or(0, items);
            for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.is_array() && items(row) != width) {
                let rule = format!("must have as many cells as the first row, {width}, has {}", items(row));
                reader.note(&format!("/rows/{index}"), rule);
            }
        }
        (_, Some(_)) => reader.note("/rows", "must be absent but in a table"),
        (_, None) => {}
    }
}
