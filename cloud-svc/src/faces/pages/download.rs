//! `POST /f/{file_id}`: downloads an upload by a link that is valid for two minutes.

use maud::{Markup, html};
use serde_json::json;
use shared_model::{Error, Failure};
use shared_runtime::pages::{Redirect, SignedIn};

use super::phrases::file_href;
use crate::{base::ids::FileId, transfer::downloads::grant::DownloadAnswer};

// A form and not a link, because a download link is made on demand and valid for two minutes.
pub fn form(visit: &SignedIn, file: FileId, version: &str) -> Markup {
    let inside = html! {
        input type="hidden" name="version" value=(version);
        button { "Download" }
        p.note { "The file is saved, not opened. Check it before you open it." }
    };
    if visit.may("create_download_grant") { visit.form(&file_href(file), inside) } else { Markup::default() }
}

pub async fn download(visit: SignedIn) -> Result<Redirect, Error> {
    let (id,): (FileId,) = visit.path()?;
    let body = match visit.value("version").unwrap_or_default() {
        "" => json!({}),
        version => json!({"version_id": version}),
    };
    let call = visit.operation("create_download_grant").path(&[&id.to_string()]).json(body);
    let DownloadAnswer { download } = call.answer().await?;
    // Pages redirect only to paths of the service, never to a host from an answer.
    let path = download.url.strip_prefix(visit.context.base_url());
    let path = path.ok_or_else(|| Failure::fault("a link to download leads to another service"))?;
    Ok(Redirect::to(path))
}
