//! Edits of publications.

pub mod operation;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use shared_model::{Error, Name, Random};

use self::operation::PublicationOperation;
use super::content::{Orientation, Page, PageFormat, PublicationContent, PublicationFormat};
use crate::{
    anchor::Anchor,
    canvas::{self, edit, schema_version::SchemaVersion},
    content::{Content, PartKey},
    file_type::FileType,
    part_id::PartId,
    passage::Passage,
    preview::Preview,
};

impl Content for PublicationContent {
    const TYPE: FileType = FileType::Publication;
    const KIND: &'static str = "publication";
    type Operation = PublicationOperation;

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
        self.pages.iter_mut().for_each(|page| edit::give_ids(page, random));
    }

    fn give_ids_in(operation: &mut PublicationOperation, random: &Random) {
        match operation {
            PublicationOperation::InsertPage(insert) => edit::give_ids(&mut insert.page, random),
            PublicationOperation::ReplacePage(replace) => {
                // The page itself keeps the id of the page that it replaces.
                replace.page.elements.iter_mut().for_each(|element| edit::give_id(element, random));
            }
            PublicationOperation::InsertElement(insert) => edit::give_id(&mut insert.element, random),
            _ => {}
        }
    }

    fn edit(&mut self, operation: &PublicationOperation, preview: &mut Preview) -> Result<(), Error> {
        let pages = &mut self.pages;
        match operation {
            PublicationOperation::InsertPage(operation::InsertPage { page, after_id }) => {
                edit::insert(pages, page, after_id.as_ref(), preview)
            }
            PublicationOperation::ReplacePage(operation::ReplacePage { page_id, page }) => {
                edit::replace(pages, page_id, page, preview)
            }
            PublicationOperation::DeletePage(delete) => edit::delete(pages, &delete.page_id, preview),
            PublicationOperation::MovePage(operation::MovePage { page_id, after_id }) => {
                edit::move_after(pages, page_id, after_id.as_ref(), preview)
            }
            PublicationOperation::InsertElement(operation::InsertElement { page_id, element, after_id }) => {
                edit::insert_element(pages, page_id, element, after_id.as_ref(), preview)
            }
            PublicationOperation::ReplaceElement(operation::ReplaceElement { page_id, element_id, element }) => {
                edit::replace_element(pages, page_id, element_id, element, preview)
            }
            PublicationOperation::DeleteElement(operation::DeleteElement { page_id, element_id }) => {
                edit::delete_element(pages, page_id, element_id, preview)
            }
            PublicationOperation::MoveElement(operation::MoveElement { page_id, element_id, after_id }) => {
                edit::move_element(pages, page_id, element_id, after_id.as_ref(), preview)
            }
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        canvas::part_ids(&self.pages)
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        canvas::passages(&self.pages)
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        edit::differences(&self.pages, &later.pages)
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        let Anchor { block_id, slide_id, range } = anchor;
        let has_block = block_id.as_ref().is_none_or(|id| self.part_ids().contains(&id));
        has_block && slide_id.is_none() && range.is_none()
    }
}
