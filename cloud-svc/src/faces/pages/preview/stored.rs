//! The bytes of an upload, by the operations that download it.

use shared_model::Error;
use shared_runtime::{http::reply::Reply, pages::SignedIn};

use crate::{base::ids::FileId, faces::pages::download::granted, transfer::downloads::grant::DownloadGrant};

/// What is to be shown: the version in the query, or the current one.
pub async fn asked(visit: &SignedIn) -> Result<DownloadGrant, Error> {
    let (id,): (FileId,) = visit.path()?;
    granted(visit, id, visit.value("version").unwrap_or_default(), None).await
}

/// The answer for a range of it, or for all of it.
pub async fn sent(visit: &SignedIn, link: &DownloadGrant, range: Option<&str>) -> Result<Reply, Error> {
    // By the operation itself, not over the network: the link is good for this one call.
    let token = link.url.rsplit('/').next().unwrap_or_default();
    visit.operation("download_file").path(&[token]).range(range).reply().await
}
