//! `/docs/{folder}/{name}`: a guide, or a page of the reference.

use maud::PreEscaped;
use shared_model::{Error, code};

use super::{markdown, tagged};
use crate::pages::{page::Page, request::PageRequest};

/// Shows it.
pub async fn show(visit: PageRequest) -> Result<Page, Error> {
    let (folder, name): (String, String) = visit.path()?;
    let documents = tagged::site(&visit)?.documents;
    let document = documents.find(&format!("{folder}/{name}")).ok_or_else(code::not_found)?;
    let body = markdown::render(document, &documents);
    Ok(tagged::page(&visit, document.title().to_owned(), None, PreEscaped(body))?)
}
