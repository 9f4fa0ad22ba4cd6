//! Forms with a file: `multipart/form-data` (RFC 7578), read while it arrives.

use std::convert::Infallible;

use actix_web::{HttpRequest, http::header, web};
use futures_util::stream;
use multer::{Field, Multipart};
use shared_model::{Error, Problem, Refusal, code};
use tokio::sync::mpsc;

use super::{
    declaration::PageDeclaration,
    fields::Fields,
    sent_file::{FileField, Pieces, SentFile},
};
use crate::http::incoming_body::IncomingBody;

const MEDIA_TYPE: &str = "multipart/form-data";
/// The text of each other field.
const TEXT_BYTES: usize = 4 * 1024;

/// What a form sent.
#[derive(Default)]
pub struct Submission {
    pub fields: Fields,
    pub file: Option<SentFile>,
}

/// The fields of a form, and its file if one was chosen.
pub async fn read(
    http: &HttpRequest,
    mut body: IncomingBody,
    page: &PageDeclaration,
    field: FileField,
) -> Result<Submission, Error> {
    let boundary = match boundary(http) {
        Ok(boundary) => boundary,
        Err(refusal) => {
            // A browser that is still sending would not show the page of the refusal.
            body.drain().await?;
            return Err(refusal.into());
        }
    };
    // The parser must be able to change threads, and the body cannot. One piece at a time, so that neither runs ahead.
    let (sender, receiver) = mpsc::channel::<web::Bytes>(1);
    let arriving = stream::unfold(receiver, |mut receiver| async move {
        Some((Ok::<_, Infallible>(receiver.recv().await?), receiver))
    });
    let feed = async move {
        while let Some(bytes) = body.next().await? {
            if sender.send(bytes).await.is_err() {
                body.drain().await?;
                break;
            }
        }
        Ok::<_, Error>(())
    };
    let (fed, read) = tokio::join!(feed, parts(Multipart::new(arriving, boundary), |name| page.has_field(name), field));
    fed?;
    Ok(read?)
}

fn boundary(http: &HttpRequest) -> Result<String, Refusal> {
    let mut types = http.headers().get_all(header::CONTENT_TYPE);
    let (first, another) = (types.next().and_then(|value| value.to_str().ok()), types.next());
    let boundary = first.filter(|_| another.is_none()).and_then(|text| multer::parse_boundary(text).ok());
    boundary.ok_or_else(|| {
        let rule = format!("must be {MEDIA_TYPE} with a boundary, sent once");
        Refusal::problems(&code::UNSUPPORTED_MEDIA_TYPE, vec![Problem { at: "Content-Type".to_owned(), rule }])
    })
}

/// The parts of a form: the file, and the fields that `known` names.
pub async fn parts(
    mut form: Multipart<'_>,
    known: impl Fn(&str) -> bool,
    wanted: FileField,
) -> Result<Submission, Refusal> {
    let (mut pairs, mut file) = (Vec::new(), None);
    while let Some(mut part) = form.next_field().await.map_err(malformed)? {
        let name = part.name().unwrap_or_default().to_owned();
        if name != wanted.name {
            pairs.push((name, text(&mut part).await?));
            continue;
        }
        let media_type = part.content_type().map(|media_type| media_type.essence_str().to_owned());
        let mut pieces = Pieces::new(wanted, part.file_name().unwrap_or_default(), media_type.unwrap_or_default());
        while let Some(bytes) = part.chunk().await.map_err(malformed)? {
            if !pieces.push(&bytes) {
                return Err(wanted.too_large());
            }
        }
        if file.replace(pieces.end()).is_some() {
            return Err(code::invalid_parameter(wanted.name, "must be one file"));
        }
    }
    // Browsers send a part without a name when no file was chosen.
    // An empty name is not a file, even if bytes came with it.
    let file = file.filter(|file: &SentFile| !file.name.is_empty());
    Ok(Submission { fields: Fields::from_pairs(pairs, known)?, file })
}

async fn text(part: &mut Field<'_>) -> Result<String, Refusal> {
    let mut bytes = Vec::new();
    while let Some(more) = part.chunk().await.map_err(malformed)? {
        bytes.extend_from_slice(&more);
        if bytes.len() > TEXT_BYTES {
            return Err(code::BODY_TOO_LARGE
                .because(format!("The fields other than the file must have at most {TEXT_BYTES} bytes each.")));
        }
    }
    String::from_utf8(bytes).map_err(|_| code::invalid_parameter("form", "must be UTF-8"))
}

// The parser's own words are about boundaries and streams, which tell a person nothing.
fn malformed(_: multer::Error) -> Refusal {
    code::invalid_parameter("form", format!("must be {MEDIA_TYPE}, sent to its end"))
}
