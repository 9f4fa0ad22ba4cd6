//! Responses, and assertions on them.

use std::ops::Index;

use serde_json::Value;

use crate::redact::redacted;

#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    json: Value,
}

impl Response {
    pub(crate) fn new(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Self {
        let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Self { status, headers, body, json }
    }

    /// The body as JSON; null if it is not JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }

    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    pub fn body(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The header's value. Fails if it is missing or repeated.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let mut values = self.header_values(name);
        match (values.next(), values.next()) {
            (Some(value), None) => value,
            (None, _) => panic!("no header {name} in {self}"),
            (Some(_), Some(_)) => panic!("the header {name} twice in {self}"),
        }
    }

    pub fn has_header(&self, name: &str) -> bool {
        self.header_values(name).next().is_some()
    }

    fn header_values<'t>(&'t self, name: &str) -> impl Iterator<Item = &'t str> {
        let name = name.to_ascii_lowercase();
        self.headers.iter().filter(move |(own, _)| *own == name).map(|(_, value)| value.as_str())
    }

    /// All headers, sorted, with names in lower case.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The id of the request in the log.
    #[track_caller]
    pub fn request_id(&self) -> &str {
        self.header("x-request-id")
    }

    /// Fails unless the status is this.
    #[track_caller]
    pub fn status(self, expected: u16) -> Self {
        assert_eq!(self.status, expected, "{self}");
        self
    }

    /// Fails unless this is a complete error body with this status and code.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Self {
        assert_eq!((self.status, self["error"]["code"].as_str()), (status, Some(code)), "{self}");
        // Within JSON-RPC the body is the data of its error.
        let body = if self["error"] == self.json["error"] { &self.json } else { &self.json["error"]["data"] };
        let typed = serde_json::from_value::<shared_model::ErrorBody>(body.clone());
        let error = typed.unwrap_or_else(|error| panic!("not our error body ({error}): {self}")).error;
        assert_eq!(error.request_id, self.request_id(), "the body and the header name another request: {self}");
        assert_eq!(
            error.retryable,
            error.next_action.is_retry(),
            "retryable only with wait, poll or retry_same_key: {self}"
        );
        self
    }

    /// Where the next action leads; fails unless the action has this type and a link.
    #[track_caller]
    pub fn leads_to(&self, action: &str) -> String {
        let next = &self["error"]["next_action"];
        assert_eq!(next["type"], action, "{self}");
        next["href"].as_str().unwrap_or_else(|| panic!("no link: {self}")).to_owned()
    }

    /// Fails unless problems are reported at exactly these paths (`next_action.problems[].at`).
    #[track_caller]
    pub fn problems_at(self, places: &[&str]) -> Self {
        let problems = self["error"]["next_action"]["problems"].as_array().cloned().unwrap_or_default();
        let found: Vec<_> = problems.iter().filter_map(|problem| problem["at"].as_str()).collect();
        assert_eq!(found, places, "{self}");
        self
    }

    /// The JSON body without values that differ between runs, for snapshots.
    pub fn redacted(&self) -> Value {
        redacted(&self.json)
    }
}

impl Index<&str> for Response {
    type Output = Value;
    fn index(&self, member: &str) -> &Value {
        // A refusal that JSON-RPC wraps.
        let wrapped = &self.json["error"]["data"]["error"];
        if member == "error" && self.json["error"]["code"] == -32700 && wrapped.is_object() {
            return wrapped;
        }
        &self.json[member]
    }
}

impl std::fmt::Display for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {value}")?;
        }
        write!(f, "\n{}", self.body())
    }
}

/// JSON values that must be strings.
pub trait Text {
    /// Fails if the value is not a string.
    fn text(&self) -> &str;
}

impl Text for Value {
    #[track_caller]
    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("not a string: {self}"))
    }
}
