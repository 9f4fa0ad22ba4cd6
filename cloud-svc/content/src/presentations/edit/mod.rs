//! Edits of presentations.

pub mod operation;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use shared_model::{Error, Name, Random};

use self::operation::PresentationOperation;
use super::content::{Aspect, PresentationContent, PresentationFormat, Slide};
use crate::{
    anchor::Anchor,
    canvas::{self, edit, schema_version::SchemaVersion},
    content::{Content, PartKey},
    file_type::FileType,
    part_id::PartId,
    parts::Part,
    passage::Passage,
    preview::Preview,
};

impl Content for PresentationContent {
    const TYPE: FileType = FileType::Presentation;
    const KIND: &'static str = "presentation";
    type Operation = PresentationOperation;

    fn smallest(_: &Name) -> Self {
        let slide = Slide {
            id: None,
            name: "Slide 1".to_owned(),
            background: "#ffffff".to_owned(),
            elements: Vec::new(),
            notes: String::new(),
        };
        Self {
            format: PresentationFormat::Native,
            schema_version: SchemaVersion,
            aspect: Aspect::Wide,
            slides: vec![slide],
        }
    }

    fn give_ids(&mut self, random: &Random) {
        self.slides.iter_mut().for_each(|slide| edit::give_ids(slide, random));
    }

    fn give_ids_in(operation: &mut PresentationOperation, random: &Random) {
        match operation {
            PresentationOperation::InsertSlide(insert) => edit::give_ids(&mut insert.slide, random),
            PresentationOperation::ReplaceSlide(replace) => {
                // The slide itself keeps the id of the slide that it replaces.
                replace.slide.elements.iter_mut().for_each(|element| edit::give_id(element, random));
            }
            PresentationOperation::InsertSlideElement(insert) => edit::give_id(&mut insert.element, random),
            _ => {}
        }
    }

    fn edit(&mut self, operation: &PresentationOperation, preview: &mut Preview) -> Result<(), Error> {
        let slides = &mut self.slides;
        match operation {
            PresentationOperation::InsertSlide(operation::InsertSlide { slide, after_id }) => {
                edit::insert(slides, slide, after_id.as_ref(), preview)
            }
            PresentationOperation::ReplaceSlide(operation::ReplaceSlide { slide_id, slide }) => {
                edit::replace(slides, slide_id, slide, preview)
            }
            PresentationOperation::DeleteSlide(delete) => edit::delete(slides, &delete.slide_id, preview),
            PresentationOperation::MoveSlide(operation::MoveSlide { slide_id, after_id }) => {
                edit::move_after(slides, slide_id, after_id.as_ref(), preview)
            }
            PresentationOperation::InsertSlideElement(operation::InsertSlideElement {
                slide_id,
                element,
                after_id,
            }) => edit::insert_element(slides, slide_id, element, after_id.as_ref(), preview),
            PresentationOperation::ReplaceSlideElement(operation::ReplaceSlideElement {
                slide_id,
                element_id,
                element,
            }) => edit::replace_element(slides, slide_id, element_id, element, preview),
            PresentationOperation::DeleteSlideElement(operation::DeleteSlideElement { slide_id, element_id }) => {
                edit::delete_element(slides, slide_id, element_id, preview)
            }
            PresentationOperation::MoveSlideElement(operation::MoveSlideElement { slide_id, element_id, after_id }) => {
                edit::move_element(slides, slide_id, element_id, after_id.as_ref(), preview)
            }
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        canvas::part_ids(&self.slides)
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        canvas::passages(&self.slides)
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        let mut keys = edit::differences(&self.slides, &later.slides);
        if self.aspect != later.aspect {
            keys.insert("aspect".to_owned());
        }
        keys
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        let Anchor { block_id, slide_id, range } = anchor;
        // `slide_id` names slides, so `block_id` names elements only.
        let mut elements = self.slides.iter().flat_map(|slide| &slide.elements);
        let has_block = block_id.as_ref().is_none_or(|id| elements.any(|element| element.id() == Some(id)));
        let has_slide = slide_id.as_ref().is_none_or(|id| self.slides.iter().any(|slide| slide.id() == Some(id)));
        has_block && has_slide && range.is_none()
    }
}
