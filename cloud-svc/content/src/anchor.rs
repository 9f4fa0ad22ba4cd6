//! What comments are about.

use serde::{Deserialize, Serialize};
use shared_model::{JsonReader, rule::OneLine};

use super::part_id::PartId;

shared_model::json_object! {
    /// What a comment is about: a part, a slide, a range of cells, or the whole file.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Anchor {
        /// A block of a document, a page or element of a publication, or an element of a presentation.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub block_id: Option<PartId>,
        /// A slide of a presentation.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub slide_id: Option<PartId>,
        /// Cells of a spreadsheet: `Budget!A1:B2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub range: Option<String> as OneLine<30>,
    }
    example = {"block_id": "title"};
    check = check_one;
}

// An anchor is one place.
fn check_one(reader: &JsonReader<'_>, anchor: Option<&Anchor>) {
    let Some(Anchor { block_id, slide_id, range }) = anchor else { return };
    let members = usize::from(block_id.is_some()) + usize::from(slide_id.is_some()) + usize::from(range.is_some());
    if members > 1 {
        reader.note("", "must have at most one of block_id, slide_id and range");
    }
}

impl Anchor {
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }
}

impl std::fmt::Display for Anchor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = self.block_id.as_ref().or(self.slide_id.as_ref()).map(PartId::as_str).or(self.range.as_deref());
        f.write_str(place.unwrap_or_default())
    }
}
