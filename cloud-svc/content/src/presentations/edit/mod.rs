//! Edits of presentations.

pub mod operation;

#[cfg(test)]
mod tests;

use shared_model::Error;

use self::operation::PresentationOperation;
use super::content::Slide;
use crate::{canvas::edit as canvas, preview::Preview};

/// Carries out one operation.
pub fn edit(slides: &mut Vec<Slide>, operation: &PresentationOperation, preview: &mut Preview) -> Result<(), Error> {
    match operation {
        PresentationOperation::InsertSlide(operation::InsertSlide { slide, after_id }) => {
            canvas::insert(slides, slide, after_id.as_ref(), preview)
        }
        PresentationOperation::ReplaceSlide(operation::ReplaceSlide { slide_id, slide }) => {
            canvas::replace(slides, slide_id, slide, preview)
        }
        PresentationOperation::DeleteSlide(delete) => canvas::delete(slides, &delete.slide_id, preview),
        PresentationOperation::MoveSlide(operation::MoveSlide { slide_id, after_id }) => {
            canvas::move_after(slides, slide_id, after_id.as_ref(), preview)
        }
        PresentationOperation::InsertSlideElement(operation::InsertSlideElement { slide_id, element, after_id }) => {
            canvas::insert_element(slides, slide_id, element, after_id.as_ref(), preview)
        }
        PresentationOperation::ReplaceSlideElement(operation::ReplaceSlideElement {
            slide_id,
            element_id,
            element,
        }) => canvas::replace_element(slides, slide_id, element_id, element, preview),
        PresentationOperation::DeleteSlideElement(operation::DeleteSlideElement { slide_id, element_id }) => {
            canvas::delete_element(slides, slide_id, element_id, preview)
        }
        PresentationOperation::MoveSlideElement(operation::MoveSlideElement { slide_id, element_id, after_id }) => {
            canvas::move_element(slides, slide_id, element_id, after_id.as_ref(), preview)
        }
    }
}
