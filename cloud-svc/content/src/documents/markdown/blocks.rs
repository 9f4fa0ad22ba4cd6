//! Markdown as a member of an operation.

use shared_model::{
    JsonReader, problem,
    rule::{Array, NonEmptyText, Rule},
};
use utoipa::openapi::{RefOr, Schema};

use super::read::read;
use crate::{
    documents::content::block::{BLOCKS, Block},
    limits::REQUEST_BYTES,
};

/// Text that becomes blocks. Stored operations have the blocks, with their ids: a rebase inserts the same ones.
pub struct MarkdownBlocks;

type Markdown = NonEmptyText<REQUEST_BYTES>;

impl Rule for MarkdownBlocks {
    type Value = Vec<Block>;

    fn read(reader: &JsonReader<'_>) -> Option<Vec<Block>> {
        if reader.value().is_array() {
            return Array::<Block, 1, BLOCKS>::read(reader);
        }
        match read(&Markdown::read(reader)?) {
            Ok(read) => Some(read.content.blocks),
            Err(problems) => {
                reader.refuse(format!("becomes a document that is refused: {}", problem::describe(&problems)))
            }
        }
    }

    fn schema() -> RefOr<Schema> {
        Markdown::schema()
    }
}
