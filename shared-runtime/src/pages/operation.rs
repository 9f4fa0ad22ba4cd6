//! An operation of the API that a page has carried out.

use actix_web::http::header::{self, HeaderName, HeaderValue};
use serde_json::Value;
use shared_model::{Error, Failure, Refusal};
use url::form_urlencoded;

use crate::http::{
    argument::Parameters,
    operations::{Called, Operations, Sent},
};

/// An operation that is about to be carried out: the same scopes, limits, arguments and rules as over HTTP.
pub struct Call<'v> {
    operations: &'v Operations,
    id: &'static str,
    said: Parameters,
    query: form_urlencoded::Serializer<'static, String>,
    sent: Sent,
    /// The key of the form that was submitted.
    key: Option<&'v str>,
}

impl<'v> Call<'v> {
    pub(super) fn new(operations: &'v Operations, id: &'static str, key: Option<&'v str>) -> Self {
        let query = form_urlencoded::Serializer::new(String::new());
        let said = Parameters { is_of_page: true, ..Parameters::default() };
        Self { operations, id, said, query, sent: Sent::Nothing, key }
    }

    /// With the values of the path's parameters, in the order of the template.
    pub fn path(mut self, values: &[&str]) -> Self {
        self.said.path = values.iter().map(|value| (*value).to_owned()).collect();
        self
    }

    /// With a query parameter; without it where the value is empty.
    pub fn query(mut self, name: &str, value: impl AsRef<str>) -> Self {
        if !value.as_ref().is_empty() {
            self.query.append_pair(name, value.as_ref());
        }
        self
    }

    /// With the entity tag of what the visitor has seen.
    pub fn if_match(self, etag: &str) -> Self {
        self.header(header::IF_MATCH, etag)
    }

    /// With the idempotency key of the form that was submitted: submitted twice, it happens once.
    pub fn once(self) -> Self {
        let key = self.key.unwrap_or_default();
        self.header(HeaderName::from_static("idempotency-key"), key)
    }

    /// With this JSON object as its body.
    pub fn json(mut self, body: Value) -> Self {
        self.sent = Sent::Json(body);
        self
    }

    /// A value that is none of a header's is left out, and missed by the operation, which then says so.
    fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.said.headers.insert(name, value);
        }
        self
    }

    /// What came of it: the answer's JSON text, or the body of the refusal.
    pub async fn send(mut self) -> Result<Called, Failure> {
        self.said.query = self.query.finish();
        self.operations.call(self.id, &self.said, self.sent).await
    }

    /// The answer, in its envelope; what the operation refuses with is refused.
    pub async fn answer(self) -> Result<Value, Error> {
        Ok(serde_json::from_str(&self.text().await?)?)
    }

    /// The same as JSON text, for what is read of it without a tree of all its values.
    pub async fn text(self) -> Result<String, Error> {
        let operations = self.operations;
        match self.send().await? {
            Called::Answered(json) => Ok(json),
            Called::Refused(body) => {
                let mut codes = operations.context().surface.all_codes();
                let code = codes.find(|code| code.name == body.error.code);
                let code = code.ok_or_else(|| Failure::fault("an operation refuses with a code that is none"))?;
                let refusal: Refusal = code.because(body.error.message).next(body.error.next_action);
                Err(refusal.into())
            }
        }
    }
}
