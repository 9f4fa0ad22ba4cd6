//! Publications: pages with elements.

pub mod content;
pub mod edit;

use std::collections::BTreeSet;

use shared_model::{Error, Failure, Name, Random};

use self::{
    content::{Orientation, Page, PageFormat, PublicationContent, PublicationFormat},
    edit::operation::PublicationOperation,
};
use crate::{
    anchor::Anchor,
    canvas::{self, outline::CanvasOutline, schema_version::SchemaVersion},
    content::{Content, PartKey},
    grid::{Area, Grid, Sources},
    native_kind::{NativeKind, native_kind},
    part_id::PartId,
    passage::Passage,
    preview::Preview,
    view::{self, View},
    written::{Spot, Written},
};

const KIND: NativeKind = native_kind!(
    Publication, "publication", "Publication", plan_kind = "publication", file_ends = [],
    create = { "Without `content` it has one empty a4 page. Pages and elements without an `id` get one.", refuses = &[] },
    read = { "Positions and sizes of elements are percentages of the page.", refuses = &[] },
);

impl Content for PublicationContent {
    const KIND: &'static NativeKind = &KIND;
    const VIEWS: &'static [(&'static str, View)] = &[view::FULL, view::OUTLINE, view::MARKDOWN];
    type Operation = PublicationOperation;
    type OutlineEntry = CanvasOutline;

    fn smallest(_: &Name) -> Self {
        let page = Page {
            id: None,
            name: "Page 1".to_owned(),
            size: PageFormat::A4,
            orientation: Orientation::Portrait,
            background: "#ffffff".to_owned(),
            elements: Vec::new(),
        };
        Self { format: PublicationFormat::Native, schema_version: SchemaVersion, pages: vec![page] }
    }

    fn give_ids(&mut self, random: &Random) {
        self.pages.iter_mut().for_each(|page| canvas::edit::give_ids(page, random));
    }

    fn give_ids_in(operation: &mut PublicationOperation, random: &Random) {
        match operation {
            PublicationOperation::InsertPage(insert) => canvas::edit::give_ids(&mut insert.page, random),
            PublicationOperation::ReplacePage(replace) => {
                // The page itself keeps the id of the page that it replaces.
                replace.page.elements.iter_mut().for_each(|element| canvas::edit::give_id(element, random));
            }
            PublicationOperation::InsertElement(insert) => canvas::edit::give_id(&mut insert.element, random),
            _ => {}
        }
    }

    fn edit(&mut self, operation: &PublicationOperation, preview: &mut Preview) -> Result<(), Error> {
        edit::edit(&mut self.pages, operation, preview)
    }

    fn after_id_of(operation: &mut PublicationOperation) -> Option<&mut Option<PartId>> {
        match operation {
            PublicationOperation::InsertPage(operation) => Some(&mut operation.after_id),
            PublicationOperation::MovePage(operation) => Some(&mut operation.after_id),
            PublicationOperation::InsertElement(operation) => Some(&mut operation.after_id),
            PublicationOperation::MoveElement(operation) => Some(&mut operation.after_id),
            _ => None,
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        canvas::part_ids(&self.pages)
    }

    fn grids(&self) -> Vec<Grid> {
        canvas::authored::grids(&self.pages)
    }

    fn sources(&self, later: &Self, _: Option<&[PublicationOperation]>) -> Sources {
        canvas::authored::sources(&self.pages, &later.pages)
    }

    fn place_of(&self, grid: usize, area: &Area) -> String {
        canvas::authored::place(&self.pages, grid, area)
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        canvas::passages(&self.pages)
    }

    fn written(&self) -> Vec<Written<'_>> {
        canvas::written(&self.pages, Spot::Block)
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        canvas::edit::differences(&self.pages, &later.pages)
    }

    fn compare(&self, later: &Self, preview: &mut Preview) -> Result<(), Error> {
        canvas::edit::compare(&self.pages, &later.pages, preview)
    }

    fn surroundings(&self, keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
        canvas::edit::surroundings(&self.pages, keys)
    }

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        canvas::outline::outline(&self.pages)
    }

    fn marked_down(&self) -> String {
        canvas::markdown::markdown(&self.pages)
    }

    fn changes_at(&self, later: &Self, _: Option<&[PublicationOperation]>, places: &[Anchor]) -> Vec<bool> {
        canvas::authored::changes_at(&self.pages, &later.pages, places)
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        let Anchor { block_id, slide_id, range } = anchor;
        let has_block = block_id.as_ref().is_none_or(|id| self.part_ids().contains(&id));
        has_block && slide_id.is_none() && range.is_none()
    }
}
