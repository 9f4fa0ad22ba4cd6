//! What a browser shows of an upload: text, tables, pictures, audio, video, and PDFs in their own reader.

mod kind;
mod media;
mod picture;
pub mod reencode;
mod stored;
mod text;

use maud::Markup;
use shared_model::Error;
use shared_runtime::pages::{Pages, SignedIn};

use self::kind::Kind;
use super::contents::shown::Shown;
use crate::{
    base::ids::VersionId,
    files::{file::FileRecord, versions::read::UploadedContent},
};

pub fn declare(pages: &mut Pages) {
    pages.get("/f/{file_id}/picture", "picture_page", picture::picture).takes(&["version"]);
    pages.get("/f/{file_id}/media", "media_page", media::media).takes(&["version"]);
}

/// Empty for what cannot be shown.
pub async fn show(
    visit: &SignedIn,
    file: &FileRecord,
    version: VersionId,
    uploaded: &UploadedContent,
    shown: &Shown<'_>,
) -> Result<Markup, Error> {
    // The bytes come through the operations of downloads.
    if !visit.may("create_download_grant") {
        return Ok(Markup::default());
    }
    match Kind::of(&uploaded.mime) {
        Kind::Text => text::show(visit, file, version, uploaded, shown).await,
        Kind::Picture => picture::show(visit, file, version, uploaded).await,
        kind => Ok(media::show(kind, file, version)),
    }
}
