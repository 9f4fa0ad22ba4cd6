//! Audio, video and PDFs: the browser's own players and reader show them, from `GET /f/{file_id}/media`.

use maud::{Markup, html};
use shared_model::{Error, code};
use shared_runtime::{http::reply::Reply, pages::SignedIn};

use super::{kind::Kind, stored};
use crate::{
    base::ids::VersionId,
    faces::pages::phrases::{address, file_href},
    files::file::FileRecord,
};

pub fn show(kind: Kind, file: &FileRecord, version: VersionId) -> Markup {
    let href = address(&format!("{}/media", file_href(file.id)), &[("version", &version.to_string())]);
    // Only the beginning is loaded: a video that nobody plays costs nothing.
    match kind {
        Kind::Sound => html! {
            audio.media src=(href) controls preload="metadata" aria-label=(text!("Audio")) {
                (text!("This browser cannot play it. Download it."))
            }
        },
        Kind::Film => html! {
            video.media src=(href) controls preload="metadata" playsinline aria-label=(text!("Video")) {
                (text!("This browser cannot play it. Download it."))
            }
        },
        // In a tab of its own, when a person asks for it. A PDF can open dialogs, and here they would seem to be ours.
        Kind::Pdf => html! {
            p { a.button href=(href) target="_blank" rel="noopener" { (text!("Read it in the browser")) } }
            p.note {
                (text!("It opens in a tab of its own. What it shows is not from this service. If the tab stays empty, download it."))
            }
        },
        Kind::Text | Kind::Picture | Kind::Other => Markup::default(),
    }
}

/// Bytes or a range of them, with the policy of all downloads: no scripts, no frames, a sandbox.
pub async fn media(visit: SignedIn) -> Result<Reply, Error> {
    let link = stored::asked(&visit).await?;
    let kind = Kind::of(&link.mime);
    if !matches!(kind, Kind::Sound | Kind::Film | Kind::Pdf) {
        return Err(code::not_found().into());
    }
    let mut reply = stored::sent(&visit, &link, visit.range()).await?;
    if kind == Kind::Pdf {
        // Players ignore the disposition, but a browser saves an attachment instead of opening its reader.
        reply.headers.retain(|(name, _)| name != "content-disposition");
        reply.headers.push(("content-disposition".to_owned(), "inline".to_owned()));
    }
    // Other sites must not be able to play it within their pages.
    reply.headers.push(("cross-origin-resource-policy".to_owned(), "same-origin".to_owned()));
    Ok(reply)
}
