//! Documents for programs: bytes with a media type, for anyone, also from pages of other sites.

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Etag};

use crate::{
    http::{
        compression::Coding,
        openapi::OpenApiText,
        reply::{Reply, public_document},
        resource_for_host,
    },
    pages::{layout::is_known, request::PageRequest},
};

/// 200 with these bytes, or 304 to who has them.
pub fn reply(visit: &PageRequest, media_type: &str, bytes: Vec<u8>) -> Reply {
    let etag = Etag::from_bytes(Sha256::digest(&bytes).into());
    let coding = Coding::accepted(visit.http.headers());
    public_document(media_type, etag, coding, |etag| is_known(&visit.http, etag), || coding.encode(bytes))
}

/// The same with JSON.
pub fn json(visit: &PageRequest, media_type: &str, value: &serde_json::Value) -> Result<Reply, Error> {
    Ok(reply(visit, media_type, serde_json::to_vec(value)?))
}

/// The service's own URL, by which of its names it was asked for, without a slash at the end.
pub fn base_url(visit: &PageRequest) -> String {
    resource_for_host::challenge(&visit.context, &visit.http).resource().trim_end_matches('/').to_owned()
}

/// What the service has for agents.
pub fn has_mcp(document: &OpenApiText) -> bool {
    document.has_path("/mcp")
}
