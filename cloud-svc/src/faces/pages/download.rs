//! `POST /f/{file_id}`: downloads a version by a link that is valid for two minutes.

use maud::{Markup, html};
use serde_json::json;
use shared_model::{Error, Failure};
use shared_runtime::pages::{Redirect, SignedIn, Text};

use super::phrases::file_href;
use crate::{
    base::ids::FileId,
    files::file::FileRecord,
    transfer::downloads::{
        form::{Format, formats},
        grant::{DownloadAnswer, DownloadGrant},
    },
};
use cloud_content::file_type::FileType;

// A form and not a link, because a download link is made on demand and valid for two minutes.
pub fn form(visit: &SignedIn, file: &FileRecord, version: &str) -> Markup {
    let is_upload = matches!(file.kind, FileType::Pdf | FileType::UploadedFile);
    let formats = formats(file.kind);
    if !visit.may("create_download_grant") || !is_upload && formats.is_empty() {
        return Markup::default();
    }
    let inside = html! {
        input type="hidden" name="version" value=(version);
        @if is_upload {
            button { (text!("Download")) }
            p.note { (text!("The file is saved, not opened. Check it before you open it.")) }
        } @else {
            div.tools role="group" aria-label=(text!("Download")) {
                @for format in formats { button.quiet name="format" value=(format.as_str()) { (word(*format)) } }
            }
        }
    };
    visit.form(&file_href(file.id), inside)
}

fn word(format: Format) -> Text {
    match format {
        Format::Json => text!("Download as JSON"),
        Format::Csv => text!("Download the first sheet as CSV"),
        Format::Xlsx => text!("Download for Excel (.xlsx)"),
        Format::Markdown => text!("Download as Markdown"),
    }
}

/// A link to a version; an empty one is the current one.
pub async fn granted(
    visit: &SignedIn,
    file: FileId,
    version: &str,
    format: Option<&str>,
) -> Result<DownloadGrant, Error> {
    let mut body = json!({});
    if !version.is_empty() {
        body["version_id"] = json!(version);
    }
    if let Some(format) = format {
        body["format"] = json!(format);
    }
    let call = visit.operation("create_download_grant").path(&[&file.to_string()]).json(body);
    let DownloadAnswer { download } = call.answer().await?;
    Ok(download)
}

pub async fn download(visit: SignedIn) -> Result<Redirect, Error> {
    let (id,): (FileId,) = visit.path()?;
    let format = visit.value("format").filter(|format| !format.is_empty());
    let download = granted(&visit, id, visit.value("version").unwrap_or_default(), format).await?;
    // Pages redirect only to paths of the service, never to a host from an answer.
    let path = download.url.strip_prefix(visit.context.base_url());
    let path = path.ok_or_else(|| Failure::fault("a link to download leads to another service"))?;
    Ok(Redirect::to(path))
}
