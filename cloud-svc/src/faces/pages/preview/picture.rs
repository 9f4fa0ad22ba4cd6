//! Pictures: shown re-encoded, from `GET /f/{file_id}/picture`.

use std::time::Duration;

use maud::{Markup, html};
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::pages::{PageResponse, SignedIn, Text};
use tokio::sync::Semaphore;

use super::{
    kind::Kind,
    reencode::{self, NotShown},
    stored,
};
use crate::{
    base::{heavy::heavy, ids::VersionId},
    faces::pages::{
        download::granted,
        phrases::{address, file_href, name},
    },
    files::{file::FileRecord, versions::read::UploadedContent},
};

/// Larger pictures are downloaded: they are in memory while they are decoded.
const BYTES: i64 = 20 * 1024 * 1024;
/// Enough to find the size of most pictures.
const HEAD: i64 = 256 * 1024;

// For its turn and its bytes.
const PATIENCE: Duration = Duration::from_secs(10);
// One at a time: a decoded picture and what its decoder keeps are up to 240 MiB.
static TURN: Semaphore = Semaphore::const_new(1);

pub async fn show(
    visit: &SignedIn,
    file: &FileRecord,
    version: VersionId,
    uploaded: &UploadedContent,
) -> Result<Markup, Error> {
    if uploaded.bytes > BYTES {
        return Ok(not_shown(NotShown::TooLarge));
    }
    let link = granted(visit, file.id, &version.to_string(), None).await?;
    let range = format!("bytes=0-{}", HEAD - 1);
    let head = stored::sent(visit, &link, Some(&range)).await?.into_bytes().await?;
    let size = match reencode::measured(&head) {
        Ok(size) => Some(size),
        // The size of the picture may stand after the part that was read.
        Err(NotShown::Broken) if uploaded.bytes > HEAD => None,
        Err(why) => return Ok(not_shown(why)),
    };
    let href = address(&format!("{}/picture", file_href(file.id)), &[("version", &version.to_string())]);
    Ok(html! {
        figure.seen {
            // With its size, so that the page does not jump when it arrives.
            img src=(href) alt=(file.name) width=[size.map(|(width, _)| width)] height=[size.map(|(_, height)| height)];
            figcaption.note {
                (name(&file.name))
                @if let Some((width, height)) = size {
                    ", " (text!("{width} × {height} pixels", width = width, height = height))
                }
            }
        }
    })
}

fn not_shown(why: NotShown) -> Markup {
    html! { p.note { (words(why)) " " (text!("Download it to open it elsewhere.")) } }
}

fn words(why: NotShown) -> Text {
    match why {
        NotShown::TooLarge => text!("This picture is too large to be shown here."),
        NotShown::Broken => text!("This picture cannot be read: it may be incomplete."),
    }
}

/// 422 for what cannot be shown.
pub async fn picture(visit: SignedIn) -> Result<PageResponse, Error> {
    let link = stored::asked(&visit).await?;
    if Kind::of(&link.mime) != Kind::Picture {
        return Err(code::not_found().into());
    }
    if link.bytes > BYTES.unsigned_abs() {
        return Err(refusal(NotShown::TooLarge).into());
    }
    let read = async {
        let turn = TURN.acquire().await.map_err(|_| Failure::fault("the turns of pictures are closed"))?;
        Ok::<_, Error>((turn, stored::sent(&visit, &link, None).await?.into_bytes().await?))
    };
    // Neither many pictures nor a slow bucket may stop those of others for long.
    let (turn, bytes) = tokio::time::timeout(PATIENCE, read)
        .await
        .map_err(|_| Failure::unavailable("a picture had no turn, or its bytes did not come in time"))??;
    let work = move || {
        let done = reencode::reencoded(&bytes);
        drop(turn);
        done
    };
    let picture = heavy(work).await?.map_err(refusal)?;
    Ok(PageResponse::bytes(picture.media_type, picture.bytes))
}

fn refusal(why: NotShown) -> Refusal {
    let rule = "must be a complete PNG, JPEG, GIF or WebP picture of at most 20 MiB and 27 million pixels";
    let problem = Problem { at: "version".to_owned(), rule: rule.to_owned() };
    Refusal::problems(&code::INVALID_FIELD, vec![problem]).because(words(why).english())
}
