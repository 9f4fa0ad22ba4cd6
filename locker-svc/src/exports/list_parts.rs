//! `GET /api/v1/exports/{export}/parts`: 16 parts at a time, each with a download link that expires after two
//! minutes.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;
use shared_model::{Error, NextAction, Problem, Refusal, Timestamp, code};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Query,
    http::{arguments::Path, contract::QueryParameter},
};
use utoipa::{
    ToSchema,
    openapi::{Object, ObjectBuilder, Type},
};

use super::{
    export::{ExportPart, MAX_PARTS, ReadyExport, part_content_type, part_file_name},
    link::{self, SignedLink},
    store,
};
use crate::{
    ids::{DownloadLinkId, ExportId},
    permissions::CreateExports,
};

// Links expire after two minutes, so an answer has only a few of them.
const PAGE_PARTS: i64 = 16;

pub struct PartsQuery {
    /// The index of the first part; `None` when the parameter is not a number.
    cursor: Option<i64>,
}

impl FromQuery for PartsQuery {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        vec![QueryParameter::integer("cursor", 0, MAX_PARTS, "The index of the first part to list. Default: 0.")]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        Some(Self { cursor: params.text("cursor").map_or(Some(0), number) })
    }
}

/// A page of an export's parts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "export_id": "exp_0123456789abcdef0123456789abcdef", "file_name": "room.tar", "content_type": "application/x-tar",
    "bytes": 12582912, "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "part_count": 2,
    "parts": [{
        "index": 1, "bytes": 4194304, "sha256": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
        "content_type": "application/octet-stream", "file_name": "room.tar.part-0001",
        "download": {
            "grant_id": "dg_0123456789abcdef0123456789abcdef", "method": "GET",
            "url": "https://locker.example.com/downloads/ASNFZ4mrze8BI0VniavN7wAAAAEBI0VniavN7w",
            "expires_at": "2026-11-21T09:32:00.000000Z", "headers": {}
        }
    }],
    "next_cursor": null, "grants_ttl_seconds": 120
}))]
pub struct PartListing {
    pub export_id: ExportId,
    /// The file name for all parts together.
    pub file_name: String,
    pub content_type: String,
    #[schema(minimum = 0)]
    pub bytes: i64,
    /// SHA-256 of all parts together, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The number of parts of the export.
    #[schema(minimum = 1, maximum = 500)]
    pub part_count: i64,
    /// At most 16 parts, in order.
    #[schema(max_items = 16)]
    pub parts: Vec<ListedPart>,
    /// The index of the next page's first part; null on the last page.
    #[schema(required)]
    pub next_cursor: Option<i64>,
    /// Seconds until the links expire.
    #[schema(schema_with = ttl)]
    pub grants_ttl_seconds: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListedPart {
    #[schema(minimum = 0, maximum = 499)]
    pub index: i64,
    #[schema(minimum = 0)]
    pub bytes: i64,
    /// SHA-256 of its bytes, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    pub content_type: String,
    /// The file name to save it under.
    pub file_name: String,
    pub download: DownloadLink,
}

/// A link to download one part without a token.
#[derive(Debug, Serialize, ToSchema)]
pub struct DownloadLink {
    /// Identifies the link in support requests. The server does not check it.
    pub grant_id: DownloadLinkId,
    #[schema(schema_with = method)]
    pub method: &'static str,
    /// The link. Anyone with it can download the part, so keep it out of logs.
    pub url: String,
    /// Start the download before this time.
    pub expires_at: Timestamp,
    /// Headers to send with the request; always empty.
    #[schema(schema_with = headers)]
    pub headers: BTreeMap<String, String>,
}

fn ttl() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([link::LIFETIME.as_secs()])).build()
}

fn method() -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["GET"])).build()
}

fn headers() -> Object {
    let text = ObjectBuilder::new().schema_type(Type::String);
    ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(text)).build()
}

/// Lists a page of parts, each with a new link.
pub async fn list_parts(
    caller: Caller<CreateExports>,
    Path((id,)): Path<(ExportId,)>,
    Query(PartsQuery { cursor }): Query<PartsQuery>,
    context: Context,
) -> Result<Answer<PartListing>, Error> {
    let (owner, now) = (caller.subject.clone(), context.clock.now());
    let (ready, parts, cursor) = context
        .read(move |conn| {
            let export = store::find_owned(conn, &owner, id)?.ok_or_else(code::not_found)?;
            let ready = export.into_ready(now)?;
            // The number of parts itself is allowed: it is where a client ends up that counts on its own.
            let cursor = cursor.filter(|index| *index <= ready.part_count);
            let cursor = cursor.ok_or_else(|| out_of_range(ready.part_count))?;
            Ok((ready, store::list_parts(conn, id, cursor, PAGE_PARTS)?, cursor))
        })
        .await?;
    let next_cursor = (cursor + PAGE_PARTS < ready.part_count).then_some(cursor + PAGE_PARTS);
    let mut listed = Vec::with_capacity(parts.len());
    for part in &parts {
        listed.push(with_link(&context, &ready, part, &caller.grant_id, now).await?);
    }
    let listing = PartListing {
        export_id: id,
        bytes: ready.bytes,
        sha256: ready.sha256,
        part_count: ready.part_count,
        file_name: ready.export.file_name,
        content_type: ready.export.content_type,
        parts: listed,
        next_cursor,
        grants_ttl_seconds: link::LIFETIME.as_secs(),
    };
    Ok(Answer::ok(&listing)?.page(next_cursor.map(|index| index.to_string())))
}

async fn with_link(
    context: &Context,
    ready: &ReadyExport,
    part: &ExportPart,
    access_grant: &str,
    now: Timestamp,
) -> Result<ListedPart, Error> {
    let export = &ready.export;
    let link_id = DownloadLinkId::from_bytes(context.random.bytes16());
    let link = SignedLink::new(link_id, export, part.index, access_grant, now);
    // S3 serves the bytes itself: the service does not pass gigabytes through.
    let lifetime = Duration::from_micros((link.expires_at.micros() - now.micros()).unsigned_abs());
    // A bucket counts whole seconds, and refuses a link for zero seconds.
    let url = match context.blobs.signed_url(&part.blob_key, lifetime.max(Duration::from_secs(1))).await? {
        Some(url) => url,
        None => context.href(&link.path(&context.secret)),
    };
    Ok(ListedPart {
        index: part.index,
        bytes: part.bytes,
        sha256: part.sha256.clone(),
        content_type: part_content_type(&export.content_type, ready.part_count).to_owned(),
        file_name: part_file_name(&export.file_name, part.index, ready.part_count),
        download: DownloadLink {
            grant_id: link.id,
            method: "GET",
            url,
            expires_at: link.expires_at,
            headers: BTreeMap::new(),
        },
    })
}

fn out_of_range(count: i64) -> Refusal {
    let problem = Problem { at: "cursor".to_owned(), rule: format!("must be from 0 to {count}, the number of parts") };
    let message = format!("The cursor must be from 0 to {count}, the number of parts.");
    code::INVALID_CURSOR.because(message).next(NextAction::CorrectRequest { problems: vec![problem] })
}
