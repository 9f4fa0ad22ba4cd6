//! Views of content: all of it, or a part that helps an agent to find its way.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Error, Failure, Problem, Refusal};
use utoipa::ToSchema;

use crate::base::codes;
use cloud_content::{
    canvas,
    content::Content,
    documents::{self, content::DocumentContent},
    notes::{self, content::NoteContent},
    part_id::PartId,
    presentations::content::PresentationContent,
    publications::content::PublicationContent,
    spreadsheets::content::SpreadsheetContent,
};

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

pub trait Viewed: Content {
    const VIEWS: &'static [(&'static str, View)];

    /// `()` without an outline.
    type OutlineEntry: Serialize + ToSchema;

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        Vec::new()
    }

    fn marked_down(&self) -> String {
        String::new()
    }

    /// The blocks with these ids, or all if there are no ids; 422 for an unknown id.
    fn blocks(&self, ids: &[PartId]) -> Result<Vec<Box<RawValue>>, Error> {
        let _ = ids;
        Ok(Vec::new())
    }
}

const FULL: (&str, View) = ("full", View::Full);
const OUTLINE: (&str, View) = ("outline", View::Outline);
const MARKDOWN: (&str, View) = ("markdown", View::Markdown);
const BLOCKS: (&str, View) = ("blocks", View::Blocks);

pub fn raw<T: Serialize>(entries: &[T]) -> Result<Vec<Box<RawValue>>, Failure> {
    Ok(entries.iter().map(to_raw_value).collect::<Result<_, _>>()?)
}

impl Viewed for DocumentContent {
    const VIEWS: &'static [(&'static str, View)] = &[FULL, OUTLINE, MARKDOWN, BLOCKS];

    type OutlineEntry = documents::outline::OutlineEntry;

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        documents::outline::outline(self)
    }

    fn marked_down(&self) -> String {
        documents::markdown::write::write(self)
    }

    fn blocks(&self, ids: &[PartId]) -> Result<Vec<Box<RawValue>>, Error> {
        let there: HashSet<&PartId> = self.part_ids().into_iter().collect();
        let missing: Vec<_> = ids.iter().filter(|id| !there.contains(id)).map(no_such_block).collect();
        if !missing.is_empty() {
            return Err(Refusal::problems(&codes::BLOCK_NOT_FOUND, missing).into());
        }
        let is_wanted = |id: &Option<PartId>| ids.is_empty() || id.as_ref().is_some_and(|id| ids.contains(id));
        let wanted: Vec<_> = self.blocks.iter().filter(|block| is_wanted(&block.id)).collect();
        Ok(raw(&wanted)?)
    }
}

fn no_such_block(id: &PartId) -> Problem {
    Problem { at: "block_ids".to_owned(), rule: format!("must be ids of blocks; the document has no {id}") }
}

impl Viewed for SpreadsheetContent {
    const VIEWS: &'static [(&'static str, View)] = &[FULL];

    type OutlineEntry = ();
}

impl Viewed for NoteContent {
    const VIEWS: &'static [(&'static str, View)] = &[FULL, OUTLINE, MARKDOWN];

    type OutlineEntry = notes::outline::NoteHeading;

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        notes::outline::outline(self)
    }

    fn marked_down(&self) -> String {
        notes::markdown::markdown(self)
    }
}

impl Viewed for PublicationContent {
    const VIEWS: &'static [(&'static str, View)] = &[FULL, OUTLINE, MARKDOWN];

    type OutlineEntry = canvas::outline::CanvasOutline;

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        canvas::outline::outline(&self.pages)
    }

    fn marked_down(&self) -> String {
        canvas::markdown::markdown(&self.pages)
    }
}

impl Viewed for PresentationContent {
    const VIEWS: &'static [(&'static str, View)] = &[FULL, OUTLINE, MARKDOWN];

    type OutlineEntry = canvas::outline::CanvasOutline;

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        canvas::outline::outline(&self.slides)
    }

    fn marked_down(&self) -> String {
        canvas::markdown::markdown(&self.slides)
    }
}
