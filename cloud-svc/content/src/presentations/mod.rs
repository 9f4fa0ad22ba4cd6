//! Presentations: slides with elements.

pub mod content;
pub mod edit;

use std::collections::BTreeSet;

use shared_model::{Error, Failure, Name, Random};

use self::{
    content::{Aspect, PresentationContent, PresentationFormat, Slide},
    edit::operation::PresentationOperation,
};
use crate::{
    anchor::Anchor,
    canvas::{self, outline::CanvasOutline, schema_version::SchemaVersion},
    content::{Content, PartKey},
    grid::{Area, Grid, Sources},
    native_kind::{NativeKind, native_kind},
    part_id::PartId,
    parts::Part,
    passage::Passage,
    preview::Preview,
    view::{self, View},
    written::{Spot, Written},
};

const KIND: NativeKind = native_kind!(
    Presentation, "presentation", "Presentation", plan_kind = "presentation", file_ends = [],
    create = { "Without `content` it has one empty slide. Slides and elements without an `id` get one.", refuses = &[] },
    read = { "Positions and sizes of elements are percentages of the slide.", refuses = &[] },
);

impl Content for PresentationContent {
    const KIND: &'static NativeKind = &KIND;
    const VIEWS: &'static [(&'static str, View)] = &[view::FULL, view::OUTLINE, view::MARKDOWN];
    type Operation = PresentationOperation;
    type OutlineEntry = CanvasOutline;

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
        self.slides.iter_mut().for_each(|slide| canvas::edit::give_ids(slide, random));
    }

    fn give_ids_in(operation: &mut PresentationOperation, random: &Random) {
        match operation {
            PresentationOperation::InsertSlide(insert) => canvas::edit::give_ids(&mut insert.slide, random),
            PresentationOperation::ReplaceSlide(replace) => {
                // The slide itself keeps the id of the slide that it replaces.
                replace.slide.elements.iter_mut().for_each(|element| canvas::edit::give_id(element, random));
            }
            PresentationOperation::InsertSlideElement(insert) => canvas::edit::give_id(&mut insert.element, random),
            _ => {}
        }
    }

    fn edit(&mut self, operation: &PresentationOperation, preview: &mut Preview) -> Result<(), Error> {
        edit::edit(&mut self.slides, operation, preview)
    }

    fn after_id_of(operation: &mut PresentationOperation) -> Option<&mut Option<PartId>> {
        match operation {
            PresentationOperation::InsertSlide(operation) => Some(&mut operation.after_id),
            PresentationOperation::MoveSlide(operation) => Some(&mut operation.after_id),
            PresentationOperation::InsertSlideElement(operation) => Some(&mut operation.after_id),
            PresentationOperation::MoveSlideElement(operation) => Some(&mut operation.after_id),
            _ => None,
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        canvas::part_ids(&self.slides)
    }

    fn grids(&self) -> Vec<Grid> {
        canvas::authored::grids(&self.slides)
    }

    fn sources(&self, later: &Self, _: Option<&[PresentationOperation]>) -> Sources {
        canvas::authored::sources(&self.slides, &later.slides)
    }

    fn place_of(&self, grid: usize, area: &Area) -> String {
        canvas::authored::place(&self.slides, grid, area)
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        canvas::passages(&self.slides)
    }

    fn written(&self) -> Vec<Written<'_>> {
        canvas::written(&self.slides, Spot::Slide)
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        let mut keys = canvas::edit::differences(&self.slides, &later.slides);
        if self.aspect != later.aspect {
            keys.insert("aspect".to_owned());
        }
        keys
    }

    fn compare(&self, later: &Self, preview: &mut Preview) -> Result<(), Error> {
        canvas::edit::compare(&self.slides, &later.slides, preview)
    }

    fn surroundings(&self, keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
        canvas::edit::surroundings(&self.slides, keys)
    }

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        canvas::outline::outline(&self.slides)
    }

    fn marked_down(&self) -> String {
        canvas::markdown::markdown(&self.slides)
    }

    fn changes_at(&self, later: &Self, _: Option<&[PresentationOperation]>, places: &[Anchor]) -> Vec<bool> {
        canvas::authored::changes_at(&self.slides, &later.slides, places)
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
