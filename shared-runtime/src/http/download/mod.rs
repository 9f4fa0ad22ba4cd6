//! A download: a blob, or a range of it, sent as it is stored (RFC 9110 §13, §14; RFC 9530; RFC 6266).

mod link_token;
pub mod range;

use std::ops::Range;

use actix_web::{
    http::{
        Method, StatusCode,
        header::{Charset, ContentDisposition, DispositionParam, DispositionType, ExtendedValue},
    },
    web::Bytes,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use futures_util::StreamExt as _;
use shared_model::{Error, Etag, Failure, Problem, Refusal, code};

use super::{
    argument::{AdmittedRequest, Argument},
    arguments::IfNoneMatch,
    contract::Contract,
    reply::{Reply, ReplyBody, Stream, Success},
};
use crate::state::blobs::{Blobs, Chunks, Piece};
use range::ByteRange;

pub use link_token::LinkToken;

/// Private bytes: no cache keeps them, no proxy changes them.
const CACHE_CONTROL: &str = "private, no-store, no-transform";
/// Even a browser that shows it gives it no rights.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// What the headers say of a blob (RFC 9110 §3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Representation {
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of all its bytes: the entity tag and the digest.
    pub sha256: [u8; 32],
    /// Its media type.
    pub content_type: String,
    /// What to call it when it is saved.
    pub file_name: String,
}

/// What a client wants of a download: `Range`, `If-Range`, `If-None-Match`.
#[derive(Clone, Debug)]
pub struct RangeRequest {
    range: Option<String>,
    if_range: Option<String>,
    seen: IfNoneMatch,
}

impl Argument for RangeRequest {
    fn describe(contract: &mut Contract) {
        contract.takes_header("Range", false, "One range of bytes; several are answered with the whole.");
        contract.takes_header(
            "If-Range",
            false,
            "The entity tag that a range is wanted of; of another, the whole is sent.",
        );
        contract.success.may_be_partial = true;
        contract.refuses(&code::RANGE_NOT_SATISFIABLE);
        IfNoneMatch::describe(contract);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let only = |name: &str| {
            let mut values = request.headers().get_all(name);
            let value = values.next()?.to_str().ok()?;
            values.next().is_none().then(|| value.to_owned())
        };
        // A range is defined for GET alone (RFC 9110 §14.2).
        let range = if request.http.method() == Method::GET { only("range") } else { None };
        // An unreadable or repeated If-Range matches no tag.
        let if_range = request.headers().contains_key("if-range").then(|| only("if-range").unwrap_or_default());
        Ok(Self { range, if_range, seen: IfNoneMatch::extract(request)? })
    }
}

impl RangeRequest {
    fn of(&self, whole: &Representation) -> ByteRange {
        let tag = Etag::from_bytes(whole.sha256).to_string();
        match (&self.range, &self.if_range) {
            // A date or a weak tag proves nothing of the bytes.
            (Some(_), Some(seen)) if *seen != tag => ByteRange::Whole,
            (Some(range), _) => range::select(range, whole.bytes),
            (None, _) => ByteRange::Whole,
        }
    }
}

/// The success of an operation that sends bytes: 200, 206 or 304.
#[derive(Debug)]
pub struct Download {
    reply: Reply,
}

impl Download {
    /// What is wanted of this whole, which is kept as these blobs.
    pub async fn of_blobs(
        blobs: &Blobs,
        pieces: Vec<Piece>,
        whole: &Representation,
        wanted: &RangeRequest,
    ) -> Result<Self, Error> {
        Self::of(whole, wanted, async |range| {
            let chunks = blobs.read_pieces(pieces, range).await?;
            chunks.ok_or_else(|| Failure::fault("a blob that is on record is not in the store"))
        })
        .await
    }

    /// What is wanted of this whole, which is in memory.
    pub async fn of_bytes(bytes: Bytes, whole: &Representation, wanted: &RangeRequest) -> Result<Self, Error> {
        Self::of(whole, wanted, async |range: Range<u64>| {
            let at = |place: u64| usize::try_from(place).map_err(|_| Failure::fault("more than fits into memory"));
            let part = bytes.slice(at(range.start)?..at(range.end)?);
            Ok(futures_util::stream::once(async { Ok(part) }).boxed())
        })
        .await
    }

    /// What is wanted of this whole, of which `open` has a range on its way.
    async fn of(
        whole: &Representation,
        wanted: &RangeRequest,
        open: impl AsyncFnOnce(Range<u64>) -> Result<Chunks, Failure>,
    ) -> Result<Self, Error> {
        let etag = Etag::from_bytes(whole.sha256);
        let mut headers = vec![header("etag", etag.to_string()), header("cache-control", CACHE_CONTROL)];
        if wanted.seen.has(etag) {
            return Ok(Self { reply: Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers } });
        }
        let (status, range) = match wanted.of(whole) {
            ByteRange::Whole => (StatusCode::OK, 0..whole.bytes),
            ByteRange::Part(range) => {
                let content_range = format!("bytes {}-{}/{}", range.start, range.end - 1, whole.bytes);
                headers.push(header("content-range", content_range));
                (StatusCode::PARTIAL_CONTENT, range)
            }
            ByteRange::Unsatisfiable => {
                let rule = format!("must begin before the end of the whole, which has {} bytes", whole.bytes);
                let problems = vec![Problem { at: "Range".to_owned(), rule }];
                let refusal = Refusal::problems(&code::RANGE_NOT_SATISFIABLE, problems);
                return Err(refusal.header("content-range", format!("bytes */{}", whole.bytes)).into());
            }
        };
        let bytes = range.end - range.start;
        let chunks = open(range).await?;
        headers.extend([
            header("content-type", whole.content_type.as_str()),
            header("content-disposition", disposition(&whole.file_name)),
            header("content-security-policy", CONTENT_SECURITY_POLICY),
            header("accept-ranges", "bytes"),
            header("repr-digest", format!("sha-256=:{}:", BASE64_STANDARD.encode(whole.sha256))),
        ]);
        Ok(Self { reply: Reply { status, body: ReplyBody::Stream(Stream { bytes, chunks }), headers } })
    }
}

impl Success for Download {
    fn describe(contract: &mut Contract) {
        contract.answers_bytes("application/octet-stream");
        contract.answers_bytes("*/*");
    }

    fn into_reply(self) -> Reply {
        self.reply
    }
}

/// `Content-Disposition` that saves under this name: in ASCII for the oldest clients, and as it is.
pub fn disposition(file_name: &str) -> String {
    let is_plain = |c: char| c.is_ascii() && !c.is_ascii_control();
    let plain = file_name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let mut parameters = vec![DispositionParam::Filename(plain)];
    if !file_name.chars().all(is_plain) {
        let value = file_name.as_bytes().to_vec();
        parameters.push(DispositionParam::FilenameExt(ExtendedValue {
            charset: Charset::Ext("UTF-8".to_owned()),
            language_tag: None,
            value,
        }));
    }
    ContentDisposition { disposition: DispositionType::Attachment, parameters }.to_string()
}

fn header(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_survives_quotes_accents_and_line_feeds() {
        assert_eq!(disposition("a b.tar"), r#"attachment; filename="a b.tar""#);
        assert_eq!(disposition(r#"a"b\c"#), r#"attachment; filename="a\"b\\c""#);
        assert_eq!(
            disposition("Plän €.tar"),
            "attachment; filename=\"Pl_n _.tar\"; filename*=UTF-8''Pl%C3%A4n%20%E2%82%AC.tar"
        );
        assert!(!disposition("a\r\nSet-Cookie: x").contains('\n'));
    }
}
