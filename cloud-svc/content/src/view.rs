//! Views of content: all of it, or a part that helps an agent to find its way.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use shared_model::Failure;

shared_model::text_enum! {
    /// A view of content.
    pub enum View {
        Full = "full",
        /// Headings, pages or slides, with the ids to read more of them.
        Outline = "outline",
        /// The text as Markdown.
        Markdown = "markdown",
        /// Some blocks, or all blocks page by page.
        Blocks = "blocks",
    }
}

pub const FULL: (&str, View) = ("full", View::Full);
pub const OUTLINE: (&str, View) = ("outline", View::Outline);
pub const MARKDOWN: (&str, View) = ("markdown", View::Markdown);
pub const BLOCKS: (&str, View) = ("blocks", View::Blocks);

pub fn raw<T: Serialize>(entries: &[T]) -> Result<Vec<Box<RawValue>>, Failure> {
    Ok(entries.iter().map(to_raw_value).collect::<Result<_, _>>()?)
}
