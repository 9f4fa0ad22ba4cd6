//! Successful answers. They are typed, so that the OpenAPI document follows the code.

use std::{fmt, marker::PhantomData};

use actix_web::http::StatusCode;
use futures_util::TryStreamExt as _;
use serde::Serialize;
use shared_model::{Etag, Failure};
use utoipa::ToSchema;

use super::{
    compression::{Coding, VARY},
    contract::Contract,
};
use crate::state::blobs::Chunks;

pub trait Success {
    /// Adds the answers of this type to the contract.
    fn describe(contract: &mut Contract);
    fn into_reply(self) -> Reply;
}

/// An answer before it has its envelope.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub body: ReplyBody,
    /// They replace the usual headers of the same name.
    pub headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub enum ReplyBody {
    /// JSON text for the service's envelope.
    Payload {
        json: String,
        /// `None` where the answer is not a list, `Some(None)` on the last page.
        next_cursor: Option<Option<String>>,
        /// The answer of an earlier request with the same key.
        replayed: bool,
    },
    /// Bytes; `headers` has their media type.
    Plain(Vec<u8>),
    /// A stream of bytes; `headers` has their media type.
    Stream(Stream),
    Nothing,
}

impl ReplyBody {
    /// Until the client has taken them.
    pub(super) fn bytes_in_memory(&self) -> usize {
        match self {
            Self::Payload { json, .. } => json.len(),
            Self::Plain(bytes) => bytes.len(),
            Self::Stream(stream) => stream.bytes_in_memory,
            Self::Nothing => 0,
        }
    }
}

/// Bytes that need not all be in memory at the same time.
pub struct Stream {
    pub bytes: u64,
    /// At most, at any time.
    pub bytes_in_memory: usize,
    pub chunks: Chunks,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a stream of {} bytes", self.bytes)
    }
}

#[derive(Debug)]
pub struct Answer<T> {
    reply: Reply,
    payload: PhantomData<fn() -> T>,
}

impl<T> Answer<T> {
    pub fn ok(payload: &T) -> Result<Self, Failure>
    where
        T: Serialize,
    {
        Ok(Self::from_json(serde_json::to_string(payload)?))
    }

    /// 200 with a payload of the same shape as `T`, for types that borrow what `T` owns.
    pub fn from_view(payload: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self::from_json(serde_json::to_string(payload)?))
    }

    /// 200 with JSON text of the shape of `T`.
    pub fn from_json(json: String) -> Self {
        Self::from_parts(StatusCode::OK, json, Vec::new(), false)
    }

    pub(crate) fn from_parts(status: StatusCode, json: String, headers: Vec<(String, String)>, replayed: bool) -> Self {
        let body = ReplyBody::Payload { json, next_cursor: None, replayed };
        Self { reply: Reply { status, body, headers }, payload: PhantomData }
    }

    /// 304: the client has it already.
    pub fn not_modified(etag: Etag) -> Self {
        let reply = Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers: Vec::new() };
        Self { reply, payload: PhantomData }.etag(etag)
    }

    pub fn accepted(mut self) -> Self {
        self.reply.status = StatusCode::ACCEPTED;
        self
    }

    /// Marked as a replay.
    pub fn replay(mut self) -> Self {
        if let ReplyBody::Payload { replayed, .. } = &mut self.reply.body {
            *replayed = true;
        }
        self
    }

    /// The payload, if this is a replay.
    pub fn replayed_payload(&self) -> Option<&str> {
        match &self.reply.body {
            ReplyBody::Payload { json, replayed: true, .. } => Some(json),
            _ => None,
        }
    }

    /// With a changed payload: for members that must not be in the idempotency record, such as short-lived links.
    pub fn map_payload(mut self, map: impl FnOnce(&str) -> Result<String, Failure>) -> Result<Self, Failure> {
        if let ReplyBody::Payload { json, .. } = &mut self.reply.body {
            *json = map(json)?;
        }
        Ok(self)
    }

    pub fn etag(self, etag: Etag) -> Self {
        self.header("etag", etag.to_string())
    }

    /// With one more header, in place of the usual one of that name.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.reply.headers.push((name.to_owned(), value.into()));
        self
    }

    /// As a page of a list; `None` on the last page.
    pub fn page(mut self, cursor: Option<String>) -> Self {
        if let ReplyBody::Payload { next_cursor, .. } = &mut self.reply.body {
            *next_cursor = Some(cursor);
        }
        self
    }

    /// The same answer, as one of another shape.
    pub(crate) fn of_shape<U>(self) -> Answer<U> {
        Answer { reply: self.reply, payload: PhantomData }
    }

    /// What the idempotency record stores: status, payload, headers.
    pub(crate) fn stored_parts(&self) -> (StatusCode, &str, &[(String, String)]) {
        let json = match &self.reply.body {
            ReplyBody::Payload { json, .. } => json.as_str(),
            ReplyBody::Plain(_) | ReplyBody::Stream(_) | ReplyBody::Nothing => "{}",
        };
        (self.reply.status, json, &self.reply.headers)
    }
}

impl<T: ToSchema> Success for Answer<T> {
    fn describe(contract: &mut Contract) {
        contract.answers_with::<T>();
    }

    fn into_reply(self) -> Reply {
        self.reply
    }
}

/// A public document, or 304 if the client has it. Shared caches may keep it, and pages of other sites may read it.
/// `bytes` makes it in this coding.
pub fn public_document(
    media_type: &str,
    etag: Etag,
    coding: Coding,
    is_known: impl FnOnce(Etag) -> bool,
    bytes: impl FnOnce() -> Vec<u8>,
) -> Reply {
    let etag = coding.etag(etag);
    let tag = etag.to_string();
    let headers = [
        ("etag", tag.as_str()),
        ("cache-control", "public, max-age=300"),
        VARY,
        // Discovery from a browser (SEP-2127): what is public and changes nothing may be read by any page.
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "GET"),
        ("access-control-allow-headers", "Content-Type"),
        ("access-control-expose-headers", "*"),
    ];
    let mut headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    if is_known(etag) {
        return Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers };
    }
    headers.push(("content-type".to_owned(), media_type.to_owned()));
    headers.extend(coding.content_encoding());
    Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes()), headers }
}

impl Reply {
    /// The bytes of a download. The caller bounds how many there are.
    pub async fn into_bytes(self) -> Result<Vec<u8>, Failure> {
        let ReplyBody::Stream(stream) = self.body else {
            return Err(Failure::fault("a download answers without a stream"));
        };
        let all = stream.chunks.try_fold(Vec::new(), async |mut all: Vec<u8>, chunk| {
            all.extend_from_slice(&chunk);
            Ok(all)
        });
        all.await
    }
}

/// An answer without an envelope: metadata documents, manifests. `T` is its shape.
#[derive(Debug)]
pub struct Plain<T> {
    reply: Reply,
    shape: PhantomData<fn() -> T>,
}

/// A shape of answers without an envelope.
pub trait MediaType {
    const MEDIA_TYPE: &'static str;
}

impl<T: MediaType> Plain<T> {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), T::MEDIA_TYPE.to_owned())];
        let reply = Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes.into()), headers };
        Self { reply, shape: PhantomData }
    }

    /// A [`public_document`].
    pub fn public(
        etag: Etag,
        coding: Coding,
        is_known: impl FnOnce(Etag) -> bool,
        bytes: impl FnOnce() -> Vec<u8>,
    ) -> Self {
        Self { reply: public_document(T::MEDIA_TYPE, etag, coding, is_known, bytes), shape: PhantomData }
    }

    /// With one more header, in place of the usual one of that name.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.reply.headers.push((name.to_owned(), value.into()));
        self
    }
}

impl<T: MediaType + ToSchema> Success for Plain<T> {
    fn describe(contract: &mut Contract) {
        contract.answers_plain::<T>(T::MEDIA_TYPE);
    }

    fn into_reply(self) -> Reply {
        self.reply
    }
}
