//! The texts of a file that a search knows, and where they stand.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::passage::Place;

/// A text of a file. A word never continues in the next text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    pub spot: Spot<'a>,
    pub text: Cow<'a, str>,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot<'a> {
    /// A member of the record or of the content.
    Member(&'static str),
    /// A block, a page or an element, by its id.
    Block(&'a str),
    /// A slide, by its id.
    Slide(&'a str),
    /// A sheet, by its name.
    Sheet(&'a str),
    /// Rows and columns count from 0.
    Cell { sheet: &'a str, row: usize, column: usize },
    /// A comment, by its number.
    Comment(i64),
}

/// Where a match stands: exactly one member is present. `block_id`, `slide_id` and `range` are places that a comment can be
/// about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Where {
    /// A block of a document, a page or element of a publication, or an element of a presentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, example = "b_1")]
    pub block_id: Option<String>,
    /// A slide of a presentation: its name or its notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, example = "opening")]
    pub slide_id: Option<String>,
    /// A cell of a spreadsheet, such as `Budget!B6`, or a sheet by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, example = "Budget!B6")]
    pub range: Option<String>,
    /// A comment on the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, pattern = "^cmt_[1-9][0-9]{0,14}$", example = "cmt_12")]
    pub comment_id: Option<String>,
    /// `name` is the file's name. `title`, `content` and `tags` are members of a note, `content` also the text of an upload.
    /// `validation` are choices of cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, example = "title")]
    pub member: Option<String>,
}

impl From<Spot<'_>> for Where {
    fn from(spot: Spot<'_>) -> Self {
        match spot {
            Spot::Member(name) => Self { member: Some(name.to_owned()), ..Self::default() },
            Spot::Block(id) => Self { block_id: Some(id.to_owned()), ..Self::default() },
            Spot::Slide(id) => Self { slide_id: Some(id.to_owned()), ..Self::default() },
            Spot::Sheet(name) => Self { range: Some(name.to_owned()), ..Self::default() },
            Spot::Cell { sheet, row, column } => {
                Self { range: Some(Place::Cell { sheet, row, column }.to_string()), ..Self::default() }
            }
            Spot::Comment(number) => Self { comment_id: Some(format!("cmt_{number}")), ..Self::default() },
        }
    }
}
