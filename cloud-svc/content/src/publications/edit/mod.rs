//! Edits of publications.

pub mod operation;

#[cfg(test)]
mod tests;

use shared_model::Error;

use self::operation::PublicationOperation;
use super::content::Page;
use crate::{canvas::edit as canvas, preview::Preview};

/// Carries out one operation.
pub fn edit(pages: &mut Vec<Page>, operation: &PublicationOperation, preview: &mut Preview) -> Result<(), Error> {
    match operation {
        PublicationOperation::InsertPage(operation::InsertPage { page, after_id }) => {
            canvas::insert(pages, page, after_id.as_ref(), preview)
        }
        PublicationOperation::ReplacePage(operation::ReplacePage { page_id, page }) => {
            canvas::replace(pages, page_id, page, preview)
        }
        PublicationOperation::DeletePage(delete) => canvas::delete(pages, &delete.page_id, preview),
        PublicationOperation::MovePage(operation::MovePage { page_id, after_id }) => {
            canvas::move_after(pages, page_id, after_id.as_ref(), preview)
        }
        PublicationOperation::InsertElement(operation::InsertElement { page_id, element, after_id }) => {
            canvas::insert_element(pages, page_id, element, after_id.as_ref(), preview)
        }
        PublicationOperation::ReplaceElement(operation::ReplaceElement { page_id, element_id, element }) => {
            canvas::replace_element(pages, page_id, element_id, element, preview)
        }
        PublicationOperation::DeleteElement(operation::DeleteElement { page_id, element_id }) => {
            canvas::delete_element(pages, page_id, element_id, preview)
        }
        PublicationOperation::MoveElement(operation::MoveElement { page_id, element_id, after_id }) => {
            canvas::move_element(pages, page_id, element_id, after_id.as_ref(), preview)
        }
    }
}
