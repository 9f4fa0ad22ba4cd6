//! Downloads: bytes, or a range of them, as they are stored (RFC 9110 §13, §14; RFC 9530; RFC 6266).

mod link_token;
pub mod range;
mod served_type;

use std::ops::Range;

use actix_web::{
    http::{
        Method, StatusCode,
        header::{Charset, ContentDisposition, DispositionParam, DispositionType, ExtendedValue, HeaderValue},
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
use crate::state::blobs::{self, Blobs, Chunks, Piece};
use range::ByteRange;
use served_type::served_type;

pub use link_token::LinkToken;

// Private bytes: no cache stores them, and no proxy may change them, which would break their digest.
const CACHE_CONTROL: &str = "private, no-store, no-transform";
// A browser that shows the bytes must not run scripts in them with the rights of this origin.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// The metadata that becomes headers (RFC 9110 §3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Representation {
    pub bytes: u64,
    /// Of all bytes: the entity tag and the digest.
    pub sha256: [u8; 32],
    pub content_type: String,
    pub file_name: String,
}

/// `Range` and the conditions of a request.
#[derive(Clone, Debug)]
pub struct RangeRequest {
    /// The tags of `If-Match`, of which one must be the current one.
    wanted: Option<Vec<String>>,
    /// Where the download is, for a client whose tag is another one.
    href: String,
    range: Option<String>,
    if_range: Option<String>,
    seen: IfNoneMatch,
}

impl Argument for RangeRequest {
    fn describe(contract: &mut Contract) {
        contract.takes_header("Range", false, "One range of bytes. Several ranges are answered with the whole.");
        contract.takes_header(
            "If-Range",
            false,
            "The entity tag of the version that you have a part of. If it is outdated, the whole is sent.",
        );
        contract.takes_header(
            "If-Match",
            false,
            "Entity tags, or `*`. If none is the current one, nothing is sent: for parts of one version.",
        );
        contract.success.may_be_partial = true;
        contract.refuses(&code::RANGE_NOT_SATISFIABLE);
        contract.refuses(&code::ETAG_MISMATCH);
        IfNoneMatch::describe(contract);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let only = |name: &str| {
            let mut values = request.headers().get_all(name);
            let value = values.next()?.to_str().ok()?;
            values.next().is_none().then(|| value.to_owned())
        };
        // Ranges are defined for GET alone (RFC 9110 §14.2).
        let range = if request.http.method() == Method::GET { only("range") } else { None };
        // An unreadable or repeated If-Range matches no tag, so the whole is sent.
        let if_range = request.headers().contains_key("if-range").then(|| only("if-range").unwrap_or_default());
        let tags = |value: &HeaderValue| {
            let text = value.to_str().unwrap_or_default();
            text.split(',').map(|tag| tag.trim().to_owned()).collect::<Vec<_>>()
        };
        let wanted = request.headers().contains_key("if-match");
        let wanted = wanted.then(|| request.headers().get_all("if-match").flat_map(tags).collect());
        let href = request.context.href(request.http.path());
        Ok(Self { wanted, href, range, if_range, seen: IfNoneMatch::extract(request)? })
    }
}

impl RangeRequest {
    /// `If-Match` compares strongly (RFC 9110 §13.1.1): a weak tag is never the current one.
    fn require(&self, current: Etag) -> Result<(), Refusal> {
        let tag = current.to_string();
        match &self.wanted {
            Some(tags) if !tags.iter().any(|wanted| wanted == "*" || *wanted == tag) => {
                Err(code::stale(self.href.as_str(), current))
            }
            _ => Ok(()),
        }
    }

    fn select(&self, whole: &Representation) -> ByteRange {
        let tag = Etag::from_bytes(whole.sha256).to_string();
        match (&self.range, &self.if_range) {
            // A date or a weak tag does not prove that the bytes are the same.
            (Some(_), Some(seen)) if *seen != tag => ByteRange::Whole,
            (Some(range), _) => range::select(range, whole.bytes),
            (None, _) => ByteRange::Whole,
        }
    }
}

/// 200, 206 or 304.
#[derive(Debug)]
pub struct Download {
    reply: Reply,
}

impl Download {
    /// The requested part of these blobs, which together are the whole.
    pub async fn from_blobs(
        blobs: &Blobs,
        pieces: Vec<Piece>,
        whole: &Representation,
        wanted: &RangeRequest,
    ) -> Result<Self, Error> {
        Self::open(whole, wanted, blobs::MEMORY_OF_A_READ, async |range| {
            let chunks = blobs.read_pieces(pieces, range).await?;
            chunks.ok_or_else(|| Failure::fault("a recorded blob is missing from the store"))
        })
        .await
    }

    /// The requested part of bytes in memory.
    pub async fn from_bytes(bytes: Bytes, whole: &Representation, wanted: &RangeRequest) -> Result<Self, Error> {
        Self::open(whole, wanted, bytes.len(), async |range: Range<u64>| {
            let at = |place: u64| usize::try_from(place).map_err(|_| Failure::fault("more than fits into memory"));
            let part = bytes.slice(at(range.start)?..at(range.end)?);
            Ok(futures_util::stream::once(async { Ok(part) }).boxed())
        })
        .await
    }

    async fn open(
        whole: &Representation,
        wanted: &RangeRequest,
        bytes_in_memory: usize,
        open: impl AsyncFnOnce(Range<u64>) -> Result<Chunks, Failure>,
    ) -> Result<Self, Error> {
        let etag = Etag::from_bytes(whole.sha256);
        let mut headers = vec![header("etag", etag.to_string()), header("cache-control", CACHE_CONTROL)];
        // The order of RFC 9110 §13.2.2: 412 wins over 304, and 304 over 206.
        wanted.require(etag)?;
        if wanted.seen.has(etag) {
            return Ok(Self { reply: Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers } });
        }
        let (status, range) = match wanted.select(whole) {
            ByteRange::Whole => (StatusCode::OK, 0..whole.bytes),
            ByteRange::Part(range) => {
                // Content-Range names the last byte itself, and the range ends after it.
                let content_range = format!("bytes {}-{}/{}", range.start, range.end - 1, whole.bytes);
                headers.push(header("content-range", content_range));
                (StatusCode::PARTIAL_CONTENT, range)
            }
            ByteRange::Unsatisfiable => {
                let rule = format!("must begin before the end of the content, which has {} bytes", whole.bytes);
                let problems = vec![Problem { at: "Range".to_owned(), rule }];
                let refusal = Refusal::problems(&code::RANGE_NOT_SATISFIABLE, problems);
                return Err(refusal.header("content-range", format!("bytes */{}", whole.bytes)).into());
            }
        };
        let bytes = range.end - range.start;
        // After all refusals: opening a blob of an S3 store costs a request.
        let chunks = open(range).await?;
        let bytes_in_memory = bytes_in_memory.min(usize::try_from(bytes).unwrap_or(usize::MAX));
        headers.extend([
            header("content-type", served_type(&whole.content_type)),
            header("content-disposition", disposition(&whole.file_name)),
            header("content-security-policy", CONTENT_SECURITY_POLICY),
            header("accept-ranges", "bytes"),
            header("repr-digest", format!("sha-256=:{}:", BASE64_STANDARD.encode(whole.sha256))),
        ]);
        Ok(Self {
            reply: Reply { status, body: ReplyBody::Stream(Stream { bytes, bytes_in_memory, chunks }), headers },
        })
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

/// `Content-Disposition` with the name in ASCII for old clients, and in UTF-8.
// Some clients decode a percent sign in the ASCII name. They do not know the escapes of quotes and backslashes (RFC
// 6266, appendix D).
pub fn disposition(file_name: &str) -> String {
    let is_plain = |c: char| c.is_ascii() && !c.is_ascii_control() && !matches!(c, '%' | '"' | '\\');
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
        assert_eq!(disposition(r#"a"b\c"#), r#"attachment; filename="a_b_c"; filename*=UTF-8''a%22b%5Cc"#);
        assert_eq!(disposition("100%25.tar"), r#"attachment; filename="100_25.tar"; filename*=UTF-8''100%2525.tar"#);
        assert_eq!(
            disposition("Plän €.tar"),
            "attachment; filename=\"Pl_n _.tar\"; filename*=UTF-8''Pl%C3%A4n%20%E2%82%AC.tar"
        );
        assert!(!disposition("a\r\nSet-Cookie: x").contains('\n'));
    }
}
