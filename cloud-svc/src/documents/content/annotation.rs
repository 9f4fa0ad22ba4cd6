//! A remark on a block.

use serde::Serialize;
use shared_model::JsonReader;
use utoipa::ToSchema;

use super::BLOCKS;

/// Characters and bytes of a remark at most.
pub const TEXT: usize = 500;

/// A remark on a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// The index of the block in the document; there must be one.
    #[schema(minimum = 0, maximum = 199)]
    pub block: u8,
    /// The remark: at most 500 characters and 500 bytes.
    #[schema(max_length = 500)]
    pub text: String,
}

impl Annotation {
    /// Reads a remark on one of `blocks` blocks.
    pub fn read(reader: &JsonReader<'_>, blocks: usize) -> Option<Self> {
        reader.object(|object| {
            let block = object.required("block", |reader| {
                let index = u8::try_from(reader.integer(0..=BLOCKS as i64 - 1)?).ok()?;
                if usize::from(index) < blocks {
                    Some(index)
                } else {
                    reader.refuse(format!("must be the index of a block, of which there are {blocks}"))
                }
            });
            let text = object.required("text", |reader| reader.text(TEXT));
            Some(Self { block: block?, text: text? })
        })
    }
}
