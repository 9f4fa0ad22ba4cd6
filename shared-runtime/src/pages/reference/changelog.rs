//! `/changelog.md`: what has changed from version to version (keepachangelog.com).

use shared_model::Error;

use super::plain;
use crate::{http::reply::Reply, pages::request::PageRequest};

/// Answers with the text.
pub async fn show(visit: PageRequest) -> Result<Reply, Error> {
    Ok(plain::reply(&visit, "text/markdown; charset=utf-8", include_bytes!("../../../../CHANGELOG.md").to_vec()))
}
