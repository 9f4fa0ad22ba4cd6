//! Calls of the API's operations by pages.

use actix_web::{
    http::header::{self, HeaderName, HeaderValue},
    web,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_model::{Error, ErrorBody, Failure, Refusal};
use url::form_urlencoded;

use crate::http::{
    argument::{CallOrigin, VirtualRequest},
    operations::{CallBody, CallResult, Operations},
    reply::Reply,
};

/// A call of an operation, before it is sent: the same scopes, limits, arguments and rules as over HTTP.
pub struct Call<'v> {
    operations: &'v Operations,
    id: &'static str,
    request: VirtualRequest,
    query: form_urlencoded::Serializer<'static, String>,
    body: CallBody,
    /// From the submitted form.
    key: Option<&'v str>,
}

impl<'v> Call<'v> {
    pub(super) fn new(operations: &'v Operations, id: &'static str, key: Option<&'v str>) -> Self {
        let query = form_urlencoded::Serializer::new(String::new());
        let request = VirtualRequest { origin: CallOrigin::Page, ..VirtualRequest::default() };
        Self { operations, id, request, query, body: CallBody::Nothing, key }
    }

    /// In the order of the template.
    pub fn path(mut self, values: &[&str]) -> Self {
        self.request.path = values.iter().map(|value| (*value).to_owned()).collect();
        self
    }

    /// An empty value leaves the parameter out.
    pub fn query(mut self, name: &str, value: impl AsRef<str>) -> Self {
        if !value.as_ref().is_empty() {
            self.query.append_pair(name, value.as_ref());
        }
        self
    }

    pub fn if_match(self, etag: &str) -> Self {
        self.header(header::IF_MATCH, etag)
    }

    /// With the form's idempotency key: submitted twice, it happens once.
    pub fn once(self) -> Self {
        let key = self.key.unwrap_or_default();
        self.header(HeaderName::from_static("idempotency-key"), key)
    }

    /// The same for one of several calls of the same operation by one form.
    pub fn once_for(self, part: &str) -> Self {
        let key = format!("{}-{part}", self.key.unwrap_or_default());
        self.header(HeaderName::from_static("idempotency-key"), &key)
    }

    pub fn json(mut self, body: Value) -> Self {
        self.body = CallBody::Json(body);
        self
    }

    /// For an operation that takes a stream of bytes.
    pub fn bytes(mut self, bytes: web::Bytes) -> Self {
        self.body = CallBody::Bytes(bytes);
        self
    }

    /// An invalid header value is dropped; the operation then reports the header as missing.
    fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.request.headers.insert(name, value);
        }
        self
    }

    /// The range of bytes that the browser asks for.
    pub fn range(self, range: Option<&str>) -> Self {
        match range {
            Some(range) => self.header(header::RANGE, range),
            None => self,
        }
    }

    /// The answer's JSON text, or the body of the refusal.
    pub async fn send(mut self) -> Result<CallResult, Failure> {
        self.request.query = self.query.finish();
        self.operations.call(self.id, &self.request, self.body).await
    }

    /// The answer with its envelope; a refusal of the operation is the page's refusal.
    pub async fn answer<T: DeserializeOwned>(self) -> Result<T, Error> {
        Ok(serde_json::from_str(&self.text().await?)?)
    }

    /// The same as text, for pages that read only parts of it.
    pub async fn text(self) -> Result<String, Error> {
        let operations = self.operations;
        match self.send().await? {
            CallResult::Answered(json) => Ok(json),
            CallResult::Refused(body) => Err(refused(operations, body)),
        }
    }

    /// The answer with its headers, for operations that answer with bytes. It is this visitor's.
    pub async fn reply(mut self) -> Result<Reply, Error> {
        self.request.query = self.query.finish();
        let answered = self.operations.reply(self.id, &self.request, self.body).await?;
        let mut reply = answered.map_err(|body| refused(self.operations, body))?;
        reply.headers.push(("vary".to_owned(), "cookie".to_owned()));
        Ok(reply)
    }
}

fn refused(operations: &Operations, body: ErrorBody) -> Error {
    // The answer has the code as text; the page's refusal needs its row for status and headers.
    let mut codes = operations.context().surface.all_codes();
    let Some(code) = codes.find(|code| code.name == body.error.code) else {
        return Failure::fault("an operation refuses with an unknown code").into();
    };
    let refusal: Refusal = code.because(body.error.message).next(body.error.next_action);
    refusal.into()
}
