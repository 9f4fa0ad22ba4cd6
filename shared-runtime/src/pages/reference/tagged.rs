//! Pages that are the same for everyone until the document or the release changes.

use std::sync::Arc;

use maud::Markup;
use sha2::{Digest as _, Sha256};
use shared_model::{Etag, Failure};

use super::contents;
use crate::{
    base::metrics,
    pages::{declaration::Site, page::Page, request::PageRequest, stylesheet::Stylesheet},
};

/// What the pages of the service share.
pub fn site(visit: &PageRequest) -> Result<Arc<Site>, Failure> {
    visit.state()
}

/// A public page, with a tag of all that it shows: the frame changes with the stylesheet and the release.
pub fn page(visit: &PageRequest, title: String, heading: Option<Markup>, body: Markup) -> Result<Page, Failure> {
    let stylesheet = visit.state::<Stylesheet>()?;
    let navigation = contents::navigation(&site(visit)?.documents, visit.http.path());
    let mut hash = Sha256::new();
    for part in
        [title.as_str(), navigation.0.as_str(), body.0.as_str(), stylesheet.name(), metrics::VERSION, metrics::COMMIT]
    {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    let page = Page::new(title, body).beside(navigation).public().english();
    let page = page.etag(Etag::from_bytes(hash.finalize().into()));
    Ok(match heading {
        Some(heading) => page.heading(heading),
        None => page,
    })
}
