//! From an answer, or its absence, to an outcome.

use serde_json::{Map, Value};
use shared_model::json;
use shared_runtime::{
    base::encryption::Hidden,
    state::outbound::{Reply, Trouble},
};

use super::{Outcome, note};

/// An outcome with what explains it.
#[derive(Debug)]
pub struct Verdict {
    pub outcome: Outcome,
    pub reason: Option<&'static str>,
    pub http_status: Option<u16>,
    pub note: Option<String>,
}

impl Verdict {
    /// An outcome that says enough.
    pub fn plain(outcome: Outcome) -> Self {
        Self { outcome, reason: None, http_status: None, note: None }
    }

    /// The outcome when there is no answer.
    pub fn of_trouble(trouble: Trouble) -> Self {
        let (outcome, reason) = match trouble {
            Trouble::Url(why) => (Outcome::ConfigInvalid, Some(why)),
            Trouble::AddressBlocked => (Outcome::AddressBlocked, None),
            Trouble::Dns => (Outcome::DnsFailed, None),
            Trouble::Connect => (Outcome::ConnectFailed, None),
            Trouble::Tls(why) => (Outcome::TlsFailed, Some(why)),
            Trouble::Timeout => (Outcome::Timeout, None),
            Trouble::TooLarge => (Outcome::ResponseTooLarge, None),
            Trouble::BadAnswer => (Outcome::BadResponse, Some("the answer is not HTTP/1.1, or it was cut off")),
        };
        Self { reason, ..Self::plain(outcome) }
    }
}

/// The outcome of an answer to the chat.
pub fn judge(reply: &Reply, key: Option<&Hidden>) -> Verdict {
    let body = json::parse_object(&reply.body).ok();
    let error = body.as_ref().map(Said::of).unwrap_or_default();
    let (outcome, reason, words) = match reply.status.as_u16() {
        200 => match body.as_ref().and_then(completion) {
            Some(words) => (Outcome::Ok, None, words),
            None => (Outcome::BadResponse, Some("the answer is not a chat completion"), error.message),
        },
        300..400 => (Outcome::RedirectRefused, None, None),
        // Whoever refuses a key likes to quote it.
        401 | 403 => (Outcome::AuthRejected, None, None),
        402 => (Outcome::QuotaExceeded, None, error.message),
        404 => (Outcome::ModelNotFound, None, error.message),
        400 if error.is("model_not_found") => (Outcome::ModelNotFound, None, error.message),
        429 if error.is("insufficient_quota") => (Outcome::QuotaExceeded, None, error.message),
        429 => (Outcome::RateLimited, None, error.message),
        400..600 => (Outcome::ProviderError, None, error.message),
        _ => (Outcome::BadResponse, Some("the status is none that a chat completion has"), None),
    };
    let note = words.and_then(|words| note::of(words, &reply.body, key));
    Verdict { outcome, reason, http_status: Some(reply.status.as_u16()), note }
}

/// Whether a refusal is about `max_tokens` alone, which newer models know as `max_completion_tokens`.
pub fn wants_the_other_limit(reply: &Reply) -> bool {
    if !matches!(reply.status.as_u16(), 400 | 422) {
        return false;
    }
    let Ok(body) = json::parse_object(&reply.body) else { return false };
    let said = Said::of(&body);
    let names_it = |text: Option<&str>| text.is_some_and(|text| text.contains("max_tokens"));
    let is_unsupported = said.is("unsupported_parameter")
        || said.message.is_some_and(|text| text.contains("max_completion_tokens") || text.contains("nsupported"));
    is_unsupported && (names_it(said.param) || names_it(said.message))
}

/// What a completion says: `Some(None)` when it is one that says nothing (a model that thought until its limit).
fn completion(body: &Map<String, Value>) -> Option<Option<&str>> {
    let message = body.get("choices")?.as_array()?.first()?.get("message")?.as_object()?;
    match message.get("content") {
        None | Some(Value::Null) => Some(None),
        Some(Value::String(text)) => Some(Some(text)),
        Some(_) => None,
    }
}

/// What an error says, in the several shapes that providers give it.
#[derive(Default)]
struct Said<'a> {
    message: Option<&'a str>,
    param: Option<&'a str>,
    code: Option<&'a str>,
    kind: Option<&'a str>,
}

impl<'a> Said<'a> {
    fn of(body: &'a Map<String, Value>) -> Self {
        let within = match body.get("error") {
            Some(Value::Object(error)) => error,
            Some(Value::String(message)) => return Self { message: Some(message), ..Self::default() },
            _ => body,
        };
        let text = |name| within.get(name).and_then(Value::as_str);
        Self {
            message: text("message").or_else(|| text("detail")),
            param: text("param"),
            code: text("code"),
            kind: text("type"),
        }
    }

    fn is(&self, word: &str) -> bool {
        self.code == Some(word) || self.kind == Some(word)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_runtime::state::outbound::{HeaderMap, StatusCode};

    use super::*;

    fn reply(status: u16, body: &str) -> Reply {
        let status = StatusCode::from_u16(status).expect("a status");
        Reply { status, headers: HeaderMap::new(), body: body.as_bytes().to_vec() }
    }

    #[test]
    fn every_answer_has_its_outcome() {
        let ok = json!({"choices": [{"message": {"role": "assistant", "content": "ready"}}]}).to_string();
        let silent = json!({"choices": [{"message": {"role": "assistant", "content": null}}]}).to_string();
        let quota = json!({"error": {"message": "pay", "type": "insufficient_quota"}}).to_string();
        let no_model = json!({"error": {"message": "no", "code": "model_not_found"}}).to_string();
        for (status, body, outcome) in [
            (200, ok.as_str(), Outcome::Ok),
            (200, silent.as_str(), Outcome::Ok),
            (200, "<html>hello</html>", Outcome::BadResponse),
            (200, "", Outcome::BadResponse),
            (200, "[]", Outcome::BadResponse),
            (200, r#"{"choices": []}"#, Outcome::BadResponse),
            (200, r#"{"choices": [{"message": {"content": 7}}]}"#, Outcome::BadResponse),
            (200, r#"{"choices": [{"text": "ready"}]}"#, Outcome::BadResponse),
            (201, ok.as_str(), Outcome::BadResponse),
            (204, "", Outcome::BadResponse),
            (101, "", Outcome::BadResponse),
            (999, "", Outcome::BadResponse),
            (301, "", Outcome::RedirectRefused),
            (307, "", Outcome::RedirectRefused),
            (400, "{}", Outcome::ProviderError),
            (400, no_model.as_str(), Outcome::ModelNotFound),
            (401, "{}", Outcome::AuthRejected),
            (402, "{}", Outcome::QuotaExceeded),
            (403, "{}", Outcome::AuthRejected),
            (404, "<html>", Outcome::ModelNotFound),
            (418, "", Outcome::ProviderError),
            (429, "{}", Outcome::RateLimited),
            (429, quota.as_str(), Outcome::QuotaExceeded),
            (500, "{}", Outcome::ProviderError),
            (503, "", Outcome::ProviderError),
        ] {
            assert_eq!(judge(&reply(status, body), None).outcome, outcome, "{status} {body}");
        }
    }

    #[test]
    fn a_second_try_is_for_an_unsupported_limit_only() {
        let said = |message: &str, param: &str, code: &str| {
            json!({"error": {"message": message, "param": param, "code": code}}).to_string()
        };
        for (status, body, wants) in [
            (
                400,
                said(
                    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
                    "max_tokens",
                    "unsupported_parameter",
                ),
                true,
            ),
            (422, said("use max_completion_tokens, not max_tokens", "", ""), true),
            (400, said("max_tokens is too large", "max_tokens", "invalid_value"), false),
            (400, said("unknown model", "model", "model_not_found"), false),
            (401, said("Unsupported parameter: max_tokens", "max_tokens", "unsupported_parameter"), false),
            (400, "max_tokens unsupported".to_owned(), false),
        ] {
            assert_eq!(wants_the_other_limit(&reply(status, &body)), wants, "{status} {body}");
        }
    }
}
