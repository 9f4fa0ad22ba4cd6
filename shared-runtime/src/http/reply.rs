//! A successful answer: a payload for the service's envelope, typed, so that the OpenAPI document follows the code.

use std::{fmt, marker::PhantomData};

use actix_web::http::StatusCode;
use serde::Serialize;
use shared_model::{Etag, Failure};
use utoipa::ToSchema;

use super::contract::Contract;
use crate::state::blobs::Chunks;

/// What a verb returns when it succeeds.
pub trait Success {
    /// Adds the success answers of this type to the contract.
    fn describe(contract: &mut Contract);
    /// The answer, ready for the edge.
    fn into_reply(self) -> Reply;
}

/// An answer before it is wrapped and sent.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: StatusCode,
    /// What is sent.
    pub body: ReplyBody,
    /// Headers beside the usual ones, which they replace.
    pub headers: Vec<(String, String)>,
}

/// What an answer carries.
#[derive(Debug)]
pub enum ReplyBody {
    /// JSON text for the service's envelope.
    Payload {
        /// The payload.
        json: String,
        /// The cursor of a list: `None` where the answer is no list, `Some(None)` on the last page.
        next_cursor: Option<Option<String>>,
        /// Whether it is the answer of an earlier request with the same key.
        replayed: bool,
    },
    /// Bytes sent as they are; `headers` names their type.
    Plain(Vec<u8>),
    /// Bytes sent as they come; `headers` names their type.
    Stream(Stream),
    /// Nothing (304).
    Nothing,
}

/// So many bytes, which need not all be in memory at a time.
pub struct Stream {
    /// How many, exactly.
    pub bytes: u64,
    /// They themselves.
    pub chunks: Chunks,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a stream of {} bytes", self.bytes)
    }
}

/// A success whose payload is a `T`.
#[derive(Debug)]
pub struct Answer<T> {
    reply: Reply,
    payload: PhantomData<fn() -> T>,
}

impl<T> Answer<T> {
    /// 200 with this payload.
    pub fn ok(payload: &T) -> Result<Self, Failure>
    where
        T: Serialize,
    {
        Ok(Self::from_json(serde_json::to_string(payload)?))
    }

    /// 200 with a payload of this shape that borrows what the shape of the answer owns.
    pub fn of(payload: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self::from_json(serde_json::to_string(payload)?))
    }

    /// 200 with a payload that is JSON text already, of the shape `T` describes.
    pub fn from_json(json: String) -> Self {
        Self::from_parts(StatusCode::OK, json, Vec::new(), false)
    }

    /// An answer made earlier.
    pub(crate) fn from_parts(status: StatusCode, json: String, headers: Vec<(String, String)>, replayed: bool) -> Self {
        let body = ReplyBody::Payload { json, next_cursor: None, replayed };
        Self { reply: Reply { status, body, headers }, payload: PhantomData }
    }

    /// 304: the client has it already.
    pub fn not_modified(etag: Etag) -> Self {
        let reply = Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers: Vec::new() };
        Self { reply, payload: PhantomData }.etag(etag)
    }

    /// 202 instead of 200.
    pub fn accepted(mut self) -> Self {
        self.reply.status = StatusCode::ACCEPTED;
        self
    }

    /// Marked as the answer to a command that happened earlier.
    pub fn replay(mut self) -> Self {
        if let ReplyBody::Payload { replayed, .. } = &mut self.reply.body {
            *replayed = true;
        }
        self
    }

    /// The payload's JSON text, when this is the answer to a command that happened earlier.
    pub fn replayed_payload(&self) -> Option<&str> {
        match &self.reply.body {
            ReplyBody::Payload { json, replayed: true, .. } => Some(json),
            _ => None,
        }
    }

    /// With another payload, made of its payload's JSON text: of what is to be in the answer, and not in the record of it.
    pub fn map_payload(mut self, map: impl FnOnce(&str) -> Result<String, Failure>) -> Result<Self, Failure> {
        if let ReplyBody::Payload { json, .. } = &mut self.reply.body {
            *json = map(json)?;
        }
        Ok(self)
    }

    /// With the entity tag of what is shown.
    pub fn etag(self, etag: Etag) -> Self {
        self.header("etag", etag.to_string())
    }

    /// With one more header, in place of the usual one of that name.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.reply.headers.push((name.to_owned(), value.into()));
        self
    }

    /// As one page of a list; `None` on the last page.
    pub fn page(mut self, cursor: Option<String>) -> Self {
        if let ReplyBody::Payload { next_cursor, .. } = &mut self.reply.body {
            *next_cursor = Some(cursor);
        }
        self
    }

    /// The parts that the idempotency record keeps: status, payload, headers.
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

/// Text of a media type outside any envelope: metadata documents, manifests. `T` is its shape.
#[derive(Debug)]
pub struct Plain<T> {
    reply: Reply,
    shape: PhantomData<fn() -> T>,
}

/// A shape of what is sent outside any envelope.
pub trait MediaType {
    /// Its media type.
    const MEDIA_TYPE: &'static str;
}

impl<T: MediaType> Plain<T> {
    /// 200 with these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), T::MEDIA_TYPE.to_owned())];
        let reply = Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes.into()), headers };
        Self { reply, shape: PhantomData }
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
